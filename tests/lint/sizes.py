#!/usr/bin/env python3
"""Check that files and functions stay short: warn above 800 and 80 lines, fail above 900 and 120.

Tables (*.def) are exempt. A function is what lies between a "{" and a "}" alone in column 0, which
is how the formatter lays them out.
"""
import tree

FILE_WARN, FILE_FAIL = 800, 900
FUNCTION_WARN, FUNCTION_FAIL = 80, 120


def functions(lines):
    """(line number, length) of each function; the length counts its braces."""
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, number - start + 1
            start = None


def main():
    root = tree.options(__doc__).root
    errors, warnings = [], []
    names = tree.files(root, (".c", ".h", ".py"))

    def judge(where, length, warn, fail):
        if length > warn:
            (errors if length > fail else warnings).append(f"{where}: {length} lines")

    for name in names:
        lines = tree.read(root, name).splitlines()
        judge(name, len(lines), FILE_WARN, FILE_FAIL)
        for start, length in functions(lines):
            judge(f"{name}:{start}: function", length, FUNCTION_WARN, FUNCTION_FAIL)
    tree.finish(errors, len(names), warnings)


if __name__ == "__main__":
    main()
