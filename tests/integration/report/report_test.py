#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The report from small hand-written runs: well-formed, self-contained, with the right numbers."""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
TOOL = ROOT / "tools" / "report" / "report.py"
DATA = ROOT / "tests" / "data" / "report"
VOID = {"meta", "br", "img", "link", "input", "hr"}


class Checker(html.parser.HTMLParser):
    """Collects text, ids and references; fails on a tag that is not closed in order."""

    def __init__(self):
        super().__init__()
        self.open, self.text, self.ids, self.links, self.sources = [], [], set(), [], []

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                assert value not in self.ids, f"id {value} twice"
                self.ids.add(value)
            elif name == "href":
                self.links.append(value)
            elif name in ("src", "data", "srcset"):
                self.sources.append(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


class Report(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *arguments):
        return subprocess.run(
            [sys.executable, str(TOOL), *map(str, arguments), "-o", str(self.folder / "r.html")],
            capture_output=True,
            text=True,
        )

    def page(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return (self.folder / "r.html").read_text()

    def parsed(self, page):
        checker = Checker()
        checker.feed(page)
        checker.close()
        self.assertEqual(checker.open, [])
        return checker, re.sub(r"\s+", " ", " ".join(checker.text))

    def error(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertFalse((self.folder / "r.html").exists())
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, result.stderr)
        return lines[0]

    def two_runs(self):
        return self.page(DATA / "conventional", DATA / "linked", "--synth", DATA / "unit.json")

    def test_page_is_well_formed_and_self_contained(self):
        page = self.two_runs()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        checker, _ = self.parsed(page)
        self.assertEqual(checker.sources, [])
        for link in checker.links:
            self.assertIn(link.removeprefix("#"), checker.ids)
        self.assertNotRegex(page, r"https?://|url\(|@import|<script[^>]|<link")
        self.assertNotIn("Undefined", page)

    def test_numbers_are_there(self):
        _, text = self.parsed(self.two_runs())
        self.assertNotIn("– cycles", text)  # the total is no cause
        for expected in (
            "Other stalls, cycles",
            "2,000",
            "1,600",
            "−20.0 %",  # cycles and their change
            "1.250×",  # speed-up
            "25.0 %",  # hit rate, from hits and accesses
            "1,000",
            "−90.0 %",  # reservation fails of all causes
            "308.50",  # mean load latency, from the histogram
            "40.00",  # IPC of the second run
            "linked is 1.250× as fast (+25.0 %) and spends 90.0 % fewer cycles in L1D",
            "atax.cu 64",
            "2 streaming multiprocessors at 1000 MHz",
            "tiny BITS=4",
            "demo_library, 1.80 V",
            "4000 MHz",
            "data_q[0] → q_o[0]",
            "0.68 µW",
            "warpmem run --set l1d.mshr.kind=dl workloads/atax.cu -- 64",
        ):
            self.assertIn(expected, text)

    def test_charts_carry_the_values(self):
        page = self.two_runs()
        self.assertIn("entry_full: 800", page)  # tooltips
        self.assertIn("crossbar: 20.5 ns", page)
        self.assertIn("linked, 0–1,024", page)
        self.assertIn("all slots: 512", page)  # 2 SMs of 32 × 8
        _, text = self.parsed(page)
        self.assertIn("time, SM cycles", text)
        self.assertIn("no MSHR entry free", text)
        self.assertIn("L1D to L2", text)  # the stage's own description

    def test_stages_of_translation_stand_on_the_way_to_l1d(self):
        run = self.folder / "paged"
        shutil.copytree(DATA / "linked", run)
        stats = json.loads((run / "stats.json").read_text())
        for i, stage in enumerate(("transfer", "fault", "walk", "tlb")):  # in any order
            stats["total"]["stats"][f"sm.latency.{stage}_ns"] = 100.5 + i
        (run / "stats.json").write_text(json.dumps(stats))
        page = self.page(DATA / "conventional", run)
        for tooltip in ("TLB: 103.5 ns", "walk: 102.5 ns", "fault: 101.5 ns", "transfer: 100.5 ns"):
            self.assertIn(tooltip, page)
        _, text = self.parsed(page)
        legend = text[text.index("Where a load request spends its time") :]
        places = [legend.index(name) for name in ("TLB", "walk", "fault", "transfer", "crossbar")]
        self.assertEqual(places, sorted(places))

    def test_every_chart_has_title_axis_and_sentence(self):
        page = self.two_runs()
        figures = re.findall(r"<figure>.*?</figure>", page, re.S)
        self.assertGreaterEqual(len(figures), 6)
        for figure in figures:
            self.assertRegex(figure, r"<figcaption>\S")
            self.assertRegex(figure, r'<p class="note">\S')
            if "<svg" in figure:
                self.assertIn('class="axis"', figure)
                self.assertIn("aria-label=", figure)

    def test_unified_memory_is_drawn_for_runs_that_have_it(self):
        self.assertNotIn('id="paging"', self.two_runs())
        run = self.folder / "paged"
        shutil.copytree(DATA / "linked", run)
        stats = json.loads((run / "stats.json").read_text())
        stats["total"]["stats"]["uvm.faults"] = 3
        stats["total"]["stats"]["uvm.faults_merged"] = 1
        for stage, cycles in (("queue", 400), ("host", 8000), ("room", 0), ("link", 1200)):
            stats["total"]["stats"][f"uvm.fault.{stage}_cycles"] = cycles
        series = stats["total"]["series"]

        def add(name, points, interval=1024):
            series[name] = {"interval": interval, "points": points, "clock": "sm"}

        for band in range(64):
            add(f"uvm.map.uses.{band:02}", [band, 0, 7])
            add(f"uvm.map.thrash.{band:02}", [0, 5] if band == 9 else [])
        add("uvm.faults_over_time", [2, 1])
        add("uvm.pages_in_over_time", [32, 16, 0, 0], 512)
        add("uvm.pages_out_over_time", [])
        add("uvm.pcie.in.busy", [1024, 0])
        add("uvm.pcie.out.busy", [])
        (run / "stats.json").write_text(json.dumps(stats))
        page = self.page(DATA / "conventional", run)
        _, text = self.parsed(page)
        self.assertIn('id="paging"', page)
        self.assertEqual(text.count("What a page fault waits for"), 1)
        for part, cycles in (("for the host", 100), ("handling", "2,000"), ("link", 300)):
            self.assertIn(f"<title>paged\n{part}: {cycles}</title>", page)
        self.assertNotIn("<title>paged\nfor a frame", page)
        self.assertIn("band 64 of 64, cycle 0: 63 requests", page)
        self.assertEqual(page.count("band 10 of 64, cycle 1,024: 5 pages"), 1)
        self.assertIn("paged: faults and migrations over time", text)
        self.assertIn("paged, to the device", text)
        self.assertNotIn("paged, to the host", text)
        self.assertNotIn("share the axes and the scale", text)

        # A run that takes twice as long, with half as many uses, is drawn on the same axes.
        places, depths = [], []
        for name, cycles, factor in (("one", 3000, 2), ("two", 6000, 1)):
            stats["total"]["stats"]["gpu.cycles"] = cycles
            for band in range(64):
                series[f"uvm.map.uses.{band:02}"]["points"] = [factor * band, 0, factor * 7]
            shutil.copytree(run, self.folder / name)
            (self.folder / name / "stats.json").write_text(json.dumps(stats))
        page = self.page(self.folder / "one", self.folder / "two")
        self.assertIn("All runs share the axes and the scale of the colour.", page)
        for count in (14, 7):
            place, depth = re.search(rf'<rect x="([\d.]+)"[^>]*fill-opacity:([\d.]+)"><title>'
                                     rf"band 9 of 64, cycle 2,048: {count} requests", page).groups()
            places.append(place)
            depths.append(float(depth) - 0.12)
        self.assertEqual(places[0], places[1])
        self.assertAlmostEqual(depths[0] / depths[1], 2**0.5, delta=0.1)

    def test_differences_of_the_configurations_are_marked(self):
        page = self.two_runs()
        self.assertRegex(page, r'class="differs"><td><code>l1d\.mshr\.kind')
        self.assertEqual(page.count('class="differs"'), 1)

    def test_names_are_escaped(self):
        page = self.two_runs()
        self.assertIn("kernel&lt;1&gt; &amp; more", page)
        page = self.page(DATA / "linked", "--title", "<b>x</b>")
        self.assertIn("&lt;b&gt;x&lt;/b&gt;", page)

    def test_missing_statistics_are_named(self):
        checker, text = self.parsed(self.page(DATA / "minimal"))
        for sentence in (
            "these runs have no statistic l1d.reservation_fails.*",
            "these runs have no series l1d.mshr.occupancy",
            "these runs have no statistic sm.latency.*_ns",
            "No kernel was launched",
            "left no config.yaml",
            "No manifest.json in",
        ):
            self.assertIn(sentence, text)
        self.assertNotIn("area", checker.ids)

    def test_identical_runs_are_said_to_be(self):
        copy = self.folder / "copy"
        shutil.copytree(DATA / "linked", copy)
        _, text = self.parsed(self.page(DATA / "conventional", DATA / "linked", copy))
        self.assertIn("linked and copy gave identical statistics", text)

    def test_runs_of_the_same_name_are_told_apart(self):
        copy = self.folder / "other" / "linked"
        shutil.copytree(DATA / "linked", copy)
        _, text = self.parsed(self.page(DATA / "linked", copy))
        self.assertIn("report/linked", text)
        self.assertIn("other/linked", text)

    def changed(self, name, **manifest):
        """Makes a copy of `linked` whose manifest says something else."""
        copy = self.folder / name
        shutil.copytree(DATA / "linked", copy)
        file = copy / "manifest.json"
        file.write_text(json.dumps({**json.loads(file.read_text()), **manifest}))
        return copy

    def test_runs_of_different_work_are_not_divided(self):
        whole = {"kernels": "", "ctas": "8"}
        for name, reason, manifest in (
            ("program", "another program", {"program_hash": "f" * 64}),
            ("size", "other arguments", {"command": "warpmem run workloads/atax.cu -- 128"}),
            ("listed", "other arguments", {"arguments": ["128"]}),
            ("part", "another choice of --ctas", {"fast_forward": whole}),
            ("stopped", "stopped did not complete", {"status": "deadlock"}),
            ("unknown", "unknown does not record what ran", {"program_hash": ""}),
        ):
            page = self.page(DATA / "conventional", self.changed(name, **manifest))
            _, text = self.parsed(page)
            self.assertIn(f"did different work than conventional: {reason}.", text)
            self.assertIn("different work", text)
            for ratio in ("1.250×", "−20.0 %", "−90.0 %", "as fast"):
                self.assertNotIn(ratio, text, name)
            self.assertIn("1,600", text)  # the values themselves are there
        same = self.changed("same", arguments=["64"], command="./other")
        _, text = self.parsed(self.page(DATA / "conventional", same))
        self.assertIn("1.250×", text)

    def test_a_run_that_nothing_refused_has_an_empty_panel(self):
        other = self.folder / "unhindered"
        shutil.copytree(DATA / "conventional", other)
        stats = json.loads((other / "stats.json").read_text())
        for series in stats["total"]["series"].values():
            series["points"] = [0] * len(series["points"])
        (other / "stats.json").write_text(json.dumps(stats))
        _, text = self.parsed(self.page(DATA / "conventional", other))
        self.assertIn("unhindered", text)

    def test_the_time_axis_ends_with_the_longest_run(self):
        ends = {}
        for name, cycles in (("short", 2500), ("long", 40000)):
            run = self.changed(name)
            stats = json.loads((run / "stats.json").read_text())
            stats["total"]["stats"]["gpu.cycles"] = cycles
            for series in stats["total"]["series"].values():
                series.update(interval=1024, points=[1024, 512, 256])  # zeros behind are not stored
            (run / "stats.json").write_text(json.dumps(stats))
            ends[name] = run
        page = self.page(ends["short"], ends["long"])
        for figure in re.findall(r"<figure>.*?over time.*?</figure>", page, re.S):
            if "<svg" in figure:
                self.assertIn(">40k<", figure)  # the last tick
        self.assertIn("short, 2,048–2,500", page)
        self.assertIn("long, 38,912–39,936", page)
        self.assertIn("long, 39,936–40,000", page)
        # The last interval of the short run has 452 cycles.
        self.assertIn("entry_full: 0.5664", page)

    def test_other_clocks_are_converted(self):
        run = self.changed("clocks")
        (run / "config.yaml").write_text("sm:\n  clock: 1000 MHz\nl2:\n  clock: 500 MHz\n")
        stats = json.loads((run / "stats.json").read_text())
        stats["total"]["stats"]["gpu.cycles"] = 40000
        stats["total"]["series"]["l2.mshr.occupancy"] = {
            "interval": 1024,
            "points": [1024],
            "clock": "l2",
        }
        (run / "stats.json").write_text(json.dumps(stats))
        page = self.page(run)
        chart = re.search(r'aria-label="L2: MSHR slots in use over time">.*?</svg>', page, re.S)
        self.assertIn("time, L2 cycles", chart[0])
        self.assertIn(">20k<", chart[0])
        self.assertNotIn(">30k<", chart[0])

    def test_the_page_never_replaces_what_is_no_file(self):
        page = self.folder / "r.html"
        target = self.folder / "target.html"
        page.symlink_to(target)
        self.page(DATA / "minimal")
        self.assertTrue(page.is_symlink())
        self.assertIn("<!DOCTYPE html>", target.read_text())
        page.unlink()
        page.symlink_to("/dev/full")
        result = self.call(DATA / "minimal")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(
            result.stderr, f"warpmem: error: {page}: cannot be written: No space left on device\n"
        )
        self.assertTrue(pathlib.Path("/dev/full").is_char_device())
        page.unlink()
        page.write_text("old")
        self.call(self.folder / "nowhere")
        self.assertEqual(page.read_text(), "old")
        self.assertEqual([p.name for p in self.folder.glob(".*")], [])

    def test_names_of_any_bytes(self):
        copy = os.fsencode(self.folder) + b"/odd \xff<\"'\n"
        shutil.copytree(os.fsencode(DATA / "linked"), copy)
        page = self.page(DATA / "conventional", os.fsdecode(copy), "--title", os.fsdecode(b"\xfe"))
        self.parsed(page)
        self.assertIn("odd \\xff&lt;", page)
        self.assertIn("\\xfe", page)

    def test_incomplete_run_is_announced(self):
        copy = self.folder / "stuck"
        shutil.copytree(DATA / "linked", copy)
        manifest = copy / "manifest.json"
        manifest.write_text(manifest.read_text().replace('"complete"', '"deadlock at cycle 5"'))
        _, text = self.parsed(self.page(copy))
        self.assertIn("stuck did not complete: deadlock at cycle 5", text)

    def test_wrong_input_gives_one_message(self):
        self.assertIn("nowhere: not a run directory", self.error(self.folder / "nowhere"))
        bad = self.folder / "bad"
        bad.mkdir()
        self.assertIn("stats.json: no such file", self.error(bad))
        stats = bad / "stats.json"
        for text, message in (
            ('{\n "total": \n', "stats.json:3: not JSON"),
            ("[]", "an object is expected"),
            ('{"total": {"stats": {"a": 1e999}}}', "1e999 is no finite number"),
            ('{"total": {"stats": {"a": NaN}}}', "NaN is no finite number"),
            ("[" * 100000, "recursion"),
            ("{}", "no statistics of warpmem"),
            ('{"total": {"stats": {"a": "x"}}}', "statistic 'a' is not a number"),
            ('{"total": {"stats": {}, "series": {"s": {"points": [1]}}}}', "series 's' needs"),
            ('{"total": {"stats": {}}, "kernels": [1]}', "a kernel without 'stats'"),
            ("\xff", "not JSON"),
        ):
            stats.write_text(text)
            self.assertIn(message, self.error(bad), text)
        stats.write_bytes(b"\xff\xfe")
        self.assertIn("cannot be read", self.error(bad))
        self.assertIn("given twice", self.error(DATA / "linked", DATA / "linked"))
        self.assertIn(
            "no 'unit'", self.error(DATA / "linked", "--synth", DATA / "minimal" / "stats.json")
        )


if __name__ == "__main__":
    unittest.main()
