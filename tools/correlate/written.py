# SPDX-License-Identifier: Apache-2.0
"""Runs as a reference, for runs of other machines."""
import measured
import metrics
import own_csv
import own_json
from load import ReportError, readable
from reference import Launch

FORMATS = {".csv": own_csv, ".json": own_json}


def launch_of(run, launch):
    found = Launch(run.given, 0, launch.name, run.program, launch.number)
    for metric in metrics.ALL:
        unit = metric.units[0]
        try:
            found.set(metric.name, measured.value(launch, metric, unit), unit)
        except measured.Absent:
            pass  # an empty cell says so
    return found


def reference_of(runs, file):
    """The text of a reference for `file`, whose name tells the format."""
    ending = "." + file.rpartition(".")[2]
    if ending not in FORMATS:
        raise ReportError(f"--write {readable(file)}: a reference ends in .csv or .json")
    launches = [launch_of(run, launch) for run in runs for launch in run.launches]
    having = {name for launch in launches for name in launch.values}
    columns = [(m.name, m.units[0]) for m in metrics.ALL if m.name in having]
    return FORMATS[ending].write(launches, columns, "measured by warpmem")
