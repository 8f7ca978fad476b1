#!/usr/bin/env python3
"""Keep docs/coverage.md and src/isa/coverage.def true.

Fails when the part of docs/coverage.md between the marks differs from the table, when an instruction of tensix.def has
no row, and when a row claims a check that the tests do not have: vectors without a file, a diagnostic that does not
exist, an instruction that no test of the kind names. --write puts the table into the page.
"""
import os
import re

import tree

PAGE = "docs/coverage.md"
TABLE = "src/isa/coverage.def"
BEGIN = "<!-- from src/isa/coverage.def by tests/lint/coverage.py --write: do not edit -->\n"
END = "<!-- end of the table -->\n"
LETTERS = "VPGUTKM"
STATES = {"DONE": "done", "SAID": "diagnostic", "SILENT": "ignored"}
GROUNDS = {"DOCUMENTED": "documented", "MEASURED": "measured", "INFERRED": "inferred",
           "GUESSED": "guessed", "NONE": "-"}
ROW = re.compile(r'COVER\((\w+), "([^"]*)", (\w+), (\w+), "(\w*)", "([^"]*)"\)$')
# Where an instruction must be named for a letter: suffix, folder.
NAMED_IN = {"P": (".c", "tests/pages"), "G": (".c", "tests/model"), "U": (".c", "tests/unit"),
            "T": (".tts", "tests/tts"), "K": (".c", "kernels")}
SPELLINGS = {"SFP_STOCH_RND": ["SFPSTOCHRND", "SFP_STOCH_RND"],
             **{f"RMWCIB{i}": [f"RMWCIB{i}", "RMWCIB"] for i in range(4)}}


def instructions(root):
    return re.findall(r"^INSN\((\w+), ", tree.read(root, "src/isa/tensix.def"), re.M)


def rows(root, errors):
    """(heading, [row]) in the order of the table; a row is (name, part, state, ground, checks, text)."""
    groups, comment = [], False
    for number, line in enumerate(tree.read(root, TABLE).splitlines(), 1):
        heading = re.match(r"/\* ---- (.*) ---- \*/$", line)
        comment = comment or line.startswith("/*")
        match = ROW.match(line)
        if heading:
            groups.append((heading.group(1), []))
        elif match and groups:
            groups[-1][1].append(match.groups())
        elif line and not comment and not re.match(r"#(ifndef|define|endif|undef)\b", line):
            errors.append(f"{TABLE}:{number}: not a row on one line: {line}")
        comment = comment and "*/" not in line
    return groups


def markdown(groups):
    out = []
    for heading, group in groups:
        out.append(f"\n### {heading[0].upper()}{heading[1:]}\n\n")
        out.append("| Instruction | Which | State | Ground | Checked by | Notes |\n")
        out.append("|---|---|---|---|---|---|\n")
        last = None
        for name, part, state, ground, checks, text in group:
            shown = "" if name == last else name
            cells = (shown, part, STATES.get(state, state), GROUNDS.get(ground, ground),
                     " ".join(checks), text)
            out.append("".join(f"| {cell} " if cell else "| " for cell in cells) + "|\n")
            last = name
    return "".join(out) + "\n"


def corpus(root):
    """letter -> the text of all files in which it may be earned, in upper case."""
    texts = {}
    for letter, (suffix, folder) in NAMED_IN.items():
        names = tree.files(root, (suffix, ".h"), (folder,))
        texts[letter] = "\n".join(tree.read(root, name) for name in names).upper()
    return texts


def check_claims(root, groups, errors):
    table = instructions(root)
    texts = corpus(root)
    diagnostics = re.findall(r"^DIAG\((\w+),", tree.read(root, "src/probe/diag.def"), re.M)
    seen = []
    for _, group in groups:
        for name, part, state, ground, checks, text in group:
            row = f"{name}{' (' + part + ')' if part else ''}"
            spellings = SPELLINGS.get(name, [name])
            if name not in table:
                errors.append(f"{row}: no such instruction in tensix.def")
            if name in seen and seen[-1] != name:
                errors.append(f"{row}: rows of an instruction must stand together")
            seen.append(name)
            if state not in STATES or ground not in GROUNDS:
                errors.append(f"{row}: unknown state or ground: {state}, {ground}")
            if checks != "".join(letter for letter in LETTERS if letter in checks):
                errors.append(f"{row}: checks are letters of {LETTERS}, in this order: {checks}")
            vectors = [os.path.exists(os.path.join(root, f"tests/vectors/data/{s}.vec"))
                       for s in spellings]
            if "V" in checks and not any(vectors):
                errors.append(f"{row}: no recorded vectors in tests/vectors/data")
            for letter in set(checks) & set(NAMED_IN):
                if not any(re.search(rf"(?<![A-Z0-9])(TT)?{spelling}(?![A-Z0-9])", texts[letter])
                           for spelling in spellings):
                    errors.append(f"{row}: no file of {NAMED_IN[letter][1]} names it ({letter})")
            for word in re.findall(r"`([A-Z0-9_]+)`", text):
                if word not in diagnostics:
                    errors.append(f"{row}: no such diagnostic: {word}")
            if state == "SAID" and "`" not in text:
                errors.append(f"{row}: which diagnostic says so?")
    for name in table:
        if name not in seen:
            errors.append(f"{name}: no row in {TABLE}")
    for file in sorted(os.listdir(os.path.join(root, "tests/vectors/data"))):
        name = file.removesuffix(".vec")
        claimed = any("V" in row[4] and name in SPELLINGS.get(row[0], [row[0]])
                      for _, group in groups for row in group)
        if not claimed and not name.endswith("MIX"):
            errors.append(f"{file}: vectors that no row of {TABLE} claims")


def main():
    args = tree.options(__doc__, ("--write", "FILE: where to write the page; docs/coverage.md"))
    errors = []
    groups = rows(args.root, errors)
    check_claims(args.root, groups, errors)
    page = tree.read(args.root, PAGE)
    if page.count(BEGIN) != 1 or page.count(END) != 1:
        errors.append(f"{PAGE}: the marks of the table are not there once each")
    else:
        head, rest = page.split(BEGIN)
        current, tail = rest.split(END)
        if args.write:
            with open(args.write, "w", encoding="utf-8") as file:
                file.write(head + BEGIN + markdown(groups) + END + tail)
        elif current != markdown(groups):
            errors.append(f"{PAGE} is not current: python3 tests/lint/coverage.py --write {PAGE}")
    tree.finish(errors, sum(len(group) for _, group in groups))


if __name__ == "__main__":
    main()
