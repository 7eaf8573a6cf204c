# SPDX-License-Identifier: Apache-2.0
"""Measured values against those of the reference as inline SVG, with the line where both are equal.
Amounts stand on logarithmic axes, rates on linear ones. Colours are CSS variables."""
import math
from html import escape

from charts import exact, number, text

SIDE = 300  # of the square
LEFT, TOP, BELOW, RIGHT = 56, 10, 44, 22


def log_ticks(low, high):
    """Round values around [low, high]: 1, 2, 5 of each decade, or the decades if they are many."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    steps = (1, 2, 5) if last - first <= 3 else (1,)
    grid = [step * 10.0**power for power in range(first, last + 1) for step in steps]
    begin = max(i for i, value in enumerate(grid) if value <= low * 1.000001)
    end = next((i for i, value in enumerate(grid) if value >= high * 0.999999), len(grid) - 1)
    return grid[begin : max(end, begin + 1) + 1]


class Axes:
    """The same scale for both axes."""

    def __init__(self, metric, values):
        self.rate = metric.rate
        if self.rate:
            self.ticks = [0, 20, 40, 60, 80, 100, *([120] if max(values) > 100 else [])]
        else:
            self.ticks = log_ticks(min(values), max(values))
        self.low, self.high = self.of(self.ticks[0]), self.of(self.ticks[-1])

    def of(self, value):
        return value if self.rate else math.log10(value)

    def share(self, value):
        return (self.of(value) - self.low) / (self.high - self.low)

    def x(self, value):
        return LEFT + SIDE * self.share(value)

    def y(self, value):
        return TOP + SIDE * (1 - self.share(value))


def frame(axes, unit):
    body = []
    for tick in axes.ticks:
        x, y = axes.x(tick), axes.y(tick)
        for ends in (
            f'x1="{LEFT}" x2="{LEFT + SIDE}" y1="{y:.1f}" y2="{y:.1f}"',
            f'x1="{x:.1f}" x2="{x:.1f}" y1="{TOP}" y2="{TOP + SIDE}"',
        ):
            body.append(f'<line {ends} class="grid"/>')
        body.append(text(LEFT - 5, y + 4, number(tick), "end"))
        body.append(text(x, TOP + SIDE + 15, number(tick), "middle"))
    first, last = axes.ticks[0], axes.ticks[-1]
    body.append(
        f'<line x1="{axes.x(first):.1f}" y1="{axes.y(first):.1f}" x2="{axes.x(last):.1f}" '
        f'y2="{axes.y(last):.1f}" class="limit"/>'
    )
    body.append(text(LEFT + SIDE / 2, TOP + SIDE + 34, f"reference, {unit}", "middle", "axis"))
    body.append(
        f'<text transform="translate(12 {TOP + SIDE / 2:.1f}) rotate(-90)" text-anchor="middle" '
        f'class="axis">measured, {escape(unit)}</text>'
    )
    return body


def drawable(metric, points):
    """The points that the axes can show: a logarithm has no 0."""
    return [p for p in points if metric.rate or (p[1] > 0 and p[2] > 0)]


def scatter(metric, unit, points, label):
    """`points`: (name, measured, reference, colour, whether it counts); hollow when it does not.
    None when there is nothing to draw."""
    shown = drawable(metric, points)
    if not shown:
        return None
    axes = Axes(metric, [value for _, ours, theirs, *_ in shown for value in (ours, theirs)])
    body = frame(axes, unit)
    for name, ours, theirs, colour, counts in shown:
        fill = f"var({colour})" if counts else "var(--paper)"
        tip = f"{name}: measured {exact(float(ours))}, reference {exact(float(theirs))}"
        body.append(
            f'<circle cx="{axes.x(theirs):.1f}" cy="{axes.y(ours):.1f}" r="4.5" '
            f'style="fill:{fill};stroke:var({colour});stroke-width:1.4">'
            f"<title>{escape(tip)}</title></circle>"
        )
    size = f"0 0 {LEFT + SIDE + RIGHT} {TOP + SIDE + BELOW}"
    name = escape(label, quote=True)
    return f'<svg viewBox="{size}" role="img" aria-label="{name}">' + "".join(body) + "</svg>"
