#!/usr/bin/env python3
"""Check what is built: `make demo` needs no test, and a tree without tests has a suite that fails.

    builds.py BUILD    BUILD: a configured tree, by Ninja
"""
import os
import subprocess
import sys
import tempfile

import tree


def output(*command):
    done = subprocess.run(command, cwd=tree.ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def demo(build):
    """The steps of the demo's target are those of the program and its kernel."""
    errors = []
    code, steps = output("ninja", "-C", build, "-t", "commands", "demo")
    if code or "cli/main.c" not in steps:
        errors.append("the demo does not build the program")
    for step in steps.splitlines():
        if "tests/" in step:
            errors.append(f"the demo builds a test: {step[-100:]}")
            break
    _, commands = output("make", "-n", "demo")
    builds = [line for line in commands.splitlines() if "cmake --build" in line]
    if len(builds) != 1 or not builds[0].endswith("--target demo"):
        errors.append(f"make demo builds something else: {builds}")
    return errors


def empty(*options):
    """A tree that is configured this way has a suite that fails."""
    with tempfile.TemporaryDirectory() as build:
        code, text = output("cmake", "-S", tree.ROOT, "-B", build, "-G", "Ninja", *options)
        if code:
            return [f"{' '.join(options)}: is not configured\n{text}"]
        code, text = output("ctest", "--test-dir", build)
        return [] if code and "not built" in text + output("ctest", "--test-dir", build, "-V")[1] \
            else [f"{' '.join(options)}: a suite without tests passes\n{text}"]


def main():
    if output("ninja", "--version")[0] or not os.path.exists(os.path.join(sys.argv[1], "build.ninja")):
        sys.exit(tree.SKIPPED)
    errors = demo(sys.argv[1]) + empty("-DCMOCKA_LIBRARY=OFF") + empty("-DWAITGATE_TESTS=OFF")
    tree.finish(errors, 3)


if __name__ == "__main__":
    main()
