# SPDX-License-Identifier: Apache-2.0
"""Results of warpmem as pandas data frames.

    import warpmem
    warpmem.runs("runs/*")          # one row a run, one column a statistic or a configuration key
    warpmem.kernels("runs/dl")      # one row a launch
    warpmem.series("runs/dl")       # one row an interval
    warpmem.sweep("handlers.sqlite")  # one row a point

Any of them goes to a CSV file with `.to_csv(FILE)`. Reading is that of `warpmem report`, with the
same checks and messages; what cannot be read raises `warpmem.ReportError`.
"""
import glob
import pathlib
import sys

import pandas

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "report"))

import load  # noqa: E402
import stack  # noqa: E402
import sweep_load  # noqa: E402
from load import ReportError  # noqa: E402

__all__ = ["ReportError", "cycle_stacks", "kernels", "plot", "runs", "series", "sweep"]


def directories(paths):
    """Run directories that patterns or paths name, in alphabetical order within each."""
    found = []
    for pattern in [paths] if isinstance(paths, (str, pathlib.Path)) else paths:
        names = sorted(glob.glob(str(pattern))) or [str(pattern)]
        found += [name for name in names if name not in found]
    return found


def runs(paths, configuration=True):
    """One row a run, by its name: with `configuration` every key, then every statistic."""
    rows = {}
    for run in load.read_runs(directories(paths)):
        rows[run.name] = {**(run.config if configuration else {}), **run.stats}
    return pandas.DataFrame.from_dict(rows, orient="index").rename_axis("run")


def kernels(path):
    """One row a launch of one run, in the program's order: `kernel` and every statistic."""
    run = load.read_run(path)
    rows = [{"kernel": k.get("name", "?"), **k["stats"]} for k in run.kernels]
    frame = pandas.DataFrame(rows)
    frame.index = pandas.RangeIndex(1, len(rows) + 1, name="launch")
    return frame


def series(path):
    """Amounts over time of one run: index (series, cycle at which the interval begins, in cycles of
    the series' own clock), column `amount`."""
    rows = []
    for name, one in load.read_run(path).series.items():
        rows += [(name, i * one["interval"], value) for i, value in enumerate(one["points"])]
    frame = pandas.DataFrame(rows, columns=["series", "cycle", "amount"])
    return frame.set_index(["series", "cycle"])


def cycle_stacks(paths):
    """What the SMs in use do in each cycle (tools/report/README.md): one row a run, one column a
    part, in cycles. Runs without the counters have no row."""
    rows = {}
    for run in load.read_runs(directories(paths)):
        found = stack.of_run(run)
        if found:
            rows[run.name] = found.parts
    frame = pandas.DataFrame.from_dict(rows, orient="index").rename_axis("run")
    return frame[[key for key, _, _ in stack.PARTS if key in frame]].fillna(0.0)


def sweep(path):
    """One row a point of a sweep: `workload`, `arguments`, a column for each axis, `status`
    ("complete", or why there is no result), and every statistic."""
    if not sweep_load.is_sweep(path):
        raise ReportError(f"{path}: not the file of a sweep")
    found = sweep_load.read_sweep(path)
    rows = []
    for point in found.points:
        about = {"workload": point.workload, "arguments": point.arguments}
        status = {"status": point.problem or "complete"}
        rows.append({**about, **point.labels, **status, **point.stats})
    return pandas.DataFrame(rows)


def plot(frame, metric, over, by="workload", axes=None):
    """Draws `metric` of a sweep's frame over one of its axes, a line for each value of `by`, with
    matplotlib. Returns the axes. Numbers are in their order, other labels in the sweep's."""
    import matplotlib.pyplot as pyplot

    from sweep_lines import number_of

    axes = axes or pyplot.subplots()[1]
    complete = frame[frame["status"] == "complete"]
    for name, rows in complete.groupby(by, sort=False):
        numbers = [number_of(label) for label in rows[over]]
        points = list(zip(rows[over] if None in numbers else numbers, rows[metric]))
        points = points if None in numbers else sorted(points)
        axes.plot(*zip(*points), marker="o", label=name)
    axes.set_xlabel(over)
    axes.set_ylabel(metric)
    axes.legend()
    return axes
