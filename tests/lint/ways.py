#!/usr/bin/env python3
"""Check the lists in docs/architecture.md that follow an instruction: its sections "The way of ..".

A row names a function and a file below src/: the file defines the function. Beneath each list stands how
many files it names, and how often a row returns to a file that was named before and left: what is
counted here.
"""
import os
import re

import csource
import tree

PAGE = "docs/architecture.md"
SECTION = re.compile(r"^## (The way of [^\n]+)\n(.*?)(?=^## |\Z)", re.M | re.S)
ROW = re.compile(r"^\| `(\w+)` \| `([\w/]+\.[ch])` \|")
COUNT = re.compile(r"^(\d+) files?, (\d+) jumps? back\.$")


def jumps(names):
    """How often a file comes again after another one."""
    return sum(name != names[i - 1] and name in names[:i] for i, name in enumerate(names) if i)


def section(root, title, text, known):
    """Errors of one section; known: {file: functions}."""
    errors, names, lists = [], [], 0
    for line in text.splitlines():
        row, count = ROW.match(line), COUNT.match(line)
        if row:
            function, name = row.groups()
            names.append(name)
            path = f"src/{name}"
            if path not in known:
                there = os.path.isfile(os.path.join(root, path))
                source = tree.read(root, path) if there else ""
                known[path] = {found for found, _, _ in csource.functions(source)}
            if function not in known[path]:
                errors.append(f"{PAGE}: {title}: {path} does not define {function}")
        elif line.startswith("| `"):
            errors.append(f"{PAGE}: {title}: a row without a function and its file: {line}")
        elif count:
            lists += 1
            true = (len(set(names)), jumps(names))
            if not names or tuple(map(int, count.groups())) != true:
                errors.append(f"{PAGE}: {title}: {line} It is {true[0]} and {true[1]}")
            names = []
    if names or not lists:
        errors.append(f"{PAGE}: {title}: a list without its counts")
    return errors


def main():
    root = tree.options(__doc__).root
    errors, known = [], {}
    for title, text in SECTION.findall(tree.read(root, PAGE)):
        errors += section(root, title, text, known)
    tree.finish(errors, len(known))


if __name__ == "__main__":
    main()
