# SPDX-License-Identifier: Apache-2.0
"""Numbers of one figure of a sweep: values, values over the baseline, geometric means."""
import math

from sweep_load import metric_value


class Cell:
    """A number, or the reason why there is none."""

    def __init__(self, value=None, reason=""):
        self.value, self.reason = value, reason


class Figure:
    """One metric, one combination of the other axes: rows are workloads, columns labels of `axis`.

    `raw` and `ratios`: workload -> label -> Cell. `means`: [(name, label -> Cell, workloads)].
    `excluded`: workload -> why it is in no geometric mean.
    """

    def __init__(self, sweep, metric, axis, baseline, points, labels):
        self.metric, self.axis, self.baseline, self.labels = metric, axis, baseline, labels
        self.workloads = list(dict.fromkeys(point.shown for point in points))
        self.base_names = {point.shown: point.workload for point in points}
        self.raw = self.raw_values(points)
        self.ratios = {w: {l: self.ratio(w, l) for l in labels} for w in self.workloads}
        self.excluded = {}
        for workload in self.workloads:
            for label in labels:
                cell = self.ratios[workload][label]
                if cell.value is None or cell.value <= 0:
                    why = cell.reason if cell.value is None else "0 has no logarithm"
                    self.excluded[workload] = f"{label}: {why}"
                    break
        self.means = self.all_means(sweep)

    def raw_values(self, points):
        cells = {}
        for point in points:
            label = point.labels.get(self.axis, "") if self.axis else ""
            value = metric_value(point, self.metric)
            if point.problem:
                cell = Cell(reason=point.problem)
            elif value is None or not math.isfinite(value):
                cell = Cell(reason=f"no statistic {self.metric}")
            else:
                cell = Cell(value)
            cells.setdefault(point.shown, {})[label] = cell
        for workload in self.workloads:
            for label in self.labels:
                cells[workload].setdefault(label, Cell(reason="no such point"))
        return cells

    def ratio(self, workload, label):
        cell = self.raw[workload][label]
        base = self.raw[workload][self.baseline]
        if cell.value is None:
            return cell
        if base.value is None:
            return Cell(reason=f"baseline {self.baseline}: {base.reason}")
        if base.value <= 0:
            return Cell(reason=f"baseline {self.baseline} is {base.value:g}")
        return Cell(cell.value / base.value)

    def mean(self, name, workloads):
        good = [w for w in workloads if w not in self.excluded]
        cells = {}
        for label in self.labels:
            logs = [math.log(self.ratios[w][label].value) for w in good]
            reason = "no workload has a value for every bar"
            cells[label] = (
                Cell(math.exp(math.fsum(logs) / len(logs))) if logs else Cell(None, reason)
            )
        return name, cells, good

    def all_means(self, sweep):
        if len(self.labels) < 2:
            return []
        members = {}
        for workload in self.workloads:
            kind = sweep.classes.get(self.base_names[workload])
            if kind:
                members.setdefault(kind, []).append(workload)
        means = []
        if len(members) > 1:
            means = [
                self.mean(f"geomean {kind}", found)
                for kind, found in sorted(members.items())
                if len(found) > 1
            ]
        return means + [self.mean("geomean", self.workloads)]

    def empty(self):
        return all(c.value is None for row in self.ratios.values() for c in row.values())


def config_differences(points, axis, labels):
    """Keys whose value depends on the label of `axis`, everything else equal: (key, values)."""
    groups, keys = {}, {}
    for point in points:
        if point.config:
            others = tuple((a, l) for a, l in point.labels.items() if a != axis)
            label = point.labels.get(axis, "")
            groups.setdefault((point.shown, others), {})[label] = point.config
            keys.update(dict.fromkeys(point.config))
    rows = []
    for key in keys:
        if not any(
            len({config.get(key) for config in group.values()}) > 1 for group in groups.values()
        ):
            continue
        row = []
        for label in labels:
            values = {group[label].get(key, "–") for group in groups.values() if label in group}
            row.append(" or ".join(sorted(values)) if values else "not known")
        rows.append({"key": key, "values": row})
    return rows
