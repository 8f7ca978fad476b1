#!/usr/bin/env python3
"""Check that a program hangs, that the report says where and why, and that its twin ends.

    check.py PROGRAM FOLDER NAME   FOLDER holds NAME/hang/*.elf and NAME/twin/*.elf

expect.json, beside the sources, is what the report must name, or a list of such things:

    {"agent": "T1", "cause": "sem-zero", "owner": "semaphore 3", "line_of": "trisc1.c"}

The line is the one in that file marked by the comment "hangs here", or by what "mark" says. Of a thread it
may be that of the word that is held or that of the wait that holds it. All four must be there: an entry that leaves one
out is refused. "clears" names those who could clear the wait, first of all, "changed_by" who changed last what is waited
for: at the line of "changed_in" that is marked "changed here". The run without skipping must say the same in the same cycle.
"""
import glob
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
UNTIL = ("--until", "0x1F000=0xFF")
GOOD, HANGS, LIMIT = 0, 3, 4
NEEDED, ALLOWED = {"agent", "cause", "owner", "line_of"}, {"clears", "mark", "changed_by", "changed_in"}


def run(program, *words):
    done = subprocess.run((program, "run") + words, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def programs(folder):
    """The options that load every program of a folder."""
    words = []
    for path in sorted(glob.glob(os.path.join(folder, "*.elf"))):
        words += ["--" + os.path.splitext(os.path.basename(path))[0], path]
    return words


def marked_line(name, file, mark):
    """The number of the only line with the comment."""
    with open(os.path.join(HERE, name, file), encoding="utf-8") as source:
        found = [n for n, line in enumerate(source, 1) if f"/* {mark} */" in line]
    if len(found) != 1:
        sys.exit(f"{name}/{file}: {len(found)} lines marked '{mark}'")
    return found[0]


def places(agent):
    """(file, line) of what an agent of the report waits at."""
    for file, line in (("file", "line"), ("wait_file", "wait_line")):
        if agent.get(file):
            yield "/".join(os.path.normpath(agent[file]).split(os.sep)[-2:]), agent.get(line)


def differences(name, hang, expected):
    """What one entry of expect.json finds wrong with the report."""
    who, file = expected["agent"], expected["line_of"]
    agents = [agent for agent in hang["agents"] if agent["agent"] == who]
    if len(agents) != 1:
        yield f"{who} is named {len(agents)} times"
        return
    agent = agents[0]
    for key in ("cause", "owner"):
        if expected[key] != agent.get(key):
            yield f"{who}: {key} is '{agent.get(key)}', expected '{expected[key]}'"
    clears = [clear["agent"] for clear in agent["clears"]]
    if clears[:len(expected.get("clears", []))] != expected.get("clears", []):
        yield f"{who}: cleared by {clears}, expected {expected['clears']}"
    if "changed_by" in expected:
        source = expected["changed_in"]
        by, at = f" by {expected['changed_by']} at ", f"{name}/{source}:{marked_line(name, source, 'changed here')})"
        if by not in agent.get("changed", "") or at not in agent["changed"]:
            yield f"{who}: '{agent.get('changed')}', expected '{by}...{at}'"
    if not 0 <= agent["since"] <= hang["cycle"]:
        yield f"{who}: waits since cycle {agent['since']} of {hang['cycle']}"
    want = f"{name}/{file}", marked_line(name, file, expected.get("mark", "hangs here"))
    if want not in places(agent):
        got = ", ".join(f"{at}:{line}" for at, line in places(agent))
        yield f"{who}: stands at {got or 'no line'}, expected {want[0]}:{want[1]}"


def expectations(name, text):
    """The entries of an expect.json. Each says everything that a report of a hang is for."""
    expected = json.loads(text)
    entries = expected if isinstance(expected, list) else [expected]
    if not entries:
        sys.exit(f"{name}/expect.json: expects nothing")
    for entry in entries:
        for key in sorted(NEEDED):
            if not entry.get(key):
                sys.exit(f"{name}/expect.json: an entry without {key}")
        for key in sorted(entry.keys() - NEEDED - ALLOWED):
            sys.exit(f"{name}/expect.json: {key} means nothing")
    return entries


def check_report(name, text):
    with open(os.path.join(HERE, name, "expect.json"), encoding="utf-8") as file:
        entries = expectations(name, file.read())
    try:
        hang = json.loads(text)["hang"]
    except (ValueError, KeyError) as error:
        return [f"no report of a hang: {error!r}"]
    return [line for entry in entries for line in differences(name, hang, entry)]


def ends(text):
    """When and how it ended."""
    try:
        result = json.loads(text)
    except ValueError:
        return None
    return result["cycles"], result["end"], result.get("hang")


def main():
    program, folder, name = sys.argv[1:]
    hang, twin = (os.path.join(folder, name, version) for version in ("hang", "twin"))
    clocked = ("--clocked", *UNTIL, "--max-cycles", "200000", "--json")
    failed = False

    def check(what, result, statuses, look=lambda text: []):
        nonlocal failed
        status, out, err = result
        wrong = look(out)
        if status not in statuses:
            wrong.insert(0, f"exit status {status}, expected {' or '.join(map(str, statuses))}")
        if wrong:
            failed = True
            print(f"{name}, {what}:", *wrong, sep="\n  ")
            print(out, err, sep="\n")

    check("hang, untimed", run(program, os.path.join(hang, "case.yaml")), (HANGS, LIMIT))
    check("twin, untimed", run(program, os.path.join(twin, "case.yaml")), (GOOD,))
    check("hang, clocked", run(program, *clocked, *programs(hang)), (HANGS,),
          lambda text: check_report(name, text))
    walked = run(program, *clocked, "--no-skip", *programs(hang))
    check("hang, no-skip", walked, (HANGS,), lambda text: check_report(name, text))
    if ends(walked[1]) != ends(run(program, *clocked, *programs(hang))[1]):
        failed = True
        print(f"{name}: skipping changes what the report says", walked[1], sep="\n")
    check("twin, clocked", run(program, *clocked, *programs(twin)), (GOOD,))
    check("twin, no-skip", run(program, *clocked, "--no-skip", *programs(twin)), (GOOD,))
    sys.exit(failed)


if __name__ == "__main__":
    main()
