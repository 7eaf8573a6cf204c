#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The first screen: who wins, by how much and why, and the warnings, from runs made here."""
import html
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "report"
sys.path.insert(0, str(TOOL))

import content  # noqa: E402
import load  # noqa: E402
import report  # noqa: E402
import stack  # noqa: E402

CONFIG = """sm:
  count: {sms}
  clock: {clock}
memory:
  partitions: 2
dram:
  clock: 1000 MHz
"""


def launch(cycles, issue=0, ctas=4, sms=4, **more):
    """Counters of a launch whose SMs wait for memory when they do not issue, half of it at L2 and
    half at DRAM, and are idle where nothing is said."""
    memory = more.pop("memory", None)
    stalls = {f"sm.stall.{key}": value for key, value in more.items() if key in stack.WORDS}
    if memory is None:
        memory = cycles * sms - issue - sum(stalls.values())
    stats = {
        "gpu.cycles": cycles,
        "gpu.ipc": issue * 32 / cycles,
        "sm.ctas": ctas,
        "sm.issue_cycles": issue,
        "sm.active_cycles": issue + memory + sum(stalls.values()),
        "sm.stall.memory": memory,
        "sm.latency.l2_access_ns": 50.0,
        "sm.latency.dram_service_ns": 50.0,
        **stalls,
    }
    stats.update({key: value for key, value in more.items() if "." in key})
    return stats


class Stack(unittest.TestCase):
    def test_the_parts_make_up_the_time(self):
        stats = launch(1000, issue=1000, memory=2000, barrier=400)
        stats["sm.active_cycles"] = 3400
        found = stack.stack_of(stats, 4)
        self.assertEqual(
            {key: round(value) for key, value in found.parts.items()},
            {"issue": 250, "l2": 250, "dram": 250, "barrier": 100, "idle": 150},
        )
        self.assertAlmostEqual(sum(found.parts.values()), 1000)

    def test_without_loads_memory_is_one_part(self):
        stats = launch(1000, issue=1000)
        del stats["sm.latency.l2_access_ns"], stats["sm.latency.dram_service_ns"]
        self.assertEqual(set(stack.stack_of(stats, 4).parts), {"issue", "memory"})

    def test_each_launch_waits_at_its_own_level(self):
        one = launch(1000)
        other = launch(1000)
        other["sm.latency.l2_access_ns"] = 0
        found = stack.of_launches([{"stats": one}, {"stats": other}], 4)
        self.assertEqual(found.cycles, 2000)
        self.assertAlmostEqual(found.parts["l2"], 500)
        self.assertAlmostEqual(found.parts["dram"], 1500)

    def test_counters_that_do_not_add_up_have_no_stack(self):
        stats = launch(1000, issue=100)
        stats["sm.active_cycles"] += 1
        self.assertIsNone(stack.stack_of(stats, 4))
        self.assertIsNone(stack.stack_of(launch(1000, issue=100), 2))  # more than two SMs can do
        self.assertIsNone(stack.stack_of(launch(1000), None))

    def test_sms_that_get_no_block_are_left_out(self):
        found = stack.stack_of(launch(1000, issue=100, memory=800, ctas=1), 4)
        self.assertEqual({k: round(v) for k, v in found.parts.items()},
                         {"issue": 100, "l2": 400, "dram": 400, "idle": 100})

    def test_waits_for_launches_are_no_idleness_of_the_program(self):
        stats = launch(1000, issue=1000, memory=0, **{"gpu.launch_cycles": 700})
        self.assertEqual(stack.stack_of(stats, 4).parts, {"issue": 250, "launch": 700, "idle": 50})

    def test_kernels_that_run_together_wait_for_their_launches_at_once(self):
        stats = launch(1000, issue=400, memory=0, **{"gpu.launch_cycles": 300})
        for begins, cycles in (((0, 0, 0), 100), ((0, 60, 0), 160), ((0, 500, 300), 300)):
            row = {"stats": stats, "together": [{"begin": begin} for begin in begins]}
            self.assertEqual(stack.of_launches([row], 4).parts["launch"], cycles)


class Runs:
    """Run directories in a folder."""

    def __init__(self, folder):
        self.folder, self.runs = folder, []
        folder.mkdir(exist_ok=True)

    def add(self, name, *launches, clock="1000 MHz", sms=4, **manifest):
        folder = self.folder / name
        folder.mkdir()
        total = {}
        for stats in launches:
            for key, value in stats.items():
                total[key] = total.get(key, 0) + value
        for key in total:
            if key.endswith("_ns"):
                total[key] /= len(launches)
        document = {
            "units": {},
            "kernels": [{"name": f"k{i}", "stats": s} for i, s in enumerate(launches)],
            "total": {"stats": total, "histograms": {}, "series": {}},
        }
        (folder / "stats.json").write_text(json.dumps(document))
        (folder / "config.yaml").write_text(CONFIG.format(sms=sms, clock=clock))
        about = {
            "status": "complete",
            "command": "warpmem run -c m.yaml workloads/atax.cu -- 64",
            "program_hash": "a" * 64,
            **manifest,
        }
        (folder / "manifest.json").write_text(json.dumps(about))
        self.runs.append(folder)


class Answer(unittest.TestCase):
    def setUp(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        self.made = Runs(folder)
        self.run_of = self.made.add

    def screen(self):
        """The text of the first screen."""
        context = content.page(load.read_runs(self.made.runs), [], "")
        self.page = report.render("page.html", context)
        found = re.search(r'<section id="answer">.*?</section>', self.page, re.S)[0]
        return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]*>", "", found)))

    def test_the_winner_over_the_baseline(self):
        self.run_of("old", launch(20000, issue=8000))
        self.run_of("new", launch(10000, issue=8000))
        text = self.screen()
        self.assertIn(
            "new is the fastest: 10,000 cycles, 10 µs, 2.000× as fast as the baseline old "
            "(+100.0 %).",
            text,
        )
        self.assertIn("Why new and not old", text)
        # 40,000 of the 80,000 cycles of four SMs, half at each level.
        self.assertIn(
            "new waits for loads at L2: 5,000 cycles an SM less than old, 50 % of the difference",
            text,
        )
        self.assertIn("new waits for loads at DRAM: 5,000 cycles an SM less than old, 50 %", text)
        self.assertNotIn("Against it", text)

    def test_a_baseline_that_wins_is_compared_with_the_next(self):
        self.run_of("base", launch(10000, issue=8000, **{"dram.reads": 10, "dram.writes": 0}))
        self.run_of("slow", launch(30000, issue=8000))
        self.run_of(
            "next", launch(12000, issue=4000, barrier=16000, **{"dram.reads": 20, "dram.writes": 2})
        )
        text = self.screen()
        self.assertIn("base is the fastest: 10,000 cycles, 10 µs, 1.200× as fast as next", text)
        self.assertIn("and 3.000× as fast as slow, the slowest", text)
        self.assertIn("base waits at a barrier: 4,000 cycles an SM less than next, 200 %", text)
        self.assertIn(
            "Against it: base issues an instruction, 1,000 cycles an SM more than next, 50 %", text
        )

    def test_counters_stand_beside_the_causes(self):
        more = {"dram.reads": 100, "dram.writes": 0, "l2.hit_rate": 0.5}
        self.run_of("a", launch(20000, **more))
        self.run_of("b", launch(10000, **{**more, "dram.reads": 50, "l2.hit_rate": 0.75}))
        text = self.screen()
        self.assertIn("DRAM accesses 50 instead of 100 and L2 hit rate 75.0 % instead of 50.0 %",
                      text)

    def test_equal_runs_have_no_winner(self):
        self.run_of("a", launch(10000))
        self.run_of("b", launch(10000))
        text = self.screen()
        self.assertIn("No difference: a and b take the same time, 10,000 cycles, 10 µs.", text)
        self.assertNotIn("Why", text)

    def test_two_may_win(self):
        self.run_of("a", launch(20000))
        self.run_of("b", launch(10000))
        self.run_of("c", launch(10000))
        self.assertIn("b and c are the fastest, and alike: 10,000 cycles", self.screen())

    def test_clocks_that_differ_make_times_of_cycles(self):
        self.run_of("slow", launch(10000), clock="500 MHz")
        self.run_of("fast", launch(12000), clock="1000 MHz")
        text = self.screen()
        self.assertIn("fast is the fastest: 12,000 cycles, 12 µs, 1.667× as fast", text)
        self.assertIn("waits for loads at L2: 4 µs an SM less", text)

    def test_one_run_says_where_its_cycles_go(self):
        self.run_of("only", launch(10000, issue=10000))
        text = self.screen()
        self.assertIn("only takes 10,000 cycles, 10 µs, IPC 32.00.", text)
        self.assertIn("An SM waits for loads at L2: 37.5 % of the cycles", text)

    def test_different_work_wins_nothing(self):
        self.run_of("a", launch(10000))
        self.run_of("b", launch(5000), program_hash="b" * 64)
        text = self.screen()
        self.assertIn("No winner: the runs did not do the same work", text)
        self.assertIn("b did different work than a: another program.", text)

    def test_idle_sms(self):
        self.run_of("a", launch(20000, memory=20000, ctas=1), launch(20000, memory=20000, ctas=1))
        self.assertIn(
            "3 of 4 SMs are idle: each of the 2 launches of atax.cu 64 has 1 thread block. "
            "Take a size that fills the machine.",
            self.screen(),
        )
        self.assertNotIn("An SM has no thread block", self.screen())

    def test_some_launches_are_small(self):
        self.run_of("a", launch(20000, memory=20000, ctas=2), launch(20000, ctas=8))
        self.assertIn(
            "On average 1 of 4 SMs are idle: 1 of the 2 launches of atax.cu 64 have fewer",
            self.screen(),
        )

    def test_ctas_that_were_not_timed(self):
        parts = {"kernels": "", "ctas": "2"}
        self.run_of("a", launch(20000, memory=20000, ctas=2), fast_forward=parts)
        text = self.screen()
        self.assertIn("has 2 thread blocks. --ctas 2 lets no more be timed.", text)
        self.assertIn("Only a part of the program was timed (--ctas 2).", text)

    def test_blocks_of_unequal_length(self):
        self.run_of("a", launch(20000, memory=40000, ctas=8))
        self.assertIn("SMs have no thread block in 50.0 % of their cycles", self.screen())

    def test_a_full_bus(self):
        self.run_of("a", launch(20000, **{"dram.data_bus_cycles": 39000}))
        self.run_of("b", launch(19900, **{"dram.data_bus_cycles": 100}))
        text = self.screen()
        self.assertIn("a DRAM is the limit: its data buses move data in 97.5 % of the cycles", text)
        self.assertIn("The best two are within 0.5 % of each other", text)

    def test_a_machine_that_is_used_has_no_warning(self):
        self.run_of("a", launch(20000, ctas=8, **{"dram.data_bus_cycles": 1000}))
        self.run_of("b", launch(30000, ctas=8))
        self.screen()
        self.assertNotIn('class="warning"', self.page)

    def test_short_runs(self):
        self.run_of("a", launch(2000, ctas=8))
        self.assertIn("The run has only 2,000 cycles", self.screen())

    def test_a_run_that_did_not_complete_wins_nothing(self):
        self.run_of("a", launch(20000))
        self.run_of("b", launch(10000), status="deadlock")
        text = self.screen()
        self.assertIn("No winner", text)
        self.assertIn("b did not complete: deadlock", text)


if __name__ == "__main__":
    unittest.main()
