# SPDX-License-Identifier: Apache-2.0
"""The configuration fuzzer itself: it finds a fault that is planted in the tool and says how to see
it; its cases depend on the seed alone."""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import configuration_trial
import configurations
from configuration_draw import (CLUSTER_PROGRAMS, PROGRAMS, Case, Range, Source, draw_case,
                                quantity, with_fitting_program)

HERE = pathlib.Path(__file__).resolve().parent

# This stands for warpmem: it knows its configurations, and runs give the same at once but for a
# fault.
STUB = """#!/bin/sh
[ "$1" = config ] && exec {warpmem} "$@"
arguments=" $* "
while [ "$1" != -o ]; do shift; done
out=$2
has() {{ case "$arguments" in *" $1 "*) true ;; *) false ;; esac }}
if [ "${{arguments#" cc "}}" != "$arguments" ]; then touch "$out"; exit; fi
mkdir "$out"
stats=line
if has l1d.index=xor; then {fault}; fi
echo "$stats" >"$out/stats.json"
echo PASS
"""


SEED = "5"


def fuzz(stub, *options):
    """Runs the fuzzer on the program `stub` in place of warpmem."""
    with tempfile.TemporaryDirectory() as folder:
        tool = pathlib.Path(folder) / "warpmem"
        tool.write_text(stub)
        tool.chmod(0o755)
        return subprocess.run(
            [sys.executable, HERE / "configurations.py", "--seed", SEED, "--mistakes", "0",
             *options],
            capture_output=True, text=True, env={**os.environ, "WARPMEM": str(tool)})


class PlantedFaultTest(unittest.TestCase):
    """Of the settings of a case, some forty, a single one matters."""

    def fuzz(self, fault, *options):
        return fuzz(STUB.format(fault=fault, warpmem=configurations.WARPMEM), "--count", "60",
                    "--failures", "1", *options)

    def check(self, fault, what):
        """Returns the standard output of a run that finds the fault."""
        result = self.fuzz(fault)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stdout, rf"case \d+ of seed {SEED}: {what}\n")
        line = next(text for text in result.stdout.splitlines() if "warpmem run" in text)
        self.assertEqual(re.findall(r"--set (\S+)=", line.partition("; ")[0]),
                         ["l1d.index", "check_data", "check_protocol", "dram.check_timing"])
        return line

    def test_statistics_with_tick_all(self):
        line = self.check("has --tick-all && stats=other",
                          "tick-all: other statistics")
        _, again, compare = line.split("; ")
        self.assertIn(" --tick-all ", again)
        self.assertEqual(compare, "cmp runs/base/stats.json runs/tick-all/stats.json")

    def test_statistics_with_the_opposite_construction(self):
        self.check("has reverse_construction=true && stats=other",
                   "reversed: other statistics")

    def test_a_crash(self):
        self.check("kill -ABRT $$", "base: exit status -6")

    def test_a_deadlock(self):
        self.check("exit 3", "base: exit status 3")

    def test_a_wrong_result(self):
        # A trace has no result of its own, but both have statistics.
        self.check('echo FAIL; echo "$stats" >"$out/stats.json"; exit', "base: no PASS")

    def test_refused_without_a_message(self):
        self.check("exit 2", "base: refused without a word")

    def test_refused_by_one_variant(self):
        self.check("has --tick-all && exit 1", "tick-all: exit status 1")

    def test_a_mistake_that_is_taken(self):
        result = self.fuzz(":", "--mistakes", "0.2")  # the stub refuses nothing
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("base: mistake taken", result.stdout)

    def test_no_fault(self):
        one, two = (self.fuzz(":", "--count", "6", "-j", jobs) for jobs in ("1", "4"))
        self.assertEqual(one.returncode, 0, one.stdout)
        self.assertEqual(one.stdout, two.stdout)


# This refuses every run and, with `mend` empty, what it has once called valid.
REFUSING = """#!/bin/sh
case "$1 $2" in
  "config --schema") exec {warpmem} "$@" ;;
  config*) {mend} [ -e "$0.asked" ] && echo refused >&2 && exit 2
           {warpmem} "$@" && touch "$0.asked" ;;
  *) case " $* " in *" cc "*) shift 3; touch "$1" ;; *) echo refused >&2; exit 2 ;; esac ;;
esac
"""


class RefusedTest(unittest.TestCase):
    """A case is drawn with keys that have no effect; without them it must stay valid."""

    def fuzz(self, mend):
        return fuzz(REFUSING.format(mend=mend, warpmem=configurations.WARPMEM), "--count", "1")

    def test_a_configuration_that_was_valid(self):
        result = self.fuzz("")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("base: refused without keys of no effect", result.stdout)

    def test_a_program_that_does_not_fit(self):
        result = self.fuzz("false &&")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("1 refused, 0 failures", result.stdout)


class HangTest(unittest.TestCase):
    def test_a_run_that_does_not_end(self):
        with tempfile.TemporaryDirectory() as folder, \
                unittest.mock.patch.object(configuration_trial, "RUN_SECONDS", 1):
            tool = pathlib.Path(folder) / "warpmem"
            tool.write_text("#!/bin/sh\nsleep 100 & wait\n")  # as `warpmem run` starts a program
            tool.chmod(0o755)
            trial = configuration_trial.Trial(tool, HERE, lambda program: program)
            failure, _, runs = configuration_trial.verdict(trial, Case("", {}, "x.cu", []), [])
        self.assertEqual((failure.what, runs), ("hang", 1))


class ProblemTest(unittest.TestCase):
    NOTE = "warpmem: note: k(int*) is not launched (cudaErrorInvalidConfiguration): too large\n"

    @staticmethod
    def problem(stderr, mistake=""):
        outcome = configuration_trial.Outcome(2, "", stderr, b"{}")
        return configuration_trial.problem_of(Case("", {}, "x.cu", [], mistake), outcome)

    def test_a_later_launch_that_does_not_fit_leaves_statistics(self):
        self.assertIsNone(self.problem(self.NOTE + "warpmem: error: a kernel was not launched\n"))

    def test_another_refusal_leaves_none(self):
        for case in (("warpmem: error: l1d.size: 3\n",), (self.NOTE, "l1d.size: 3")):
            self.assertEqual(self.problem(*case)[0], "refused with statistics", case)


class DrawTest(unittest.TestCase):
    SCHEMA = {"keys": {
        "a.kind": {"type": "choice", "choices": ["x", "y:N"], "default": "x"},
        "a.unit": {"type": "choice", "choices": ["class", "core", "systemc", "rtl"],
                   "default": "class"},
        "a.on": {"type": "bool", "default": "true"},
        "tick_all": {"type": "bool", "default": "false"},
        "uvm.enable": {"type": "bool", "default": "false"},
        "a.size": {"type": "size", "allowed": "1 KiB..1 MiB, a power of two",
                   "default": "4 KiB"},
        "a.clock": {"type": "frequency", "allowed": "1 MHz..10 GHz", "default": "1137 MHz"},
        "a.count": {"type": "integer", "allowed": "3 or more", "default": "8"},
        "a.share": {"type": "real", "allowed": "0..1", "default": "0.5"},
        "a.time": {"type": "time", "allowed": "1..4096 ck or up to 4096 ns", "default": "12"},
    }}  # fmt: skip

    def cases(self, seed):
        source = Source(self.SCHEMA, ["m"])
        rng = random.Random(seed)
        return [draw_case(source, rng, source.pairs()[0], False) for _ in range(200)]

    def test_the_seed_decides(self):
        self.assertEqual(self.cases(1), self.cases(1))
        self.assertNotEqual(self.cases(1), self.cases(2))

    def test_what_is_drawn_is_allowed(self):
        drawn = {}
        for case in self.cases(3):
            for key, value in case.keys.items():
                drawn.setdefault(key, set()).add(value)
        self.assertEqual(drawn["a.kind"] - {"x"}, set())  # the pair's value
        self.assertEqual(drawn["a.on"], {"true"})
        self.assertNotIn("tick_all", drawn)
        self.assertNotIn("a.unit", drawn)
        for key in ("a.size", "a.clock", "a.count", "a.share"):
            allowed = Range.of(self.SCHEMA["keys"][key])
            for text in drawn[key]:
                self.assertTrue(allowed.low <= quantity(text) <= allowed.high, (key, text))
        self.assertTrue(any(text.endswith(" ns") for text in drawn["a.time"]))
        for text in drawn["a.time"]:
            number, _, unit = text.partition(" ")
            self.assertTrue(0 < float(number) <= 4096 and unit in ("", "ns"), text)
        for text in drawn["a.size"]:
            self.assertEqual(bin(int(text)).count("1"), 1)

    def test_what_is_avoided_is_not_drawn(self):
        source = Source(self.SCHEMA, ["m"], ["a.on=true", "a.kind=x"])
        self.assertEqual(source.values("a.on"), ["false"])
        self.assertEqual(source.values("a.kind"), ["y:N"])

    def test_a_program_that_needs_bulk_copies_runs_on_a_machine_that_has_them(self):
        def fitting(program, engine):
            keys = {"sm.bulk.enable": {"value": engine}}
            case = with_fitting_program(Case("", {}, *program), keys, random.Random(1))
            return case.program, case.arguments

        for program in CLUSTER_PROGRAMS:
            self.assertEqual(fitting(program, "true"), program)
            self.assertIn(fitting(program, "false"), PROGRAMS)
        self.assertEqual(fitting(PROGRAMS[0], "false"), PROGRAMS[0])


if __name__ == "__main__":
    unittest.main()
