"""reach.py - which lines each test reaches, measured with gcov and kept in build/mutants/reach.json.

The instrumented libraries take the place of those of tree 0 while the tests run. A test is measured anew when it has
changed. What is measured decides only in which order tests are tried: an old measurement makes a run slower, never wrong.
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
LONG = 15 # seconds of the processor, of a test that counts its lines; one that takes longer is tried late anyway


def digests(tests, base):
    """{test: digest} of the files that each is made of: what it reaches may be another thing when they have changed."""
    made_from = {} # target: files of tests/
    for built, read in base.dependencies():
        target = os.path.basename(built.split(".dir/")[0])
        made_from.setdefault(target, set()).update(name for name in read if name.startswith("tests/"))
    contents, found = {}, {}
    for name in tree.sources():
        if name.startswith(("tests/", "kernels/", "examples/")):
            with open(os.path.join(tree.ROOT, name), "rb") as file:
                contents[name] = hashlib.sha256(file.read()).digest()
    for test in tests:
        total = hashlib.sha256(" ".join(os.path.basename(word) for word in test.command).encode())
        names = {name for product in test.products for name in made_from.get(os.path.basename(product), ())}
        if not names: # a script: whatever it may read
            places = (f"tests/{test.name.split('.')[0]}/", "kernels/", "examples/")
            names = {name for name in contents if name.startswith(places)}
        for name in sorted(names):
            total.update(contents[name])
        found[test.name] = total.hexdigest()
    return found


class Reach:
    """
    lines: {source file: {test: [lines]}}; seconds: {test: how long it takes}; made_of: {test: digest};
    counted: tests that have left counters; of the others it is not known what they run
    """

    def __init__(self):
        self.lines, self.seconds, self.made_of = {}, {}, {}
        try:
            with open(FILE, encoding="utf-8") as file:
                stored = json.load(file)
            self.lines, self.seconds, self.made_of = stored["lines"], stored["seconds"], stored["made_of"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        self.count()

    def count(self):
        self.counted = {test for by_test in self.lines.values() for test in by_test}

    def save(self):
        with open(FILE + ".new", "w", encoding="utf-8") as file:
            json.dump({"lines": self.lines, "seconds": self.seconds, "made_of": self.made_of}, file)
        os.replace(FILE + ".new", FILE)


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


def measure(base, tests, tell, anew=False):
    """
    A Reach of all these tests; those that are known already are not run. Tests run one by one: some clear the
    environment, so that all leave their counters in one place. One that takes LONG leaves none.
    """
    known = Reach()
    made_of = digests(tests, base)
    unknown = [test for test in tests if anew or known.made_of.get(test.name) != made_of[test.name]]
    if not unknown:
        return known
    cover = tree.Tree(0, "-O2 -DNDEBUG", "cover", ["-DWAITGATE_COVERAGE=ON"])
    cover.make(*tree.PRODUCTS)
    lock = threading.Lock()

    def read(test, folder):
        with folder:
            lines = lines_of(folder.name, cover)
        with lock:
            for by_test in known.lines.values():
                by_test.pop(test.name, None)
            for name, ran in lines.items():
                known.lines.setdefault(name, {})[test.name] = sorted(ran)
            known.made_of[test.name] = made_of[test.name]

    try:
        for name in tree.OUTPUTS:
            path = os.path.join(base.build, name)
            if os.path.exists(path):
                os.remove(path)
                shutil.copy2(os.path.join(cover.build, name), path)
        reader = None
        with tempfile.TemporaryDirectory(dir=tree.HOME) as old:
            move_counters(cover, old)
        for i, test in enumerate(unknown):
            tell(f"which test reaches what: {i} of {len(unknown)}")
            _, known.seconds[test.name] = base.try_test(test, 600, processor=LONG)
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
        known.count()
        known.save()
    return known


def enters(lines, span):
    return any(span[0] <= line <= span[1] for line in lines)


def order(tests, reach, name, line):
    """Tests, nearest first: those that run the line, named like the file or short; the file; the others."""
    stem = os.path.splitext(os.path.basename(name))[0]
    by_test = reach.lines.get(name, {})
    runs = {test for test, lines in by_test.items() if enters(lines, (line - 1, line + 1))}

    def key(test):
        short = test.name.split(".", 1)[-1]
        named = short == stem or stem.split("_")[0] == short.split("_")[0]
        if test.name in runs:
            return (0, reach.seconds[test.name] * (0.2 if named else 1))
        if test.name in by_test:
            return (1, reach.seconds[test.name] * (0.2 if named else 1))
        long = reach.seconds[test.name] >= LONG
        return (1 if named or long else 2, reach.seconds[test.name])

    return sorted(tests, key=key)


def split(tests, reach, name, span, own):
    """
    Tests in three lists, each in the order given: those that enter a function; those that may, for all that is known;
    those that do not, by their counters. span: the first and last line of the function, None for what is in none. own:
    the tests that are compiled from the file themselves, without counters.
    """
    by_test = reach.lines.get(name, {})
    if span is None or not any(enters(lines, span) for lines in by_test.values()):
        return tests, [], []
    near = [test for test in tests if test.name in own or enters(by_test.get(test.name, ()), span)]
    others = [test for test in tests if test not in near]
    return (near, [test for test in others if test.name not in reach.counted],
            [test for test in others if test.name in reach.counted])
