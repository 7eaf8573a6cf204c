#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates a netlist of the synthesis flow against its source, side by side in Verilator.

usage: compare_netlist.py WORK_FOLDER UNIT CYCLES [PARAMETER=VALUE ...]

WORK_FOLDER is a finished work_dir of the flow (map0.v, map0.json, lib.lib, rtl/). The cells' models
come from the liberty file itself, so that any library can be checked. Random inputs change at the
falling edge; after the reset the outputs must agree before and after that in every cycle.
"""
import json
import pathlib
import subprocess
import sys


def run(work, name, argv):
    with open(work / f"{name}.log", "w") as log:
        status = subprocess.run(argv, cwd=work, stdout=log, stderr=log).returncode
    text = (work / f"{name}.log").read_text()
    if status != 0:
        sys.exit(f"{name} failed:\n{text[-4000:]}")
    return text


def testbench(unit, ports, cycles, parameters):
    inputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "input"}
    outputs = {n: len(p["bits"]) for n, p in ports.items() if p["direction"] == "output"}
    driven = [n for n in inputs if n not in ("clk", "rst_n")]
    lines = ["module bench;", "  logic clk = 1'b0;", "  logic rst_n = 1'b0;", "  int cycle = 0;"]
    lines += [f"  logic [{inputs[n] - 1}:0] {n} = '0;" for n in driven]
    for view in ("source", "netlist"):
        lines += [f"  wire [{width - 1}:0] {view}_{n};" for n, width in outputs.items()]
    override = ", ".join(f".{p.replace('=', '(')})" for p in parameters)
    for view, module, values in (
        ("source", unit, f"#({override}) " if override else ""),
        ("netlist", f"{unit}_netlist", ""),
    ):
        pins = [f".{n}({n})" for n in inputs] + [f".{n}({view}_{n})" for n in outputs]
        lines.append(f"  {module} {values}u_{view} ({', '.join(pins)});")
    same = " && ".join(f"source_{n} === netlist_{n}" for n in outputs)
    lines += [
        "  task compare;",
        f"    if (cycle > 1 && !({same})) begin",
        '      $display("DIFFERENCE in cycle %0d", cycle);',
    ]
    lines += [f'      $display("{n}: %h, %h", source_{n}, netlist_{n});' for n in outputs]
    lines += ["      $fatal;", "    end", "  endtask", "  initial begin"]
    lines += [f"    for (cycle = 0; cycle < {cycles}; cycle = cycle + 1) begin"]
    lines += ["      compare;", "      rst_n = cycle > 3 && ($urandom % 500) != 0;"]
    for n in driven:
        words = ", ".join(["$urandom"] * ((inputs[n] + 31) // 32))
        lines.append(f"      {n} = {inputs[n]}'({{{words}}});")
    lines += ["      #1 compare;", "      #4 clk = 1'b1;", "      #5 clk = 1'b0;", "    end"]
    lines += ['    $display("EQUAL over %0d cycles", cycle);', "    $finish;", "  end", "endmodule"]
    return "\n".join(lines) + "\n"


def main():
    work, unit, cycles = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    parameters = sys.argv[4:]
    ports = json.loads((work / "map0.json").read_text())["modules"][unit]["ports"]
    run(
        work, "models", ["yosys", "-p", "read_liberty lib.lib; proc; write_verilog -noattr cells.v"]
    )
    run(
        work,
        "renamed",
        [
            "yosys",
            "-p",
            f"read_verilog map0.v; rename {unit} {unit}_netlist; write_verilog -noattr n.v",
        ],
    )
    (work / "bench.sv").write_text(testbench(unit, ports, cycles, parameters))
    sources = (work / "sources.txt").read_text().split()
    run(
        work,
        "verilate",
        [
            "verilator",
            "--binary",
            "--timing",
            "-Wno-fatal",
            "-Wno-lint",
            "-Wno-style",
            "+define+SYNTHESIS",
            # Verilator's runtime is most of what is compiled, and the runs are short.
            "-MAKEFLAGS",
            "OPT_FAST=-O0 OPT_GLOBAL=-O0",
        ]
        + ["--x-initial", "0", "--x-assign", "0", "--top-module", "bench", "-Irtl", "-o", "bench"]
        + [f"rtl/{s}" for s in sources]
        + ["n.v", "cells.v", "bench.sv"],
    )
    text = run(work, "bench", ["obj_dir/bench"])
    if "EQUAL over" not in text:
        sys.exit(text[-4000:])
    print(text.splitlines()[0])


if __name__ == "__main__":
    main()
