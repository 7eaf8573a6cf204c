#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on an include that points upward or sideways in the folder order of the sources.

usage: check_layers.py [ROOT]
       check_layers.py --self-test

A folder may include itself and the folders of every row above its own; folders of one row never
include each other, and neither do the subfolders of one folder. synth, formal, cosim and mutation
stand beside the machine: only app and sweeps use them. A unit test may include what the folder that
it tests may, files, and the tests' support.
"""
import pathlib
import re
import sys
import tempfile

ROWS = [
    ["base"],
    ["units", "files"],
    ["program"],
    ["dram", "noc", "uvm"],
    ["cache"],
    ["l2", "l1d"],
    ["host"],
    ["memory"],
    ["sm"],
    ["gpu"],
    ["watch"],
    ["app"],
    ["sweeps"],
]
# Folders beside systemc/ that have a place in the order.
TOP = ["program", "sweeps"]
# Folders that have none: what they may include besides themselves.
BESIDE = {"cosim": {"base", "files", "units", "cache", "l2", "l1d", "sm"},
          "synth": {"base", "files"},
          "formal": {"base", "files", "units", "synth"},
          "mutation": {"base", "files", "cosim", "formal", "synth"}}
# What only these may include, whatever their row.
USERS_OF_BESIDE = {"app", "sweeps"}
# Subfolders that use one beside them, because one idea stands on the other.
BETWEEN_SUBFOLDERS = {"cache/frontend": {"cache/mha"}, "program/cuda": {"program/ptx"},
                      "sm/throttle": {"sm/laws", "sm/scheduler"},
                      "units/cart_shared": {"units/cart_branch"},
                      "units/dl_mshr": {"units/dau"}, "units/tsma": {"units/tsma_index_gen"},
                      "units/htsma": {"units/htsma_steer", "units/tsma"}}
# The commands stand above everything.
COMMAND = re.compile(r"systemc/app/\w+_command\.cpp")
# tests/unit/cuda tests the runtime library, which has a library of its own.
TESTED = {"cuda": "program"}

# What cosim builds although it stands beside the description of its unit.
BENCH = re.compile(r"systemc/units/.*_bench\w*\.[ch]pp")

INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"')


def allowed():
    """Folder -> folders it may include."""
    table = {}
    below = set()
    for row in ROWS:
        for folder in row:
            table[folder] = below | {folder}
        below |= set(row)
    for folder, others in BESIDE.items():
        table[folder] = others | {folder}
    for folder in USERS_OF_BESIDE:
        table[folder] |= set(BESIDE)
    return table


def sources(root):
    """(folder whose rules hold, file), of the model, its tests and the benchmarks."""
    tops = [root / name for name in [*TOP, *BESIDE]]
    models = [folder for base in ("systemc", "tests/unit") if (root / base).is_dir()
              for folder in sorted((root / base).iterdir()) if folder.is_dir()]
    for folder in [*tops, *models]:
        for file in sorted(folder.rglob("*")):
            if file.suffix in (".hpp", ".cpp", ".h"):
                name = file.relative_to(root).as_posix()
                rules = "cosim" if BENCH.fullmatch(name) else folder.name
                yield TESTED.get(rules, rules), file
    for file in sorted((root / "bench").glob("*.?pp")):
        yield "sweeps", file


def stays_inside(file, include, root, folder):
    """Whether a relative include ends in the folder that the file itself belongs to."""
    target = (file.parent / include).resolve()
    return any((root / top / folder).resolve() in target.parents
               for top in ("systemc", "tests/unit", "."))


def sideways(where, parts):
    """Whether a file in one subfolder includes one in another of the same folder."""
    own = where.parts[1:-1] if where.parts[0] == "systemc" else where.parts[:-1]
    if len(own) < 2 or len(parts) < 3 or own[0] != parts[0] or own[1] == parts[1]:
        return False
    return "/".join(parts[:2]) not in BETWEEN_SUBFOLDERS.get("/".join(own[:2]), ())


def check(root):
    """Returns the offending includes, a line each."""
    table = allowed()
    problems = []
    for folder, file in sources(root):
        where = file.relative_to(root)
        if folder not in table:
            problems.append(f"{where}: folder {folder} has no place in the order")
            continue
        may = table[folder]
        if where.parts[0] == "tests":
            may = may | {"files"}  # what is written is how tests read statistics
        if COMMAND.fullmatch(where.as_posix()):
            may = may | {"sweeps"}
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            parts = pathlib.PurePosixPath(match.group(1)).parts
            if ".." in parts and not stays_inside(file, match.group(1), root, folder):
                problems.append(f"{where}:{number}: {match.group(1)} leaves the folder")
            elif parts[0] in table and parts[0] not in may:
                problems.append(
                    f"{where}:{number}: {folder} must not include {parts[0]} ({match.group(1)})"
                )
            elif sideways(where, parts):
                problems.append(f"{where}:{number}: {match.group(1)} is in a subfolder beside this")
    return problems


def self_test():
    """The check finds an upward, a sideways and a climbing include, and passes a downward one."""
    cases = {
        "systemc/l2/up.cpp": ('#include "gpu/machine.hpp"', True),
        "systemc/l2/sideways.cpp": ('  #  include "l1d/l1d.hpp"', True),
        "systemc/memory/up.cpp": ('#include "gpu/machine.hpp"', True),
        "systemc/memory/down.cpp": ('#include "uvm/tlb.hpp"', False),
        "systemc/dram/sideways.hpp": ('#include "noc/crossbar.hpp"', True),
        "systemc/cache/climb.cpp": ('#include "../base/types.hpp"', True),
        "program/cuda/inner.h": ('#include "../cuda.h"', False),
        "program/up.cpp": ('#include "gpu/machine.hpp"', True),
        "program/ptx/sideways.cpp": ('#include "program/trace/trace.hpp"', True),
        "systemc/uvm/evict/sideways.cpp": ('#include "uvm/prefetch/tree.hpp"', True),
        "systemc/uvm/evict/outward.cpp": ('#include "uvm/page.hpp"', False),
        "systemc/app/runs.cpp": ('#include "sweeps/plan.hpp"', True),
        "systemc/app/sweep_command.cpp": ('#include "sweeps/plan.hpp"', False),
        "tests/unit/l2/up.cpp": ('#include "gpu/machine.hpp"', True),
        "tests/unit/l2/down.cpp": ('#include "dram/channel.hpp"', False),
        "bench/any.cpp": ('#include "gpu/machine.hpp"', False),
        "systemc/gpu/beside.cpp": ('#include "synth/synth.hpp"', True),
        "cosim/far.cpp": ('#include "gpu/machine.hpp"', True),
        "synth/far.cpp": ('#include "cache/dl.hpp"', True),
        "systemc/unknown/new.cpp": ("", True),
        "systemc/l1d/down.cpp": ('#include "cache/mha/miss_handler.hpp"\n#include <vector>', False),
        "systemc/app/beside.cpp": ('#include "cosim/dau.hpp"\n#include "synth/synth.hpp"', False),
        "systemc/units/dau/dau_core.hpp": ('#include "cache/mha/dl/dau.hpp"', True),
        "systemc/units/dau/dau_bench.cpp": ('#include "cache/mha/dl/dau.hpp"', False),
        "cosim/near.cpp": ('#include "units/dau.hpp"\n#include "Vdau.h"', False),
        "systemc/base/comment.cpp": ('// #include "gpu/machine.hpp"', False),
    }
    for name, (text, bad) in cases.items():
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "systemc").mkdir()
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text + "\n")
            if bool(check(root)) != bad:
                sys.exit(f"self-test: {name} should {'fail' if bad else 'pass'}: {check(root)}")
    print(f"{len(cases)} examples judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems = check(root)
    print("\n".join(problems) or "no include points upward or sideways")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
