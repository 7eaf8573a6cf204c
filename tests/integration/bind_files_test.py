#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The bind files of rtl/: all of them bound to their units in Verilator, which needs nothing else
of warpmem. Under random inputs no property is violated, and a mistake made by hand
(mutation/faults) in each unit violates one of that unit's."""

import itertools
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"
HERE = ROOT / "tests" / "integration" / "bind_files"
CYCLES = 8000

SELDOM = " && ".join(["{random}"] * 6)
# For each unit a size and inputs that are not random: what a unit may count on, and returns that
# are rarer than requests.
UNITS = {
    "bucl_ctrl": (dict(PERIOD=6, HIT_LIMIT=300, LEAST=2, MOST=6), {"clear_i": SELDOM}),
    "cart_branch": (
        dict(ROWS=2, COLUMNS=2, DEPTH=2, ROW_BITS=2, COLUMN_BITS=2),
        {"leaf_i": "{drain_leaf_o}", "pop_i": "{random} && {drain_valid_o}",
         "refuse_i": "!{pop_i} && {drain_valid_o}"},
    ),
    "dau": (dict(SETS=4, SLOTS=2, RESERVED=1), {"ret_valid_i": "{random} && {random} && {random}"}),
    "dl_mshr": (
        dict(SETS=4, SLOTS=2, RESERVED=1, ADDR_BITS=2, SLOT_BITS=3),
        {"ret_valid_i": "{random} && {random}"},
    ),
    "dl_mshr_pipe": (
        dict(SETS=4, SLOTS=2, RESERVED=1, ADDR_BITS=2, SLOT_BITS=3),
        {"ret_valid_i": "{random} && {random}"},
    ),
    "htsma": (
        dict(ENTRIES=4, SLOTS=2, SMALL_ENTRIES=2, SMALL_SLOTS=2, WAYS=4, ADDR_BITS=2, SLOT_BITS=3),
        {},
    ),
    "htsma_steer": (dict(WAYS=4), {}),
    "laws_score": (dict(SCORE_BITS=4, MISS_BITS=3, MISS_LIMIT=6), {"clear_i": SELDOM}),
    "mrpb_drain": (
        dict(QUEUES=4, ENTRIES=2, POLICY=2),
        {"enter_i": "{random} && !{head_full_o}", "take_i": "{random} && {random}"},
    ),
    "mshr_conventional": (dict(ENTRIES=4, SLOTS=3, ADDR_BITS=2, SLOT_BITS=3), {}),
    "mshr_set_assoc": (dict(ENTRIES=4, WAYS=2, SLOTS=3, ADDR_BITS=2, SLOT_BITS=3), {}),
    "throttle_unit": (
        dict(WARPS=6, DIVERGENCE=3, STABLE=2, HOLD=5),
        {"clear_i": SELDOM, "fair_i": SELDOM, "end_warps_i": f"WARPS'({SELDOM})"},
    ),
    "tsma": (dict(ENTRIES=4, SLOTS=3, SLOT_BITS=3), {}),
    "tsma_index_gen": (dict(ENTRIES=6), {}),
}
# Modules that are no units and have properties of their own: the unit in which they are judged.
PARTS = {"mshr_slots": "tsma"}

# Planted together; in units that share a file one finds the other's.
FAULTS = [
    "bucl_ctrl/threshold_passes_its_bound",
    "cart_branch/overtakes_in_a_column",
    "dau/release_frees_two",
    "dl_mshr/merges_into_a_returning_block",
    "dl_mshr_pipe/merges_as_the_drain_begins",
    "htsma/overflow_of_the_array",
    "htsma_steer/overflow_the_wrong_way_round",
    "laws_score/wraps_at_the_top",
    "mrpb_drain/flush_of_a_full_queue_forgotten",
    "mshr_conventional/merges_into_a_returning_block",
    "throttle_unit/mean_rounds_down",
    "tsma/released_with_the_first_request",
    "tsma_index_gen/full_one_entry_early",
]


def ports(unit):
    """Returns (direction, width as it is written, name) of each port but clock and reset."""
    text = re.sub(r"//.*", "", (RTL / unit / f"{unit}.sv").read_text())
    found = re.findall(r"^\s*(input|output)\s+wire logic\s*(\[[^\]]*\])?\s*(\w+)", text, re.M)
    return [port for port in found if port[2] not in ("clk", "rst_n")]


def bench():
    """Returns a module with every unit, each with its own bits of the random input."""
    bit = itertools.count()
    body = ""
    for unit, (parameters, given) in UNITS.items():
        sizes = ", ".join(f".{name}({value})" for name, value in parameters.items())
        pins, logic = "", ""
        text = re.sub(r"//.*", "", (RTL / unit / f"{unit}.sv").read_text())
        constants = re.findall(r"(?:parameter|localparam) int unsigned (\w+)\s*= ([^,\n]+)",
                               text[:text.index(") (")])
        for name, value in constants:
            logic += f"  localparam int unsigned {name} = {parameters.get(name, value)};\n"
        for direction, width, name in ports(unit):
            logic += f"  wire logic {width} {name};\n"
            pins += f", .{name}({name})"
            if direction == "output":
                continue
            value = given.get(name, "{all}")
            while "{random}" in value:
                value = value.replace("{random}", f"random_i[{next(bit)}]", 1)
            if value == "{all}":
                value = f"random_i[{next(bit)} +: $bits({name})]"
                for _ in range(7):  # no input is wider
                    next(bit)
            logic += f"  assign {name} = {re.sub(r'{(.*?)}', lambda m: m[1], value)};\n"
        body += (f"if (1) begin : {unit}_\n{logic}"
                 f"  {unit} #({sizes}) u ({'.clk, .rst_n' + pins});\nend\n")
    words = (next(bit) + 31) // 32
    return (f"module bench (input wire clk, input wire rst_n,"
            f" input wire [{32 * words - 1}:0] random_i);\n{body}endmodule\n")


def planted(rtl):
    """Makes a copy of rtl/ with all faults in it."""
    shutil.copytree(RTL, rtl)
    for fault in FAULTS:
        text = (ROOT / "mutation" / "faults" / f"{fault}.yaml").read_text()
        keys = {}
        for key, block in re.findall(r"^(\w+): (.*(?:\n  .*|\n(?=\n))*)", text, re.M):
            lines = block.split("\n")
            keys[key] = "\n".join(line[2:] for line in lines[1:]) if lines[0] == "|-" else lines[0]
        file = rtl / keys["file"]
        source = file.read_text()
        assert source.count(keys["from"]) == 1, fault
        file.write_text(source.replace(keys["from"], keys["to"].strip("'")))


class BindFilesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def violated(self, rtl):
        """Returns the assertions that are violated, as 'unit.place.name'."""
        work = self.folder / "work"
        top = self.folder / "bench.sv"
        top.write_text(bench())
        binds = sorted(rtl.glob("*/*_properties.sv"))
        folders = [word for path in sorted(rtl.iterdir()) if path.is_dir() for word in ("-y", path)]
        build = subprocess.run(
            ["verilator", "--cc", "--exe", "--build", "--assert", "-Wno-lint", "-Wno-UNOPTFLAT",
             "--top-module", "bench", "--Mdir", work, f"-I{rtl}", *folders, top, *binds,
             HERE / "main.cpp", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"],
            capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stdout + build.stderr)
        run = subprocess.run([work / "Vbench", f"+cycles={CYCLES}",
                              "+verilator+error+limit+1000000"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 0, run.stderr[-2000:])
        return {tuple(found) for found in re.findall(
            r"Assertion failed in \w+\.bench\.(\w+)_\.u\.([\w.]+)", run.stdout + run.stderr)}

    def test_every_unit_has_one(self):
        bound = {path.name.removesuffix("_properties.sv") for path in RTL.glob("*/*_properties.sv")}
        units = {path.name for path in RTL.iterdir() if (path / f"{path.name}.sv").exists()}
        self.assertEqual(bound, units | set(PARTS))
        self.assertEqual(units, set(UNITS))

    def test_names_are_declared_before_they_are_used(self):
        """Verilator and Yosys do not ask for that; others do."""
        for path in sorted(RTL.glob("*/*_formal.svh")):
            text = re.sub(r"//.*", lambda m: " " * len(m[0]), path.read_text())
            for found in re.finditer(r"\b(?:logic|integer)\b([^;=]*)[;=]", text):
                for name in re.findall(r"\bf_\w+", re.sub(r"\[[^\]]*\]", "", found[1])):
                    first = re.search(rf"\b{name}\b", text).start()
                    self.assertGreaterEqual(first, found.start(), f"{path.name}: {name}")

    def test_no_property_is_violated(self):
        self.assertEqual(self.violated(RTL), set())

    def test_a_mistake_in_each_unit_violates_a_bound_property(self):
        rtl = self.folder / "rtl"
        planted(rtl)
        violated = self.violated(rtl)
        found = {place for place, name in violated if name.startswith("u_properties.")}
        self.assertEqual(found, set(UNITS))
        for part, unit in PARTS.items():
            self.assertTrue(any(place == unit and ".u_properties." in name
                                for place, name in violated), part)


if __name__ == "__main__":
    unittest.main()
