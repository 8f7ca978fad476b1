#!/usr/bin/env python3
"""Compare the RISC-V decoder and disassembler with binutils, on random words of every row.

    rv_binutils.py RV_WORDS [SEED]      RV_WORDS: the test program rv_words

Exit status 77 if riscv64-unknown-elf-objdump is not installed.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

OBJDUMP = "riscv64-unknown-elf-objdump"
ARCH = "rv32i2p1_m2p0_f2p2_d2p2_a2p1_zicsr2p0_zifencei2p0_zfh1p0_zba1p0_zbb1p0_zbkb1p0_v1p0"
PER_ROW = 40
# Words GNU knows under another name or not at all; grevi is a draft's, fence has reserved forms.
NOT_COMPARED = {"grevi"}


def uleb(n):
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def attributes():
    """The section that tells objdump which extensions there are."""
    tags = uleb(5) + ARCH.encode() + b"\0"  # Tag_RISCV_arch
    part = b"\x01" + struct.pack("<I", len(tags) + 5) + tags
    vendor = b"riscv\0"
    return b"A" + struct.pack("<I", len(vendor) + len(part) + 4) + vendor + part


def elf(words):
    """A relocatable file with nothing but .text, .riscv.attributes and names."""
    text = b"".join(struct.pack("<I", w) for w in words)
    names = b"\0.text\0.riscv.attributes\0.shstrtab\0"
    parts = [text, attributes(), names]
    offsets, at = [], 52
    for part in parts:
        offsets.append(at)
        at += len(part) + -len(part) % 4
    body = b"".join(part + bytes(-len(part) % 4) for part in parts)

    def section(name, kind, flags, offset, size):
        return struct.pack("<10I", name, kind, flags, 0, offset, size, 0, 0, 4, 0)

    table = bytes(40)
    table += section(1, 1, 6, offsets[0], len(text))
    table += section(7, 0x70000003, 0, offsets[1], len(parts[1]))
    table += section(25, 3, 0, offsets[2], len(names))
    head = b"\x7fELF\x01\x01\x01" + bytes(9)
    head += struct.pack("<2H5I6H", 1, 243, 1, 0, 0, at, 0, 52, 0, 0, 40, 4, 3)
    return head + body + table


def usual(word, name):
    """Take away what assemblers do not write: reserved bits that GNU does not decode."""
    if name == "fence":
        return word & 0x0ff0707f
    if name == "fcvt.s.h":
        return word & ~0x7000
    rm = word >> 12 & 7
    if word & 0x7f in (0x43, 0x47, 0x4b, 0x4f, 0x53) and rm in (5, 6):
        return word | 0x7000
    return word


def objdump(words):
    number, path = tempfile.mkstemp(".o")
    with os.fdopen(number, "wb") as file:
        file.write(elf(words))
    try:
        done = subprocess.run([OBJDUMP, "-d", "-M", "no-aliases,numeric", path], check=True,
                              capture_output=True, text=True)
    finally:
        os.unlink(path)
    texts = []
    for line in done.stdout.splitlines():
        match = re.match(r"\s*[0-9a-f]+:\t([0-9a-f]{8})\s+\t?(.*)$", line)
        if match:
            text = re.sub(r"\s*(#|<).*$", "", match.group(2))
            texts.append(" ".join(text.split()))
    return texts


def main():
    program = sys.argv[1]
    seed = sys.argv[2] if len(sys.argv) > 2 else str(int.from_bytes(os.urandom(4), "little"))
    if not shutil.which(OBJDUMP):
        print(f"skipped: {OBJDUMP} is not installed (binutils-riscv64-unknown-elf)")
        return 77
    print(f"seed {seed}")
    made = subprocess.run([program, "make", seed, str(PER_ROW)], check=True, capture_output=True,
                          text=True).stdout.split("\n")[:-1]
    rows = [line.split() for line in made]
    names = [row[2] for row in rows]
    words = [usual(int(row[0], 16), row[2]) for row in rows]
    ours = subprocess.run([program, "text"], input="".join(f"{w:08x}\n" for w in words), check=True,
                          capture_output=True, text=True).stdout.split("\n")[:-1]
    theirs = objdump(words)
    if len(theirs) != len(words):
        print(f"{len(words)} words, {len(theirs)} lines from objdump")
        return 1
    wrong, compared = {}, 0
    for name, word, line, their in zip(names, words, ours, theirs):
        our = " ".join(line.split("\t", 1)[1].split())
        if name in NOT_COMPARED or our.split()[0] in NOT_COMPARED:
            continue
        if name.startswith("csr"):  # GNU knows more CSRs than the cores have
            our, their = (re.sub(r",[^,]+,", ",csr,", t) if not re.search(
                r",(fcsr|mcycleh?|instreth?|vl|vtype|vlenb|mstatus),", t) else t
                for t in (our, their))
        compared += 1
        if our != their:
            wrong.setdefault(name, []).append(f"{word:08x}: ours '{our}', objdump '{their}'")
    for name, lines in wrong.items():
        print(f"{name}: {len(lines)} differ, e.g. {lines[0]}")
    print(f"{compared} words of {len(set(names))} instructions compared, "
          f"{sum(map(len, wrong.values()))} differ")
    return 1 if wrong or compared < 10000 else 0


if __name__ == "__main__":
    sys.exit(main())
