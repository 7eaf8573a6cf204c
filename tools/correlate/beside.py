#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Whole runs beside a reference: what each program comes to over all its launches.

usage: beside.py [--point AXIS=LABEL]... REFERENCE SWEEP

Prints as JSON how far the points of a sweep that have these labels, one a workload, are from the
reference's programs of their names. `warpmem reproduce` calls it; `warpmem report --reference` uses
the functions.
"""
import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

from load import ReportError  # noqa: E402

import agreement  # noqa: E402
import measured  # noqa: E402
import metrics  # noqa: E402
import readers  # noqa: E402
from reference import one_line  # noqa: E402
from result import rounded  # noqa: E402

SAME_WORK = 1  # % of the instructions, as `warpmem correlate --work` has it


class Whole:
    """A program on both sides. `values` has (measured, reference, unit) by the metric's name;
    `label` is what else tells the run apart."""

    def __init__(self, program, label, theirs, ours):
        self.program = program
        self.label = label
        self.values = {}
        for name, (value, unit) in theirs.items():
            try:
                self.values[name] = (measured.value(ours, metrics.BY_NAME[name], unit), value, unit)
            except measured.Absent:
                pass  # the totals of a run lack it, and the table has no row of it
        known = next((name for name in metrics.WORK if name in self.values), None)
        self.same_work = known is None or abs(self.error(known)) <= SAME_WORK

    def error(self, name):
        ours, theirs, _ = self.values[name]
        return agreement.error(metrics.BY_NAME[name], ours, theirs)


class OneSide:
    """A launch of the reference, in the form that agreement.total takes."""

    def __init__(self, launch):
        self.values = {name: (value, value, unit) for name, (value, unit) in launch.values.items()}


def totals(reference):
    """{program: {metric: (value, unit)}} over the launches of each program. A program that the file
    does not name is ''."""
    launches = {}
    for launch in reference.launches:
        launches.setdefault(launch.program or "", []).append(OneSide(launch))
    found = {}
    for program, sides in launches.items():
        found[program] = {}
        for metric in metrics.ALL:
            value = agreement.total(metric, sides)
            if value is not None:
                found[program][metric.name] = (value[1], sides[0].values[metric.name][2])
    return found


def run_totals(stats, histograms, config):
    """All launches of a run as one."""
    whole = {"name": "", "launch": 0, "stats": stats, "histograms": histograms}
    return measured.Launch(whole, config)


def points_at(sweep, point):
    """The points with these labels, {workload: point}; those without a result are left out."""
    for axis, label in point.items():
        if label not in sweep.axes.get(axis, []):
            raise ReportError(f"{sweep.path}: no point has {axis} {label}")
    found = {}
    for one in sweep.points:
        if any(one.labels.get(axis) != label for axis, label in point.items()) or one.problem:
            continue
        if found.setdefault(one.workload, one).run != one.run:
            text = f"{one.workload} has several runs there; name their labels"
            raise ReportError(f"{sweep.path}: {text}")
    return found


def compare(reference, sweep, point):
    """(those that both have, workloads without a counterpart in the reference)."""
    theirs = totals(reference)
    both, alone = [], []
    for workload, one in points_at(sweep, point).items():
        if workload in theirs:
            ours = run_totals(one.stats, {}, one.config)
            both.append(Whole(workload, "", theirs[workload], ours))
        else:
            alone.append(workload)
    if not both:
        raise ReportError(f"{reference.file}: none of the sweep's workloads is in it")
    return both, alone


def judged_by(wholes):
    time = agreement.time_of(wholes)
    if time is None:
        raise ReportError("not every program of the reference has a time: cycles or duration")
    return time


def document(reference, point, wholes, alone):
    time = judged_by(wholes)
    return {
        "file": reference.file,
        "kind": reference.kind,
        "point": point,
        "judged_by": time.name,
        "workloads": [
            {
                "workload": whole.program,
                "measured": rounded(whole.values[time.name][0]),
                "reference": rounded(whole.values[time.name][1]),
                "error": rounded(whole.error(time.name)),
                "same_work": whole.same_work,
            }
            for whole in wholes
        ],
        "metrics": [
            {
                "metric": row.metric.name,
                "workloads": len(row.pairs),
                "mean_error": rounded(row.mean),
                "unit": "points" if row.metric.rate else "%",
                "pearson": rounded(row.pearson),
            }
            for row in agreement.rows(wholes)
        ],
        "alone": alone,
    }


def main():
    parser = argparse.ArgumentParser(description="Whole runs beside a reference.")
    parser.add_argument("reference", metavar="REFERENCE")
    parser.add_argument("sweep", metavar="SWEEP")
    parser.add_argument("--point", action="append", default=[], metavar="AXIS=LABEL")
    arguments = parser.parse_args()
    import sweep_load  # here, since it wants the database

    try:
        point = dict(label.split("=", 1) for label in arguments.point)
        reference = readers.read(arguments.reference)
        both, alone = compare(reference, sweep_load.read_sweep(arguments.sweep), point)
        print(json.dumps(document(reference, point, both, alone), indent=1, ensure_ascii=False))
    except ReportError as error:
        print(f"warpmem: error: {one_line(str(error))}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
