#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Logs of Accel-Sim: what each counter becomes, differences from launch to launch, and what is
wrong with a log."""
import unittest

from made import DATA, CorrelateTest, launch, values

LOG = DATA / "accelsim.log"


class AccelsimTest(CorrelateTest):
    def setUp(self):
        super().setUp()
        name = "atax_rows(float const*, float const*, float*, int, int)"
        self.run_of(launch(name, 1), launch(name, 2, gpu__cycles=2600))

    def launches(self, *arguments):
        result = self.result(*arguments, "run")
        order = sorted(range(2), key=lambda i: result["launches"][i]["launch"])
        return result, [values(result, i) for i in order]

    def test_counters_of_the_first_launch(self):
        """Loads by outcome: 1740 hits, 150 reserved, 310 misses and 800 sector misses, 3000 in all.
        210 found an entry of an MSHR: those reserved, and 60 of the misses."""
        result, (first, _) = self.launches(LOG)
        self.assertEqual(result["reference"]["kind"], "Accel-Sim log")
        self.assertEqual(
            first,
            {
                "cycles": (2500, 2000),
                "ipc": (48, 60),
                "warp_instructions": (4000, 4000),
                "thread_instructions": (120000, 120000),
                "l1d.accesses": (3300, 3300),
                "l1d.reads": (3000, 3000),
                "l1d.writes": (300, 300),
                "l1d.misses": (1000, 1050),
                "l1d.merges": (200, 210),
                "l1d.hit_rate": (60, 58),
                # Reads 400 + 40 + 160 + 400; stores 250, write-backs 50.
                "l2.accesses": (1300, 1300),
                "l2.reads": (1000, 1000),
                "l2.writes": (300, 300),
                "l2.misses": (600, 650),
                "l2.merges": (50, 50),
                "l2.hit_rate": (50, 46.1538462),
                # Accesses of 2 × 16 × 1 B.
                "dram.read_bytes": (16000, 12800),
                "dram.write_bytes": (2880, 3200),
                # 40 ns × 3000 requests ÷ 1000 that left L1D × 2 GHz.
                "memory_latency": (240, 250),
            },
        )

    def test_sums_are_taken_apart(self):
        """The second launch: what is counted on from the first is a difference. The mean latency is
        one over both launches, and is left out."""
        result, (_, second) = self.launches(LOG)
        expected = {"cycles": 2500, "warp_instructions": 4000, "l1d.reads": 3000, "l1d.writes": 300,
                    "l1d.misses": 1050, "l1d.merges": 150, "l2.reads": 1000, "l2.writes": 300,
                    "dram.read_bytes": 16000, "dram.write_bytes": 2880}  # fmt: skip
        self.assertEqual({name: second[name][1] for name in expected}, expected)
        self.assertEqual(second["cycles"][0], 2600)  # the run's second launch, too
        self.assertNotIn("memory_latency", second)
        unread = result["unread"]
        self.assertIn("averagemflatency after the first launch: it is a mean since that", unread)
        for name in ("gpu_occupancy", "L2_total_cache_accesses", "icnt_total_pkts_mem_to_simt"):
            self.assertIn(name, unread)
        self.assertNotIn("gpu_sim_cycle", unread)

    def test_bytes_of_dram_need_the_options(self):
        reference = self.changed("accelsim.log", "-gpgpu_dram_buswidth", "-other")
        result, (first, _) = self.launches(reference)
        self.assertNotIn("dram.read_bytes", first)
        message = "total dram reads and writes: the log has no options that tell their bytes"
        self.assertIn(message, result["unread"])

    def test_a_cache_without_sectors_counts_requests(self):
        text = LOG.read_text()
        for cache in ("dl1", "dl2"):
            text = text.replace(f"-gpgpu_cache:{cache}     S:", f"-gpgpu_cache:{cache}     N:")
        self.run_of(*[launch("atax_rows", n, **{"sm.requests.bytes_128": 9}) for n in (1, 2)],
                    name="wide")  # fmt: skip
        reference = self.file("requests.log", text)
        result = self.result(reference, "wide")
        units = {name: value["unit"] for name, value in result["launches"][0]["values"].items()}
        self.assertEqual((units["l1d.reads"], units["l2.hit_rate"]), ("requests", "%"))
        # Sectors are another thing, where requests are wider.
        result = self.result(LOG, "wide")
        self.assertNotIn("l1d.reads", result["launches"][0]["values"])
        self.assertIn("l1d.reads", [one["metric"] for one in result["absent"]])

    def test_what_is_not_printed_is_nothing(self):
        """Older versions print only outcomes that there were."""
        lines = LOG.read_text().splitlines(keepends=True)
        few = [line for line in lines if "L2_cache" not in line or "ACC_R" in line]
        _, (first, second) = self.launches(self.file("few.log", "".join(few)))
        self.assertEqual((first["l2.reads"][1], first["l2.writes"][1]), (1000, 0))
        self.assertEqual((second["l2.accesses"][1], second["l1d.writes"][1]), (1000, 300))
        none = [line for line in lines if "breakdown" not in line]
        _, (first, _) = self.launches(self.file("none.log", "".join(none)))
        self.assertEqual([name for name in first if name[0] == "l"], ["l1d.accesses"])
        self.assertEqual(first["l1d.accesses"], (3300, 3300))

    def test_a_few_accesses_give_no_rate(self):
        lines = "kernel_name = atax_rows \nkernel_launch_uid = 1 \ngpu_sim_cycle = 1\n"
        lines += "gpu_sim_insn = 120000\n\tL2_cache_stats_breakdown[GLOBAL_ACC_R][HIT] = {}\n"
        end = "GPGPU-Sim: *** exit detected ***\n"
        for hits in (99, 100):
            found = values(self.result(self.file("few.log", lines.format(hits) + end), "run"))
            self.assertEqual(("l2.hit_rate" in found, found["l2.reads"][1]), (hits == 100, hits))

    def test_a_block_of_no_kernel(self):
        """Nothing ran in it; where something did, its kernel has run beside another one."""
        empty = "kernel_name = \nkernel_launch_uid = \ngpu_sim_cycle = 9\ngpu_sim_insn = 0\n"
        before, sign, after = LOG.read_text().partition("Processing kernel traces/kernel-2")
        result, _ = self.launches(self.file("copies.log", before + empty + sign + after))
        self.assertEqual(result["launches_matched"], 2)
        text = before + empty.replace("insn = 0", "insn = 1") + sign + after
        error = self.error(self.file("beside.log", text), "run")
        self.assertTrue(error.endswith("kernels ran at the same time, and their counts are one"))

    def test_versions_without_mshr_hits(self):
        """What is reserved has merged."""
        lines = LOG.read_text().splitlines(keepends=True)
        old = "".join(line for line in lines if "MSHR_HIT" not in line)
        _, (first, _) = self.launches(self.file("old.log", old))
        self.assertEqual((first["l1d.merges"][1], first["l1d.misses"][1]), (150, 1110))
        self.assertEqual((first["l2.merges"][1], first["l2.misses"][1]), (40, 660))

    def test_streams_are_counted_apart(self):
        """The breakdowns of a launch are those of its stream; DRAM is everyone's."""
        text = LOG.read_text()
        first, _, second = text.rpartition("kernel_stream_id = 0")
        reference = self.file("streams.log", f"{first}kernel_stream_id = 5{second}")
        _, (_, found) = self.launches(reference)
        self.assertEqual(found["l1d.writes"][1], 600)
        self.assertEqual(found["dram.read_bytes"][1], 16000)

    def wrong(self, old, new, line, message):
        with self.subTest(message):
            error = self.error(self.changed("accelsim.log", old, new), "run")
            self.assertEqual(error, f"accelsim.log:{line}: {message}")

    def test_wrong_logs(self):
        last = len(LOG.read_text().splitlines())
        end = "GPGPU-Sim: *** exit detected ***"
        second = LOG.read_text().splitlines().index("gpu_sim_cycle = 2500") - 2
        message = f"no line '{end}': cut off, or the simulation did not end"
        self.wrong(end + "\n", "", last - 1, message)
        broken = "GPGPU-Sim: ** break due to reaching the maximum cycles (or instructions) **"
        message = "the simulation broke off, so that its last launch is a part"
        self.wrong(end, broken, last, message)
        message = "no gpu_sim_cycle after this kernel_name: cut off?"
        self.wrong("gpu_sim_cycle = 2500\n", "", second, message)
        message = "launch 1 stands in line 11 already"
        self.wrong("uid = 2 ", "uid = 1 ", second, message)
        message = "kernels ran at the same time, and their counts are one"
        self.wrong("uid = 2 ", "uid = 2 3 ", second, message)
        message = "total dram reads is 9, less than in line 52: two logs in one file?"
        self.wrong("dram reads = 900", "dram reads = 9", last - 11, message)
        message = "gpu_tot_sim_cycle grew by 7000, and gpu_sim_cycle is 2500: is a launch missing?"
        self.wrong("gpu_tot_sim_cycle = 4500", "gpu_tot_sim_cycle = 9000", second + 6, message)
        message = "l1d: more MSHR hits than lookups that did not hit"
        self.wrong("[MSHR_HIT] = 360", "[MSHR_HIT] = 9999", second, message)
        message = f"gpu_sim_cycle is {'9' * 40}: no counter is so large"
        self.wrong("gpu_sim_cycle = 2500", f"gpu_sim_cycle = {'9' * 40}", second + 3, message)
        text = LOG.read_text().replace("atax_rows", "atax_cols")
        error = self.error(self.file("cols.log", text), "run")
        message = "launch 1 of atax_cols matches none of run, which has 2 of atax_rows"
        self.assertEqual(error, f"cols.log:11: {message}")
        self.run_of(launch("atax_rows", 1), name="one")
        message = "launch 2 of atax_rows matches none of one, which has 1 of atax_rows"
        self.assertTrue(self.error(LOG, "one").endswith(f"accelsim.log:{second}: {message}"))


if __name__ == "__main__":
    unittest.main()
