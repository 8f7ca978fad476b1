#!/usr/bin/env python3
"""Check that each header compiles alone, and twice over; with --cxx, the public one also as C++."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

import tree

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wundef", "-Werror"]
BODY = '#include "{0}"\n#include "{0}"\nextern int wg_not_empty;\n'


def compile_alone(root, name, compiler, language):
    """The compiler's complaint about a file that includes only this header, or None."""
    places = ["include", "cli"] if name.startswith("cli/") else ["src", "include", "tests"]
    command = [compiler, "-x", language, "-std=c17" if language == "c" else "-std=c++11",
               "-fsyntax-only", *WARNINGS,
               *(f"-I{os.path.join(root, place)}" for place in places), "-"]
    done = subprocess.run(command, input=BODY.format(os.path.join(root, name)), text=True,
                          capture_output=True)
    return None if done.returncode == 0 else f"{name}: does not compile alone\n{done.stderr}"


def main():
    args = tree.options(__doc__, ("--cc", "the C compiler"), ("--cxx", "the C++ compiler"))
    if args.cxx:
        if not shutil.which(args.cxx):
            print("no C++ compiler")
            sys.exit(tree.SKIPPED)
        compiler, language = args.cxx, "c++"
        names = tree.files(args.root, (".h",), ("include/",))
        if not names:
            print("no public header")
            sys.exit(tree.SKIPPED)
    else:
        compiler, language = args.cc or "cc", "c"
        names = tree.files(args.root, (".h",), ("src/", "cli/", "include/", "tests/"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = pool.map(lambda name: compile_alone(args.root, name, compiler, language), names)
        errors = [text for text in found if text]
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
