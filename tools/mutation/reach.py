"""reach.py - which lines each test reaches, measured once with gcov and kept in build/mutants/reach.json.

The instrumented libraries take the place of those of tree 0 while the tests run. What is measured decides only in which
order tests are tried: an old measurement makes a run slower, never wrong.
"""
import glob
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import threading

import tree

FILE = os.path.join(tree.HOME, "reach.json")


def digest():
    """Of all that tests are made of: what they reach may be another thing when it has changed."""
    total = hashlib.sha256()
    for name in tree.sources():
        if name.startswith(("tests/", "kernels/", "examples/")):
            with open(os.path.join(tree.ROOT, name), "rb") as file:
                total.update(name.encode() + hashlib.sha256(file.read()).digest())
    return total.hexdigest()


def load():
    """What was measured, and whether the tests are still the same; (None, False) if nothing was."""
    try:
        with open(FILE, encoding="utf-8") as file:
            stored = json.load(file)
        return stored["lines"], stored["tests"] == digest()
    except (OSError, ValueError, KeyError, TypeError):
        return None, False


def lines_of(folder, cover):
    """{source file: lines that ran} from the counters below a folder; cover is what they were compiled in."""
    counters = glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True)
    if not counters:
        return {}
    done = subprocess.run(["gcov", "--json-format", "--stdout", *counters], cwd=folder, capture_output=True, text=True,
                          check=False)
    found = {}
    for text in done.stdout.splitlines():
        try:
            files = json.loads(text)["files"]
        except ValueError:
            continue
        for entry in files:
            name = os.path.relpath(os.path.join(cover.build, entry["file"]), cover.source)
            ran = {line["line_number"] for line in entry["lines"] if line["count"]}
            if ran and not name.startswith(".."):
                found.setdefault(name, set()).update(ran)
    return found


def move_counters(cover, folder):
    """Take the counters that a test has left, and what they belong to, into a folder."""
    for counters in glob.glob(os.path.join(cover.build, "**", "*.gcda"), recursive=True):
        there = os.path.join(folder, os.path.relpath(counters, cover.build))
        os.makedirs(os.path.dirname(there), exist_ok=True)
        os.replace(counters, there)
        os.symlink(counters[:-2] + "no", there[:-2] + "no")


def measure(base, tests, tell):
    """{source file: {test: [lines]}}. Tests run one by one: some clear the environment, so that all leave their counters in one place."""
    cover = tree.Tree(0, "-O1 -fno-inline -DNDEBUG", "cover", ["-DWAITGATE_COVERAGE=ON"])
    cover.make(*tree.PRODUCTS)
    found, lock = {}, threading.Lock()

    def read(test, folder):
        with folder:
            lines = lines_of(folder.name, cover)
        with lock:
            for name, ran in lines.items():
                found.setdefault(name, {})[test.name] = sorted(ran)

    try:
        for name in tree.OUTPUTS:
            path = os.path.join(base.build, name)
            if os.path.exists(path):
                os.remove(path)
                shutil.copy2(os.path.join(cover.build, name), path)
        reader = None
        with tempfile.TemporaryDirectory(dir=tree.HOME) as old:
            move_counters(cover, old)
        for i, test in enumerate(tests):
            tell(f"which test reaches what: {i} of {len(tests)}")
            base.try_test(test, 600)
            folder = tempfile.TemporaryDirectory(dir=tree.HOME)
            move_counters(cover, folder.name)
            if reader:
                reader.join()
            reader = threading.Thread(target=read, args=(test, folder))
            reader.start()
        if reader:
            reader.join()
    finally:
        base.put_back()
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump({"tests": digest(), "lines": found}, file)
    os.replace(FILE + ".new", FILE)
    return found


def enters(lines, span):
    return any(span[0] <= line <= span[1] for line in lines)


def order(tests, reach, name, line, near=None):
    """
    Tests, nearest first: those that run the line, named like the file or short; the file; the others. With near, the
    first and last line of a function, those that enter it are all, if any does.
    """
    stem = os.path.splitext(os.path.basename(name))[0]
    by_test = (reach or {}).get(name, {})
    runs = {test for test, lines in by_test.items() if enters(lines, (line - 1, line + 1))}

    def key(test):
        short = test.name.split(".", 1)[-1]
        named = short == stem or stem.split("_")[0] == short.split("_")[0]
        if test.name in runs:
            return (0, test.seconds * (0.2 if named else 1))
        if test.name in by_test:
            return (1, test.seconds * (0.2 if named else 1))
        return (2 if not named else 1, test.seconds)

    if near:
        tests = [test for test in tests if enters(by_test.get(test.name, ()), near)] or tests
    return sorted(tests, key=key)
