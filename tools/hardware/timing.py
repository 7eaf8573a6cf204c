# SPDX-License-Identifier: Apache-2.0
"""The time of each launch of a program, by launch_timer.cu, and what a microbenchmark says."""
import csv
import re
import statistics

from running import run

from problems import Problem

SAID = re.compile(r"^measured ([-+.\de]+) (.+)$", re.M)


class Launch:
    def __init__(self, program, number, kernel, nanoseconds):
        self.program, self.number, self.kernel = program, number, kernel
        self.nanoseconds = nanoseconds  # of each repetition

    def median(self):
        return statistics.median(self.nanoseconds)


def times_of(program, repeat, timeout):
    """Its launches and the time of an empty one, and what it has said."""
    file = program.executable.with_suffix(".times")
    said = run(program, {"WARPMEM_TIMES": str(file), "WARPMEM_REPEAT": str(repeat)}, (), timeout)
    if not file.exists():
        raise Problem(f"{program.name}: ended before its {repeat} repetitions were over")
    launches = []
    with open(file, newline="") as lines:
        for number, (kernel, *milliseconds) in enumerate(csv.reader(lines), 1):
            if len(milliseconds) != repeat:
                raise Problem(f"{file}:{number}: {len(milliseconds)} times, not {repeat}")
            times = [1e6 * float(time) for time in milliseconds]
            launches.append(Launch(program.name, number, kernel, times))
    return launches[:-1], launches[-1], said


def write_times(file, notes, launches):
    with open(file, "w", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["program", "kernel", "launch", "duration [ns]"])
        for launch in launches:
            rows.writerow([launch.program, launch.kernel, launch.number, f"{launch.median():.0f}"])


def medians(said):
    """What a microbenchmark has said, unit by unit: the median of the repetitions but the first,
    which is to warm up."""
    values = {}
    for value, unit in SAID.findall(said):
        values.setdefault(unit, []).append(float(value))
    return {unit: statistics.median(all_of[1:] or all_of) for unit, all_of in values.items()}


def write_micro(file, notes, said):
    with open(file, "w", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["program", "arguments", "measured", "unit"])
        for program, text in said:
            for unit, value in medians(text).items():
                rows.writerow([program.name, " ".join(program.arguments), f"{value:.4f}", unit])
