#!/usr/bin/env python3
"""Check that functions named in comments and pages exist: what is written as name() is defined somewhere.

Somewhere is any C file of the tree, as a function, a macro or a pointer to a function, or the C library
and the kernel's interface, as far as they are listed here.
"""
import re

import csource
import tree

OUTSIDE = set("""
abort calloc close exit fclose fopen fork fread free fseek fsync ftruncate fwrite getenv getrandom
ioctl kill lseek main malloc memcmp memcpy memfd_create memmove memset mmap mprotect munmap nanosleep
open osf_setsysinfo pread printf pthread_create pthread_join pwrite qsort rand read readv realloc
setjmp sigaction siglongjmp sleep snprintf strcmp strlen strtoul tgkill tkill umask usleep vsnprintf
write writev
""".split())
NAMED = re.compile(r"(?<![\w.:$])([A-Za-z_]\w*)\(\)")
IN_PAGE = re.compile(r"`([a-z_]\w*)\(\)`")


def main():
    root = tree.options(__doc__).root
    errors, known = [], set(OUTSIDE)
    names = tree.files(root, (".c", ".h", ".def"))
    texts = {name: tree.read(root, name) for name in names}
    for text in texts.values():
        known.update(function for function, _, _ in csource.functions(text))
        known.update(csource.macros(text))
        known.update(csource.pointers(text))
    if "include/waitgate.h" in texts:
        known.update(re.findall(r"\b(waitgate_\w+)\(", tree.blank(texts["include/waitgate.h"])))
    for name, text in texts.items():
        for line, comment in csource.comments(text):
            for match in NAMED.finditer(comment):
                if match.group(1) not in known:
                    at = line + comment.count("\n", 0, match.start())
                    errors.append(f"{name}:{at}: there is no {match.group(1)}()")
    pages = tree.files(root, (".md",))
    for name in pages:
        for number, line in enumerate(tree.read(root, name).splitlines(), 1):
            errors += [f"{name}:{number}: there is no {found}()"
                       for found in IN_PAGE.findall(line) if found not in known]
    tree.finish(errors, len(names) + len(pages))


if __name__ == "__main__":
    main()
