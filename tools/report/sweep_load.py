# SPDX-License-Identifier: Apache-2.0
"""Reads the SQLite file of `warpmem sweep`."""
import json
import pathlib
import re
import sqlite3

from load import ReportError, flatten
from values import all_fails, hit_rate

MAGIC = b"SQLite format 3\0"
SCHEMAS = ("1", "2")  # the first has totals only
ROOT = pathlib.Path(__file__).resolve().parents[2]


class Point:
    """One point: where it lies (`workload`, `labels`) and the run that measures it.

    `problem` is why it has no statistics ("not run yet", "failed: ..."), empty when it has them.
    """

    def __init__(self, run, workload, arguments, labels):
        self.run, self.workload, self.arguments, self.labels = run, workload, arguments, labels
        self.problem = "not run yet"
        self.stats, self.config = {}, {}


class Sweep:
    """`axes`: axis -> its labels, both in the order of the points. `classes`: workload -> class."""

    def __init__(self, path, about, points, runs):
        self.path, self.about, self.points, self.runs = path, about, points, runs
        self.axes = {}
        for point in points:
            for axis, label in point.labels.items():
                labels = self.axes.setdefault(axis, [])
                if label not in labels:
                    labels.append(label)
        self.classes, self.class_word = {}, ""


def is_sweep(path):
    """By the first bytes: the name says nothing."""
    try:
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


def unreadable(path, error):
    """What is said of a file that SQLite cannot read; its own text may quote all of a value."""
    said = re.sub(r"[^ -~]+", " ", str(error)).strip()
    if re.match("no such (table|column)", said):
        return ReportError(f"{path}: not a sweep of warpmem: {said}")
    return ReportError(f"{path}: damaged: {said if len(said) <= 100 else said[:97] + '...'}")


def text_of(value):
    """A damaged file may have numbers or bytes where text was."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return "" if value is None else str(value)


def metric_value(point, metric):
    """A statistic of a point; fails of a cache are added up over causes where no sum is stored."""
    value = point.stats.get(metric)
    cache, _, rest = metric.partition(".")
    if value is None and rest == "hit_rate":
        value = hit_rate(point.stats, cache)
    if value is None and rest in ("reservation_fails.cycles", "reservation_fails.requests"):
        value = all_fails(point.stats, cache, rest.rsplit(".", maxsplit=1)[1])
    return value


def parse_labels(path, position, text):
    try:
        labels = json.loads(text)
    except (TypeError, ValueError):
        labels = None
    if not isinstance(labels, dict):
        raise ReportError(f"{path}: point {position}: its labels are not a JSON object")
    return {str(axis): str(label) for axis, label in labels.items()}


def tell_apart(path, points):
    """A workload of several arguments gets them in its name; no two points share a place."""
    arguments = {}
    for point in points:
        arguments.setdefault(point.workload, set()).add(point.arguments)
    places = {}
    for point in points:
        if len(arguments[point.workload]) > 1:
            point.shown = f"{point.workload} {point.arguments}".strip()
        else:
            point.shown = point.workload
        place = (point.shown, tuple(point.labels.items()))
        if places.setdefault(place, point.run) != point.run:
            where = ", ".join(f"{axis} {label}" for axis, label in point.labels.items())
            raise ReportError(f"{path}: two runs for workload {point.shown}, {where}")


def read_classes(sweep):
    """Classes of the workloads from the catalogue: `class`, else `type`, else the suite."""
    catalogue = ROOT / "workloads" / "catalogue.yaml"
    text = catalogue.read_text() if catalogue.is_file() else ""
    flat = flatten(text)
    names = {point.workload for point in sweep.points}
    for word in ("class", "type", "suite"):
        found = {name: flat[f"{name}.{word}"] for name in names if f"{name}.{word}" in flat}
        if found:
            sweep.classes, sweep.class_word = found, word
            return


def read_tables(path):
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        about = dict(database.execute("SELECT key, value FROM sweep"))
        if about.get("schema") not in SCHEMAS:
            raise ReportError(f"{path}: a sweep of schema {about.get('schema')}; "
                              f"allowed: {', '.join(SCHEMAS)}")
        rows = database.execute(
            "SELECT position, run, workload, arguments, labels FROM points ORDER BY position"
        ).fetchall()
        runs = {
            key: {"status": status, "message": text_of(message), "config": text_of(config)}
            for key, status, message, config in database.execute(
                "SELECT key, status, message, config FROM runs"
            )
        }
        stats = {}
        for run, name, value in database.execute("SELECT run, name, value FROM stats"):
            if isinstance(value, (int, float)):
                stats.setdefault(run, {})[name] = value
    finally:
        database.close()
    return about, rows, runs, stats


def read_sweep(path):
    path = pathlib.Path(path)
    try:
        about, rows, runs, stats = read_tables(path)
    except sqlite3.Error as error:
        raise unreadable(path, error) from None
    points = []
    for position, run, workload, arguments, labels in rows:
        point = Point(run, workload, arguments or "", parse_labels(path, position, labels))
        if run in runs:
            found = runs[run]
            message = re.sub(r"\s+", " ", found["message"]).strip() or "no message"
            point.problem = "" if found["status"] == "complete" else f"failed: {message}"
            point.config = flatten(found["config"])
            if not point.problem:
                point.stats = stats.get(run, {})
        points.append(point)
    if not points:
        raise ReportError(f"{path}: the sweep has no points")
    tell_apart(path, points)
    sweep = Sweep(path, about, points, runs)
    read_classes(sweep)
    return sweep
