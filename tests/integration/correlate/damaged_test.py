#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""References that are cut off anywhere, or changed anywhere: one message or a reference, never a
crash. The readers run in this process, so that there can be many."""
import pathlib
import random
import sys
import tempfile
import unittest

from made import DATA, ROOT

sys.path[:0] = [str(ROOT / "tools" / "correlate"), str(ROOT / "tools" / "report")]
import own_json  # noqa: E402
import readers  # noqa: E402
from load import ReportError  # noqa: E402

OWN = """program,kernel,launch,cycles [cycles],l2.hit_rate [%]
atax,"a(int, int)",1,"2,500",50
atax,b,2,7,
"""
PIECES = ['"', ",", "\n", "=", "[", "]", "{", "}", "-", "9" * 40, "nan", "\0", "é", "0", " ", "\r",
          "kernel_name = x\n", '"ID","Kernel Name"\n', "1e308"]  # fmt: skip


class DamagedTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name) / "reference"

    def read(self, text):
        """The launches that the reader finds; None when it refuses."""
        self.file.write_text(text, newline="")
        try:
            return len(readers.read(self.file).launches)
        except ReportError as error:
            self.assertTrue(str(error).startswith(str(self.file)), error)
            self.assertNotIn("\n", str(error))
            return None

    def texts(self):
        """(text, launches, whether it may end after any line)."""
        self.file.write_text(OWN)
        launches = readers.read(self.file).launches
        columns = [("cycles", "cycles"), ("l2.hit_rate", "%")]
        yield OWN, 2, True
        yield own_json.write(launches, columns, "a note"), 2, False
        yield (DATA / "nsight_raw.csv").read_text(), 2, True
        yield (DATA / "nsight_details.csv").read_text(), 1, True
        yield (DATA / "accelsim.log").read_text(), 2, False

    def test_cut_off(self):
        for text, launches, by_line in self.texts():
            self.assertEqual(self.read(text), launches)
            for end in range(0, len(text.rstrip()), 1 + len(text) // 400):
                found = self.read(text[:end])
                whole_lines = by_line and text[:end].endswith("\n")
                self.assertTrue(found is None or whole_lines, f"{end} of {text[:60]}")

    def test_changed(self):
        chance = random.Random(1)
        refused = kept = 0
        for text, *_ in self.texts():
            for _ in range(400):
                at = chance.randrange(len(text))
                upto = at + chance.choice((0, 0, 1, 5, 40))
                found = self.read(text[:at] + chance.choice(PIECES) + text[upto:])
                refused += found is None
                kept += found is not None
        self.assertGreater(min(refused, kept), 100)  # both happen


if __name__ == "__main__":
    unittest.main()
