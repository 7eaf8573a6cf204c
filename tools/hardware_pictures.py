#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the RTL: state diagrams out of the FSMs that Yosys finds, and schematics.

usage: hardware_pictures.py fsm UNIT MODULE [PARAMETER=VALUE ...] -o FILE.svg
       hardware_pictures.py schematic UNIT [PARAMETER=VALUE ...] -o FILE.svg

UNIT is a folder of rtl/, MODULE the module of it whose FSM is drawn. Needs yosys and graphviz.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"


def sources(unit):
    """Files of the unit and of every module that it mentions, used ones first."""
    known = {f.stem: f for f in RTL.glob("*/*.sv")}
    order = []

    def visit(name):
        text = re.sub(r"//[^\n]*", "", known[name].read_text())
        for word in sorted(set(re.findall(r"\w+", text)) & set(known)):
            if word != name and known[word] not in order:
                visit(word)
        if known[name] not in order:
            order.append(known[name])

    if unit not in known:
        sys.exit(f"no unit is called {unit}; there are {', '.join(sorted(known))}")
    visit(unit)
    return order


def yosys(folder, commands):
    run = subprocess.run(
        ["yosys", "-q", "-p", "\n".join(commands)], cwd=folder, capture_output=True, text=True
    )
    if run.returncode != 0:
        sys.exit(f"yosys failed:\n{run.stdout[-2000:]}{run.stderr[-2000:]}")


def read_unit(unit, parameters):
    commands = [f"read_verilog -sv -I{RTL} -I{f.parent} {f}" for f in sources(unit)]
    values = " ".join(f"-set {p.replace('=', ' ')}" for p in parameters)
    if values:
        commands.append(f"chparam {values} {unit}")
    return commands


def svg(dot, target):
    run = subprocess.run(["dot", "-Tsvg", "-o", target], input=dot, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"dot failed (package graphviz):\n{run.stderr[-2000:]}")


def state_graph(kiss, title):
    """Graphviz text of a KISS2 table: an arrow for each pair of states, with its conditions."""
    arrows = {}
    reset = None
    for line in kiss.splitlines():
        words = line.split()
        if not words or words[0] == ".end":
            continue
        if words[0] == ".r":
            reset = words[1]
        elif not words[0].startswith("."):
            condition, source, target = words[:3]
            arrows.setdefault((source, target), []).append(condition)
    lines = [
        f'digraph fsm {{ rankdir=LR; label="{title}"; labelloc=t; fontname=sans;',
        "node [shape=circle, fontname=sans]; edge [fontname=monospace, fontsize=9];",
    ]
    if reset is not None:
        lines.append(f'"{reset}" [shape=doublecircle];')
    for (source, target), conditions in arrows.items():
        shown = conditions[:3] + (["..."] if len(conditions) > 3 else [])
        text = "\\n".join(shown)
        lines.append(f'"{source}" -> "{target}" [label="{text}"];')
    return "\n".join(lines + ["}"])


def draw_fsm(unit, module, parameters, target):
    with tempfile.TemporaryDirectory() as folder:
        commands = read_unit(unit, parameters) + [
            f"hierarchy -check -top {unit}",
            "proc", "flatten", "opt_expr", "opt_clean", "check", "opt -nodffe -nosdff",
            "fsm_detect", "fsm_extract", "fsm_export -o fsm.kiss2",
        ]  # fmt: skip
        yosys(folder, commands)
        table = pathlib.Path(folder) / "fsm.kiss2"
        if not table.exists():
            sys.exit(f"{unit}: Yosys finds no FSM")
        svg(state_graph(table.read_text(), f"{module} ({' '.join(parameters)})"), target)


def draw_schematic(unit, parameters, target):
    with tempfile.TemporaryDirectory() as folder:
        commands = read_unit(unit, parameters) + [
            f"hierarchy -check -top {unit}",
            "proc", "opt", "memory -nomap", "opt -full", "wreduce", "share", "opt_clean -purge",
            f"show -format dot -prefix picture -width -stretch {unit}",
        ]  # fmt: skip
        yosys(folder, commands)
        svg((pathlib.Path(folder) / "picture.dot").read_text(), target)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=["fsm", "schematic"])
    parser.add_argument("unit")
    parser.add_argument("parameters", nargs="*", help="PARAMETER=VALUE")
    parser.add_argument("-o", "--out", required=True)
    options = parser.parse_args()
    out = str(pathlib.Path(options.out).resolve())
    if options.what == "fsm":
        draw_fsm(options.unit, options.unit, options.parameters, out)
    else:
        draw_schematic(options.unit, options.parameters, out)


if __name__ == "__main__":
    main()
