#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Proves the properties of the DAU for any number of sets: rtl/dau/README.md, "Any number of
sets", says why a window of six sets is enough.

usage: any_size.py [--rtl FOLDER] [--slots N,...] [--reserved N,...]

For each number of slots and of reserved sets in the window: the properties of
rtl/dau/dau_window_formal.svh hold in the first cycles from a reset, and one cycle leads from any
state that has them, reachable or not, to a state that has them. A line each; the exit status is 1
when one does not hold.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
WINDOW = 6  # sets: those of a property, their heads, and the others that change them in a cycle
# A clocked assertion is judged a cycle after what it says: one for that, two of the step.
FRAMES = 3


def model(work, rtl, slots, reserved):
    """Writes dau.aig: the properties as outputs, registers with any value at the start."""
    script = (
        f"read_verilog -defer -formal -sv -DWARPMEM_WINDOW -I{rtl} {rtl}/dau/dau_sets.sv\n"
        f"read_verilog -formal -sv -DWARPMEM_WINDOW -I{rtl} {rtl}/dau/dau.sv\n"
        f"chparam -set SETS {WINDOW} -set SLOTS {slots} -set RESERVED {reserved} dau\n"
        "prep -flatten -top dau\nrename -top dau\nmemory_map\nopt -full\ndffunmap\n"
        "delete t:$cover\ndelete -port o:*\nsetundef -undriven -anyseq\nopt -fast\ntechmap\n"
        "dffunmap\nabc -g AND -fast\nopt_clean\nwrite_aiger -I -B -zinit dau.aig\n"
    )
    (work / "model.ys").write_text(script)
    run(work, ["yosys", "-q", "-s", "model.ys"])


def run(work, command):
    done = subprocess.run(command, cwd=work, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {command[0]}: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def abc(work, commands):
    return run(work, ["yosys-abc", "-c", f"read_aiger dau.aig; fold; {commands}"])


def judge(rtl, slots, reserved):
    """Returns (number of properties, hold from a reset, are inductive)."""
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        model(work, rtl, slots, reserved)
        count = int(re.search(r"i/o = *\d+/ *(\d+)", abc(work, "print_stats"))[1])
        base = abc(work, f"orpos; bmc3 -F {FRAMES + 1}")
        step = abc(work, f"orpos; ind -F {FRAMES}")
    holds = "was asserted" not in base and f"No output asserted in {FRAMES + 1} frames" in base
    return count, holds, "Networks are equivalent" in step


def numbers(text):
    return [int(word) for word in text.split(",")]


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--rtl", type=pathlib.Path, default=ROOT / "rtl")
    parser.add_argument("--slots", type=numbers, default=[1, 2, 4, 8])
    parser.add_argument("--reserved", type=numbers, default=list(range(WINDOW + 1)))
    options = parser.parse_args()
    good = True
    for slots in options.slots:
        for reserved in options.reserved:
            count, holds, inductive = judge(options.rtl.resolve(), slots, reserved)
            good = good and holds and inductive
            verdict = ("VIOLATED after a reset" if not holds else
                       "proved" if inductive else "NOT INDUCTIVE")
            print(f"dau, any number of sets of {slots} slot{'s' * (slots > 1)}, {reserved} of "
                  f"{WINDOW} in the window reserved: {count} properties {verdict}", flush=True)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
