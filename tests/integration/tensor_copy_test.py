# SPDX-License-Identifier: Apache-2.0
"""Tiles of a matrix by tensor copies: their bytes and traffic, and who cannot have them."""

import json
import pathlib
import sys
import unittest

from whole_runs import CHECKED, ROOT, RunTest, assignments, compiled, run, warpmem

MACHINE = ROOT / "configs" / "h100.yaml"
PROGRAM = "micro/tensor_copy"
SMALL = ["sm.count=4", "memory.partitions=4", "gpu.launch_latency=0", "gpc.sms=4"]
TILE_BYTES = 32 * 32 * 4
MODES = ["swizzled", "plain", "rows", "multicast"]


class TensorCopyTest(RunTest):
    def stats(self, arguments, keys=(), label="run"):
        out = pathlib.Path(self.folder.name) / label
        result = run(PROGRAM, [*SMALL, *keys], arguments.split(), out, MACHINE)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("PASS", result.stdout)
        return json.loads((out / "stats.json").read_text())["total"]["stats"]

    def test_results_are_right_and_do_not_depend_on_what_is_skipped(self):
        for arguments in (*(f"{mode} 128 96" for mode in MODES), "swizzled 100 44", "plain 36 4",
                          "multicast 68 132", "reduce 128 96", "reduce 36 100"):
            with self.subTest(arguments):
                plain = self.stats(arguments, CHECKED)
                every = self.stats(
                    arguments, [*CHECKED, "tick_all=true", "reverse_construction=true"])
                self.assertEqual(plain, every)
                result = warpmem("run", "--functional", compiled(PROGRAM), "--",
                                 *arguments.split())
                self.assertEqual(result.stdout, "PASS\n", result.stderr)

    def test_the_traffic_is_that_of_the_matrix(self):
        tiles = 4 * 3
        for mode in MODES:
            with self.subTest(mode):
                stats = self.stats(f"{mode} 128 96", CHECKED, mode)
                ways = 32 if mode == "rows" else 1
                in_grid = tiles + 4 if mode == "multicast" else tiles  # blocks in pairs
                self.assertEqual(stats["sm.bulk.loads"], in_grid * ways)
                self.assertEqual(stats["sm.bulk.tiles"],
                                 tiles if mode == "rows" else 2 * in_grid)
                self.assertEqual(stats["sm.bulk.requests"], 2 * tiles * TILE_BYTES // 32)
                self.assertEqual(stats["sm.bulk.outside_bytes"],
                                 2 * (in_grid - tiles) * TILE_BYTES)

    def test_a_reduction_asks_for_the_words_of_the_tensor(self):
        stats = self.stats("reduce 128 96", CHECKED)
        tiles = 4 * 3
        self.assertEqual(stats["sm.bulk.reductions"], tiles)
        self.assertEqual(stats["sm.bulk.tiles"], 2 * tiles)
        self.assertEqual(stats["sm.bulk.reduction_bytes"], tiles * TILE_BYTES)
        # Of each row four words are outside.
        self.assertEqual(stats["sm.bulk.outside_bytes"], tiles * 32 * 4 * 4)
        self.assertEqual(stats["sm.bulk.atomic_groups"], tiles * 32 * 28)

    def test_bytes_outside_the_matrix_make_no_traffic(self):
        stats = self.stats("swizzled 36 100", CHECKED)
        self.assertEqual(stats["sm.bulk.load_bytes"], 2 * 4 * TILE_BYTES)
        # Each direction has the matrix alone.
        self.assertEqual(stats["sm.bulk.outside_bytes"], 2 * (8 * TILE_BYTES - 36 * 100 * 4))

    def test_a_swizzle_spares_conflicts_of_banks(self):
        conflicts = {mode: self.stats(f"{mode} 128 96", label=mode)["sm.shared.conflict_cycles"]
                     for mode in ("plain", "swizzled")}
        # A column of 32 words: in one bank, or four words in each of eight.
        self.assertGreater(conflicts["plain"], 8 * conflicts["swizzled"])

    def test_who_cannot_have_them_is_told(self):
        def refused(text, *arguments):
            result = warpmem("run", "-o", str(pathlib.Path(self.folder.name) / "refused"),
                             *arguments)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertIn(text, result.stderr)
        program = compiled(PROGRAM)
        refused("this machine has no bulk copy engine; set sm.bulk.enable",
                "-c", str(ROOT / "configs/v100.yaml"), program)

    def test_a_trace_of_it_has_the_same_statistics(self):
        trace = pathlib.Path(self.folder.name) / "t.wmtrace"
        for arguments in ("swizzled 100 44", "rows 64 64", "reduce 68 36"):
            with self.subTest(arguments):
                expected = self.stats(arguments, label="program")
                result = warpmem("trace", "convert", compiled(PROGRAM), "-o", trace, "--",
                                 *arguments.split())
                self.assertEqual(result.returncode, 0, result.stderr)
                # So has a trace of the trace.
                again = trace.with_suffix(".again.wmtrace")
                result = warpmem("trace", "convert", trace, "-o", again)
                self.assertEqual(result.returncode, 0, result.stderr)
                out = pathlib.Path(self.folder.name) / "replay"
                for replayed in (trace, again):
                    result = warpmem("run", "-c", MACHINE, *assignments(SMALL), "-o", out, replayed)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    stats = json.loads((out / "stats.json").read_text())["total"]["stats"]
                    self.assertEqual(stats, expected)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
