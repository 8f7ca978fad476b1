#!/usr/bin/env python3
"""Check the lints themselves: each must pass a clean tree and fail once its fault is planted."""
import os
import shutil
import subprocess
import sys
import tempfile

import tree

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD = "#ifndef H\n#define H\n{}\n#endif\n"
CLEAN = {
    "src/move/pack.c": "int pack;\n",
    "include/waitgate.h": GUARD.format("int waitgate_version(void);"),
    "src/base/bits.h": GUARD.format("extern int bits;"),
    "src/state/dst.h": GUARD.format("extern int dst;"),
    "src/front/gate.h": GUARD.format("extern int gate;"),
    "src/front/gate.c": '#include "front/gate.h"\n\n#include "base/bits.h"\n#include "state/dst.h"\n'
                       '\nint gate; /* no printf("x") here */\n',
    "src/coproc/coproc.c": '#include "front/gate.h"\n\n#include "state/dst.h"\nint tile;\n',
    "src/isa/timing.def": 'TIMING(ROW, 1, 2, 3, SET(1, 9), GUESSED, "", "")\n'
                          'TIMING(FIXED, 1, 1, 1, STRUCTURAL, GUESSED, "", "")\n',
    "src/coproc/row.c": "int row(const struct timing *t)\n{\n    return t->n.ROW + T_FIXED;\n}\n",
    "src/coproc/more.c": "int more(void)\n{\n    return 0;\n}\n",
    "cli/main.c": '#include "waitgate.h"\n\nint main(void)\n{\n    return waitgate_version();\n}\n',
}
LONG = "int f(void)\n{\n" + "    f();\n" * 130 + "}\n"
TMP = "/" + "tmp" + "/"

# src/LAYERS of the small tree, and its page.
ROOMS = ("base", "state", "front", "move", "coproc")
OTHERS = sorted({name.split("/")[1] for name in CLEAN if name.startswith("src/")} - set(ROOMS))
LAYERS = ("include :\nbase :\n" + "".join(f"{folder} :\n" for folder in OTHERS) +
          "state : base\nunits = front move\nunits : base state\ncoproc : base state units\n"
          "cli : include\n")
ALL_FILES = "## All files\n" + "".join(
    f"### `{os.path.dirname(name)}/`\n| `{os.path.basename(name)}` | |\n"
    for name in CLEAN if name.startswith("src/"))
STEP = "| `row` | `coproc/row.c` | first |\n"
MORE = "| `more` | `coproc/more.c` | next |\n"
WAY = f"## The way of a row\n{STEP}{STEP}\n1 file, 0 jumps back.\n"
CLEAN.update({"src/LAYERS": LAYERS, "docs/architecture.md": WAY + ALL_FILES})

# (lint, file, text that replaces it, what it shows)
FAULTS = [
    ("layers.py", "src/LAYERS", LAYERS + "gone : base\n", "a row for a folder that is not there"),
    ("prefixes.py", "src/front/gate.c", "int latch(void)\n{\n    return 0;\n}\n", "another prefix"),
    ("prefixes.py", "src/front/gate.c", "int gates(void)\n{\n    return 0;\n}\n", "nearly the prefix"),
    ("prefixes.py", "src/front/gate.h", GUARD.format("static inline int f(void)\n{\n    return 0;\n}"),
     "another prefix in a header"),
    ("comments.py", "src/front/gate.c", "/* see gate_gone(). */\nint gate;\n", "a function that is gone"),
    ("comments.py", "docs/a.md", "see `gate_gone()`\n", "the same in a page"),
    ("pages.py", "src/front/more.c", "int more;\n", "a file that the page does not name"),
    ("pages.py", "docs/architecture.md", "## All files\n", "none of them named"),
    ("pages.py", "docs/architecture.md", ALL_FILES + "### `src/front/`\n| `gate.c` | again |\n", "a file named twice"),
    ("pages.py", "docs/architecture.md", ALL_FILES + "| `gone.c` | gone |\n", "a file that is not there"),
    ("pages.py", "docs/a.md", "see `src/front/gone.c`\n", "the same in another page"),
    ("ways.py", "docs/architecture.md", WAY.replace("`row`", "`rows`"), "a function that its file does not define"),
    ("ways.py", "docs/architecture.md", WAY.replace("row.c", "gone.c"), "a way through a file that is not there"),
    ("ways.py", "src/coproc/row.c", "int row(void);\n", "a function that is only declared"),
    ("ways.py", "docs/architecture.md", WAY.replace("0 jumps", "1 jump"), "a jump back that is none"),
    ("ways.py", "docs/architecture.md", WAY.replace("1 file", "2 files"), "another number of files"),
    ("ways.py", "docs/architecture.md", WAY.replace(f"{STEP}\n1 file", f"{MORE}{STEP}\n2 files"), "a jump back not counted"),
    ("ways.py", "docs/architecture.md", WAY.replace("\n1 file, 0 jumps back.", ""), "a list without counts"),
    ("ways.py", "docs/architecture.md", WAY.replace("`coproc/row.c`", "row.c"), "a row without its file"),
    ("ways.py", "docs/architecture.md", ALL_FILES, "no list at all"),
    ("layers.py", "src/base/up.h", '#include "front/gate.h"\n', "base includes a unit"),
    ("layers.py", "src/move/pack.c", '#include "front/gate.h"\n', "a unit includes another"),
    ("layers.py", "src/move/pack.c", '#include "gate.h"\n', "the same, without the folder"),
    ("layers.py", "src/move/pack.c", '#include "../front/gate.h"\n', "a way round with .."),
    ("layers.py", "src/move/pack.c", '  #  include "tile/tile.c"\n', "a unit includes the tile"),
    ("layers.py", "cli/main.c", '#include "base/bits.h"\n', "the program looks inside"),
    ("layers.py", "cli/main.c", "#include <base/bits.h>\n", "the same, in angle brackets"),
    ("layers.py", "src/coproc/coproc.c", '#include "waitgate.h"\n', "the model knows its API"),
    ("layers.py", "src/odd/odd.c", "int odd;\n", "a folder nobody listed"),
    ("layers.py", "src/coproc/coproc.c", '#include "unit/none.h"\n', "a file that is not there"),
    ("sizes.py", "src/coproc/coproc.c", LONG, "a function of 130 lines"),
    ("sizes.py", "src/coproc/coproc.c", "int x;\n" * 901, "a file of 901 lines"),
    ("calls.py", "src/coproc/coproc.c", 'void f(void)\n{\n    printf("x");\n}\n', "printing"),
    ("calls.py", "src/coproc/coproc.c", "void f(void)\n{\n    abort ();\n}\n", "abort"),
    ("calls.py", "src/coproc/coproc.c", "void *f = stderr;\n", "a standard stream"),
    ("calls.py", "src/dropin/odd.c", "void f(void)\n{\n    exit(1);\n}\n", "the drop-in exits"),
    ("l1.py", "src/tile/bus.c", "void f(void)\n{\n    *(uint8_t *)(uintptr_t)tile_l1(t) = 1;\n}\n",
     "a cast that makes L1 writable"),
    ("l1.py", "src/move/pack.c", "void f(void)\n{\n    memcpy((uint8_t *)m->l1 + 4, x, 4);\n}\n",
     "the same without the detour"),
    ("l1.py", "src/tile/bus.c", "void f(void)\n{\n    t->l1_bytes[0] = 1;\n}\n",
     "a write to the tile's array"),
    ("l1.py", "src/tile/tdma.c", "void f(void)\n{\n    rvcode_invalidate(&t->code, 0, 4);\n}\n",
     "one step of a write"),
    ("paths.py", "docs/a.md", f"see {TMP}x\n", "a path of one machine"),
    ("headers.py", "src/base/bits.h", GUARD.format("uint32_t f(void);"), "a missing include"),
    ("headers.py", "src/base/bits.h", "enum e { E };\n", "a missing guard"),
    ("timing.py", "src/coproc/row.c", "int ROW; /* t->n.ROW */\n", "a row that nobody reads"),
    ("timing.py", "src/coproc/coproc.c", "int tile = T_ROW;\n", "a row taken as a constant"),
    ("timing.py", "src/isa/timing.def", "", "a table without rows"),
    ("format.py", "src/coproc/coproc.c", "int  x ;\n", "bad layout"),
]


def write(root, name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def status(root, lint, *more):
    done = subprocess.run([sys.executable, os.path.join(HERE, lint), "--root", root, *more],
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check(lint, fault=None):
    """Run a lint on the clean tree, with one file replaced if there is a fault."""
    with tempfile.TemporaryDirectory() as root:
        for name, text in CLEAN.items():
            write(root, name, text)
        shutil.copy(os.path.join(tree.ROOT, ".clang-format"), os.path.join(root, ".clang-format"))
        if fault:
            write(root, *fault)
        return status(root, lint)


def check_exports(functions):
    """Run exports.py on a small library that exports these functions."""
    with tempfile.TemporaryDirectory() as root:
        write(root, "include/waitgate.h", CLEAN["include/waitgate.h"])
        write(root, "a.c", "".join(f"int {name}(void);\nint {name}(void)\n{{\n    return 0;\n}}\n"
                                   for name in functions))
        library = os.path.join(root, "a.so")
        subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libwaitgate.so.0", "-o", library,
                        os.path.join(root, "a.c")], check=True)
        return status(root, "exports.py", "--library", library)[0]


TABLE_TREE = ("src/isa", "src/probe", "src/wait", "docs", "kernels", "tests/pages", "tests/model", "tests/unit",
              "tests/tts")
# Pages that are made of tables: (lint, file, text, what replaces it)
TABLE_FAULTS = [
    ("coverage.py", "src/isa/coverage.def", 'COVER(REPLAY, "", DONE', '// COVER(REPLAY, "", DONE'),
    ("coverage.py", "src/isa/coverage.def", 'COVER(MOP, "", DONE, DOCUMENTED, "G',
     'COVER(MOP, "", DONE, DOCUMENTED, "VG'),
    ("coverage.py", "src/isa/coverage.def", "`MOP_OUTER_BUG`", "`NO_SUCH_BUG`"),
    ("coverage.py", "src/isa/tensix.def", "INSN(MOP,", "INSN(MOPS,"),
    ("coverage.py", "docs/coverage.md", "count 0 means 64", "count 0 means 0"),
    ("names.py", "src/probe/diag.def", "DIAG(NEVER_HELD, NOTE", "DIAG(NEVER_HELD, HAZARD"),
    ("names.py", "src/wait/wait.def", "WAIT(MUTEX,", "WAIT(MUTEX,,"),
    ("names.py", "docs/names.md", "mutex held by another", "mutex held by any other"),
]


def check_table(lint, fault=None):
    """Run a lint on what it looks at, with one text replaced if there is a fault."""
    with tempfile.TemporaryDirectory() as root:
        for folder in TABLE_TREE:
            shutil.copytree(os.path.join(tree.ROOT, folder), os.path.join(root, folder))
        for name in os.listdir(os.path.join(tree.ROOT, "tests/vectors/data")):
            write(root, f"tests/vectors/data/{name}", "")
        if fault:
            text = tree.read(root, fault[0])
            if fault[1] not in text:
                return None
            write(root, fault[0], text.replace(fault[1], fault[2], 1))
        return status(root, lint)[0]


def main():
    tree.options(__doc__)
    errors = []
    for lint in sorted({fault[0] for fault in TABLE_FAULTS}):
        if check_table(lint) != 0:
            errors.append(f"{lint}: complains about the tree as it is")
    for lint, *fault in TABLE_FAULTS:
        if check_table(lint, fault) != 1:
            errors.append(f"{lint}: accepts {fault[2]} in {fault[0]}")
    if check_exports(["waitgate_version"]) != 0:
        errors.append("exports.py: complains about a clean library")
    for functions in (["waitgate_version", "other"], ["waitgate_version", "waitgate_more"], []):
        if check_exports(functions) != 1:
            errors.append(f"exports.py: accepts {functions}")
    for lint in sorted({fault[0] for fault in FAULTS}):
        code, output = check(lint)
        if code not in (0, tree.SKIPPED):
            errors.append(f"{lint}: complains about a clean tree\n{output}")
    for lint, name, text, shows in FAULTS:
        code, output = check(lint, (name, text))
        if code not in (1, tree.SKIPPED) or (code == 1 and "error: " not in output):
            errors.append(f"{lint}: does not see {shows}\n{output}")
    tree.finish(errors, len(FAULTS))


if __name__ == "__main__":
    main()
