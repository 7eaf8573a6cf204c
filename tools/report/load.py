# SPDX-License-Identifier: Apache-2.0
"""Reads run directories and synthesis results."""
import functools
import pathlib

import work
from observed import Observed
from reading import ReportError, read_json, readable


class Run:
    """One run directory. `config` is a flat mapping of dotted keys, empty when there is none;
    `other_work` is why it cannot be compared with the first run, empty when it can."""

    def __init__(self, path, stats, config, manifest):
        self.path = path
        self.name = readable(path.name)
        self.units = stats.get("units", {})
        self.kernels = stats.get("kernels", [])
        total = stats["total"]
        self.stats = total["stats"]
        self.histograms = total.get("histograms", {})
        self.series = total.get("series", {})
        self.config = config
        self.manifest = manifest
        self.other_work = ""

    @functools.cached_property
    def observed(self):
        """What the run shows besides its statistics; large, so read when first asked for."""
        return Observed(self.path)


def flatten(text):
    """The subset of YAML that warpmem writes: nested mappings of scalars, comments."""
    flat = {}
    path = []  # of (indentation, key)
    for line in text.splitlines():
        bare = line.split(" #")[0].rstrip()
        key, colon, value = bare.partition(":")
        if not colon or not key.strip() or key.lstrip().startswith("#"):
            continue
        indentation = len(key) - len(key.lstrip())
        while path and path[-1][0] >= indentation:
            path.pop()
        path.append((indentation, key.strip()))
        value = value.strip()
        if value:
            flat[".".join(k for _, k in path)] = value.strip("\"'")
    return flat


def check_stats(path, stats):
    total = stats.get("total")
    if not isinstance(total, dict) or not isinstance(total.get("stats"), dict):
        raise ReportError(f"{path}: no statistics of warpmem: 'total' with 'stats' is missing")
    for name, value in total["stats"].items():
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ReportError(f"{path}: statistic '{name}' is not a number")
    for name, series in total.get("series", {}).items():
        points = series.get("points") if isinstance(series, dict) else None
        good = isinstance(points, list) and all(isinstance(p, (int, float)) for p in points)
        if not good or not isinstance(series.get("interval"), int) or series["interval"] <= 0:
            raise ReportError(f"{path}: series '{name}' needs an interval and a list of points")
    for kernel in stats.get("kernels", []):
        if not isinstance(kernel, dict) or not isinstance(kernel.get("stats"), dict):
            raise ReportError(f"{path}: a kernel without 'stats'")
        together = kernel.get("together", [])
        good = isinstance(together, list) and all(
            isinstance(k, dict) and isinstance(k.get("begin"), int) for k in together
        )
        if not good:
            raise ReportError(f"{path}: kernels that ran together without their 'begin'")


def read_run(path):
    path = pathlib.Path(path)
    if not path.is_dir():
        raise ReportError(f"{path}: not a run directory")
    stats = read_json(path / "stats.json")
    check_stats(path / "stats.json", stats)
    config = {}
    if (path / "config.yaml").is_file():
        config = flatten((path / "config.yaml").read_text(errors="replace"))
    manifest = {}
    if (path / "manifest.json").is_file():
        manifest = read_json(path / "manifest.json")
    return Run(path.resolve(), stats, config, manifest)


def read_runs(paths):
    """The runs, with names that tell them apart."""
    runs = [read_run(path) for path in paths]
    depth = 1
    while len({run.name for run in runs}) < len(runs) and depth < 8:
        depth += 1
        for run in runs:
            run.name = readable("/".join(run.path.parts[-depth:]))
    if len({run.path for run in runs}) < len(runs):
        raise ReportError("the same run directory is given twice")
    work.compare(runs)
    return runs


def read_synth(path):
    """A result of `warpmem synth --json`, of a unit or (`--configured`) of a machine's miss
    handlers."""
    path = pathlib.Path(path)
    document = read_json(path)
    document["path"] = readable(path)
    if "handlers" in document:
        return document
    for part in ("unit", "parameters", "library", "area", "timing", "power", "registers"):
        if part not in document:
            raise ReportError(f"{path}: not a result of 'warpmem synth --json': no '{part}'")
    return document
