# SPDX-License-Identifier: Apache-2.0
"""Whole runs: workloads under every miss handler and cache setting; launches, bypassing,
reservation fails, warps that end early, spin-waits."""

import json
import pathlib
import re
import sys
import tempfile
import unittest

from whole_runs import (CHECKED, CONFIG, PROGRAMS, ROOT, RunTest, WORKLOADS, assignments, compiled,
                        run, warpmem)


class MachineTest(RunTest):
    """Every workload under every miss handler, allocation and L1D setting, everything checked."""

    def check_matrix(self, name):
        for kind in ("conventional", "dl"):
            for allocate in ("on_miss", "on_fill"):
                for enable in ("true", "false"):
                    keys = [
                        f"l1d.mshr.kind={kind}",
                        f"l2.mshr.kind={kind}",
                        f"l1d.allocate={allocate}",
                        f"l2.allocate={allocate}",
                        f"l1d.enable={enable}",
                        *CHECKED,
                    ]
                    if enable == "false":  # keys of a closed L1D have no effect
                        keys = [
                            k
                            for k in keys
                            if not k.startswith("l1d.mshr") and not k.startswith("l1d.allocate")
                        ]
                    with self.subTest(workload=name, kind=kind, allocate=allocate, l1d=enable):
                        stats = json.loads(self.run_workload(name, keys))
                        self.assertGreater(stats["total"]["stats"]["gpu.data.bytes_compared"], 0)


def add_matrix_tests():
    for name in WORKLOADS:
        setattr(MachineTest, f"test_matrix_{name}", lambda self, name=name: self.check_matrix(name))


add_matrix_tests()


class AsyncCopyTest(RunTest):
    """Tiles that pass through shared memory, by registers and past them (cp.async)."""

    def totals(self, mode):
        text = self.run_workload("micro/tile_copy", CHECKED, mode, arguments=(mode, "16", "4"))
        return json.loads(text)["total"]["stats"]

    def test_the_next_tile_comes_while_this_one_is_used(self):
        registers, past = self.totals("registers"), self.totals("async")
        loads = 16 * 4 * 4  # tiles, blocks, warps of a block
        self.assertEqual((registers["sm.loads"], past["sm.loads"]), (loads, loads))
        self.assertGreater(registers["gpu.cycles"], 1.3 * past["gpu.cycles"])


class CardBenchmarksTest(RunTest):
    """Microbenchmarks that calibrate a machine by a card (tools/hardware/micro.csv)."""

    def measured(self, name, *arguments, keys=()):
        out = pathlib.Path(self.folder.name) / "-".join([name, arguments[0], str(len(keys))])
        sets = [word for key in keys for word in ("--set", key)]
        result = warpmem("run", "-c", CONFIG, "--set", "sm.count=2", *sets, "-o", out,
                         ROOT / f"workloads/micro/{name}.cu", "--", *arguments)  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return [float(value) for value in re.findall(r"^measured (\S+)", result.stdout, re.M)]

    def test_halves_of_l2(self):
        """The far half of the slices is farther by the way there and back."""
        keys = ["sm.clock=1 GHz", "noc.clock=1 GHz", "l2.clock=1 GHz"]
        near, far = self.measured("l2_distance", "64", keys=[*keys, "noc.far_latency=40"])
        self.assertAlmostEqual(far - near, 80, delta=4)

    def test_an_array_that_outgrows_l2(self):
        """1 MiB in L2 of 4 MiB, and of 64 KiB in all."""
        inside, = self.measured("footprint", "1", "96", keys=["l2.size=512 KiB"])
        outside, = self.measured("footprint", "1", "96", keys=["l2.size=8 KiB", "l2.ways=8"])
        self.assertGreater(outside, inside + 50)

    def test_memory_of_the_host(self):
        """A load takes the latency of the link, and the way to the slice and back."""
        near, far = (self.measured("chase", "host", "96", "4224",
                                   keys=["sm.clock=1 GHz", f"host.latency_ns={n}"])[0]
                     for n in (900, 1900))  # fmt: skip
        self.assertAlmostEqual(far - near, 1000, delta=2)
        self.assertTrue(950 < near < 1200, near)

    def test_atomics_at_random_sectors(self):
        """Two words of a sector are one request, and two lanes of a word two operations of it."""
        out = pathlib.Path(self.folder.name) / "sectors"
        result = warpmem("run", "-c", CONFIG, "--set", "sm.count=2", "--set",
                         "sm.coalescer.atomics=together", "-o", out,
                         ROOT / "workloads/micro/atomics.cu", "--",
                         "sectors", "1", "64", "2", "4")  # fmt: skip
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        stats = json.loads((out / "stats.json").read_text())["total"]["stats"]
        instructions = 2 * 8 * 8 * (1 + 3)  # SMs, warps, additions, rounds
        self.assertEqual(stats["sm.atomics"], instructions)
        self.assertEqual(stats["l2.atomics"], instructions * 32 // (2 * 4))
        self.assertEqual(stats["l2.atomic.operations"], instructions * 32)

    def test_loads_at_random_places(self):
        """Lanes of a piece share its DRAM row, so that larger pieces are faster."""
        keys = ["dram.column_command=burst", "l1d.sector=32", "l2.sector=32"]
        sectors, lines = (self.measured("scattered", "4", "1", piece, keys=keys)[0]
                          for piece in ("32", "128"))  # fmt: skip
        self.assertGreater(lines, 1.2 * sectors)

    def test_reads_that_are_used(self):
        for level in ("l2", "dram"):
            rate, = self.measured("stream", f"used_{level}", "2", "65536")
            plain, = self.measured("stream", f"read_{level}", "2", "65536")
            self.assertTrue(plain / 2 < rate < 1.05 * plain, (rate, plain))


class LaunchTest(RunTest):
    """What comes before a kernel's first block."""

    def totals(self, keys, name):
        return json.loads(self.run_workload("atax", [*keys, *CHECKED], name))["total"]["stats"]

    def test_the_latency_is_added_to_each_kernel(self):
        none, some = (self.totals([f"gpu.launch_latency={n}"], str(n)) for n in (0, 1234))
        self.assertEqual(some["gpu.launch_cycles"], 2 * 1234)  # atax has two kernels
        self.assertEqual(some["gpu.warp_inst"], none["gpu.warp_inst"])
        # DRAM and crossbar stand elsewhere in their cycles when the first block begins.
        self.assertAlmostEqual(some["gpu.cycles"] - none["gpu.cycles"], 2 * 1234, delta=60)

    def test_the_latency_is_no_deadlock(self):
        stats = self.totals(["gpu.launch_latency=30000", "watchdog=9000"], "long")
        self.assertEqual(stats["gpu.launch_cycles"], 60000)

    def cycles_of_empty(self, blocks, limit, *keys, cluster=1):
        keys = [f"gpu.ctas_a_cycle={limit}", *keys, *CHECKED]
        text = self.run_workload("micro/empty", keys, f"empty{limit}",
                                 arguments=(str(blocks), str(cluster)))  # fmt: skip
        return json.loads(text)["total"]["stats"]["gpu.cycles"]

    def test_blocks_go_one_by_one(self):
        """Five blocks begin in cycles 0 to 4 with 1 a cycle, in 0 to 2 with 2."""
        one_an_sm, *limited = (self.cycles_of_empty(5, n, "sm.count=5") for n in (0, 1, 2, 5))
        self.assertEqual(limited, [one_an_sm + 4, one_an_sm + 2, one_an_sm])

    def test_a_block_without_room_takes_no_place(self):
        none, one = (self.cycles_of_empty(3, n, "sm.count=1", "sm.ctas=1") for n in (0, 1))
        self.assertEqual(one, none)

    def test_a_cluster_takes_the_cycles_of_its_blocks(self):
        """With 1 a cycle the second cluster of four begins in cycle 4, with 3 in cycle 1."""
        keys = ("sm.count=8", "gpc.sms=4")
        at_once, *limited = (self.cycles_of_empty(8, n, *keys, cluster=4) for n in (0, 1, 3, 8))
        self.assertEqual(limited, [at_once + 4, at_once + 1, at_once])

    def test_copies_leave_their_lines_in_l2(self):
        for slices in (1, 2):
            drop, keep = (self.totals([f"l2.memcpy={how}", f"l2.slices={slices}"], f"{how}{slices}")
                          for how in ("drop", "keep"))
            self.assertNotIn("l2.host_lines", drop)
            self.assertGreater(keep["l2.host_lines"], 0)
            self.assertLess(keep["dram.reads"], 0.5 * drop["dram.reads"])
            self.assertLess(keep["gpu.cycles"], drop["gpu.cycles"])
            self.assertGreater(keep["l2.accesses"], 0)

    def test_copies_may_leave_l2_as_it_is(self):
        """atax copies into an empty L2 alone; bfs clears a flag before each of its launches."""
        def traffic(name, how):
            stats = self.run_workload(name, [f"l2.memcpy={how}", *CHECKED], name + how)
            return {k: v for k, v in json.loads(stats)["total"]["stats"].items()
                    if not k.startswith("gpu.data.")}

        self.assertEqual(traffic("atax", "drop"), traffic("atax", "update"))
        drop, update = (traffic("bfs", how) for how in ("drop", "update"))
        self.assertNotIn("l2.host_lines", update)
        self.assertLess(update["dram.reads"], drop["dram.reads"])


class ConcurrentKernelsTest(RunTest):
    """Kernels of streams that do not wait for each other."""

    def document(self, arguments, keys, name="out"):
        return json.loads(self.run_workload("micro/kernels_together", [*keys, *CHECKED], name,
                                            arguments=arguments))

    def test_kernels_that_leave_room_take_the_time_of_one(self):
        cycles, launches = {}, {}
        for at_once in (1, 2, 4):
            document = self.document(["streams", "4", "2"], [f"gpu.concurrent_kernels={at_once}"])
            cycles[at_once] = document["total"]["stats"]["gpu.cycles"]
            launches[at_once] = [[k["launch"] for k in one.get("together", [one])]
                                 for one in document["kernels"]]
        self.assertEqual(launches, {1: [[1], [2], [3], [4]], 2: [[1, 2, 3, 4]],
                                    4: [[1, 2, 3, 4]]})
        self.assertLess(cycles[2], 0.6 * cycles[1])
        self.assertLess(cycles[4], 0.35 * cycles[1])

    def test_another_begins_when_one_has_ended(self):
        keys = ["gpu.concurrent_kernels=2", "gpu.launch_latency=100"]
        one, = self.document(["streams", "5", "2"], keys)["kernels"]
        runs = one["together"]
        self.assertEqual([run["begin"] for run in runs[:2]], [0, 0])
        ends = sorted(run["end"] for run in runs)
        self.assertEqual([run["begin"] for run in runs[2:]], ends[:3])
        self.assertEqual(one["stats"]["gpu.cycles"], ends[-1])
        self.assertEqual(one["stats"]["gpu.launch_cycles"], 5 * 100)

    def test_the_oldest_goes_first(self):
        """Eight SMs have places for 64 blocks, each kernel has 100."""
        one, = self.document(["streams", "3", "100", "4"], ["gpu.concurrent_kernels=3"])["kernels"]
        ends = [run["end"] for run in one["together"]]
        self.assertEqual(ends, sorted(ends))
        self.assertEqual(one["stats"]["sm.ctas"], 300)

    def test_who_waits_for_whom(self):
        def groups(mode):
            kernels = self.document([mode, "4", "1"], ["gpu.concurrent_kernels=8"])["kernels"]
            return [[k["launch"] for k in one.get("together", [one])] for one in kernels]

        self.assertEqual(groups("one"), [[1], [2], [3], [4]])
        self.assertEqual(groups("events"), [[1], [2], [3], [4]])
        self.assertEqual(groups("default"), [[1, 2, 3], [4], [5]])
        self.assertEqual(groups("threads"), [[1, 2, 3, 4], [5]])

    def test_events_have_the_time_at_which_their_stream_is_done(self):
        """The program prints what elapsed between the events around all its kernels."""
        for at_once in (1, 4):
            out = pathlib.Path(self.folder.name) / f"events{at_once}"
            keys = assignments([f"gpu.concurrent_kernels={at_once}"])
            result = warpmem("run", "-c", CONFIG, *keys, "-o", out,
                             compiled("micro/kernels_together"), "--", "streams", "4", "2")
            self.assertEqual(result.returncode, 0, result.stderr)
            printed = float(re.search(r"together ([\d.]+) us", result.stdout)[1])
            cycles = json.loads((out / "stats.json").read_text())["total"]["stats"]["gpu.cycles"]
            self.assertAlmostEqual(printed * 1137, cycles, delta=0.001 * cycles)

    def test_part_of_the_launches(self):
        """Kernels that are only executed, or some of whose blocks are, give the same sums."""
        program = compiled("micro/kernels_together")
        for flag, launches in ((["--kernels", "2,4"], [[2, 4]]), (["--ctas", "3"], [[1, 2, 3, 4]])):
            out = pathlib.Path(self.folder.name) / flag[0].strip("-")
            result = warpmem("run", "-c", CONFIG, *assignments(["gpu.concurrent_kernels=4"]), *flag,
                             "-o", out, program, "--", "streams", "4", "8")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("PASS", result.stdout)
            kernels = json.loads((out / "stats.json").read_text())["kernels"]
            self.assertEqual([[k["launch"] for k in one["together"]] for one in kernels], launches)
            self.assertIn(f"warpmem: {len(launches[0])} kernel launches", result.stderr)

    def test_memory_of_the_host_between_timed_launches(self):
        """What launches without time and the host write to pinned memory is no error of others."""
        source = ROOT / "tests/integration/pinned_between.cu"
        for flags in (["--kernels", "name=of_device"], ["--kernels", "name=of_both"],
                      ["--kernels", "2,3,9"], []):
            for keys in ([], ["uvm.enable=true"], ["gpu.concurrent_kernels=4"]):
                with self.subTest(flags=flags, keys=keys):
                    result = warpmem("run", "-c", CONFIG, *assignments([*keys, "check_data=true"]),
                                     *flags, "-o", pathlib.Path(self.folder.name) / "run", source)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn("PASS", result.stdout)


class CoalescerTest(RunTest):
    """Lines that all SMs read at once, with and without the request coalescer before L2."""

    def totals(self, keys, name):
        return json.loads(self.run_workload("micro/same_lines", [*keys, *CHECKED], name,
                                            arguments=["8", "64", "4"]))["total"]["stats"]

    def test_lookups_are_shared(self):
        apart = self.totals([], "apart")
        together = self.totals(["l2.coalescer.entries=16", "l2.coalescer.merges=8"], "together")
        self.assertNotIn("l2.coalescer.merged", apart)
        # Each SM misses each line once; the SMs keep step more or less.
        self.assertEqual(apart["l2.reads"], 8 * 64)
        self.assertEqual(together["l2.reads"] + together["l2.coalescer.merged"], 8 * 64)
        self.assertLess(together["l2.reads"], 0.3 * apart["l2.reads"])
        self.assertEqual(together["dram.reads"], apart["dram.reads"])
        self.assertEqual(together["l2.coalescer.merges_peak"], 8)

    def test_an_entry_has_so_many_reads(self):
        stats = self.totals(["l2.coalescer.entries=16", "l2.coalescer.merges=2"], "two")
        self.assertEqual(stats["l2.coalescer.merges_peak"], 2)
        self.assertLessEqual(stats["l2.coalescer.merged"], 8 * 64 // 2)
        self.assertGreaterEqual(stats["l2.coalescer.merged"], 8 * 64 // 4)


class UnifiedTest(RunTest):
    """L1D and shared memory that share their bytes, divided anew at each launch."""

    KEYS = ["l1d.ways=16", "l1d.write=through_update", *CHECKED]

    def kernels(self, name, arguments, keys):
        text = self.run_workload(name, [*self.KEYS, *keys], arguments=arguments)
        return json.loads(text)["kernels"]

    def test_each_kernel_gets_what_its_blocks_need(self):
        # Tiles of 1, 3 and 2 KiB a block, 8 blocks an SM.
        parts = {"lud_diagonal": (120, 8), "lud_perimeter": (96, 32), "lud_interior": (112, 16)}
        seen = set()
        for kernel in self.kernels("lud", ["64"], ["l1d.unified=128 KiB"]):
            name = kernel["name"].partition("(")[0]
            size, carveout = (kernel["stats"][f"l1d.{part}"] for part in ("size", "carveout"))
            self.assertEqual((size >> 10, carveout >> 10), parts[name], name)
            seen.add(name)
        self.assertEqual(seen, set(parts))

    def test_blocks_take_what_is_reserved_for_them(self):
        """Tiles of 1, 3 and 2 KiB and 1 KiB more each; with 8 KiB more four of the largest fit."""
        keys = ["l1d.unified=128 KiB", "l1d.carveout_steps=8 KiB, 16 KiB, 32 KiB, 48 KiB"]
        for reserved, expected in (("0", [8, 32, 16]), ("1 KiB", [16, 32, 32]),
                                   ("8 KiB", [48, 48, 48])):  # fmt: skip
            kernels = self.kernels("lud", ["64"], [*keys, f"sm.shared.reserved={reserved}"])
            found = {kernel["name"].partition("(")[0]: kernel["stats"]["l1d.carveout"] >> 10
                     for kernel in kernels}  # fmt: skip
            names = ("lud_diagonal", "lud_perimeter", "lud_interior")
            self.assertEqual([found[name] for name in names], expected, reserved)

    def test_a_carveout_costs_hits(self):
        def hits(carveout):
            keys = ["l1d.unified=16 KiB", "l1d.carveout_steps=0, 15 KiB",
                    f"l1d.carveout={carveout}"]
            return self.kernels("atax", ["96"], keys)[0]["stats"]["l1d.hits"]

        self.assertLess(hits("15 KiB"), 0.7 * hits("0"))

    def test_a_block_that_no_carveout_holds(self):
        keys = [*self.KEYS, "l1d.unified=32 KiB", "l1d.carveout_steps=0, 2 KiB"]
        result = run("lud", keys, ["64"], pathlib.Path(self.folder.name) / "out")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("3072 + 0 bytes of shared memory; at most 2048", result.stderr)


class BuclTest(RunTest):
    """Each of BUCL's switches changes what bypasses L1D."""

    def bypasses(self, name, keys):
        values = json.loads(self.run_workload("atax", keys, name))["total"]["stats"]
        return values["l1d.bypasses.uncoalesced"], values["l1d.bypasses.refused"]

    def test_switches(self):
        none = ["l1d.bypass.kind=none"]
        few = ["l1d.mshr.kind=conventional", "l1d.mshr.entries=2"]  # refuses often
        dyn = [*few, "l1d.bypass.kind=bucl_dyn"]
        wide = [f"l1d.bypass.bucl.{key}=32" for key in ("tucd", "least", "most")]
        self.assertEqual(self.bypasses("none", none), (0, 0))
        self.assertGreater(self.bypasses("dyn", dyn)[0], 0)
        # No load has more than 32 requests: what bypasses is what the cache refuses ...
        whole, refused = self.bypasses("wide", dyn + wide)
        self.assertEqual(whole, 0)
        self.assertGreater(refused, 0)
        # ... while locality is low and the partition idle.
        for key in ("hit_rate_limit", "input_limit"):
            closed = dyn + wide + [f"l1d.bypass.bucl.{key}=0"]
            self.assertEqual(self.bypasses(key, closed), (0, 0), key)

    def test_profile(self):
        prf = ["l1d.bypass.kind=bucl_prf", "l1d.bypass.bucl.profile_cycles=2000"]
        chosen = json.loads(self.run_workload("atax", prf, "prf"))["total"]
        self.assertGreater(sum(chosen["series"]["bucl.tucd.over_time"]["points"]), 0)
        late = [*prf[:1], "l1d.bypass.bucl.profile_cycles=100000000"]
        never = json.loads(self.run_workload("atax", late, "late"))["total"]
        self.assertEqual(sum(never["series"]["bucl.tucd.over_time"]["points"]), 0)


class EndedWarpsTest(RunTest):
    """Hit_CNT of LAWS-TH counts no warp that has ended (KI 3.3.1), also when a load of it that
    nobody waited for hits later."""

    def test_ended_warps(self):
        out = pathlib.Path(self.folder.name) / "run"
        keys = ["sm.scheduler.policy=laws_th", *CHECKED]
        result = run("../tests/integration/ended_warps", keys, [], out,
                     ROOT / "configs" / "kim-laws.yaml")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        s = json.loads((out / "stats.json").read_text())["total"]["stats"]
        # The warp that is left misses alone: Load_CNT sets the limit, and Hit_CNT none of 8.
        self.assertGreater(s["sm.throttle.divergence_cycles"], 10_000)
        self.assertEqual(s["sm.throttle.divergence_cycles"], s["sm.throttle.cycles"])
        self.assertEqual(s["sm.throttle.warps.2.cycles"], s["sm.throttle.cycles"])


class ReservationFailTest(RunTest):
    """DL's pool refuses less than conventional MSHRs. With lines reserved on miss, as the machine
    has them, more misses under way meet sets whose lines are all reserved, so that all refusals
    together are compared on fill, and those of the handler alone on miss."""

    def total(self, name, kind, allocate, arguments, causes):
        keys = [f"l1d.mshr.kind={kind}", f"l2.mshr.kind={kind}", f"l1d.allocate={allocate}"]
        stats = self.run_workload(name, keys, f"{kind}-{allocate}", arguments=arguments)
        values = json.loads(stats)["total"]["stats"]
        return sum(v for k, v in values.items() if k.endswith(
            tuple(f".reservation_fails.{cause}cycles" for cause in causes)))

    def test_dl_reduces_reservation_fails(self):
        of_handler = ("entry_full.", "merge_full.")
        for allocate, causes in (("on_fill", ("",)), ("on_miss", of_handler)):
            for name, arguments in (("atax", ["256"]), ("bfs", ["4000"])):
                with self.subTest(workload=name, allocate=allocate):
                    dl, conventional = (self.total(name, kind, allocate, arguments, causes)
                                        for kind in ("dl", "conventional"))
                    self.assertLess(dl, conventional)


class SpinWaitTest(unittest.TestCase):
    """Warps that spin on a flag fill the issue slots; the youngest CTA sets it."""

    POLICIES = (
        [f"sm.scheduler.policy={p}" for p in ("rr", "gtrr", "gtlr", "gto", "ccws")]
        + [f"sm.scheduler.policy={p}" for p in ("laws", "laws_th", "laws_nmd")]
        + [f"sm.scheduler.policy=swl:{n}" for n in (1, 2, 3, 8, 31)]
    )
    TWO_LEVEL = [
        ["sm.scheduler.policy=two_level", f"sm.scheduler.group_policy={g}"]
        + [f"sm.scheduler.warp_policy={w}"]
        for g in ("rr", "gto")
        for w in ("rr", "gtrr", "gtlr", "gto")
    ]

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.program = PROGRAMS.get(ROOT / "tests" / "integration" / "spin_wait.cu")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def spin(self, keys):
        out = pathlib.Path(tempfile.mkdtemp(dir=self.folder.name)) / "run"
        machine = ["sm.count=1", "memory.partitions=1", "max_cycles=5000000"]
        config = ROOT / "configs" / "kim-laws.yaml"
        keys = assignments([*machine, *keys])
        # 28 warps spin; the setter reads a chain of 8 lines first.
        arguments = ["--", self.program, "8", "128", "8", "64"]
        result = warpmem("run", "-c", config, *keys, "-o", out, *arguments)
        stats = json.loads((out / "stats.json").read_bytes()) if result.returncode == 0 else None
        return result, stats

    def test_every_policy_ends(self):
        for keys in [[p] for p in self.POLICIES] + self.TWO_LEVEL:
            with self.subTest(keys=keys):
                result, _ = self.spin(keys)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn("flag 513", result.stdout)

    def test_without_the_bound_gto_starves_the_setter(self):
        bound = "sm.scheduler.starvation_bound=1073741824"
        result, _ = self.spin(["sm.scheduler.policy=gto", bound])
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("max_cycles", result.stderr)

    def test_the_rescue_is_counted(self):
        _, stats = self.spin(["sm.scheduler.policy=gto"])
        values = stats["total"]["stats"]
        rescued = sum(v for k, v in values.items() if k.endswith("scheduler.rescued"))
        self.assertGreater(rescued, 8)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
