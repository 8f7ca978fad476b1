#!/usr/bin/env python3
"""Check that every number of src/isa/timing.def that can be set is read by the model, as data of a machine.

A row is read where its field of struct timing is named, where tile/map.def names it as the latency of a window, or
where a cost of isa/tensix.def follows it. T_<ROW>, the typical value as a constant, is for rows that are structural,
and for what the compiler asserts.
"""
import re

import tree

ROW = re.compile(r"^TIMING\((\w+),\s*\d+,\s*\d+,\s*\d+,\s*(SET\(|STRUCTURAL\b)", re.M)
CONSTANT = re.compile(r"(?<!\w)T_(\w+)")
TABLE = "src/isa/timing."


def main():
    root = tree.options(__doc__).root
    errors, read = [], set()
    rows = dict(ROW.findall(tree.blank(tree.read(root, TABLE + "def"), strings=False)))
    settable = {row for row, how in rows.items() if how.startswith("SET")}
    names = [name for name in tree.files(root, (".c", ".h", ".def"), ("src/",))
             if not name.startswith(TABLE)]
    for name in names:
        text = tree.blank(tree.read(root, name))
        read.update(re.findall(r"(?:\.|->)\s*([A-Z]\w+)", text))
        if name == "src/tile/map.def":
            read.update(word for line in re.findall(r"^MAP\((.*)", text, re.M)
                        for word in re.findall(r"\w+", line))
        if name == "src/isa/tensix.def":
            read.update(re.findall(r"(?:ISSUE|LATENCY)_OF\((\w+)", text))
        if name.startswith("src/isa/"):
            continue
        text = re.sub(r"_Static_assert\([^;]*;", lambda m: re.sub(r"[^\n]", " ", m.group(0)), text)
        for number, line in enumerate(text.splitlines(), 1):
            for row in CONSTANT.findall(line):
                if row in settable:
                    errors.append(f"{name}:{number}: T_{row}: a machine can have another value")
    for row in sorted(settable - read):
        errors.append(f"{TABLE}def: nobody reads {row}; if it cannot be set, it is STRUCTURAL")
    tree.finish(errors, len(rows) and len(names))


if __name__ == "__main__":
    main()
