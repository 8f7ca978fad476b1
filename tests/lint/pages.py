#!/usr/bin/env python3
"""Check docs/architecture.md: its section "All files" names every source file once, and no other.

A row of its tables begins with the files' names, of a folder that the heading above has named. What
any page calls src/... must exist, too.
"""
import os
import re

import tree

PAGE = "docs/architecture.md"
SECTION = re.compile(r"^## All files$(.*?)(?=^## |\Z)", re.M | re.S)
FOLDER = re.compile(r"^### `(src/\w+)/`", re.M)
NAMED = re.compile(r"`(src/[\w/]+\.(?:c|h|def))`")


def listed(text):
    """(path, times) of the section; None if there is none."""
    section = SECTION.search(text)
    if not section:
        return None
    found, folder = {}, None
    for line in section.group(1).splitlines():
        heading = FOLDER.match(line)
        if heading:
            folder = heading.group(1)
        elif line.startswith("| `"):
            for name in re.findall(r"`([\w.]+)`", line.split("|")[1]):
                path = f"{folder}/{name}"
                found[path] = found.get(path, 0) + 1
    return found


def main():
    root = tree.options(__doc__).root
    names = tree.files(root, (".c", ".h", ".def"), ("src/",))
    found, errors = listed(tree.read(root, PAGE)), []
    if found is None:
        errors.append(f'{PAGE}: has no section "All files"')
        found = {}
    errors += [f"{PAGE}: does not name {name}" for name in names if name not in found]
    errors += [f"{PAGE}: names {name}, which is not there" for name in found if name not in names]
    errors += [f"{PAGE}: names {name} {times} times" for name, times in found.items() if times > 1]
    pages = tree.files(root, (".md",))
    for page in pages:
        for number, line in enumerate(tree.read(root, page).splitlines(), 1):
            errors += [f"{page}:{number}: there is no {name}" for name in NAMED.findall(line)
                       if not os.path.isfile(os.path.join(root, name))]
    tree.finish(errors, len(names) + len(pages))


if __name__ == "__main__":
    main()
