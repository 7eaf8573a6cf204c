#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the page shows of instructions, instances and series, from documents made here."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parents[3] / "tools" / "report"
sys.path.insert(0, str(TOOL))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import content  # noqa: E402
import heat  # noqa: E402
import life  # noqa: E402
import load  # noqa: E402
import over_time  # noqa: E402
import translation_over_time  # noqa: E402
import report  # noqa: E402
from answer_test import Runs, launch  # noqa: E402

PTX = """//
.version 6.4
.target sm_60
.visible .entry _Z1kPf(
{
\t.file\t1 "SOURCE"
\t.loc\t1 2 5
\tld.global.f32 \t%f1, [%rd1];
\t.loc\t1 3 5
\t@%p1 st.global.f32 \t[%rd2], %f1;
}
"""
SOURCE = "__global__ void k(float* a) {\n  float x = a[i] < b;\n  a[j] = x;\n}\n"


def instruction(pc, line, source_line, text, cycles, **more):
    level = {"hits": 30, "primary_misses": 8, "secondary_misses": 2, "bypasses": 0, "evictions": 4}
    one = {
        "pc": pc, "text": text, "op": "load", "space": "global", "lane_bytes": 4,
        "source_line": source_line, "line": line, "executions": 10, "lanes": 320, "requests": 40,
        "most_requests": 8, "bytes": 5120, "l1d": dict(level),
        "l2": {**level, "hits": 6, "primary_misses": 2, "secondary_misses": 0},
        "latency": {"samples": 10, "sum": cycles, "mean": cycles / 10, "max": cycles // 4,
                    "bounds": [32, 64], "counts": [7, 2, 1]},
        "slowest": {"sm": 1, "cta": 3, "warp": 2, "request": 0, "requests": 4, "address": 4096,
                    "bytes": 128, "issued_fs": 5_000_000, "fs": 300_000_000,
                    "parts": [{"name": "coalescer", "fs": 100_000_000},
                              {"name": "dram_service", "fs": 200_000_000}]},
    }
    one.update(more)
    return one


def instructions():
    return {"kernels": [{"name": "k(float*)", "launches": 1, "instructions": [
        instruction(8, 8, 2, "ld.global.f32", 3000),
        instruction(16, 10, 3, "st.global.f32", 1000)]}]}


def instances():
    def stats(index, accesses, hit_rate, *banks):
        found = {"accesses": accesses, "hit_rate": hit_rate, "reads": accesses}
        found.update({f"bank.{i:02}.accesses": value for i, value in enumerate(banks)})
        return {"index": index, "stats": found}

    return {"total": {"instances": {
        "l1d": [stats(0, 300, 0.5), stats(1, 100, 0.25), stats(2, 0, 0.0), stats(3, 0, 0.0)],
        "dram": [stats(0, 5, 0, 9, 1), stats(1, 5, 0, 1, 1)]}}}


def series(ipc, begins=((1, "a(int)"), (201, "b(int)"))):
    count = len(ipc)
    begin = [1 + 100 * i for i in range(count)]
    ends = [b - 1 for b, _ in begins[1:]] + [100 * count]
    return {
        "interval": 100, "clock": "sm", "hertz": 10**9,
        "begin": begin, "end": [b + 100 for b in begin], "launch": [1] * count,
        "kernels": [{"name": name, "launch": i + 1, "begin": b, "end": e}
                    for i, ((b, name), e) in enumerate(zip(begins, ends))],
        "series": {
            "gpu.ipc": {"kind": "ratio", "unit": "", "doc": "instructions a cycle", "points": ipc},
            "l1d.reservation_fails.cycles": {"kind": "counter", "unit": "cycles", "doc": "refused",
                                             "points": [50] * count},
        },
    }


class Inside(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.runs = Runs(self.folder / "runs")

    def tearDown(self):
        shutil.rmtree(self.folder)

    def program(self):
        """A program with the PTX of two units, and its source."""
        source = self.folder / "k.cu"
        source.write_text(SOURCE)
        os.utime(source, (1000, 1000))
        program = self.folder / "k"
        other = PTX.replace("ld.global", "ld.shared")
        program.write_bytes(b"\x7fELF\0" + other.encode() + b"\0host\0" +
                            PTX.replace("SOURCE", str(source)).encode() + b"\0end")
        return program

    def run_with(self, name, program=None, **documents):
        digest = hashlib.sha256(program.read_bytes()).hexdigest() if program else ""
        self.runs.add(name, launch(1000, issue=400))
        folder = self.folder / "runs" / name
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest.update({"program": str(program)} if program else {})
        manifest["program_hash"] = digest or manifest["program_hash"]
        (folder / "manifest.json").write_text(json.dumps(manifest))
        for file, document in documents.items():
            (folder / f"{file}.json").write_text(json.dumps(document))
        return folder

    def page(self):
        runs = load.read_runs(self.runs.runs)
        return report.render("page.html", content.page(runs, [], ""))


class Instructions(Inside):
    def test_each_stands_beside_its_source_and_ptx(self):
        self.run_with("a", self.program(), instructions=instructions())
        page = self.page()
        rows = re.findall(r"<tr><td><code>0x(\w+)</code>(.*?)</tr>", page, re.S)
        self.assertEqual([pc for pc, _ in rows], ["8", "10"])
        self.assertIn("<code>float x = a[i] &lt; b;</code>", rows[0][1])
        self.assertIn("k.cu:2", rows[0][1])
        self.assertIn("ld.global.f32 %f1, [%rd1];", rows[0][1])
        self.assertIn("@%p1 st.global.f32 [%rd2], %f1;", rows[1][1])
        for shown in ("3,000", "300.00", "most 750", "4.00", "75.0 %", "30 of 40", "6 of 8",
                      "5,120", "width:33.33%"):
            self.assertIn(shown, rows[0][1])
        self.assertIn("75.0 % of the cycles that memory instructions took went to line 2 of k: "
                      "<code>float x = a[i] &lt; b;</code>", page)
        self.assertNotIn("No source text", page)

    def test_a_program_that_changed_has_no_lines(self):
        program = self.program()
        self.run_with("a", program, instructions=instructions())
        program.write_bytes(program.read_bytes() + b"!")
        page = self.page()
        self.assertIn("No source text for a: k has changed since it ran.", page)
        self.assertNotIn("float x", page)
        self.assertIn("line 2", page)

    def test_a_source_that_changed_has_no_text(self):
        program = self.program()
        self.run_with("a", program, instructions=instructions())
        os.utime(self.folder / "k.cu", (2**32, 2**32))
        page = self.page()
        self.assertNotIn("float x", page)
        self.assertIn("ld.global.f32 %f1, [%rd1];", page)
        self.assertEqual(page.count("No source text for a: k.cu is newer than k."), 1)

    def test_a_source_that_is_gone_has_no_text(self):
        self.run_with("a", self.program(), instructions=instructions())
        (self.folder / "k.cu").unlink()
        self.assertIn("No source text for a: k.cu cannot be read.", self.page())

    def test_a_program_without_ptx_has_no_lines(self):
        program = self.folder / "k"
        program.write_bytes(b"\x7fELF\0host\0")
        self.run_with("a", program, instructions=instructions())
        self.assertIn("No source text for a: k holds no PTX.", self.page())

    def test_lines_of_other_ptx_are_not_shown(self):
        document = instructions()
        document["kernels"][0]["instructions"][0]["line"] = 7
        self.run_with("a", self.program(), instructions=document)
        page = self.page()
        self.assertNotIn("%rd1", page)
        self.assertIn("No source text for a: the PTX of k has kernel k at other lines.", page)

    def test_a_trace_goes_by_pc(self):
        document = instructions()
        for one in document["kernels"][0]["instructions"]:
            one.update(source_line=0, text="LDG.E")
        trace = self.folder / "k.wmtrace"
        trace.write_text("trace")
        self.run_with("a", trace, instructions=document)
        page = self.page()
        self.assertIn("went to PC 0x8 of k: <code>LDG.E</code>", page)
        self.assertIn("k.wmtrace is a trace", page)

    def test_runs_side_by_side(self):
        for name in ("a", "b"):
            self.run_with(name, self.program(), instructions=instructions())
        page = self.page()
        self.assertEqual(re.findall(r"</td><td>([ab])</td>", page), ["a", "b", "a", "b"])

    def test_without_documents_there_is_nothing(self):
        self.run_with("a")
        for anchor in ("instructions", "instances", "over-time"):
            self.assertNotIn(f'id="{anchor}"', self.page())

    def test_damaged_documents_are_refused(self):
        for damage, text in (
            (lambda one: one.pop("executions"), "instruction 1: 'executions' is not a number"),
            (lambda one: one["l1d"].update(hits="x"), "l1d: 'hits' is not a number"),
            (lambda one: one["latency"]["counts"].pop(), "one more of counts than of bounds"),
            (lambda one: one["slowest"].pop("parts"), "slowest: 'parts' is not a list"),
        ):
            document = instructions()
            damage(document["kernels"][0]["instructions"][0])
            folder = self.run_with("a", instructions=document)
            with self.assertRaisesRegex(load.ReportError, f"instructions.json: .*{text}"):
                self.page()
            shutil.rmtree(folder)
            self.runs.runs.clear()


class Life(Inside):
    def test_the_stages_follow_each_other(self):
        self.run_with("a", instructions=instructions())
        one = life.lives(load.read_runs(self.runs.runs))[0]
        self.assertIn("slowest request of ld.global.f32, line 2 of k", one["title"])
        self.assertIn("SM 1, block 3, warp 2, request 1 of 4, address 0x1000", one["note"])
        boxes = [tuple(map(float, box)) for box in re.findall(
            r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', one["svg"])]
        self.assertEqual(len(boxes), 2)
        self.assertAlmostEqual(boxes[0][0] + boxes[0][1], boxes[1][0], delta=0.2)
        self.assertAlmostEqual(2 * boxes[0][1], boxes[1][1], delta=0.2)

    def test_two_runs_share_the_axis(self):
        document = instructions()
        for one in document["kernels"][0]["instructions"]:
            one["slowest"]["fs"] //= 2
            for part in one["slowest"]["parts"]:
                part["fs"] //= 2
        self.run_with("a", instructions=instructions())
        self.run_with("b", instructions=document)
        both = life.lives(load.read_runs(self.runs.runs))
        wide = [float(re.findall(r'<rect x="[\d.]+" y="\d+" width="([\d.]+)"', one["svg"])[1])
                for one in both]
        self.assertAlmostEqual(wide[0], 2 * wide[1], delta=0.2)


class Balance(Inside):
    def charts(self):
        self.run_with("a", instances=instances())
        return {chart["title"]: chart for chart in heat.heat_maps(load.read_runs(self.runs.runs))}

    def test_shades_and_imbalance(self):
        svg = self.charts()["L1Ds side by side"]["svg"]
        self.assertIn("most 3.00× the mean", svg)
        self.assertIn("25.0 % to 50.0 %", svg)  # those without an access have no rate
        shades = re.findall(r"fill-opacity:([\d.]+)", svg)
        self.assertEqual(shades[:4], ["1.000", "0.333", "0.000", "0.000"])

    def test_banks(self):
        chart = self.charts()["a: column commands of each DRAM bank"]
        self.assertIn("The busiest bank has 3.00× the mean", chart["note"])
        self.assertIn("a, channel 0, bank 0: 9", chart["svg"])

    def test_a_unit_of_which_there_is_one_has_no_map(self):
        self.assertNotIn("SMs side by side", self.charts())


class OverTime(Inside):
    def charts(self, **more):
        for name, document in more.items():
            self.run_with(name, series=document)
        return over_time.lines(load.read_runs(self.runs.runs))

    def test_runs_over_each_other_with_their_launches(self):
        found = self.charts(a=series([1, 2, None, 4]), b=series([4, 3, 2, 1]))
        titles = [chart["title"] for chart in found]
        self.assertEqual(titles, [
            "IPC", "IPC in the longest launch of a, from its begin",
            "IPC in the longest launch of b, from its begin",
            "L1Ds that refuse their head request"])
        self.assertEqual(found[0]["svg"].count('class="mark"'), 4)
        self.assertEqual([entry["name"] for entry in found[0]["legend"]], ["a", "b"])
        paths = re.findall(r'<path d="([^"]*)" class="line', found[0]["svg"])
        self.assertEqual([path.count("M") for path in paths], [2, 1])  # a null is a gap

    def test_counters_are_drawn_a_cycle(self):
        document = series([1, 2])
        curve = over_time.Curve(document, "l1d.reservation_fails.cycles", 1)
        self.assertEqual(curve.steps, [(0, 100, 0.5), (100, 200, 0.5)])

    def test_intervals_are_put_together(self):
        document = series([1, 3] * over_time.MOST_STEPS)
        curve = over_time.Curve(document, "gpu.ipc", 1)
        self.assertEqual(len(curve.steps), over_time.MOST_STEPS)
        self.assertEqual({value for *_, value in curve.steps}, {2})
        self.assertIn("A step is the mean of 2 intervals.", self.charts(a=document)[0]["note"])

    def test_a_launch_alone(self):
        document = series([1, 2, 3, 4])
        keep = over_time.longest(document, "b(int)")
        steps = over_time.Curve(document, "gpu.ipc", 1, keep).steps
        self.assertEqual(steps, [(0, 100, 3), (100, 200, 4)])


def translated(loads, **stages):
    """Series in which the stages of translation take so many ns a load."""
    document = series([1] * len(loads))
    one = {"kind": "counter", "unit": "requests", "doc": "answered", "points": loads}
    document["series"]["sm.load.requests"] = one
    for name, points in stages.items():
        document["series"][f"sm.latency.{name}_ns"] = {
            "kind": "ratio", "unit": "", "doc": f"mean time: in {name}", "points": points}
    return document


class TranslationOverTime(Inside):
    def charts(self, **more):
        for name, document in more.items():
            self.run_with(name, series=document)
        return translation_over_time.chart(load.read_runs(self.runs.runs))

    def bars(self, svg):
        """(x, y, width, height, colour) of what is filled."""
        found = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" '
                           r'style="fill:var\(([^)]+)\)"/>', svg)
        return [(*map(float, one[:4]), one[4]) for one in found]

    def test_stages_stand_on_each_other(self):
        document = translated([10, 0, 4], tlb=[20, None, 40], fault=[60, None, 0])
        [chart] = self.charts(a=document)
        self.assertEqual([entry["name"] for entry in chart["legend"]], ["TLB", "fault"])
        self.assertEqual(chart["legend"][1]["doc"], "in fault")
        tlb, fault, later = self.bars(chart["svg"])  # nothing where no load was answered
        self.assertEqual((tlb[4], fault[4], later[4]),
                         ("--s-translation", "--s-drain", "--s-translation"))
        self.assertAlmostEqual(fault[3], 3 * tlb[3], delta=0.2)
        self.assertAlmostEqual(later[3], 2 * tlb[3], delta=0.2)
        self.assertAlmostEqual(fault[1] + fault[3], tlb[1], delta=0.2)
        self.assertAlmostEqual(later[0], tlb[0] + 2 * tlb[2], delta=0.2)
        self.assertIn("a, 0–100\nTLB: 20.0 ns\nfault: 60.0 ns", chart["svg"])
        self.assertIn("a, 100–200\nnone", chart["svg"])

    def test_a_step_is_a_mean_over_its_loads(self):
        document = translated([9, 1] * over_time.MOST_STEPS, walk=[10, 20] * over_time.MOST_STEPS)
        [run] = load.read_runs([self.run_with("a", series=document)])
        stack = translation_over_time.Stack(run)
        self.assertEqual(len(stack.steps), over_time.MOST_STEPS)
        self.assertEqual({means["walk"] for *_, means in stack.steps}, {11})
        self.assertEqual(stack.end(), 200 * over_time.MOST_STEPS)

    def test_runs_share_the_axes(self):
        [chart] = self.charts(a=translated([1], tlb=[50]), b=translated([1, 1], tlb=[100, 0]))
        one, other = self.bars(chart["svg"])
        self.assertAlmostEqual(other[3], 2 * one[3], delta=0.2)
        self.assertAlmostEqual(other[2], one[2], delta=0.2)

    def test_without_unified_memory_there_is_none(self):
        self.assertEqual(self.charts(a=series([1, 2])), [])


if __name__ == "__main__":
    unittest.main()
