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
import shutil
import subprocess
import sys
import tempfile

GCC, QEMU = "alpha-linux-gnu-gcc", "qemu-alpha"
PROGRAMS = ("integer", "floating", "strings", "sorting", "atomic")
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


def check_output(waitgate, sources, folder):
    numbers = random.Random(SEED)
    print(f"seed {SEED}")
    for name in PROGRAMS:
        for cpu in CPUS:
            program = build(sources, folder, name, cpu)
            wanted = run([shutil.which(QEMU), program])[:2]
            got = run([waitgate, "alpha", "run", "--untimed", program])
            assert got[:2] == wanted, f"{program} without time: {got} instead of {wanted}"
            assert ours(waitgate, folder, program)[0] == wanted, f"{program} through the pipeline"
            settings = [f"--policy=fbox={numbers.choice(('blocking', 'pipelined'))}",
                        f"--policy=wmb={numbers.choice(('drain', 'marker'))}"]
            settings += [f"--latency={k}={numbers.randint(1, v)}" for k, v in LATENCIES.items()]
            assert ours(waitgate, folder, program, *settings)[0] == wanted, f"{program} with {settings}"


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
