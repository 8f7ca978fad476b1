#!/usr/bin/env python3
"""Check that no tracked file names a folder of one particular machine."""
import re

import tree

FOLDERS = "tmp|work|home|root|mnt|Users"
PATH = re.compile(r"(?<![\w.$})/~+-])/(?:" + FOLDERS + r")/")


def main():
    root = tree.options(__doc__).root
    errors = []
    names = tree.files(root)
    for name in names:
        for number, line in enumerate(tree.read(root, name).splitlines(), 1):
            match = PATH.search(line)
            if match:
                errors.append(f"{name}:{number}: names {match.group(0)}")
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
