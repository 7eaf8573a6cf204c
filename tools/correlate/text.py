# SPDX-License-Identifier: Apache-2.0
"""The outcome as text: a table of the metrics, then the outliers with what differs beside them."""
import agreement
from charts import exact
from values import join

MOST_OUTLIERS = 10
MOST_COUNTERS = 4


def signed(error, metric):
    unit = "points" if metric.rate else "%"
    return f"{error:+.1f} {unit}".replace("-", "−")


def plain(error, metric):
    return f"{error:.1f} {'points' if metric.rate else '%'}"


def coefficient(value):
    return "–" if value is None else f"{value:.4f}".replace("-", "−")


def amount(value, metric):
    return f"{value:.1f} %" if metric.rate else exact(float(value))


def table(lines):
    """Columns as wide as they must be; numbers, all but the first and last, to the right."""
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]) - 1)]
    for line in lines:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:-1], widths[1:])]
        yield "  ".join([*cells, line[-1]]).rstrip()


def counters_of(pair, most):
    found = []
    for metric, error in agreement.differing(pair)[:most]:
        ours, theirs, _ = pair.values[metric.name]
        numbers = f"{amount(ours, metric)} for {amount(theirs, metric)}"
        found.append(f"{metric.name} {signed(error, metric)} ({numbers})")
    return found


def head(result):
    reference = result.reference
    count = len(result.launches)
    yield (
        f"reference {reference.file} ({reference.kind}): {count} "
        f"launch{'es' if count > 1 else ''} matched, {len(result.same)} of the same work"
    )
    if result.unchecked:
        yield f"{len(result.unchecked)} without instructions in the reference: work not checked"
    yield from result.alone


def outliers_of(result):
    if not result.outliers:
        yield f"no launch is off by more than {result.limits[0]:g} % of its {result.time.name}"
        return
    yield f"off by more than {result.limits[0]:g} % of {result.time.name}:"
    for pair in result.outliers[:MOST_OUTLIERS]:
        ours, theirs, _ = pair.values[result.time.name]
        error = signed(result.error_of(pair), result.time)
        yield f"  {pair.label()}: {error} ({exact(float(ours))} for {exact(float(theirs))})"
        counters = counters_of(pair, MOST_COUNTERS)
        yield "    " + (", ".join(counters) or "no counter differs")
    if len(result.outliers) > MOST_OUTLIERS:
        yield f"  and {len(result.outliers) - MOST_OUTLIERS} more"


def lines_of(result):
    yield from head(result)
    if result.rows:
        lines = [("metric", "launches", "mean error", "Pearson", "worst")]
        for row in result.rows:
            worst = f"{signed(row.worst_error, row.metric)} {row.worst.label()}"
            worst = worst if row.worst_error else "–"  # nobody's, when all agree
            mean = plain(row.mean, row.metric)
            count = str(len(row.pairs))
            lines.append((row.metric.name, count, mean, coefficient(row.pearson), worst))
        yield from table(lines)
        yield from outliers_of(result)
    for pair in result.launches:
        if not pair.same_work:
            yield f"different work: {pair.label()}: {pair.work:.1f} % of the instructions"
    absent = {}
    for name, _, count in result.absent():
        absent[name] = absent.get(name, 0) + count
    if absent:
        names = join(f"{name} ({count})" for name, count in absent.items())
        yield "left out (launches), for the run does not have it: " + names
    if result.reference.unread:
        yield f"{len(result.reference.unread)} counters of the reference have no counterpart"
