# SPDX-License-Identifier: Apache-2.0
"""Launches, instructions and series of all points of a sweep, and what statistics mean: frames of
the tables that docs/results-database.md explains."""
import contextlib
import json
import pathlib
import sqlite3

import pandas

import sweep_load
from load import ReportError

KEPT = {"instructions": "per_pc", "series": "series"}  # table -> what asks for it


@contextlib.contextmanager
def opened(path):
    """The database of a sweep that has these tables, to be read."""
    if not sweep_load.is_sweep(path):
        raise ReportError(f"{path}: not the file of a sweep")
    database = sqlite3.connect(f"{pathlib.Path(path).resolve().as_uri()}?mode=ro", uri=True)
    try:
        about = dict(database.execute("SELECT key, value FROM sweep"))
        if about.get("schema") == "1":
            raise ReportError(f"{path}: a sweep of schema 1, which has totals only; what "
                              "`warpmem sweep --resume` runs into it has the rest")
        if about.get("schema") != "2":
            raise ReportError(f"{path}: a sweep of schema {about.get('schema')}; allowed: 2")
        yield database
    except sqlite3.Error as error:
        raise sweep_load.unreadable(path, error) from None
    finally:
        database.close()


def points_of(path):
    """Run -> the places of the points it measures: workload, arguments, a label for each axis."""
    places = {}
    for point in sweep_load.read_sweep(path).points:
        place = {"workload": point.workload, "arguments": point.arguments, **point.labels}
        places.setdefault(point.run, []).append(place)
    return places


def rows_of(path, sql, make, table=None):
    """A row for each row of `sql`, whose first column is a run, and each point of that run."""
    with opened(path) as database:
        found = database.execute(sql).fetchall()
    if table and not found:
        raise ReportError(f"{path}: no {table}: the sweep file has no `observe: "
                          f"{{{KEPT[table]}: true}}`, or nothing of it has run")
    places = points_of(path)
    return pandas.DataFrame([{**place, **make(*rest)} for run, *rest in found
                             for place in places.get(run, ())])


def kernels(path):
    """One row a launch of each point: its place, `launch`, `kernel`, `grid`, `block`, `cycles`, and
    every statistic that is not zero in all of them."""
    def row(launch, name, grid, block, cycles, stats):
        return {"launch": launch, "kernel": name, "grid": grid, "block": block, "cycles": cycles,
                **json.loads(stats)}

    frame = rows_of(path, "SELECT run, launch, name, grid, block, cycles, stats FROM kernels"
                          " ORDER BY run, launch", row)
    if frame.empty:
        return frame
    first = list(frame.columns).index("cycles") + 1
    return frame.fillna({name: 0 for name in frame.columns[first:]})


def instructions(path):
    """One row a memory instruction of each point (`observe: {per_pc: true}`): its place, `kernel`,
    `pc` and the columns of instructions.csv. Without `pc`: what no instruction asked for."""
    names = ("kernel", "launches", "pc", "text", "op", "space", "lane_bytes", "source_line", "line")

    def row(*values):
        return {**dict(zip(names, values)), **json.loads(values[-1])}

    frame = rows_of(path, f"SELECT run, {', '.join(names)}, stats FROM instructions"
                          " ORDER BY run, number", row, "instructions")
    whole = {name: "Int64" for name in ("launches", "pc", "lane_bytes", "source_line", "line")}
    return frame.astype(whole)


def over_time(path, *names):
    """One row an interval of each point (`observe: {series: true}`): its place, `begin`, `end`,
    `launch` and a column for each series, or for those in `names`; NaN where a ratio is one of
    nothing, 0 where a series of another point is zero throughout here."""
    with opened(path) as database:
        chosen = "" if not names else f" AND name IN ({', '.join('?' * len(names))})"
        values = database.execute(
            "SELECT run, name, points FROM series WHERE 1" + chosen, names).fetchall()
    if names and (missing := set(names) - {name for _, name, _ in values}):
        raise ReportError(f"{path}: no series {', '.join(sorted(missing))}")
    points = {}
    for run, name, text in values:
        points.setdefault(run, {})[name] = json.loads(text)
    every = sorted({name for _, name, _ in values})

    def row(run, position, begin, end, launch):
        own = points.get(run, {})
        return {"begin": begin, "end": end, "launch": launch,
                **{name: own[name][position] if name in own else 0 for name in every}}

    frame = rows_of(path, "SELECT run, run, position, begin_cycle, end_cycle, launch FROM intervals"
                          " ORDER BY run, position", row, "series")
    return frame.astype({name: float for name in every})


def units(path):
    """`kind`, `unit` and `meaning` of each statistic and series, by its name."""
    with opened(path) as database:
        rows = database.execute("SELECT name, kind, unit, meaning FROM units ORDER BY name")
        return pandas.DataFrame(rows.fetchall(), columns=["name", "kind", "unit", "meaning"]) \
            .set_index("name")
