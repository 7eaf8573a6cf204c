#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""All units of rtl/: no warning from Verilator and Yosys, at corner sizes too, and parameters that
make no sense stop both with a sentence.

usage: rtl_units_test.py UNIT ...
"""
import pathlib
import re
import subprocess
import sys
import unittest

RTL = pathlib.Path(__file__).resolve().parents[3] / "rtl"

# These are the sizes besides the defaults: one of everything, and no powers of two.
CORNERS = {
    "dau": [dict(SETS=1, SLOTS=1), dict(SETS=5, SLOTS=8, RESERVED=2), dict(SETS=3, RESERVED=3)],
    "laws_score": [dict(SCORE_BITS=2, MISS_BITS=1, MISS_LIMIT=1)],
    "throttle_unit": [dict(WARPS=12)],
    "tsma_index_gen": [dict(ENTRIES=1), dict(ENTRIES=5), dict(ENTRIES=96)],
    "htsma_steer": [dict(WAYS=1), dict(WAYS=6)],
    "cart_branch": [
        dict(ROWS=1, COLUMNS=1, DEPTH=1, ROW_BITS=1, COLUMN_BITS=1),
        dict(ROWS=3, COLUMNS=3, DEPTH=5),
        dict(ROWS=1, COLUMNS=5, DEPTH=2),
    ],
    "cart_shared": [
        dict(BANKS=1, ROWS=1, COLUMNS=1, DEPTH=1, ROW_BITS=1, COLUMN_BITS=1),
        dict(BANKS=5, ROWS=3, COLUMNS=2, DEPTH=3),
    ],
    "mrpb_drain": [
        dict(QUEUES=1, ENTRIES=1, FLUSH=0),
        *(dict(QUEUES=11, ENTRIES=5, POLICY=policy) for policy in range(1, 6)),
    ],
    "bucl_ctrl": [
        dict(PROFILE=1),
        dict(PERIOD=2, HIT_LIMIT=0, UIB_LIMIT=0, TUCD=1, LEAST=1, MOST=1),
        dict(PERIOD=1000000, HIT_LIMIT=1000, UIB_LIMIT=1000, MOST=32),
    ],
    "tsma": [
        dict(ENTRIES=1, SLOTS=1, SLOT_BITS=1),
        dict(ENTRIES=5, SLOTS=3, SLOT_BITS=7, SECTORS=8),
    ],
    "htsma": [
        dict(ENTRIES=1, SLOTS=1, SMALL_ENTRIES=1, SMALL_SLOTS=1, WAYS=1, ADDR_BITS=1, SLOT_BITS=1),
        dict(ENTRIES=5, SLOTS=3, SMALL_ENTRIES=3, SMALL_SLOTS=2, WAYS=6, ADDR_BITS=9, SLOT_BITS=7,
             SECTORS=3),
    ],
    "mshr_conventional": [
        dict(ENTRIES=1, SLOTS=1, ADDR_BITS=1, SLOT_BITS=1),
        dict(ENTRIES=5, SLOTS=3, ADDR_BITS=9, SLOT_BITS=7, SECTORS=8),
    ],
    "mshr_set_assoc": [
        dict(ENTRIES=1, WAYS=1, SLOTS=1, ADDR_BITS=1, SLOT_BITS=1),
        dict(ENTRIES=4, WAYS=1, SLOTS=1, ADDR_BITS=9, SLOT_BITS=1),
        dict(ENTRIES=6, WAYS=3, SLOTS=5, ADDR_BITS=9, SLOT_BITS=7, SECTORS=2),
    ],
    "dl_mshr": [
        dict(SETS=1, SLOTS=1, RESERVED=0, ADDR_BITS=1, SLOT_BITS=1),
        dict(SETS=5, SLOTS=4, RESERVED=2, ADDR_BITS=9, SLOT_BITS=7, SECTORS=4),
        dict(SETS=4, SLOTS=8, RESERVED=4, ADDR_BITS=9, SLOT_BITS=7, STORAGE=2),
        dict(SETS=5, SLOTS=1, RESERVED=1, ADDR_BITS=4, SLOT_BITS=3, RELEASES=5, STORAGE=1),
    ],
    "dl_mshr_pipe": [
        dict(SETS=1, SLOTS=1, RESERVED=0, ADDR_BITS=1, SLOT_BITS=1),
        dict(SETS=13, SLOTS=4, RESERVED=2, ADDR_BITS=9, SLOT_BITS=1040, RELEASES=3, GATING=0),
        dict(SETS=8, SLOTS=8, RESERVED=8, ADDR_BITS=9, SLOT_BITS=7, RELEASES=8, SECTORS=4),
        dict(SETS=3, SLOTS=2, RESERVED=1, ADDR_BITS=3, SLOT_BITS=5, STORAGE=1),
        dict(SETS=3, SLOTS=2, RESERVED=1, ADDR_BITS=3, SLOT_BITS=5, STORAGE=2),
    ],
}

# Registers of more bits than Verilator lets a constant be repeated for. Yosys would take minutes.
LARGE = {"dau": [dict(SETS=1024, SLOTS=8, RESERVED=0), dict(SETS=4096, SLOTS=8)]}

# This stops elaboration, with this sentence.
REFUSED = {
    "dau": [(dict(SLOTS=3), "dau: SLOTS must be 1, 2, 4 or 8"), (dict(SETS=0), "dau: SETS must")],
    "laws_score": [(dict(SCORE_BITS=1), "laws_score: SCORE_BITS must be 2 to 31")],
    "throttle_unit": [
        (dict(WARPS=0), "throttle_unit: WARPS must"),
        (dict(MEMORY=2), "throttle_unit: MEMORY must be 0 or 1"),
    ],
    "tsma_index_gen": [(dict(ENTRIES=0), "tsma_index_gen: ENTRIES must be 1 to 4096")],
    "htsma_steer": [(dict(WAYS=0), "htsma_steer: WAYS must be 1 to 4096")],
    "cart_branch": [
        (dict(ROWS=0), "cart_branch: ROWS must be 1 to 64"),
        (dict(ROWS=33), "cart_branch: ROWS * COLUMNS must be 1 to 64"),
        (dict(DEPTH=0), "cart_branch: DEPTH must be 1 to 256"),
    ],
    "cart_shared": [
        (dict(BANKS=65), "cart_shared: BANKS must be 1 to 64"),
        (dict(ROWS=33), "cart_shared: ROWS * COLUMNS must be 1 to 64"),
        (dict(DEPTH=0), "cart_shared: DEPTH must be 1 to 256"),
    ],
    "mrpb_drain": [
        (dict(QUEUES=65), "mrpb_drain: QUEUES must be 1 to 64"),
        (dict(ENTRIES=0), "mrpb_drain: ENTRIES must be 1 to 1024"),
        (dict(POLICY=6), "mrpb_drain: POLICY must be 0 to 5"),
        (dict(FLUSH=2), "mrpb_drain: FLUSH must be 0 or 1"),
    ],
    "bucl_ctrl": [
        (dict(PERIOD=1), "bucl_ctrl: PERIOD must be 2 to 1000000"),
        (dict(HIT_LIMIT=1001), "bucl_ctrl: HIT_LIMIT and UIB_LIMIT must be 0 to 1000"),
        (dict(TUCD=26), "bucl_ctrl: LEAST, TUCD and MOST must rise from 1 to 32"),
        (dict(PROFILE=2), "bucl_ctrl: PROFILE must be 0 or 1"),
    ],
    "tsma": [
        (dict(ENTRIES=0), "tsma: ENTRIES must be 1 to 4096"),
        (dict(SLOTS=0), "tsma: SLOTS must be 1 to 64"),
        (dict(SECTORS=9), "tsma: SECTORS must be 1 to 8"),
    ],
    "htsma": [
        (dict(SMALL_ENTRIES=257), "htsma: SMALL_ENTRIES must be 1 to 256"),
        (dict(SMALL_SLOTS=65), "htsma: SMALL_SLOTS must be 1 to 64"),
        (dict(WAYS=4097), "htsma: WAYS must be 1 to 4096"),
        (dict(SECTORS=9), "htsma: SECTORS must be 1 to 8"),
    ],
    "mshr_conventional": [
        (dict(ENTRIES=0), "mshr_conventional: ENTRIES must be 1 to 512"),
        (dict(SLOTS=0), "mshr_conventional: SLOTS must be 1 to 64"),
        (dict(SECTORS=9), "mshr_conventional: SECTORS must be 1 to 8"),
    ],
    "mshr_set_assoc": [
        (dict(ENTRIES=12, WAYS=4), "mshr_set_assoc: ENTRIES / WAYS must be a power of two"),
        (dict(WAYS=0), "mshr_set_assoc: ENTRIES / WAYS must be a power of two"),
        (dict(ENTRIES=0), "mshr_set_assoc: ENTRIES must be 1 to 512"),
        (dict(ENTRIES=64, WAYS=1, ADDR_BITS=3), "mshr_set_assoc: ADDR_BITS must be 1 to 64, and"),
        (dict(SECTORS=9), "mshr_set_assoc: SECTORS must be 1 to 8"),
    ],
    "dl_mshr": [
        (dict(SLOTS=3), "dau: SLOTS must be 1, 2, 4 or 8"),
        (dict(SETS=0), "dau: SETS must be 1 to 4096"),
        (dict(ADDR_BITS=0), "dl_mshr: ADDR_BITS must be 1 to 64"),
        (dict(SETS=3, RESERVED=0, RELEASES=4), "dl_mshr: RELEASES must not exceed SETS"),
        (dict(SECTORS=9), "dl_mshr: SECTORS must be 1 to 8"),
        (dict(STORAGE=3), "dl_mshr: STORAGE must be 0, 1 or 2"),
    ],
    "dl_mshr_pipe": [
        (dict(SLOTS=3), "dl_mshr_pipe: SLOTS must be 1, 2, 4 or 8"),
        (dict(SETS=0), "dl_mshr_pipe: SETS must be 1 to 4096"),
        (dict(SETS=3), "dl_mshr_pipe: RESERVED must not exceed SETS"),
        (dict(SLOT_BITS=1041), "dl_mshr_pipe: SLOT_BITS must be 1 to 1040"),
        (dict(RELEASES=0), "dl_mshr_pipe: RELEASES must be 1 to SETS"),
        (dict(GATING=2), "dl_mshr_pipe: GATING must be 0 or 1"),
        (dict(SECTORS=9), "dl_mshr_pipe: SECTORS must be 1 to 8"),
        (dict(STORAGE=3), "dl_mshr_pipe: STORAGE must be 0, 1 or 2"),
    ],
}

# These parameters may be 0.
MAY_BE_ZERO = {"RESERVED", "RELEASES", "POLICY", "FLUSH", "MEMORY", "PROFILE", "HIT_LIMIT",
               "UIB_LIMIT", "GATING", "STORAGE"}


def run(argv):
    pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(argv, cwd=RTL, text=True, **pipe)
    return done.returncode, done.stdout


def verilator(unit, parameters):
    names = sorted(folder.name for folder in RTL.iterdir() if folder.is_dir())
    folders = [word for name in names for word in ("-y", name)]
    sizes = [f"-G{name}={value}" for name, value in parameters.items()]
    return run(
        ["verilator", "--lint-only", "-Wall", "--assert", "-I.", *folders, "--top-module", unit]
        + [*sizes, f"{unit}/{unit}.sv"]
    )


def sources_of(unit):
    """Returns the unit's file and those of the modules that it mentions, used ones first."""
    modules = {f.stem: f for f in RTL.glob("*/*.sv")}
    order = []

    def add(name):
        text = re.sub(r"//.*", "", modules[name].read_text())
        for used in re.findall(r"^\s*(\w+) #\(", text, re.M):
            if used in modules and used not in order:
                add(used)
        order.append(name)

    add(unit)
    return [str(modules[name].relative_to(RTL)) for name in order]


def yosys(unit, parameters):
    script = "".join(f"read_verilog -sv -I. {file}; " for file in sources_of(unit))
    if parameters:
        sizes = " ".join(f"-set {name} {value}" for name, value in parameters.items())
        script += f"chparam {sizes} {unit}; "
    script += f"hierarchy -check -top {unit}; rename -top {unit}; proc; flatten; opt -fast; "
    script += "check -assert; select -assert-none t:$dlatch t:$_DLATCH_*"
    return run(["yosys", "-Q", "-T", "-p", script])


class RtlUnits(unittest.TestCase):
    units = []

    def test_every_unit_is_here(self):
        there = {f.parent.name for f in RTL.glob("*/*.sv") if f.stem == f.parent.name}
        self.assertEqual(there, set(CORNERS))
        self.assertEqual(there, set(REFUSED))

    def test_no_warnings(self):
        for unit in self.units:
            for parameters in [{}, *CORNERS[unit]]:
                with self.subTest(unit=unit, **parameters):
                    status, text = verilator(unit, parameters)
                    self.assertEqual((status, text.strip()), (0, ""))
                    status, text = yosys(unit, parameters)
                    self.assertEqual(status, 0, text[-2000:])
                    self.assertNotIn("Warning", text)

    def test_no_warnings_at_large_sizes(self):
        for unit in self.units:
            for parameters in LARGE.get(unit, []):
                with self.subTest(unit=unit, **parameters):
                    status, text = verilator(unit, parameters)
                    self.assertEqual((status, text.strip()), (0, ""))

    def test_senseless_parameters_are_refused(self):
        for unit in self.units:
            for parameters, sentence in REFUSED[unit]:
                with self.subTest(unit=unit, **parameters):
                    for tool in (verilator, yosys):
                        status, text = tool(unit, parameters)
                        self.assertNotEqual(status, 0)
                        self.assertIn(sentence, text)

    def test_zero_is_refused(self):
        for unit in self.units:
            text = (RTL / unit / f"{unit}.sv").read_text()
            names = re.findall(r"^\s*parameter int unsigned (\w+)", text, re.M)
            self.assertNotEqual(names, [], unit)
            for name in set(names) - MAY_BE_ZERO:
                with self.subTest(unit=unit, name=name):
                    for tool in (verilator, yosys):
                        status, text = tool(unit, {name: 0})
                        self.assertNotEqual(status, 0)
                        self.assertRegex(text, rf"\w+: .*{name}.* must (be|rise from) ")


if __name__ == "__main__":
    RtlUnits.units = sys.argv[1:] or sorted(CORNERS)
    unittest.main(argv=sys.argv[:1])
