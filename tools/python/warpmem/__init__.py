# SPDX-License-Identifier: Apache-2.0
"""Results of warpmem as pandas data frames.

    import warpmem
    warpmem.runs("runs/*")          # one row a run, one column a statistic or a configuration key
    warpmem.kernels("runs/dl")      # one row a launch
    warpmem.series("runs/dl")       # one row an interval
    warpmem.instructions("runs/dl")  # one row a load or store (run --per-pc)
    warpmem.instances("runs/dl")    # one row a statistic of an instance (run --per-instance)
    warpmem.over_time("runs/dl")    # one row an interval, one column a series (run --series)
    warpmem.sweep("handlers.sqlite")  # one row a point
    warpmem.details.kernels("handlers.sqlite")  # one row a launch of each point; see details.py

Any of them goes to a CSV file with `.to_csv(FILE)`, and with `warpmem.write(frame, FILE)` to CSV or
Parquet by the file's name. Reading is that of `warpmem report`, with the same checks and messages;
what cannot be read raises `warpmem.ReportError`.
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

from . import details  # noqa: E402

__all__ = ["ReportError", "cycle_stacks", "details", "instances", "instructions", "kernels",
           "over_time", "plot", "runs", "series", "sweep", "write"]


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


def observed(path, what, option):
    """A document that a run has only where it was asked for it."""
    run = load.read_run(path)
    found = getattr(run.observed, what)
    if found is None:
        raise ReportError(f"{run.path}: no {what}.json: the run had no {option}")
    return found


def instructions(path):
    """One row a memory instruction of one run, by kernel and PC: the columns of instructions.csv
    but for the distribution of latencies (docs/per-instruction.md)."""
    rows = []
    for kernel in observed(path, "instructions", "--per-pc")["kernels"]:
        for one in kernel["instructions"]:
            row = {"kernel": kernel["name"]}
            for key, value in one.items():
                if key in ("l1d", "l2", "latency"):
                    row.update((f"{key}.{name}", v) for name, v in value.items()
                               if not isinstance(v, list))
                elif key != "slowest":
                    row[key] = value
            rows.append(row)
    return pandas.DataFrame(rows).set_index(["kernel", "pc"])


def instances(path):
    """One row a statistic of one instance over the whole run: index (unit, instance, statistic),
    column `value`."""
    rows = []
    document = observed(path, "instances", "--per-instance")
    for unit, members in document["total"]["instances"].items():
        for member in members:
            rows += [(unit, member["index"], name, value)
                     for name, value in member["stats"].items()]
    frame = pandas.DataFrame(rows, columns=["unit", "instance", "statistic", "value"])
    return frame.set_index(["unit", "instance", "statistic"])


def over_time(path):
    """One row an interval of one run, by its first cycle of the SM clock: `end`, `launch`, and a
    column for each series; NaN where a ratio is one of nothing."""
    document = observed(path, "series", "--series")
    columns = {key: document[key] for key in ("begin", "end", "launch")}
    columns.update({name: one["points"] for name, one in document["series"].items()})
    frame = pandas.DataFrame(columns).set_index("begin")
    return frame.astype({name: float for name in document["series"]})


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


def write(frame, path):
    """Writes a frame to a file, as CSV or Parquet by its name (.csv, .parquet). Parquet needs an
    engine of pandas, pyarrow or fastparquet, of which Debian 12 has no package."""
    kind = pathlib.Path(path).suffix
    if kind == ".csv":
        frame.to_csv(path)
    elif kind == ".parquet":
        try:
            frame.to_parquet(path)
        except ImportError:
            raise ReportError(f"{path}: pandas finds neither pyarrow nor fastparquet here, and "
                              "writes no Parquet without; allowed: a name in .csv") from None
    else:
        raise ReportError(f"{path}: a name in .csv or .parquet is needed")


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
