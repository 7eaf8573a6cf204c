# SPDX-License-Identifier: Apache-2.0
"""How evenly the instances of a unit work (`run --per-instance`): heat maps of SMs, L2 slices, DRAM
channels and their banks."""
import re
from html import escape

from markupsafe import Markup

import charts
from values import percent, run_colour

# (unit, heading, [(statistic, words, what it is a share of or "")]): what tells imbalance.
MAPS = (
    ("sm", "SM", [("ctas", "thread blocks", ""), ("warp_inst", "warp instructions", ""),
                  ("active_cycles", "cycles with a block", ""),
                  ("stall.memory", "cycles that wait for memory", "")]),
    ("l1d", "L1D", [("accesses", "accesses", ""), ("hit_rate", "hit rate", "accesses"),
                    ("reservation_fails.cycles", "reservation fails, cycles", "")]),
    ("l2", "L2 slice", [("accesses", "accesses", ""), ("hit_rate", "hit rate", "accesses"),
                        ("reservation_fails.cycles", "reservation fails, cycles", "")]),
    ("dram", "DRAM channel", [("reads", "reads", ""), ("writes", "writes", ""),
                              ("data_bus_cycles", "cycles with data", ""),
                              ("row_hit_rate", "row-hit rate", "column_commands")]),
)
BANK = re.compile(r"bank\.(\d+)\.accesses$")
LEFT, RIGHT, ROW = 190, 150, 18


def members(run, unit):
    """The statistics of each instance, in the order of their numbers; [] without."""
    document = run.observed.instances
    found = document["total"]["instances"].get(unit, []) if document else []
    return [one["stats"] for one in found]


def values_of(stats, name, base):
    """Of each instance; None where a share is one of nothing."""
    return [None if base and not one.get(base) else one[name] for one in stats]


def imbalance(values):
    """The most over the mean; None where nothing happened."""
    mean = sum(values) / len(values)
    return max(values) / mean if mean else None


def spread_text(values, share):
    known = [value for value in values if value is not None]
    if share:
        return f"{percent(min(known))} to {percent(max(known))}" if known else "none"
    found = imbalance(known)
    return f"most {found:.2f}× the mean" if found else "none"


def cells(values, top, x_of, width, y, height, tip_of):
    body = []
    for index, value in enumerate(values):
        shade = value / top if top and value else 0
        body.append(
            f'<rect x="{x_of(index):.2f}" y="{y:.1f}" width="{width:.2f}" height="{height:.1f}" '
            f'class="cell" style="fill-opacity:{shade:.3f}"><title>{escape(tip_of(index, value))}'
            "</title></rect>"
        )
    return body


def ticks_below(count, x_of, width, y):
    step = next(s for s in (1, 2, 4, 5, 8, 10, 16, 20, 32, 50, 64, 100, 128, 256, 1024)
                if s * width >= 22)
    return [charts.text(x_of(i) + width / 2, y, str(i), "middle") for i in range(0, count, step)]


def strip_map(runs, unit, heading, statistics):
    """A row for each statistic and run, a cell for each instance; None with one instance."""
    rows = []
    for name, words, share in statistics:
        having = [(index, run, members(run, unit)) for index, run in enumerate(runs)]
        having = [(i, r, values_of(m, name, share)) for i, r, m in having
                  if len(m) > 1 and all(name in s for s in m)]
        top = max((value or 0 for *_, values in having for value in values), default=0)
        if top:
            rows += [(words, share, top, index, run, values) for index, run, values in having]
    if not rows:
        return None
    count = max(len(values) for *_, values in rows)
    width = (charts.WIDTH - LEFT - RIGHT) / count
    body, y, before = [], 6, None

    def x_of(index):
        return LEFT + index * width

    for words, share, top, index, run, values in rows:
        if words != before:
            y += 6 if before else 0
            body.append(charts.text(LEFT - 20, y + 13, words, "end"))
            before = words

        def tip_of(i, value, run=run, words=words, share=share):
            shown = "–" if value is None else percent(value) if share else charts.exact(value)
            return f"{run.name}, {heading} {i}: {words} {shown}"

        body.append(f'<rect x="{LEFT - 14}" y="{y}" width="8" height="{ROW - 3}" '
                    f'style="fill:var({run_colour(index)})"/>')
        gap = 1 if width > 4 else 0
        body += cells(values, top, x_of, width - gap, y, ROW - 3, tip_of)
        body.append(charts.text(x_of(len(values)) + 8, y + 12, spread_text(values, share), "start",
                                "value"))
        y += ROW
    body += ticks_below(count, x_of, width, y + 12)
    body.append(charts.text(LEFT + count * width / 2, y + 28, heading, "middle", "axis"))
    title = f"{heading}s side by side"
    return {
        "title": title,
        "legend": [{"colour": run_colour(i), "name": r.name, "doc": ""}
                   for i, r in enumerate(runs) if members(r, unit)],
        "svg": Markup(charts.svg(y + 34, body, title)),
        "note": "The darker a cell, the more; all runs of a quantity share one scale, from 0 to "
        "its most. A row of one shade is balanced.",
    }


def bank_maps(runs):
    """Channels by banks, for each run that tells: accesses, on one scale."""
    tables = []
    for run in runs:
        channels = members(run, "dram")
        found = (BANK.match(name) for stats in channels for name in stats)
        banks = sorted({int(match[1]) for match in found if match})
        if banks and any(stats.get(f"bank.{b:02}.accesses") for stats in channels for b in banks):
            tables.append((run, banks, [[s.get(f"bank.{b:02}.accesses", 0) for b in banks]
                                        for s in channels]))
    top = max((v for *_, table in tables for row in table for v in row), default=0)
    charts_found = []
    for run, banks, table in tables:
        width = min((charts.WIDTH - LEFT - RIGHT) / len(banks), 40)
        height = max(min(16, 420 / len(table)), 3)
        body = []

        def x_of(index, width=width):
            return LEFT + index * width

        for channel, row in enumerate(table):
            y = 4 + channel * height

            def tip_of(i, value, run=run, channel=channel, banks=banks):
                return f"{run.name}, channel {channel}, bank {banks[i]}: {charts.exact(value)}"

            body += cells(row, top, x_of, width - 1, y, height - (height > 5), tip_of)
            if channel % max(1, round(14 / height)) == 0:
                body.append(charts.text(LEFT - 8, y + min(height, 12), f"channel {channel}", "end"))
        bottom = 4 + len(table) * height
        body += ticks_below(len(banks), x_of, width, bottom + 14)
        middle = LEFT + len(banks) * width / 2
        body.append(charts.text(middle, bottom + 30, "bank", "middle", "axis"))
        every = [v for row in table for v in row]
        title = f"{run.name}: column commands of each DRAM bank"
        charts_found.append(
            {
                "title": title,
                "legend": [],
                "svg": Markup(charts.svg(bottom + 36, body, title)),
                "note": f"The busiest bank has {imbalance(every):.2f}× the mean. A dark column or "
                "row is camping: addresses that fall on few banks or channels."
                + (" All runs share one scale." if len(tables) > 1 else ""),
            }
        )
    return charts_found


def heat_maps(runs):
    """Charts of all units of which a run has several; [] when no run tells."""
    strips = [strip_map(runs, *one) for one in MAPS]
    return [chart for chart in strips if chart] + bank_maps(runs)
