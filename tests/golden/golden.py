# SPDX-License-Identifier: Apache-2.0
"""Golden statistics: the runs of runs.json, and every statistic of a run in canonical form, one
statistic a line, so that a diff says what moved.

usage: golden.py renew [NAME...]   writes stats/NAME.json anew, of all runs or of these
"""

import itertools
import json
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "integration"))

from whole_runs import ROOT, compiled, assignments, warpmem  # noqa: E402

STATS = HERE / "stats"
MOST_SHOWN = 20
HOW_TO_RENEW = """When the change is meant: cmake --build build/release --target renew_golden,
look at `git diff tests/golden/stats`, and commit it with a line `Golden: reason` in the message."""


class Runs:
    """This is what runs.json says, with `same_as` resolved."""

    def __init__(self, text):
        document = json.loads(text)
        self.common = document["every_run_sets"]
        self.by_name = {}
        for run in document["runs"]:
            name = run["name"]
            if name in self.by_name:
                raise ValueError(f"two golden runs are named {name}")
            if "same_as" in run:
                base = self.by_name[run["same_as"]]
                run = {**base, **run, "covers": {**base["covers"], **run["covers"]}}
            self.by_name[name] = run

    @classmethod
    def read(cls):
        return cls((HERE / "runs.json").read_text())

    def of_their_own(self):
        """Returns the names of the runs that have a file."""
        return [name for name, run in self.by_name.items() if "same_as" not in run]

    def golden_file(self, name):
        return STATS / f"{self.by_name[name].get('same_as', name)}.json"


def word(value):
    """Returns a value of runs.json as --set takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def command_line(runs, name, folder):
    """Returns the arguments of `warpmem`; compiles the program if need be."""
    run = runs.by_name[name]
    keys = {**runs.common, **run.get("set", {}), **run["covers"]}
    program = ROOT / run["program"]
    if program.suffix == ".cu":
        program = compiled(run["program"][len("workloads/") : -len(".cu")])
    arguments = ["--", *run["arguments"]] if "arguments" in run else []
    return ["run", "-c", ROOT / "configs" / f"{run['config']}.yaml",
            *assignments(f"{key}={word(value)}" for key, value in keys.items()),
            "-o", folder, program, *arguments]  # fmt: skip


def execute(runs, name):
    """Returns the canonical statistics of a run."""
    with tempfile.TemporaryDirectory() as folder:
        command = command_line(runs, name, folder)
        result = warpmem(*command)
        if result.returncode != 0:
            raise RuntimeError(f"golden run {name}: exit status {result.returncode}\n"
                               f"warpmem {' '.join(map(str, command))}\n{result.stderr}")
        return canonical(json.loads((pathlib.Path(folder) / "stats.json").read_text()))


# ---- Canonical form --------------------------------------------------------------------------

PARTS = ("stats", "histograms", "series")


def runs_of(numbers):
    """Returns "0*3 5" for [0, 0, 0, 5]."""
    runs = [(value, len(list(same))) for value, same in itertools.groupby(numbers)]
    return " ".join(f"{value!r}*{count}" if count > 1 else repr(value) for value, count in runs)


def compact(value):
    """Bins of a histogram and points of a series stand as runs of equal numbers, those after the
    series' interval and clock."""
    if not isinstance(value, dict):
        return value
    if "points" in value:
        head = " ".join(str(part) for key, part in value.items() if key != "points")
        return f"{head}: {runs_of(value['points'])}".rstrip()
    return {key: runs_of(part) if isinstance(part, list) else part for key, part in value.items()}


def value_in(part, name):
    """Returns the one value of a statistic in a group of statistics, histograms and series, or
    None."""
    found = [part[kind][name] for kind in PARTS if name in part.get(kind, {})]
    if len(found) > 1:
        raise ValueError(f"{name} has {len(found)} values")
    return compact(found[0]) if found else None


def bounds_of(name, values):
    """Takes the bounds out of the histograms that `values` are and returns them: they are the
    same in every launch."""
    found = {value.pop("bounds") for value in values if isinstance(value, dict) and
             "bounds" in value}  # fmt: skip
    if len(found) > 1:
        raise ValueError(f"the bounds of {name} change from launch to launch")
    return found.pop() if found else None


def launch_text(kernel):
    """The number and name of a launch; of several that ran together, also when they did."""
    if "together" not in kernel:
        return f"{kernel['launch']} {kernel['name']}"
    return ", ".join(f"{k['launch']} {k['name']} {k['begin']}..{k['end']}"
                     for k in kernel["together"])


def canonical(document):
    """Returns all values that stats.json holds, of a statistic in one line: its kind with the
    total, then its launches unless the only one has the total's value. A document with parts that
    this function does not know is refused: nothing may be left out unseen."""
    known = {"units", "kernels", "total"}
    if set(document) != known:
        raise ValueError(f"stats.json has the parts {sorted(document)}; known: {sorted(known)}")
    for part in (document["total"], *document["kernels"]):
        # The shape of a launch is what the program asks for, and no result.
        if not set(part) <= {"name", "launch", "grid", "block", "together", *PARTS}:
            raise ValueError(f"unknown parts of a launch or the total: {sorted(part)}")
    launches = [launch_text(kernel) for kernel in document["kernels"]]
    lines = ["{", f'"launches": {json.dumps(launches)},']
    for part in (document["total"], *document["kernels"]):
        for kind in PARTS:
            unknown = set(part.get(kind, {})) - set(document["units"])
            if unknown:
                raise ValueError(f"statistics without a unit: {sorted(unknown)}")
    for name, about in document["units"].items():
        total = value_in(document["total"], name)
        of_launches = [value_in(kernel, name) for kernel in document["kernels"]]
        row = {about["kind"]: total}
        if bounds := bounds_of(name, [total, *of_launches]):
            row = {"bounds": bounds, **row}
        if of_launches != [total] and any(value is not None for value in of_launches):
            row["launches"] = of_launches
        lines.append(f"{json.dumps(name)}: {json.dumps(row, separators=(',', ':'))},")
    lines[-1] = lines[-1].rstrip(",")
    return "\n".join(lines) + "\n}\n"


# ---- What moved ------------------------------------------------------------------------------


def moved(before, now):
    """Compares one statistic, from one row of the canonical form to another; either may be None."""
    if before is None or now is None:
        return "is new" if before is None else "is gone"
    for part in {**before, **now}:
        old, new = before.get(part), now.get(part)
        if old == new:
            continue
        if all(isinstance(value, (int, float)) for value in (old, new)):
            share = f" ({100 * (new - old) / old:+.2f} %)" if old else ""
            return f"{old} -> {new}{share}"
        return f"{part}: {json.dumps(old)} -> {json.dumps(new)}"
    return None


def differences(golden, now):
    """Returns sentences, one for each statistic that moved, of two canonical texts."""
    before, after = json.loads(golden), json.loads(now)
    launches = [rows.pop("launches") for rows in (before, after)]
    found = []
    if launches[0] != launches[1]:
        found.append(f"launches: {launches[0]} -> {launches[1]}")
    for name in {**before, **after}:
        sentence = moved(before.get(name), after.get(name))
        if sentence:
            found.append(f"{name}: {sentence}")
    if not found and golden != now:
        found.append("only the form of the file differs, no statistic")
    return found


def report(name, golden, now):
    """Returns what to tell somebody whose change moved the statistics of a run."""
    found = differences(golden, now)
    shown = [f"  {sentence}" for sentence in found[:MOST_SHOWN]]
    if len(found) > MOST_SHOWN:
        shown.append(f"  and {len(found) - MOST_SHOWN} more")
    return "\n".join([f"golden run {name}: {len(found)} statistics moved", *shown, HOW_TO_RENEW])


# ---- Coverage --------------------------------------------------------------------------------


# Values that need a program around the library: `warpmem run` refuses them (tests/unit/memory).
OF_THE_LIBRARY = {("dram.kind", "external")}


def mechanism_values(schema):
    """Yields (key, value) of every choice and every flag of `warpmem config --schema`."""
    for key, about in schema["keys"].items():
        if about["type"] == "choice":
            yield from ((key, value) for value in about["choices"]
                        if (key, value) not in OF_THE_LIBRARY)
        if about["type"] == "bool":
            yield from ((key, "true"), (key, "false"))


def matches(value, choice):
    """Says that swl:4 is a value of the choice swl:N."""
    if choice.endswith(":N"):
        return re.fullmatch(re.escape(choice[:-1]) + r"\d+", value) is not None
    return value == choice


def uncovered(schema, runs):
    covered = {}
    for run in runs.by_name.values():
        for key, value in run["covers"].items():
            covered.setdefault(key, set()).add(word(value))
    return [f"{key}={value}" for key, value in mechanism_values(schema)
            if not any(matches(have, value) for have in covered.get(key, ()))]


def misplaced(schema, runs):
    """Mechanisms belong to `covers`, everything else to `set`."""
    mechanisms = {key for key, _ in mechanism_values(schema)}
    for name, run in runs.by_name.items():
        yield from (f"{name}: {key} is no mechanism" for key in run["covers"]
                    if key not in mechanisms)
        yield from (f"{name}: the mechanism {key} is in `set`"
                    for key in {**runs.common, **run.get("set", {})} if key in mechanisms)


def renew(names):
    runs = Runs.read()
    unknown = set(names) - set(runs.of_their_own())
    if unknown:
        sys.exit(f"no golden run with a file of its own: {', '.join(sorted(unknown))}; "
                 f"there are {', '.join(runs.of_their_own())}")
    changed = 0
    for name in names or runs.of_their_own():
        file = runs.golden_file(name)
        now = execute(runs, name)
        if not file.exists() or file.read_text() != now:
            file.write_text(now)
            changed += 1
            print(f"renewed {file.relative_to(ROOT)}")
    if not names:
        for file in sorted(set(STATS.glob("*.json")) - set(map(runs.golden_file, runs.by_name))):
            file.unlink()
            changed += 1
            print(f"removed {file.relative_to(ROOT)}")
    print(f"{changed} golden files changed" + ("\n" + HOW_TO_RENEW if changed else ""))


if __name__ == "__main__":
    if sys.argv[1:2] != ["renew"]:
        sys.exit(__doc__)
    renew(sys.argv[2:])
