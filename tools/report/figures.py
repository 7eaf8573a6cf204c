# SPDX-License-Identifier: Apache-2.0
"""The charts of the page: each a title, a legend, SVG, and a sentence that says what to look at.

A chart without data has a sentence that names the statistic that is absent.
"""

from markupsafe import Markup

import charts
from values import (
    CACHES,
    CAUSES,
    fail_series,
    fails,
    hertz,
    occupancy_series,
    run_colour,
    whole,
)

# In the order of a request's way; tlb to transfer only with unified virtual memory.
STAGE_COLOURS = {
    "coalescer": "--s-lsu",
    "tlb": "--s-translation",
    "walk": "--s-unit",
    "fault": "--s-drain",
    "transfer": "--s-launch",
    "l1d_queue": "--s-l1d",
    "mshr_wait": "--s-mshr",
    "crossbar": "--s-crossbar",
    "l2_queue": "--s-barrier",
    "l2_access": "--s-l2",
    "dram_queue": "--s-issue",
    "dram_service": "--s-dram",
    "response_path": "--s-result",
    "writeback": "--s-bulk",
}


def legend(entries):
    return [{"colour": colour, "name": name, "doc": doc} for name, colour, doc in entries]


def absent_chart(title, what):
    return {
        "title": title,
        "svg": None,
        "note": f"Not drawn: these runs have no {what}.",
        "legend": [],
    }


def cause_style(causes):
    order = [c for c in CAUSES if c in causes] + sorted(set(causes) - set(CAUSES))
    spare = ["--c6", "--c7", "--s-mshr", "--s-result"]
    colours = {}
    for cause in order:
        colours[cause] = CAUSES[cause][0] if cause in CAUSES else spare[len(colours) % len(spare)]
    entries = [(c, colours[c], CAUSES.get(c, ("", ""))[1]) for c in order]
    return order, colours, legend(entries)


def refused_chart(runs, key, name):
    """The cycles in which a cache refused, a bar a run."""
    title = f"{name}: reservation fails by cause"
    bars = [(run.name, fails(run.stats, key)) for run in runs]
    if not any(parts for _, parts in bars):
        return absent_chart(title, f"statistic {key}.reservation_fails.*")
    if not any(sum(parts.values()) for _, parts in bars):
        return {
            "title": title,
            "svg": None,
            "legend": [],
            "note": f"No request was ever refused at {name}: nothing to draw.",
        }
    causes = {c for _, parts in bars for c, v in parts.items() if v}
    order, colours, entries = cause_style(causes)
    axis = f"cycles in which a request was refused, all {name}s"
    return {
        "title": title,
        "legend": entries,
        "svg": Markup(charts.stacked_bars(bars, order, colours, axis, title)),
        "note": "The longer the bar, the longer requests stood before a full structure; "
        "the widest colour names what ran out most.",
    }


def fail_panel(run, found):
    """A run's series by cause, in the longest of their intervals."""
    interval = max((s["interval"] for s in found.values()), default=1)
    points = {c: rescaled(s, interval) for c, s in found.items()}
    return run.name, interval, points, end_of_run(run, found.values())


def refusing_chart(runs, key, name):
    """How many of a level's caches refused over time; None where none ever did."""
    title = f"{name}: reservation fails over time"
    series = [(run, fail_series(run, key)) for run in runs]
    if not any(found for _, found in series):
        return absent_chart(title, f"series {key}.reservation_fails.*.over_time")
    series = [(run, {c: s for c, s in found.items() if any(s["points"])}) for run, found in series]
    if not any(found for _, found in series):
        return None
    panels = [fail_panel(run, found) for run, found in series]
    order, colours, entries = cause_style({c for _, found in series for c in found})
    time = time_axis(s for _, found in series for s in found.values())
    svg = charts.stacked_over_time(panels, order, colours, time, f"{name}s refusing", title)
    return {
        "title": title,
        "legend": entries,
        "svg": Markup(svg),
        "note": f"Height: how many {name}s refused their head request, on average over each "
        "interval. All runs share both axes, so a panel that ends earlier finished "
        "earlier; look for the phases that stay high.",
    }


def fail_charts(runs):
    for key, name in CACHES:
        yield refused_chart(runs, key, name)
        over_time = refusing_chart(runs, key, name)
        if over_time:
            yield over_time


CLOCKS = {"sm": "SM", "noc": "crossbar", "l2": "L2", "dram": "DRAM"}


def time_axis(all_series):
    clock = next((s["clock"] for s in all_series if s.get("clock")), "sm")
    return f"time, {CLOCKS.get(clock, clock)} cycles"


def end_of_run(run, all_series):
    """In cycles of the clock that the series count in; None when the run does not tell."""
    cycles = run.stats.get("gpu.cycles")
    clock = next((s["clock"] for s in all_series if s.get("clock")), "sm")
    if not cycles or clock == "sm":
        return cycles
    rates = [hertz(run.config.get(f"{name}.clock")) for name in (clock, "sm")]
    return cycles * rates[0] / rates[1] if all(rates) else None


def rescaled(series, interval):
    """Points in intervals of `interval`, a multiple of the series' own."""
    factor = max(interval // series["interval"], 1)
    points = series["points"]
    return [sum(points[i : i + factor]) for i in range(0, len(points), factor)]


def capacity(run, key):
    """Slots of all MSHR files of one level, from the configuration; None when it does not say."""
    counts = {"l1d": "sm.count", "l2": "memory.partitions"}
    mshr = f"{key}.mshr"
    parts = [("entries", "slots")]
    if run.config.get(f"{mshr}.kind") == "htsma":
        parts.append(("small_entries", "small_slots"))
    try:
        files = int(run.config[counts[key]])
        if key == "l2":
            files *= int(run.config.get("l2.slices", 1))
        return files * sum(
            int(run.config[f"{mshr}.{entries}"]) * int(run.config[f"{mshr}.{slots}"])
            for entries, slots in parts
        )
    except (KeyError, ValueError):
        return None


def occupancy_charts(runs):
    for key, name in CACHES:
        title = f"{name}: MSHR slots in use over time"
        curves, found = [], []
        for index, run in enumerate(runs):
            series = occupancy_series(run, key)
            if series:
                found.append(series)
                curves.append(
                    (
                        run.name,
                        run_colour(index),
                        series["interval"],
                        series["points"],
                        end_of_run(run, [series]),
                    )
                )
        if not curves:
            yield absent_chart(title, f"series {key}.mshr.occupancy")
            continue
        slots = {capacity(run, key) for run in runs} - {None}
        limit = (
            (slots.copy().pop(), f"all slots: {whole(slots.pop())}") if len(slots) == 1 else None
        )
        yield {
            "title": title,
            "legend": legend([(n, c, "") for n, c, *_ in curves]),
            "svg": Markup(
                charts.lines_over_time(
                    curves, time_axis(found), f"slots in use, all {name}s", title, limit
                )
            ),
            "note": "A higher curve means more misses in flight at once. A curve that is flat at "
            "its top while requests are refused is limited by the MSHRs"
            + (f"; all runs have {whole(limit[0])} slots." if limit else "."),
        }


def stage_name(key):
    """l1d_queue -> L1D queue"""
    known = {"l1d": "L1D", "l2": "L2", "mshr": "MSHR", "dram": "DRAM", "tlb": "TLB"}
    return " ".join(known.get(word, word) for word in key.split("_"))


def latency_chart(runs):
    title = "Where a load request spends its time"
    bars, docs = [(run.name, {}) for run in runs], {}
    colours = {}
    for stage, colour in STAGE_COLOURS.items():
        name, part = f"sm.latency.{stage}_ns", stage_name(stage)
        for run, (_, parts) in zip(runs, bars):
            if name not in run.stats:
                continue
            parts[part] = run.stats[name]
            docs[part] = run.units.get(name, {}).get("doc", "").split(": ")[-1]
            colours[part] = colour
    if not docs:
        return absent_chart(title, "statistic sm.latency.*_ns")
    order = list(docs)
    return {
        "title": title,
        "legend": legend([(part, colours[part], docs[part]) for part in order]),
        "svg": Markup(
            charts.stacked_bars(
                bars,
                order,
                colours,
                "mean time of a load request, ns",
                title,
                lambda v: f"{v:.1f} ns",
            )
        ),
        "note": "Each colour is one stage on the way of a request, in order. A scheme that removes "
        "reservation fails shortens the wait before L1D, and may lengthen the queues behind it.",
    }
