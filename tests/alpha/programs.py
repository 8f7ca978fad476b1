"""Whole Alpha programs: built with the cross compiler, run here and in QEMU.

usage: programs.py WAITGATE LOCKSTEP SOURCES CHECK

CHECK:
  output    output and exit status are QEMU's: without time, through the pipeline, and with random settings (seed printed); the ledger of every
            run adds up to its cycles
  report    TRAPB costs an ev4 program with a pipelined FBox and an ev67 one nothing; every atomic operation waits at its MBs
  lockstep  every retired instruction's pc and registers are QEMU's, over the first part of each program, without time and through the pipeline

Exit status 77: the compiler or QEMU is not here.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

GCC, QEMU = "alpha-linux-gnu-gcc", "qemu-alpha"
PROGRAMS = ("integer", "floating", "strings", "sorting", "atomic")
OTHERS = ("signals",)  # not in lockstep
CPUS = ("ev4", "ev56", "ev67")
LATENCIES = {"IMUL": 40, "ILOAD": 20, "FLOAD": 20, "FADD": 20, "FDIVT": 60, "wbuf-entry": 40, "wbuf-depth": 16, "mb-ack": 50}
SEED = 20260101
FIRST = 20000  # instructions of a program in lockstep


def build(sources, folder, name, cpu):
    out = os.path.join(folder, f"{name}_{cpu}")
    if not os.path.exists(out):
        subprocess.run([GCC, "-O2", "-g", f"-mcpu={cpu}", "-static", "-Wl,--no-relax", "-o", out,
                        os.path.join(sources, name + ".c"), "-lm"], check=True)
    return out


def run(command):
    done = subprocess.run(command, env={}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    return done.returncode, done.stdout, done.stderr


def ours(waitgate, folder, program, *options):
    """Output, status and report of a run; the ledger must be closed."""
    report = os.path.join(folder, "report.json")
    status, out, err = run([waitgate, "alpha", "run", f"--json={report}", *options, program])
    with open(report, encoding="utf-8") as f:
        found = json.load(f)
    for cpu in found["cpus"]:
        total = sum(row["cycles"] for row in cpu["ledger"])
        progress = sum(row["cycles"] for row in cpu["ledger"] if row["cause"] == "progress")
        assert total == found["cycles"], f"{program}: ledger has {total} of {found['cycles']} cycles"
        assert progress == cpu["instructions"], f"{program}: {progress} cycles of progress, {cpu['instructions']} instructions"
    return (status, out), found, err


def as_linux(wanted):
    """QEMU's output and status, but where QEMU does not do as Linux does: gentrap of a division by zero (-4) is an FPE there."""
    status, text = wanted
    return status, re.sub(rb"(gentrap -4: signal) 5, code 5", rb"\1 8, code 3", text)


def check_output(waitgate, sources, folder):
    numbers = random.Random(SEED)
    print(f"seed {SEED}")
    for name in PROGRAMS + OTHERS:
        for cpu in CPUS:
            program = build(sources, folder, name, cpu)
            wanted = as_linux(run([shutil.which(QEMU), program])[:2])
            got = run([waitgate, "alpha", "run", "--untimed", program])
            assert got[:2] == wanted, f"{program} without time: {got} instead of {wanted}"
            got, quick, _ = ours(waitgate, folder, program)
            assert got == wanted, f"{program} through the pipeline"
            slow = ours(waitgate, folder, program, "--no-skip")[1]
            assert quick == slow, f"{program}: another report with --no-skip"
            settings = [f"--policy=fbox={numbers.choice(('blocking', 'pipelined'))}",
                        f"--policy=wmb={numbers.choice(('drain', 'marker'))}"]
            settings += [f"--latency={k}={numbers.randint(1, v)}" for k, v in LATENCIES.items()]
            got, quick, _ = ours(waitgate, folder, program, *settings)
            assert got == wanted, f"{program} with {settings}"
            slow = ours(waitgate, folder, program, "--no-skip", *settings)[1]
            assert quick == slow, f"{program}: another report with --no-skip and {settings}"
    for signal, status in ((9, 137), (17, 145), (30, 7)):  # all are blocked; SIGKILL and SIGSTOP cannot be
        got = run([waitgate, "alpha", "run", "--untimed", build(sources, folder, "signals", CPUS[0]), str(signal)])
        assert got[0] == status, f"signal {signal} while all are blocked: {got}"


def lost(report, cause):
    return sum(row["cycles"] for row in report["cpus"][0]["ledger"] if row["cause"] == cause)


def check_report(waitgate, sources, folder):
    trapb = {}
    for cpu in ("ev4", "ev67"):
        program = build(sources, folder, "floating", cpu)
        rows = ours(waitgate, folder, program, "--policy=fbox=pipelined")[1]["lost"]
        trapb[cpu] = sum(row["cycles"] for row in rows if row["cause"] == "trapb" and row.get("function") == "main")
        assert lost(ours(waitgate, folder, program)[1], "trapb") == 0, "TRAPB waits although FP blocks EX"
    print(f"cycles lost at TRAPBs of main(): {trapb}")
    assert trapb["ev4"] > 10000 and trapb["ev67"] == 0, f"TRAPB: {trapb}"
    program = build(sources, folder, "atomic", "ev67")
    report = ours(waitgate, folder, program)[1]
    waits = [row for row in report["cpus"][0]["ledger"] if row["cause"] == "mb"]
    print(f"MB: {waits}")
    assert sum(row["times"] for row in waits) >= 500, "fewer waits at MBs than rounds of the loop"
    text = run([waitgate, "alpha", "run", "--report", program])[2].decode()
    assert "main+" in text and "atomic.c:" in text and " mb " in text, text


def check_lockstep(lockstep, sources, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    for name in PROGRAMS:
        for mode in ("untimed", "pipeline"):
            cpu = CPUS[(len(name) + len(mode)) % 3]
            program = build(sources, folder, name, cpu)
            done = subprocess.run([sys.executable, "-B", os.path.join(here, "lockstep.py"), lockstep, program, mode, str(FIRST)], check=False)
            assert done.returncode == 0, f"{program} {mode}"


def main():
    waitgate, lockstep, sources, check = sys.argv[1:]
    if not shutil.which(GCC) or not shutil.which(QEMU):
        print("no cross compiler or no QEMU for Alpha")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        if check == "output":
            check_output(waitgate, sources, folder)
        elif check == "report":
            check_report(waitgate, sources, folder)
        else:
            check_lockstep(lockstep, sources, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
