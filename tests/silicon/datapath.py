#!/usr/bin/env python3
"""Compare the data path's cycles with what is known about them; the table is in docs/timing.md.

    datapath.py WAITGATE KERNELS            run, compare; docs/timing.md must be current
    datapath.py WAITGATE KERNELS --update   run, and rewrite the table in docs/timing.md

WAITGATE is the program; KERNELS the folder of the built kernels, or - if there are none: their rows are then
taken from the page. A row fails if it is outside of what is known, a kernel's if it takes a quarter longer than it
must. What a kernel takes depends a little on the compiler that made it: up to 5 % the page may differ.
"""
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PAGE = os.path.join(ROOT, "docs/timing.md")
SCRIPTS = os.path.join(ROOT, "tests/tts/units")
BEGIN, END = "<!-- datapath: begin -->\n", "<!-- datapath: end -->\n"
EVENT = re.compile(r" *(\d+)  (\S+(?: \d| Unit)?) +(\S+) +(\S*)")
PIPE = 2 + 2  # address and pipe of an UNPACR, before its first bytes

DOCUMENTED, MEASURED, DERIVED = "documented", "measured", "derived"


def run(program, *arguments):
    done = subprocess.run([program, "run", *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"waitgate run {' '.join(arguments)}: exit status {done.returncode}")
    return done.stdout


def events(program, script):
    """(cycle, agent, kind, first word) of a trace."""
    text = run(program, "--trace", os.path.join(SCRIPTS, script))
    return [(int(m[1]), m[2], m[3], m[4]) for m in map(EVENT.match, text.splitlines()) if m]


def cycles_of(trace, kind, word):
    return [cycle for cycle, _, what, name in trace if what == kind and name == word]


def span(trace, word, last=1):
    """From the first to the last that goes; that one takes `last` cycles."""
    went = cycles_of(trace, "go", word)
    return went[-1] - went[0] + last


def apart(trace, word):
    went = cycles_of(trace, "go", word)
    return (went[-1] - went[0]) // (len(went) - 1)


def fetch(trace):
    """From the first bytes of the first UNPACR to the last of the last."""
    return cycles_of(trace, "unit-done", "ttunpacr")[-1] + 1 - (
        cycles_of(trace, "go", "ttunpacr")[0] + PIPE)


def until_clear(trace):
    """From the first PACR to C3 being clear: one cycle before the instruction behind the STALLWAIT."""
    return cycles_of(trace, "go", "ttwrcfg")[0] - 1 - cycles_of(trace, "go", "ttpacr")[0]


def product(program, kernels, phases):
    """Cycles of a product of tiles in kernels/matmul: what 256 more of them take."""
    folder = os.path.abspath(os.path.join(kernels, "matmul"))
    with open(os.path.join(folder, "case.yaml"), encoding="utf-8") as file:
        case = file.read().split("expect:")[0]
    case = re.sub(r"(: )(\w+\.elf)", lambda m: m[1] + os.path.join(folder, m[2]), case)
    times = []
    for repeat in (32, 64):
        text = re.sub(r"\d+, 0, 0, # phases", f"{phases}, 0, 0, # phases", case)
        text = re.sub(r"0x20, 1\] # sizes", f"{repeat}, 1] # sizes", text)
        if text.count(f"{repeat}, 1] # sizes") != 1 or f" {phases}, 0, 0, # phases" not in text:
            sys.exit("kernels/matmul/case.yaml is not what this expects")
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write(text)
            file.flush()
            times.append(int(run(program, "--report", file.name).split()[0]))
    return (times[1] - times[0]) / (32 * 8)


def rows(program, kernels):
    """(what, known, least, most, ours, evidence, source)"""
    def trace(name):
        return events(program, f"data_{name}.tts")

    mvmul, unpacr, pacr = "ttmvmul", "ttunpacr", "ttpacr"
    yield ("product of 32 x 32 tiles, LoFi: MVMULs", "16", 16, 16, span(trace("mvmul_lofi"), mvmul),
           DOCUMENTED, "ISA pages MatrixUnit (Wormhole), Dst (Blackhole)")
    yield ("the same, HiFi2", "32", 32, 32, span(trace("mvmul_hifi2"), mvmul), DOCUMENTED, "the same")
    yield ("the same, HiFi4", "64", 64, 64, span(trace("mvmul_hifi4"), mvmul), DOCUMENTED, "the same")
    yield ("MVMULs on one block of Dst: from one to the next", "6", 6, 6,
           apart(trace("mvmul_same_block"), mvmul), MEASURED, "tt-sim: 6.00; blackhole-py")
    yield ("unpack a BF16 tile: fetch", "16", 15, 17, fetch(trace("unpack_bf16")), MEASURED,
           "tt-llk#130, #131: 25 and 28 cycles per tile at 63 % and 58 %")
    yield ("unpack an FP32 tile: fetch", "32", 32, 32, fetch(trace("unpack_fp32")), DERIVED,
           "twice the bytes")
    yield ("unpack two BF16 tiles, both unpackers: fetch", "16 to 18", 16, 18, fetch(trace("unpack_both")),
           MEASURED, "blackhole-py: more than 164 bytes per cycle; the second begins two cycles later")
    bf16, fp32 = trace("pack_bf16"), trace("pack_fp32")
    yield ("pack a BF16 tile: rows", "16", 15, 17, span(bf16, pacr), MEASURED,
           "tt-llk#130, #916, tt-metal#51901")
    yield ("pack a BF16 tile: until C3 is clear", "25", 25, 25, until_clear(bf16), MEASURED,
           "tt-llk#130: 25 per tile; PACK_PIPE is fitted to it")
    yield ("pack an FP32 tile: rows", "32", 32, 32, span(fp32, pacr, apart(fp32, pacr)), DERIVED,
           "tt-llk#916: 32 bytes per interface and cycle")
    yield ("pack an FP32 tile: until C3 is clear", "", 0, 99, until_clear(fp32), "", "nothing is known")
    yield ("SFPLOAD: from one to the next", "1", 1, 1, apart(trace("sfpu_load"), "ttsfpload"), DOCUMENTED,
           "ISA page VectorUnit (Blackhole)")
    yield ("SFPSWAP: from one to the next", "2", 2, 2, apart(trace("sfpu_swap"), "ttsfpswap"),
           DOCUMENTED, "ISA page SFPSWAP (Blackhole); SFPNOP goes in between for nothing")
    yield ("SFPMAD: from one to the next", "1", 1, 1, apart(trace("sfpu_mad"), "ttsfpmad"), MEASURED,
           "tt-sim tensixbench: 1.03 with its loop")
    yield ("SFPMAD that reads the result of the one before", "2", 2, 2,
           apart(trace("sfpu_mad_chain"), "ttsfpmad"), DOCUMENTED, "ISA page SFPMAD (Blackhole)")
    loop, more = (span(trace(f"sfpu_loop{x}"), "ttsfpload", 0) for x in ("", "_4_more"))
    yield ("four more SFPU instructions in a loop of 32 steps", "128", 128, 128, (more - loop) * 32 / 31,
           DERIVED, "one instruction per cycle")
    macro = trace("sfpu_macro")
    yield ("SFPLOADMACRO with five sub-units: from one to the next", "1", 1, 1,
           apart(macro, "ttsfploadmacro"), DOCUMENTED, "ISA page SFPLOADMACRO (Blackhole)")
    stores, loads = cycles_of(macro, "unit-done", "ttsfpstore"), cycles_of(macro, "go", "ttsfploadmacro")
    yield ("the same: from a load to its store, the last of four", "5", 5, 5,
           max(a - b for a, b in zip(stores, loads, strict=True)), DOCUMENTED, "the same: delay 4")
    for name, phases in (("LoFi", 1), ("HiFi2", 2), ("HiFi4", 4)):
        least = max(32, 16 * phases)
        yield (f"kernels/matmul, BF16, {name}: a product", f"at least {least}", least, 1.25 * least,
               product(program, kernels, phases) if kernels else None, DERIVED,
               "MVMULs, or what the core T0 does for a product, whichever is longer")


def line(row):
    what, known, _, _, ours, evidence, source = row
    return f"| {what} | {known} | {ours:g} | {evidence} | {source} |\n"


def kept(table, row):
    """The page's line for a kernel, if it is still true."""
    old = next((line for line in table.splitlines(True) if line.startswith(f"| {row[0]} |")), None)
    if old is None or not row[0].startswith("kernels/"):
        return None
    before = float(old.split("|")[3])
    return old if row[4] is None or abs(row[4] - before) <= before / 20 else None


def main():
    program, kernels = sys.argv[1], None if sys.argv[2] == "-" else sys.argv[2]
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, rest = page.split(BEGIN)
    table, after = rest.split(END)
    new, wrong = "| cycles of | known | ours | evidence | source |\n|---|---|---|---|---|\n", 0
    for row in rows(program, kernels):
        old = None if "--update" in sys.argv else kept(table, row)
        new += old or line(row)
        if row[4] is not None and not row[2] <= row[4] <= row[3]:
            print(f"{row[0]}: {row[4]:g}, known is {row[1]}", file=sys.stderr)
            wrong = 1
    if "--update" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + new + END + after)
    elif new != table:
        print("docs/timing.md is not what comes out; datapath.py --update rewrites it:\n" + new,
              file=sys.stderr)
        wrong = 1
    return wrong


sys.exit(main())
