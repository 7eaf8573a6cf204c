# SPDX-License-Identifier: Apache-2.0
"""Curves over an axis of a sweep whose labels are numbers: a small one for each workload, with the
knee marked where one is known; and the geometric mean over the area of the miss handlers."""
import math
from html import escape

from markupsafe import Markup

import charts
import costs
import knees
import quantities
from values import times

# Labels are what the author of a sweep writes.
UNITS = {**quantities.UNITS, "k": 1e3, "M": 1e6, "x": 1, "cycles": 1}
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 300, 190, 44, 34, 14
MORE_IS_BETTER = ("gpu.ipc", "gpu.warp_ipc")


def number_of(label):
    """"16 KiB" -> 16384; None for a label that is no number."""
    return quantities.number(label, UNITS)


def numeric(labels):
    """Label -> number, when there are at least three and all differ; else {}."""
    values = {label: number_of(label) for label in labels}
    good = None not in values.values() and len(set(values.values())) == len(labels) >= 3
    return values if good else {}


class Axes:
    """Axes of a small plot: x is logarithmic where the values span a factor of 8 or more."""

    def __init__(self, xs, top):
        self.low, self.high = min(xs), max(xs)
        self.log = self.low > 0 and self.high / self.low >= 8
        self.ticks = charts.nice_ticks(top, 3)

    def x(self, value):
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return LEFT + (WIDTH - LEFT - 16) * share

    def y(self, value):
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / self.ticks[-1])


def plot(points, labels, top, axis, title, marked):
    """`points`: [(x, y, label)]; all plots of a figure share `top` and the x values of `labels`.
    `marked`: the label that is the knee, or None."""
    axes = Axes(list(labels.values()), top)
    body = []
    for tick in axes.ticks:
        y = axes.y(tick)
        body.append(f'<line x1="{LEFT}" x2="{WIDTH - 8}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        body.append(charts.text(LEFT - 5, y + 4, charts.number(tick), "end"))
    last = -math.inf
    for label, value in sorted(labels.items(), key=lambda item: item[1]):
        x = axes.x(value)
        if x - last >= 7 * len(label) + 6:  # a label that has no room is left out
            body.append(charts.text(x, HEIGHT - BOTTOM + 15, label, "middle"))
            last = x + 3.5 * len(label)
    body.append(charts.text((LEFT + WIDTH) / 2, HEIGHT - 3, axis, "middle", "axis"))
    path = " L".join(f"{axes.x(x):.1f},{axes.y(y):.1f}" for x, y, _ in points)
    body.append(f'<path d="M{path}" class="line" style="stroke:var(--c0)"/>')
    for x, y, label in points:
        is_knee = label == marked
        tip = f"{title}, {axis} {label}: {y:.4g}" + (" (the knee)" if is_knee else "")
        fill = "var(--c3)" if is_knee else "var(--c0)"
        body.append(
            f'<circle cx="{axes.x(x):.1f}" cy="{axes.y(y):.1f}" r="{6 if is_knee else 3.5}" '
            f'class="part" style="fill:{fill}"><title>{escape(tip)}</title></circle>'
        )
    name = escape(title, quote=True)
    head = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{name}">'
    return Markup(head + "".join(body) + "</svg>")


def curves(figure, axis, found=knees.NONE):
    """Small multiples of one metric: [{name, svg, note}], geometric mean first; [] where the labels
    are no numbers. `found`: their knees."""
    labels = numeric(figure.labels)
    if not labels:
        return []
    rows = [(name, cells) for name, cells, _ in figure.means[-1:]]
    rows += [(workload, figure.ratios[workload]) for workload in figure.workloads]
    drawn = []
    for name, cells in rows:
        points = [(labels[l], cells[l].value, l) for l in labels if cells[l].value is not None]
        if points:
            drawn.append((name, sorted(points)))
    top = max((y for _, points in drawn for _, y, _ in points), default=0)
    result = []
    for name, points in drawn:
        knee = found.label_of(figure, name)
        height = next((y for _, y, label in points if label == knee), None)
        note = "" if height is None else f"knee at {knee}, {times(height)}"
        svg = plot(points, labels, top, axis, name, knee)
        result.append({"name": name, "svg": svg, "note": note})
    return result


def verdict(figure, axis):
    """(label, rest of the sentence) on the best label; None without a mean."""
    if figure.metric not in MORE_IS_BETTER or not figure.means:
        return None
    _, cells, members = figure.means[-1]
    means = {label: cells[label].value for label in figure.labels}
    if None in means.values():
        return None
    best = max(figure.labels, key=lambda label: means[label])
    what = f"the {figure.metric} of {figure.baseline}, geometric mean of {len(members)} workloads"
    if best == figure.baseline:
        return best, (
            f" is the best of {axis}: no other has a higher {figure.metric}, geometric mean of "
            f"{len(members)} workloads."
        )
    ratios = {w: figure.ratios[w][best].value for w in members}
    worst = min(ratios, key=ratios.get)
    first = sum(
        1
        for w in members
        if figure.ratios[w][best].value == max(figure.ratios[w][l].value for l in figure.labels)
    )
    return best, (
        f" is the best of {axis}: {times(means[best])} {what}; first in {first} of them, worst in "
        f"{worst} ({times(ratios[worst])})."
    )


def over_area(figure, points, axis, documents):
    """The geometric mean of `figure` over the area of the miss handlers, with the runs that no
    other beats in both; None where fewer than two labels have both."""
    marks = []
    for index, label in enumerate(figure.labels):
        cell = figure.means[-1][1][label] if figure.means else None
        mine = [p for p in points if p.labels.get(axis) == label and p.config]
        found = [d for d in documents if mine and costs.belongs_to(mine[0], d)]
        if cell is not None and cell.value is not None and found:
            marks.append((index, label, costs.Cost(found[0]).area, cell.value))
    return costs.scatter(
        marks,
        f"{figure.metric} ÷ {figure.baseline}, geometric mean",
        f"{figure.metric} over the area of the miss handlers",
    )
