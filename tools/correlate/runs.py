# SPDX-License-Identifier: Apache-2.0
"""The runs that are compared: directories of `warpmem run`, and which program each is of."""
import pathlib

import load
import names
from load import ReportError
from measured import Launch
from units import MOST


class Run:
    def __init__(self, given, program, found):
        self.given = load.readable(given)
        self.program = program
        self.launches = [Launch(kernel, found.config) for kernel in found.kernels]


def folder_of(given):
    path = pathlib.Path(given)
    return path.parent if path.name == "stats.json" and path.is_file() else path


def check(given, found):
    """A run that can be compared has been timed, to its end, one launch at a time."""
    status = found.manifest.get("status", "complete")
    if status != "complete":
        raise ReportError(f"{given}: the run did not complete: {status}")
    if not found.kernels:
        raise ReportError(f"{given}: the run launched no kernel")
    for kernel in found.kernels:
        number = kernel.get("launch")
        if not isinstance(kernel.get("name"), str) or not isinstance(number, int):
            raise ReportError(f"{given}: a launch in stats.json without name and number")
        for name, value in kernel["stats"].items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value < MOST:
                raise ReportError(f"{given}: launch {number}: statistic '{name}' is no number")
        histograms = kernel.get("histograms", {})
        if not isinstance(histograms, dict) or not all(
            isinstance(one, dict) for one in histograms.values()
        ):
            raise ReportError(f"{given}: launch {number}: 'histograms' are no histograms")
        if "together" in kernel:
            raise ReportError(
                f"{given}: launches ran at the same time, and their counts are one; run with "
                "gpu.concurrent_kernels: 1"
            )
        if "gpu.cycles" not in kernel["stats"]:
            raise ReportError(f"{given}: launch {number} was not timed: it has no gpu.cycles")


def matches_of(options, given):
    """RUN=NAME as {RUN: NAME}; each RUN is one of those given. Either may have further '='."""
    matches = {}
    for option in options:
        signs = [at for at, letter in enumerate(option) if letter == "="]
        at = next((at for at in signs if option[:at] in given and option[at + 1 :]), None)
        if at is None:
            known = ", ".join(map(load.readable, given))
            text = f"--match {load.readable(option)}: not RUN=NAME with one of the runs: {known}"
            raise ReportError(text)
        run, name = option[:at], option[at + 1 :]
        if run in matches:
            raise ReportError(f"--match {load.readable(run)}: given twice")
        matches[run] = load.readable(name)
    return matches


def read(given, match):
    """The runs in the order given."""
    matches = matches_of(match, given)
    runs, seen = [], {}
    for path in given:
        found = load.read_run(folder_of(path))
        check(load.readable(path), found)
        program = matches.get(path) or names.program_of(found.manifest) or found.name
        run = Run(path, program, found)
        first = seen.setdefault(program, run)
        if first is not run:
            raise ReportError(
                f"{run.given}: of {program}, as {first.given} is: compare one machine at a time, "
                "or tell programs apart with --match RUN=NAME"
            )
        runs.append(run)
    return runs
