#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures programs on the NVIDIA card at hand, as references for `warpmem correlate`.

usage: measure.py -o FOLDER [--repeat N] [--counters] [PROGRAM ...]

Each program of programs.csv is built by nvcc and repeats itself: once to be warm, then N times.
FOLDER/times.csv gets the median time of each launch, FOLDER/micro.csv what the microbenchmarks
say, and with --counters FOLDER/counters/PROGRAM.csv what Nsight Compute counts.
"""
import argparse
import csv
import datetime
import os
import pathlib
import re
import statistics
import subprocess
import sys

import building
import card
from problems import Problem

LEAST_REPEATS = 20
SAID = re.compile(r"^measured ([-+.\de]+) (.+)$", re.M)
# Those that `warpmem correlate` reads.
COUNTERS = [
    "sm__cycles_elapsed.max", "gpu__time_duration.sum", "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum", "smsp__inst_executed_op_global_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "lts__t_sectors_srcunit_tex.sum",
    "lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum",
    "lts__t_sectors_srcunit_tex_lookup_miss.sum", "lts__t_sector_hit_rate.pct",
    "dram__bytes_read.sum", "dram__bytes_write.sum",
]  # fmt: skip
NO_COUNTERS = "ERR_NVGPUCTRPERM"


class Launch:
    def __init__(self, program, number, kernel, nanoseconds):
        self.program, self.number, self.kernel = program, number, kernel
        self.nanoseconds = nanoseconds  # of each repetition

    def median(self):
        return statistics.median(self.nanoseconds)


def run(program, environment=None, before=()):
    """Runs it, perhaps behind other words, and returns its standard output."""
    command = [*before, str(program.executable), *program.arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["no word"]
        raise Problem(f"{program.name}: exit status {done.returncode}: {last[0]}")
    return done.stdout


def times_of(program, folder, repeat):
    """Its launches and the time of an empty one, and what it has said."""
    file = folder / f"{program.name}.times"
    said = run(program, {"WARPMEM_TIMES": str(file), "WARPMEM_REPEAT": str(repeat)})
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


def count(ncu, program, folder):
    """Writes the counters of one run; False where the driver does not let anybody read them."""
    folder.mkdir(exist_ok=True)
    file = folder / f"{program.name}.csv"
    words = [ncu, "--csv", "--page", "raw", "--metrics", ",".join(COUNTERS)]
    words += ["--log-file", str(file)]
    try:
        run(program, before=words)
    except OSError as error:
        raise Problem(f"{ncu}: {error.strerror}; --ncu names Nsight Compute") from error
    except Problem:
        if not file.exists() or NO_COUNTERS not in file.read_text():
            raise
    if NO_COUNTERS in file.read_text():
        file.unlink()
        return False
    return True


def notes_of(cards, nvcc_version, repeat, empty):
    """What is known of the measurement, line by line."""
    clocks = [c["clocks.current.sm"] for c in cards]
    first = cards[0]
    today = datetime.date.today().isoformat()
    return [
        f"{first['name']}, driver {first['driver_version']}, CUDA {nvcc_version}, {today}",
        f"SM clock {min(clocks):.0f} to {max(clocks):.0f} MHz after each program "
        f"(at most {first['clocks.max.sm']:.0f}), memory {first['clocks.current.memory']:.0f} MHz",
        f"duration: median of {repeat} by events, after one that is not counted; "
        f"an empty kernel takes {statistics.median(empty):.0f} ns",
    ]


def write_times(file, notes, launches):
    with open(file, "w", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["program", "kernel", "launch", "duration [ns]"])
        for launch in launches:
            rows.writerow([launch.program, launch.kernel, launch.number, f"{launch.median():.0f}"])


def write_micro(file, notes, said):
    with open(file, "w", newline="") as out:
        out.writelines(f"# {note}\n" for note in notes)
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(["program", "arguments", "measured", "unit"])
        for program, text in said:
            found = SAID.findall(text)
            if found:  # the last repetition
                rows.writerow([program.name, " ".join(program.arguments), *found[-1]])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the list; default: all")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--list", default=building.HERE / "programs.csv", metavar="CSV",
                        help="program,source,arguments (programs.csv beside this)")  # fmt: skip
    parser.add_argument("--repeat", type=int, default=LEAST_REPEATS, metavar="N",
                        help=f"at least {LEAST_REPEATS}, the default")  # fmt: skip
    parser.add_argument("--counters", action="store_true", help="by Nsight Compute, too")
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--smi", default="nvidia-smi")
    parser.add_argument("--ncu", default="ncu")
    chosen = parser.parse_args()
    if chosen.repeat < LEAST_REPEATS:
        parser.error(f"--repeat {chosen.repeat}: at least {LEAST_REPEATS}")
    return chosen


def measure(chosen):
    folder = chosen.output
    programs = building.listed(chosen.list, chosen.programs)
    cards, nvcc_version = [card.ask(chosen.smi)], building.version(chosen.nvcc)
    work = folder / "build"
    work.mkdir(parents=True, exist_ok=True)
    launches, empty, said = [], [], []
    counters = chosen.counters
    for program in programs:
        building.build(chosen.nvcc, program, work)
        timed, nothing, text = times_of(program, work, chosen.repeat)
        cards.append(card.ask(chosen.smi))
        launches += timed
        empty += nothing.nanoseconds
        said.append((program, text))
        if counters and not count(chosen.ncu, program, folder / "counters"):
            print("measure.py: note: the driver lets only root read counters "
                  f"({NO_COUNTERS}); there are none", file=sys.stderr)  # fmt: skip
            counters = False
        print(f"{program.name}: {len(timed)} launches", flush=True)
    notes = notes_of(cards[1:], nvcc_version, chosen.repeat, empty)
    write_times(folder / "times.csv", notes, launches)
    write_micro(folder / "micro.csv", notes, said)


def main():
    try:
        measure(arguments())
    except (Problem, OSError) as problem:
        sys.exit(f"measure.py: {problem}")


if __name__ == "__main__":
    main()
