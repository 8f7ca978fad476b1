#!/usr/bin/env python3
"""Compare the emulator with the second set of measurements, rows.csv.

    rows.py ROWS            run, compare; docs/timing.md, section 6, must be current
    rows.py ROWS --update   run, and rewrite the table in docs/timing.md

ROWS is the program made of rows.c. The rows of each family fall into two halves by a hash of their names: numbers that no
document has may be fitted to the first half only (tools/fit-silicon), the second half judges. It fails if a row is off by
more than 10 % without a reason in the table "Explained differences of the second set", or has a reason that it does not
need; if the mean error of the judging half is above its limit; or if the table in docs/timing.md is not what comes out.
"""
import csv
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXPECTED = os.path.join(ROOT, "tests/silicon/rows.csv")
PAGE = os.path.join(ROOT, "docs/timing.md")
BEGIN, END = "<!-- silicon rows: begin -->\n", "<!-- silicon rows: end -->\n"
REASONS = "### Explained differences of the second set"
ROW_LIMIT = 10.0  # percent
MEAN_LIMIT = 3.0  # of the half that judges
EMPTY = "u_empty"  # only taken off others


def expected():
    """(name, family, cycles, why there are none) of each row."""
    with open(EXPECTED, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        return [(row["id"], row["family"], float(row["cycles"] or 0), row["left out because"]) for row in rows]


def fits(name):
    """Is the row of the half to which numbers may be fitted?"""
    return hashlib.sha1(name.encode()).digest()[0] % 2 == 0


def emulated(program, *arguments):
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{program}: exit status {done.returncode}")
    return {name: float(cycles) for name, cycles in (line.split(",") for line in done.stdout.splitlines())}


def compare(rows, ours):
    """(name, family, measured, ours, error in percent) of the rows that have a program."""
    ours = dict(ours)
    ours.pop(EMPTY, None)
    results = [(name, family, cycles, ours.pop(name), 0) for name, family, cycles, why in rows if not why]
    if ours:
        sys.exit(f"{next(iter(ours))}: was not measured on silicon")
    return [(name, family, cycles, own, round((own / cycles - 1) * 100, 2)) for name, family, cycles, own, _ in results]


def mean(results):
    return sum(abs(result[4]) for result in results) / len(results) if results else 0


def halves(results):
    return [r for r in results if fits(r[0])], [r for r in results if not fits(r[0])]


def table(results, rows):
    lines = ["| row | family | half | measured | ours | error |", "|---|---|---|---|---|---|"]
    lines += [f"| {name} | {family} | {'fits' if fits(name) else 'judges'} | {cycles:g} | {ours:g} | {error:+.2f} % |"
              for name, family, cycles, ours, error in results]
    lines += ["", "| family | rows | mean error, half that fits | mean error, half that judges |", "|---|---|---|---|"]
    families = list(dict.fromkeys(result[1] for result in results))
    for family in families + ["all"]:
        chosen = [r for r in results if family in (r[1], "all")]
        one, two = halves(chosen)
        lines.append(f"| {family} | {len(chosen)} | {mean(one):.2f} % | {mean(two):.2f} % |")
    left = {}
    for name, _, _, why in rows:
        if why:
            left.setdefault(why, []).append(name)
    lines += ["", "Left out:", "", "| because | rows |", "|---|---|"]
    lines += [f"| {why} | {', '.join(names)} |" for why, names in left.items()]
    return "\n".join(lines) + "\n"


def explained(page):
    """Names in the table of explained differences; a name with a star stands for all that begin so."""
    section = page.partition(REASONS)[2].partition("\n#")[0]
    cells = [cell for cell in re.findall(r"^\| *([^|]*?) *\|", section, re.M) if cell != "rows" and cell.strip("-")]
    return [name.strip() for cell in cells for name in cell.split(",")]


def names(pattern, name):
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def check(results, patterns):
    for name, _, cycles, ours, error in results:
        has = any(names(pattern, name) for pattern in patterns)
        if abs(error) > ROW_LIMIT and not has:
            yield f"{name}: measured {cycles:g}, ours {ours:g}, {error:+.2f} %, and no explanation"
    for pattern in patterns:
        if not any(names(pattern, r[0]) and abs(r[4]) > ROW_LIMIT for r in results):
            yield f"{pattern}: has an explanation that no row needs"
    judged = mean(halves(results)[1])
    if judged > MEAN_LIMIT:
        yield f"the mean error of the half that judges is {judged:.2f} %, more than {MEAN_LIMIT:g} %"


def main():
    rows = expected()
    results = compare(rows, emulated(sys.argv[1]))
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN)
    old, after = rest.split(END)
    new = table(results, rows)
    if "--update" in sys.argv[2:]:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + new + END + after)
        old = new
    wrong = list(check(results, explained(page)))
    if old != new:
        wrong.append("docs/timing.md, section 6, is not current: tests/silicon/rows.py build/tests/silicon/silicon_rows --update")
        wrong += [f"  now: {line}" for line in new.splitlines() if line not in old.splitlines()]
    for line in wrong:
        print(line)
    one, two = halves(results)
    print(f"{len(results)} rows: mean error {mean(results):.2f} %; {len(one)} that fit {mean(one):.2f} %, {len(two)} that judge "
          f"{mean(two):.2f} %; {len(wrong)} errors")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
