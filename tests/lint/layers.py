#!/usr/bin/env python3
"""Check every #include against src/LAYERS: which folder may include which."""
import os
import re

import tree

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)


def read_layers(root):
    """The rules of src/LAYERS: {folder: folders}, and {unit/block or shared: headers}."""
    may, headers, errors = {}, {"shared": set()}, []
    for line in tree.read(root, "src/LAYERS").splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        folder, names = (part.strip() for part in line.split(":"))
        if folder == "shared" or folder.startswith("unit/"):
            headers[folder] = set(names.split())
            continue
        may[folder] = set(names.split())
        later = may[folder] - set(may)
        if later:
            errors.append(f"src/LAYERS: {folder} names {', '.join(sorted(later))}, "
                          "which must stand above it")
    return may, headers, errors


def folder_of(name):
    """src/unit/gate.c -> unit; cli/main.c -> cli; include/waitgate.h -> include."""
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


def own_header(name, target):
    """gate.c may include gate.h; gate_latch.c and gate_latch.h may, too; tables are private."""
    stem = os.path.splitext(os.path.basename(name))[0]
    head, suffix = os.path.splitext(os.path.basename(target))
    return stem == head or stem.startswith(head + "_") or (suffix == ".def" and
                                                           head.startswith(stem))


def verdict(name, target, may, headers):
    """Why name may not include target, or None if it may."""
    here, there = folder_of(name), folder_of(target)
    if here == there:
        block = "unit/" + os.path.splitext(os.path.basename(name))[0]
        known = headers["shared"] | headers.get(block, set())
        if here != "unit" or os.path.basename(target) in known or own_header(name, target):
            return None
        return "a unit may include only its own header and the shared state"
    if there in may[here]:
        return None
    return f"{here} may not include {there}"


def main():
    root = tree.options(__doc__).root
    may, headers, errors = read_layers(root)
    names = tree.files(root, (".c", ".h", ".def"), ("src/", "cli/", "include/", "examples/"))
    for name in names:
        if folder_of(name) not in may:
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
                continue
            why = verdict(name, path, may, headers)
            if why:
                errors.append(f'{where}: "{target}": {why}')
    tree.finish(errors, len(names))


if __name__ == "__main__":
    main()
