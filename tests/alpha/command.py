"""`waitgate alpha`: bad command lines, bad files, exit statuses, limits, and errors of system calls, with programs of a few words.

usage: command.py WAITGATE

Programs are assembled here: no compiler is needed. Each is run without time and through the pipeline.
"""
import json
import os
import struct
import subprocess
import sys
import tempfile

CODE, TEXT = 0x120000000, 0x120001000
HEADERS = 64 + 56
V0, A0, A3, ZERO = 0, 16, 19, 31
CALLSYS, BPT, ILLEGAL, LOOP = 0x83, 0x80, 0x01 << 26, 0x30 << 26 | ZERO << 21 | 0x1fffff  # LOOP: br to itself
BIG = 0x120010000  # an address that is not mapped


def memory(opcode, ra, displacement, rb):
    return opcode << 26 | ra << 21 | rb << 16 | displacement & 0xffff


def load_number(register, value):
    """Words that put a number of 48 bits and a sign into a register: two halves by LDA and LDAH, and a shift between them."""
    if -0x8000 <= value < 0x8000:
        return [memory(0x08, register, value, ZERO)]
    low = (value & 0xffff) - (0x10000 if value & 0x8000 else 0)
    high = (value - low) >> 16
    shift = 0x12 << 26 | register << 21 | 16 << 13 | 1 << 12 | 0x39 << 5 | register  # sll register, 16
    return [*load_number(register, high), shift, memory(0x08, register, low, register)]


def call(number, *arguments):
    words = []
    for i, value in enumerate(arguments):
        words += load_number(A0 + i, value)
    return words + load_number(V0, number) + [CALLSYS]


def leave(status):
    return call(1, status)


def leave_with_error():
    """Exit status: the errno of the call before; 200 if it went well."""
    return [0x39 << 26 | A3 << 21 | 2,                            # beq a3, +2
            0x11 << 26 | V0 << 21 | V0 << 16 | 0x20 << 5 | A0,    # or v0, v0, a0
            0x30 << 26 | ZERO << 21 | 1,                          # br +1
            *load_number(A0, 200),
            *load_number(V0, 1), CALLSYS]


def executable(words, text=b""):
    code = struct.pack(f"<{len(words)}I", *words)
    body = bytes(HEADERS) + code
    body += bytes(TEXT - CODE - len(body)) + text + b"\0"
    header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 0x9026, 1, CODE + HEADERS, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    header += struct.pack("<IIQQQQQQ", 1, 5, 0, CODE, CODE, len(body), len(body), 0x2000)
    return header + body[len(header):]


class Tester:
    def __init__(self, waitgate):
        self.waitgate, self.fails = waitgate, 0

    def run(self, status, said, *words):
        done = subprocess.run([self.waitgate, "alpha", *words], env={}, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120)
        both = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode != status or said not in both:
            print(f"{' '.join(words)}: expected status {status} and '{said}', got {done.returncode}:\n{both}")
            self.fails += 1
        return done

    def program(self, status, said, words, *options, text=b""):
        with open("program", "wb") as f:
            f.write(executable(words, text))
        for mode in ([], ["--untimed"]):
            self.run(status, said, "run", *mode, *options, "./program")


def command_lines(t):
    t.run(2, "usage:")
    t.run(2, "expected run or latencies, found 'nonsense'", "nonsense")
    t.run(2, "expected a program", "run")
    t.run(0, "exit status", "--help")
    t.run(0, "exit status", "run", "--help")
    t.run(0, "wbuf-depth", "latencies")
    with open("good", "wb") as f:
        f.write(executable(leave(7)))
    t.run(7, "", "run", "good")
    t.run(2, "usage:", "run", "--nonsense", "good")
    for option in ("ring", "ring=", "ring=round", "clock=fast", "fbox=1"):
        t.run(2, f"no such policy or value: {option}", "run", "--policy", option, "good")
    for option in ("IMUL", "IMUL=", "IMUL=0", "IMUL=-1", "IMUL=2x", "FAST=1", "wbuf-depth=65", "mb-ack=0"):
        t.run(2, f"no such latency or value: {option}", "run", "--latency", option, "good")
    for number in ("0", "-5", "12x", "x", "", "99999999999999999999999"):
        t.run(2, "from 1 up", "run", "--max", number, "good")
    for number in ("0", "-5", "12x", "x", "", "99999999999"):
        t.run(2, "MiB from 1 up", "run", "--memory", number, "good")
    t.run(7, "", "run", "--memory", "16", "--dir", ".:ro", "--dir", "/", "--no-dir", "good")
    t.run(1, "no memory", "run", "--memory", "1", "good")
    for option in ("--json", "--tile"):
        t.run(2, "--untimed does not go with", "run", "--untimed", option, "good")
    t.run(7, "", "run", "--latency", "imul=1", "--policy", "fbox=pipelined", "--policy", "wmb=marker", "--policy", "ring=frozen", "good")


def files(t):
    t.run(1, "missing", "run", "missing")
    os.mkdir("folder")
    t.run(1, "folder", "run", "folder")
    for name, data in (("empty", b""), ("text", b"#!/bin/sh\n"), ("short", executable(leave(0))[:100])):
        with open(name, "wb") as f:
            f.write(data)
        t.run(1, f"{name}: ", "run", name)
    for option in ("--report=folder/no/report", "--json=folder/no/report", "--trace=folder/no/trace"):
        t.run(1, "folder/no/", "run", option, "good")
    t.run(7, "", "run", "--json=report.json", "--trace=trace.txt", "good")
    with open("report.json", encoding="utf-8") as f:
        report = json.load(f)
    with open("trace.txt", encoding="utf-8") as f:
        retired = [line for line in f if "  retire " in line]
    cpu = report["cpus"][0]
    if not (report["end"] == "stop" and cpu["instructions"] == 3 == len(retired) and "callsys" in retired[2]
            and sum(row["cycles"] for row in cpu["ledger"]) == report["cycles"]):
        print(f"report and trace of three instructions: {report}\n{retired}")
        t.fails += 1


def ends(t):
    t.program(0, "", leave(0))
    t.program(255, "", leave(-1))
    t.program(3, "", leave(3))
    t.program(4, "the limit was reached", [LOOP], "--max", "1000")
    t.program(4, "the limit was reached", leave(0), "--max", "1")
    t.program(132, "signal 4", [ILLEGAL])
    t.program(133, "signal 5", [BPT])
    t.program(139, "signal 11", load_number(1, BIG) + [memory(0x29, 1, 0, 1)])   # ldq
    t.program(139, "signal 11", load_number(1, CODE) + [memory(0x2d, 1, 0, 1)])  # stq to code
    t.program(139, "signal 11", load_number(1, BIG) + [0x1a << 26 | ZERO << 21 | 1 << 16])  # jmp
    t.program(138, "signal 10", load_number(1, CODE + 1) + [memory(0x2b, 2, 0, 1)])  # ldq_l
    t.program(0, "hello", call(4, 1, TEXT, 5) + leave(0), text=b"hello")


# call, arguments, errno on Alpha (200: it went well)
CALLS = (
    (4, (99, TEXT, 1), 9, "write to a descriptor that is not open"),
    (4, (1, BIG, 4), 14, "write from nowhere"),
    (3, (0, CODE, 4), 200, "read at the end of the file"),
    (45, (BIG, 0), 14, "open with a path from nowhere"),
    (45, (TEXT, 0), 2, "open of what is not there"),
    (12, (TEXT,), 2, "chdir to what is not there"),
    (6, (99,), 9, "close of what is not open"),
    (19, (0, 0, 9), 22, "lseek from an unknown place"),
    (41, (99,), 9, "dup of what is not open"),
    (54, (99, 0x40147413, TEXT), 9, "ioctl on what is not open"),
    (73, (CODE + 1, 0x2000), 22, "munmap not at a page"),
    (74, (BIG, 0x2000, 1), 12, "mprotect of nothing"),
    (121, (1, TEXT, 2000), 22, "writev with too many parts"),
    (121, (1, BIG, 1), 14, "writev with parts from nowhere"),
    (349, (0, TEXT, 1, -1), 22, "pread before the start"),
    (425, (TEXT, BIG), 2, "stat64 of what is not there"),
    (427, (99, BIG), 9, "fstat64 of what is not open"),
    (359, (BIG, 0), 14, "gettimeofday to nowhere"),
    (339, (BIG,), 14, "uname to nowhere"),
    (352, (65, 0, 0, 8), 22, "rt_sigaction of no signal"),
    (352, (9, TEXT, 0, 8), 22, "rt_sigaction of SIGKILL"),
    (17, (0,), 200, "brk"),
    (340, (TEXT, 0), 200, "nanosleep returns at once"),
)


def system_calls(t):
    for number, arguments, error, what in CALLS:
        print(what)
        t.program(error, "", call(number, *arguments) + leave_with_error(), text=b"not-there")
    t.program(78, "system call 9999 is not there", call(9999) + leave_with_error())


def main():
    tester = Tester(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for check in (command_lines, files, ends, system_calls):
            check(tester)
        os.chdir("/")
    return tester.fails != 0


if __name__ == "__main__":
    sys.exit(main())
