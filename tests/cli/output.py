"""What the program writes is complete, or there is a message and an exit status: full disks, closed pipes, signals, long runs.

usage: output.py WAITGATE

Programs are assembled here: no compiler is needed. A run that is interrupted must have written, up to the cycle that it names,
what a run with that limit writes.
"""
import json
import os
import re
import resource
import signal
import struct
import subprocess
import sys
import tempfile

FULL = "/dev/full"
LOST = "waitgate: .*(No space left on device|File too large|Broken pipe|Bad file descriptor)"
MANY = "1000000000000"


def riscv(words):
    """An executable for a core: code at 0."""
    code = struct.pack(f"<{len(words)}I", *words)
    header = b"\x7fELF\1\1\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 243, 1, 0, 52, 0, 0, 52, 32, 1, 40, 0, 0)
    return header + struct.pack("<IIIIIIII", 1, 84, 0, 0, len(code), len(code), 5, 4) + code


def alpha(words):
    """A static executable for Alpha Linux."""
    base, headers = 0x120000000, 64 + 56
    body = bytes(headers) + struct.pack(f"<{len(words)}I", *words)
    header = b"\x7fELF\2\1\1" + bytes(9)
    header += struct.pack("<HHIQQQIHHHHHH", 2, 0x9026, 1, base + headers, 64, 0, 0, 64, 56, 1, 64, 0, 0)
    header += struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, len(body), len(body), 0x2000)
    return header + body[headers:]


# for (;;) s[0]++; at 0x30000, and the same with an end
LOOP = [0x000302b7, 0x0002a303, 0x00130313, 0x0062a023, 0xff5ff06f]
SHORT = [0x000302b7, 0x06400393, 0x0002a303, 0x00130313, 0x0062a023, 0xfff38393, 0xfe0398e3, 0x00100073]
ALPHA_LOOP = [0xc3ffffff]
ALPHA_EXIT = [0x22000000 | 31 << 16, 0x20000001 | 31 << 16, 0x83]  # lda a0, 0; lda v0, 1; callsys
SCRIPT = ".preset\n  sem 1 = 0\n.core T0\n  ttnop\n  ttsemwait 1, 2, 1\n  ttnop\n"
# a MOP of some 16000 words, again and again
ENDLESS = ".preset\n" + "".join(f"  mopcfg T0 {i} = {value}\n" for i, value in enumerate([127, 127] + 7 * ["ttnop"]))
ENDLESS += ".core T0\n.repeat 60000\n  ttmop 1, 0, 0\n.end\n"


class Test:
    def __init__(self, program):
        self.program, self.failures = program, 0

    def fail(self, text):
        self.failures += 1
        print(text)

    def run(self, *words, **options):
        """Status, output, errors. out: a file for standard output."""
        out = options.pop("out", None)
        with open(out or os.devnull, "wb") as to:
            done = subprocess.run([self.program, *words], stdout=to if out else subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, timeout=120, check=False, **options)
        return done.returncode, done.stdout, done.stderr

    def expect(self, status, pattern, *words, **options):
        got, out, errors = self.run(*words, **options)
        if got != status or not re.search(pattern, errors) or (status == 1 and errors.count("waitgate:") != 1):
            self.fail(f"{' '.join(words)}: expected status {status} and one message like '{pattern}', got {got}:\n{errors}")
        return out

    def interrupt(self, number, trace, *words):
        """Sends a signal as soon as there is a trace; returns output and errors."""
        with subprocess.Popen([self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            while child.poll() is None and not (os.path.exists(trace) and os.path.getsize(trace) > 100000):
                pass
            child.send_signal(number)
            out, errors = child.communicate(timeout=120)
        if child.returncode != 128 + number or f"interrupted by signal {int(number)}" not in errors:
            self.fail(f"{' '.join(words)}: expected status {128 + number}, got {child.returncode}: {errors}")
        return out


def traces():
    """Command lines whose traces do not end by themselves, but for the name of the trace."""
    yield "run", "--brisc", "loop.elf", "--max-cycles", MANY
    yield "run", "--brisc", "loop.elf", "--no-skip", "--max-cycles", MANY
    yield "run", "--brisc", "loop.elf", "--untimed", "--max-steps", MANY
    yield "run", "endless.tts", "--max-cycles", MANY
    yield "alpha", "run", "*", "aloop"
    yield "alpha", "run", "--tile", "*", "aloop"
    yield "alpha", "run", "--untimed", "*", "aloop"


def with_trace(words, trace):
    """A command line that writes a trace."""
    option = f"--trace={trace}"
    return [option if word == "*" else word for word in words] if "*" in words else [*words, option]


def limited(size):
    """Files may have so many bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def check_full(t):
    """A disk that is full, at once and after a while, at the last write: each subcommand, each kind of output."""
    for words in traces():
        t.expect(1, LOST, *with_trace(words, FULL))
        t.expect(1, LOST, *with_trace(words, "trace.txt"), preexec_fn=limited(300000))
    short = ["run", "--brisc", "short.elf"]
    t.expect(1, LOST, *short, f"--trace={FULL}")  # a trace that fits into a buffer
    t.expect(1, LOST, "run", "script.tts", "--quiet", f"--trace={FULL}")
    t.expect(1, LOST, "alpha", "run", f"--trace={FULL}", "aexit")
    t.expect(1, LOST, "alpha", "run", "--tile", f"--trace={FULL}", "aexit")
    t.expect(1, LOST, "alpha", "run", f"--json={FULL}", "aexit")
    t.expect(1, LOST, "alpha", "run", f"--report={FULL}", "aexit")
    t.expect(1, LOST, *short, f"--dump=0x30000:64={FULL}")
    for words in (["--trace"], ["--report"], ["--json"], ["--untimed"], ["--untimed", "--trace"], ["--help"]):
        t.expect(1, LOST, *short, *words, out=FULL)
    for words in (["--help"], ["--version"], ["isa"], ["timing"], ["asm", "ttnop"], ["disasm", "0x02000000"],
                  ["alpha", "latencies"], ["alpha", "--help"], ["run", "done.tts"], ["run", "done.tts", "--json"],
                  ["run", "done.tts", "--trace"], ["run", "done.tts", "--report"], ["run", "--help"]):
        t.expect(1, LOST, *words, out=FULL)
    with open(FULL, "wb") as full:  # there is no message then, but a status
        for words in (["alpha", "run", "--report", "aexit"], ["alpha", "run", "--json", "aexit"]):
            status = subprocess.run([t.program, *words], stderr=full, timeout=120, check=False).returncode
            if status != 1:
                t.fail(f"{words}, standard error full: expected status 1, got {status}")


def check_pipe(t):
    """A reader that goes away ends the run: by SIGPIPE, or with an error where that is ignored."""
    for words in traces():
        if "*" in words:
            words = with_trace(words, "/dev/stdout")
        else:
            words = [*words, "--trace"]
        for ignored in (False, True):
            with subprocess.Popen([t.program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=(lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)) if ignored else None,
                                  restore_signals=not ignored) as child:
                child.stdout.readline()
                child.stdout.close()
                errors = child.stderr.read()
                status = child.wait(timeout=120)
            if status != (1 if ignored else -signal.SIGPIPE) or (ignored and not re.search(LOST, errors)):
                t.fail(f"{' '.join(words)}: reader gone, SIGPIPE ignored: {ignored}: status {status}: {errors}")


def check_interrupted(t):
    """A signal ends a run at a cycle; what it has written is what a run with that limit writes."""
    for number, words in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP) * 3, traces()):
        if os.path.exists("cut.txt"):
            os.unlink("cut.txt")
        report = "--untimed" not in words
        if report and "*" in words:
            words = [words[0], words[1], "--json=cut.json", *words[2:]]
        elif report:
            words = [*words, "--json"]
        out = t.interrupt(number, "cut.txt", *with_trace(words, "cut.txt"))
        if report and "*" in words:
            with open("cut.json", encoding="utf-8") as file:
                out = file.read()
        with open("cut.txt", encoding="utf-8") as file:
            cut = file.read()
        end = json.loads(out)["cycles"] if report else int(cut.splitlines()[-1].split()[0]) + 1
        if report and json.loads(out)["end"] != "interrupted":
            t.fail(f"{words}: end {json.loads(out)['end']}")
        again = [str(end) if word == MANY else word for word in words]
        if "*" in words:
            again[2:2] = ["--max", str(end)]
        t.run(*with_trace(again, "whole.txt"))
        with open("whole.txt", encoding="utf-8") as file:
            if file.read() != cut:
                t.fail(f"{words}: interrupted in cycle {end}, the trace is not that of a run of {end} cycles")


def check_memory(t):
    """A trace needs no more memory for more cycles."""
    def most(cycles):
        code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); " \
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        words = [t.program, "run", "--brisc", "loop.elf", "--max-cycles", str(cycles), "--trace"]
        return int(subprocess.run([sys.executable, "-c", code, *words], capture_output=True, timeout=120, check=True).stdout)
    few, many = most(30000), most(300000)
    if many > few + 1024:
        t.fail(f"{few} KiB with 30000 cycles, {many} KiB with 300000")


def check_untimed(t):
    """Without time there is a line per step of a core, and the number of steps before it."""
    t.run("run", "--brisc", "short.elf", "--untimed", "--trace=untimed.txt", "--max-steps", "100")
    with open("untimed.txt", encoding="utf-8") as file:
        lines = [line.split(None, 3) for line in file]
    numbers = [int(number) for number, *_ in lines]
    if numbers != list(range(100)) or any(line[1:] != ["core", "B", line[3]] for line in lines):
        t.fail(f"untimed: {lines[:3]} ... {lines[-3:]}")
    t.run("alpha", "run", "--untimed", "--trace=untimed.txt", "aexit")
    with open("untimed.txt", encoding="utf-8") as file:
        lines = [line.split(None, 5) for line in file]
    if [line[:4] for line in lines] != [[str(i), "CPU", "0", "retire"] for i in range(3)]:
        t.fail(f"alpha, untimed: {lines}")
    t.expect(2, "--untimed does not go with", "run", "--brisc", "short.elf", "--untimed", "--report")


def main():
    t = Test(os.path.abspath(sys.argv[1]))
    files = {"loop.elf": riscv(LOOP), "short.elf": riscv(SHORT), "aloop": alpha(ALPHA_LOOP), "aexit": alpha(ALPHA_EXIT)}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, data in files.items():
            with open(name, "wb") as file:
                file.write(data)
        with open("script.tts", "w", encoding="utf-8") as file:
            file.write(SCRIPT)
        with open("done.tts", "w", encoding="utf-8") as file:
            file.write(".core T0\n  ttnop\n")
        with open("endless.tts", "w", encoding="utf-8") as file:
            file.write(ENDLESS)
        for check in (check_full, check_pipe, check_interrupted, check_memory, check_untimed):
            check(t)
        os.chdir("/")
    return 1 if t.failures else 0


if __name__ == "__main__":
    sys.exit(main())
