#!/usr/bin/env python3
"""Every expectation on data can fail: in every program, for every such line, one value is changed. The run must then
end with exit status 1 and name that line and no other. Each data_* program must have such a line, and without what its
cores do some of these lines must fail."""
import glob
import itertools
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = re.compile(r"\s*(l1|dst|dst32|lreg|src)\s[^=#]*=[\s\[]*", re.IGNORECASE)


def values_of(text):
    """Each line with values of such an expectation: its number, from 0, the expectation's, and where the values begin."""
    section, owner = "", None
    for number, line in enumerate(text):
        word = re.match(r"\s*\.(\w+)", line)
        match = DATA.match(line)
        if word:
            section = word.group(1).lower()
        elif owner is not None:
            yield number, owner, 0
        elif section == "expect" and match:
            owner = number
            yield number, owner, match.end()
        if owner is not None and ("]" in line or "[" not in text[owner]):
            owner = None


def flip(text, number, start, pick):
    """The program with bit 0 of one value of this line changed: the first, the middle or the last one; None: it has no value."""
    body = re.split(r"(?:^|\s)#|//", text[number][start:])[0]
    values = list(re.finditer(r"\w+", body))
    if not values:
        return None
    value = values[pick * (len(values) - 1) // 2]
    changed = body[:value.start()] + hex(int(value.group().replace("_", ""), 0) ^ 1) + body[value.end():]
    return text[:number] + [text[number][:start] + changed.rstrip("\n") + "\n"] + text[number + 1:]


def idle(text, places):
    """The presets, and of what is expected the data only: no core does anything."""
    data = {number for number, _, _ in places}
    section, kept = "", [".core T0\n"]
    for number, line in enumerate(text):
        word = re.match(r"\s*\.(\w+)", line)
        section = word.group(1).lower() if word else section
        if section == "preset" or number in data or (word and section == "expect"):
            kept.append(line)
    return kept


def run(path, text):
    """Runs such a program; its exit status, and the expectations that are not met."""
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(text)
    done = subprocess.run([sys.argv[1], "run", "--quiet", path], capture_output=True, text=True)
    return done.returncode, [line for line in (done.stdout + done.stderr).splitlines() if ": expected " in line]


def check(program, folder):
    with open(program, encoding="utf-8") as file:
        text = file.readlines()
    places = list(values_of(text))
    if not places and os.path.basename(program).startswith("data_"):
        yield "no expectation on data"
    path = os.path.join(folder, "flipped.tts")
    status, wrong = run(path, idle(text, places))
    if places and (status != 1 or not wrong):
        yield f"the data is there without the program: exit status {status}"
    for (number, owner, start), pick in itertools.product(places, range(3)):
        flipped = flip(text, number, start, pick)
        if not flipped:
            continue
        status, wrong = run(path, flipped)
        name = text[owner].split()[0].lower()
        if status != 1 or len(wrong) != 1 or f"flipped.tts:{owner + 1}: expected {name} " not in wrong[0]:
            yield f"line {number + 1}: a changed value gives exit status {status}: {wrong}"


def main():
    names = sorted(glob.glob(os.path.join(ROOT, "tests/tts/**/*.tts"), recursive=True))
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
