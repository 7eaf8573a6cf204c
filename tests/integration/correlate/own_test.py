#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""warpmem's own reference: both forms read what they write; units; what is wrong with a file."""
import json
import sys
import unittest

from made import ROOT, CorrelateTest, launch, values

sys.path[:0] = [str(ROOT / "tools" / "correlate"), str(ROOT / "tools" / "report")]
import measured  # noqa: E402
import metrics  # noqa: E402
import units  # noqa: E402

CSV = """# measured on a card of our own
program,kernel,launch,cycles [kcycles],l2.hit_rate [%],dram.read_bytes [KiB]
atax,"atax_rows(float const*, int)",1,2.5,50,15.625

atax,atax_columns,2,"2,600",,10
"""
DOCUMENT = {
    "warpmem_reference": 1,
    "notes": ["measured on a card of our own"],
    "units": {"cycles": "kcycles", "l2.hit_rate": "%", "dram.read_bytes": "KiB"},
    "launches": [
        {
            "program": "atax",
            "kernel": "atax_rows(float const*, int)",
            "launch": 1,
            "metrics": {"cycles": 2.5, "l2.hit_rate": 50, "dram.read_bytes": 15.625},
        },
        {
            "program": "atax",
            "kernel": "atax_columns",
            "launch": 2,
            "metrics": {"cycles": 2600, "dram.read_bytes": 10},
        },
    ],
}


class OwnTest(CorrelateTest):
    def setUp(self):
        super().setUp()
        self.run_of(launch("atax_rows(float*, int)", 1), launch("atax_columns(int)", 2))

    def test_both_forms_say_the_same(self):
        results = []
        for file in (self.file("r.csv", CSV), self.file("r.json", json.dumps(DOCUMENT, indent=1))):
            result = self.result(file, "run")
            self.assertEqual(result["reference"]["notes"], ["measured on a card of our own"])
            launches = {one["launch"]: one for one in result["launches"]}
            results.append([(n, launches[n]["values"]) for n in (1, 2)])
        self.assertEqual(*results)
        first, second = (found for _, found in results[0])
        self.assertEqual(first["cycles"], {"unit": "cycles", "measured": 2500, "reference": 2500,
                                           "error": 0})  # fmt: skip
        self.assertEqual(first["dram.read_bytes"]["reference"], 16000)
        self.assertEqual(sorted(second), ["cycles", "dram.read_bytes"])

    def test_a_byte_order_mark_is_no_part_of_a_file(self):
        """Spreadsheets write one."""
        for name, text in (("r.csv", CSV.split("\n", 1)[1]), ("r.json", json.dumps(DOCUMENT))):
            plain = self.result(self.file(name, text), "run")
            self.assertEqual(self.result(self.file(name, "\ufeff" + text), "run"), plain)

    def test_runs_become_a_reference(self):
        """Every metric is written, in both forms, and the run agrees with itself."""
        self.run_of(launch("x", 1, gpu__cycles=9999), name="other", program="mvt")
        for file in ("r.csv", "r.json"):
            run = self.call("--write", file, "run", "other")
            self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
            result = self.result(file, "other", "run")
            self.assertEqual(set(values(result)), set(metrics.BY_NAME))
            self.assertEqual({row["mean_error"] for row in result["metrics"]}, {0})
            rows = {row["metric"]: row for row in result["metrics"]}
            self.assertEqual(rows["cycles"]["pearson"], 1)
            self.assertEqual((result["launches_matched"], result["absent"]), (3, []))
        self.call("--write=plain", "run", "other")
        self.assertEqual((self.folder / "plain").read_text(), (self.folder / "r.csv").read_text())
        self.assertIn("--page is for a comp", self.call("--write=r.csv", "--page=p", "run").stderr)

    def test_every_metric_is_described_and_has_a_formula(self):
        page = (ROOT / "docs" / "correlate.md").read_text()
        for metric in metrics.ALL:
            self.assertIn(f"\n| `{metric.name}` |", page)
            for unit in metric.units:
                if unit not in measured.SECTORS.values():
                    self.assertIn((metric.name, unit), measured.FORMULAS)
                self.assertIn(unit, units.SPELLINGS)

    def wrong(self, message, old, new):
        self.assertEqual(CSV.count(old), 1, old)
        with self.subTest(message):
            error = self.error(self.file("r.csv", CSV.replace(old, new)), "run")
            self.assertTrue(error.startswith(message), error)

    def test_wrong_csv(self):
        self.wrong("r.csv:2: no metric 'cycle'; allowed: cycles, kernel_c", "cycles [", "cycle [")
        self.wrong("r.csv:2: 'nuts' is no unit of cycles; allowed: cycles, cycle, also with k, "
                   "K, M, G or T before it", "kcycles", "nuts")
        self.wrong("r.csv:2: 'nuts' is no unit of dram.read_bytes; allowed: B, byte, bytes, also "
                   "with Ki, Mi, Gi, Ti, k, K, M, G or T before it", "KiB", "nuts")
        self.wrong("r.csv:2: 'B' is no unit of l2.hit_rate; allowed: %, 1, % of", "[%]", "[B]")
        rate = "l2.hit_rate [%]"
        self.wrong("r.csv:2: column 'l2.hit_rate' is not NAME [UNIT]", rate, "l2.hit_rate")
        self.wrong("r.csv:2: column cycles stands there twice", rate, "cycles [cycles]")
        self.wrong("r.csv:3: l2.hit_rate of 5000 %: more than 110 %", rate, "l2.hit_rate [1]")
        self.wrong("r.csv:3: 5 cells where the header has 6: cut off?", "2.5,", "")
        self.wrong("r.csv:3: l2.hit_rate 'high' is no number from 0", ",50,", ",high,")
        self.wrong("r.csv:3: l2.hit_rate '-1' is no number from 0", ",50,", ",-1,")
        self.wrong("r.csv:3: launch 'one' is no number from 1", ",1,2.5", ",one,2.5")
        self.wrong("r.csv:5: launch 1 of atax stands in line 3 already", "columns,2", "columns,1")
        self.wrong("r.csv:5: a row needs a program and a kernel", "atax_columns", "")
        self.wrong("r.csv:5: the last line has no end: cut off?", "10\n", "1")
        self.wrong("r.csv:3: not CSV: ", '"atax_rows(float const*, int)"', '"atax_rows"(float)')
        self.wrong("r.csv:1: none of the kinds of reference: CSV that begins", "program,", "prog,")

    def wrong_json(self, message, change):
        document = json.loads(json.dumps(DOCUMENT))
        change(document)
        with self.subTest(message):
            error = self.error(self.file("r.json", json.dumps(document, indent=1)), "run")
            self.assertTrue(error.startswith(message), error)

    def test_wrong_json(self):
        first = DOCUMENT["launches"][0]
        for message, change in (
            ("1: 'warpmem_reference' must be 1", lambda d: d.update(warpmem_reference=2)),
            ("1: a reference needs the object 'units'", lambda d: d.pop("units")),
            ("1: a reference needs the object 'units'", lambda d: d.update(launches={})),
            ("1: 'notes' is a list of texts", lambda d: d.update(notes="x")),
            ("6: no metric 'x'; allowed:", lambda d: d["units"].update(x="B")),
            ("6: 'B' is no unit of cycles", lambda d: d["units"].update(cycles="B")),
            ("6: 'units' has a text for each", lambda d: d["units"].update(cycles=[])),
            ("12: a launch needs 'kernel'", lambda d: d["launches"][0].pop("kernel")),
            ("12: a launch needs 'launch'", lambda d: d["launches"][0].update(launch="1")),
            ("12: launch '-1' is no number", lambda d: d["launches"][0].update(launch=-1)),
            ("16: 'units' has no unit", lambda d: d["launches"][0]["metrics"].update(ipc=1)),
            ("22: launch 1 of atax stands in line 12", lambda d: d["launches"].insert(1, first)),
            ("1: a launch is an object", lambda d: d["launches"].append(3)),
        ):
            self.wrong_json(f"r.json:{message}", change)
        self.wrong_json("r.json: no launch of a kernel in it", lambda d: d.update(launches=[]))
        for value in ("2.5", True, None, -1, float("inf")):
            message = f"r.json:16: cycles '{value}' is no number from 0"
            self.wrong_json(message, lambda d: d["launches"][0]["metrics"].update(cycles=value))
        text = json.dumps(DOCUMENT, indent=1)
        error = self.error(self.file("r.json", text[:200]), "run")
        self.assertRegex(error, r"^r\.json:\d+: not JSON: ")
        twice = text.replace('"cycles": 2.5', '"cycles": 2.5, "cycles": 3')
        error = self.error(self.file("r.json", twice), "run")
        self.assertEqual(error, "r.json:16: 'cycles' stands in this object twice")
        deep = '{"warpmem_reference": 1, "notes": ' + "[" * 100000
        self.assertIn("nested too deeply", self.error(self.file("r.json", deep), "run"))

    def test_unknown_files(self):
        self.assertIn("no.csv: no such file", self.error("no.csv", "run"))
        (self.folder / "bytes").write_bytes(b"ELF\n\xff\xfe")
        message = "bytes:2: no text in UTF-8, and none of the kinds of reference: CSV that begins"
        self.assertIn(message, self.error("bytes", "run"))
        for text in ("", "a,b\n1,2\n", "{}", "# program,kernel,launch\n"):
            self.assertIn("none of the kinds", self.error(self.file("some", text), "run"))
        both = CSV + '"ID","Kernel Name"\n'
        self.assertIn("more than one of the kinds", self.error(self.file("both", both), "run"))


class UnitsTest(unittest.TestCase):
    def test_numbers(self):
        for text, value in (("12", 12), ("1,234,567.5", 1234567.5), (" 1e3 ", 1000), (".5", 0.5)):
            self.assertEqual(units.number(text), value)
        for text in ("", "1,23", "1.234,5", "12,3456", "1 000", "nan", "inf", "0x1", "1e99", "--1"):
            self.assertIsNone(units.number(text), text)

    def test_factors(self):
        for written, unit, factor in (("Kbyte", "B", 1000), ("KiB", "B", 1024), ("GB", "B", 1e9),
                                      ("msecond", "ns", 1e6), ("us", "ns", 1000), ("1", "%", 100),
                                      ("Minst", "instructions", 1e6)):  # fmt: skip
            self.assertEqual(units.factor(written, unit), factor)
        for written, unit in (("", "B"), ("KB/s", "B"), ("k%", "%"), ("Mns", "ns"),
                              ("sectors", "requests"), ("Kicycles", "cycles")):  # fmt: skip
            self.assertIsNone(units.factor(written, unit), written)


if __name__ == "__main__":
    unittest.main()
