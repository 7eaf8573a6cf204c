# SPDX-License-Identifier: Apache-2.0
"""What the miss handlers of each run cost: results of `warpmem synth --configured --json`, found by
the configuration that they were made for."""
from html import escape

from markupsafe import Markup

import charts
from load import ReportError
from values import change, join, run_colour

LEVELS = {"l1d": "L1D", "l2": "L2"}


def is_configured(document):
    return "handlers" in document


def belongs_to(run, document):
    return all(
        run.config.get(key) == value
        for handler in document["handlers"]
        for key, value in handler["keys"].items()
    )


class Cost:
    """Of all miss handlers of a machine: mm², MHz of the slowest, mW at their own clocks."""

    def __init__(self, document):
        handlers = document["handlers"]
        self.handlers = {LEVELS[h["level"]]: h for h in handlers}
        self.area = sum(h["area_um2"] * h["copies"] for h in handlers) / 1e6
        self.clock = min(h["fmax_mhz"] for h in handlers)
        self.power = sum(h["power_mw"] * h["copies"] for h in handlers)
        self.by_law = any(h["by_law"] for h in handlers)


def costs_of(runs, documents):
    """Run -> Cost. Raises ReportError when a result belongs to no run, or two to one."""
    libraries = {(d["library"], d["node_nm"]) for d in documents}
    if len(libraries) > 1:
        told = join(sorted(f"{name} at {node:g} nm" for name, node in libraries))
        raise ReportError(f"--synth: areas of different libraries cannot be compared: {told}")
    found = {}
    for document in documents:
        mine = [run for run in runs if belongs_to(run, document)]
        if not mine:
            kinds = join(f"{h['level']} {h['kind']}" for h in document["handlers"])
            raise ReportError(f"{document['path']}: no run is configured so ({kinds})")
        for run in mine:
            if run in found:
                raise ReportError(f"{document['path']}: {run.name} has another result already")
            found[run] = Cost(document)
    return found


def size_of(handler):
    what = "sets" if handler["kind"] == "dl" else "entries"
    return f"{handler['entries']} {what} of {handler['slots']}"


def power_text(milliwatts):
    watts = milliwatts >= 1000
    return f"{milliwatts / 1000:.3g}\u00a0W" if watts else f"{milliwatts:.3g}\u00a0mW"


def cost_table(runs, costs):
    """Rows of the first screen's table; [] without results."""
    base = costs.get(runs[0])
    rows = []
    for run in runs if costs else []:
        cost = costs.get(run)
        if cost is None:
            rows.append({"name": run.name, "cells": ["not synthesized", "", "", "", ""]})
            continue
        delta = change(cost.area, base.area) if base and run is not runs[0] else ""
        ipc = run.stats.get("gpu.ipc")
        rows.append(
            {
                "name": run.name,
                "cells": [
                    f"{cost.area:.3g} mm²" + (f" ({delta})" if delta else ""),
                    "; ".join(
                        f"{level} {h['area_um2']:,.0f} µm² ({size_of(h)}) × {h['copies']}"
                        for level, h in cost.handlers.items()
                    ),
                    f"{cost.clock:.0f}\u00a0MHz",
                    power_text(cost.power),
                    f"{ipc / cost.area:.3g} a mm²" if ipc else "–",
                ],
            }
        )
    return rows


def library_text(documents, costs):
    """Where the figures come from; "" without results."""
    if not documents:
        return ""
    first = documents[0]
    text = f"Miss handlers of all SMs and L2 slices, library {first['library']}"
    text += f" at {first['node_nm']:g} nm; slots are memory macros, estimated, and power is that of"
    text += " a request and a return a cycle."
    if any(cost.by_law for cost in costs.values()):
        text += " Handlers of more than 32 entries follow a law through smaller ones."
    return text


def area_chart(runs, costs):
    """IPC over area; None with fewer than two marks."""
    marks = [
        (index, run.name, costs[run].area, run.stats["gpu.ipc"])
        for index, run in enumerate(runs)
        if run in costs and "gpu.ipc" in run.stats
    ]
    return scatter(marks, "thread instructions a cycle", "IPC over the area of the miss handlers")


def scatter(marks, y_title, title):
    """`marks`: (index, name, mm², value). None with fewer than two different places."""
    if len({(area, value) for _, _, area, value in marks}) < 2:
        return None
    widest = max(area for _, _, area, _ in marks)
    best = max(value for *_, value in marks)
    x_title = "area of all miss handlers, mm²"
    frame = charts.Frame(16, 240, 1.15 * widest, 1.1 * best, x_title, y_title)
    body = frame.draw(True)
    front = pareto([(area, value) for _, _, area, value in marks])
    path = " L".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in front)
    body.append(f'<path d="M{path}" class="line dashed" style="stroke:var(--soft)"/>')
    for index, name, area, value in marks:
        tip = f"{name}: {value:.4g}, {area:.3g} mm²"
        body.append(
            f'<circle cx="{frame.x(area):.1f}" cy="{frame.y(value):.1f}" r="6" class="part" '
            f'style="fill:var({run_colour(index)})"><title>{escape(tip)}</title></circle>'
        )
        body.append(charts.text(frame.x(area) + 9, frame.y(value) - 7, name[:24]))
    return {
        "title": title,
        "legend": [{"colour": run_colour(i), "name": name, "doc": ""} for i, name, *_ in marks],
        "svg": Markup(charts.svg(frame.top + frame.height + 44, body, title)),
        "note": "Up and to the left is better. The dashed line joins those that no other beats in "
        "both.",
    }


def pareto(marks):
    """The marks (area, value) that no other has less area and more value than, by area."""
    front = []
    for area, value in sorted(set(marks), key=lambda mark: (mark[0], -mark[1])):
        if not front or value > front[-1][1]:
            front.append((area, value))
    return front
