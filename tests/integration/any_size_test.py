#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""tools/any_size.py: the DAU's properties for any number of sets, and mistakes that it tells."""

import pathlib
import shutil
import subprocess
import tempfile
import unittest

from planted import plant

ROOT = pathlib.Path(__file__).resolve().parents[2]
MISTAKES = [
    "dau/release_frees_two",
    "dau/reserved_set_linked",
    "dau/second_release_too_early",
    "dau/tail_not_updated",
]


def any_size(*arguments):
    return subprocess.run([ROOT / "tools" / "any_size.py", *map(str, arguments)],
                          capture_output=True, text=True)


class OneSizeTest(unittest.TestCase):
    def test_the_properties_hold(self):
        result = any_size("--slots", 2, "--reserved", 3)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"3 of 6 in the window reserved: \d+ properties proved\n")

    def test_mistakes_are_told(self):
        for mistake in MISTAKES:
            with self.subTest(mistake), tempfile.TemporaryDirectory() as folder:
                rtl = pathlib.Path(folder) / "rtl"
                shutil.copytree(ROOT / "rtl", rtl)
                plant(mistake, rtl)
                result = any_size("--rtl", rtl, "--slots", 2, "--reserved", 3)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertRegex(result.stdout, "VIOLATED after a reset|NOT INDUCTIVE")


class AllSizesTest(unittest.TestCase):
    def test_all_slots_and_reservations(self):
        result = any_size()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stdout.count(" proved\n"), 28)


if __name__ == "__main__":
    unittest.main()
