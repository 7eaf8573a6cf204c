# SPDX-License-Identifier: Apache-2.0
"""How far measured values are from a reference: errors, their means, correlation, and the counters
beside a launch that is far off."""
import math

import metrics

LEAST = 1  # % or points: a counter that is nearer explains nothing


def error(metric, ours, theirs):
    """Signed: points of a rate, % of anything else."""
    if metric.rate:
        return ours - theirs
    return 100 * (ours - theirs) / max(theirs, metric.floor)


def mean_error(errors):
    return math.fsum(map(abs, errors)) / len(errors)


def pearson(xs, ys):
    """Pearson's coefficient; None for fewer than two points, or where one side is constant."""
    if len(xs) < 2:
        return None
    mean_x, mean_y = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    dx, dy = [x - mean_x for x in xs], [y - mean_y for y in ys]
    # The root of a square is exact: equal sides give 1.
    spread = math.sqrt(math.fsum(d * d for d in dx) * math.fsum(d * d for d in dy))
    if min(xs) == max(xs) or min(ys) == max(ys) or spread == 0:
        return None
    # Rounding may go beyond the ends.
    return max(-1.0, min(1.0, math.fsum(x * y for x, y in zip(dx, dy)) / spread))


class Row:
    """One metric over all launches that did the same work."""

    def __init__(self, metric, pairs):
        self.metric = metric
        self.pairs = pairs
        ours = [pair.values[metric.name][0] for pair in pairs]
        theirs = [pair.values[metric.name][1] for pair in pairs]
        self.errors = [error(metric, m, r) for m, r in zip(ours, theirs)]
        self.mean = mean_error(self.errors)
        self.pearson = pearson(theirs, ours)
        # The first of equals, so that the order of the runs decides.
        at = max(range(len(pairs)), key=lambda i: (abs(self.errors[i]), -i))
        self.worst, self.worst_error = pairs[at], self.errors[at]


def rows(pairs):
    """A row for each metric that some launch has, in the order of the metrics."""
    found = []
    for metric in metrics.ALL:
        having = [pair for pair in pairs if pair.same_work and metric.name in pair.values]
        if having:
            found.append(Row(metric, having))
    return found


def time_of(pairs):
    """The metric that launches are judged by; None when there is none that all of them have."""
    for name in metrics.TIME:
        if all(name in pair.values for pair in pairs):
            return metrics.BY_NAME[name]
    return None


def error_of(pair, metric):
    ours, theirs, _ = pair.values[metric.name]
    return error(metric, ours, theirs)


def differing(pair):
    """The counters that differ, most first: [(metric, error)]. Points of a rate count as %; equals
    stand in the order of the metrics. Results of others are left out."""
    having = [m for m in metrics.ALL if m.name in pair.values and not m.result]
    found = [(metric, error_of(pair, metric)) for metric in having]
    found = [(metric, off) for metric, off in found if abs(off) >= LEAST]
    return sorted(found, key=lambda one: -abs(one[1]))


def total(metric, pairs):
    """(measured, reference) of all the launches together; None where a launch lacks it or a mean
    has no weights."""
    if not pairs or any(metric.name not in pair.values for pair in pairs):
        return None
    values = [pair.values[metric.name] for pair in pairs]
    if metric.adds_up:
        return tuple(math.fsum(value[side] for value in values) for side in (0, 1))
    if metric.weight is None or any(metric.weight not in pair.values for pair in pairs):
        return None
    sides = []
    for side in (0, 1):
        weights = [pair.values[metric.weight][side] for pair in pairs]
        if math.fsum(weights) == 0:
            return None
        weighted = (w * value[side] for w, value in zip(weights, values))
        sides.append(math.fsum(weighted) / math.fsum(weights))
    return tuple(sides)
