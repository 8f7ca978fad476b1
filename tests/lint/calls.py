#!/usr/bin/env python3
"""Check that the library neither prints, nor ends the process, nor reads the environment.

Only cli/ and the tests may. Formatting into a caller's buffer (snprintf, vsnprintf) is fine. The
drop-in, whose API has no place for messages, may read the environment and write to stderr.
"""
import re

import tree

CALLS = re.compile(r"(?<![\w.>])(v?f?printf|v?sprintf|dprintf|f?puts|f?putc|putchar|perror|exit|"
                   r"_Exit|_exit|quick_exit|abort|raise|signal|getenv|secure_getenv|setenv|system|"
                   r"std(?:out|err))\b(\s*\()?")
DROPIN = ("fprintf", "stderr", "getenv")


def main():
    root = tree.options(__doc__).root
    errors = []
    names = tree.files(root, (".c", ".h", ".def"), ("src/", "include/"))
    for name in names:
        for number, line in enumerate(tree.blank(tree.read(root, name)).splitlines(), 1):
            for match in CALLS.finditer(line):
                if name.startswith("src/dropin/") and match.group(1) in DROPIN:
                    continue
                if match.group(2) or match.group(1).startswith("std"):
                    errors.append(f"{name}:{number}: {match.group(1)} in the library")
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
