"""reach.py - which lines each test reaches, measured once with gcov and kept in build/mutants/reach.json.

The instrumented libraries take the place of those of tree 0 while the tests run. What is measured decides only in which
order tests are tried: an old measurement makes a run slower, never wrong.
"""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import threading

import tree

FILE = os.path.join(tree.HOME, "reach.json")
OUTPUTS = ("libwaitgate.so", "libwaitgate_load.so", "libttsim_bh.so", "waitgate")


def load():
    try:
        with open(FILE, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


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


def one(base, cover, test):
    """Run one test with a folder of its own for the counters."""
    with tempfile.TemporaryDirectory(dir=tree.HOME) as folder:
        for note in glob.glob(os.path.join(cover.build, "**", "*.gcno"), recursive=True):
            link = os.path.join(folder, os.path.relpath(note, cover.build))
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(note, link)
        depth = len([part for part in cover.build.split(os.sep) if part])
        base.try_test(test, 600, {"GCOV_PREFIX": folder, "GCOV_PREFIX_STRIP": str(depth)})
        return lines_of(folder, cover)


def measure(base, tests, jobs, tell):
    """{source file: {test: [lines]}}"""
    cover = tree.Tree(0, "-O1 -fno-inline -DNDEBUG", "cover", ["-DWAITGATE_COVERAGE=ON"])
    cover.store = os.path.join(cover.home, "no-store")
    cover.make(*tree.PRODUCTS)
    found, waiting, lock = {}, sorted(tests, key=lambda test: -test.seconds), threading.Lock()

    def work():
        while True:
            with lock:
                if not waiting:
                    return
                test = waiting.pop(0)
            lines = one(base, cover, test)
            with lock:
                for name, ran in lines.items():
                    found.setdefault(name, {})[test.name] = sorted(ran)
                tell(f"reach: {len(tests) - len(waiting)} of {len(tests)} tests")

    try:
        for name in OUTPUTS:
            path = os.path.join(base.build, name)
            if os.path.exists(path):
                os.remove(path)
                shutil.copy2(os.path.join(cover.build, name), path)
        threads = [threading.Thread(target=work) for _ in range(jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        base.put_back()
    with open(FILE + ".new", "w", encoding="utf-8") as file:
        json.dump(found, file)
    os.replace(FILE + ".new", FILE)
    return found


def order(tests, reach, name, line):
    """Tests, nearest first: those that run the line, named like the file or short; the file; the others."""
    stem = os.path.splitext(os.path.basename(name))[0]
    by_test = (reach or {}).get(name, {})
    near = {test: any(abs(at - line) <= 1 for at in lines) for test, lines in by_test.items()}

    def key(test):
        short = test.name.split(".", 1)[-1]
        named = short == stem or stem.split("_")[0] == short.split("_")[0]
        if near.get(test.name):
            return (0, test.seconds * (0.2 if named else 1))
        if test.name in by_test:
            return (1, test.seconds * (0.2 if named else 1))
        return (2 if not named else 1, test.seconds)

    return sorted(tests, key=key)
