#!/usr/bin/env python3
"""Compare the emulator with what was measured on silicon, expected.csv.

    compare.py PROBES            run, compare; docs/timing.md, section 6, must be current
    compare.py PROBES --update   run, and rewrite the table in docs/timing.md
    compare.py --expected        rewrite expected.csv from the measured data

PROBES is the program made of probes.c: it runs the measured programs on the emulated cores and
prints what they cost. Of a probe that is cycles less the share of the empty loop of the same phase
and thread, measured less measured and ours less ours; of a zone of "retire" it is cycles per retired
instruction.

It fails if a row is off by more than 10 % without a reason in the table of explained differences in
docs/timing.md, or has a reason that it does not need; if the mean of the rows' errors, taken
without their signs, is above 1 %; or if the table there is not what comes out.
"""
import csv
import decimal
import os
import re
import subprocess
import sys

Decimal = decimal.Decimal
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXPECTED = os.path.join(ROOT, "tests/silicon/expected.csv")
PAGE = os.path.join(ROOT, "docs/timing.md")
DATA = os.path.join(os.path.dirname(ROOT), "shared/data")
PROBES = os.path.join(DATA, "silicon-microbench.csv")
ZONES = os.path.join(DATA, "silicon-retire.csv")
BEGIN, END = "<!-- silicon: begin -->\n", "<!-- silicon: end -->\n"
ROW_LIMIT = Decimal("10.00")  # percent
MEAN_LIMIT = Decimal("1.00")
EMPTY = "loop_overhead"
EMPTY_UNROLL = 64  # the empty loop's cycles are given over as many probes
KEY = ["program", "phase", "probe", "threads", "thread", "unroll"]
COLUMNS = KEY + ["cycles", "overhead", "instructions"]
HEAD = """\
# Measured on a Blackhole p150 by mesham/tt-sim (perf/datasets, perfbench/card-sessions; BSD-3).
# Probes: cycles per probe with the loop's share in it, and what the empty loop of the same program,
# phase and thread took, over 64 probes. Zones of "retire": cycles and retired instructions, core B.
"""


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def where(row):
    return row["program"], row["phase"], row["threads"], row["thread"]


def with_overhead(rows):
    """Gives each probe its empty loop; the empty loops themselves have none."""
    empty = {where(row): row["cycles"] for row in rows if row["probe"] == EMPTY}
    for row in rows:
        row["overhead"] = "" if row["probe"] == EMPTY else empty[where(row)]
    return rows


def zone(name, cycles, instructions):
    return dict.fromkeys(COLUMNS, "") | {"program": "retire", "probe": name, "threads": "1",
                                         "cycles": cycles, "instructions": instructions}


def measured():
    """The rows of expected.csv, from the measured data."""
    rows = [{"program": row["program"], "phase": row["phase"], "probe": row["probe"],
             "threads": row["active_threads"], "thread": row["thread"], "unroll": row["unroll"],
             "cycles": row["cycles_per_probe"], "instructions": ""} for row in rows_of(PROBES)]
    return with_overhead(rows) + [zone(row["zone"], row["cycles"], row["instructions_retired"])
                                  for row in rows_of(ZONES)]


def emulated(program):
    """The same from the emulator."""
    done = subprocess.run([program], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"{program}: exit status {done.returncode}")
    rows, zones = [], []
    for fields in csv.reader(done.stdout.splitlines()):
        if fields[0] == "retire":
            zones.append(zone(*fields[1:]))
        else:
            rows.append(dict(zip(KEY + ["cycles"], fields), instructions=""))
    return with_overhead(rows) + zones


def write_expected():
    with open(EXPECTED, "w", encoding="utf-8", newline="") as file:
        file.write(HEAD)
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(measured())


def key(row):
    return tuple(row[column] for column in KEY)


def cost(row):
    """Cycles of one probe, or of one instruction of a zone; three digits."""
    cycles = Decimal(row["cycles"])
    if row["instructions"]:
        cycles /= Decimal(row["instructions"])
    elif row["overhead"]:
        cycles -= Decimal(row["overhead"]) * EMPTY_UNROLL / Decimal(row["unroll"])
    return cycles.quantize(Decimal("0.001"))


def name(row):
    if row["program"] == "retire":
        return f"retire {row['probe']}"
    which = "T1 alone" if row["threads"] == "1" else f"T{row['thread']} of two"
    return f"{row['program']} {row['phase']} {row['probe']}, {which}"


def compare(expected, ours):
    """(name, measured, ours, error in percent) for each row."""
    found = {key(row): row for row in ours}
    for row in expected:
        if key(row) not in found:
            sys.exit(f"{name(row)}: the probes program does not have it")
        other = found.pop(key(row))
        if row["instructions"] != other["instructions"]:
            sys.exit(f"{name(row)}: retires {other['instructions']}, not {row['instructions']}")
        silicon, emulator = cost(row), cost(other)
        yield name(row), silicon, emulator, ((emulator / silicon - 1) * 100).quantize(ROW_LIMIT)
    for row in found.values():
        sys.exit(f"{name(row)}: was not measured on silicon")


def mean_error(results):
    return sum(abs(error) for *_, error in results) / len(results)


def table(results):
    worst = max(results, key=lambda result: abs(result[3]))
    lines = ["| probe | measured | ours | error |", "|---|---|---|---|"]
    lines += [f"| {name} | {silicon:.3f} | {emulator:.3f} | {error:+.2f} % |"
              for name, silicon, emulator, error in results]
    lines += ["", f"Mean error over {len(results)} rows: {mean_error(results):.2f} %. "
                  f"Worst: {worst[0]}, {worst[3]:+.2f} %."]
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
    return [cell for cell in re.findall(r"^\| *([^|]*?) *\|", section, re.M)
            if cell != "probe" and cell.strip("-")]


def check_rows(results, names):
    for row, silicon, emulator, error in results:
        if abs(error) > ROW_LIMIT and row not in names:
            yield f"{row}: measured {silicon}, ours {emulator}, {error:+} %, and no explanation"
        if abs(error) <= ROW_LIMIT and row in names:
            yield f"{row}: is within {ROW_LIMIT.normalize():f} %, but has an explanation"
    for row in names:
        if row not in [result[0] for result in results]:
            yield f"{row}: has an explanation, but is not compared"
    mean = mean_error(results)
    if mean > MEAN_LIMIT:
        yield f"the mean error is {mean:.2f} %, more than {MEAN_LIMIT.normalize():f} %"


def check_source(expected):
    """expected.csv must be what was measured, where that is at hand."""
    if not os.path.exists(PROBES) or not os.path.exists(ZONES):
        print("the measured data is not here: expected.csv is taken as it is")
        return
    have = {key(row): row for row in expected}
    want = {key(row): row for row in measured()}
    for row in sorted(have.keys() | want.keys()):
        if have.get(row) != want.get(row):
            yield f"expected.csv: {','.join(row)}: {have.get(row)}, measured {want.get(row)}"


def main():
    if sys.argv[1] == "--expected":
        write_expected()
        return
    program, update = sys.argv[1], "--update" in sys.argv[2:]
    expected = rows_of(EXPECTED)
    results = list(compare(expected, emulated(program)))
    head, old, tail = split_page()
    new = table(results)
    if update:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(head + BEGIN + new + END + tail)
    errors = list(check_rows(results, explained(tail)))
    if not update and old != new:
        errors.append("docs/timing.md, section 6, is not current: tests/silicon/compare.py "
                      "build/tests/silicon/silicon_probes --update")
        errors += [f"  now: {line}" for line in new.splitlines() if line not in old.splitlines()]
    errors += check_source(expected)
    for error in errors:
        print(error)
    print(new.splitlines()[-1])
    print(f"{len(results)} rows, {len(explained(tail))} explained, {len(errors)} errors")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
