# SPDX-License-Identifier: Apache-2.0
"""The comparison table: one row a quantity, one column a run."""
from values import (
    CACHES,
    CAUSES,
    all_fails,
    change,
    fails,
    first,
    fixed,
    hit_rate,
    mean_load_latency,
    other_stalls,
    percent,
    times,
    whole,
)


def metrics(runs):
    """(label, explanation, function of a run, format, whether more is better or None)."""

    def stat(*names):
        return lambda run: first(run.stats, *names)

    base_cycles = first(runs[0].stats, "gpu.cycles")
    rows = [
        ("Machine", None, None, None, None),
        (
            "Cycles",
            "SM clock cycles until the last thread block ended",
            stat("gpu.cycles"),
            whole,
            False,
        ),
        (
            "Speed-up",
            "cycles of the first run ÷ cycles of this run",
            lambda r: base_cycles / r.stats["gpu.cycles"]
            if base_cycles and r.stats.get("gpu.cycles") and not r.other_work
            else None,
            times,
            True,
        ),
        (
            "IPC, instructions a cycle",
            "thread instructions per cycle, all SMs",
            stat("gpu.ipc"),
            fixed,
            True,
        ),
        (
            "Warp instructions",
            "instructions issued, one per warp of 32 threads",
            stat("gpu.warp_inst", "sm.warp_inst"),
            whole,
            None,
        ),
        (
            "Mean load latency, cycles",
            "from the issue of a load to its last response",
            mean_load_latency,
            fixed,
            False,
        ),
    ]
    for key, name in CACHES:
        rows += [
            (name, None, None, None, None),
            (
                "Accesses, requests",
                "requests accepted; refused attempts do not count",
                stat(f"{key}.accesses"),
                whole,
                None,
            ),
            ("Hit rate", "hits ÷ accesses", lambda r, k=key: hit_rate(r.stats, k), percent, True),
            (
                "Primary misses, requests",
                "first miss of a line: takes an MSHR entry and asks the next level",
                stat(f"{key}.primary_misses"),
                whole,
                None,
            ),
            (
                "Secondary misses, requests",
                "miss of a line already asked for: merged in its MSHR entry",
                stat(f"{key}.secondary_misses"),
                whole,
                None,
            ),
            (
                "Reservation fails, cycles",
                "cycles in which the request at the head was refused",
                lambda r, k=key: all_fails(r.stats, k),
                whole,
                False,
            ),
        ]
        seen = {c for r in runs for c in fails(r.stats, key)}
        for cause in [c for c in CAUSES if c in seen] + sorted(seen - set(CAUSES)):
            rows.append(
                (
                    f"– {cause}",
                    CAUSES.get(cause, ("", ""))[1],
                    lambda r, k=key, c=cause: fails(r.stats, k).get(c),
                    whole,
                    False,
                )
            )
        rows += [
            (
                "Requests ever refused",
                "added up over the causes: refused for two causes counts in both",
                lambda r, k=key: all_fails(r.stats, k, "requests"),
                whole,
                False,
            ),
            (
                "Other stalls, cycles",
                "head stopped for what is not a reservation fail, such as a line being filled",
                lambda r, k=key: other_stalls(r.stats, k),
                whole,
                False,
            ),
            (
                "MSHR utilisation",
                "occupied slots ÷ all slots, time average",
                stat(f"{key}.mshr.utilization"),
                percent,
                None,
            ),
            (
                "MSHR peak, slots",
                "most slots occupied at once in one cache",
                stat(f"{key}.mshr.peak"),
                whole,
                None,
            ),
            (
                "MSHR comparator activations, entries",
                "entries compared in look-ups: the power figure",
                stat(f"{key}.mshr.comparator_activations"),
                whole,
                False,
            ),
            (
                "Bypasses, requests",
                "sent around the cache",
                stat(f"{key}.bypasses"),
                whole,
                None,
            ),
        ]
    rows += [
        ("DRAM", None, None, None, None),
        (
            "Row-hit rate",
            "column commands that found their row open",
            stat("dram.row_hit_rate"),
            percent,
            True,
        ),
        (
            "Efficiency",
            "data-bus cycles ÷ cycles with a request pending",
            stat("dram.efficiency"),
            percent,
            True,
        ),
        (
            "Bank-level parallelism, banks",
            "banks busy at once, while any is",
            stat("dram.blp"),
            fixed,
            True,
        ),
    ]
    return rows


def comparison(runs):
    """Rows of the comparison table, the labels of those that no run has, and of those that are 0 in
    every run."""
    rows, absent, zeros, group = [], [], [], None
    for label, doc, function, form, better in metrics(runs):
        if function is None:
            group = label
            continue
        values = [function(run) for run in runs]
        if all(value is None for value in values):
            absent.append(f"{group}: {label}")
            continue
        if not any(values):
            zeros.append(f"{group}: {label.removeprefix('– ')}")
            continue
        cells = []
        for index, value in enumerate(values):
            compared = index and form is not times and not runs[index].other_work
            delta = change(value, values[0]) if compared else ""
            tone = ""
            if delta and better is not None and not delta.startswith("±"):
                tone = "good" if (value > values[0]) == better else "bad"
            cells.append(
                {"text": "–" if value is None else form(value), "delta": delta, "tone": tone}
            )
        rows.append({"group": group, "label": label, "doc": doc, "cells": cells})
        group_rows = [r for r in rows if r["group"] == group]
        rows[-1]["first"] = len(group_rows) == 1
    return rows, absent, zeros
