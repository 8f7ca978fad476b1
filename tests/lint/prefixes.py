#!/usr/bin/env python3
"""Check that a function's prefix is its file: whoever reads a name knows where it is written.

This holds for functions that others can call: those with external linkage, and those in headers. The
name of one in front/gate.c is gate, gate_... or, where the file's name says too little alone,
front_gate_.... X_in.h is the inside of the block X. Two kinds have names that a table gives:
- what an instruction does, <unit>_<opcode>, in a file of that unit: vector_sfpmad() in vector_mad.c;
  or <unit>_<word>, if the unit's table, <unit>.def, names the word
- the public API: names of waitgate.h, and the functions that ttsim.h hands to the vendor's software
Private functions may be called as they like.
"""
import os
import re

import csource
import tree


def public(root):
    """The names that the outside has fixed."""
    texts = [tree.read(root, name) for name in ("include/waitgate.h", "src/dropin/ttsim.h")
             if os.path.isfile(os.path.join(root, name))]
    return set(re.findall(r"\b(?:waitgate|libttsim)_\w+", "\n".join(texts)))


def opcodes(root):
    """sfpmad, sfpstochrnd, ...: opcodes as names of functions have them."""
    name = "src/isa/tensix.def"
    if not os.path.isfile(os.path.join(root, name)):
        return set()
    found = re.findall(r"^\s*INSN\((\w+)", tree.read(root, name), re.M)
    return {word.lower().replace("_", "") for word in found}


def tables(root):
    """{unit: words of its table}."""
    names = tree.files(root, (".def",), ("src/",))
    return {os.path.basename(name)[:-4]: set(re.findall(r"\b[a-z]\w*", tree.blank(tree.read(root, name))))
            for name in names if name.split("/")[1] == os.path.basename(name)[:-4]}


def fits(function, name, instructions, words):
    folder, stem = name.split("/")[-2:]
    stem = os.path.splitext(stem)[0].removesuffix("_in")
    if any(function == prefix or function.startswith(prefix + "_")
           for prefix in (stem, f"{folder}_{stem}")):
        return True
    unit = stem.split("_")[0]
    rest = function.removeprefix(unit + "_")
    return rest != function and (rest in instructions or rest in words.get(unit, ()))


def main():
    root = tree.options(__doc__).root
    errors, api, instructions, words = [], public(root), opcodes(root), tables(root)
    names = tree.files(root, (".c", ".h"), ("src/",))
    for name in names:
        for function, private, line in csource.functions(tree.read(root, name)):
            if (private and name.endswith(".c")) or function in api or function.isupper():
                continue
            if not fits(function, name, instructions, words):
                errors.append(f"{name}:{line}: {function}(): its prefix is not its file")
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
