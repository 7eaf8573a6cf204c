# SPDX-License-Identifier: Apache-2.0
"""The names that tell kernels and programs apart, whoever wrote them."""
import pathlib
import re
import shlex

PROGRAM = re.compile(r"\.(cu|ptx|wmtrace|traceg|traceg\.xz|g)$")


def from_mangled(name):
    """The last name of an Itanium mangled one before its template arguments and parameters:
    _ZN3abc6kernelIfEEvPT_ -> kernel. None when it is not of that form."""
    rest = name[2:]
    nested = rest.startswith("N")
    rest = re.sub(r"^N?[rVK]*L?", "", rest)
    found = None
    while match := re.match(r"L?(\d+)", rest):
        end = match.end() + int(match[1])
        if end > len(rest):
            return None
        found, rest = rest[match.end() : end], rest[end:]
        if not nested:
            break
    return found


def without_templates(text):
    depth, kept = 0, []
    for letter in text:
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter != ">":
            kept.append(letter)
    return "".join(kept)


def kernel_base(name):
    """A kernel's name without return type, namespaces, template arguments and parameters. Tools
    write these differently, or leave them out."""
    name = name.strip()
    if name.startswith("_Z"):
        return from_mangled(name) or name
    bare = name.replace("(anonymous namespace)::", "").replace("<unnamed>::", "")
    bare = without_templates(bare).split("(")[0].split()
    return bare[-1].rsplit("::", 1)[-1] if bare else name


def program_of(manifest):
    """The program's file name without its ending, from the command line of a run; empty when that
    does not tell. A folder of traces has its own name."""
    try:
        words = shlex.split(manifest.get("command", ""))
    except ValueError:
        return ""
    if "--" in words:
        words = words[: words.index("--")]
    if not words:
        return ""
    program = next((word for word in words if PROGRAM.search(word)), None)
    if program is None:
        program = words[-1] if words[:2] == ["warpmem", "run"] else words[0]
    path = pathlib.PurePath(program)
    if path.name == "kernelslist.g" and path.parent.name:
        return path.parent.name
    return PROGRAM.sub("", path.name)
