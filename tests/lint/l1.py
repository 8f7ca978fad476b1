#!/usr/bin/env python3
"""Check that L1 is written in one way: src/state/l1_port.h.

Everybody else sees the bytes as const. Three things could go round that: a cast (uintptr_t, or a mutable pointer), the
tile's own array by its name, and steps of a write that are taken singly.
"""
import re

import tree

# (what, the files that may have it)
RULES = [
    (re.compile(r"\(\s*(?:uint\d+_t|char|void)\s*\*\s*\)\s*(?:\(\s*uintptr_t|[^;]*\b(?:l1|tile_l1|bytes)\b)"),
     {"src/state/l1_port.h"}, "a cast to writable bytes: write L1 with l1_port.h"),
    (re.compile(r"\bl1_bytes\b"), {"src/tile/tile.h", "src/tile/tile.c"},
     "the tile's bytes of L1: read them with tile_l1(), write them with tile_port()"),
    (re.compile(r"\brvcode_invalidate\s*\("), {"src/state/l1_port.h", "src/state/rvcode.h", "src/core/rvcode.c"},
     "a step of a write to L1, taken singly"),
    (re.compile(r"\btile_l1_change[sd]\s*\("), {"src/tile/tile.h", "src/tile/tile.c", "src/tile/clock.c"},
     "a step of a write to L1, taken singly"),
    (re.compile(r"\bwriters_note\w*\s*\("), {"src/tile/writers.h", "src/tile/tile.c"},
     "a step of a write to L1, taken singly"),
]
FOLDERS = ("src/state/", "src/front/", "src/matrix/", "src/vector/", "src/move/", "src/scalar/", "src/core/", "src/coproc/", "src/tile/", "src/chip/", "src/joint/", "src/dropin/",
           "src/lib/", "src/script/")


def main():
    root = tree.options(__doc__).root
    errors = []
    names = tree.files(root, (".c", ".h", ".def"), FOLDERS)
    for name in names:
        for number, line in enumerate(tree.blank(tree.read(root, name)).splitlines(), 1):
            for pattern, may, what in RULES:
                if name not in may and pattern.search(line):
                    errors.append(f"{name}:{number}: {what}")
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
