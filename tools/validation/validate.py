#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the workloads on the machines of machines/ and compares them with the peer's figures.

usage: validate.py [--warpmem W] [-j N] [--page FILE]
       validate.py [--warpmem W] [-j N] --check [PROGRAM...]

The first writes docs/validation.md (or FILE). --check says whether the page has what these programs
(default: all) give now, and fails with the command that renews it when it has not.
"""
import argparse
import collections
import json
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import setting
from setting import Failure, execute

import matching  # noqa: E402
import readers  # noqa: E402
import runs  # noqa: E402
from result import Result  # noqa: E402

import single_operations  # noqa: E402
import validation_page as page  # noqa: E402

PAGE = setting.ROOT / "docs/validation.md"
WORK = 1  # % of the instructions by which the same work may differ


def run(warpmem, catalogue, machine, name, out, keys=()):
    """Runs a workload; returns the folder of its results, `out`. No bytes are compared: an exported
    trace has none."""
    sets = [word for key in ("check_data=false", *keys) for word in ("--set", key)]
    execute([warpmem, "run", "-c", setting.machine_file(machine), *sets, "-o", out,
             catalogue.built(name), "--", *catalogue.options[name]])  # fmt: skip
    return out


def cycles_of_rules(warpmem, rules, scratch):
    """{rule: (cycles of our run that shows it or None, of the peer's or None)}"""
    catalogue = setting.Catalogue(warpmem, scratch)
    theirs = collections.Counter()
    for launch in readers.read(setting.rules_file()).launches:
        theirs[launch.program] += launch.values["cycles"][0]
    cycles = {}
    for number, (name, rule) in enumerate(rules.rules.items()):
        ours = None
        if "options" in rule and name not in theirs:
            raise Failure(f"{setting.rules_file()}: {name} is missing; peer.py --rules runs it")
        if "keys" in rule:
            out = scratch / f"rule{number}"
            run(warpmem, catalogue, rule["machine"], rule["program"], out, rule["keys"])
            ours = json.loads((out / "stats.json").read_text())["total"]["stats"]["gpu.cycles"]
        cycles[name] = ours, theirs[name] if "options" in rule else None
    return cycles


def compare(file, folders):
    """The Result beside the figures of `file`; `folders` are results by program."""
    reference = readers.read(file)
    reference.launches = [one for one in reference.launches if one.program in folders]
    given = [str(folder) for folder in folders.values()]
    match = [f"{folder}={name}" for name, folder in folders.items()]
    found = runs.read(given, match)
    pairs, alone = matching.pair_up(reference, found, WORK)
    return Result(reference, found, pairs, alone, [page.OUTLIER, WORK])


def measure(warpmem, jobs, names, scratch):
    """({machine: Result}, the Result of the machine that is wrong on purpose, catalogue)"""
    catalogue = setting.Catalogue(warpmem, scratch)
    names = catalogue.names(names)
    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(catalogue.built, names))

        def result(machine, folder, keys=()):
            def one(name):
                return run(warpmem, catalogue, machine, name, scratch / folder / name, keys)

            compared = setting.programs_of(machine, names)
            folders = dict(zip(compared, pool.map(one, compared)))
            return compare(setting.reference_file(machine), folders)

        results = {machine: result(machine, machine) for machine in setting.MACHINES}
        wrong = result(setting.WRONG_MACHINE, "wrong", setting.WRONG_KEYS)
    return results, wrong, catalogue


def measure_costs(warpmem, scratch):
    """{machine: cycles of single operations}"""
    catalogue = setting.Catalogue(warpmem, scratch)
    found = {}
    for machine in setting.MACHINES:
        out = run(warpmem, catalogue, machine, setting.COSTS, scratch / f"{machine}-costs")
        result = compare(setting.costs_file(machine), {setting.COSTS: out})
        found[machine] = single_operations.of_pairs(result.launches)
    return found


def check(results, wrong, catalogue, single, file):
    """Rows of the page that are not what was measured now."""
    lines = set(file.read_text().splitlines())
    rows = [*page.rows(results, catalogue.arguments), *single_operations.lines(single),
            *page.wrong_rows(results[setting.WRONG_MACHINE], wrong)]  # fmt: skip
    return [row for row in rows if row not in lines]


def main():
    parser = argparse.ArgumentParser(description="Compare this project with the peer.")
    parser.add_argument("--warpmem", default=setting.ROOT / "build/release/systemc/app/warpmem")
    parser.add_argument("-j", type=int, default=2, metavar="N")
    parser.add_argument("--page", type=pathlib.Path, default=PAGE, metavar="FILE")
    parser.add_argument("--check", nargs="*", metavar="PROGRAM")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        names = arguments.check or ()
        results, wrong, catalogue = measure(arguments.warpmem, arguments.j, names, scratch)
        single = measure_costs(arguments.warpmem, scratch)
        if arguments.check is None:
            rules = page.Rules.read()
            cycles = cycles_of_rules(arguments.warpmem, rules, scratch)
            text = page.text(results, wrong, catalogue.arguments, rules, cycles, single)
            arguments.page.write_text(text)
            return
    changed = check(results, wrong, catalogue, single, arguments.page)
    if changed:
        raise Failure(
            f"{arguments.page} has other figures than these:\n" + "\n".join(changed) + "\n"
            "Where that is meant, python3 tools/validation/validate.py renews it."
        )


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"error: {failure}")
