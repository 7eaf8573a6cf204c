# SPDX-License-Identifier: Apache-2.0
"""Unified memory: what a page fault waits for, and over time which pages are used and which come
back, when pages fault and move, and how busy the link is. Empty for runs without it.
"""
from html import escape

from markupsafe import Markup

import charts
from figures import end_of_run, legend, rescaled, time_axis
from values import run_colour, whole

BANDS = 64
MOST_COLUMNS = 128
HEIGHT = 4  # of a band


def bands(run, kind):
    """The series of one map, band 0 first; [] when the run has none."""
    found = [run.series.get(f"uvm.map.{kind}.{band:02}") for band in range(BANDS)]
    return found if all(found) else []


def columns(series):
    """Equal columns of time for all bands: (cycles of a column, [points of each band])."""
    interval = max(s["interval"] for s in series)
    points = [rescaled(s, interval) for s in series]
    length = max(len(p) for p in points)
    size = 1
    while length > size * MOST_COLUMNS:
        size *= 2
    merged = [[sum(p[i : i + size]) for i in range(0, length, size)] for p in points]
    return interval * size, merged


class Map:
    """The amounts of one run: `rows` of columns of `step` cycles, a row a band, up to `end`."""

    def __init__(self, run, series):
        self.run = run
        self.axis = time_axis(series)
        self.step, self.rows = columns(series)
        count = max(len(row) for row in self.rows)
        self.end = charts.end_of([0] * count, self.step, end_of_run(run, series))
        self.densest = max((value for row in self.rows for value in row), default=0) / self.step


def heat_map(one, colour, unit, last, densest):
    """Time to the right, pages upward, and the deeper the colour the more of `unit` a cycle, of
    `densest`; the axis of time ends at `last`. Both are those of all runs."""
    run, step, rows, end = one.run, one.step, one.rows, one.end
    frame = charts.Frame(24, HEIGHT * BANDS, last, 0, one.axis, "")
    body = [charts.text(charts.LEFT, frame.top - 8, run.name, "start", "panel")]
    bottom = frame.top + frame.height
    body.append(
        f'<rect x="{charts.LEFT}" y="{frame.top}" height="{frame.height}" '
        f'width="{frame.x(end) - charts.LEFT:.1f}" class="grid" style="fill:none"/>'
    )
    for label, y in (("last page", frame.top + 8), ("first page", bottom)):
        body.append(charts.text(charts.LEFT - 4, y, label, "end"))
    for tick in charts.nice_ticks(frame.x_top, 6):
        if tick <= frame.x_top:
            body.append(charts.text(frame.x(tick), bottom + 16, charts.number(tick), "middle"))
    middle = (charts.LEFT + charts.WIDTH - charts.RIGHT) / 2
    body.append(charts.text(middle, bottom + 34, frame.x_title, "middle", "axis"))
    for band, row in enumerate(rows):
        y = bottom - HEIGHT * (band + 1)
        for i, value in enumerate(row):
            if value == 0:
                continue
            tip = f"band {band + 1} of {BANDS}, cycle {whole(i * step)}: {whole(value)} {unit}"
            share = value / step / densest
            depth = 0.12 + 0.88 * share**0.5  # the root shows a few next to many
            body.append(
                f'<rect x="{frame.x(i * step):.1f}" y="{y:.1f}" '
                f'width="{frame.x(min((i + 1) * step, end)) - frame.x(i * step):.1f}" '
                f'height="{HEIGHT}" '
                f'style="fill:var({colour});fill-opacity:{depth:.2f}">'
                f"<title>{escape(tip)}</title></rect>"
            )
    return charts.svg(bottom + 44, body, f"{run.name}: {unit} by page and time")


def maps(runs, kind, colour, title, unit, note):
    series_of = ((run, bands(run, kind)) for run in runs)
    drawn = [Map(run, series) for run, series in series_of if any(any(s["points"]) for s in series)]
    last = max((one.end for one in drawn), default=0)
    densest = max((one.densest for one in drawn), default=0)
    shared = " All runs share the axes and the scale of the colour." if len(drawn) > 1 else ""
    for one in drawn:
        yield {
            "title": title,
            "legend": [],
            "svg": Markup(heat_map(one, colour, unit, last, densest)),
            "note": note + shared,
        }


def movement_chart(run):
    names = (
        ("faults", "uvm.faults_over_time", "--c1", "sent to the host"),
        ("pages in", "uvm.pages_in_over_time", "--c0", "arrived in device memory"),
        ("pages out", "uvm.pages_out_over_time", "--c3", "evicted"),
    )
    found = [(n, run.series[key], c, doc) for n, key, c, doc in names if key in run.series]
    if not found or not any(any(s["points"]) for _, s, _, _ in found):
        return None
    end = end_of_run(run, [s for _, s, _, _ in found])
    curves = [(n, c, s["interval"], [1000 * v for v in s["points"]], end) for n, s, c, _ in found]
    title = f"{run.name}: faults and migrations over time"
    return {
        "title": title,
        "legend": legend([(n, c, doc) for n, _, c, doc in found]),
        "svg": Markup(
            charts.lines_over_time(
                curves, time_axis(s for _, s, _, _ in found), "in 1000 cycles", title
            )
        ),
        "note": "Pages that arrive far above the faults were prefetched. Where pages leave as fast "
        "as they arrive, device memory is full; the map of returning pages tells whether the right "
        "ones leave.",
    }


STAGES = (
    ("for the host", "uvm.fault.queue_cycles", "--s-barrier"),
    ("handling", "uvm.fault.host_cycles", "--s-drain"),
    ("for a frame", "uvm.fault.room_cycles", "--s-mshr"),
    ("link", "uvm.fault.link_cycles", "--s-launch"),
)


def stages_chart(runs):
    """What the mean fault waits for, until its page has arrived; None without such runs."""
    bars, there = [], []
    for run in runs:
        faults = run.stats.get("uvm.faults", 0) + run.stats.get("uvm.faults_merged", 0)
        cycles = {name: run.stats[key] for name, key, _ in STAGES if key in run.stats}
        if not faults or not any(cycles.values()):
            continue
        bars.append((run.name, {name: value / faults for name, value in cycles.items()}))
        there.append(run)
    if not bars:
        return None
    title = "What a page fault waits for"
    units = there[0].units
    docs = {name: units.get(key, {}).get("doc", "").split(": ")[-1] for name, key, _ in STAGES}
    return {
        "title": title,
        "legend": legend([(name, colour, docs[name]) for name, _, colour in STAGES]),
        "svg": Markup(
            charts.stacked_bars(
                bars,
                [name for name, *_ in STAGES],
                {name: colour for name, _, colour in STAGES},
                "SM cycles from a fault to its page's arrival, mean",
                title,
                lambda cycles: whole(round(cycles)),
            )
        ),
        "note": "A long wait for the host asks for larger batches or a prefetcher that spares "
        "faults, one for a frame for more memory or victims chosen ahead, one for the link for "
        "fewer bytes.",
    }


def link_chart(runs):
    curves, found = [], []
    for index, run in enumerate(runs):
        for direction, what in (("in", "to the device"), ("out", "to the host")):
            series = run.series.get(f"uvm.pcie.{direction}.busy")
            if not series or not any(series["points"]):
                continue
            found.append(series)
            colour = run_colour(2 * index + (direction == "out"))
            end = end_of_run(run, [series])
            curves.append(
                (f"{run.name}, {what}", colour, series["interval"], series["points"], end)
            )
    if not curves:
        return None
    title = "Use of the link to the host"
    return {
        "title": title,
        "legend": legend([(n, c, "") for n, c, *_ in curves]),
        "svg": Markup(
            charts.lines_over_time(
                curves, time_axis(found), "share of the time", title, (1, "always busy")
            )
        ),
        "note": "Each direction by itself. A link that is hardly used while faults wait is held up "
        "by the host's handling or by transfers that are too small.",
    }


def paging_charts(runs):
    runs = [run for run in runs if "uvm.faults" in run.stats]
    stages = stages_chart(runs)
    result = [stages] if stages else []
    result += list(
        maps(
            runs,
            "uses",
            "--c0",
            "Which pages are used when",
            "requests",
            "Managed pages in 64 bands from the first to the last. A diagonal is a stream, a "
            "horizontal line a page that is used all the time.",
        )
    )
    result += [chart for chart in (movement_chart(run) for run in runs) if chart]
    result += list(
        maps(
            runs,
            "thrash",
            "--c3",
            "Pages that came back after an eviction",
            "pages",
            "Each mark is work that a better choice of victims, or more memory, would have saved: "
            "thrashing shows as a map that stays dark to the end.",
        )
    )
    link = link_chart(runs)
    return result + ([link] if link else [])
