#!/usr/bin/env python3
"""Check that the drop-in library exports the ten functions and nothing else, and needs libc only.

    exports.py LIBRARY
"""
import re
import subprocess
import sys

NAMES = {"libttsim_" + name for name in (
    "init", "exit", "clock", "set_pci_dma_mem_callbacks", "pci_config_rd32", "pci_config_wr32",
    "pci_mem_rd_bytes", "pci_mem_wr_bytes", "tile_rd_bytes", "tile_wr_bytes")}


def run(*words):
    return subprocess.run(words, check=True, text=True, capture_output=True).stdout


def main():
    library = sys.argv[1]
    names = {line.split()[-1].split("@")[0]
             for line in run("nm", "-D", "--defined-only", library).splitlines()}
    errors = [f"{name} is missing" for name in sorted(NAMES - names)]
    errors += [f"{name} is exported" for name in sorted(names - NAMES)]
    errors += [f"the library needs {name}"
               for name in re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", library))
               if not re.match(r"(libc|ld-linux.*)\.so", name)]
    print("\n".join(errors) or f"{len(names)} functions exported")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
