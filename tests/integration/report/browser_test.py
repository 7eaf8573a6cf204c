#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The pages in a browser (tools/browser-packages.txt): nothing sticks out at the width of a phone,
of a desk and of paper, the first screen has the answer, tables sort and sieve.

usage: browser_test.py [PICTURES]

With PICTURES the pages are also written there as PNG files. Ends with status 77 where there is no
browser.
"""
import html
import json
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "tools" / "report"))
sys.path.insert(0, str(HERE))

import content  # noqa: E402
import knees  # noqa: E402
import load  # noqa: E402
import report  # noqa: E402
import sweep_load  # noqa: E402
import sweep_page  # noqa: E402
import inside_test  # noqa: E402
import sweep_test  # noqa: E402
from answer_test import Runs, launch  # noqa: E402

BROWSER = shutil.which("chromium")
PHONE, DESK, PAPER = 390, 1400, 718  # CSS pixels; paper is A4 without margins
SCREEN = {PHONE: 844, DESK: 900}

# Runs in each page. What may scroll by itself is left out of what sticks out.
MEASURE = """
addEventListener("load", () => {
  document.querySelectorAll("details").forEach((e) => (e.open = true));
  const scrolls = (e) => e.closest(".scroll, .pinned") !== null;
  const wide = innerWidth;
  const out = [...document.querySelectorAll("body *")].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.width > 0 && box.right > wide + 1 && (!scrolls(e) || e.matches(".scroll, .pinned"));
  });
  const cut = [...document.querySelectorAll("svg text")].filter((e) => {
    const box = e.getBoundingClientRect(), all = e.closest("svg").getBoundingClientRect();
    return box.width > 0 && (box.left < all.left - 2 || box.right > all.right + 2);
  });
  const bottom = (q) => document.querySelector(q)?.getBoundingClientRect().bottom ?? 0;
  const found = {
    wide: document.documentElement.scrollWidth - wide,
    out: out.slice(0, 5).map((e) => `${e.tagName}.${e.className} ${e.textContent.slice(0, 40)}`),
    cut: cut.slice(0, 5).map((e) => e.textContent),
    verdict: bottom(".verdict"), warning: bottom(".warning"), stacks: bottom("#answer .stacks"),
    answer: bottom("#answer"),
  };
  const marks = [...document.querySelectorAll("svg title")].map((e) => e.parentElement)
    .filter((e) => {
      const box = e.getBoundingClientRect();
      return !e.matches("path, line, text") && box.width >= 2 && box.height >= 2;
    });
  const few = marks.filter((_, i) => i % Math.ceil(marks.length / 100) === 0);
  const mute = few.filter((e) => {
    e.scrollIntoView({block: "center", inline: "center", behavior: "instant"});
    const box = e.getBoundingClientRect();
    const at = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return !at?.closest("svg :has(> title)");
  });
  found.marks = few.length;
  found.mute = mute.slice(0, 5).map((e) => `${e.tagName} ${e.textContent.trim().slice(0, 60)}`);
  scrollTo({top: 0, behavior: "instant"});
  const table = document.querySelector("table.sortable");
  if (table) {
    const column = () => [...table.tBodies[0].rows].filter((r) => !r.hidden)
      .map((r) => r.cells[1]?.firstChild?.textContent.trim());
    const head = table.tHead.rows[0].cells[1];
    found.before = column();
    head.click();
    found.descending = column();
    head.click();
    found.ascending = column();
    head.click();
    found.after = column();
    const sieve = table.closest(".pinned").previousElementSibling;
    sieve.value = document.title.startsWith("Sweep") ? "SRA" : "hit RATE";
    sieve.dispatchEvent(new Event("input"));
    found.sieved = [...table.tBodies[0].rows].filter((r) => r.offsetHeight > 0)
      .map((r) => r.cells[0].firstChild.textContent.trim());
    table.closest(".pinned").scrollTop = 200;
    found.head = head.getBoundingClientRect().top
      - table.closest(".pinned").getBoundingClientRect().top;
  }
  const plots = document.querySelector(".sieved-by-name");
  if (plots) {
    plots.previousElementSibling.value = "BFS mean";
    plots.previousElementSibling.dispatchEvent(new Event("input"));
    found.plots = [...plots.children].filter((e) => e.offsetHeight > 0).map((e) => e.dataset.name);
  }
  parent.document.getElementById(frameElement.id + "-found").textContent = JSON.stringify(found);
});
"""


def chromium(*arguments):
    return subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", *arguments],
        capture_output=True,
        text=True,
        timeout=250,
        check=True,
    ).stdout


class Browser(unittest.TestCase):
    """One start of the browser for all pages and widths: it takes most of the time."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.pages = {name: page for name, page in pages(cls.folder)}
        frames = []
        for name, page in cls.pages.items():
            for width in (PHONE, DESK, PAPER):
                text = page.replace("</head>", f"<script>{MEASURE}</script></head>")
                if width == PAPER:
                    text = text.replace("@media print", "@media all")
                place = f"{name}-{width}"
                frames.append(
                    f'<iframe id="{place}" width="{width}" height="{SCREEN.get(width, 1000)}" '
                    f'style="border:0" srcdoc="{html.escape(text)}"></iframe>'
                    f'<pre id="{place}-found"></pre>'
                )
        file = cls.folder / "frames.html"
        file.write_text('<!DOCTYPE html><meta charset="utf-8"/>' + "".join(frames))
        dom = chromium("--virtual-time-budget=20000", "--dump-dom", f"file://{file}")
        cls.found = {
            place: json.loads(html.unescape(text))
            for place, text in re.findall(r'<pre id="([^"]*)-found">([^<]*)</pre>', dom)
            if text
        }

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def each(self, check):
        for name in self.pages:
            for width in (PHONE, DESK, PAPER):
                place = f"{name}-{width}"
                with self.subTest(place):
                    self.assertIn(place, self.found, "the page's script did not end")
                    check(name, width, self.found[place])

    def test_nothing_sticks_out(self):
        def check(_name, _width, found):
            self.assertEqual(found["out"], [])
            self.assertLessEqual(found["wide"], 0)

        self.each(check)

    def test_labels_fit_their_charts(self):
        self.each(lambda _name, _width, found: self.assertEqual(found["cut"], []))

    def test_the_first_screen_answers(self):
        def check(_name, width, found):
            if width == PAPER:
                return
            height = SCREEN[width]
            self.assertLess(found["verdict"], height / 2)
            self.assertLess(found["warning"], height)
            self.assertLess(found["stacks"], height)
            if width == DESK:
                self.assertLess(found["answer"], height)

        self.each(check)

    def test_tables_sort(self):
        self.check_sorted(self.found[f"two-{DESK}"], 5)

    def test_tables_of_sweeps_sort_and_sieve(self):
        found = self.found[f"sweep-{DESK}"]
        self.check_sorted(found, 4)
        self.assertEqual(found["sieved"], ["srad"])
        self.assertEqual(found["plots"], ["geomean", "bfs"])

    def check_sorted(self, found, more_than):

        def number(text):
            plain = re.sub(r"[,\s%×]", "", text).replace("−", "-")
            return float(plain) if plain not in ("", "–") else None

        shown = [text for text in found["descending"] if text]
        values = [number(text) for text in shown if number(text) is not None]
        self.assertGreater(len(values), more_than)
        self.assertEqual(values, sorted(values, reverse=True))
        ascending = [number(t) for t in found["ascending"] if t and number(t) is not None]
        self.assertEqual(ascending, sorted(values))
        self.assertEqual(found["after"], found["before"])

    def test_tables_sieve(self):
        self.assertEqual(self.found[f"two-{DESK}"]["sieved"], ["Hit rate", "Hit rate"])

    def test_marks_tell_their_values_under_the_pointer(self):
        def check(_name, width, found):
            if width == PAPER:
                return
            self.assertGreater(found["marks"], 3)
            self.assertEqual(found["mute"], [])

        self.each(check)

    def test_headings_stay(self):
        self.assertLess(abs(self.found[f"two-{DESK}"]["head"]), 2)


def observed(folder):
    """What --per-pc, --per-instance and --series add."""
    for file, document in (
        ("instructions", inside_test.instructions()),
        ("instances", inside_test.instances()),
        ("series", inside_test.series([1, 2, None, 4])),
    ):
        (folder / f"{file}.json").write_text(json.dumps(document))


def paged(folder, factor):
    """What a run with unified memory has beside the others."""
    stats = json.loads((folder / "stats.json").read_text())
    stats["total"]["stats"].update({
        "uvm.faults": 30, "uvm.faults_merged": 10, "uvm.fault.queue_cycles": 4000 * factor,
        "uvm.fault.host_cycles": 80000, "uvm.fault.room_cycles": 9000,
        "uvm.fault.link_cycles": 12000,
    })
    series = stats["total"].setdefault("series", {})
    names = {"uvm.faults_over_time": [4, 2], "uvm.pages_in_over_time": [9, 3],
             "uvm.pages_out_over_time": [0, 2], "uvm.pcie.in.busy": [900, 40],
             "uvm.pcie.out.busy": [0, 200]}
    for band in range(64):
        names[f"uvm.map.uses.{band:02}"] = [factor * band, 0, 7]
        names[f"uvm.map.thrash.{band:02}"] = [0, 5] if band % 9 == 0 else []
    for name, points in names.items():
        series[name] = {"interval": 4096, "points": points, "clock": "sm"}
    (folder / "stats.json").write_text(json.dumps(stats))


def pages(folder):
    """(name, page): the cases of the first screen."""
    long = "a_run_with_a_name_that_is_much_longer_than_its_column_of_the_page"
    more = {
        "l1d.accesses": 1000, "l1d.hits": 250, "l2.accesses": 700, "l2.hits": 300,
        "l1d.reservation_fails.entry_full.cycles": 900, "sm.warp_inst": 5000,
        "l1d.reservation_fails.merge_full.cycles": 40, "dram.reads": 100, "dram.writes": 1,
        "l2.reservation_fails.assoc_full.cycles": 90, "sm.load.requests": 10,
        "gpu.thread_inst": 64000, "dram.data_bus_cycles": 3000,
    }
    cases = {
        "two": [("old", launch(20000, issue=8000, ctas=8, **more)),
                ("new", launch(10000, issue=8000, ctas=8, **more))],
        "idle": [("conventional", launch(30000, ctas=1, memory=15000, **more)),
                 (long, launch(29000, ctas=1, memory=20000, **more)),
                 ("third", launch(33000, ctas=1, memory=30000, **more))],
        "equal": [("a", launch(10000, **more)), ("b", launch(10000, **more))],
        "many": [(f"run-{i}", launch(20000 + 100 * i, ctas=8, **more)) for i in range(5)],
        "paged": [("tree", launch(20000, ctas=8, **more)), ("none", launch(30000, **more))],
        "one": [("only", launch(20000, issue=9000, barrier=2000, **more))],
    }
    for name, runs in cases.items():
        place = Runs(folder / name)
        for run, stats in runs:
            place.add(run, stats)
            if name == "two":
                observed(place.folder / run)
            if name == "paged":
                paged(place.folder / run, 1 + (run == "none"))
        yield name, report.render("page.html", content.page(load.read_runs(place.runs), [], ""))
    yield "sweep", sweep_page_of(folder / "sweep.sqlite")
    yield "explore", sweep_page_of(folder / "explore.sqlite", (
        "bfs: the knee is at 32 entries: 1.9 of the 2 that 128 give.",
        "a_workload_of_a_long_name: the knee is at 32 entries, too; 12 of 25 points have run."),
        knees.Knees("gpu.ipc", 0.05, {"bfs": "32", "a_workload_of_a_long_name": "32"}, "32"))


def sweep_page_of(file, answer=(), found=knees.NONE):
    """A sweep over numbers, with a failed point and a workload of a long name; with `answer` and
    the knees `found`, what `warpmem explore` says of it."""
    entries = (8, 16, 32, 64, 128)
    points, runs = [], {}
    for workload, best in (("atax", 4), ("bfs", 1), ("srad", 3), ("bicg", 2),
                           ("a_workload_of_a_long_name", 5)):
        for n in entries:
            key = f"{workload}-{n}"
            points.append((key, workload, "64", json.dumps({"l1d.mshr.entries": str(n)})))
            failed = key == "bicg-128"
            runs[key] = ("failed" if failed else "complete", "deadlock " * 30 if failed else "",
                         {} if failed else {"gpu.ipc": best * min(n, 32), "l1d.hit_rate": n / 200})
    with sqlite3.connect(file) as base:
        base.executescript(sweep_test.TABLES)
        base.executemany("INSERT INTO sweep VALUES(?, ?)",
                         [("schema", "1"), ("file", "entries.yaml"), ("warpmem", "0.1.0")])
        for position, point in enumerate(points):
            base.execute("INSERT INTO points VALUES(?, ?, ?, ?, ?)", (position, *point))
        for key, (status, message, stats) in runs.items():
            base.execute("INSERT INTO runs VALUES(?, ?, ?, 1, '', '{}')", (key, status, message))
            base.executemany("INSERT INTO stats VALUES(?, ?, ?)",
                             [(key, name, value) for name, value in stats.items()])
    base.close()
    sweep = sweep_load.read_sweep(file)
    return report.render("sweep.html", sweep_page.page(sweep, "", [], None, None, answer=answer,
                                                       found=found))


def take_pictures(target):
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for name, page in pages(pathlib.Path(folder)):
            file = pathlib.Path(folder) / f"{name}.html"
            file.write_text(page)
            for width, height in ((500, 1000), (DESK, SCREEN[DESK])):
                size = f"--window-size={width},{height}"
                chromium(f"--screenshot={target / f'{name}-{width}.png'}", size, f"file://{file}")


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: chromium is not installed (apt-get install chromium)")
        sys.exit(77)
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        take_pictures(pathlib.Path(sys.argv.pop(1)))
        sys.exit(0)
    unittest.main()
