# SPDX-License-Identifier: Apache-2.0
"""Mistakes made by hand (mutation/faults) in a copy of rtl/."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


def plant(fault, rtl):
    """Puts `fault`, as "UNIT/NAME", into the copy."""
    text = (ROOT / "mutation" / "faults" / f"{fault}.yaml").read_text()
    keys = {}
    for key, block in re.findall(r"^(\w+): (.*(?:\n  .*|\n(?=\n))*)", text, re.M):
        lines = block.split("\n")
        keys[key] = "\n".join(line[2:] for line in lines[1:]) if lines[0] == "|-" else lines[0]
    file = rtl / keys["file"]
    source = file.read_text()
    assert source.count(keys["from"]) == 1, fault
    file.write_text(source.replace(keys["from"], keys["to"].strip("'")))
