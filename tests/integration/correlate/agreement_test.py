#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Errors, means, correlation and the order of counters, by worked examples; what is matched with
what; the page, and the exit status."""
import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

from made import ROOT, TOOL, CorrelateTest, launch, make_run, values

sys.path[:0] = [
    str(pathlib.Path(__file__).resolve().parents[1] / "report"),
    str(ROOT / "tools" / "correlate"),
    str(ROOT / "tools" / "report"),
]
import agreement  # noqa: E402
from report_test import Checker  # noqa: E402

HEAD = "program,kernel,launch,"


def rows_by_name(result):
    return {row["metric"]: row for row in result["metrics"]}


class AgreementTest(CorrelateTest):
    def three(self):
        """Three launches beside 1000, 2000 and 4000 cycles."""
        self.run_of(
            launch("a(int)", 1, gpu__cycles=1100, l1d__hits=1500),
            launch("a(int)", 2, gpu__cycles=1900, l1d__hits=1800),
            launch("b(int)", 3, gpu__cycles=4000, l1d__hits=2100),
        )
        text = "cycles [cycles],warp_instructions [inst],l1d.hit_rate [%],l1d.reads [requests]\n"
        text += "atax,a,1,1000,4000,52,3000\natax,a,2,2000,4000,60,3000\n"
        text += "atax,b,3,4000,4000,69,3000\n"
        return self.file("three.csv", HEAD + text)

    def test_mean_absolute_error_and_pearson(self):
        """Errors +10, −5 and 0 %: mean 5. The sums of products around the means are 41.1, 42 and
        40.38 millions of a ninth: r = 41.1 / sqrt(42 × 40.38)."""
        rows = rows_by_name(self.result(self.three(), "run"))
        cycles = rows["cycles"]
        self.assertEqual((cycles["mean_error"], cycles["error_unit"]), (5, "%"))
        self.assertAlmostEqual(cycles["pearson"], 41.1 / (42 * 40.38) ** 0.5, places=8)
        self.assertEqual(cycles["worst"], {"launch": "atax #1 a", "error": 10})
        # Rates: 50, 60, 70 % for 52, 60, 69: points −2, 0, +1.
        rate = rows["l1d.hit_rate"]
        self.assertEqual((rate["mean_error"], rate["error_unit"]), (1, "points"))
        self.assertEqual(rate["worst"], {"launch": "atax #1 a", "error": -2})
        text = self.call("three.csv", "run").stdout
        self.assertRegex(text, r"\ncycles +3 +5\.0 % +0\.9980  \+10\.0 % atax #1 a\n")
        self.assertRegex(text, r"\nwarp_instructions +3 +0\.0 % +–  –\n")  # nobody is the worst
        # One value everywhere: no correlation.
        self.assertIsNone(rows["warp_instructions"]["pearson"])

    def test_launches_stand_by_their_error(self):
        reference = self.three()
        result = self.result(reference, "run", "--outlier=4")
        self.assertEqual([one["launch"] for one in result["launches"]], [1, 2, 3])
        self.assertEqual([one["outlier"] for one in result["launches"]], [True, True, False])
        result = self.result(reference, "run", "--outlier=5")  # above, not at
        self.assertEqual([one["outlier"] for one in result["launches"]], [True, False, False])

    def test_totals(self):
        """Amounts are added, and a rate is weighted with its accesses."""
        self.run_of(
            launch("a", 1, gpu__cycles=1000, l1d__accesses=1000, l1d__hits=100),
            launch("a", 2, gpu__cycles=3000, l1d__accesses=3000, l1d__hits=2700),
        )
        text = "cycles [cycles],l1d.hit_rate [%],l1d.reads [requests],memory_latency [cycles]\n"
        text += "atax,a,1,800,20,1000,100\natax,a,2,2400,60,1000,100\n"
        totals = self.result(self.file("ref.csv", HEAD + text), "run")["totals"]
        self.assertEqual([(one["program"], one["launches"]) for one in totals], [("atax", 2)])
        found = totals[0]["values"]
        self.assertEqual(found["cycles"], {"measured": 4000, "reference": 3200, "error": 25})
        self.assertEqual(found["l1d.hit_rate"], {"measured": 70, "reference": 40, "error": 30})
        self.assertNotIn("memory_latency", found)  # a mean without weights

    def test_counters_beside_an_outlier(self):
        """By % of the reference, or of 100 requests where there are fewer; points count as %."""
        self.run_of(launch("a", 1))
        text = (
            "cycles [cycles],ipc [per cycle],l2.misses [requests],l2.hit_rate [%],"
            "dram.writes [requests],l1d.merges [requests],dram.reads [requests],loads [inst],"
            "l1d.writes [requests]\natax,a,1,2000,10,300,80,10,201,250,695,3000\n"
        )
        result = self.result(self.file("ref.csv", HEAD + text), "run")
        # l2.misses 600 for 300 and dram.reads 500 for 250 are equals: in the order of the metrics.
        # 90 writes for 10 are 80 % of 100; 200 merges for 201 and 700 loads for 695 are near.
        self.assertEqual(
            result["launches"][0]["differing"],
            [
                {"metric": "l2.misses", "error": 100},
                {"metric": "dram.reads", "error": 100},
                {"metric": "l1d.writes", "error": -90},
                {"metric": "dram.writes", "error": 80},
                {"metric": "l2.hit_rate", "error": -30},
            ],
        )
        text = self.call("ref.csv", "run").stdout
        first = "  atax #1 a: +25.0 % (2,500 for 2,000)\n    l2.misses +100.0 % (600 for 300),"
        self.assertIn(first, text)

    def test_different_work_is_in_no_mean(self):
        text = HEAD + "cycles [cycles],warp_instructions [inst]\natax,a,1,2500,4000\n"
        self.run_of(launch("a", 1), launch("a", 2, **{"gpu.warp_inst": 4041}))
        reference = self.file("ref.csv", text + "atax,a,2,100,4000\n")
        result = self.result(reference, "run")
        self.assertEqual([one["same_work"] for one in result["launches"]], [False, True])
        self.assertEqual(result["launches"][0]["work_difference"], 1.025)
        self.assertEqual(result["metrics"][0]["launches"], 1)
        self.assertEqual(result["metrics"][0]["mean_error"], 0)
        self.assertFalse(result["launches"][0]["outlier"])
        text = self.call(reference, "run").stdout
        self.assertIn("different work: atax #2 a: 1.0 % of the instructions", text)
        result = self.result(reference, "run", "--work=1.1")
        self.assertEqual(result["launches_of_the_same_work"], 2)

    def test_work_that_cannot_be_checked_is_said(self):
        self.run_of(launch("a", 1))
        reference = self.file("ref.csv", HEAD + "cycles [cycles]\natax,a,1,2500\n")
        self.assertEqual(self.result(reference, "run")["launches_unchecked"], 1)
        self.assertIn("1 without instructions in the reference", self.call(reference, "run").stdout)

    def test_exit_status(self):
        reference = self.three()
        self.assertEqual(self.call("--fail-above=5", reference, "run").returncode, 0)
        run = self.call("--fail-above=4.9", reference, "run")
        self.assertEqual(run.returncode, 1)
        self.assertIn("the mean error of cycles is 5 %, above 4.9 %", run.stderr)
        run = self.call("--fail-above=5", "--work=0", reference, "run")
        self.assertEqual(run.returncode, 0)
        text = HEAD + "cycles [cycles],warp_instructions [inst]\natax,a,1,1,1\n"
        other = self.file("other.csv", text)
        run = self.call("--fail-above=99999", other, "run")  # nothing to judge by is no success
        self.assertEqual((run.returncode, "no launch did the same work" in run.stderr), (1, True))

    def test_a_metric_that_a_run_lacks_is_named(self):
        self.run_of(launch("a", 1, **{"sm.requests.bytes_128": 7}))
        text = HEAD + "cycles [cycles],l1d.reads [sectors],l2.reads [sectors]\n"
        text += "atax,a,1,2500,9,1000\n"
        result = self.result(self.file("ref.csv", text), "run")
        self.assertEqual(sorted(values(result)), ["cycles", "l2.reads"])
        self.assertEqual(result["absent"][0]["metric"], "l1d.reads")
        self.assertIn("wider than a sector", result["absent"][0]["why"])
        self.assertIn("does not have it: l1d.reads (1)", self.call("ref.csv", "run").stdout)

    def test_page(self):
        reference = self.three()
        self.call(reference, "run", "--page=p.html", "--title=<x>", "--outlier=4")
        page = (self.folder / "p.html").read_text()
        checker = Checker()
        checker.feed(page)
        checker.close()
        self.assertEqual((checker.open, checker.sources), ([], []))
        text = re.sub(r"\s+", " ", " ".join(checker.text))
        for shown in ("<x>", "Mean error of cycles 5.0 %", "Pearson 0.9980", "Outliers 2",
                      "cycles cycles 3 5.0 % 0.9980 +10.0 % atax #1 a",
                      "atax #1 a a(int) +10.0 % 1,100 for 1,000",
                      "l1d.hit_rate −2.0 points (50.0 % for 52.0 %)"):  # fmt: skip
            self.assertIn(shown, text)
        self.assertEqual(page.count("<svg"), 4)  # one for each metric
        self.assertIn("<title>atax #3 b: measured 4,000, reference 4,000</title>", page)
        self.call(reference, "run", "--page=q.html", "--title=<x>", "--outlier=4")
        self.assertEqual(page, (self.folder / "q.html").read_text())

    def test_points_lie_where_the_axes_say(self):
        """Both axes go from 1000 to 5000 on 300 units, from 56 on to the right and from 310 up.
        2000 of the reference stand at log 2 ÷ log 5 of them, 1900 of the run at log 1.9 ÷ log 5."""
        self.call(self.three(), "run", "--page=p.html")
        self.assertIn('<circle cx="185.2" cy="190.4"', (self.folder / "p.html").read_text())

    def test_output_that_cannot_be_written(self):
        command = [sys.executable, str(TOOL), self.three(), "run"]
        with open("/dev/full", "w") as full:
            run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True,
                                 cwd=self.folder)  # fmt: skip
        message = "warpmem: error: standard output: cannot be written: No space left on device\n"
        self.assertEqual((run.returncode, run.stderr), (2, message))

    def test_names_of_any_bytes_in_any_locale(self):
        """Names that are no UTF-8, or two lines, are shown as the report shows them."""
        run = make_run(self.folder / os.fsdecode(b"odd \xff\n<"), launch("a\tb()", 1))
        reference = self.file("ref.csv", HEAD + 'cycles [cycles]\natax,"a\tb",1,2000\n')
        for locale in ("C", "en_US.ISO-8859-1"):
            command = [sys.executable, str(TOOL), "--page=p.html", "--json=p.json", reference, run]
            done = subprocess.run(command, capture_output=True, cwd=self.folder,
                                  env={**os.environ, "LC_ALL": locale})  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertIn("  atax #1 b: +25.0 %", done.stdout.decode())
        result = json.loads((self.folder / "p.json").read_text())
        self.assertIn("odd \\xff", result["runs"][0]["run"])
        self.assertIn("odd \\xff\n&lt;", (self.folder / "p.html").read_text())

    def test_json_is_whole(self):
        result = self.result(self.three(), "run")
        self.assertEqual(result["reference"]["kind"], "warpmem CSV")
        self.assertEqual(result["runs"], [{"run": "run", "program": "atax"}])
        self.assertEqual((result["judged_by"], result["launches_matched"]), ("cycles", 3))
        first = (self.folder / "result.json").read_bytes()
        self.assertEqual(json.loads(first), self.result("three.csv", "run"))
        self.assertEqual(first, (self.folder / "result.json").read_bytes())


class PearsonTest(unittest.TestCase):
    def test_ends(self):
        """Of two points, and of what lies on a line, whatever is rounded."""
        line = [0.1, 0.3, 0.7, 1e9, 3e9]
        for xs, ys, r in (([1, 2], [5, 9], 1), ([1, 2], [9, 5], -1), (line, line, 1)):
            self.assertEqual(agreement.pearson(xs, ys), r)

    def test_none(self):
        """One point, or one value: the mean of three times 0.1 is not 0.1."""
        self.assertIsNone(agreement.pearson([1], [1]))
        self.assertIsNone(agreement.pearson([1, 2, 3], [0.1] * 3))
        self.assertIsNone(agreement.pearson([0.1] * 3, [1, 2, 3]))


class MatchingTest(CorrelateTest):
    def reference(self, *rows):
        text = HEAD + "cycles [cycles]\n" + "".join(f"{row},2500\n" for row in rows)
        return self.file("ref.csv", text)

    def test_programs_by_name_and_by_match(self):
        self.run_of(launch("a", 1), name="r1", program="atax")
        self.run_of(launch("a", 1, gpu__cycles=1250), name="r2", program="bicg")
        reference = self.reference("bicg,a,1", "mine,a,1", "third,a,1")
        result = self.result(reference, "r1", "r2", "--match=r1=mine")
        found = {one["program"]: values(one_result(result, i))["cycles"][0]
                 for i, one in enumerate(result["launches"])}  # fmt: skip
        self.assertEqual(found, {"mine": 2500, "bicg": 1250})
        self.assertEqual(result["alone"], ["no run of third"])

    def test_names_of_kernels(self):
        """Types, namespaces, templates and mangling tell nothing."""
        for written in ("atax_rows", "_Z9atax_rowsPKfS0_Pfii", "_ZN2ns9atax_rowsIfEEvPT_",
                        "_ZN12_GLOBAL__N_19atax_rowsEPf", "_ZL9atax_rowsPf",
                        '"void ns::atax_rows<float, (int)3>(T1 *, const float *, int)"',
                        '"(anonymous namespace)::atax_rows(float*)"'):  # fmt: skip
            with self.subTest(written):
                self.setUp()
                self.run_of(launch("void ns::atax_rows<float>(float*, int)", 1))
                self.result(self.reference(f"atax,{written},1"), "run")
        self.assertIn("is of other there", self.error_of_kernel("_Z5otherPf"))
        self.assertIn("is of _Z99 there", self.error_of_kernel("_Z99"))

    def error_of_kernel(self, name):
        self.setUp()
        self.run_of(launch(name, 1))
        return self.error(self.reference("atax,atax_rows,1"), "run")

    def test_launches_without_reference_are_counted(self):
        self.run_of(launch("a", 1), launch("a", 2), launch("b", 3))
        result = self.result(self.reference("atax,a,2"), "run")
        self.assertEqual(result["launches"][0]["launch"], 2)
        self.assertEqual(result["alone"], ["2 of the launches of run have no reference"])

    def test_what_matches_nothing(self):
        self.run_of(launch("a", 1))
        self.run_of(launch("a", 1), name="again")
        error = self.error(self.reference("atax,a,1", "atax,a,2"), "run")
        self.assertEqual(error, "ref.csv:3: launch 2 of atax is of a; in run it is not there")
        error = self.error(self.reference("atax,b,1"), "run")
        self.assertEqual(error, "ref.csv:2: launch 1 of atax is of b; in run it is of a there")
        error = self.error(self.reference("bicg,a,1"), "run")
        self.assertIn("run: of atax, which ref.csv does not have; it has bicg. --match run=", error)
        error = self.error(self.reference("atax,a,1"), "run", "again")
        self.assertIn("again: of atax, as run is", error)
        for match in ("run", "else=x", "run="):
            self.assertIn("not RUN=NAME", self.error("ref.csv", "run", f"--match={match}"))

    def test_runs_that_cannot_be_compared(self):
        reference = self.reference("atax,a,1")
        self.assertIn("nowhere: not a run directory", self.error(reference, "nowhere"))
        self.run_of(launch("a", 1), name="stuck", status="deadlock")
        self.assertIn("stuck: the run did not complete: deadlock", self.error(reference, "stuck"))
        self.run_of(name="empty")
        self.assertIn("empty: the run launched no kernel", self.error(reference, "empty"))
        both = launch("a", 1)
        both["together"] = []
        self.run_of(both, name="together")
        self.assertIn("gpu.concurrent_kernels: 1", self.error(reference, "together"))
        functional = launch("a", 1)
        del functional["stats"]["gpu.cycles"]
        self.run_of(functional, name="functional")
        self.assertIn("launch 1 was not timed", self.error(reference, "functional"))
        self.assertIn("at least one run", self.error(reference))
        self.run_of(launch("a", 1))
        for option in ("--outlier=x", "--work=-1", "--fail-above=nan"):
            self.assertIn("not a number of %", self.error(reference, "run", option))
        run = self.call(reference, "run", "--page=no/where.html")
        self.assertEqual(run.returncode, 2)
        self.assertIn("no/where.html: cannot be written", run.stderr)

    def test_stats_json_stands_for_its_run(self):
        self.run_of(launch("a", 1))
        result = self.result(self.reference("atax,a,1"), "run/stats.json")
        self.assertEqual(result["runs"], [{"run": "run/stats.json", "program": "atax"}])

    def test_folder_of_references(self):
        """Logs name no program: their files do."""
        (self.folder / "refs").mkdir()
        rows = "kernel_name = a \nkernel_launch_uid = 1 \ngpu_sim_cycle = {}\ngpu_sim_insn = 1\n"
        end = "GPGPU-Sim: *** exit detected ***\n"
        for name, cycles in (("atax", 2500), ("bicg", 5000)):
            self.file(f"refs/{name}.log", rows.format(cycles) + end)
            self.run_of(launch("a", 1), name=name, program=name)
        result = self.result("refs", "bicg", "atax")
        found = {one["program"]: one["values"]["cycles"]["error"] for one in result["launches"]}
        self.assertEqual(found, {"atax": 0, "bicg": -50})
        error = self.error("refs/atax.log", "atax", "bicg")
        self.assertIn("refs/atax.log:1: the reference names no program", error)
        self.file("refs/atax.csv", HEAD + "cycles [cycles]\natax,a,1,2500\n")
        self.assertIn("launches of atax stand in refs/atax.csv already", self.error("refs", "atax"))


def one_result(result, index):
    return {"launches": [result["launches"][index]]}


if __name__ == "__main__":
    unittest.main()
