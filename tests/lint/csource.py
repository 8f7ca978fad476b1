"""csource.py - functions and comments in C text that is laid out as .clang-format says."""
import re

import tree

COMMENT = re.compile(r'(/\*.*?\*/|//[^\n]*)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\((?!\*)")


def functions(text):
    """(name, private, line) of each function that is defined here. A body begins with a "{" alone in
    column 0. Private: static, or behind a macro of this file that says static."""
    bare = tree.blank(text)
    private = re.findall(r"^#define (\w+)[ \t]+(?:[^\n]*\\\n)*[^\n]*\bstatic\b", bare, re.M)
    private = re.compile(r"\b(?:static|HOT_INLINE" + "".join("|" + name for name in private) + r")\b")
    lines = bare.split("\n")
    for number, line in enumerate(lines):
        if line != "{" or number == 0:
            continue
        first = number - 1
        while first > 0 and (not lines[first] or lines[first][0] in " \t)"):
            first -= 1
        head = re.sub(r"__attribute__\s*\(\(.*?\)\)", "", "\n".join(lines[first:number]), flags=re.S)
        call = CALL.search(head)
        if head.startswith("#") or not call or head.rstrip().endswith(("=", "\\")):
            continue
        yield call.group(1), bool(private.search(head)), first + 1


def macros(text):
    """Names of the macros with parameters that are defined here."""
    return re.findall(r"^\s*#\s*define\s+(\w+)\(", tree.blank(text), re.M)


def pointers(text):
    """Names of pointers to functions: members, parameters."""
    return re.findall(r"\(\s*\*\s*(?:const\s+)?(\w+)\s*\)\s*\(", tree.blank(text))


def comments(text):
    """(line, text) of each comment."""
    for match in COMMENT.finditer(text):
        if match.group(1):
            yield text.count("\n", 0, match.start()) + 1, match.group(1)
