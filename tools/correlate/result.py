# SPDX-License-Identifier: Apache-2.0
"""The outcome of a comparison, and its JSON."""
import json

import agreement
import metrics
from load import ReportError
from units import whole

VERSION = 1
DIGITS = 9  # of what is divided: rounding must not differ from machine to machine


def rounded(value):
    if value is None:
        return None
    return whole(value) if float(value).is_integer() else float(f"{value:.{DIGITS}g}")


class Result:
    """`time` is the metric that launches are judged by; `launches` are the pairs, those that are
    farthest off first; `outliers` those of them that are off by more than the limit."""

    def __init__(self, reference, runs, pairs, alone, limits):
        self.reference = reference
        self.runs = runs
        self.alone = alone
        self.limits = limits  # (outlier, work) in %
        self.time = agreement.time_of(pairs)
        if self.time is None:
            raise ReportError(
                f"{reference.file}: not every launch has a time to compare: cycles, "
                "kernel_cycles or duration"
            )
        self.rows = agreement.rows(pairs)
        self.launches = sorted(pairs, key=lambda pair: -abs(self.error_of(pair)))
        self.same = [pair for pair in pairs if pair.same_work]
        self.unchecked = [pair for pair in pairs if pair.work is None]
        self.outliers = [
            pair
            for pair in self.launches
            if pair.same_work and abs(self.error_of(pair)) > limits[0]
        ]

    def error_of(self, pair):
        return agreement.error_of(pair, self.time)

    def mean_error(self):
        """Of the time; None when no launch did the same work."""
        row = next((row for row in self.rows if row.metric is self.time), None)
        return None if row is None else row.mean

    def absent(self):
        """(metric, reason, number of launches) of what a run does not have."""
        counts = {}
        for pair in self.launches:
            for name, reason in pair.absent.items():
                counts[name, reason] = counts.get((name, reason), 0) + 1
        return [(name, reason, count) for (name, reason), count in sorted(counts.items())]

    def totals(self):
        """(program or None for all, {metric: (measured, reference, error)}) of the same work."""
        programs = list(dict.fromkeys(pair.program for pair in self.same))
        groups = [(p, [pair for pair in self.same if pair.program == p]) for p in programs]
        if len(programs) > 1:
            groups.append((None, self.same))
        for program, pairs in groups:
            found = {}
            for row in self.rows:
                sums = agreement.total(row.metric, pairs)
                if sums is not None:
                    found[row.metric.name] = (*sums, agreement.error(row.metric, *sums))
            yield program, len(pairs), found


def values_of(found):
    measured, reference, error = map(rounded, found)
    return {"measured": measured, "reference": reference, "error": error}


def launch_of(result, pair):
    values = {}
    for name, (measured, theirs, unit) in pair.values.items():
        error = agreement.error_of(pair, metrics.BY_NAME[name])
        values[name] = {"unit": unit, **values_of((measured, theirs, error))}
    return {
        "program": pair.program,
        "kernel": pair.kernel,
        "launch": pair.number,
        "where": pair.where,
        "same_work": pair.same_work,
        "work_difference": rounded(pair.work),
        "outlier": pair in result.outliers,
        "values": values,
        "differing": [
            {"metric": metric.name, "error": rounded(error)}
            for metric, error in agreement.differing(pair)
        ],
    }


def row_of(row):
    name = row.metric.name
    return {
        "metric": name,
        "unit": row.worst.values[name][2],
        "error_unit": "points" if row.metric.rate else "%",
        "launches": len(row.pairs),
        "mean_error": rounded(row.mean),
        "pearson": rounded(row.pearson),
        "worst": {"launch": row.worst.label(), "error": rounded(row.worst_error)},
    }


def as_json(result):
    document = {
        "warpmem_correlation": VERSION,
        "reference": {
            "file": result.reference.file,
            "kind": result.reference.kind,
            "notes": result.reference.notes,
        },
        "runs": [{"run": run.given, "program": run.program} for run in result.runs],
        "outlier_above": result.limits[0],
        "same_work_within": result.limits[1],
        "judged_by": result.time.name,
        "launches_matched": len(result.launches),
        "launches_of_the_same_work": len(result.same),
        "launches_unchecked": len(result.unchecked),
        "metrics": [row_of(row) for row in result.rows],
        "launches": [launch_of(result, pair) for pair in result.launches],
        "totals": [
            {
                "program": program,
                "launches": count,
                "values": {name: values_of(value) for name, value in found.items()},
            }
            for program, count, found in result.totals()
        ],
        "alone": result.alone,
        "absent": [
            {"metric": name, "why": reason, "launches": count}
            for name, reason, count in result.absent()
        ],
        "unread": result.reference.unread,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"
