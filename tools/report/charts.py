# SPDX-License-Identifier: Apache-2.0
"""Charts as inline SVG. Colours are CSS variables (--c0 …): they follow the page's theme."""
import math
from html import escape

WIDTH = 760
LEFT = 64
RIGHT = 14
MOST_STEPS = 160  # drawn per curve: neighbours are merged above that


def nice_ticks(top, count=5):
    """About `count` round values from 0 to at least `top`."""
    if top <= 0:
        return [0, 1]
    raw = top / count
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * 0.999)
    return [i * step for i in range(math.ceil(top / step - 1e-9) + 1)]


def number(value):
    """Short text for an axis: 1500 -> 1.5k."""
    for limit, suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit:
            return f"{value / limit:.3g}{suffix}"
    return f"{value:.3g}"


def exact(value):
    """Text for a tooltip."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"
    return f"{int(value):,}"


def text(x, y, content, anchor="start", cls=""):
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} class="{cls}">{escape(content)}</text>'


def svg(height, body, label):
    name = escape(label, quote=True)
    head = f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{name}">'
    return head + "".join(body) + "</svg>"


def end_of(points, interval, end):
    """Where the curve ends, in cycles: at the run's end, if the points do not begin behind it. The
    statistics leave out intervals after the last one in which anything happened."""
    return end if end and (len(points) - 1) * interval < end else len(points) * interval


def per_cycle(points, interval, end=None):
    """Amounts per interval -> mean amount per cycle, the interval, and the end of the last one, in
    at most MOST_STEPS steps. `end` is the run's; the last step is a mean over the cycles it has."""
    end = end_of(points, interval, end)
    points = points + [0] * (math.ceil(end / interval) - len(points))
    size = 1
    while len(points) > size * MOST_STEPS:
        size *= 2
    step = interval * size
    groups = [sum(points[i : i + size]) for i in range(0, len(points), size)]
    cycles = [min(step, end - i * step) for i in range(len(groups))]
    return [group / length for group, length in zip(groups, cycles)], step, end


def step_path(values, x_of, y_of, closed_by=None):
    """SVG path of a staircase; `closed_by` are the values of the lower edge of an area."""
    parts = []
    for i, value in enumerate(values):
        parts.append(f"{x_of(i):.1f},{y_of(value):.1f} {x_of(i + 1):.1f},{y_of(value):.1f}")
    if closed_by is not None:
        for i in range(len(values) - 1, -1, -1):
            y = y_of(closed_by[i])
            parts.append(f"{x_of(i + 1):.1f},{y:.1f} {x_of(i):.1f},{y:.1f}")
    return "M" + " L".join(parts) + ("Z" if closed_by is not None else "")


class Frame:
    """Axes of a chart over time. x runs from 0 to `x_top`, y from 0 to `y_top`."""

    def __init__(self, top, height, x_top, y_top, x_title, y_title):
        self.top, self.height = top, height
        self.x_top = x_top or 1
        self.y_ticks = nice_ticks(y_top, 4)
        self.x_title, self.y_title = x_title, y_title

    def x(self, value):
        return LEFT + (WIDTH - LEFT - RIGHT) * value / self.x_top

    def y(self, value):
        return self.top + self.height * (1 - value / self.y_ticks[-1])

    def draw(self, with_x_title):
        body = []
        for tick in self.y_ticks:
            y = self.y(tick)
            body.append(
                f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
            )
            body.append(text(LEFT - 6, y + 4, number(tick), "end"))
        bottom = self.top + self.height
        for tick in nice_ticks(self.x_top, 6):
            if tick <= self.x_top:
                body.append(text(self.x(tick), bottom + 16, number(tick), "middle"))
        if with_x_title:
            body.append(
                text((LEFT + WIDTH - RIGHT) / 2, bottom + 34, self.x_title, "middle", "axis")
            )
        middle = self.top + self.height / 2
        body.append(
            f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle" '
            f'class="axis">{escape(self.y_title)}</text>'
        )
        return body


def stacked_over_time(panels, order, colours, x_title, y_title, label):
    """One panel a run, on the same axes. `panels`: (name, interval, {series: points}, end of the
    run or None); points are amounts per interval and are drawn per cycle."""
    prepared = []
    for name, interval, series, end in panels:
        length = max((len(p) for p in series.values()), default=0)
        columns = {k: p + [0] * (length - len(p)) for k, p in series.items()}
        step = interval
        end = end_of([0] * length, interval, end)
        for key, points in columns.items():
            columns[key], step, end = per_cycle(points, interval, end)
        prepared.append((name, step, columns, end))
    x_top = max(end for *_, end in prepared)
    y_top = max(
        (
            sum(p[i] for p in c.values())
            for _, _, c, _ in prepared
            for i in range(len(next(iter(c.values()), [])))
        ),
        default=0,
    )
    panel_height, gap = 130, 46
    body = []
    for index, (name, step, columns, end) in enumerate(prepared):
        frame = Frame(
            24 + index * (panel_height + gap), panel_height, x_top, y_top, x_title, y_title
        )
        body.append(text(LEFT, frame.top - 8, name, "start", "panel"))
        body += frame.draw(index == len(prepared) - 1)
        count = max((len(p) for p in columns.values()), default=0)
        base = [0.0] * count
        for key in order:
            if key not in columns:
                continue
            upper = [b + v for b, v in zip(base, columns[key])]
            path = step_path(upper, lambda i: frame.x(min(i * step, end)), frame.y, base)
            body.append(f'<path d="{path}" style="fill:var({colours[key]})"/>')
            base = upper
        for i in range(count):
            rows = [f"{k}: {exact(columns[k][i])}" for k in order if k in columns and columns[k][i]]
            right = min((i + 1) * step, end)
            tip = f"{name}, {exact(i * step)}–{exact(right)}\n" + ("\n".join(rows) or "none")
            width = max(frame.x(right) - frame.x(i * step), 0.5)
            body.append(
                f'<rect x="{frame.x(i * step):.1f}" y="{frame.top}" width="{width:.1f}" '
                f'height="{panel_height}" class="hover"><title>{escape(tip)}</title></rect>'
            )
    return svg(24 + len(prepared) * (panel_height + gap), body, label)


def lines_over_time(curves, x_title, y_title, label, limit=None):
    """`curves`: (name, colour, interval, points, end of the run or None); points are amounts per
    interval, drawn per cycle. `limit`: (value, text) of a dashed line."""
    prepared = []
    for name, colour, interval, points, end in curves:
        prepared.append((name, colour, *per_cycle(points, interval, end)))
    x_top = max((end for *_, end in prepared), default=0)
    y_top = max((max(points, default=0) for _, _, points, _, _ in prepared), default=0)
    shows_limit = limit is not None and limit[0] <= 4 * max(y_top, 1e-9)
    if shows_limit:
        y_top = max(y_top, limit[0])
    frame = Frame(16, 220, x_top, y_top, x_title, y_title)
    body = frame.draw(True)
    if shows_limit:
        y = frame.y(limit[0])
        body.append(
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" class="limit"/>'
        )
        body.append(text(WIDTH - RIGHT, y - 5, limit[1], "end"))
    drawn = []
    for name, colour, points, step, end in prepared:
        # A curve that lies on an earlier one is dashed, so that both colours show.
        dashed = " dashed" if (step, points) in drawn else ""
        drawn.append((step, points))
        path = step_path(points, lambda i: frame.x(min(i * step, end)), frame.y)
        body.append(
            f'<path d="{path}" class="line{dashed}" style="stroke:var({colour})">'
            f"<title>{escape(name)}</title></path>"
        )
    return svg(16 + 220 + 44, body, label)


def stacked_bars(bars, order, colours, x_title, label, value_text=exact):
    """Horizontal bars. `bars`: (name, {part: value})."""
    row, left = 34, 150
    top = max((sum(parts.values()) for _, parts in bars), default=0)
    ticks = nice_ticks(top, 6)
    scale = (WIDTH - left - 70) / ticks[-1]
    height = 8 + row * len(bars)
    body = []
    for tick in ticks:
        x = left + tick * scale
        body.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="4" y2="{height}" class="grid"/>')
        body.append(text(x, height + 16, number(tick), "middle"))
    body.append(text(left + (WIDTH - left - 70) / 2, height + 34, x_title, "middle", "axis"))
    for index, (name, parts) in enumerate(bars):
        y = 8 + index * row
        short = name if len(name) <= 18 else "…" + name[-17:]
        body.append(text(left - 8, y + 17, short, "end"))
        x = left
        for key in order:
            value = parts.get(key, 0)
            if value <= 0:
                continue
            tip = f"{name}\n{key}: {value_text(value)}"
            body.append(
                f'<rect x="{x:.1f}" y="{y}" width="{value * scale:.1f}" height="24" '
                f'class="part" style="fill:var({colours[key]})"><title>{escape(tip)}</title></rect>'
            )
            x += value * scale
        body.append(text(x + 6, y + 17, value_text(sum(parts.values())), "start", "value"))
    return svg(height + 42, body, label)


def lines_over_size(curves, x_title, y_title, label):
    """Both axes logarithmic. `curves`: (name, colour, [(size, value, is_law)]); law's points are
    hollow. Sizes are powers of two, values above 0."""
    sizes = sorted({size for _, _, points in curves for size, _, _ in points})
    values = [value for _, _, points in curves for _, value, _ in points]
    least, most = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    grid = [step * 10.0**power for power in range(least, most + 1) for step in (1, 2, 5)]
    first = max(i for i, line in enumerate(grid) if line <= min(values))
    last = next(i for i, line in enumerate(grid) if line >= max(values) and i > first)
    grid = grid[first : last + 1]
    low, high = math.log10(grid[0]), math.log10(grid[-1])
    top, height, right = 16, 260, 110
    span = math.log2(sizes[-1] / sizes[0]) or 1

    def x_of(size):
        return LEFT + (WIDTH - LEFT - right) * math.log2(size / sizes[0]) / span

    def y_of(value):
        return top + height * (high - math.log10(value)) / (high - low)

    body = []
    for line in grid:
        y = y_of(line)
        body.append(
            f'<line x1="{LEFT}" x2="{WIDTH - right}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
        )
        body.append(text(LEFT - 6, y + 4, number(line), "end"))
    for size in sizes:
        body.append(text(x_of(size), top + height + 16, str(size), "middle"))
    body.append(text((LEFT + WIDTH - right) / 2, top + height + 34, x_title, "middle", "axis"))
    body.append(
        f'<text transform="translate(14 {top + height / 2:.1f}) rotate(-90)" text-anchor="middle" '
        f'class="axis">{escape(y_title)}</text>'
    )
    # Names stand at the curves' ends, as far apart as letters are high.
    ends = sorted((y_of(points[-1][1]), name, colour) for name, colour, points in curves)
    y_last = -math.inf
    for y, name, colour in ends:
        y_last = max(y, y_last + 13)
        body.append(
            f'<text x="{WIDTH - right + 10}" y="{y_last + 4:.1f}" style="fill:var({colour})">'
            f"{escape(name)}</text>"
        )
    for name, colour, points in curves:
        path = " L".join(f"{x_of(size):.1f},{y_of(value):.1f}" for size, value, _ in points)
        body.append(f'<path d="M{path}" class="line" style="stroke:var({colour})"/>')
        for size, value, is_law in points:
            fill = "var(--paper)" if is_law else f"var({colour})"
            how = "law" if is_law else "synthesized"
            tip = f"{name}, {size} entries: {exact(float(value))} ({how})"
            body.append(
                f'<circle cx="{x_of(size):.1f}" cy="{y_of(value):.1f}" r="4" '
                f'style="fill:{fill};stroke:var({colour});stroke-width:1.6">'
                f"<title>{escape(tip)}</title></circle>"
            )
    return svg(top + height + 44, body, label)
