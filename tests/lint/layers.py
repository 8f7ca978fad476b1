#!/usr/bin/env python3
"""Check every #include against src/LAYERS: which folder may include which."""
import os
import re

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def read_layers(root):
    """The rules of src/LAYERS, {folder: folders it may include}, and what is wrong with them.

    "units = gate pack" gives several folders one name; a row for that name is one for each of them.
    """
    may, groups, errors = {}, {}, []
    for line in tree.read(root, "src/LAYERS").splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        name, names = (part.strip() for part in re.split("[:=]", line, maxsplit=1))
        names = [one for word in names.split() for one in groups.get(word, [word])]
        if "=" in line:
            groups[name] = names
            continue
        errors += [f"src/LAYERS: {name} names {one}, which must stand above it"
                   for one in names if one not in may]
        may.update({folder: set(names) for folder in groups.get(name, [name])})
    for folder in may:
        if not tree.files(root, (".c", ".h", ".def"), (f"src/{folder}/", f"{folder}/")):
            errors.append(f"src/LAYERS: there is no folder {folder}")
    return may, errors


def folder_of(name):
    """src/front/gate.c -> front; cli/main.c -> cli; include/waitgate.h -> include."""
    parts = name.split("/")
    return parts[1] if parts[0] == "src" else parts[0]


def resolve(root, name, quote, target):
    """The file, relative to root, that an include means; None for a system header."""
    places = ["src", "include"]
    if quote == '"':
        places.insert(0, os.path.dirname(name))
    for place in places:
        path = os.path.normpath(os.path.join(place, target))
        if os.path.isfile(os.path.join(root, path)):
            return path
    return None


def main():
    root = tree.options(__doc__).root
    may, errors = read_layers(root)
    names = tree.files(root, (".c", ".h", ".def"), ("src/", "cli/", "include/", "examples/"))
    for name in names:
        here = folder_of(name)
        if here not in may:
            errors.append(f"{name}: its folder is not in src/LAYERS")
            continue
        text = tree.blank(tree.read(root, name), strings=False)
        for match in INCLUDE.finditer(text):
            where = f"{name}:{text.count(chr(10), 0, match.start(2)) + 1}"
            quote, target = match.groups()
            if ".." in target.split("/"):
                errors.append(f'{where}: "{target}": name the folder from src/, not with ..')
                continue
            path = resolve(root, name, quote, target)
            if path is None:
                if quote == '"':
                    errors.append(f'{where}: "{target}": no such file')
            elif folder_of(path) != here and folder_of(path) not in may[here]:
                errors.append(f'{where}: "{target}": {here} may not include {folder_of(path)}')
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
