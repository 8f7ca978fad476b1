#!/usr/bin/env python3
"""Compare the emulator with what was measured on silicon, expected.csv.

    compare.py PROGRAM            run, compare; docs/timing.md, section 6, must be current
    compare.py PROGRAM --update   run, and rewrite the table in docs/timing.md

A probe is one instruction, 64 times in a loop, pushed one per cycle by one core or by two at once.
It is run at four lengths; the slope of the thread's last dispatch over the number of probes is what
one probe costs. Loops of scripts are free, so there is no overhead to subtract. Every row must be
within 2 %, or have its reason in the table of explained differences in docs/timing.md; a reason
that no row needs is an error too.
"""
import csv
import decimal
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.path.join(ROOT, "tests/silicon")
PAGE = os.path.join(ROOT, "docs/timing.md")
MEASURED = os.path.join(os.path.dirname(ROOT), "shared/data/silicon-microbench.csv")
BEGIN, END = "<!-- silicon: begin -->\n", "<!-- silicon: end -->\n"
LIMIT = decimal.Decimal("2.00")  # percent
UNROLL = 64
LOOPS = (4, 8, 16, 32)
PHASES = (("tensixbench", "A"), ("riscvbench", "t"))
NOT_COVERED = ("tt_pad", "tt_fuse2", "tt_fuse4", "tt_spread4")  # mixes with RISC-V code

# The instruction of a probe; {0} and {1} are numbers that go through 0..3, and 4 more.
BODY = {
    "NOP": "ttnop",
    "DMANOP": "ttdmanop",
    "SFPNOP": "ttsfpnop",
    "SFPMOV": "ttsfpmov 0, {0}, {1}, 0",
    "SFPADD": "ttsfpadd 10, {0}, 9, {1}, 0",
    "SFPMUL": "ttsfpmul {0}, {0}, 9, {1}, 0",
    "SFPMAD": "ttsfpmad {0}, {0}, 9, {1}, 0",
    "SFPABS": "ttsfpabs 0, {0}, {1}, 0",
    "SETDMAREG": "ttsetdmareg 0, 5, 0, {1}",
    "ADDDMAREG": "ttadddmareg 1, {1}, 1, {0}",
    "MULDMAREG": "ttmuldmareg 1, {1}, 1, {0}",
    "SHIFTDMAREG": "ttshiftdmareg 1, 0, {1}, 1, {0}",
    "CMPDMAREG": "ttcmpdmareg 1, 0, {1}, 1, {0}",
    "RDCFG": "ttrdcfg {1}, 60",
    "SETRWC": "ttsetrwc 0, 0, 0, 0, 0, 7",
    "INCRWC": "ttincrwc 0, 1, 0, 0",
}


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def program(probe, threads, loops):
    """One thread: T1, as measured; two: T0 and T1."""
    body = BODY[probe.removeprefix("tt_").upper()]
    lines = []
    for core in (["T1"] if threads == 1 else ["T0", "T1"]):
        lines += [f".core {core}", f"    .repeat {loops}"]
        lines += ["        " + body.format(i % 4, i % 4 + 4) for i in range(UNROLL)]
        lines += ["    .end"]
    return "\n".join(lines) + "\n"


def last_dispatch(waitgate, text, probes):
    done = subprocess.run([waitgate, "run", "--json", "-"], input=text, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(f"exit status {done.returncode} for\n{text}\n{done.stderr}")
    threads = json.loads(done.stdout)["threads"]
    for thread in threads:
        if thread["issued"] not in (0, probes):
            sys.exit(f"{thread['issued']} of {probes} dispatched for\n{text}")
    return [thread["last"] for thread in threads]


def slope(points):
    """Of the straight line through (x, y) with the least squares."""
    n = decimal.Decimal(len(points))
    x, y = sum(p[0] for p in points) / n, sum(p[1] for p in points) / n
    return (sum((p[0] - x) * (p[1] - y) for p in points) /
            sum((p[0] - x) ** 2 for p in points))


class Emulated:
    def __init__(self, waitgate):
        self.waitgate = waitgate
        self.found = {}

    def cycles(self, probe, threads, thread):
        """Cycles per probe, three digits."""
        if (probe, threads) not in self.found:
            self.found[probe, threads] = [
                (loops * UNROLL, last_dispatch(self.waitgate, program(probe, threads, loops),
                                               loops * UNROLL)) for loops in LOOPS]
        points = [(probes, last[thread]) for probes, last in self.found[probe, threads]]
        return slope(points).quantize(decimal.Decimal("0.001"))


def compare(emulated, expected):
    """(name, measured, ours, error in percent) for each row."""
    for row in expected:
        threads, thread = int(row["threads"]), int(row["thread"])
        measured = decimal.Decimal(row["cycles"])
        ours = emulated.cycles(row["probe"], threads, thread)
        error = ((ours / measured - 1) * 100).quantize(LIMIT)
        which = "T1 alone" if threads == 1 else f"T{thread} of two"
        yield f"{row['program']} {row['probe']}, {which}", measured, ours, error


def table(results):
    lines = ["| probe | measured | ours | error |", "|---|---|---|---|"]
    lines += [f"| {name} | {measured:.3f} | {ours:.3f} | {error:+.2f} % |"
              for name, measured, ours, error in results]
    return "\n".join(lines) + "\n"


def split_page():
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    head, begin, rest = page.partition(BEGIN)
    old, end, tail = rest.partition(END)
    if not begin or not end:
        sys.exit(f"docs/timing.md: no {BEGIN.strip()} ... {END.strip()}")
    return head, old, tail


def explained(tail):
    """Names in the table of explained differences, which follows the generated one."""
    section = tail.partition("### Explained differences")[2].partition("\n#")[0]
    return re.findall(r"^\| ((?:tensixbench|riscvbench) [^|]*?) +\|", section, re.M)


def check_rows(results, names):
    for name, measured, ours, error in results:
        if abs(error) > LIMIT and name not in names:
            yield f"{name}: measured {measured}, ours {ours}, {error:+} %, and no explanation"
        if abs(error) <= LIMIT and name in names:
            yield f"{name}: is within {LIMIT} %, but has an explanation"
    for name in names:
        if name not in [result[0] for result in results]:
            yield f"{name}: has an explanation, but is not compared"


def check_source(expected):
    """expected.csv must be what was measured, where that is at hand."""
    measured = [row for row in rows_of(MEASURED) if (row["program"], row["phase"]) in PHASES]

    def where(row):
        return row["program"], row["phase"], row["active_threads"], row["thread"]

    empty = {where(row): decimal.Decimal(row["cycles_per_probe"])
             for row in measured if row["probe"] == "loop_overhead"}
    want = {(*where(row), row["probe"]): decimal.Decimal(row["cycles_per_probe"]) - empty[where(row)]
            for row in measured if row["probe"] not in ("loop_overhead", *NOT_COVERED)}
    have = {(row["program"], row["phase"], row["threads"], row["thread"], row["probe"]):
            decimal.Decimal(row["cycles"]) for row in expected}
    for key in sorted(want.keys() | have.keys()):
        if want.get(key) != have.get(key):
            yield f"expected.csv: {' '.join(key)}: {have.get(key)}, measured {want.get(key)}"


def main():
    waitgate, update = sys.argv[1], "--update" in sys.argv[2:]
    expected = rows_of(os.path.join(HERE, "expected.csv"))
    results = list(compare(Emulated(waitgate), expected))
    head, old, tail = split_page()
    new = table(results)
    if update:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(head + BEGIN + new + END + tail)
    errors = list(check_rows(results, explained(tail)))
    if not update and old != new:
        errors.append("docs/timing.md, section 6, is not current: tests/silicon/compare.py "
                      "build/waitgate --update")
        errors += [f"  now: {line}" for line in new.splitlines() if line not in old.splitlines()]
    if os.path.exists(MEASURED):
        errors += check_source(expected)
    else:
        print("the measured data is not here: expected.csv is taken as it is")
    for error in errors:
        print(error)
    print(f"{len(results)} rows, {len(explained(tail))} explained, {len(errors)} errors")
    sys.exit(1 if errors or not results else 0)


if __name__ == "__main__":
    main()
