# SPDX-License-Identifier: Apache-2.0
"""Grouped vertical bars as inline SVG, wrapped into as many rows as the workloads need."""
import math
from html import escape

from charts import LEFT, RIGHT, WIDTH, nice_ticks, number, svg, text

COLOURS = 8  # --c0 to --c7; a label beyond them takes the colour of an earlier one, hatched
HEIGHT = 170
NAMES = 108  # room for slanted names below a row


def bar_style(index):
    """CSS fill of the bars of a label."""
    if index < COLOURS:
        return f"fill:var(--c{index})"
    return f"fill:var(--c{index % COLOURS});fill-opacity:.45;stroke:var(--ink)"


def rows_of(groups, labels):
    """The groups, spread evenly over as few rows as keep a bar at least 5 units wide."""
    fit = max(1, int((WIDTH - LEFT - RIGHT) / (5 * labels + 8)))
    count = math.ceil(len(groups) / fit)
    size = math.ceil(len(groups) / count)
    return [groups[i : i + size] for i in range(0, len(groups), size)]


def axis_top(values):
    """Where the y axis ends: a bar far above all others is cut there and has its value written."""
    ordered = sorted(values)
    if not ordered:
        return 1
    high = 3 * max(ordered[int(0.85 * (len(ordered) - 1))], 1e-12)
    return min(ordered[-1], high)


def grouped_bars(groups, labels, y_title, label, reference=None):
    """`groups`: (name, {label: Cell}, is a mean). `reference`: y of a dashed line, or None."""
    values = [c.value for _, cells, _ in groups for c in cells.values() if c.value is not None]
    means = [c.value or 0 for _, cells, is_mean in groups if is_mean for c in cells.values()]
    # Above the means is room for their values.
    ticks = nice_ticks(max([axis_top(values), reference or 0] + [1.2 * m for m in means]), 4)
    rows = rows_of(groups, len(labels))
    per_row = len(rows[0])
    pitch = min((WIDTH - LEFT - RIGHT) / per_row, 46 * len(labels) + 30)
    width = min((pitch - 8) / len(labels), 40)
    body = []
    for index, row in enumerate(rows):
        top = 18 + index * (HEIGHT + NAMES + 22)
        body += draw_row(row, labels, top, pitch, width, ticks, y_title, reference)
    return svg(len(rows) * (HEIGHT + NAMES + 22) + 4, body, label)


def draw_row(groups, labels, top, pitch, width, ticks, y_title, reference):
    bottom = top + HEIGHT
    right = LEFT + pitch * len(groups)

    def y_of(value):
        return top + HEIGHT * (1 - max(0, min(value, ticks[-1])) / ticks[-1])

    body = []
    for tick in ticks:
        y = y_of(tick)
        body.append(f'<line x1="{LEFT}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>')
        body.append(text(LEFT - 6, y + 4, number(tick), "end"))
    slanted = any(len(shortened(name)) * 7 > pitch for name, _, _ in groups)
    if len(y_title) * 6.5 > HEIGHT + 20:
        y_title = "over the baseline" if reference is not None else "value"
    middle = top + HEIGHT / 2
    body.append(
        f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle" '
        f'class="axis">{escape(y_title)}</text>'
    )
    for place, (name, cells, is_mean) in enumerate(groups):
        start = LEFT + place * pitch + (pitch - width * len(labels)) / 2
        if is_mean:
            body.append(
                f'<rect x="{LEFT + place * pitch:.1f}" y="{top}" width="{pitch:.1f}" '
                f'height="{HEIGHT}" class="mean"/>'
            )
        if all(cells[label].value is None for label in labels):
            body += absent(name, cells[labels[0]], start, width * len(labels), bottom)
        else:
            for index, label in enumerate(labels):
                x = start + index * width
                body += bar(name, label, cells[label], x, width, y_of, ticks, index, is_mean)
        body.append(group_name(name, LEFT + (place + 0.5) * pitch, bottom, slanted, is_mean))
    if reference is not None:
        y = y_of(reference)
        body.append(f'<line x1="{LEFT}" x2="{right:.1f}" y1="{y:.1f}" y2="{y:.1f}" class="limit"/>')
    return body


def absent(where, cell, x, width, bottom):
    """A dashed box with a cross instead of a bar."""
    return [
        f'<g class="absent"><title>{escape(f"{where}: absent, {cell.reason}")}</title>'
        f'<rect x="{x:.1f}" y="{bottom - 16:.1f}" width="{width:.1f}" height="16"/>'
        f'<text x="{x + width / 2:.1f}" y="{bottom - 4:.1f}" text-anchor="middle">×</text></g>'
    ]


def bar(name, label, cell, x, width, y_of, ticks, index, is_mean):
    where = f"{name}, {label}" if label else name
    bottom = y_of(0)
    if cell.value is None:
        return absent(where, cell, x, width, bottom)
    y = y_of(cell.value)
    parts = [
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{bottom - y:.1f}" class="part" '
        f'style="{bar_style(index)}"><title>{escape(f"{where}: {cell.value:.4g}")}</title></rect>'
    ]
    cut = cell.value > ticks[-1] * (1 + 1e-9)
    if cut or is_mean and cell.value != 1:
        # A bar that is cut has its value inside; a mean has it above the bar.
        inside = cut
        place = f"translate({x + width / 2 + 3:.1f} {y + 4 if inside else y - 4:.1f}) rotate(-90)"
        parts.append(
            f'<text transform="{place}" text-anchor="{"end" if inside else "start"}" '
            f'class="cut" style="font-size:{min(9, width + 1):.1f}px">'
            f"{escape(number(cell.value))}</text>"
        )
    return parts


def shortened(name):
    short = name.replace("geomean ", "gm ")
    return short if len(short) <= 18 else short[:17] + "…"


def group_name(name, x, bottom, slanted, is_mean):
    cls = "panel" if is_mean else "axis"
    if not slanted:
        return text(x, bottom + 16, shortened(name), "middle", cls)
    return (
        f'<text transform="translate({x + 4:.1f} {bottom + 14:.1f}) rotate(-45)" '
        f'text-anchor="end" class="{cls}">{escape(shortened(name))}</text>'
    )
