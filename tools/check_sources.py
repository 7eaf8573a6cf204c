#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what a formatter does not: licence line, tabs, line length, a README in each folder, that
nothing compiled is tracked, that units stay inside the synthesizable subset of SystemC, and that
every program that is started by name has its Debian package in tools/packages.txt.

usage: check_sources.py [ROOT]
       check_sources.py --self-test

Looks at the files that git tracks, so that build folders and notes are left alone.
"""
import pathlib
import re

import programs
import source_check

LICENCE = "SPDX-License-Identifier: Apache-2.0"
MOST_COLUMNS = 100
# File ending -> lines within which the licence must stand (a script begins with its interpreter).
CODE = {
    ".cpp": 1,
    ".hpp": 1,
    ".h": 1,
    ".cu": 1,
    ".cuh": 1,
    ".sv": 1,
    ".svh": 1,
    ".py": 2,
    ".sh": 2,
    ".cmake": 1,
    ".tcl": 1,
    ".ys": 1,
}
NAMED = {"CMakeLists.txt": 1, "run": 2, "report": 2}
# Folders whose README says what lives there.
README_BELOW = ["systemc", "rtl"]
README_FOLDERS = ["bench", "configs", "cosim", "docs", "formal", "mutation", "program", "sweeps",
                  "synth", "tests", "tools", "workloads"]

# The only files that may hold a zero byte: inputs that a fuzzer found, and screenshots.
BINARY = re.compile(r"tests/fuzz/corpus/|docs/pictures/[\w-]+\.png$")

# Headers below it stay inside the Accellera synthesizable subset; what each pattern would be.
SYNTHESIZABLE = "systemc/units/"
# Benches are no hardware. Descriptions are read when a unit is elaborated: names and shares are
# constants there.
BENCH = re.compile(r"_bench\w*\.hpp$")
DESCRIPTION = re.compile(r"_(unit|ports|state|fields)\.hpp$|/registers\.hpp$")
CONSTANTS = {"floating point", "pointers"}
NOT_SYNTHESIZABLE = {
    r"\b(new|delete|malloc|free|unique_ptr|shared_ptr)\b": "heap",
    r"\b(float|double)\b": "floating point",
    r"\bvirtual\b|\bdynamic_cast\b": "virtual functions",
    r"\b(throw|try|catch)\b": "exceptions",
    r"\bstd::(vector|deque|list|map|set|string|unordered_\w+|function)\b": "dynamic containers",
    r"\b(wait|SC_THREAD|next_trigger|sc_time)\b": "waiting",
    r"\b(bool|char|int|unsigned|auto|void|u?int\d+_t|In|Out|Core)\s*(const\s*)?\*": "pointers",
}

# Where programs of others are started: the first word that is given by name.
STARTS = {
    ".cpp": [
        r"\b(?:run_process|run_tool|first_line)\([^{};\"]*\{+\s*\"([^\"]+)\"",
        r"\bRunningProcess(?: \w+)?[({]+\s*\"([^\"]+)\"",
        r"\bProcess(?: \w+)?\{+\s*\"([^\"]+)\"",
        r"\b(?:argv|[Cc]ommand|\w*Compile|compile|link|c|needs)(?:\.argv)? = \{\s*\"([^\"]+)\"",
    ],
    ".py": [
        r"\b(?:run|Popen|call|check_call|check_output)\((?:\w+,\s*)*\[\s*f?\"([^\"]+)\"",
        r"\b(?:argv|command) = \[\s*f?\"([^\"]+)\"",
    ],
}
STARTS[".hpp"] = STARTS[".cpp"]
PACKAGES = "tools/packages.txt"


def tracked(root):
    listed = programs.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True
    ).stdout.decode()
    return [pathlib.PurePosixPath(name) for name in listed.split("\0") if name]


def check_file(where, text, licence_lines):
    lines = text.split("\n")
    if not any(LICENCE in line for line in lines[:licence_lines]):
        yield f"{where}:1: the line '{LICENCE}' is missing"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{where}:{number}: tab"
        if len(line) > MOST_COLUMNS:
            yield f"{where}:{number}: {len(line)} columns, {MOST_COLUMNS} at most"
        if line != line.rstrip():
            yield f"{where}:{number}: blanks at the end of the line"
    if text and not text.endswith("\n"):
        yield f"{where}:{len(lines)}: no newline at the end"


def check_synthesizable(where, text):
    if BENCH.search(str(where)):
        return
    allowed = CONSTANTS if DESCRIPTION.search(str(where)) else set()
    for number, line in enumerate(text.split("\n"), 1):
        code = line.split("//")[0]
        for pattern, what in NOT_SYNTHESIZABLE.items():
            if what not in allowed and re.search(pattern, code):
                yield f"{where}:{number}: {what}: not in the synthesizable subset"


def check_programs(where, text, suffix, known):
    for pattern in STARTS[suffix]:
        for match in re.finditer(pattern, text):
            name = match[1].removeprefix("/usr/bin/")
            if "/" not in name and "{" not in name and name not in known:
                number = text.count("\n", 0, match.start(1)) + 1
                yield f"{where}:{number}: {name}: no package of {PACKAGES} has this program"


def check(root):
    problems = []
    packages = root / PACKAGES
    known = programs.table(packages.read_text()) if packages.exists() else {}
    files = tracked(root)
    folders = set()
    for name in files:
        folders.update(str(parent) for parent in name.parents)
        lines = NAMED.get(name.name, CODE.get(name.suffix))
        path = root / name
        if path.is_file() and not BINARY.match(str(name)) and b"\0" in path.read_bytes():
            problems.append(f"{name}: binary, and neither in a fuzz corpus nor a PNG of the docs")
            continue
        if lines and path.is_file():
            problems += check_file(name, path.read_text(), lines)
            if name.suffix in STARTS:
                problems += check_programs(name, path.read_text(), name.suffix, known)
            if str(name).startswith(SYNTHESIZABLE) and name.suffix == ".hpp":
                problems += check_synthesizable(name, path.read_text())
    for folder in sorted(folders):
        parent = str(pathlib.PurePosixPath(folder).parent)
        if parent in README_BELOW or folder in README_FOLDERS:
            if pathlib.PurePosixPath(folder, "README.md") not in files:
                problems.append(f"{folder}: no README.md")
    return problems


def examples():
    licence = f"// {LICENCE}\n"
    cases = [
        ("systemc/base/good.cpp", licence + "int x;\n", 0),
        ("systemc/base/no_licence.cpp", "int x;\n", 1),
        ("systemc/base/tab.cpp", licence + "\tint x;\n", 1),
        ("systemc/base/long.cpp", licence + "x" * 101 + "\n", 1),
        ("systemc/base/wide_enough.cpp", licence + "ä" * 100 + "\n", 0),
        ("systemc/base/blank.cpp", licence + "int x; \n", 1),
        ("systemc/base/cut.cpp", licence + "int x;", 1),
        ("systemc/new/good.cpp", licence, 1),
        ("cosim/script.sh", f"#!/bin/sh\n# {LICENCE}\n", 1),
        ("systemc/units/x.hpp", licence + "int x;  // a new one\n", 1),  # no README
        ("systemc/units/x.hpp", licence + "double x;\n", 2),
        ("systemc/units/x.hpp", licence + "int* x;\n", 2),
        ("systemc/units/x.hpp", licence + "std::vector<int> x;\n", 2),
        ("systemc/units/x.hpp", licence + "auto x = new int;\n", 2),
        ("systemc/units/x/x_unit.hpp", licence + "const char* const x = nullptr;\n", 1),
        ("systemc/units/x/x_unit.hpp", licence + "auto x = new int;\n", 2),
        ("systemc/units/x/x_bench.hpp", licence + "std::vector<int> x;\n", 1),
        ("notes.txt", "\tanything\n", 0),
        ("systemc/base/x.cpp", licence + 'run_process({{"yosys", "-V"}, work});\n', 0),
        ("systemc/base/x.cpp", licence + 'run_process({{"/usr/bin/z3"}});\n', 1),
        ("systemc/base/x.cpp", licence + 'run_process({{"/bin/sh"}});\n', 0),
        ("systemc/base/x.cpp", licence + 'const Process p{{"abc"}, work};\n', 1),
        ("systemc/base/x.cpp", licence + 'p.needs = {"z3"};\n', 1),
        ("systemc/base/x.cpp", licence + 'run_tool(\n    {"verilator", "--cc"}, x);\n', 1),
        ("systemc/base/x.cpp", licence + 'Command c = {"ar", "rcs"};\n', 1),
        ("run.py", f"# {LICENCE}\nsubprocess.run([\"yosys\", x])\n", 0),
        ("run.py", f"# {LICENCE}\nsubprocess.run([\"dot\", x])\n", 1),
        ("run.py", f"# {LICENCE}\nsubprocess.run([warpmem, x])\n", 0),
        ("run.py", f"# {LICENCE}\ncommand = [\"dot\"]\n", 1),
        ("workloads/runs/program", "\x7fELF\0", 2),  # and no README
        ("tests/fuzz/corpus/found", "\0", 1),  # no README of tests
        ("docs/pictures/window.png", "\0", 1),  # no README of docs
        ("docs/pictures/window", "\0", 2),
    ]
    common = {"systemc/base/README.md": "x\n", "tools/README.md": "x\n",
              PACKAGES: "yosys yosys yosys-abc  # synthesis\n"}  # fmt: skip
    return [(name, {**common, name: text}, expected) for name, text, expected in cases]


if __name__ == "__main__":
    source_check.main(check, examples, "all sources in order")
