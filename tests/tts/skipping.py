#!/usr/bin/env python3
"""Run every program with and without --no-skip: trace and JSON must be equal byte for byte, the
ledger of every agent must add up to the cycles, and the shares of the summary to 100 %."""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def run(program, *words):
    done = subprocess.run([sys.argv[1], "run", program, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def check(program, folder):
    walked, skipped = os.path.join(folder, "walked"), os.path.join(folder, "skipped")
    one = run(program, "--json", f"--trace={skipped}")
    two = run(program, "--json", f"--trace={walked}", "--no-skip")
    if one != two:
        yield "--no-skip gives another result"
    if read(walked) != read(skipped):
        yield "--no-skip gives another trace"
    result = json.loads(one[1])
    for agent, rows in result["ledgers"].items():
        total = sum(row["cycles"] for row in rows)
        if total != result["cycles"]:
            yield f"the ledger of {agent} adds up to {total} of {result['cycles']} cycles"
    shares = 0
    for line in run(program)[1].splitlines():
        match = re.match(r" +\d+ +(\d+)\.(\d) %(.*)", line)
        if not match:
            shares = 0
        elif match.group(3):
            shares += int(match.group(1)) * 10 + int(match.group(2))
        elif shares != 1000:
            yield f"the shares before '{line.strip()}' add up to {shares / 10} %"


def main():
    names = sorted(glob.glob(os.path.join(ROOT, "tests/tts/**/*.tts"), recursive=True) +
                   glob.glob(os.path.join(ROOT, "examples/*.tts")))
    errors = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            for error in check(name, folder):
                print(f"{os.path.relpath(name, ROOT)}: {error}")
                errors += 1
    print(f"{len(names)} programs, {errors} errors")
    sys.exit(1 if errors or not names else 0)


if __name__ == "__main__":
    main()
