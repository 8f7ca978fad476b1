#!/usr/bin/env python3
"""Check that the C sources are laid out as clang-format 14 lays them out (`make format`)."""
import re
import shutil
import subprocess
import sys

import tree

VERSION = "14"


def main():
    root = tree.options(__doc__).root
    tool = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    version = tool and subprocess.run([tool, "--version"], capture_output=True, text=True).stdout
    if not version or f"version {VERSION}." not in version:
        print(f"no clang-format {VERSION}")
        sys.exit(tree.SKIPPED)
    names = tree.files(root, (".c", ".h"))
    done = subprocess.run([tool, "--dry-run", "--Werror", *names], cwd=root, text=True,
                          capture_output=True)
    places = re.findall(r"^(\S+?:\d+):\d+: error", done.stderr, re.M)
    firsts = {place.split(":")[0]: place for place in reversed(places)}
    errors = [f"{place}: run make format" for place in sorted(firsts.values())]
    if done.returncode and not errors:
        errors = [done.stderr]
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
