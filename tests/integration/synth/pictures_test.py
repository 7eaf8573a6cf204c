#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The DAU's state machine as drawn from its netlist has the arrows of the table in its README."""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def table():
    arrows = set()
    for line in (ROOT / "rtl/dau/README.md").read_text().splitlines():
        cells = [c.strip() for c in line.strip("| ").split("|")]
        if re.fullmatch(r"S\d+", cells[0]):
            for target in cells[-1].split(";")[0].split(", "):
                arrows.add(f"{cells[0]}-{target}")
    return arrows


def main():
    with tempfile.TemporaryDirectory() as folder:
        picture = pathlib.Path(folder) / "dau.svg"
        command = [sys.executable, ROOT / "tools/hardware_pictures.py", "fsm", "dau"]
        command += ["SETS=3", "SLOTS=2", "RESERVED=1", "-o", picture]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stdout + run.stderr)
        drawn = set(re.findall(r"S\d+-S\d+", run.stdout))
        if drawn != table():
            sys.exit(f"only drawn: {drawn - table()}; only in the table: {table() - drawn}")
        if "<svg" not in picture.read_text():
            sys.exit("no picture")


if __name__ == "__main__":
    main()
