# SPDX-License-Identifier: Apache-2.0
"""Random configurations of the machine, run whole, with every check on. A case runs as it is, with
--tick-all, constructed in the opposite order and with the other views of its hardware units: the
statistics must be the same bytes. What the machine cannot be must be refused with a message and
exit status 2. Prints what fails with a command line that shows it, made as small as it gets.

The same seed gives the same cases, whatever -j and however many are run. configurations_found.json
holds what once failed; --found runs it.
"""

import argparse
import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

from configuration_draw import (SHARE_OF_MISTAKES, Case, Repair, Source, draw_case, plant_mistake,
                                with_fitting_program)
from configuration_trial import (BASE, REVERSED, TICK_ALL, Failure, Trial, minimised, verdict,
                                 views)

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "support"))

from compiled_programs import Programs  # noqa: E402

# Views that a compiler builds.
COMPILED = ("core", "systemc", "rtl")
FOUND = pathlib.Path(__file__).resolve().parent / "configurations_found.json"
WARPMEM = os.environ.get("WARPMEM", ROOT / "build/release/systemc/app/warpmem")


def program_or_trace(programs, name):
    """Returns the program of a source file below ROOT; a trace is what it is."""
    source = ROOT / name
    return programs.get(source) if source.suffix == ".cu" else source


class Fuzzer:
    def __init__(self, options, folder):
        schema = json.loads(subprocess.run([WARPMEM, "config", "--schema"], capture_output=True,
                                           check=True, text=True).stdout)
        configs = sorted(file.stem for file in (ROOT / "configs").glob("*.yaml"))
        self.options = options
        self.source = Source(schema, configs, options.avoid)
        self.repair = Repair(WARPMEM, ROOT / "configs", folder)
        programs = Programs(WARPMEM, options.programs or folder)
        self.trial = Trial(WARPMEM, ROOT, lambda program: program_or_trace(programs, program))
        self.pairs = self.source.pairs()
        random.Random(options.seed).shuffle(self.pairs)

    def case(self, index):
        """Returns the case of that number and its active keys; None for these when it must be
        refused."""
        rng = random.Random(f"{self.options.seed} {index}")
        with_views = rng.random() < self.options.views
        pair = self.pairs[index % len(self.pairs)]
        case, keys = self.repair(draw_case(self.source, rng, pair, with_views), index)
        if keys:
            case = with_fitting_program(case, keys, rng)
        if keys and rng.random() < self.options.mistakes:
            return plant_mistake(self.source, case, rng), None
        return case, keys and {**keys, "with_views": with_views}

    def variants(self, keys, index):
        found = [TICK_ALL, REVERSED]
        if keys["with_views"]:
            if units := self.units(keys):
                found.append(views(COMPILED[index % len(COMPILED)], units))
        return found

    def units(self, keys):
        return [key for key in self.source.views if keys[key]["active"]]

    def judge(self, index):
        """Returns (index, case, failure, refused, runs, active mechanisms)"""
        case, keys = self.case(index)
        variants = self.variants(keys, index) if keys else []
        failure, refused, runs = verdict(self.trial, case, variants)
        if failure and not case.mistake and not self.options.as_found:
            case, failure = minimised(self.trial, case, failure, self.source.must_draw)
        if refused and keys and not failure:
            failure = self.unfit(case, index)
        active = keys and [(key, keys[key]["value"]) for key in self.source.mechanisms()
                           if keys[key]["active"]]
        return index, case, failure, refused, runs, active or []

    def unfit(self, case, index):
        """Returns what is wrong when a case is refused that was valid, if only together with keys
        that have no effect; None when its configuration is valid."""
        result = self.repair.ask(case, index)
        return Failure(BASE, "refused without keys of no effect", result.stderr) \
            if result.returncode else None

    def describe(self, index, case, failure):
        seed = self.options.seed
        return "\n".join([
            f"case {index} of seed {seed}: {failure.variant.name}: {failure.what}",
            *(f"  {line}" for line in failure.detail.strip().splitlines()[:8]),
            f"  {self.trial.line(case, failure.variant)}",
            f"  tests/fuzz/configurations.py --seed {seed} --only {index}"])  # fmt: skip

    def again(self, number, record):
        """Returns what once failed, as text, or None."""
        case = Case(record["config"], record["keys"], record["program"], record["arguments"])
        failure = self.unfit(case, number)
        if not failure:
            keys = json.loads(self.repair.ask(case, number).stdout)["keys"]
            variants = [TICK_ALL, REVERSED]
            for view in COMPILED:
                variants += [views(view, units)] if (units := self.units(keys)) else []
            failure, _, _ = verdict(self.trial, case, variants)
        return failure and "\n".join([
            f"{FOUND.name}, case {number}: {failure.variant.name}: {failure.what}",
            f"  {record['found']}", f"  {self.trial.line(case, failure.variant)}"])  # fmt: skip


def in_order(function, numbers, jobs):
    """Yields function(number) of each, in the order of the numbers, `jobs` at a time."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        waiting = collections.deque()
        for number in numbers:
            waiting.append(pool.submit(function, number))
            if len(waiting) > jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def numbers_of(options):
    """Yields the numbers of the cases, until there are enough or the time is up."""
    if options.only is not None:
        return [options.only]
    every = range(options.count) if options.count else itertools.count()
    end = time.monotonic() + options.seconds if options.seconds else None
    return itertools.takewhile(lambda _: end is None or time.monotonic() < end, every)


class Tally:
    """This is what a run of the fuzzer has met so far."""

    def __init__(self):
        self.cases = self.runs = self.refused = self.failures = 0
        self.pairs = set()

    def add(self, failure, refused, runs, active):
        self.cases += 1
        self.runs += runs
        self.refused += refused
        self.failures += failure is not None
        self.pairs.update(itertools.combinations(sorted(active), 2))

    def text(self):
        return (f"{self.cases} cases, {self.runs} runs, {self.refused} refused, "
                f"{self.failures} failures; {len(self.pairs)} pairs of mechanisms met")


def fuzz(options, folder):
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the summary is worth having
    fuzzer, tally = Fuzzer(options, folder), Tally()
    try:
        for index, case, failure, refused, runs, active in in_order(
                fuzzer.judge, numbers_of(options), options.jobs):
            tally.add(failure, refused, runs, active)
            if failure:
                print(fuzzer.describe(index, case, failure), flush=True)
            if tally.failures == options.failures:
                break
    except KeyboardInterrupt:
        print("interrupted")
    print(f"seed {options.seed}: {tally.text()}")
    return 1 if tally.failures else 0


def run_found(options, folder):
    fuzzer = Fuzzer(options, folder)
    records = json.loads(FOUND.read_text())
    failures = [text for text in map(fuzzer.again, range(len(records)), records) if text]
    print("\n".join([*failures, f"{len(records)} found cases, {len(failures)} fail"]))
    return 1 if failures else 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="default: a random one, printed")
    parser.add_argument("--count", type=int, help="cases; default: until --seconds, or 100")
    parser.add_argument("--seconds", type=float, help="start no case after this time")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="cases at a time")
    parser.add_argument("--only", type=int, metavar="CASE", help="the case of this number")
    parser.add_argument("--views", type=float, default=0.25, metavar="SHARE",
                        help="of the cases run with SystemC or RTL views (each size of a unit is "
                             "compiled once, which takes seconds)")
    parser.add_argument("--mistakes", type=float, default=SHARE_OF_MISTAKES, metavar="SHARE",
                        help="of the cases have a mistake planted, which is to be refused")
    parser.add_argument("--avoid", action="append", default=[], metavar="KEY=VALUE",
                        help="a choice that is not drawn, because of a fault that is known")
    parser.add_argument("--found", action="store_true", help="run what once failed, nothing else")
    parser.add_argument("--as-found", action="store_true", help="do not make failures smaller")
    parser.add_argument("--failures", type=int, default=10, help="end after so many")
    parser.add_argument("--programs", type=pathlib.Path, metavar="FOLDER",
                        help="keeps compiled workloads")
    options = parser.parse_args()
    if options.seed is None and not options.found:
        options.seed = random.SystemRandom().randrange(1 << 32)
        print(f"seed {options.seed}", flush=True)
    if options.count is None and options.seconds is None:
        options.count = 100
    return options


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        if options.programs:
            options.programs.mkdir(parents=True, exist_ok=True)
        run = run_found if options.found else fuzz
        sys.exit(run(options, pathlib.Path(folder)))


if __name__ == "__main__":
    main()
