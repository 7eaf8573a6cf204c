# SPDX-License-Identifier: Apache-2.0
"""What the page says of single kernels: a table, what the SMs did, and where loads spent their
time."""
import stack
from figures import STAGE_COLOURS, legend, stage_name
from values import all_fails, fixed, percent, times, whole

MOST_KERNELS = 12  # that are drawn: those with most cycles in the first run


def kernel_names(runs):
    return list(dict.fromkeys(k.get("name", "?") for run in runs for k in run.kernels))


def rows_of(run, name):
    """The launches of that name as `kernels` of stats.json has them."""
    return [k for k in run.kernels if k.get("name", "?") == name]


def launches_of(run, name):
    return [k["stats"] for k in rows_of(run, name)]


def kernel_table(runs):
    """Rows by kernel name, launches added up."""
    rows = []
    for name in kernel_names(runs):
        cells, base = [], None
        for index, run in enumerate(runs):
            launches = launches_of(run, name)
            if not launches:
                cells.append(None)
                continue
            cycles = sum(s.get("gpu.cycles", 0) for s in launches)
            instructions = sum(s.get("gpu.thread_inst", 0) for s in launches)
            refused = [all_fails(s, "l1d") for s in launches]
            base = cycles if index == 0 else base
            accesses = sum(s.get("l1d.accesses", 0) for s in launches)
            hits = sum(s.get("l1d.hits", 0) for s in launches)
            cells.append(
                {
                    "launches": len(launches),
                    "cycles": whole(cycles) if cycles else "–",
                    "speedup": times(base / cycles)
                    if index and base and cycles and not run.other_work
                    else "",
                    "ipc": fixed(instructions / cycles) if instructions and cycles else "–",
                    "hits": percent(hits / accesses) if accesses else "–",
                    "fails": whole(sum(refused)) if None not in refused else "–",
                }
            )
        rows.append({"name": name, "cells": cells})
    return rows


def drawn_kernels(runs):
    """The names of the kernels that are drawn, in the program's order, and how many are not."""
    names = kernel_names(runs)

    def cycles(name):
        return sum(s.get("gpu.cycles", 0) for run in runs for s in launches_of(run, name))

    chosen = set(sorted(names, key=cycles, reverse=True)[:MOST_KERNELS])
    return [name for name in names if name in chosen], len(names) - len(chosen)


def bar_row(name, parts, longest, time, tip):
    """`parts`: (words, colour, value); `tip` makes the text of a value."""
    whole_value = sum(value for _, _, value in parts)
    return {
        "name": name,
        "wins": False,
        "parts": [
            {
                "colour": colour,
                "width": f"{100 * value / longest:.3f}",
                "tip": f"{name} {words}: {tip(value)}",
                "text": f"{100 * value / whole_value:.0f} %" if value >= 0.08 * longest else "",
            }
            for words, colour, value in parts
        ],
        "time": time,
    }


def stack_rows(runs, names):
    """[(kernel, [(run, Stack)])] of those that have stacks."""
    rows = []
    for name in names:
        found = []
        for run in runs:
            found.append((run, stack.of_launches(rows_of(run, name), stack.sms_of(run))))
        if all(one for _, one in found):
            rows.append((name, found))
    return rows


def mean_stages(launches):
    """Stage -> mean ns of a load request over several launches; {} when it is not recorded."""
    requests = sum(s.get("sm.load.requests", 0) for s in launches)
    if not requests:
        return {}
    sums = {}
    for stats in launches:
        for stage in STAGE_COLOURS:
            mean = stats.get(f"sm.latency.{stage}_ns", 0)
            sums[stage] = sums.get(stage, 0) + mean * stats.get("sm.load.requests", 0)
    return {stage: value / requests for stage, value in sums.items() if value}


def time_chart(runs, names):
    found = stack_rows(runs, names)
    longest = max((one.cycles for _, row in found for _, one in row), default=0)
    if not longest:
        return None
    there = {key for _, row in found for _, one in row for key in one.parts}
    groups = []
    for name, row in found:
        bars = []
        for run, one in row:
            parts = [(stack.WORDS[k], stack.COLOURS[k], v) for k, v in one.parts.items()]
            text = f"{whole(one.cycles)} cycles"
            bars.append(bar_row(run.name, parts, longest, text, lambda v: f"{whole(v)} cycles"))
        groups.append({"name": name, "bars": bars})
    return {
        "title": "What the SMs do in each kernel",
        "note": "Cycles of an average SM in use, launches of a kernel added up; all bars share one "
        "scale.",
        "legend": legend([(w, c, "") for key, c, w in stack.PARTS if key in there]),
        "groups": groups,
    }


def latency_groups(runs, names):
    means = {(n, run): mean_stages(launches_of(run, n)) for n in names for run in runs}
    longest = max((sum(stages.values()) for stages in means.values()), default=0)
    if not longest:
        return None
    there = {stage for stages in means.values() for stage in stages}
    groups = []
    for name in names:
        bars = []
        for run in runs:
            stages = means[name, run]
            parts = [
                (stage_name(stage), colour, stages[stage])
                for stage, colour in STAGE_COLOURS.items()
                if stage in stages
            ]
            text = f"{sum(stages.values()):.1f} ns" if stages else "no loads"
            bars.append(bar_row(run.name, parts, longest, text, lambda v: f"{v:.1f} ns"))
        groups.append({"name": name, "bars": bars})
    return {
        "title": "Where a load request spends its time, by kernel",
        "note": "Mean time of a load request by the stages of its way; all bars share one scale.",
        "legend": legend([(stage_name(s), c, "") for s, c in STAGE_COLOURS.items() if s in there]),
        "groups": groups,
    }


def kernel_bars(runs):
    names, left_out = drawn_kernels(runs)
    charts = [chart for chart in (time_chart(runs, names), latency_groups(runs, names)) if chart]
    for chart in charts:
        if left_out:
            chart["note"] += f" {left_out} kernels with fewer cycles are in the table only."
    return charts
