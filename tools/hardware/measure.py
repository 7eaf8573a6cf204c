#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Measures programs on the NVIDIA card at hand, as references for `warpmem correlate`.

usage: measure.py -o FOLDER [--repeat N] [--counters] [--until SECONDS] [PROGRAM ...]

Each program of programs.csv is built by nvcc and repeats itself: once to be warm, then N times.
FOLDER/times.csv gets the median time of each launch, FOLDER/micro.csv what the microbenchmarks
say, and with --counters FOLDER/counters.csv what Nsight Compute counts. A program that
fails is named, and the others go on; the exit status is 1 then.
"""
import argparse
import datetime
import os
import pathlib
import statistics
import sys
import time

import building
import card
import counting
import timing
from problems import Problem

LEAST_REPEATS = 20


def notes_of(cards, nvcc_version):
    """What is known of the measurement, line by line."""
    first, *after = cards
    clocks = [c["clocks.current.sm"] for c in after or cards]
    memory = [c["clocks.current.memory"] for c in after or cards]
    today = datetime.date.today().isoformat()
    return [
        f"{first['name']}, driver {first['driver_version']}, CUDA {nvcc_version}, {today}",
        f"SM clock {min(clocks):.0f} to {max(clocks):.0f} MHz after each program "
        f"(at most {first['clocks.max.sm']:.0f}), memory {statistics.median(memory):.0f} MHz",
    ]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="of the list; default: all")
    parser.add_argument("-o", "--output", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--list", default=building.HERE / "programs.csv", metavar="CSV",
                        help="program,source,arguments (programs.csv beside this)")  # fmt: skip
    parser.add_argument("--repeat", type=int, default=LEAST_REPEATS, metavar="N",
                        help=f"at least {LEAST_REPEATS}, the default")  # fmt: skip
    parser.add_argument("--counters", action="store_true", help="by Nsight Compute, too")
    parser.add_argument("--no-times", dest="times", action="store_false",
                        help="counters alone")  # fmt: skip
    parser.add_argument("--most-launches", type=int, default=100, metavar="N",
                        help="of a program whose counters are read (100)")  # fmt: skip
    parser.add_argument("--timeout", type=float, default=120, metavar="SECONDS",
                        help="for all repetitions of a program (120)")  # fmt: skip
    parser.add_argument("--until", type=float, metavar="SECONDS",
                        help="begin none after so long; those left out are named")  # fmt: skip
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count(), metavar="N",
                        help="programs built at a time; they run one by one")  # fmt: skip
    parser.add_argument("--nvcc", default="nvcc")
    parser.add_argument("--smi", default="nvidia-smi")
    parser.add_argument("--ncu", default="ncu")
    chosen = parser.parse_args()
    if chosen.repeat < LEAST_REPEATS:
        parser.error(f"--repeat {chosen.repeat}: at least {LEAST_REPEATS}")
    if not chosen.times and not chosen.counters:
        parser.error("--no-times: nothing is left without --counters")
    for name in ("most_launches", "timeout", "until", "jobs"):
        value = getattr(chosen, name)
        if value is not None and value <= 0:
            parser.error(f"--{name.replace('_', '-')} {value:g}: more than 0")
    return chosen


class Measurement:
    """What has been measured so far, and what has gone wrong."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.card, self.nvcc = card.ask(chosen.smi), building.version(chosen.nvcc)
        self.counters = chosen.counters
        self.cards, self.launches, self.empty, self.said = [self.card], [], [], []
        self.counted = []

    def time(self, program):
        chosen = self.chosen
        launches, nothing, said = timing.times_of(program, chosen.repeat, chosen.timeout)
        self.cards.append(card.ask(chosen.smi))
        self.launches += launches
        self.empty += nothing.nanoseconds
        self.said.append((program, said))
        print(f"{program.name}: {len(launches)} launches", flush=True)

    def count(self, program):
        chosen = self.chosen
        try:
            self.counted.append(
                counting.count(chosen.ncu, program, chosen.most_launches, chosen.timeout))
        except counting.NotPermitted:
            print("measure.py: note: the driver lets only root read counters "
                  f"({counting.NOT_PERMITTED}); there are none", file=sys.stderr)  # fmt: skip
            self.counters = False

    def write(self):
        folder, notes = self.chosen.output, notes_of(self.cards, self.nvcc)
        if self.counted:
            counting.write(folder / "counters.csv", notes, self.counted)
        if self.launches:
            notes.append(f"duration: median of {self.chosen.repeat} by events, after one that is "
                         "not counted; an empty kernel takes "
                         f"{statistics.median(self.empty):.0f} ns")  # fmt: skip
            timing.write_times(folder / "times.csv", notes, self.launches)
            timing.write_micro(folder / "micro.csv", notes, self.said)


def measure(chosen):
    """Returns what has gone wrong, line by line."""
    end = None if chosen.until is None else time.monotonic() + chosen.until
    programs = building.listed(chosen.list, chosen.programs)
    measurement = Measurement(chosen)
    work = chosen.output / "build"
    work.mkdir(parents=True, exist_ok=True)
    building.build_all(chosen.nvcc, programs, work, chosen.jobs)
    problems = [program.problem for program in programs if program.problem]
    programs = [program for program in programs if not program.problem]
    for number, program in enumerate(programs):
        if end is not None and time.monotonic() > end:
            left = ", ".join(p.name for p in programs[number:])
            problems.append(f"--until {chosen.until:g}: no time for {left}")
            break
        try:
            if chosen.times:
                measurement.time(program)
            if measurement.counters:
                measurement.count(program)
        except Problem as problem:
            problems.append(str(problem))
    measurement.write()
    return problems


def main():
    try:
        problems = measure(arguments())
    except (Problem, OSError) as problem:
        problems = [problem]
    for problem in problems:
        print(f"measure.py: {problem}", file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
