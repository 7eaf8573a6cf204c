#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Pictures of the RTL: the state machine of the DAU's sets, and schematics of small units.

usage: hardware_pictures.py fsm dau SETS=3 SLOTS=2 RESERVED=1 -o FILE.svg
       hardware_pictures.py schematic UNIT [PARAMETER=VALUE ...] -o FILE.svg

UNIT is a folder of rtl/. Yosys' own extraction finds no FSM in the DAU, whose states are vectors
over all sets: its mapped netlist is run through every reachable state instead. Needs yosys and
graphviz.
"""
import argparse
import json
import pathlib
import re
import sys
import tempfile

import programs

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
    programs.run(
        ["yosys", "-q", "-p", "\n".join(commands)], cwd=folder, capture_output=True, text=True
    )


def read_unit(unit, parameters):
    commands = [f"read_verilog -sv -I{RTL} -I{f.parent} {f}" for f in sources(unit)]
    values = " ".join(f"-set {p.replace('=', ' ')}" for p in parameters)
    if values:
        commands.append(f"chparam {values} {unit}")
    return commands


def svg(dot, target):
    programs.run(["dot", "-Tsvg", "-o", target], input=dot, capture_output=True, text=True)


class Gates:
    """A netlist of and, not, mux and flip-flops, evaluated for many inputs at once: an integer a
    bit, whose bits belong to one input each."""

    def __init__(self, module):
        self.ports = {n: p["bits"] for n, p in module["ports"].items()}
        cells = [(c["type"], {k: b[0] for k, b in c["connections"].items()})
                 for c in module["cells"].values()]  # fmt: skip
        self.flops = [(pins["D"], pins["Q"]) for kind, pins in cells if kind == "$_DFF_P_"]
        waiting = [(kind, pins) for kind, pins in cells if kind != "$_DFF_P_"]
        known = {q for _, q in self.flops} | {"0", "1", "x"}
        known |= {b for n, p in module["ports"].items() if p["direction"] == "input"
                  for b in p["bits"]}  # fmt: skip
        self.order = []
        while waiting:
            ready = [c for c in waiting if all(b in known for k, b in c[1].items() if k != "Y")]
            if not ready:
                sys.exit("the netlist has a loop, or a cell that is not known")
            self.order += ready
            known |= {pins["Y"] for _, pins in ready}
            waiting = [c for c in waiting if c[1]["Y"] not in known]

    def evaluate(self, state, inputs, lanes):
        """Values of all bits; `state` holds one bit a flip-flop, the same for every lane."""
        ones = (1 << lanes) - 1
        value = {"0": 0, "1": ones, "x": 0}
        for i, (_, q) in enumerate(self.flops):
            value[q] = ones if state >> i & 1 else 0
        for name, column in inputs.items():
            for i, bit in enumerate(self.ports[name]):
                value[bit] = sum((v >> i & 1) << lane for lane, v in enumerate(column))
        for kind, pins in self.order:
            a = value[pins["A"]]
            if kind == "$_AND_":
                value[pins["Y"]] = a & value[pins["B"]]
            elif kind == "$_NOT_":
                value[pins["Y"]] = ones & ~a
            else:  # $_MUX_
                pick = value[pins["S"]]
                value[pins["Y"]] = (a & ~pick) | (value[pins["B"]] & pick)
        return value

    def next_state(self, value, lane):
        return sum((value[d] >> lane & 1) << i for i, (d, _) in enumerate(self.flops))

    def output(self, value, name, lane=0):
        return sum((value[b] >> lane & 1) << i for i, b in enumerate(self.ports[name]))


def dau_states(gates, state, sets):
    """S0 to S10 of each set, from the outputs (the table in rtl/dau/README.md), and live heads."""
    value = gates.evaluate(state, {n: [0] for n in INPUTS} | {"rst_n": [1], "clk": [0]}, 1)
    bits = {n: gates.output(value, f"{n}_o")
            for n in ("head", "linked", "s_free", "s_full", "fail", "releasing")}  # fmt: skip
    names, live = [], []
    for i in range(sets):
        on = {n: v >> i & 1 for n, v in bits.items()}
        step = (4 if on["releasing"] else 2 if on["linked"] else 3 if on["fail"]
                else 1 if on["s_full"] else 0)  # fmt: skip
        names.append("S0" if on["s_free"] else f"S{step + (1 if on['head'] else 6)}")
        if on["head"] and not on["s_free"] and not on["releasing"]:
            live.append(i)
    return names, live


INPUTS = ("req_valid_i", "req_secondary_i", "req_head_i", "ret_valid_i", "ret_head_i")


def legal_inputs(live):
    """No, a primary or a secondary request, each with no return or that of a live chain."""
    requests = [(0, 0, 0), (1, 0, 0)] + [(1, 1, h) for h in live]
    returns = [(0, 0)] + [(1, h) for h in live]
    return [r + t for r in requests for t in returns]


def event_of(given):
    parts = []
    if given[0]:
        parts.append("secondary" if given[1] else "primary")
    if given[3]:
        parts.append("return")
    return " + ".join(parts) or "no input"


def draw_dau(parameters, target):
    """Visits every reachable state of the DAU under legal inputs, and draws what single sets do."""
    values = dict(p.split("=") for p in parameters)
    with tempfile.TemporaryDirectory() as folder:
        yosys(folder, read_unit("dau", parameters) + [
            "hierarchy -check -top dau", "rename -top dau", "synth -nofsm -flatten -top dau",
            "abc -g AND", "opt_clean", "dffunmap", "opt_clean", "write_json dau.json",
        ])  # fmt: skip
        netlist = json.loads((pathlib.Path(folder) / "dau.json").read_text())
    gates = Gates(netlist["modules"]["dau"])
    sets = int(values["SETS"])
    value = gates.evaluate(0, {n: [0] for n in INPUTS} | {"rst_n": [0], "clk": [0]}, 1)
    first = gates.next_state(value, 0)
    seen = {first: dau_states(gates, first, sets)}
    queue, arrows = [first], {}
    while queue:
        state = queue.pop()
        names, live = seen[state]
        given = legal_inputs(live)
        columns = {n: [g[i] for g in given] for i, n in enumerate(INPUTS)}
        columns |= {"rst_n": [1] * len(given), "clk": [0] * len(given)}
        value = gates.evaluate(state, columns, len(given))
        for lane, inputs in enumerate(given):
            after = gates.next_state(value, lane)
            if after not in seen:
                seen[after] = dau_states(gates, after, sets)
                queue.append(after)
            for old, new in zip(names, seen[after][0]):
                if old != new:
                    arrows.setdefault((old, new), set()).add(event_of(inputs))
    svg(dau_graph(arrows, f"one set of dau ({' '.join(parameters)}), {len(seen)} states of the "
                  "whole unit"), target)  # fmt: skip
    print(f"{len(seen)} states, {len(arrows)} arrows: "
          + ", ".join(f"{a}-{b}" for a, b in sorted(arrows)))  # fmt: skip


def dau_graph(arrows, title):
    lines = [
        f'digraph fsm {{ rankdir=LR; label="{title}"; labelloc=t; fontname=sans;',
        'node [shape=circle, fontname=sans]; edge [fontname=sans, fontsize=9];',
        '"S0" [shape=doublecircle];',
    ]
    for (old, new), events in sorted(arrows.items()):
        # The inputs that suffice alone; the others only happen to coincide.
        alone = sorted(e for e in events if " + " not in e) or sorted(events)
        shown = "any time" if "no input" in alone else "\\n".join(alone)
        lines.append(f'"{old}" -> "{new}" [label="{shown}"];')
    return "\n".join(lines + ["}"])


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
    if options.what == "schematic":
        draw_schematic(options.unit, options.parameters, out)
    elif options.unit == "dau" and any(p.startswith("SETS=") for p in options.parameters):
        draw_dau(options.parameters, out)
    else:
        sys.exit("fsm: only the DAU has one, and it needs SETS=NUMBER; the others are registers "
                 "and counters")  # fmt: skip


if __name__ == "__main__":
    main()
