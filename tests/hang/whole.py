#!/usr/bin/env python3
"""Every hang that a test expects names the owner of its wait, and check.py refuses an expectation that does not.

Looks at each expect.json of this folder and at each program of tests/tts and examples that expects a deadlock.
"""
import glob
import json
import os
import re
import sys

import check

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def refused(text):
    try:
        check.expectations("planted", text)
    except SystemExit:
        return True
    return False


def planted():
    """What check.py takes although it should not."""
    whole = {"agent": "T1", "cause": "sem-zero", "owner": "semaphore 3", "line_of": "trisc1.c"}
    if refused(json.dumps(whole)) or refused(json.dumps([whole, dict(whole, clears=["T0"], mark="x")])):
        yield "check.py refuses a whole expectation"
    for key in whole:
        less = {name: value for name, value in whole.items() if name != key}
        for text in (less, [whole, less], dict(whole, **{key: ""})):
            if not refused(json.dumps(text)):
                yield f"check.py takes an expectation without {key}: {text}"
    for text in ([], dict(whole, ownr="T0")):
        if not refused(json.dumps(text)):
            yield f"check.py takes {text}"


def main():
    errors = list(planted())
    cases = glob.glob(os.path.join(HERE, "*", "case.yaml"))
    for case in cases:
        folder = os.path.dirname(case)
        check.expectations(os.path.basename(folder), read(os.path.join(folder, "expect.json")))
    programs = [path for folder in ("tests/tts", "examples")
                for path in glob.glob(os.path.join(ROOT, folder, "**", "*.tts"), recursive=True)
                if re.search(r"^ +deadlock\b", read(path), re.M)]
    for path in programs:
        if not re.search(r"^ +(held|waited) .* owner ", read(path), re.M):
            errors.append(f"{os.path.relpath(path, ROOT)}: expects a deadlock and names no owner")
    if not cases or not programs:
        errors.append("nothing to check")
    print(*errors, f"{len(cases)} cases, {len(programs)} programs, {len(errors)} errors", sep="\n")
    sys.exit(bool(errors))


if __name__ == "__main__":
    main()
