"""tree.py - a copy of the sources in build/mutants/N/tree, built in build/mutants/N/build, and its tests.

The copy alone is ever changed. What a fault has made of the build is put back from a store of all files that Ninja
knows, with their times, so that nothing is compiled twice.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HOME = os.path.join(ROOT, "build", "mutants")
PRODUCTS = ("waitgate_static", "waitgate_load", "ttsim_bh", "waitgate")
OUTPUTS = ("libwaitgate.so", "libwaitgate_load.so", "libttsim_bh.so", "waitgate")
SKIPPED = 77
# Rules of style: a fault is not to be found by its looks.
LEFT_OUT = {"lint.each_header_compiles_alone", "lint.public_header_is_also_cxx", "lint.sources_are_formatted",
            "lint.folders_include_only_what_layers_allow", "lint.files_and_functions_are_short",
            "lint.library_neither_prints_nor_exits", "lint.no_machine_paths", "lint.lints_catch_planted_faults"}


class Failed(Exception):
    """What the tool cannot do anything about; the text says it all."""


def sources():
    """Every file of the checkout that is tracked or could be."""
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard"], capture_output=True,
                          text=True, check=False)
    if done.returncode:
        raise Failed("mutants: needs a git checkout")
    return sorted(name for name in done.stdout.split("\0") if name and os.path.isfile(os.path.join(ROOT, name)))


def same(a, b):
    with open(a, "rb") as one, open(b, "rb") as two:
        return one.read() == two.read()


class Test:
    def __init__(self, name, command, folder, environment, products):
        self.name, self.command, self.folder, self.environment = name, command, folder, environment
        self.products = products # what Ninja must have built


class Tree:
    def __init__(self, number, flags="-O2 -DNDEBUG", folder="build", options=()):
        self.home = os.path.join(HOME, str(number))
        self.source = os.path.join(self.home, "tree")
        self.build = os.path.join(self.home, folder)
        self.store = os.path.join(self.home, "store")
        self.flags, self.options = flags, options
        self.kept = {}

    # The copy and its build.

    def copy(self):
        """Make the copy agree with the checkout. Files that are the same keep their times."""
        names = sources()
        for name in names:
            here, there = os.path.join(ROOT, name), os.path.join(self.source, name)
            if not os.path.exists(there) or not same(here, there):
                os.makedirs(os.path.dirname(there), exist_ok=True)
                shutil.copy(here, there)
                os.utime(there)
        beside, link = os.path.join(os.path.dirname(ROOT), "shared"), os.path.join(self.home, "shared")
        if os.path.isdir(beside) and not os.path.islink(link):
            os.symlink(beside, link) # what a lint compares tables with, if it is there
        wanted = set(names)
        for folder, below, plain in os.walk(self.source):
            below[:] = [name for name in below if name != "__pycache__"]
            for name in plain:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.source) not in wanted:
                    os.remove(path)

    def run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.home, check=False,
                              stdin=subprocess.DEVNULL)
        return done.returncode == 0, done.stdout + done.stderr

    def make(self, *targets):
        """Bring the copy and the named targets (all, without names) up to date."""
        self.copy()
        for name in OUTPUTS: # linked anew: a run that was killed may have left others
            if os.path.exists(os.path.join(self.build, name)):
                os.remove(os.path.join(self.build, name))
        good, text = self.run("cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_C_COMPILER=gcc",
                              "-DCMAKE_BUILD_TYPE=RelWithDebInfo", f"-DCMAKE_C_FLAGS_RELWITHDEBINFO={self.flags}",
                              "-DWAITGATE_MUTANTS=ON", "-DWAITGATE_TESTS=ON", "--log-level=NOTICE", *self.options)
        if good:
            good, text = self.ninja(*targets)
        if not good:
            raise Failed(f"mutants: the sources do not build\n{text[-3000:]}")

    def ninja(self, *targets, jobs=2):
        return self.run("ninja", "-C", self.build, f"-j{jobs}", *targets)

    # The store of what was built.

    def built(self):
        done = subprocess.run(["ninja", "-C", self.build, "-t", "targets", "all"], capture_output=True, text=True,
                              check=True)
        names = [line.rsplit(": ", 1)[0] for line in done.stdout.splitlines() if ": " in line]
        names += [".ninja_log", ".ninja_deps"]
        return [name for name in names if os.path.isfile(os.path.join(self.build, name))
                and not os.path.isabs(name) and not name.startswith("..") and name != "build.ninja"]

    def keep(self):
        """Store everything that was built, and remember its times."""
        self.kept = {}
        for name in self.built():
            path, copy = os.path.join(self.build, name), os.path.join(self.store, name)
            stat = os.stat(path)
            self.kept[name] = stat.st_mtime_ns
            if not os.path.exists(copy) or os.stat(copy).st_mtime_ns != stat.st_mtime_ns:
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy2(path, copy)

    def changed(self, suffix=""):
        """What was built anew since keep()."""
        found = []
        for name, when in self.kept.items():
            path = os.path.join(self.build, name)
            if name.endswith(suffix) and (not os.path.exists(path) or os.stat(path).st_mtime_ns != when):
                found.append(name)
        return found

    def put_back(self):
        for name in self.changed():
            path = os.path.join(self.build, name)
            if os.path.exists(path):
                os.remove(path) # a process may still run it
            shutil.copy2(os.path.join(self.store, name), path)

    def objects_differ(self):
        """Is any object that was compiled anew another one than before?"""
        return any(not os.path.exists(os.path.join(self.build, name))
                   or not same(os.path.join(self.build, name), os.path.join(self.store, name))
                   for name in self.changed(".o"))

    def dependencies(self):
        """(what was compiled, [the files of the copy that it was compiled from]), for each object."""
        done = subprocess.run(["ninja", "-C", self.build, "-t", "deps"], capture_output=True, text=True, check=True)
        found = []
        for line in done.stdout.splitlines():
            if line.startswith(" "):
                found[-1][1].append(os.path.relpath(os.path.join(self.build, line.strip()), self.source))
            elif line:
                found.append((line.split(": #")[0], []))
        return found

    def read_by_products(self):
        """The files of the copy that the libraries and the program are compiled from."""
        return {name for built, read in self.dependencies() if built.startswith(("CMakeFiles/model.dir/", "src/", "cli/"))
                for name in read if name.startswith(("src/", "cli/", "include/"))}

    # Its tests.

    def compiled_from(self):
        """{file of the copy: names of the programs among the tests whose own objects are compiled from it}"""
        found = {}
        for built, read in self.dependencies():
            if built.startswith("tests/"):
                for name in read:
                    found.setdefault(name, set()).add(os.path.basename(built.split(".dir/")[0]))
        return found

    def tests(self):
        """All tests that can see a fault."""
        done = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], capture_output=True, text=True,
                              check=True)
        found, outputs = [], set(self.built())
        for entry in json.loads(done.stdout)["tests"]:
            properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
            if entry["name"] in LEFT_OUT or "command" not in entry:
                continue
            environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
            paths = [os.path.relpath(word, self.build) for word in entry["command"] if word.startswith(self.build)]
            found.append(Test(entry["name"], entry["command"], properties.get("WORKING_DIRECTORY", self.build),
                              environment, [path for path in paths if path in outputs]))
        return found

    def try_test(self, test, limit, environment=None, processor=resource.RLIM_INFINITY):
        """
        Run one test: 'passed', 'failed', 'skipped' or 'hung', and the seconds it took. It hangs if it takes more than limit
        seconds of the processor, or as good as none for so long; each of its processes gets at most so many of the processor.
        """
        values = dict(os.environ, WAITGATE_SEED="1", **test.environment)
        values.update(environment or {})
        start = time.monotonic()
        process = subprocess.Popen(test.command, cwd=test.folder, env=values, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=lambda: bounds(processor))
        end, used = None, 0
        while end is None:
            try:
                code = process.wait(timeout=limit)
                end = {0: "passed", SKIPPED: "skipped"}.get(code, "failed")
            except subprocess.TimeoutExpired:
                before, used = used, seconds_of(process.pid)
                if used >= limit or used - before < 0.01 + 0.002 * limit:
                    end = "hung"
        try:
            os.killpg(process.pid, signal.SIGKILL) # the test, or what it left behind
        except ProcessLookupError:
            pass
        process.wait()
        return end, time.monotonic() - start


def seconds_of(group):
    """Seconds of the processor that a group of processes has used, with those that have ended."""
    ticks = 0
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            ticks += sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK")


def bounds(processor):
    """A wrong program may want all memory or fill the disk. Signals are as a shell leaves them."""
    resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
