#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""CSV of Nsight Compute in both forms: what each metric becomes, its units, and what is wrong with
a file."""
import unittest

from made import DATA, CorrelateTest, launch, values

RAW = DATA / "nsight_raw.csv"
HITS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"
DETAILS = DATA / "nsight_details.csv"


class NsightTest(CorrelateTest):
    def setUp(self):
        super().setUp()
        self.run_of(launch("atax_rows(float const*)", 1), launch("atax_columns(float*)", 2))

    def test_raw_page(self):
        """17.6 KB are 17600 B, and 1.4 thousand sectors 1400. The rate of the loads, 1650 of 3000,
        is taken before that of L1 as a whole."""
        result = self.result(RAW, "run")
        self.assertEqual(result["reference"]["kind"], "Nsight Compute CSV")
        self.assertEqual([one["launch"] for one in result["launches"]], [1, 2])
        self.assertEqual(
            values(result),
            {
                "cycles": (2500, 1800),
                "duration": (1250, 1250),
                "warp_ipc": (1.6, 2.22222222),
                "warp_instructions": (4000, 4000),
                "l1d.reads": (3000, 3000),
                "l1d.hit_rate": (60, 55),
                "l2.accesses": (1300, 1400),
                "l2.reads": (1000, 1020),
                "l2.hit_rate": (50, 47.5),
                "dram.read_bytes": (16000, 17600),
                "dram.write_bytes": (2880, 2400),
            },
        )
        self.assertEqual(result["judged_by"], "cycles")
        self.assertNotIn("dram.write_bytes", values(result, 1))  # n/a
        self.assertNotIn("l1d.hit_rate", values(result, 1))  # it has no loads

    def test_notes_before_the_table(self):
        result = self.result(self.file("notes.csv", "# card 0\n" + RAW.read_text()), "run")
        self.assertEqual(result["reference"]["notes"], ["card 0"])

    def test_traffic_of_dram_in_sectors(self):
        text = RAW.read_text().replace("dram__bytes_", "dram__sectors_")
        text = text.replace('"Kbyte","byte"', '"Ksector","sector"')
        found = values(self.result(self.file("sectors.csv", text), "run"))
        self.assertEqual(found["dram.read_bytes"], (16000, 17600 * 32))
        self.assertEqual(found["dram.write_bytes"], (2880, 2400 * 32))

    def test_rates_of_l2(self):
        """That of L1's accesses goes before that of all; one above 110 % was not measured."""
        text = RAW.read_text().replace("lts__t_sectors_srcunit_tex_op_read.sum",
                                       "lts__t_sectors_srcunit_tex_lookup_hit.sum")  # fmt: skip
        text = text.replace('"lts__t_sectors.sum"', '"lts__t_sectors_srcunit_tex.sum"')
        found = values(self.result(self.file("tex.csv", text), "run"))
        self.assertEqual(found["l2.hit_rate"], (50, 72.8571429))  # 1020 of 1400
        text = RAW.read_text().replace('"47.5"', '"2,418.75"')
        result = self.result(self.file("short.csv", text), "run")
        self.assertNotIn("l2.hit_rate", values(result))
        self.assertEqual(values(result, 1)["l2.hit_rate"], (50, 60))
        self.assertIn("lts__t_sector_hit_rate.pct: not measured everywhere", result["unread"])

    def test_what_is_left_out_is_named(self):
        unread = self.result(RAW, "run")["unread"]
        self.assertEqual(
            unread,
            [
                "launch__registers_per_thread",
                f"l1tex__t_sector_hit_rate.pct: {HITS} is the same thing, or nearer",
                "sm__cycles_elapsed.avg: sm__cycles_elapsed.max is the same thing, or nearer",
                "dram__bytes_write.sum: not measured everywhere",
            ],
        )

    def test_details_page(self):
        """A row for each metric; one that stands in two sections is one, advice is none."""
        found = values(self.result(DETAILS, "run"))
        self.assertEqual(found["cycles"], (2500, 1800))
        self.assertEqual(found["duration"], (1250, 1250))
        self.assertEqual(found["l1d.hit_rate"], (60, 55.5))
        self.assertEqual(found["l2.hit_rate"], (50, 47.5))
        self.assertEqual(found["warp_instructions"], (4000, 4000))

    def test_wide_requests_are_no_sectors(self):
        """L2's traffic is known in bytes, its hits only in requests."""
        wide = {"sm.requests.bytes_64": 1, "l1d.fetch_bytes": 40000, "l2.write_bytes": 10400}
        self.run_of(launch("atax_rows", 1, **wide), launch("atax_columns", 2, **wide), name="wide")
        result = self.result(RAW, "wide")
        found = values(result)
        self.assertEqual((found["l2.reads"][0], found["l2.accesses"][0]), (1250, 1575))
        absent = {one["metric"]: one["why"] for one in result["absent"]}
        self.assertEqual(sorted(absent), ["l1d.hit_rate", "l1d.reads", "l2.hit_rate"])
        self.assertIn("L2 counts requests", absent["l2.hit_rate"])

    def test_the_process_is_the_program(self):
        self.run_of(launch("atax_rows", 1), launch("atax_columns", 2), name="other", program="mvt")
        self.assertIn("other: of mvt, which", self.error(RAW, "other"))
        self.result(RAW, "other", "--match=other=atax")

    def wrong(self, source, old, new, message):
        with self.subTest(message):
            error = self.error(self.changed(source, old, new), "run")
            self.assertEqual(error.partition(": ")[::2], (f"{source}:{message[0]}", message[1]))

    def test_wrong_files(self):
        raw, details = "nsight_raw.csv", "nsight_details.csv"
        self.wrong(raw, '"Kbyte","byte"', '"Kbyte","word"',
                   (6, "'word' is no unit of dram__bytes_write.sum; allowed: B, byte, bytes, "
                       "also with Ki, Mi, Gi, Ti, k, K, M, G or T before it"))
        self.wrong(raw, '"1,020"', '"1.020,5"', (
            6, "lts__t_sectors_srcunit_tex_op_read.sum '1.020,5' is no number from 0"))
        self.wrong(raw, '"1","4711"', '"0","4711"', (7, "launch 0 stands in line 6 already"))
        self.wrong(raw, '"1","4711"', '"1","4712"',
                   (7, "another process 'atax' stands in line 6; a file has one of each name"))
        self.wrong(raw, ',"1,800","4,000"', ',"1,800"', (
            6, "23 cells where the header has 24: cut off, or output of the program?"))
        self.wrong(raw, '"2,000","4,000"\n', '"2,0', (7, "the last line has no end: cut off?"))
        self.wrong(raw, '"2,000","4,000"\n', '"2,0\n', (7, "not CSV: unexpected end of data"))
        self.wrong(details, 'Statistics","Elapsed Cycles","cycle","1,800"',
                   'Statistics","Elapsed Cycles","cycle","1,900"',
                   (9, "Elapsed Cycles of launch 0 has another value in line 2"))
        self.wrong(details, '"Cluster Scheduling Policy","","PolicySpread",', '"Cluster"', (
            8, "13 cells where the header has 20: cut off, or output of the program?"))
        lines = RAW.read_text().splitlines(keepends=True)
        error = self.error(self.file("no_units.csv", "".join(lines[:4] + lines[5:])), "run")
        self.assertEqual(error, "no_units.csv:5: the line of units after the header is missing")
        error = self.error(self.file("only_header.csv", "".join(lines[:5])), "run")
        self.assertEqual(error, "only_header.csv: no launch of a kernel in it")


if __name__ == "__main__":
    unittest.main()
