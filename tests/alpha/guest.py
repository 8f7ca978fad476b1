"""What an Alpha program can reach of this machine: directories and descriptors that it was given, and nothing else.

If it can reach more, this test fails and does no harm.

usage: guest.py WAITGATE SYSCALLS

SYSCALLS is src/load/alpha_syscall.def: every call that is there must be known here as one that takes paths, descriptors, or neither; so a
new one cannot be forgotten. Programs are assembled here, no compiler is needed: each makes a list of calls and writes their results.
"""
import os
import re
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile

from command import A3, CALLSYS, V0, load_number, memory

CODE, TEXT, DATA, SIZE = 0x120000000, 0x120040000, 0x140000000, 0x100000
RESULTS, SCRATCH = DATA, DATA + 0x80000
HEADERS = 64 + 2 * 56
POINTER, AT_CWD = 10, -100
RDONLY, WRONLY, RDWR, CREAT, TRUNC, EXCL, DIRECTORY, NOFOLLOW = 0, 1, 2, 0o1000, 0o2000, 0o4000, 0o100000, 0o200000
FIXED, ANONYMOUS, PRIVATE, NOREPLACE = 0x100, 0x10, 2, 0x200000
WINDOW, WINDOW_SIZE = 0x8000000000, 0x400000
EPERM, ENOENT, ESRCH, EBADF, ENOMEM, EACCES, EBUSY, EEXIST, ENOTDIR, EISDIR, EINVAL, EMFILE, EROFS = 1, 2, 3, 9, 12, 13, 16, 17, 20, 21, 22, 24, 30
EIO, ELOOP, EFAULT, EOPNOTSUPP = 5, 62, 14, 45
BUFFER = SCRATCH + 0x1000

# name: how it is called with a path p (and with a descriptor of a directory d, for those that take one). Nothing of this changes what it finds.
PATH_CALLS = {
    "open": lambda p, d: [(p, RDONLY), (p, RDWR), (p, RDONLY | DIRECTORY)],
    "openat": lambda p, d: [(d, p, RDONLY), (d, p, RDWR)],
    "stat64": lambda p, d: [(p, BUFFER)],
    "fstatat64": lambda p, d: [(d, p, BUFFER, 0)],
    "access": lambda p, d: [(p, 0), (p, 4), (p, 2)],
    "faccessat": lambda p, d: [(d, p, 0), (d, p, 4)],
    "chdir": lambda p, d: [(p,)],
}
# The same for those that do not follow a link in the last place.
ENTRY_CALLS = {
    "lstat64": lambda p, d: [(p, BUFFER)],
    "readlink": lambda p, d: [(p, BUFFER, 100)],
    "readlinkat": lambda p, d: [(d, p, BUFFER, 100)],
}
# Those that change something: only with paths to what belongs to this test.
CHANGE_CALLS = {
    "open": lambda p, d: [(p, WRONLY | CREAT, 0o644), (p, RDWR | TRUNC)],
    "openat": lambda p, d: [(d, p, RDWR | CREAT | TRUNC, 0o644)],
    "unlink": lambda p, d: [(p,)],
    "unlinkat": lambda p, d: [(d, p, 0), (d, p, 0x200)],
    "mkdir": lambda p, d: [(p, 0o755)],
    "mkdirat": lambda p, d: [(d, p, 0o755)],
    "rmdir": lambda p, d: [(p,)],
    "rename": lambda p, d: [(p, "renamed"), ("file", p)],
}
# With a descriptor n that is not open.
DESCRIPTOR_CALLS = {
    "read": lambda n: [(n, BUFFER, 1)],
    "write": lambda n: [(n, BUFFER, 1)],
    "close": lambda n: [(n,)],
    "lseek": lambda n: [(n, 0, 0)],
    "dup": lambda n: [(n,)],
    "dup2": lambda n: [(n, n + 100), (n, n)],
    "fcntl": lambda n: [(n, command, 3) for command in (0, 1, 2, 3, 1030)],
    "ioctl": lambda n: [(n, 0x40147413, BUFFER)],
    "fstat": lambda n: [(n, BUFFER)],
    "fstat64": lambda n: [(n, BUFFER)],
    "readv": lambda n: [(n, SCRATCH, 1)],
    "writev": lambda n: [(n, SCRATCH, 1)],
    "ftruncate": lambda n: [(n, 0)],
    "pread64": lambda n: [(n, BUFFER, 1, 0)],
    "pwrite64": lambda n: [(n, BUFFER, 1, 0)],
    "mmap": lambda n: [(0, 0x2000, 3, PRIVATE, n, 0), (0, 0x2000, 1, 1, n, 0)],
    "openat": lambda n: [(n, "file", RDONLY)],
    "fstatat64": lambda n: [(n, "file", BUFFER, 0), (n, "", BUFFER, 0x1000)],
    "faccessat": lambda n: [(n, "file", 0)],
    "readlinkat": lambda n: [(n, "file", BUFFER, 100)],
    "unlinkat": lambda n: [(n, "file", 0)],
    "mkdirat": lambda n: [(n, "new", 0o755)],
}
NEITHER = set("""exit brk getxpid getxuid kill getxgid umask getpagesize munmap mprotect madvise sigreturn getrlimit osf_getsysinfo osf_setsysinfo
    sysinfo sched_yield uname nanosleep mremap rt_sigreturn rt_sigaction rt_sigprocmask rt_sigpending gettimeofday getcwd gettid tkill futex exit_group
    set_tid_address clock_gettime clock_getres clock_nanosleep tgkill set_robust_list prlimit64 getrandom rseq getegid geteuid getppid""".split())


class Program:
    """A list of calls; run() gives their results: the value, or a negated errno."""

    def __init__(self, numbers):
        self.numbers, self.words, self.text, self.n = numbers, load_number(POINTER, RESULTS), b"", 0

    def call(self, name, *arguments):
        for i, value in enumerate(arguments):
            if isinstance(value, str):
                address = TEXT + len(self.text)
                self.text += value.encode() + b"\0"
                value = address
            self.words += load_number(16 + i, value)
        self.words += load_number(V0, self.numbers[name]) + [CALLSYS]
        self.words += [memory(0x2d, V0, 0, POINTER), memory(0x2d, A3, 8, POINTER), memory(0x08, POINTER, 16, POINTER)]
        self.n += 1
        return self.n - 1

    def executable(self):
        words = list(self.words)
        for i, value in enumerate((1, RESULTS, 16 * self.n)):
            words += load_number(16 + i, value)
        words += [*load_number(V0, self.numbers["write"]), CALLSYS, *load_number(16, 0), *load_number(V0, self.numbers["exit"]), CALLSYS]
        body = bytes(HEADERS) + struct.pack(f"<{len(words)}I", *words)
        assert len(body) < TEXT - CODE and 16 * self.n < SCRATCH - RESULTS
        body += bytes(TEXT - CODE - len(body)) + self.text
        header = b"\x7fELF\2\1\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 0x9026, 1, CODE + HEADERS, 64, 0, 0, 64, 56, 2, 64, 0, 0)
        header += struct.pack("<IIQQQQQQ", 1, 5, 0, CODE, CODE, len(body), len(body), 0x2000)
        header += struct.pack("<IIQQQQQQ", 1, 6, 0, DATA, DATA, 0, SIZE, 0x2000)
        return header + body[len(header):]


class Tester:
    def __init__(self, waitgate, numbers):
        self.waitgate, self.numbers, self.fails = waitgate, numbers, 0

    def program(self):
        return Program(self.numbers)

    def run(self, program, *options, **more):
        with open("../program", "wb") as f:
            f.write(program.executable())
        done = subprocess.run([self.waitgate, "alpha", "run", *(options or ["--untimed"]), "../program"], env={}, stdin=subprocess.DEVNULL,
                              capture_output=True, check=False, timeout=120, **more)
        values = struct.unpack(f"<{2 * program.n}q", done.stdout[-16 * program.n:]) if len(done.stdout) >= 16 * program.n else ()
        self.check(f"the program runs to its end, {done.returncode} {done.stderr}", len(values) and not done.returncode)
        return [-v if failed else v for v, failed in zip(values[::2], values[1::2])], done

    def check(self, what, good):
        if not good:
            print(f"FAILED: {what}")
            self.fails += 1

    def same(self, what, found, wanted):
        self.check(f"{what}: {found} instead of {wanted}", found == wanted)


def tree(folder):
    """Everything in a folder: names, kinds, contents, times."""
    found = {}
    for where, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(where, name)
            status = os.lstat(path)
            content = None
            if os.path.isfile(path) and not os.path.islink(path):
                with open(path, "rb") as f:
                    content = f.read()
            found[path] = (status.st_mode, status.st_mtime_ns, content)
    return found


def make_world():
    """outside/ is out of reach, given/ is the working directory."""
    os.makedirs("outside/folder")
    for path in ("outside/secret", "outside/folder/secret"):
        with open(path, "w", encoding="utf-8") as f:
            f.write("secret\n")
    os.chdir("given")
    os.mkdir("sub")
    for path in ("file", "sub/inner"):
        with open(path, "w", encoding="utf-8") as f:
            f.write("content\n")
    outside = os.path.abspath("../outside")
    for name, to in (("to_file", "file"), ("to_secret", "../outside/secret"), ("to_secret_by_name", outside + "/secret"), ("to_outside", "../outside"),
                     ("to_root", "/"), ("to_proc", "/proc/self"), ("to_mem", "/proc/self/mem"), ("to_fd", "/proc/self/fd/3"), ("loop", "loop"),
                     ("to_up", ".."), ("sub/to_up", "../.."), ("to_null", "/dev/null"), ("to_nothing", "nothing")):
        os.symlink(to, name)
    os.mkfifo("fifo")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind("socket")


def outside_paths():
    """Paths that lead out, to what belongs to this test and to what does not; links that do so only if they are followed."""
    outside, work = os.path.abspath("../outside"), os.getcwd()
    ours = [outside, outside + "/secret", "../outside", "../outside/secret", "../outside/new", "sub/../../outside/secret", "sub/to_up/outside/secret", "to_up/outside/secret",
            "to_outside/secret", "to_outside/folder/secret", "to_outside/new", "to_outside/", "to_root" + outside, work + "/../outside/secret", "../new",
            "to_proc/cwd/../outside/secret"]
    ways = ["to_root/etc/passwd", "/etc/passwd", "//etc/passwd", "/./etc/../etc/passwd", "/../etc/passwd", "/proc/../etc/passwd", "/bin", "/usr",
            "../../../../../../../../etc/passwd", "/dev/tty", "/dev/mem", "/dev/stdin", "/dev/fd/0", "/dev/fd/3", "/dev/null/.", "to_null/"]
    for who in ("self", "thread-self", "1", str(os.getpid()), "self/task/1", "self/../self"):
        ways += [f"/proc/{who}/{what}" for what in ("mem", "maps", "fd", "fd/0", "fd/1", "fd/3", "cwd", "cwd/../outside", "root", "root/etc/passwd", "task", "environ",
                                                    "map_files")]
    ways += ["to_proc/mem", "to_proc/fd/3", "to_proc/root/etc/passwd", "to_mem/", "/proc/sys/kernel/hostname"]
    return ours, ways, ["to_secret", "to_secret_by_name", "to_outside", "to_mem", "to_fd", "loop", "to_outside/folder/../secret"]


def nothing_outside(t):
    """No call gets anywhere by any of them, with no descriptor of a directory; and nothing there has changed."""
    before = tree("../outside"), os.listdir("..")
    ours, ways, links = outside_paths()
    for bases in (("cwd",), ("opened",), ("sub",)):
        p, asked = t.program(), []
        base = AT_CWD
        if bases[0] != "cwd":
            base = 3
            p.call("open", "." if bases[0] == "opened" else "sub", RDONLY | DIRECTORY)
        for way in ours + ways + links:
            calls = [*PATH_CALLS.items(), *(() if way in links else ENTRY_CALLS.items()), *(CHANGE_CALLS.items() if way in ours else ())]
            for name, make in calls:
                if bases[0] != "cwd" and not name.endswith("at") and name != "fstatat64":
                    continue
                path = "../" + way if bases[0] == "sub" and not way.startswith("/") else way
                asked += [(p.call(name, *arguments), name, arguments) for arguments in make(path, base)]
        results, _ = t.run(p)
        for n, name, arguments in asked:
            allowed = {-ENOENT, -ENOTDIR, -ELOOP, -EBUSY, -EACCES, -EISDIR, -EINVAL, -EEXIST, -EROFS}
            t.check(f"{name}{arguments} gives {results[n]}", results[n] in allowed)
            if name in PATH_CALLS:
                t.check(f"{name}{arguments} gives {results[n]}, not ENOENT, ENOTDIR or ELOOP", results[n] in {-ENOENT, -ENOTDIR, -ELOOP})
    t.same("outside", (tree("../outside"), [x for x in os.listdir("..") if x != "program"]), (before[0], [x for x in before[1] if x != "program"]))


def what_was_given(t):
    """What is inside can be used, by whatever path; special files have what programs expect of them."""
    work = os.getcwd()
    p = t.program()
    good = [p.call("open", path, RDONLY) for path in ("file", "./sub/../file", "sub/inner", work + "/file", "to_file", "to_root" + work + "/file", "../given/file",
                                                      "sub/to_up/given/file", "//proc/./cpuinfo", "/proc/self/exe", "/dev/zero", "to_null", "/dev/null", "/proc/self/../cpuinfo")]
    good += [p.call("stat64", path, BUFFER) for path in (".", "..", "/", "/proc", "/proc/self/exe", "/dev/null", work, os.path.dirname(work), "to_up", "fifo")]
    good += [p.call("access", path, 0) for path in ("/", "..", "/dev", "file", "/proc/self")]
    good += [p.call("lstat64", path, BUFFER) for path in ("to_secret", "loop", "to_mem", "socket")]
    good += [p.call("open", "made", RDWR | CREAT | EXCL, 0o4777), p.call("mkdir", "deep", 0o755), p.call("rename", "made", "deep/made"), p.call("chdir", "deep"),
             p.call("open", "made", WRONLY | TRUNC), p.call("open", "../file", RDONLY), p.call("unlink", "../to_nothing"), p.call("chdir", "/"), p.call("chdir", work)]
    good += [p.call("open", "deep", RDONLY | DIRECTORY)]
    results, _ = t.run(p)
    for n in good:
        t.check(f"call {n} gives {results[n]}", results[n] >= 0)
    p = t.program()
    p.call("open", "deep", RDONLY | DIRECTORY)
    p.call("openat", 3, "made", RDWR)
    p.call("write", 4, RESULTS, 4)
    p.call("openat", 3, "../file", RDONLY)
    p.call("fstatat64", 3, "", BUFFER, 0x1000)
    p.call("open", "/proc/cpuinfo", RDONLY)
    p.call("write", 6, RESULTS, 4)
    p.call("ftruncate", 6, 0)
    p.call("open", "/proc/cpuinfo", RDWR)
    p.call("open", "/proc/self/exe", RDWR)
    p.call("open", "deep/made", WRONLY)
    results, _ = t.run(p)
    t.same("descriptors", results[:6], [3, 4, 4, 5, 0, 6])
    t.check("a text cannot be written", results[6] < 0 and results[7] < 0)
    t.same("opened to write", results[8:], [-EACCES, -EACCES, 7])
    t.same("no set-user-id", os.stat("deep/made").st_mode & 0o7000, 0)
    p = t.program()
    for path in ("fifo", "socket"):
        for flags in (RDONLY, WRONLY, RDWR, RDONLY | NOFOLLOW):
            p.call("open", path, flags)
    results, _ = t.run(p)
    t.same("neither a FIFO nor a socket is opened", set(results), {-EACCES})
    p = t.program()
    p.call("getcwd", BUFFER, 4096)
    p.call("write", 1, BUFFER, len(work))
    _, done = t.run(p)
    t.check("getcwd", done.stdout.startswith(work.encode()))


def descriptors(t):
    """None of the emulator's own can be named; the streams can be closed and replaced, and the emulator keeps its own."""
    p, asked = t.program(), []
    for n in (*range(3, 40), 255, 256, 300, 100000, 0x7fffffff, -1, 0x100000000 + 77):
        asked += [(p.call(name, *arguments), name, arguments) for name, make in DESCRIPTOR_CALLS.items() for arguments in make(n)]
    results, done = t.run(p, "--trace=trace", "--report=report", "--max", "10000000")
    for n, name, arguments in asked:
        wanted = {-EBADF, -EACCES} if name == "mmap" else {-EBADF}  # a shared mapping is refused first
        t.check(f"{name}{arguments} gives {results[n]}", results[n] in wanted)
    with open("trace", encoding="utf-8") as f:
        retired = sum("  retire " in line for line in f)
    with open("report", encoding="utf-8") as f:
        text = f.read()
    t.check(f"trace and report are whole: {retired}", f"CPU 0: {retired} instructions" in text)
    p = t.program()
    steps = [("dup2", 1, 255), ("dup2", 1, 256), ("fcntl", 1, 0, 256), ("fcntl", 1, 0, 40), ("close", 2), ("open", "stream", RDWR | CREAT, 0o644), ("write", 2, SCRATCH, 5),
             ("close", 0), ("read", 0, BUFFER, 1), ("dup", 2), ("close", 2), ("getrlimit", 6, BUFFER)]
    for name, *arguments in steps:
        p.call(name, *arguments)
    p.numbers = {**p.numbers, "unknown": 9999}
    p.call("unknown")
    results, done = t.run(p)
    t.same("streams", results, [255, -EBADF, -EINVAL, 40, 0, 2, 5, 0, -EBADF, 0, 0, 0, -78])
    t.check(f"the emulator has its own stream: {done.stderr}", b"9999" in done.stderr)
    t.same("the program's stream", os.path.getsize("stream"), 5)
    p = t.program()
    for _ in range(260):
        p.call("open", "file", RDONLY)
    results, _ = t.run(p)
    t.same("descriptors to the last", results, [*range(3, 256)] + 7 * [-EMFILE])


def without_streams(t):
    """Streams that the emulator was started without are not there, whatever it opens instead."""
    p = t.program()
    p.call("write", 2, SCRATCH, 7)
    p.call("fstat64", 0, BUFFER)
    p.call("open", "answer", RDWR | CREAT | TRUNC, 0o644)
    p.call("write", 0, RESULTS, 48)
    with open("../program", "wb") as f:
        f.write(p.executable())
    subprocess.run(["/bin/sh", "-c", f'exec "{t.waitgate}" alpha run --trace=trace ../program <&- >&- 2>&-'], check=False, timeout=120)
    with open("answer", "rb") as f:
        values = struct.unpack("<6q", f.read(48))
    t.same("closed streams", values, (EBADF, 1, EBADF, 1, 0, 0))
    with open("trace", "rb") as f:
        t.check("the trace has no byte of the program", b"\0" not in f.read())


def rights(t):
    """--dir, :ro, --no-dir."""
    def one(*options, calls):
        p = t.program()
        for name, *arguments in calls:
            p.call(name, *arguments)
        return t.run(p, "--untimed", *options)[0]
    outside = os.path.abspath("../outside")
    t.same("given", one("--dir", "../outside", calls=[("open", "../outside/secret", RDWR), ("open", outside + "/secret", RDONLY), ("open", "to_secret", RDONLY),
                                                      ("open", "file", RDWR), ("open", "/etc/passwd", RDONLY)]), [3, 4, 5, 6, -ENOENT])
    t.same("to read only", one("--dir", "../outside:ro", calls=[
        ("open", "../outside/secret", RDONLY), ("open", "../outside/secret", RDONLY | CREAT), ("open", "to_secret", RDWR), ("open", "to_secret", RDONLY | TRUNC),
        ("open", "../outside/new", WRONLY | CREAT), ("mkdir", "../outside/new", 0o755), ("mkdir", "../outside/folder", 0o755), ("unlink", "../outside/secret"),
        ("rmdir", "../outside/folder"), ("rename", "../outside/secret", "stolen"), ("rename", "file", "../outside/secret"), ("access", "../outside/secret", 2),
        ("access", "../outside/secret", 4), ("open", "file", RDWR)]),
           [3, 4, -EROFS, -EROFS, -EROFS, -EROFS, -EEXIST, -EROFS, -EROFS, -EROFS, -EROFS, -EROFS, 0, 5])
    t.same("a part to read only", one("--dir", "sub:ro", calls=[
        ("open", "sub/inner", RDONLY), ("open", "sub/inner", RDWR), ("open", "sub/new", WRONLY | CREAT), ("rename", "sub", "bus"), ("rmdir", "sub"), ("mkdir", "up", 0o755),
        ("rename", "sub/inner", "up/inner")]), [3, -EROFS, -EROFS, -EBUSY, -EBUSY, 0, -EROFS])
    t.same("above a part to read only", one("--no-dir", "--dir", "..:rw", "--dir", "sub:ro", calls=[
        ("rename", "../given", "../other"), ("open", "sub/inner", RDWR), ("open", "../outside/secret", RDWR)]), [-EBUSY, -EROFS, 3])
    t.same("the working directory to read only", one("--dir", ".:ro", calls=[("open", "file", RDONLY), ("open", "file", RDWR), ("open", "new", WRONLY | CREAT)]),
           [3, -EROFS, -EROFS])
    t.same("streams only", one("--no-dir", calls=[("open", "file", RDONLY), ("open", os.path.abspath("file"), RDONLY), ("stat64", ".", BUFFER), ("open", "/new", WRONLY | CREAT),
                                                  ("mkdir", "new", 0o755), ("write", 2, SCRATCH, 0)]), [-ENOENT, -ENOENT, 0, -ENOENT, -ENOENT, 0])
    t.same("the whole tree, but not /proc", one("--dir", "/:ro", calls=[
        ("open", "/etc/passwd", RDONLY), ("open", "/proc/self/mem", RDONLY), ("open", "/proc/1/status", RDONLY), ("open", "/proc", RDONLY | DIRECTORY), ("open", "to_mem", RDWR),
        ("open", "/dev/tty", RDONLY), ("open", "/dev/null", RDWR), ("chdir", "/proc/self"), ("open", "fd/3", RDONLY), ("open", "exe", RDONLY)]),
           [3, -ENOENT, -ENOENT, -EACCES, -ENOENT, -EACCES, 4, 0, -ENOENT, 5])
    for option, said in (("/proc", "procfs"), ("/proc/self", "procfs"), ("nothing", "nothing"), ("file", "file"), ("fifo:ro", "fifo")):
        done = subprocess.run([t.waitgate, "alpha", "run", "--dir", option, "../program"], capture_output=True, check=False, timeout=60)
        t.check(f"--dir {option}: {done}", done.returncode == 1 and said.encode() in done.stderr)
    done = subprocess.run([t.waitgate, "alpha", "run", *(17 * ["--dir", "."]), "../program"], capture_output=True, check=False, timeout=60)
    t.check(f"17 directories: {done}", done.returncode == 2)


def mounted_proc(t):
    """A procfs that lies inside a given directory is not reached either. Where nothing can be mounted, not looked at."""
    os.mkdir("mounted")
    p = t.program()
    for path in ("mounted/self/mem", "mounted/1/mem", "mounted/self", "mounted/cpuinfo"):
        p.call("open", path, RDONLY)
    p.call("open", "mounted", RDONLY | DIRECTORY)
    with open("../program", "wb") as f:
        f.write(p.executable())
    script = f'mount --bind /proc mounted || exit 99; exec "{t.waitgate}" alpha run --untimed ../program'
    try:
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "/bin/sh", "-c", script], capture_output=True, check=False, timeout=60)
    except FileNotFoundError:
        return
    if done.returncode or len(done.stdout) != 16 * p.n:
        print(f"not looked at: {done.stderr}")
        return
    t.same("a mounted procfs", set(struct.unpack(f"<{2 * p.n}q", done.stdout)), {ENOENT, 1})


def memory_map(t):
    """MAP_FIXED replaces, MAP_FIXED_NOREPLACE does not; neither takes the tile's window; limits hold for what is mapped."""
    free = DATA + 0x1000000
    p = t.program()
    steps = [("mmap", DATA, 0x2000, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0), ("mmap", DATA - 0x2000, 0x4000, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0),
             ("mmap", free, 0x2000, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0), ("mmap", free, 0x2000, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0),
             ("mmap", DATA + 0xf0000, 0x2000, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0), ("mmap", DATA, 0x4000, 3, PRIVATE | ANONYMOUS, -1, 0),
             ("mmap", free + 0x1000, 0x2000, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0)]
    for name, *arguments in steps:
        p.call(name, *arguments)
    results, _ = t.run(p)
    t.same("mappings", results[:5], [-EEXIST, -EEXIST, free, -EEXIST, DATA + 0xf0000])
    t.check(f"a hint that is taken: {results[5]:x}", results[5] > 0 and results[5] != DATA)
    t.same("not at a page", results[6], -EINVAL)
    p, wanted = t.program(), []
    end = WINDOW + WINDOW_SIZE
    for at, size in ((WINDOW, 0x2000), (WINDOW - 0x2000, 0x4000), (end - 0x2000, 0x4000), (WINDOW - 0x2000, WINDOW_SIZE + 0x4000), (WINDOW + 0x200000, 0x2000)):
        p.call("mmap", at, size, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0)
        p.call("mmap", at, size, 3, PRIVATE | ANONYMOUS | NOREPLACE, -1, 0)
        p.call("mprotect", at, size, 3)
        wanted += [-ENOMEM, -EEXIST, -ENOMEM]
    p.call("mmap", WINDOW - 0x2000, 0x2000, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0)
    p.call("mmap", end, 0x2000, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0)
    p.call("mremap", WINDOW - 0x2000, 0x2000, 0x4000, 0)
    p.call("munmap", WINDOW, WINDOW_SIZE)
    p.call("mmap", WINDOW, 0x2000, 3, PRIVATE | ANONYMOUS, -1, 0)
    p.call("mmap", WINDOW, 0x2000, 3, PRIVATE | ANONYMOUS | FIXED, -1, 0)
    results, _ = t.run(p, "--tile")
    t.same("over the window", results[:len(wanted)], wanted)
    t.same("beside the window", results[len(wanted):-2], [WINDOW - 0x2000, end, -ENOMEM, 0])
    t.check(f"a hint in the window: {results[-2]:x}", results[-2] > 0 and not WINDOW <= results[-2] < end)
    t.same("after munmap", results[-1], -ENOMEM)
    p = t.program()
    for i in range(400):
        p.call("mmap", (1 << 34) + (i << 23), 0x2000, 0, PRIVATE | ANONYMOUS | FIXED, -1, 0)
    results, _ = t.run(p, "--untimed", "--memory", "6")
    t.check("page tables count", results[0] > 0 and results[-1] == -ENOMEM and 10 < sum(r > 0 for r in results) < 250)


def others(t):
    """Nobody else can be sent a signal."""
    p = t.program()
    for who in (1, -1, 2, os.getpid(), os.getppid(), -os.getpid(), -1000):
        p.call("kill", who, 0)
        p.call("tkill", who, 0)
        p.call("tgkill", who, who, 0)
        p.call("tgkill", 1000, who, 0)
    results, _ = t.run(p)
    t.same("signals to others", set(results), {-ESRCH})


def fp_control(t):
    """What was set is read back, where the program wants it and nowhere else."""
    p = t.program()
    p.call("osf_setsysinfo", 14, SCRATCH + 8, 8)
    p.call("osf_getsysinfo", 45, BUFFER, 8)
    p.call("osf_getsysinfo", 45, 8, 8)
    p.call("osf_getsysinfo", 44, BUFFER, 8)
    results, _ = t.run(p)
    t.same("floating point control", results, [0, 0, -EFAULT, -EOPNOTSUPP])


def made_files(t):
    """A file with a text that the emulator makes, and cannot write because no file may be larger than nothing."""
    p = t.program()
    p.call("open", "/proc/cpuinfo", RDONLY)
    p.call("read", 3, BUFFER, 4)
    results, _ = t.run(p)
    t.same("a file that is made", results, [3, 4])

    def nothing():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    results, _ = t.run(p, preexec_fn=nothing)
    t.same("a file that cannot be made", results, [-EIO, -EBADF])
    p = t.program()
    for _ in range(30):
        p.call("open", "/proc/cpuinfo", RDONLY)
    p.call("fstat64", 0, BUFFER)
    results, _ = t.run(p, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (20, 20)))
    t.same("a file too many", (results[0], results[-2:]), (3, [-EMFILE, 0]))


def main():
    waitgate, table = sys.argv[1:]
    with open(table, encoding="utf-8") as f:
        numbers = {name: int(number) for number, name in re.findall(r'^CALL\((\d+), "(\w+)"', f.read(), re.M)}
    known = {*PATH_CALLS, *ENTRY_CALLS, *CHANGE_CALLS, *DESCRIPTOR_CALLS, *NEITHER}
    tester = Tester(os.path.abspath(waitgate), numbers)
    tester.same("calls that this test knows", known, set(numbers))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(os.path.realpath(folder))
        os.mkdir("given")
        make_world()
        for check in (nothing_outside, what_was_given, descriptors, without_streams, rights, mounted_proc, memory_map, fp_control, made_files, others):
            print(check.__name__)
            check(tester)
        os.chdir("/")
    return tester.fails != 0


if __name__ == "__main__":
    sys.exit(main())
