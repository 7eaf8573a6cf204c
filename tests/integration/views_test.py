# SPDX-License-Identifier: Apache-2.0
"""Hardware units in whole runs: class, core, SystemC and RTL give the same statistics; what stood
on their pins, replayed in lockstep."""

import json
import pathlib
import sys
import unittest

from whole_runs import (CONFIG, ROOT, ChangedRtl, RunTest, SMALL, WORKLOADS, assignments,
                        compiled, run, warpmem)


VIEWS = ["class", "core", "systemc", "rtl"]
# Every unit that has views takes part, but for those of TSMA, which take an L1D and L2 of theirs.
EVERY_UNIT = [
    "sm.scheduler.policy=laws_th",
    "l1d.frontend.kind=mrpb",
    "l1d.bypass.kind=bucl_dyn",
    "l2.frontend.kind=cart",
]
HTSMA = ["l1d.mshr.kind=htsma", "l2.mshr.kind=htsma"]


class ViewsTest(RunTest):
    """A unit in the loop gives the same bytes in each view."""

    def check_views(self, units, keys, workloads):
        """Compares the views of `units`, the keys that choose the view of a unit, all at once."""
        for name in workloads:
            views = [
                self.run_workload(name, [*keys, *(f"{unit}={view}" for unit in units)], view)
                for view in VIEWS
            ]
            for view, statistics in zip(VIEWS, views):
                self.assertEqual(views[0], statistics, (view, name, keys))

    def test_dau_views(self):
        self.check_views(["l1d.mshr.dau", "l2.mshr.dau"], [], ("atax", "bfs"))

    def test_tsma_views(self):
        for kind, units in (("tsma", ["index_gen"]), ("htsma", ["index_gen", "steer"])):
            keys = [f"{cache}.mshr.kind={kind}" for cache in ("l1d", "l2")]
            views = [f"{cache}.mshr.{unit}" for cache in ("l1d", "l2") for unit in units]
            self.check_views(views, keys, ("atax", "bfs"))

    def test_file_views(self):
        """The whole file stands beside every handler of L1D and L2 (docs/lockstep.md)."""
        files = ["l1d.mshr.file", "l2.mshr.file"]
        for kind in ("dl", "conventional", "set_associative", "tsma", "htsma"):
            keys = [f"{cache}.mshr.kind={kind}" for cache in ("l1d", "l2")]
            self.check_views(files, keys, ("bfs",))
        # The file's cycles do not depend on those that the cache sleeps, or on construction.
        few = ["l1d.mshr.entries=2", "l1d.mshr.file=core", "l2.mshr.file=core"]
        plain = self.run_workload("bfs", few, "plain")
        for key in ("tick_all", "reverse_construction"):
            self.assertEqual(plain, self.run_workload("bfs", [*few, f"{key}=true"], key))

    def test_hybrid_file_views(self):
        """The file of HTSMA where every branch of its steering is taken, in L1D and L2."""
        files = ["l1d.mshr.file", "l2.mshr.file"]
        keys = [*HTSMA, "l1d.size=4KiB", "l1d.ways=2", "l1d.mshr.small_entries=2",
                "l2.size=4KiB", "l2.ways=4", "l2.mshr.small_entries=2"]
        for name, arguments in (("bfs", ["1500"]), ("spmv", ["512"])):
            runs = [self.run_workload(name, [*keys, *(f"{file}={view}" for file in files)], view,
                                      arguments=arguments) for view in VIEWS]
            for view, statistics in zip(VIEWS, runs):
                self.assertEqual(runs[0], statistics, (view, name))
            total = json.loads(runs[0])["total"]["stats"]
            for cache in ("l1d", "l2"):
                taken = {key: count for key, count in total.items()
                         if key.startswith(f"{cache}.mshr.steered.")}
                self.assertEqual(len(taken), 5)
                self.assertGreater(min(taken.values()), 0, taken)
        for key in ("tick_all", "reverse_construction"):
            again = [*keys, *(f"{file}=core" for file in files), f"{key}=true"]
            self.assertEqual(runs[0], self.run_workload("spmv", again, key, arguments=["512"]))

    def test_pipelined_file_views(self):
        """The file that answers two edges later: its cycles do not depend on the cache's."""
        caches = ("l1d", "l2")
        few = [*(f"{cache}.mshr.entries=8" for cache in caches)]
        plain = self.run_workload("bfs", few, "class")
        piped = [*few, *(f"{cache}.mshr.file_pipelined=true" for cache in caches)]
        for view, more in (("core", []), ("systemc", []), ("rtl", []),
                           ("core", ["tick_all=true"]), ("core", ["reverse_construction=true"])):
            keys = [*piped, *(f"{cache}.mshr.file={view}" for cache in caches), *more]
            self.assertEqual(plain, self.run_workload("bfs", keys, view), keys)

    def test_sectored_file_views(self):
        """Every whole file where misses fetch sectors of a line, by line and by fetch."""
        files = ["l1d.mshr.file", "l2.mshr.file"]
        sectors = ["l1d.sector=32", "l2.sector=32", "l1d.size=2KiB", "l2.size=4KiB"]
        for kind in ("dl", "conventional", "set_associative", "tsma", "htsma"):
            keys = [*sectors, *(f"{cache}.mshr.kind={kind}" for cache in ("l1d", "l2"))]
            self.check_views(files, keys, ("bfs",))
        # A fetch of two sectors, of which a line may have one, and the file that answers later.
        fetches = ["l1d.fetch=64", "l2.fetch=64", "l2.write_miss=validate"]
        apart = [f"{cache}.mshr.granularity=sector" for cache in ("l1d", "l2")]
        coalesced = ["sm.coalescer.granularity=sector"]
        piped = [f"{cache}.mshr.file_pipelined=true" for cache in ("l1d", "l2")]
        for keys in ([*fetches], [*fetches, *apart, *coalesced]):
            plain = self.run_workload("bfs", [*sectors, *keys], "class")
            for more in ([], piped, [*piped, "tick_all=true"]):
                views = [f"{file}=core" for file in files]
                run = self.run_workload("bfs", [*sectors, *keys, *views, *more], "core")
                self.assertEqual(plain, run, (keys, more))

    def test_laws_views(self):
        score, throttle = "sm.scheduler.laws_score", "sm.scheduler.throttle_unit"
        for policy, units in (("laws", [score]), ("laws_th", [score, throttle])):
            keys = [f"sm.scheduler.policy={policy}"]
            self.check_views(units, keys, ("atax", "bfs", "histogram"))

    def test_cart_views(self):
        cart, unit = "l2.frontend.kind=cart", ["l2.frontend.cart_unit"]
        self.check_views(unit, [cart], ("atax", "bfs", "histogram"))
        for keys in (
            ["l2.frontend.latency=0", "l2.frontend.columns=3", "l2.frontend.overtakes=8"],
            ["l2.frontend.drain=longest", "l2.frontend.depth=1"],
            ["l2.frontend.drain=greedy"],
            ["l2.mshr.kind=htsma"],
        ):
            self.check_views(unit, [cart, *keys], ("atax",))

    def test_mrpb_views(self):
        mrpb = ["l1d.frontend.kind=mrpb", "l1d.bypass.kind=associativity"]
        unit = ["l1d.frontend.mrpb.unit"]
        self.check_views(unit, mrpb, ("atax", "bfs"))
        for drain in ("round_robin", "longest", "greedy_round_robin", "greedy_longest"):
            self.check_views(unit, [*mrpb, f"l1d.frontend.mrpb.drain={drain}"], ("atax",))
        no_flush = ["l1d.frontend.mrpb.flush=false", "l1d.frontend.mrpb.signature=cta"]
        self.check_views(unit, [*mrpb, *no_flush], ("atax",))

    def test_bucl_views(self):
        few = ["l1d.mshr.kind=conventional", "l1d.mshr.entries=2"]  # refuses often
        unit = ["l1d.bypass.bucl.unit"]
        for name in ("atax", "bfs"):
            self.check_views(unit, [*few, "l1d.bypass.kind=bucl_dyn"], (name,))
        prf = ["l1d.bypass.kind=bucl_prf", "l1d.bypass.bucl.profile_cycles=1000"]
        self.check_views(unit, [*few, *prf], ("atax",))


class AllUnits(RunTest):
    """Every unit that a configuration has, compared by `run --compare-views`."""

    def check(self, name, more, units):
        """Every unit in each view in every SM, L1D and L2 bank: equal statistics."""
        text = self.run_views(name, [*EVERY_UNIT, *more])
        table = [line for line in text.splitlines() if "slowdown" in line]
        self.assertEqual([line.split()[1] for line in table], VIEWS)
        self.assertEqual(text.count("statistics identical"), len(VIEWS) - 1, text)
        views = next(line for line in text.splitlines() if "views of" in line)
        self.assertEqual(views.count(",") + 1, units, views)

    def run_views(self, name, keys):
        """Returns the standard error of `run --compare-views`."""
        result = run(
            name,
            [*SMALL, *keys],
            {**WORKLOADS, "srad": ["64", "1"]}[name],
            pathlib.Path(self.folder.name) / "views",
            flags=["--compare-views"],
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count("PASS"), len(VIEWS))
        return result.stderr


class AllUnitsTest(AllUnits):
    def test_all_units_at_once(self):
        self.check("bfs", [], 9)

    def test_views_of_files_alone(self):
        """A handler without a control unit has the views of its file."""
        text = self.run_views("atax", ["l1d.mshr.kind=conventional", "l2.mshr.kind=conventional"])
        self.assertIn("views of l1d.mshr.file, l2.mshr.file\n", text)
        self.assertEqual(text.count("statistics identical"), len(VIEWS) - 1, text)

    def test_views_of_a_trace(self):
        """Each view's run has a process of its own, as that of a program has."""
        keys = [*SMALL, "l1d.mshr.kind=conventional", "l2.mshr.kind=conventional"]
        result = warpmem("run", "-c", CONFIG, *assignments(keys), "--compare-views", "-o",
                         pathlib.Path(self.folder.name) / "views",
                         ROOT / "tests" / "data" / "traces" / "saxpy")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("statistics identical"), len(VIEWS) - 1,
                         result.stderr)

    def test_views_of_one_run(self):
        result = warpmem("run", "-c", CONFIG, "--compare-views", "--record-unit", "dau=x",
                         ROOT / "workloads" / "atax.cu")
        self.assertEqual(result.returncode, 2)
        self.assertIn("leave out --record-unit and --waves", result.stderr)


class AllUnitsMoreTest(AllUnits):
    """Further programs, and the units of HTSMA."""

    def test_all_units_at_once(self):
        for more, units in (([], 9), (HTSMA, 11)):
            for name in ("atax", "bfs", "srad"):
                self.check(name, more, units)


class ChangedRtlTest(ChangedRtl):
    def cosim(self, *arguments):
        return self.warpmem("cosim", "dau", "--sets", 6, "--slots", 2, "--reserved", 2, "--cycles",
                            20000, "--seed", 1, "--waves", self.home / "waves.fst", *arguments)

    def check_that_the_run_ends(self, workload, arguments, keys, message):
        """A whole run with the changed RTL ends with `message`, a regular expression."""
        flags = [word for key in keys for word in ("--set", key)]
        result = self.warpmem("run", "-c", CONFIG, *flags, "-o", self.home / "run",
                              compiled(workload), "--", *arguments)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertRegex(result.stderr, rf"\Awarpmem: error: {message}\n\Z")
        return result

    def test_a_check_that_fails_ends_the_run(self):
        self.replace("dau/dau_sets.sv", "(ret_i & (~taken_q | releasing_q)) == '0",
                     "(ret_i & taken_q) == '0")
        failed = r"check failed: dau\.u_sets\.ret_only_when_taken: \(ret_i & taken_q\) == '0"
        result = self.check_that_the_run_ends(
            "atax", ["96"], ["l1d.mshr.dau=rtl"],
            rf"dau of gpu\.memory\.l1d\d+, GPU cycle \d+: dau_sets\.sv:\d+: {failed}")
        self.assertEqual(result.stdout, "")
        result = self.cosim()
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertRegex(result.stdout,
                         rf"DIFFERENCE in cycle \d+: dau_sets\.sv:\d+: {failed}")
        self.assertNotIn("Error", result.stdout)

    def test_a_file_that_answers_otherwise_ends_the_run(self):
        self.replace("common/mshr_slots.sv", "newest_q[ask_entry_i] == SLOT_W'(SLOTS - 1)",
                     "newest_q[ask_entry_i] == SLOT_W'(SLOTS - 2)")
        self.check_that_the_run_ends(
            "bfs", ["400"], ["l1d.mshr.kind=conventional", "l1d.mshr.file=rtl"],
            r"mshr_conventional of gpu\.memory\.l1d\d+, GPU cycle \d+: "
            r"a secondary miss: accepted by the class; by the file it is secondary and no slot")

    def test_a_hybrid_that_steers_otherwise_ends_the_run(self):
        self.replace("htsma/htsma.sv", ".small_empty_i(small_used == '0)",
                     ".small_empty_i(array_used == '0)")
        self.check_that_the_run_ends(
            "bfs", ["400"], ["l1d.mshr.kind=htsma", "l1d.mshr.file=rtl"],
            r"htsma of gpu\.memory\.l1d\d+, GPU cycle \d+: "
            r"req_steer: 4 of the class, 3 of the file")

    def test_a_pipelined_file_that_answers_otherwise_ends_the_run(self):
        """A request of the block whose first request was taken in the cycle before misses it."""
        self.replace("dl_mshr_pipe/dl_pipe_group.sv", "| (alloc & {COUNT{req_same_i}}))",
                     "| (alloc & {COUNT{req_same_i && 1'b0}}))")
        keys = ["l1d.mshr.file=rtl", "l1d.mshr.file_pipelined=true", "l1d.mshr.entries=8"]
        result = self.warpmem("run", "-c", CONFIG, *assignments(keys), "-o", self.home / "run",
                              compiled("bfs"), "--", "400")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertRegex(
            result.stderr,
            r"\Awarpmem: error: dl_mshr_pipe of gpu\.memory\.l1d\d+, GPU cycle \d+: "
            r"a secondary miss: accepted by the class; by the file it is primary and "
            r"accepted\n\Z")

    def test_a_users_file_may_take_other_entries(self):
        """With --rtl; the class numbers its entries otherwise as well."""
        self.replace("common/mshr_file.sv", "~req_used & (req_used + WAYS'(1))",
                     "highest(~req_used)")
        self.replace("common/mshr_file.sv", "  // Returns the number of the way", """
  function automatic logic [WAYS-1:0] highest(input logic [WAYS-1:0] bits);
    highest = bits;
    for (int unsigned step = 1; step < WAYS; step = step * 2)
      highest = highest | (highest >> step);
    highest = highest ^ (highest >> 1);
  endfunction

  // Returns the number of the way""")
        keys = ["l1d.mshr.kind=conventional"]
        plain = self.run_workload("bfs", keys, "plain")
        flags = [word for folder in ("common", "mshr_conventional")
                 for word in ("--rtl", self.home / "rtl" / folder)]
        own = self.run_workload("bfs", [*keys, "l1d.mshr.file=rtl"], "own", flags)
        self.assertEqual(plain, own)
        manifest = pathlib.Path(self.folder.name) / "own" / "manifest.json"
        self.assertIn("common/mshr_file.sv", manifest.read_text())

    def test_an_included_file_is_part_of_the_rtl(self):
        line = "assign req_ready_o = primary || take || link;"
        self.replace("dau/dau.sv", line, '`include "dau/ready.svh"')
        included = self.home / "rtl" / "dau" / "ready.svh"
        included.write_text(line + "\n")
        result = self.cosim()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        included.write_text(line.replace(" || link", "") + "\n")
        result = self.cosim()
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        self.assertIn("req_ready", result.stdout)
        included.write_text(line + "\n")
        self.assertEqual(self.cosim("--no-cache").returncode, 0)

    def test_a_size_of_another_unit(self):
        result = self.warpmem("cosim", "dau", "--ways", 4)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--ways: a size of htsma_steer, not of dau", result.stderr)

    def test_a_size_in_parameters_of_the_rtl(self):
        """More entries than any corner has, in a unit whose sizes have no options."""
        result = self.warpmem("cosim", "mshr_set_assoc", "-p", "ENTRIES=96", "-p", "WAYS=3", "-p",
                              "ADDR_BITS=64", "--cycles", 5000)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("32 sets of 3 entries of 8 slots: plain model, systemc and rtl agree",
                      result.stdout)
        for arguments, sentence in (
            (["mshr", "-p", "ENTRIES=4"], "-p is for one unit; mshr are several"),
            (["dau", "--sets", 8, "-p", "SLOTS=4"], "either with -p or"),
            (["tsma", "-p", "ENTRIES=0"], "ENTRIES: 0 is not 1 to 4096"),
            (["tsma", "-p", "WAYS=2"], "no parameter of tsma; parameters: ENTRIES, SLOTS"),
            (["htsma", "-p", "SECTORS=9"], "SECTORS: 9 is not 1 to 8"),
            (["mshr_conventional", "-p", "SLOT_BITS=33"], "SLOT_BITS: 33 is not 1 to 32"),
            (["mshr_set_assoc", "-p", "WAYS=5"], "32 entries in sets of 5: allowed: a power of"),
            (["mshr_set_assoc", "-p", "ADDR_BITS=2"], "ADDR_BITS: 2 bits do not number 8 sets"),
            (["dl_mshr", "-p", "RESERVED=129"], "RESERVED: 129 is more than the 128 sets"),
            (["dl_mshr_pipe", "-p", "SLOTS=3"], "SLOTS: 3 is not 1, 2, 4 or 8"),
            (["laws_score", "-p", "MISS_BITS=4"], "MISS_BITS: follows from others of laws_score"),
        ):
            result = self.warpmem("cosim", *arguments)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(sentence, result.stderr)


class RecordedUnits(RunTest):
    """What units have on their pins in a whole run is stimulus for lockstep."""

    def record(self, requests, keys):
        flags = [word for unit, file in requests for word in ("--record-unit", f"{unit}={file}")]
        return self.run_workload("bfs", keys, "recorded", flags)

    def check(self, units, more):
        """A run that records `units` is the run without, and what it recorded is in lockstep."""
        folder = pathlib.Path(self.folder.name)
        files = [(unit, folder / unit.replace(":", "-")) for unit in units]
        plain = self.run_workload("bfs", [*EVERY_UNIT, *more], "plain")
        self.assertEqual(plain, self.record(files, [*EVERY_UNIT, *more]))
        for unit, file in files:
            result = warpmem("cosim", unit.partition(":")[0], "--recorded", file)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            self.assertIn(", systemc and rtl agree", result.stdout)
            cycles = int(result.stdout.split("recorded: ")[1].split()[0])
            self.assertGreater(cycles, 50, unit)


class RecordedUnitsTest(RecordedUnits):
    def test_units_of_l1d_and_l2(self):
        self.check(["dau", "dau:8", "mrpb_drain"], [])  # that of eight SMs, then that of L2

    def test_page(self):
        page = pathlib.Path(self.folder.name) / "lockstep.md"
        for unit in ("htsma_steer", "laws_score", "htsma_steer"):
            flags = ("--cycles", 1000, "--seed", 1, "--page", page)
            self.assertEqual(warpmem("cosim", unit, *flags).returncode, 0)
        usual, corners = page.read_text().split("## Corners")
        rows = [[line for line in part.splitlines() if line.startswith("| `")]
                for part in (usual, corners)]
        units = [[row.split("`")[1] for row in part] for part in rows]
        self.assertEqual(units[0], ["htsma_steer", "laws_score"])
        self.assertEqual(sorted(set(units[1])), ["htsma_steer", "laws_score"])
        self.assertGreater(len(units[1]), 10)
        for row in rows[0] + rows[1]:
            self.assertIn("| none |", row)

    def test_no_page_of_somebody_else_is_replaced(self):
        notes = pathlib.Path(self.folder.name) / "notes.md"
        notes.write_text("# Notes\n")
        for command, *flags in (("cosim", "htsma_steer", "--cycles", 10), ("formal", "htsma_steer"),
                                ("mutate", "htsma_steer")):  # fmt: skip
            result = warpmem(command, *flags, "--page", notes)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("notes.md: --page would replace it; allowed: a new file", result.stderr)
        self.assertEqual(notes.read_text(), "# Notes\n")

    def test_mistakes(self):
        folder = pathlib.Path(self.folder.name)
        file = folder / "laws"
        for requests, sentence in (
            (["laws_score"], "is not UNIT=FILE"),
            (["laws_score=x"], "this configuration has no laws_score; it has dau"),
            (["dau:99=x"], "this machine has"),
        ):
            flags = [word for r in requests for word in ("--record-unit", r)]
            result = warpmem("run", "-c", CONFIG, *flags, "-o", folder / "run",
                             compiled("atax"), "--", "96")
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(sentence, result.stderr)
        self.record([("laws_score", file)], ["sm.scheduler.policy=laws"])
        idle = folder / "idle"  # an SM that gets no block
        warpmem("run", "-c", CONFIG, "--record-unit", f"dau:27={idle}", "-o", folder / "run",
                compiled("atax"), "--", "32")
        for arguments, sentence in (
            (["dau", "--recorded", idle], "no cycle is recorded there to compare"),
            (["dau", "--recorded", file], "a recording of laws_score, not of dau"),
            (["laws_score", "--recorded", file, "--miss-limit", 3], "size is that of the recorded"),
            (["laws_score", "--recorded", CONFIG], "not a recording"),
            (["laws_score", "--recorded", file, "-p", "SCORE_BITS=8"], "changes a port or the sta"),
            (["laws_score", "--recorded", file, "-p", "SCORE=8"], "parameters: SCORE_BITS, MISS_"),
            (["laws_score", "--recorded", file, "-p", "SCORE_BITS=4294967304"],
             "-p SCORE_BITS=4294967304: allowed: a number below 2^32"),
            (["laws_score", "--recorded", file, "-p", "SCORE_BITS"], "not of the form NAME=NUMBER"),
        ):
            result = warpmem("cosim", *arguments)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(sentence, result.stderr)


class EveryRecordedUnitTest(RecordedUnits):
    """The other units."""

    def test_every_unit(self):
        self.check(["laws_score", "throttle_unit", "bucl_ctrl", "cart_branch"], [])
        self.check(["tsma_index_gen", "htsma_steer", "htsma", "htsma:8"], HTSMA)
        self.check(["dl_mshr"], [])
        self.check(["dl_mshr_pipe"], ["l1d.mshr.file=core", "l1d.mshr.file_pipelined=true"])
        self.check(["tsma"], ["l1d.mshr.kind=tsma"])

    def test_gates_save_toggles(self):
        """The same stream of requests, with gates in front of the comparators and without."""
        folder = pathlib.Path(self.folder.name)
        keys = ["l1d.mshr.file=core", "l1d.mshr.file_pipelined=true", "l1d.mshr.entries=2"]
        self.record([("dl_mshr_pipe", folder / "pipe")], keys)
        seen = []
        for gates in (1, 0):
            toggles = folder / f"toggles{gates}.json"
            result = warpmem("cosim", "dl_mshr_pipe", "--recorded", folder / "pipe", "-p",
                             f"GATING={gates}", "--toggles", toggles)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            signals = json.loads(toggles.read_text())["transitions_per_cycle"]
            seen.append(sum(count for name, count in signals.items() if ".seen[" in name))
        self.assertGreater(seen[0], 0)
        self.assertLess(seen[0], seen[1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
