# SPDX-License-Identifier: Apache-2.0
"""Tables of runs beside a reference: what somebody else counted of the same programs. The figures
are those of `warpmem correlate`, over all launches of a program."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "correlate"))

import beside  # noqa: E402
import metrics  # noqa: E402
import names  # noqa: E402
import readers  # noqa: E402
from charts import exact  # noqa: E402
from load import ReportError, readable  # noqa: E402

NOTHING = {"text": "–", "delta": ""}


def cell(whole, name):
    if name not in whole.values:
        return NOTHING
    unit = "points" if metrics.BY_NAME[name].rate else "%"
    error = f"{whole.error(name):+.1f} {unit}".replace("-", "−")
    return {
        "text": exact(round(whole.values[name][0], 6)),
        "delta": error if whole.same_work else f"{error}, other work",
    }


def of_program(theirs, program, given):
    """The reference's totals of a program. A file that names none is of the only one."""
    if program in theirs:
        return theirs[program]
    if list(theirs) == [""]:
        return theirs[""]
    known = ", ".join(theirs)
    raise ReportError(f"{given}: of {program}, which the reference does not have; it has {known}")


def about(reference):
    return {"file": readable(reference.file), "kind": reference.kind, "notes": reference.notes}


def of_runs(file, runs):
    """A table for each program: a row a metric, a column a run."""
    reference = readers.read(file)
    theirs = beside.totals(reference)
    groups = {}
    for run in runs:
        program = names.program_of(run.manifest) or run.name
        found = of_program(theirs, program, run.name)
        ours = beside.run_totals(run.stats, run.histograms, run.config)
        groups.setdefault(program, []).append(beside.Whole(program, run.name, found, ours))
    if list(theirs) == [""] and len(groups) > 1:
        raise ReportError(f"{reference.file}: it names no program, and the runs are of several")
    tables = []
    for program, wholes in groups.items():
        rows = []
        for name, (value, unit) in of_program(theirs, program, program).items():
            cells = [cell(whole, name) for whole in wholes]
            if any(one is not NOTHING for one in cells):
                rows.append({"name": name, "unit": unit, "reference": exact(round(value, 6)),
                             "cells": cells})  # fmt: skip
        tables.append(
            {"title": program, "first": "Metric", "labels": [w.label for w in wholes], "rows": rows}
        )
    return {**about(reference), "tables": tables}


def of_sweep(file, axis, labels, combinations):
    """A table for each combination of the other axes: a row a workload, a column a label."""
    reference = readers.read(file)
    theirs = beside.totals(reference)
    tables, all_wholes = [], []
    for name, points in combinations:
        found = {}
        for point in points:
            if point.workload in theirs and not point.problem:
                ours = beside.run_totals(point.stats, {}, point.config)
                label = point.labels.get(axis, "")
                whole = beside.Whole(point.workload, label, theirs[point.workload], ours)
                found.setdefault(point.workload, {})[label] = whole
                all_wholes.append(whole)
        tables.append((name, found))
    if not all_wholes:
        raise ReportError(f"{reference.file}: none of the sweep's workloads is in it")
    time = beside.judged_by(all_wholes).name
    made = []
    for name, found in tables:
        rows = []
        for workload, by_label in found.items():
            value, unit = theirs[workload][time]
            cells = [cell(by_label[x], time) if x in by_label else NOTHING for x in labels]
            rows.append({"name": workload, "unit": unit, "reference": exact(round(value, 6)),
                         "cells": cells})  # fmt: skip
        title = time + (f" · {name}" if name else "")
        made.append({"title": title, "first": "Workload", "labels": labels, "rows": rows})
    return {**about(reference), "tables": made}
