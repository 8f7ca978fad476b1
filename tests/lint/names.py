#!/usr/bin/env python3
"""Keep docs/names.md true: the causes of waits and the diagnostics, as src/wait/wait.def and src/probe/diag.def have them.

Fails when the part of the page between the marks differs from the tables. --write puts the tables into the page.
"""
import re

import tree

PAGE = "docs/names.md"
BEGIN = "<!-- from wait.def and diag.def by tests/lint/names.py --write: do not edit -->\n"
END = "<!-- end of the tables -->\n"
WAIT = re.compile(r'^WAIT\((\w+), "([^"]*)", "([^"]*)"\)|^/\* ([^*]*)\*/$', re.M)
DIAG = re.compile(r'^DIAG\((\w+), (\w+), "([^"]*)"\)', re.M)


def markdown(root):
    """The tables, and how many rows they have."""
    waits = WAIT.findall(tree.read(root, "src/wait/wait.def"))
    diags = DIAG.findall(tree.read(root, "src/probe/diag.def"))
    out = ["\n## Causes\n\n| Cause | An agent's cycle goes there when |\n|---|---|\n"]
    for name, short, text, comment in waits:
        if name:
            out.append(f"| `{short}` | {text} |\n")
        elif not comment.startswith(" src/"):
            out.append(f"| | **{comment.strip()}** |\n")
    out.append("\n## Diagnostics\n\n| Name | Kind | Text |\n|---|---|---|\n")
    out += [f"| `{name}` | {kind.lower()} | {text} |\n" for name, kind, text in diags]
    return "".join(out) + "\n", len(waits) + len(diags)


def main():
    args = tree.options(__doc__, ("--write", "FILE: where to write the page; docs/names.md"))
    errors, (tables, count) = [], markdown(args.root)
    page = tree.read(args.root, PAGE)
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        errors.append(f"{PAGE}: the marks of the tables are not there once each")
    else:
        head, rest = page.split(BEGIN)
        current, tail = rest.split(END)
        if args.write:
            with open(args.write, "w", encoding="utf-8") as file:
                file.write(head + BEGIN + tables + END + tail)
        elif current != tables:
            errors.append(f"{PAGE} is not current: python3 tests/lint/names.py --write {PAGE}")
    tree.finish(errors, count)


if __name__ == "__main__":
    main()
