# SPDX-License-Identifier: Apache-2.0
"""Series of a run (`run --series`): lines over time, runs over each other, kernel boundaries
marked."""
from html import escape

from markupsafe import Markup

import charts
from figures import legend
from instructions import short_kernel
from values import run_colour

# (series, title, unit of the axis, factor); counters are drawn a cycle.
LINES = (
    ("gpu.ipc", "IPC", "thread instructions a cycle", 1),
    ("sm.warps.active", "Active warps", "warps", 1),
    ("sm.warps.ready", "Warps that wait only for their turn", "warps", 1),
    ("sm.throttle.allowed_warps", "Warps that the policy lets issue", "warps", 1),
    ("sm.laws.fair_now", "SMs whose schedulers follow GTLR", "SMs", 1),
    ("l1d.hit_rate", "L1D hit rate", "%", 100),
    ("l1d.mshr.occupied", "MSHR slots in use, all L1Ds", "slots", 1),
    ("l1d.reservation_fails.cycles", "L1Ds that refuse their head request", "L1Ds", 1),
    ("l1d.input_queue", "Requests that wait before L1D", "requests", 1),
    ("l2.hit_rate", "L2 hit rate", "%", 100),
    ("l2.mshr.occupied", "MSHR slots in use, all L2 slices", "slots", 1),
    ("l2.input_queue", "Requests that wait before L2", "requests", 1),
    ("dram.queue", "Requests that wait in DRAM", "requests", 1),
    ("dram.bytes", "DRAM bandwidth", "GB/s", 1e-9),
    ("dram.row_hit_rate", "DRAM row-hit rate", "%", 100),
)
MOST_STEPS = 340  # drawn of one curve: intervals are put together above that
MOST_MARKS = 40  # launches whose begins are marked
MOST_KERNELS = 4  # that have a picture of their own
TOP, HEIGHT = 30, 170


class Curve:
    """A series as steps (begin, end, value) in cycles; `grouped` intervals make a step."""

    def __init__(self, document, name, factor, keep=None):
        one = document["series"][name]
        found = []
        for begin, end, value in zip(document["begin"], document["end"], one["points"]):
            if keep and not keep[0] <= begin <= keep[1]:
                continue
            offset = keep[0] if keep else 1
            length = end - begin  # an interval ends where the next one begins
            if value is not None:
                value *= factor / length if one["kind"] == "counter" else factor
            found.append((begin - offset, end - offset, value))
        self.grouped = max(-(-len(found) // MOST_STEPS), 1)
        self.steps = [merged(found[i : i + self.grouped])
                      for i in range(0, len(found), self.grouped)]

    def top(self):
        return max((value for *_, value in self.steps if value is not None), default=0)

    def end(self):
        return self.steps[-1][1] if self.steps else 0


def merged(steps):
    """One step of several: the mean by length of those that have a value."""
    have = [(end - begin, value) for begin, end, value in steps if value is not None]
    length = sum(cycles for cycles, _ in have)
    value = sum(cycles * value for cycles, value in have) / length if length else None
    return steps[0][0], steps[-1][1], value


def line(frame, curve):
    """The path of a curve; without a value there is a gap."""
    parts, before = [], None
    for begin, end, value in curve.steps:
        if value is not None:
            joined = before is not None
            y = frame.y(value)
            parts.append(f"{'L' if joined else 'M'}{frame.x(begin):.1f},{y:.1f}")
            parts.append(f"L{frame.x(end):.1f},{y:.1f}")
        before = value
    return "".join(parts)


def kernel_marks(frame, runs, offset):
    """A line where each launch begins, in the run's colour, and the first run's kernels' names."""
    body, last = [], -1e9
    for index, run in runs:
        kernels = run.observed.series["kernels"]
        if len({kernel["launch"] for kernel in kernels}) > MOST_MARKS:
            continue
        for kernel in kernels:
            x = frame.x(kernel["begin"] - offset)
            tip = f"{run.name}: launch {kernel['launch']}, {kernel['name']}"
            body.append(
                f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{frame.top - 4}" '
                f'y2="{frame.top + frame.height}" class="mark" '
                f'style="stroke:var({run_colour(index)})"><title>{escape(tip)}</title></line>'
            )
            name = short_kernel(kernel["name"])
            room = charts.WIDTH - charts.RIGHT - x > 7 * len(name)
            if index == runs[0][0] and x > last and room:
                body.append(charts.text(x + 2, frame.top - 8, name))
                last = x + 7 * len(name) + 8
    return body


def chart(runs, name, title, unit, factor, kernel=None):
    """`runs`: (index, run). With `kernel` only its longest launch, from its begin. None where all
    is zero or nothing is there."""
    curves = []
    for index, run in runs:
        document = run.observed.series
        keep = longest(document, kernel) if kernel else None
        if name not in document["series"] or (kernel and keep is None):
            continue
        curves.append((index, run, Curve(document, name, factor, keep)))
    top = max((curve.top() for *_, curve in curves), default=0)
    if not top:
        return None
    frame = charts.Frame(TOP, HEIGHT, max(c.end() for *_, c in curves), top, "SM cycles", unit)
    body = frame.draw(True)
    if kernel is None:
        body += kernel_marks(frame, [(i, r) for i, r, _ in curves], 1)
    drawn = []
    for index, run, curve in curves:
        dashed = " dashed" if curve.steps in drawn else ""
        drawn.append(curve.steps)
        body.append(
            f'<path d="{line(frame, curve)}" class="line{dashed}" '
            f'style="stroke:var({run_colour(index)})"><title>{escape(run.name)}</title></path>'
        )
    grouped = max(curve.grouped for *_, curve in curves)
    doc = next(r.observed.series["series"][name]["doc"] for _, r, _ in curves)
    note = f"{name}: {doc}."
    if grouped > 1:
        note += f" A step is the mean of {grouped} intervals."
    return {
        "title": title,
        "legend": legend([(r.name, run_colour(i), "") for i, r, _ in curves]),
        "svg": Markup(charts.svg(TOP + HEIGHT + 44, body, title)),
        "note": note,
    }


def longest(document, kernel):
    """(begin, end) of the longest launch of a kernel, of equals the first; None without."""
    spans = [(k["begin"], k["end"]) for k in document["kernels"] if k["name"] == kernel]
    return max(spans, key=lambda span: (span[1] - span[0], -span[0]), default=None)


def phases(runs):
    """IPC in the longest launch of each kernel, from its begin: runs whose launches begin at
    different times over each other. [] with one run or one kernel."""
    cycles = {}
    for _, run in runs:
        for kernel in run.observed.series["kernels"]:
            length = kernel["end"] - kernel["begin"] + 1
            cycles[kernel["name"]] = cycles.get(kernel["name"], 0) + length
    if len(runs) < 2 or len(cycles) < 2:
        return []
    found = []
    for kernel in sorted(cycles, key=lambda name: -cycles[name])[:MOST_KERNELS]:
        title = f"IPC in the longest launch of {short_kernel(kernel)}, from its begin"
        one = chart(runs, "gpu.ipc", title, "thread instructions a cycle", 1, kernel)
        if one:
            found.append(one)
    return found


def lines(runs):
    """Charts of what the runs have over time; [] when no run has series."""
    having = [(index, run) for index, run in enumerate(runs) if run.observed.series]
    if not having:
        return []
    found = [c for one in LINES if (c := chart(having, *one))]
    return found[:1] + phases(having) + found[1:]
