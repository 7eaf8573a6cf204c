# SPDX-License-Identifier: Apache-2.0
"""What the page of a sweep says."""
import csv
import difflib
import io
import itertools
import pathlib
import re
import urllib.parse

from markupsafe import Markup

import costs
import knees
import reference_table
from load import ReportError
from sweep_bars import COLOURS, bar_style, grouped_bars
from sweep_figures import Figure, config_differences
from sweep_lines import MORE_IS_BETTER, curves, numeric, over_area, verdict
from sweep_load import metric_value
from sweep_shares import share_charts
from values import join

METRICS = (
    "gpu.ipc",
    "l1d.hit_rate",
    "l1d.reservation_fails.cycles",
    "l1d.mshr.utilization",
    "l2.hit_rate",
    "dram.row_conflicts",
    "dram.blp",
    "dram.efficiency",
)


def choose_axis(sweep, wanted):
    if wanted is not None:
        if wanted not in sweep.axes:
            known = ", ".join(sweep.axes) or "none"
            raise ReportError(f"{sweep.path}: no axis '{wanted}'; axes of this sweep: {known}")
        return wanted
    several = [axis for axis, labels in sweep.axes.items() if len(labels) > 1]
    return (several or list(sweep.axes) or [None])[0]


def choose_baseline(sweep, axis, labels, wanted):
    if wanted is None:
        return labels[0]
    if wanted not in labels:
        raise ReportError(
            f"{sweep.path}: axis '{axis}' has no label '{wanted}'; its labels: {', '.join(labels)}"
        )
    return wanted


def choose_metrics(sweep, wanted):
    """The metrics to draw, and those of the default list that no run has."""
    there, absent = [], []
    for metric in dict.fromkeys(wanted or METRICS):
        found = any(metric_value(point, metric) is not None for point in sweep.points)
        (there if found else absent).append(metric)
    if wanted and absent and any(point.stats for point in sweep.points):
        names = {name for point in sweep.points for name in point.stats}
        near = difflib.get_close_matches(absent[0], names, 3, 0.5)
        hint = f"; nearest: {', '.join(near)}" if near else ""
        raise ReportError(f"{sweep.path}: no run has a statistic '{absent[0]}'{hint}")
    return there, absent


def csv_link(rows):
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(rows)
    return "data:text/csv;charset=utf-8," + urllib.parse.quote(buffer.getvalue())


def table(figure, cells_of, means, name, file):
    """A table of cells; the CSV has full precision, and the reason where there is no number."""
    lines = [(w, cells_of[w], "") for w in figure.workloads]
    lines += [(title, cells, f"of {len(found)}") for title, cells, found in means]
    rows = [["workload"] + [label or figure.metric for label in figure.labels]]
    shown = []
    for title, cells, note in lines:
        row = [cells[label] for label in figure.labels]
        rows.append([title] + [c.reason if c.value is None else repr(c.value) for c in row])
        shown.append(
            {
                "name": title,
                "note": note,
                "cells": [
                    {"text": "–" if c.value is None else f"{c.value:,.6g}", "why": c.reason}
                    for c in row
                ],
            }
        )
    safe = re.sub(r"[^\w.+-]+", "_", file) + ".csv"
    return {"name": name, "labels": rows[0][1:], "rows": shown, "csv": csv_link(rows), "file": safe}


def notes_of(figure):
    """Sentences about what a chart does not show."""
    notes = []
    gone = {}
    for workload in figure.workloads:
        for label in figure.labels:
            cell = figure.ratios[workload][label]
            if cell.value is None:
                gone.setdefault(cell.reason, {}).setdefault(workload, []).append(label)
    for reason, places in gone.items():
        where = [
            workload if len(labels) == len(figure.labels) else f"{workload} ({', '.join(labels)})"
            for workload, labels in places.items()
        ]
        notes.append(f"Absent, {reason}: {join(where)}.")
    zeros = [w for w, why in figure.excluded.items() if "logarithm" in why]
    if zeros and figure.means:
        notes.append(f"In no geometric mean, for a bar of 0 has no logarithm: {join(zeros)}.")
    return notes


def chart_of(sweep, figure, combination):
    title = figure.metric + (f" · {combination}" if combination else "")
    several = len(figure.labels) > 1
    over = f"{figure.metric} ÷ {figure.baseline}" if several else figure.metric
    groups = [(w, figure.ratios[w] if several else figure.raw[w], False) for w in figure.workloads]
    groups += [(name, cells, True) for name, cells, _ in figure.means]
    note = over + ("; the dashed line is the baseline, 1." if several else ".")
    for name, _, found in figure.means[-1:]:
        note += f" Geometric mean over {len(found)} of {len(figure.workloads)} workloads, those "
        note += "with a value above 0 for every bar."
    if len(figure.means) > 1:
        note += f" Those by {sweep.class_word} (gm) are over the same workloads."
    svg = grouped_bars(groups, figure.labels, over, title, 1 if several else None)
    tables = [table(figure, figure.raw, [], "Values", title)]
    if several:
        file = f"{title} over {figure.baseline}"
        tables.append(table(figure, figure.ratios, figure.means, f"Over {figure.baseline}", file))
    drawn = any(c.value is not None for _, cells, _ in groups for c in cells.values())
    notes = notes_of(figure) if several else []
    return {
        "title": title,
        "note": note if drawn else "Not drawn: there is no value to draw.",
        "notes": notes,
        "svg": Markup(svg) if drawn else None,
        "tables": tables,
    }


def combinations(sweep, axis):
    """The points for each combination of labels of the other axes, and its name."""
    others = [a for a in sweep.axes if a != axis and len(sweep.axes[a]) > 1]
    for chosen in itertools.product(*(sweep.axes[a] for a in others)):
        points = [
            p
            for p in sweep.points
            if all(p.labels.get(a) == label for a, label in zip(others, chosen))
        ]
        if points:
            yield ", ".join(f"{a} {label}" for a, label in zip(others, chosen)), points


def figures(sweep, metrics, axis, labels, baseline, documents, found):
    charts = []
    for metric in metrics:
        for name, points in combinations(sweep, axis):
            figure = Figure(sweep, metric, axis, baseline, points, labels)
            chart = chart_of(sweep, figure, name)
            chart["curves"] = curves(figure, axis, found)
            chart["verdict"] = verdict(figure, axis)
            chart["where"] = name
            drawn = documents and metric in MORE_IS_BETTER
            chart["over_area"] = over_area(figure, points, axis, documents) if drawn else None
            charts.append(chart)
    return charts


def check_documents(sweep, documents):
    """Results of `synth --configured` must belong to points of the sweep."""
    for document in documents:
        if not costs.is_configured(document):
            raise ReportError(f"{document['path']}: a sweep takes results of synth --configured")
        if not any(p.config and costs.belongs_to(p, document) for p in sweep.points):
            raise ReportError(f"{document['path']}: no point of the sweep is configured so")


def shares(sweep, axis):
    """Charts that divide a whole, with their SVG as markup."""
    found = []
    for name, points in combinations(sweep, axis):
        found += share_charts(points, axis, name)
    return [{**chart, "svg": Markup(chart["svg"])} for chart in found]


def problem_rows(sweep):
    return [
        {"workload": p.shown, "labels": [p.labels.get(a, "") for a in sweep.axes], "why": p.problem}
        for p in sweep.points
        if p.problem
    ]


def every_point(sweep):
    """CSV of everything: one row a point, one column a statistic."""
    names = sorted({name for point in sweep.points for name in point.stats})
    rows = [["workload", "arguments", *sweep.axes, "status", *names]]
    for p in sweep.points:
        labels = [p.labels.get(axis, "") for axis in sweep.axes]
        values = [repr(p.stats[name]) if name in p.stats else "" for name in names]
        rows.append([p.workload, p.arguments, *labels, p.problem or "complete", *values])
    return csv_link(rows)


def page(
    sweep, title, wanted_metrics, wanted_baseline, wanted_axis, reference="", documents=(),
    answer=(), found=knees.NONE,
):
    check_documents(sweep, documents)
    axis = choose_axis(sweep, wanted_axis)
    if axis and answer:  # not all points ran, so the labels come in the order of those that did
        numbers = numeric(sweep.axes[axis])
        sweep.axes[axis] = sorted(sweep.axes[axis], key=lambda label: numbers.get(label, 0))
    labels = list(sweep.axes[axis]) if axis else [""]
    baseline = choose_baseline(sweep, axis, labels, wanted_baseline)
    metrics, absent = choose_metrics(sweep, wanted_metrics)
    problems = problem_rows(sweep)
    file = pathlib.PurePath(sweep.about.get("file") or sweep.path).name
    return {
        "title": title or sweep.about.get("title") or f"Sweep {file}",
        "file": file,
        "version": sweep.about.get("warpmem", "unknown version"),
        "points": len(sweep.points),
        "runs": len({p.run for p in sweep.points}),
        "workloads": len({p.shown for p in sweep.points}),
        "axes": sweep.axes,
        "axis": axis,
        "labels": labels,
        "baseline": baseline,
        "legend": [
            {
                "name": label,
                "style": bar_style(i).replace("fill:", "background:").split(";")[0],
                "again": i >= COLOURS,
            }
            for i, label in enumerate(labels)
        ],
        "answer": list(answer),
        "within": f"{100 * found.within:g}",
        "charts": figures(sweep, metrics, axis, labels, baseline, documents, found),
        "shares": shares(sweep, axis),
        "absent": absent,
        "problems": problems,
        "failed": sum(p["why"] != "not run yet" for p in problems),
        "waiting": sum(p["why"] == "not run yet" for p in problems),
        "differing": config_differences(sweep.points, axis, labels) if len(labels) > 1 else [],
        "configs": any(p.config for p in sweep.points),
        "everything": every_point(sweep),
        "reference": reference_table.of_sweep(
            reference, axis, labels, combinations(sweep, axis)
        )
        if reference
        else None,
        "everything_file": re.sub(r"[^\w.+-]+", "_", sweep.path.stem) + ".csv",
    }
