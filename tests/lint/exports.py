#!/usr/bin/env python3
"""Check the shared library: what it exports, what it needs, what it is called.

It exports exactly the functions that include/waitgate.h declares, all of them waitgate_*; it needs
the C library and nothing else; its SONAME carries the major version.
"""
import os
import re
import subprocess

import tree


def exported(library):
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, text=True,
                           capture_output=True).stdout.splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if line.split()[-2] != "A"}


def declared(root):
    """The functions of the public header; None while there is no header."""
    if not os.path.isfile(os.path.join(root, "include/waitgate.h")):
        return None
    text = tree.blank(tree.read(root, "include/waitgate.h"))
    text = re.sub(r"^\s*#(?:.*\\\n)*.*$", "", text, flags=re.M)
    text = re.sub(r"\btypedef\b[^;{]*;", "", text)
    text = re.sub(r"\bstatic\b[^;{]*\{", "", text)
    return set(re.findall(r"\b(waitgate_\w+)\s*\(", text))


def main():
    args = tree.options(__doc__, ("--library", "libwaitgate.so"))
    names = exported(args.library)
    errors = [f"{name} is exported but is not waitgate_*"
              for name in sorted(names) if not name.startswith("waitgate_")]
    public = declared(args.root)
    if public is not None:
        errors += [f"{name} is declared but not exported (WAITGATE_API?)" for name in sorted(public - names)]
        errors += [f"{name} is exported but not declared" for name in sorted(names - public)]
    dynamic = subprocess.run(["readelf", "-d", args.library], check=True, text=True,
                             capture_output=True).stdout
    for need in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not re.match(r"(libc|ld-linux.*)\.so", need):
            errors.append(f"the library needs {need}")
    if not re.search(r"\(SONAME\).*\[libwaitgate\.so\.\d+\]", dynamic):
        errors.append("the library has no SONAME libwaitgate.so.N")
    print(f"{len(names)} functions exported")
    tree.finish(errors, 1)


if __name__ == "__main__":
    main()
