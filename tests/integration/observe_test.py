# SPDX-License-Identifier: Apache-2.0
"""What a run shows besides its statistics, a timeline, statistics by instruction and by instance,
and series: each must agree with the statistics to the last digit, and must not change anything."""

import collections
import csv
import html
import json
import pathlib
import unittest

from whole_runs import CONFIG, ROOT, RunTest, SMALL, WORKLOADS, assignments, compiled, warpmem

import perfetto  # of tests/support, which whole_runs adds

EVERYTHING = ["--per-pc", "--per-instance", "--series", "--interval", "500"]
FEW = ["l1d.mshr.entries=16"]  # so that requests are refused
UVM = ROOT / "configs" / "gu-uvm.yaml"


class ObserveTest(RunTest):
    def setUp(self):
        super().setUp()
        self.out = pathlib.Path(self.folder.name)

    def observe(self, program, keys, flags, label="run", arguments=None, config=CONFIG):
        """Returns the statistics of a run and its folder."""
        folder = self.out / label
        arguments = WORKLOADS[program] if arguments is None else arguments
        result = warpmem("run", "-c", config, *assignments([*SMALL, *keys]), *flags, "-o", folder,
                         compiled(program), "--", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return json.loads((folder / "stats.json").read_text()), folder

    def timeline(self, program, keys, flags=(), label="run", **more):
        file = self.out / f"{label}.pftrace"
        stats, folder = self.observe(program, keys, ["--timeline", file, *flags], label, **more)
        return stats["total"]["stats"], file, folder


class TimelineTest(ObserveTest):
    def check_against_statistics(self, stats, line):
        self.assertEqual(line.overlaps(), set())
        requests = line.select(where="/LSU: requests")
        self.assertEqual(len(requests), stats["sm.requests"] + stats.get("sm.bulk.requests", 0))
        loads = [s for s in requests if s.category == "load"]
        self.assertEqual(len(loads), stats["sm.load.requests"])
        total = 0
        for name in [key for key in stats if key.startswith("sm.latency.")]:
            part = name[len("sm.latency."):-len("_ns")]
            fs = line.total("fs", category="load", name=part)
            total += fs
            self.assertEqual(fs / (len(loads) * 10**6), stats[name], name)
        self.assertEqual(sum(s.notes["fs"] for s in loads), total)
        for state in ("issue", *[key[len("sm.stall."):] for key in stats
                                 if key.startswith("sm.stall.")]):
            name = "sm.issue_cycles" if state == "issue" else f"sm.stall.{state}"
            self.assertEqual(sum(s.notes["cycles"] for s in line.slices if s.name == state
                                 and s.category == "SM cycles"), stats[name], name)
        self.assertEqual(len(line.select(category="CTA")), stats["sm.ctas"])
        misses = collections.Counter(line.path(s.track).split()[0] for s in line.slices
                                     if s.category == "MSHR")
        self.assertEqual(misses["SM"], stats["l1d.primary_misses"] +
                         stats.get("l1d.prefetch.issued", 0))
        self.assertEqual(misses["L2"], stats["l2.primary_misses"])
        flits = collections.Counter()
        for s in line.select(category="crossbar port"):
            flits["port to SM" in line.path(s.track)] += s.notes["flits"]
        self.assertEqual(flits[False], stats["noc.request.flits"])
        self.assertEqual(flits[True], stats["noc.response.flits"])
        commands = collections.Counter(s.name for s in line.slices if s.category == "DRAM command")
        self.assertEqual(commands["ACT"], stats["dram.activates"])
        self.assertEqual(commands["PRE"], stats["dram.precharges"])
        self.assertEqual(commands["RD"] + commands["WR"], stats["dram.column_commands"])
        self.assertEqual(sum(s.notes["cycles"] for s in line.select(category="DRAM bus")),
                         stats["dram.data_bus_cycles"])
        self.assertEqual(sum(s.notes["cycles"] for s in line.select(category="kernel")),
                         stats["gpu.cycles"])

    def test_every_request_and_cycle_is_there(self):
        stats, file, folder = self.timeline("bfs", FEW)
        line = perfetto.Timeline(file)
        self.check_against_statistics(stats, line)
        self.assertEqual((folder / "stats.json").read_bytes(),
                         self.run_workload("bfs", FEW, "plain"))
        # A request's slices have one flow, and its parts fill its time.
        parts = collections.defaultdict(list)
        for s in line.slices:
            if s.flow and not line.path(s.track).endswith("/LSU: requests"):
                parts[s.flow].append(s)
        for s in line.select(where="/LSU: requests"):
            mine = sorted(parts.pop(s.flow), key=lambda part: (part.begin, part.end))
            self.assertEqual(sum(part.notes["fs"] for part in mine), s.notes["fs"])
            self.assertEqual((mine[0].begin, mine[-1].end), (s.begin, s.end))
            for before, after in zip(mine, mine[1:]):
                self.assertEqual(before.end, after.begin)
        self.assertEqual(parts, {})
        self.assertTrue(any(" line " in s.name for s in line.slices), "no source lines")
        counters = {line.path(track): values for track, values in line.counters.items()}
        self.assertGreater(max(value for _, value in counters["counters/gpu.ipc"]), 0)
        self.assertGreater(max(v for _, v in counters["SM 3/sm.warps.active"]), 0)
        self.assertGreater(max(v for _, v in counters["DRAM channel 1/dram.bytes"]), 1e9)

    def test_a_warp_waits_for_one_thing_at_a_time(self):
        _, file, _ = self.timeline("reduction", [], arguments=["4096"])
        line = perfetto.Timeline(file)
        states = collections.Counter(s.name for s in line.slices if s.category == "warp state")
        for state in ("ready", "result", "memory", "barrier"):
            self.assertGreater(states[state], 0, state)
        # A warp that begins to wait for memory has a request under way all the time.
        flying = collections.defaultdict(list)
        for s in line.select(where="/LSU: requests"):
            flying[line.path(s.track).split("/")[0]].append((s.begin, s.end))
        for s in line.select(category="warp state", name="memory"):
            sm = line.path(s.track).split("/")[0]
            self.assertTrue(any(begin < s.end and end >= s.begin for begin, end in flying[sm]))

    def test_order_of_construction_and_ticks_do_not_show(self):
        files = []
        for label, keys in (("a", []), ("b", ["reverse_construction=true"]),
                            ("c", ["tick_all=true"]), ("d", [])):
            _, file, _ = self.timeline("atax", [*FEW, *keys], label=label, arguments=["32"])
            files.append(file.read_bytes())
        for other in files[1:]:
            self.assertTrue(files[0] == other)

    def test_a_sample_of_a_window_of_some_sms(self):
        _, whole, _ = self.timeline("bfs", [], label="whole")
        whole = perfetto.Timeline(whole)
        flags = ["--sample", "1/5", "--sm", "1-2,5", "--from-cycle", "2000", "--to-cycle", "9000"]
        _, file, _ = self.timeline("bfs", [], flags, label="part")
        line = perfetto.Timeline(file)
        self.assertEqual(line.overlaps(), set())
        begin, end = (int(cycle * 1e12 / 1137e6) for cycle in (2000, 9001))
        tops = {line.path(s.track).split("/")[0] for s in line.slices}
        self.assertEqual({t for t in tops if t.startswith("SM ")}, {"SM 1", "SM 2", "SM 5"})

        def seen(timeline, sm):
            return [(s.name, s.begin, s.end, s.notes["address"]) for s in
                    timeline.select(where=f"SM {sm}/LSU: requests")
                    if s.end >= begin and s.begin <= end]

        for sm in (1, 2, 5):
            self.assertEqual(seen(line, sm), seen(whole, sm)[::5])
        # Requests are drawn whole, so that parts of them may lie outside.
        self.assertTrue(all(s.flow or s.end >= begin and s.begin <= end for s in line.slices))

    def test_a_window_behind_the_end_is_noted(self):
        note = "--timeline: no cycle of the run lies in the window from cycle 9000000 on"
        for cycle, noted in ((9000000, True), (10, False)):
            result = warpmem("run", "-c", CONFIG, *assignments(FEW), "--timeline",
                             self.out / "w.pftrace", "--from-cycle", cycle, "-o", self.out / "w",
                             compiled("vectoradd"), "--", "500")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(note in result.stderr, noted, result.stderr)

    def test_faults_and_the_link(self):
        stats, file, _ = self.timeline("vectoradd", ["uvm.manage_all=true"], config=UVM)
        line = perfetto.Timeline(file)
        self.check_against_statistics(stats, line)
        self.assertEqual(line.total("bytes", where="/PCIe to device"), stats["uvm.pcie.in.bytes"])
        self.assertEqual(len(line.select(where="/PCIe to device")),
                         stats["uvm.pcie.in.transfers"])
        self.assertGreater(len(line.select(name="page fault")), 0)

    def test_other_machines(self):
        for name, config, keys in (
            ("laws", "kim-laws.yaml", []),
            ("prefetch", "kim-prefetch.yaml", ["l1d.prefetch.kind=pc_stride"]),
            ("sectors", "v100.yaml", []), ("kim", "kim-tsma-200.yaml", ["l2.mshr.kind=htsma"]),
        ):
            keys = ["memory.partitions=4", *keys] if name != "sectors" else []
            stats, file, _ = self.timeline("atax", keys, label=name, arguments=["32"],
                                           config=ROOT / "configs" / config)
            with self.subTest(name):
                self.check_against_statistics(stats, perfetto.Timeline(file))

    def test_a_trace_and_a_run_that_fails(self):
        trace = self.out / "a.wmtrace"
        result = warpmem("trace", "convert", compiled("atax"), "-o", trace, "--", "32")
        self.assertEqual(result.returncode, 0, result.stderr)
        file = self.out / "trace.pftrace"
        result = warpmem("run", "-c", CONFIG, *assignments(SMALL), "--timeline", file, "-o",
                         self.out / "trace", trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        stats = json.loads((self.out / "trace" / "stats.json").read_text())["total"]["stats"]
        self.check_against_statistics(stats, perfetto.Timeline(file))
        cut = self.out / "cut.pftrace"
        result = warpmem("run", "-c", CONFIG, *assignments([*SMALL, "max_cycles=4096"]),
                         "--timeline", cut, "-o", self.out / "cut", trace)
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertGreater(len(perfetto.Timeline(cut).slices), 1000)


class RefusedTest(ObserveTest):
    def test_what_is_refused(self):
        file = self.out / "t.pftrace"
        for flags, text in (
            (["--sample", "1/5"], "--sample says what --timeline draws"),
            (["--sm", "0"], "--sm says what --timeline draws"),
            (["--interval", "5"], "--interval is that of --series and --timeline"),
            (["--from-cycle", "5"], "the window of --waves and --timeline; neither is given"),
            (["--series", "--interval", "0"],
             "--interval 0: no number of SM cycles from 1 to 18446744073709551615"),
            (["--timeline", file, "--sample", "5"], "--sample 5: not a share of the requests"),
            (["--timeline", file, "--sample", "1/0"], "--sample 1/0: not a share"),
            (["--timeline", file, "--sm", "3-1"], "--sm 3-1: 3-1 is no range of SMs"),
            (["--timeline", file, "--sm", "x"], "--sm x: `x` is no number of an SM"),
            (["--timeline", file, "--sm", "0,"], "--sm 0,: `` is no number of an SM"),
            (["--timeline", file, "--sm", "8"], "--sm 8: this machine has 8 SMs; allowed: 0-7"),
            (["--timeline", file, "--from-cycle", "9", "--to-cycle", "3"],
             "--to-cycle 3 is before --from-cycle 9"),
            (["--timeline", self.out / "no" / "t"], "no/t"),
            (["--timeline", file, "--functional"], "nothing is timed with --functional"),
            (["--per-pc", "--functional"], "nothing is timed with --functional"),
            (["--tick-all", "--functional"], "leave out --functional"),
            (["--timeline", file, "--compare-views"], "leave out --timeline"),
        ):
            result = warpmem("run", "-c", CONFIG, *assignments(SMALL), *flags, "-o",
                             self.out / "run", compiled("atax"), "--", "32")
            self.assertEqual(result.returncode, 2, f"{flags} {result.stderr}")
            self.assertIn(text, result.stderr)
            self.assertEqual(result.stderr.count("error"), 1, result.stderr)
            self.assertFalse(file.exists())


class InstructionTest(ObserveTest):
    TABLE = {"hits": "hits", "primary_misses": "primary_misses", "bypasses": "bypasses",
             "secondary_misses": "secondary_misses", "placements": "placements",
             "writes": "write_accesses", "atomics": "atomics", "evictions": "evictions",
             "dirty_evictions": "writebacks", "write_evictions": "write_evictions"}

    def profile(self, program, keys, label="run", **more):
        stats, folder = self.observe(program, keys, ["--per-pc"], label, **more)
        document = json.loads((folder / "instructions.json").read_text())
        rows = [row for kernel in document["kernels"] for row in kernel["instructions"]]
        self.check_sums(stats["total"], rows, document)
        self.check_table(folder, document)
        return document, rows, folder

    def check_sums(self, total, rows, document):
        stats = total["stats"]
        others = [document["prefetches"], document["writebacks"]]
        mine = [row for row in rows if row["op"] != "bulk"]
        self.assertEqual(sum(row["executions"] for row in mine),
                         stats["sm.loads"] + stats["sm.stores"] + stats["sm.atomics"])
        self.assertEqual(sum(row["requests"] for row in rows), stats["sm.requests"])
        for level in ("l1d", "l2"):
            for here, there in self.TABLE.items():
                if here not in rows[0][level]:
                    continue
                whole = stats.get(f"{level}.{there}", 0)
                if (level, here) == ("l2", "bypasses"):
                    whole += stats.get("host.requests", 0)
                self.assertEqual(sum(row[level][here] for row in [*rows, *others]), whole,
                                 f"{level}.{there}")
        latency = total["histograms"]["sm.load.latency"]
        loads = [row["latency"] for row in rows if row["op"] == "load"]
        self.assertEqual([sum(column) for column in zip(*[one["counts"] for one in loads])],
                         latency["counts"])
        self.assertEqual(sum(one["sum"] for one in loads), latency["sum"])
        for row in rows:
            if row["latency"]["samples"]:
                self.assertGreaterEqual(row["latency"]["max"], row["latency"]["mean"])

    def check_table(self, folder, document):
        with (folder / "instructions.csv").open(newline="") as file:
            table = list(csv.DictReader(file))
        rows = [(kernel["name"], row) for kernel in document["kernels"]
                for row in kernel["instructions"]]
        self.assertEqual(len(table), len(rows))
        for line, (kernel, row) in zip(table, rows):
            self.assertEqual(line["kernel"], kernel)
            for key in ("pc", "executions", "requests", "bytes", "source_line"):
                self.assertEqual(int(line[key]), row[key])
            self.assertEqual(int(line["l1d.hits"]), row["l1d"]["hits"])
            self.assertEqual(int(line["l2.evictions"]), row["l2"]["evictions"])
            self.assertEqual(int(line["latency.up_to_32"]), row["latency"]["counts"][0])

    def test_rows_are_those_of_the_source(self):
        document, rows, folder = self.profile("atax", FEW)
        self.assertEqual((folder / "stats.json").read_bytes(),
                         self.run_workload("atax", FEW, "plain"))
        source = (ROOT / "workloads" / "atax.cu").read_text().splitlines()
        for row in rows:
            self.assertIn("[", source[row["source_line"] - 1])
            self.assertTrue(row["text"].startswith(("ld.", "st.", "atom.", "red.")), row["text"])
        # One of the two matrix accesses of atax is spread over lines, the other is not.
        degrees = [row["requests"] / row["executions"] for row in rows if row["op"] == "load"]
        self.assertLess(min(degrees), 2)
        self.assertGreater(max(degrees), 16)
        for kernel in document["kernels"]:
            self.assertEqual(kernel["launches"], 1)

    def test_the_slowest_request_is_that_of_the_timeline(self):
        file = self.out / "run.pftrace"
        _, folder = self.observe("bfs", FEW, ["--per-pc", "--timeline", file])
        document = json.loads((folder / "instructions.json").read_text())
        line = perfetto.Timeline(file)
        parts = collections.defaultdict(collections.Counter)
        for s in line.slices:
            if s.flow and not line.path(s.track).endswith("/LSU: requests"):
                parts[s.flow][s.name] += s.notes["fs"]
        requests = collections.defaultdict(list)
        launches = sorted(line.select(category="kernel"), key=lambda s: s.begin)
        for s in line.select(where="/LSU: requests"):
            kernel = [k.name for k in launches if k.begin <= s.begin][-1]
            requests[kernel, s.notes["pc"]].append(s)
        seen = 0
        for kernel in document["kernels"]:
            for row in kernel["instructions"]:
                mine = requests[kernel["name"], row["pc"]]
                slowest = row["slowest"]
                self.assertEqual(slowest["fs"], max(s.notes["fs"] for s in mine))
                found = [s for s in mine if s.notes["fs"] == slowest["fs"] and
                         s.notes["address"] == slowest["address"]]
                told = collections.Counter()
                for part in slowest["parts"]:
                    told[part["name"]] += part["fs"]
                self.assertEqual(sum(told.values()), slowest["fs"])
                self.assertIn(told, [parts[s.flow] for s in found])
                seen += 1
        self.assertGreater(seen, 5)

    def test_the_report_shows_source_lines(self):
        source = ROOT / "workloads" / "atax.cu"
        folder, page = self.out / "run", self.out / "page.html"
        for arguments in (["run", "-c", CONFIG, *assignments(SMALL), *EVERYTHING, "-o", folder,
                           source, "--", "32"],
                          ["report", folder, "-o", page]):
            result = warpmem(*arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
        text = html.unescape(page.read_text())
        for line in (16, 24):
            self.assertIn(f"atax.cu:{line}<", text)
            self.assertIn(source.read_text().splitlines()[line - 1].strip(), text)
        self.assertRegex(text, r"ld\.global\.f32 %f\d+, \[%rd")
        for shown in ('id="instances"', 'id="over-time"', "the slowest request of"):
            self.assertIn(shown, text)
        self.assertNotIn("No source text", text)

    def test_launches_of_a_kernel_add_up(self):
        document, _, _ = self.profile("bfs", [])
        self.assertGreater(max(kernel["launches"] for kernel in document["kernels"]), 2)

    def test_order_of_construction_and_ticks_do_not_show(self):
        files = [self.profile("histogram", keys, label=str(i))[2] / "instructions.json"
                 for i, keys in enumerate(([], ["reverse_construction=true"], ["tick_all=true"]))]
        for other in files[1:]:
            self.assertEqual(files[0].read_bytes(), other.read_bytes())

    def test_other_machines(self):
        for name, config, keys in (
            ("prefetch", "kim-prefetch.yaml", ["memory.partitions=4",
                                               "l1d.prefetch.kind=pc_stride"]),
            ("sectors", "v100.yaml", []), ("bypass", "bucl.yaml", ["memory.partitions=4"]),
            ("validate", "gu-dlmshr.yaml", ["l2.write_miss=validate", "l2.size=16 KiB"]),
        ):
            with self.subTest(name):
                document, _, _ = self.profile("atax", keys, label=name, arguments=["48"],
                                              config=ROOT / "configs" / config)
                if name == "prefetch":
                    self.assertGreater(document["prefetches"]["l2"]["primary_misses"], 0)

    def test_a_trace_has_its_pcs(self):
        trace = self.out / "a.wmtrace"
        result = warpmem("trace", "convert", compiled("atax"), "-o", trace, "--", "32")
        self.assertEqual(result.returncode, 0, result.stderr)
        result = warpmem("run", "-c", CONFIG, *assignments(SMALL), "--per-pc", "-o",
                         self.out / "trace", trace)
        self.assertEqual(result.returncode, 0, result.stderr)
        _, rows, _ = self.profile("atax", [], label="program", arguments=["32"])
        document = json.loads((self.out / "trace" / "instructions.json").read_text())
        traced = [row for kernel in document["kernels"] for row in kernel["instructions"]]
        for row, other in zip(rows, traced):
            self.assertEqual(row["l1d"], other["l1d"])
            self.assertEqual(row["latency"], other["latency"])
            self.assertEqual(row["pc"], other["pc"])
            self.assertEqual(row["text"], other["text"])

    def test_memory_of_the_host(self):
        _, rows, _ = self.profile("micro/zero_copy", [], arguments=["mixed", "700", "2"])
        self.assertGreater(sum(row["l2"]["bypasses"] for row in rows), 0)


class SeriesTest(ObserveTest):
    def check(self, label, keys, program="bfs", **more):
        stats, folder = self.observe(program, keys, EVERYTHING, label, **more)
        series = json.loads((folder / "series.json").read_text())
        total = stats["total"]["stats"]
        kinds = {name: unit["kind"] for name, unit in stats["units"].items()}
        for name, value in total.items():
            if kinds[name] == "counter":
                points = series["series"].get(name, {"points": []})["points"]
                self.assertEqual(sum(points), value, name)
        self.assertEqual(series["interval"], 500)
        for begin, end in zip(series["begin"], series["end"]):
            self.assertLessEqual(end - begin, 500)
        for kernel in series["kernels"]:
            self.assertIn(kernel["begin"], series["begin"])
        self.assertEqual(len(series["kernels"]), len(stats["kernels"]))
        by_launch = collections.Counter()
        for launch, point in zip(series["launch"], series["series"]["sm.warp_inst"]["points"]):
            by_launch[launch] += point
        self.assertEqual([by_launch[kernel["launch"]] for kernel in stats["kernels"]],
                         [kernel["stats"]["sm.warp_inst"] for kernel in stats["kernels"]])
        with (folder / "series.csv").open(newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([int(float(row["sm.warp_inst"])) for row in table],
                         series["series"]["sm.warp_inst"]["points"])
        return stats, series, folder

    def test_sums_over_time_and_instances_are_the_totals(self):
        stats, series, folder = self.check("run", FEW)
        self.assertEqual((folder / "stats.json").read_bytes(),
                         self.run_workload("bfs", FEW, "plain"))
        document = json.loads((folder / "instances.json").read_text())
        kinds = {name: unit["kind"] for name, unit in stats["units"].items()}
        rows = [(stats["total"], document["total"]),
                *zip(stats["kernels"], document["kernels"])]
        self.assertEqual(len(rows), 1 + len(stats["kernels"]))
        for row, apart in rows:
            for path, instances in apart["instances"].items():
                for name in instances[0]["stats"]:
                    values = [one["stats"][name] for one in instances]
                    whole = row["stats"][f"{path}.{name}"]
                    if kinds[f"{path}.{name}"] == "counter":
                        self.assertEqual(sum(values), whole, name)
                    elif kinds[f"{path}.{name}"] == "peak":
                        self.assertEqual(max(values), whole, name)
        self.assertEqual(len(document["total"]["instances"]["sm"]), 8)
        # What is shown of each instance adds up to what is shown of all.
        active = series["series"]["sm.warps.active"]
        self.assertEqual([sum(column) for column in zip(*active["instances"])], active["points"])
        self.assertGreater(max(active["points"]), 8)
        self.assertGreater(max(series["series"]["dram.bytes"]["points"]), 1e9)
        self.assertGreater(max(series["series"]["l1d.mshr.occupied"]["points"]), 0)

    def test_a_link_that_kernels_use(self):
        """The link to the host is in the statistics once a launch has used it."""
        stats, series, _ = self.check("host", [], "micro/zero_copy",
                                      arguments=["mixed", "700", "2"])
        self.assertEqual(len(stats["kernels"]), 2)
        self.assertGreater(sum(series["series"]["host.requests"]["points"]), 0)

    def test_watching_changes_nothing(self):
        """Samples taken at any time leave no trace in the statistics."""
        for name, config, keys in (
            ("laws", "kim-laws.yaml", ["sm.scheduler.policy=laws_th"]),
            ("bucl", "bucl.yaml", []), ("cart", "gu-cart.yaml", []),
            ("mrpb", "mrpb-base-s.yaml", []), ("kim", "kim-tsma-200.yaml", []),
            ("refresh", "gu-dlmshr.yaml", ["dram.refresh=per_bank"]), ("uvm", "gu-uvm.yaml", []),
        ):
            with self.subTest(name):
                config = ROOT / "configs" / config
                keys = ["memory.partitions=4", *keys]
                _, series, folder = self.check(name, keys, "atax", arguments=["48"],
                                               config=config)
                self.observe("atax", keys, [], "plain", arguments=["48"], config=config)
                self.assertTrue((folder / "stats.json").read_bytes() ==
                                (self.out / "plain" / "stats.json").read_bytes())
                if name == "laws":
                    self.assertIn("sm.throttle.allowed_warps", series["series"])


if __name__ == "__main__":
    unittest.main()
