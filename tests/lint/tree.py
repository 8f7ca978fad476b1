"""tree.py - the files a lint looks at, and C text without its comments and strings."""
import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SKIPPED = 77


def options(doc, *extra):
    """Parse --root and whatever else the lint needs; extra is (flag, help) pairs."""
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("--root", default=ROOT, help="the tree to check")
    for flag, text in extra:
        parser.add_argument(flag, help=text)
    args = parser.parse_args()
    args.root = os.path.realpath(args.root)
    return args


def files(root, suffixes=("",), folders=("",)):
    """Paths, relative to root, of the tracked files; of all files if root is not a checkout."""
    def git(*words):
        try:
            done = subprocess.run(("git", "-C", root) + words, capture_output=True, text=True)
        except FileNotFoundError:
            return None
        return done.stdout if done.returncode == 0 else None

    top = git("rev-parse", "--show-toplevel")
    if top is not None and os.path.realpath(top.strip()) == root:
        names = git("ls-files", "-z").split("\0")
    else:
        names = []
        for folder, below, plain in os.walk(root):
            below[:] = [name for name in below if name not in (".git", "build", "__pycache__")]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in plain]
    return sorted(name for name in names
                  if name and name.endswith(tuple(suffixes)) and name.startswith(tuple(folders))
                  and os.path.isfile(os.path.join(root, name)))


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8", errors="replace") as file:
        return file.read()


def blank(text, strings=True):
    """C text with comments (and string and character constants) blanked, lines kept."""
    def spaces(match):
        piece = match.group(0)
        if piece[0] in "\"'" and not strings:
            return piece
        return re.sub(r"[^\n]", " ", piece)

    token = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    return re.sub(token, spaces, text, flags=re.S)


def finish(errors, checked, warnings=()):
    """Print the findings and leave with the status of the test. To check nothing is to fail."""
    errors = list(errors) if checked else ["nothing to check"]
    for line in warnings:
        print(f"warning: {line}")
    for line in errors:
        print(f"error: {line}")
    print(f"{checked} files checked, {len(errors)} errors, {len(warnings)} warnings")
    sys.exit(1 if errors else 0)
