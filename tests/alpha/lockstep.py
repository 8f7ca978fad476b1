"""Runs an Alpha program in QEMU and here, side by side, and compares every instruction (see lockstep.c).

usage: lockstep.py LOCKSTEP PROGRAM untimed|pipeline [LIMIT [SETTINGS...]]

The stack that QEMU has made is read over its debugger's socket; then the program is run again with a log of all registers, which goes
through a pipe.
"""
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

QEMU = shutil.which("qemu-alpha") or "qemu-alpha"


def packet(sock, text):
    data = b"$" + text + b"#%02x" % (sum(text) & 255)
    sock.sendall(data)
    answer = b""
    while True:
        answer += sock.recv(65536)
        at = answer.find(b"$")
        end = answer.find(b"#", at)
        if at >= 0 and end >= 0 and len(answer) >= end + 3:
            sock.sendall(b"+")
            return answer[at + 1:end]


def read_stack(program, folder):
    """The bytes from the stack pointer at the entry point up."""
    path = os.path.join(folder, "gdb")
    qemu = subprocess.Popen([QEMU, "-seed", "1", "-g", path, program], env={}, stdin=subprocess.DEVNULL,
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        sock = socket.socket(socket.AF_UNIX)
        for _ in range(200):
            try:
                sock.connect(path)
                break
            except OSError:
                time.sleep(0.05)
        registers = packet(sock, b"g")
        sp = int.from_bytes(bytes.fromhex(registers[30 * 16:31 * 16].decode()), "little")
        out = b""
        while len(out) < 1 << 16:
            size = 512
            while size:
                answer = packet(sock, b"m%x,%x" % (sp + len(out), size))
                if not answer.startswith(b"E") and answer:
                    break
                size //= 2
            if not size:
                break
            out += bytes.fromhex(answer.decode())
        sock.sendall(b"$k#6b")
        sock.close()
        return out
    finally:
        qemu.kill()
        qemu.wait()


def main():
    lockstep, program, mode = sys.argv[1:4]
    more = sys.argv[4:]
    with tempfile.TemporaryDirectory() as folder:
        stack = os.path.join(folder, "stack")
        with open(stack, "wb") as f:
            f.write(read_stack(program, folder))
        log = os.path.join(folder, "log")
        os.mkfifo(log)
        qemu = subprocess.Popen([QEMU, "-seed", "1", "-singlestep", "-d", "cpu,fpu,nochain", "-D", log, program],
                                env={}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        try:
            ours = subprocess.run([lockstep, program, mode, stack, log] + more, env={}, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, check=False)
        finally:
            qemu.kill()
            qemu.wait()
    return ours.returncode


if __name__ == "__main__":
    sys.exit(main())
