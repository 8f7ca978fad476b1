#!/usr/bin/env python3
"""Run random RISC-V programs under qemu-riscv32 and on our core; what they print must be equal.

    rv_qemu.py RV_PROGRAM [SEED]      RV_PROGRAM: the test program rv_program

The programs print their memory and all registers. At least 50,000 instructions are compared, some
of every extension. Exit status 77 if qemu-riscv32 is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

QEMU = "qemu-riscv32"
CPU = "rv32,zba=true,zbb=true,zbkb=true,Zfh=true,v=true,vlen=128,elen=32,vext_spec=v1.0"
PROGRAMS = 6             # of each kind
LENGTH, ROUNDS = 400, 5  # instructions, repetitions
AT_LEAST = 50_000


def where(ours, theirs):
    """The first difference, in words a reader can use."""
    for i in range(0, min(len(ours), len(theirs)), 4):
        if ours[i:i + 4] != theirs[i:i + 4]:
            word = i // 4
            if word < 1024:
                name = f"memory 0x{0x30000 + i:x}"
            elif word < 1088:
                name = "xf"[(word - 1024) // 32] + str(word % 32)
            else:
                name = f"v{(word - 1088) // 4} word {word % 4}"
            return (f"{name}: ours {ours[i:i + 4][::-1].hex()}, "
                    f"qemu {theirs[i:i + 4][::-1].hex()}")
    return f"{len(ours)} bytes, qemu {len(theirs)}"


def one(program, kind, seed, path):
    """Number of instructions, and a complaint or None."""
    subprocess.run([program, "make", kind, str(seed), str(LENGTH), str(ROUNDS), path], check=True)
    os.chmod(path, 0o755)
    qemu = subprocess.run([QEMU, "-cpu", CPU, path], capture_output=True, timeout=60)
    if qemu.returncode:
        return 0, f"qemu ends with {qemu.returncode}: {qemu.stderr.decode()}"
    count = 0
    for how in ([], ["plain"]):
        ours = subprocess.run([program, "run", path, *how], capture_output=True, timeout=60)
        if ours.returncode:
            return 0, ours.stderr.decode()
        count = int(ours.stderr)
        if ours.stdout != qemu.stdout or len(ours.stdout) < 5120:
            return count, where(ours.stdout, qemu.stdout)
    return count, None


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else int.from_bytes(os.urandom(3), "little")
    if not shutil.which(QEMU):
        print(f"skipped: {QEMU} is not installed (package qemu-user)")
        return 77
    print(f"seed {seed}")
    kinds = subprocess.run([program, "kinds"], check=True, capture_output=True,
                           text=True).stdout.split()
    total, failed = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for kind in kinds:
            done = 0
            for number in range(PROGRAMS):
                count, complaint = one(program, kind, seed * 100 + number,
                                       os.path.join(folder, "program"))
                done += count
                if complaint:
                    failed += 1
                    print(f"{kind} {seed * 100 + number}: {complaint}")
            print(f"{kind}: {done} instructions")
            total += done
    print(f"{total} instructions compared, {failed} programs differ")
    return 1 if failed or total < AT_LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
