# SPDX-License-Identifier: Apache-2.0
"""What the page of a comparison says, in the order of the template's names."""
from markupsafe import Markup

import agreement
import metrics
from scatter import drawable, scatter
from text import amount, coefficient, counters_of, plain, signed
from values import run_colour

MOST_COUNTERS = 12
# Columns of the table of launches, as far as the reference has them.
COLUMNS = ("ipc", "warp_ipc", "l1d.accesses", "l1d.reads", "l1d.hit_rate", "l2.accesses",
           "l2.hit_rate", "dram.read_bytes", "dram.write_bytes", "dram.reads", "dram.writes",
           "load_latency", "memory_latency")  # fmt: skip


def cell(pair_values, metric, error):
    ours, theirs = pair_values[:2]
    return {
        "measured": amount(ours, metric),
        "reference": amount(theirs, metric),
        "error": signed(error, metric),
    }


def metric_rows(result):
    return [
        {
            "name": row.metric.name,
            "unit": row.worst.values[row.metric.name][2],
            "launches": len(row.pairs),
            "mean": plain(row.mean, row.metric),
            "pearson": coefficient(row.pearson),
            "worst": signed(row.worst_error, row.metric) if row.worst_error else "–",
            "where": row.worst.label() if row.worst_error else "",
        }
        for row in result.rows
    ]


def outlier_rows(result):
    return [
        {
            "label": pair.label(),
            "kernel": pair.kernel,
            "time": cell(pair.values[result.time.name], result.time, result.error_of(pair)),
            "counters": counters_of(pair, MOST_COUNTERS),
        }
        for pair in result.outliers
    ]


def shown_columns(result):
    having = {name for pair in result.launches for name in pair.values}
    return [metrics.BY_NAME[name] for name in COLUMNS if name in having]


def launch_rows(result, columns):
    rows = []
    for pair in result.launches:
        cells = [
            cell(pair.values[m.name], m, agreement.error_of(pair, m))
            if m.name in pair.values
            else None
            for m in (result.time, *columns)
        ]
        work = "" if pair.same_work else f"different work: {pair.work:.1f} % of the instructions"
        if pair.work is None:
            work = "work not checked"
        rows.append({"label": pair.label(), "kernel": pair.kernel, "cells": cells, "work": work})
    return rows


def total_rows(result, columns):
    rows = []
    for program, count, found in result.totals():
        cells = [
            cell(found[m.name], m, found[m.name][2]) if m.name in found else None
            for m in (result.time, *columns)
        ]
        rows.append({"label": program or "all", "launches": count, "cells": cells})
    return rows


def plots(result):
    programs = list(dict.fromkeys(run.program for run in result.runs))
    found = []
    for metric in metrics.ALL:
        points, unit = [], ""
        for pair in result.launches:
            if metric.name in pair.values:
                ours, theirs, unit = pair.values[metric.name]
                colour = run_colour(programs.index(pair.program))
                points.append((pair.label(), ours, theirs, colour, pair.same_work))
        svg = scatter(metric, unit, points, f"{metric.name}: measured against reference")
        left_out = len(points) - len(drawable(metric, points))
        if points:
            found.append(
                {
                    "title": metric.name,
                    "svg": Markup(svg) if svg else None,
                    "note": f"{left_out} with a 0 not drawn" if left_out else "",
                }
            )
    legend = [{"colour": run_colour(i), "name": name} for i, name in enumerate(programs)]
    return found, legend


def page(result, title):
    columns = shown_columns(result)
    charts, legend = plots(result)
    judged = next((row for row in result.rows if row.metric is result.time), None)
    return {
        "title": title or "warpmem: runs beside " + result.reference.file.rsplit("/", 1)[-1],
        "reference": result.reference,
        "runs": result.runs,
        "alone": result.alone,
        "time": result.time.name,
        "outlier": f"{result.limits[0]:g}",
        "work": f"{result.limits[1]:g}",
        "matched": len(result.launches),
        "same": len(result.same),
        "unchecked": len(result.unchecked),
        "mean": plain(judged.mean, result.time) if judged else "–",
        "pearson": coefficient(judged.pearson) if judged else "–",
        "metrics": metric_rows(result),
        "outliers": outlier_rows(result),
        "columns": [result.time.name, *(metric.name for metric in columns)],
        "launches": launch_rows(result, columns),
        "totals": total_rows(result, columns),
        "plots": charts,
        "legend": legend,
        "absent": result.absent(),
        "unread": result.reference.unread,
    }
