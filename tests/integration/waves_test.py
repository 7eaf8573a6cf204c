# SPDX-License-Identifier: Apache-2.0
"""Waveforms of a hardware unit: in a run of the whole machine, over a window of its time, and
around the first difference of lockstep. They are read back and compared with the unit's rules."""

import pathlib
import unittest

from whole_runs import CONFIG, ChangedRtl, RunTest, SMALL, assignments, compiled, warpmem

import fst  # of tests/support, which whole_runs adds

SM_CYCLE = 1e15 / 1137e6  # fs, of configs/gu-dlmshr.yaml
FIRST, LAST = 12000, 16500
FEW = ["l1d.mshr.entries=16"]  # so that requests are refused and sets linked


class WavesTest(RunTest):
    def setUp(self):
        super().setUp()
        self.out = pathlib.Path(self.folder.name)

    def waves(self, *arguments, view="rtl", instance="l1d.3.mshr.dau", name="waves.fst", more=()):
        file = self.out / name
        keys = [*SMALL, f"l1d.mshr.dau={view}", *FEW, *more]
        result = warpmem("run", "-c", CONFIG, *assignments(keys), "-o", self.out / view, "--waves",
                         f"{instance}={file}", *arguments, compiled("bfs"), "--", "1500")
        return result, file

    def window(self, view, name):
        result, file = self.waves("--from-cycle", FIRST, "--to-cycle", LAST, view=view, name=name)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stderr, rf"mshr\.dau: [1-9]\d{{2}} clock edges in \S*{name}, with "
                                        rf"{name}\.gtkw for GTKWave")
        return file

    def test_a_window_says_what_the_dau_did(self):
        file = self.window("rtl", "rtl.fst")
        signals = fst.read(file)
        name = "l1d.3.mshr.dau."
        times = sorted({time for changes in signals.values() for time, _ in changes})
        self.assertGreaterEqual(times[0], int(FIRST * SM_CYCLE))
        self.assertLess(times[-1], (LAST + 1) * SM_CYCLE)
        # Every accepted request shows in the state of its set one cycle later.
        seen = set()
        for i, time in enumerate(times[:-1]):
            def value(signal, when):
                return fst.at(signals[name + signal], when)

            cycle = value("cycle", time)
            self.assertEqual(time, int(cycle * SM_CYCLE))
            if not (value("in.req_valid", time) and value("out.req_ready", time)):
                continue
            chosen = f"state.set_{value('out.req_set', time)}."
            before, after = value(chosen + "state", time), value(chosen + "state", times[i + 1])
            self.assertEqual(value("cycle", times[i + 1]), cycle + 1)
            if not value("in.req_secondary", time):
                self.assertEqual((before, after), ("S0_free", "S1_head"))
                self.assertEqual(value("out.n_free", times[i + 1]) - value("out.n_free", time),
                                 -1 if not value("out.release_busy", time) else 0)
                seen.add("primary")
            elif value("out.req_link", time):
                self.assertEqual((before, after), ("S0_free", "S6_attached"))
                head = value("in.req_head", time)
                self.assertEqual(value(f"state.set_{head}.peer", times[i + 1]),
                                 value("out.req_set", time))
                seen.add("link")
            else:
                self.assertIn((before, after), {("S1_head", "S2_head_full"),
                                                ("S6_attached", "S7_attached_full")})
                seen.add("secondary")
        self.assertIn("primary", seen)
        self.assertIn("secondary", seen)

    def test_views_give_the_same_waveform_and_the_same_statistics(self):
        files = [self.window(view, f"{view}.fst") for view in ("class", "systemc", "rtl")]
        texts = [fst.as_vcd(file) for file in files]
        self.assertEqual(texts[0], texts[1])
        self.assertEqual(texts[0], texts[2])
        statistics = [(self.out / view / "stats.json").read_bytes() for view in
                      ("class", "systemc", "rtl")]
        plain = self.run_workload("bfs", FEW, "plain")
        self.assertEqual(statistics, [plain] * 3)

    def test_the_save_file_names_signals_that_are_there(self):
        file = self.window("class", "class.fst")
        signals = fst.read(file)
        lines = pathlib.Path(f"{file}.gtkw").read_text().splitlines()
        named = [line.partition("[")[0] for line in lines if line[0] not in "[@-*"]
        self.assertEqual(named, list(signals))

    def test_other_units_have_waveforms(self):
        for instance, more in (
            ("sm.1.scheduler.laws_score", ["sm.scheduler.policy=laws"]),
            ("l2.3.frontend.cart_unit:5", ["l2.frontend.kind=cart"]),
            ("l2.0.mshr.index_gen", ["l2.mshr.kind=tsma"]),
            ("l1d.0.frontend.mrpb.unit", ["l1d.frontend.kind=mrpb"]),
            ("l1d.1.mshr.file", []),
            ("l1d.1.mshr.file", ["l1d.mshr.file=core", "l1d.mshr.file_pipelined=true"]),
            ("l1d.1.mshr.file", ["l2.mshr.kind=conventional"]),
            ("l2.0.mshr.file", ["l2.mshr.kind=htsma"]),
            # Ports of 96 bits.
            ("l2.0.mshr.file", ["l2.mshr.kind=tsma", "l2.mshr.entries=96"]),
        ):
            result, file = self.waves(view="class", instance=instance, more=more)
            self.assertEqual(result.returncode, 0, result.stderr)
            signals = fst.read(file)
            self.assertTrue(all(name.startswith(instance + ".") for name in signals))
            self.assertTrue(any(len(changes) > 2 for changes in signals.values()), instance)

    def test_a_window_of_one_cycle(self):
        result, file = self.waves("--to-cycle", 0, view="class")
        self.assertEqual(result.returncode, 0, result.stderr)
        times = {time for changes in fst.read(file).values() for time, _ in changes}
        self.assertLess(max(times, default=0), int(SM_CYCLE))

    def test_both_edges_of_a_cycle_are_seen(self):
        """A file of conventional MSHRs may need two edges to do what the class does in a cycle."""
        file = self.out / "file.fst"
        result = warpmem("run", "-c", CONFIG, *assignments([
            *SMALL, "l1d.mshr.kind=conventional", "l1d.mshr.entries=4"]), "-o", self.out / "run",
            "--waves", f"l1d.1.mshr.file={file}", compiled("bfs"), "--", "1500")
        self.assertEqual(result.returncode, 0, result.stderr)
        signals = fst.read(file)
        times = sorted({time for changes in signals.values() for time, _ in changes})
        left = [time for time in times
                if fst.at(signals["l1d.1.mshr.file.in.rsp_ready"], time)
                and fst.at(signals["l1d.1.mshr.file.out.rsp_valid"], time)]
        self.assertGreater(len(left), 20)
        edges = {time for time, _ in signals["l1d.1.mshr.file.cycle"]}
        self.assertTrue(any(time not in edges for time in times))

    def test_what_is_refused(self):
        for arguments, status, text in (
            (("--from-cycle", 9, "--to-cycle", 3), 2, "--to-cycle 3 is before --from-cycle 9"),
            (("--waves", f"l1d.3.mshr.dau={self.out}/b"), 2, "l1d.3.mshr.dau is there twice"),
            (("--waves", f"l1d.2.mshr.dau={self.out}/waves.fst"), 2, "waves.fst is there twice"),
            (("--waves", f"l1d.2.mshr.dau={self.out}/waves.fst.gtkw"), 2, "is there twice"),
            (("--functional",), 2, "--waves records units of a timed run"),
            (("--compare-views",), 2, "leave out --record-unit and --waves"),
        ):
            result, _ = self.waves(*arguments)
            self.assertEqual(result.returncode, status, result.stdout + result.stderr)
            self.assertIn(text, result.stderr)
        for instance, text in (
            ("l1d.3", "is not INSTANCE=FILE"),
            ("l1d.x.mshr.dau", "is not INSTANCE=FILE"),
            ("l1d.3.mshr.dua", "l1d.mshr.dua chooses the view of no unit"),
            ("l1d.3.mshr.steer", "l1d.mshr.steer has no effect in this configuration"),
            ("l1d.8.mshr.dau", "--waves l1d.8.mshr.dau: l1d8 has none of these units"),
            ("l1d.0.mshr.dau:1", "--waves l1d.0.mshr.dau:1: l1d0 has 1 of these units"),
        ):
            result, file = self.waves(instance=instance)
            self.assertEqual(result.returncode, 2, instance + result.stdout + result.stderr)
            self.assertIn(text, result.stderr)
            self.assertFalse(file.exists())
        result = warpmem("run", "--to-cycle", 5, compiled("bfs"))
        self.assertEqual(result.returncode, 2)
        self.assertIn("--from-cycle and --to-cycle are the window of --waves", result.stderr)


class BrokenUnitTest(ChangedRtl):
    """RTL that is wrong leaves a waveform up to where that shows."""

    def test_a_run_that_a_check_ends(self):
        self.replace("dau/dau_sets.sv", "(ret_i & (~taken_q | releasing_q)) == '0",
                     "(ret_i & taken_q) == '0")
        file = self.home / "waves.fst"
        result = self.warpmem("run", "-c", CONFIG, "--set", "l1d.mshr.dau=rtl", "-o",
                              self.home / "run", "--waves", f"l1d.0.mshr.dau={file}",
                              compiled("atax"), "--", "96")
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        cycle = int(result.stderr.split("GPU cycle ")[1].split(":")[0])
        signals = fst.read(file)
        last = signals["l1d.0.mshr.dau.cycle"][-1][1]
        self.assertIn(last, (cycle, cycle + 1))
        self.assertEqual(fst.at(signals["l1d.0.mshr.dau.in.ret_valid"], int(cycle * SM_CYCLE)), 1)

    def test_the_first_difference_of_lockstep(self):
        self.replace("dau/dau.sv", "assign req_ready_o = primary || take || link;",
                     "assign req_ready_o = primary || take;")
        result = self.warpmem("cosim", "dau", "--sets", 6, "--reserved", 2, "--cycles", 20000,
                              "--seed", 1)
        self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
        cycle = int(result.stdout.split("DIFFERENCE in cycle ")[1].split(":")[0])
        signals = fst.read(self.home / "dau_difference.fst")

        def value(signal, at):
            return fst.at(signals[signal], at * 10**6)

        self.assertEqual([value(f"{view}.out.req_ready", cycle)
                          for view in ("class", "systemc", "rtl")], [1, 1, 0])
        for before in range(max(0, cycle - 200), cycle):
            self.assertEqual(value("class.out.req_ready", before),
                             value("rtl.out.req_ready", before))
        self.assertEqual(signals["cycle"][0][1], max(0, cycle - 200))
        self.assertEqual(signals["cycle"][-1][1], cycle + 200)
        self.assertEqual(value("systemc.state.set_0.state", cycle),
                         value("rtl.state.set_0.state", cycle))


if __name__ == "__main__":
    unittest.main()
