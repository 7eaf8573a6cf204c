#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a hardware unit stands in more places than its description makes necessary.

usage: check_units.py [ROOT]
       check_units.py --self-test

A unit NAME is systemc/units/NAME/ and rtl/NAME/. What treats units alike (cosim, formal, mutation,
the commands) walks over the descriptions and names none; elsewhere few files do: the class and its
place in the machine, tests, faults.
"""
import pathlib
import re

import programs
import source_check

# What treats units alike, but for these: the machine's interfaces, and the handlers of a design.
ALIKE = ["cosim/", "formal/", "mutation/", "sweeps/", "synth/", "systemc/app/"]
MAY_NAME = {"cosim/unit_adapters.hpp", "cosim/unit_factories.cpp", "synth/miss_handler.cpp",
            "synth/scaling.cpp"}
# Pages, tools and what belongs to one unit alone are not counted.
OWN = ["docs/", "experiments/", "mutation/faults/", "tools/"]
MOST_FILES = 10  # in systemc/units/NAME
MOST_PLACES = 20  # elsewhere
CODE = {".cpp", ".hpp", ".py", ".txt"}


def stem(name):
    return "".join(word.capitalize() for word in name.split("_"))


def pattern(name):
    """A mention that means the unit, and not a mechanism of the same name."""
    return re.compile(rf'"{name}"|\bunits/{name}/|\b{stem(name)}Description\b')


def without_comments(text):
    return re.sub(r"^\s*(//|#(?!include)).*|//.*", "", text, flags=re.M)


def check(root):
    listed = programs.run(["git", "-C", str(root), "ls-files"], capture_output=True, text=True)
    files = [pathlib.PurePosixPath(name) for name in listed.stdout.splitlines()]
    texts = {str(file): without_comments((root / file).read_text())
             for file in files if file.suffix in CODE and (root / file).is_file()}
    problems = []
    for unit in sorted(root.glob("systemc/units/*/*_unit.hpp")):
        name = unit.parent.name
        own = [f"systemc/units/{name}/", f"rtl/{name}/", *OWN]
        parts = [file for file in files if str(file).startswith(own[0])]
        if len(parts) > MOST_FILES:
            problems.append(f"{own[0]}: {len(parts)} files, {MOST_FILES} at most")
        places = [file for file, text in texts.items()
                  if not any(file.startswith(folder) for folder in own)
                  and pattern(name).search(text)]
        problems += [f"{file}: names the unit {name}; its description should say what is needed"
                     for file in places
                     if any(file.startswith(folder) for folder in ALIKE) and file not in MAY_NAME]
        if len(places) > MOST_PLACES:
            problems.append(f"{name}: {len(places)} files name it, {MOST_PLACES} at most: "
                            f"{', '.join(places)}")
    return problems


def examples():
    unit = {"systemc/units/a_b/a_b_unit.hpp": "struct ABDescription {};\n"}
    many = {f"tests/unit/cosim/t{i}.cpp": 'run("a_b");\n' for i in range(MOST_PLACES + 1)}
    cases = [
        ({}, 0),
        ({"cosim/table.cpp": 'units = {"a_b"};\n'}, 1),
        ({"cosim/table.cpp": "using units::ABDescription;\n"}, 1),
        ({"cosim/comment.cpp": 'f();  // "a_b"\n', "cosim/other.cpp": '"a_b_c"\n'}, 0),
        ({"systemc/l1d/a_b.cpp": '#include "units/a_b/a_b_unit.hpp"\n'}, 0),
        ({f"systemc/units/a_b/x{i}.hpp": "" for i in range(MOST_FILES)}, 1),
        (many, 1),
    ]
    return [(list(files), {**unit, **files}, expected) for files, expected in cases]


if __name__ == "__main__":
    source_check.main(check, examples, "units stand where they should")
