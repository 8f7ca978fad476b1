#!/usr/bin/env python3
"""Check what programs for Alpha that drive a tile print, and what is reported of them.

    check.py PROGRAM CASE   exit status 77: there is no compiler for Alpha

The whole text of a hang report is compared, with cycles as C, program counters as PC and lines by the comments that
mark them: compilers and C libraries differ.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMPILER = "alpha-linux-gnu-gcc"
FLAGS = ["-O2", "-g", "-static", "-Wl,--no-relax", "-Wall", "-Wextra", "-Werror", "-Ikernels/include",
         "-Iexamples/alpha"]
HANGS = 3

DEADLOCK = """\
hang: nothing in the machine or its tile can move any more, certain in cycle C.

CPU 0       waits in EX since cycle C: stl R,0(R)
            at PC main (examples/alpha/deadlock.c:push)
            back-pressure: the device does not take the access yet
            the instruction queue of T1 is full: 29 words tracked
            T1 could clear it: waits itself

T1          waits since cycle C: ttadddmareg 1, 8, 1, 8
            at PC main (examples/alpha/deadlock.c:push)
            held by ttsemwait STALL_THREAD, MATH_DONE, STALL_ON_ZERO at PC main (examples/alpha/deadlock.c:wait)
            sem-zero: SEMWAIT: a selected semaphore is 0
            semaphore 7 (MATH_DONE) is 0, maximum 1; last changed in cycle C by T1 at PC main (examples/alpha/deadlock.c:init)
            CPU 0 could clear it: waits itself; whether its program would do so behind the instruction that waits is not known

circle, if CPU 0 is to clear what T1 waits for: CPU 0 waits for T1 waits for CPU 0
waitgate: the machine hangs
"""

ENDED = """\
hang: nothing in the machine or its tile can move any more, certain in cycle C.

T0          waits since cycle C: ttnop
            at PC main (tests/joint/host_ended.c:held)
            held by ttsemwait STALL_THREAD, PACK_DONE, STALL_ON_ZERO at PC main (tests/joint/host_ended.c:wait)
            sem-zero: SEMWAIT: a selected semaphore is 0
            semaphore 4 (PACK_DONE) is 0, maximum 1; last changed in cycle C by T0 at PC main (tests/joint/host_ended.c:7)
            CPU 0 could clear it: its program has ended

not waiting, ended: CPU 0

chain: T0 waits for CPU 0, whose program has ended
waitgate: the machine hangs
"""


def build(folder, source):
    """The program made from a source, in the folder."""
    if not shutil.which(COMPILER):
        print(f"skipped: no {COMPILER}")
        sys.exit(77)
    program = os.path.join(folder, os.path.splitext(os.path.basename(source))[0])
    subprocess.run([COMPILER, *FLAGS, source, "-o", program], check=True, cwd=ROOT)
    return program


def run(waitgate, *words):
    """Exit status, output, errors."""
    done = subprocess.run([waitgate, "alpha", "run", "--tile", *words], capture_output=True, text=True,
                          timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def marks(source):
    """{line: comment} of the comments at the ends of lines."""
    with open(os.path.join(ROOT, source), encoding="utf-8") as file:
        found = [(n, re.search(r"/\* (\w+) \*/$", line)) for n, line in enumerate(file, 1)]
    return {n: mark.group(1) for n, mark in found if mark}


def plain(text):
    """A report without what differs from compiler to compiler."""
    text = re.sub(r"cycle \d+", "cycle C", text)
    text = re.sub(r"0x[0-9a-f]+ (\w+)\+0x[0-9a-f]+", r"PC \1", text)
    text = re.sub(r"stl \w+,(\d+)\(\w+\)", r"stl R,\1(R)", text)
    return re.sub(r"\(([\w/]+\.c):(\d+)\)",
                  lambda m: f"({m[1]}:{marks(m[1]).get(int(m[2]), m[2])})", text)


def expect(what, found, wanted):
    """Ends with a message if two things differ."""
    if found != wanted:
        sys.exit(f"{what}: found\n{found}\nexpected\n{wanted}")


def lost(report, cause, owner):
    """Cycles that CPU 0 has lost to something."""
    return sum(row["cycles"] for row in report["cpus"][0]["ledger"]
               if (row["cause"], row["owner"]) == (cause, owner))


def check_drive(waitgate, folder):
    """Results, account, and that both threads made the CPU wait in the lines that feed them."""
    program = build(folder, "examples/alpha/drive.c")
    out = os.path.join(folder, "drive.json")
    status, text, errors = run(waitgate, f"--json={out}", program)
    expect("drive", (status, text, errors),
           (0, "sum of the squares of 1 to 64: 89440\nlast square: 4096\n", ""))
    with open(out, encoding="utf-8") as file:
        report = json.load(file)
    cpu, tile = report["cpus"][0], report["tile"]
    expect("account", sum(row["cycles"] for row in cpu["ledger"]), report["cycles"])
    expect("clock", tile["cycles"], report["cycles"])
    expect("end", (report["end"], tile["end"]), ("done", "done"))
    for owner in ("T0", "T1"):
        if lost(report, "back-pressure", owner) < 100:
            sys.exit(f"back-pressure of {owner}: {lost(report, 'back-pressure', owner)} cycles")
    status, _, errors = run(waitgate, "--report", program)
    expect("status", status, 0)
    wanted = [n for n, mark in marks("examples/alpha/drive.c").items() if mark == "waits"]
    for what in (r"back-pressure +\d+ times  stl .*\(examples/alpha/drive.c:%d\)" % wanted[0],
                 r"\ntile: \d+ cycles: all programs have ended\n", r"\nthread T0: \d+ issued\n",
                 r"\nthread T1: \d+ issued\n", r"C0-thcon +Scalar Unit"):
        if not re.search(what, errors):
            sys.exit(f"the report does not have {what}:\n{errors}")


def check_timing(waitgate, folder):
    """The tile has other numbers, and says so; without a tile, or with one that cannot be, there is an error."""
    program = build(folder, "examples/alpha/drive.c")
    out = os.path.join(folder, "drive.json")
    cycles = []
    for words in ([], ["--timing", "Q1_THRESHOLD=10!", "--timing", "Q3_DEPTH=1!"]):
        status, text, errors = run(waitgate, f"--json={out}", *words, program)
        expect("drive", (status, text, errors),
               (0, "sum of the squares of 1 to 64: 89440\nlast square: 4096\n", ""))
        with open(out, encoding="utf-8") as file:
            report = json.load(file)
        cycles.append(report["cycles"])
    if cycles[0] == cycles[1]:
        sys.exit(f"{cycles[0]} cycles whatever the numbers")
    changed = {(row["name"], row["value"]) for row in report["tile"]["timing"]}
    expect("numbers of the report", changed, {("Q1_THRESHOLD", 10), ("Q3_DEPTH", 1)})
    status, _, errors = run(waitgate, "--report", "--timing", "Q3_DEPTH=1!", program)
    expect("status", status, 0)
    if not re.search(r"\n  Q3_DEPTH +1 \(typical 2\)\n", errors):
        sys.exit(f"the report does not name the number:\n{errors}")
    for words, wanted in ((["--tile", "--timing", "Q3_DEPTH=9"], "--timing: Q3_DEPTH = 9"),
                          (["--tile", "--timing", "Q3_DEPTH"], "--timing: expected NAME=VALUE"),
                          (["--timing", "Q3_DEPTH=1!"], "--timing sets numbers of a tile: give --tile, too")):
        done = subprocess.run([waitgate, "alpha", "run", *words, program], capture_output=True, text=True,
                              timeout=120, check=False)
        if done.returncode != 2 or done.stdout or wanted not in done.stderr:
            sys.exit(f"{' '.join(words)}: status {done.returncode}, {done.stdout}{done.stderr}")


def check_deadlock(waitgate, folder):
    """The hang, its report as text and as JSON, and the same program when it does not hang."""
    program = build(folder, "examples/alpha/deadlock.c")
    expect("early", run(waitgate, program, "early"), (0, "counted to 100\n", ""))
    status, text, errors = run(waitgate, program)
    expect("deadlock", (status, text), (HANGS, ""))
    expect("report", plain(errors), DEADLOCK)
    out = os.path.join(folder, "deadlock.json")
    run(waitgate, f"--json={out}", program)
    with open(out, encoding="utf-8") as file:
        report = json.load(file)
    hang = report["tile"]["hang"]
    expect("chain", (report["end"], hang["closed"], hang["chain"]), ("hang", True, ["CPU 0", "T1"]))
    cpu, thread = hang["agents"]
    named = marks("examples/alpha/deadlock.c")
    expect("CPU 0", (cpu["agent"], cpu["stage"], cpu["cause"], cpu["owner"]), ("CPU 0", "EX", "back-pressure", "T1"))
    expect("T1", (thread["agent"], thread["cause"], thread["owner"]), ("T1", "sem-zero", "semaphore 7"))
    for agent, key, mark in ((cpu, "", "push"), (thread, "", "push"), (thread, "wait_", "wait")):
        expect(f"place of {agent['agent']}", (agent[key + "function"], agent[key + "file"], named[agent[key + "line"]]),
               ("main", "examples/alpha/deadlock.c", mark))
    expect("place of the word", thread["pc"], cpu["pc"])
    expect("clears of CPU 0", cpu["clears"], [{"agent": "T1", "why": "waits", "queued": False}])
    expect("clears", thread["clears"], [{"agent": "CPU 0", "why": "behind", "queued": False}])
    if not thread["since"] < cpu["since"] <= hang["cycle"] < report["cycles"]:
        sys.exit(f"cycles: {thread['since']}, {cpu['since']}, {hang['cycle']}, {report['cycles']}")


def check_host_ended(waitgate, folder):
    """A thread that still waits when the program has ended."""
    program = build(folder, "tests/joint/host_ended.c")
    status, text, errors = run(waitgate, program)
    expect("host_ended", (status, text), (HANGS, ""))
    expect("report", plain(errors), ENDED)
    out = os.path.join(folder, "ended.json")
    run(waitgate, f"--json={out}", program)
    with open(out, encoding="utf-8") as file:
        agents = json.load(file)["tile"]["hang"]["agents"]
    expect("agents", [(a["agent"], a["cause"], a["owner"], [c["agent"] for c in a["clears"]]) for a in agents],
           [("T0", "sem-zero", "semaphore 4", ["CPU 0"])])


def check_bad_offset(waitgate, folder):
    """Loads give 0, and it is said what was not there."""
    status, text, errors = run(waitgate, build(folder, "tests/joint/bad_offset.c"))
    expect("bad_offset", (status, text), (0, ""))
    if not re.fullmatch(r"waitgate: tile, cycle \d+, CPU 0: undefined: .* offset 0x38; .*\n", errors):
        sys.exit(f"diagnostics: {errors}")


def check_same(waitgate, folder):
    """The same in every run, and with every cycle walked through."""
    program = build(folder, "examples/alpha/drive.c")
    words = ("--fixed-time", "--report", program)
    first = run(waitgate, *words)
    expect("second run", run(waitgate, *words), first)
    expect("--no-skip", run(waitgate, "--no-skip", *words), first)


def traced(waitgate, folder, *words):
    """The lines of a trace: cycle, agent, event, the rest."""
    out = os.path.join(folder, "trace")
    expect("status", run(waitgate, f"--trace={out}", "--fixed-time", *words)[0], 0)
    with open(out, encoding="utf-8") as file:
        lines = file.read().splitlines()
    return [(int(line[:10]), line[12:23].rstrip(), line[25:34].rstrip(), line[36:]) for line in lines]


def check_trace(waitgate, folder):
    """Events of CPU and tile in the order of time: all of them, a word's behind the store that pushed it, the same with --no-skip."""
    program = build(folder, "examples/alpha/drive.c")
    out = os.path.join(folder, "trace.json")
    lines = traced(waitgate, folder, f"--json={out}", program)
    with open(out, encoding="utf-8") as file:
        report = json.load(file)
    expect("order", [line[0] for line in lines], sorted(line[0] for line in lines))
    expect("retired", sum(line[1:3] == ("CPU 0", "retire") for line in lines), report["cpus"][0]["instructions"])
    for thread in report["tile"]["threads"]:
        expect(f"issued by {thread['name']}", sum(line[1:3] == (thread["name"], "go") for line in lines), thread["issued"])
    first = next(line for line in lines if line[1:3] == ("T0", "go"))
    place = first[3].split("0x", 1)[1]
    pushed = [line[0] for line in lines if line[1:3] == ("CPU 0", "retire") and line[3].endswith(place)]
    if not pushed or pushed[0] >= first[0]:
        sys.exit(f"pushed in {pushed}: {first}")
    expect("agents", {line[1] for line in lines if line[1].startswith("core")}, set())
    expect("semaphores of the CPU", any(line[1:3] == ("CPU 0", "sem") for line in lines), True)
    expect("--no-skip", traced(waitgate, folder, "--no-skip", program), lines)


def main():
    waitgate, case = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        globals()["check_" + case](waitgate, folder)


if __name__ == "__main__":
    main()
