# SPDX-License-Identifier: Apache-2.0
"""Runs as a reference, for runs of other machines."""
import measured
import metrics
import own_csv
import own_json
from reference import Launch


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
    """The text of a reference for `file`: JSON if its name ends so, else CSV."""
    form = own_json if file.endswith(".json") else own_csv
    launches = [launch_of(run, launch) for run in runs for launch in run.launches]
    having = {name for launch in launches for name in launch.values}
    columns = [(m.name, m.units[0]) for m in metrics.ALL if m.name in having]
    return form.write(launches, columns, "measured by warpmem")
