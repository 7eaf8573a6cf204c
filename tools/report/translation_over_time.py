# SPDX-License-Identifier: Apache-2.0
"""What unified memory adds to a load, over time (`run --series`): the stages of a request's way
from the TLB to the arrival of its page, stacked."""
from html import escape

from markupsafe import Markup

import charts
from figures import STAGE_COLOURS, legend, stage_name
from over_time import MOST_STEPS
from values import whole

STAGES = ("tlb", "walk", "fault", "transfer")
TOP, HEIGHT, GAP = 24, 130, 46
MOST_PANELS = 8


def names(document):
    """The series of the stages; those that are zero throughout are not in the document."""
    found = {stage: f"sm.latency.{stage}_ns" for stage in STAGES}
    return {stage: name for stage, name in found.items() if name in document["series"]}


class Stack:
    """Steps (begin, end, {stage: ns}) of a run, {} where no load was answered; the mean of a step
    is one over its loads, however many intervals it has."""

    def __init__(self, run):
        document = run.observed.series
        self.run = run
        self.stages = names(document)
        loads = document["series"]["sm.load.requests"]["points"]
        times = {stage: document["series"][name]["points"] for stage, name in self.stages.items()}
        self.grouped = max(-(-len(loads) // MOST_STEPS), 1)
        self.steps = []
        for first in range(0, len(loads), self.grouped):
            part = range(first, min(first + self.grouped, len(loads)))
            count = sum(loads[i] for i in part)
            means = {stage: sum((points[i] or 0) * loads[i] for i in part) / count
                     for stage, points in times.items()} if count else {}
            begin, end = document["begin"][part[0]], document["end"][part[-1]]
            self.steps.append((begin - 1, end - 1, means))

    def top(self):
        return max(sum(means.values()) for *_, means in self.steps)

    def end(self):
        return self.steps[-1][1]


def panel(stack, frame):
    body = [charts.text(charts.LEFT, frame.top - 8, stack.run.name, "start", "panel")]
    for begin, end, means in stack.steps:
        x, width = frame.x(begin), max(frame.x(end) - frame.x(begin), 0.5)
        base = 0
        for stage, value in means.items():
            if value == 0:
                continue
            y = frame.y(base + value)
            body.append(
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
                f'height="{frame.y(base) - y:.1f}" style="fill:var({STAGE_COLOURS[stage]})"/>'
            )
            base += value
        rows = [f"{stage_name(s)}: {value:.1f} ns" for s, value in means.items() if value]
        tip = f"{stack.run.name}, {whole(begin)}–{whole(end)}\n" + ("\n".join(rows) or "none")
        body.append(
            f'<rect x="{x:.1f}" y="{frame.top}" width="{width:.1f}" height="{HEIGHT}" '
            f'class="hover"><title>{escape(tip)}</title></rect>'
        )
    return body


def chart(runs):
    """[] when no run has series of translations."""
    having = [run for run in runs if run.observed.series and names(run.observed.series)]
    stacks = [Stack(run) for run in having[:MOST_PANELS]]
    if not stacks:
        return []
    last, top = max(stack.end() for stack in stacks), max(stack.top() for stack in stacks)
    body = []
    for index, stack in enumerate(stacks):
        frame = charts.Frame(TOP + index * (HEIGHT + GAP), HEIGHT, last, top, "SM cycles",
                             "ns, mean of a load")
        body += frame.draw(index == len(stacks) - 1) + panel(stack, frame)
    title = "What translation and page faults add to a load, over time"
    there = [stage for stage in STAGES if any(stage in stack.stages for stack in stacks)]
    documented = {stage: stack.run.observed.series["series"][name]["doc"].split(": ")[-1]
                  for stack in stacks for stage, name in stack.stages.items()}
    grouped = max(stack.grouped for stack in stacks)
    note = ("Of the load requests that were answered in an interval, the mean time at the TLB, in "
            "the walk, for the host and for the page; where none was answered nothing is drawn.")
    if grouped > 1:
        note += f" A step has {grouped} intervals."
    if len(having) > len(stacks):
        note += f" The first {MOST_PANELS} of {len(having)} runs."
    return [{
        "title": title,
        "legend": legend([(stage_name(s), STAGE_COLOURS[s], documented[s]) for s in there]),
        "svg": Markup(charts.svg(TOP + len(stacks) * (HEIGHT + GAP), body, title)),
        "note": note,
    }]
