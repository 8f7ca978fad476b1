#!/usr/bin/env python3
"""Compare the Alpha's disassembler with binutils, on random words of every row.

    binutils.py ALPHA_WORDS [SEED]      ALPHA_WORDS: the test program alpha_words

Exit status 77 if alpha-linux-gnu-objdump is not installed.
"""
import os
import shutil
import struct
import subprocess
import sys
import tempfile

OBJDUMP = "alpha-linux-gnu-objdump"
BASE = 0x120000000
PER_ROW = 60


def objdump(words):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words")
        with open(path, "wb") as f:
            f.write(b"".join(struct.pack("<I", w) for w in words))
        out = subprocess.run([OBJDUMP, "-D", "-z", "-b", "binary", "-m", "alpha",
                              f"--adjust-vma={BASE:#x}", path],
                             capture_output=True, text=True, check=True).stdout
    texts = {}
    for line in out.splitlines():
        part = line.split("\t")
        if len(part) >= 3 and part[0].endswith(":"):
            texts[int(part[0][:-1], 16)] = "\t".join(part[2:]).strip()
    return texts


def main():
    if not shutil.which(OBJDUMP):
        print(f"skipped: {OBJDUMP} is not installed")
        return 77
    seed = sys.argv[2] if len(sys.argv) > 2 else str(int.from_bytes(os.urandom(4), "little"))
    print("seed", seed)
    lines = subprocess.run([sys.argv[1], seed, str(PER_ROW)], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    ours = [line.split(" ", 2) for line in lines]
    theirs = objdump([int(w, 16) for _, w, _ in ours])
    wrong = 0
    for address, word, text in ours:
        other = theirs[int(address, 16)].replace(".long ", ".long\t")
        if text != other:
            wrong += 1
            if wrong <= 40:
                print(f"{word} at {address}: {text!r}, objdump {other!r}")
    print(f"{len(ours)} words, {wrong} differ")
    return 1 if wrong or not ours else 0


sys.exit(main())
