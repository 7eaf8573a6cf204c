#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the gates in front of the comparators of dl_mshr_pipe save, as a table for a page.

usage: comparator_toggles.py GATED.json UNGATED.json

Both files are what `warpmem cosim dl_mshr_pipe --recorded FILE --toggles FILE.json` wrote, of one
program with GATING 1 and with GATING 0.
"""
import json
import re
import sys

SIDES = {"u_req": "request", "u_ret": "return"}


def toggles(file, gating):
    """Side -> transitions of all bits in front of its XORs, over all sets, in a cycle."""
    with open(file) as text:
        data = json.load(text)
    if data["unit"] != "dl_mshr_pipe":
        sys.exit(f"{file}: of {data['unit']}, and not of dl_mshr_pipe")
    if ("no gates" in data["size"]) == gating:
        sys.exit(f"{file}: of a file {'without' if gating else 'with'} gates: {data['size']}")
    sums = dict.fromkeys(SIDES, 0.0)
    for name, figure in data["transitions_per_cycle"].items():
        # All sets have one name, and the figure is their sum.
        found = re.fullmatch(r".*\.(u_req|u_ret)\.seen\[\d+\]", name)
        if found:
            sums[found[1]] += figure
    if not all(sums.values()):
        sys.exit(f"{file}: without toggles of the comparators")
    return data, sums


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    gated, with_gates = toggles(sys.argv[1], True)
    ungated, without = toggles(sys.argv[2], False)
    if gated["cycles"] != ungated["cycles"]:
        sys.exit(f"{gated['cycles']} cycles beside {ungated['cycles']}: not the same run")
    print(f"{gated['size']}, {gated['cycles']} cycles:\n")
    print("| comparators of the | gated, toggles a cycle | without gates | gated / without |")
    print("|---|---|---|---|")
    rows = [(SIDES[side], with_gates[side], without[side]) for side in SIDES]
    rows.append(("both", sum(with_gates.values()), sum(without.values())))
    for side, few, many in rows:
        print(f"| {side} | {few:.2f} | {many:.2f} | {100 * few / many:.1f} % |")


if __name__ == "__main__":
    main()
