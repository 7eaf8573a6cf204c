# SPDX-License-Identifier: Apache-2.0
"""docs/validation.md from the comparisons of the machines."""
import json
import textwrap

import setting

import agreement  # noqa: E402
import single_operations  # noqa: E402
import metrics  # noqa: E402
from text import counters_of  # noqa: E402

OUTLIER = 10  # % of the cycles
COUNTERS = 3  # beside a launch of the machine that is wrong on purpose
WIDTH = 100
TARGET = (
    "cycles within 5 % on average, Pearson's coefficient at least 0.99, hit rates within 2 points,"
    "\nbytes of DRAM within 5 %"
)
INTRODUCTION = """\
The workloads of the papers at their tiny sizes, on machines that both simulators express. Written
by `tools/validation/validate.py`, which the tests run for some of the programs; the peer's figures
are in `tools/validation/data/`, with the versions and options that made them. Accel-Sim reads
traces that `warpmem trace export` has written of the same programs, so that both execute the same
instructions. Unloaded latencies are made equal by pointer chases through L2 and DRAM and by the
single operations below, none of which is among the programs. The rest was set from the
configurations and the public source of the peer: units, queues, operand collectors, which scheduler
goes first. What is compared is how two models time the programs: neither of them is silicon.

The peer is slow, so that `mrpb-base-s` has the programs alone that take it at most 32000 cycles on
`gu-dlmshr`.
"""
RULES = setting.HERE / "rules.json"
RATES = [("l1d.hit_rate", "L1D hits"), ("l2.hit_rate", "L2 hits")]
AMOUNTS = [("dram.read_bytes", "DRAM bytes read"), ("dram.write_bytes", "written")]


class Machine:
    """What a Result says of a machine, program by program."""

    def __init__(self, name, result):
        self.name = name
        self.result = result
        self.totals = {program: found for program, _, found in result.totals() if program}

    def cycles(self, program):
        return self.totals[program]["cycles"]

    def errors(self):
        return {p: self.cycles(p)[2] for p in self.totals}

    def outliers(self):
        far = {p: e for p, e in self.errors().items() if abs(e) > OUTLIER}
        return dict(sorted(far.items(), key=lambda one: -abs(one[1])))

    def mean_error(self, without=()):
        return agreement.mean_error([e for p, e in self.errors().items() if p not in without])

    def pearson(self):
        values = [self.cycles(p) for p in self.totals]
        return agreement.pearson([v[1] for v in values], [v[0] for v in values])

    def rate_error(self, name):
        """Mean distance in points, and of how many programs."""
        found = [t[name][2] for t in self.totals.values() if name in t]
        return (agreement.mean_error(found), len(found)) if found else (None, 0)

    def amount_error(self, name):
        """Error of the sum over all programs, in %; None where both are 0."""
        found = [t[name] for t in self.totals.values() if name in t]
        ours, theirs = (sum(value[side] for value in found) for side in (0, 1))
        both = ours or theirs
        return agreement.error(metrics.BY_NAME[name], ours, theirs) if both else None

    def other_work(self):
        return sorted({pair.program for pair in self.result.launches if not pair.same_work})


class Rules:
    """What explains outliers: {"rules": {NAME: {"text", "machine", "program", "keys"}}, "outliers":
    {MACHINE: {PROGRAM: NAME}}}. The program on the machine with these keys shows the rule, or, with
    "options" instead of them or beside them, on the peer's machine with these options."""

    def __init__(self, text):
        document = json.loads(text)
        self.rules = document["rules"]
        self.of = document["outliers"]
        for machine, programs in self.of.items():
            for program, rule in programs.items():
                if machine not in setting.MACHINES or rule not in self.rules:
                    raise setting.Failure(f"{RULES}: {machine}, {program}: no such machine or rule")

    @classmethod
    def read(cls):
        return cls(RULES.read_text())


def points(value):
    return "-" if value is None else f"{value:.1f}"


def percent(value):
    return "-" if value is None else f"{value:+.1f} %"


def summary_row(machine):
    far = machine.outliers()
    rates = [machine.rate_error(name) for name, _ in RATES]
    return (
        f"| `{machine.name}` | {len(machine.totals)} | {machine.mean_error():.1f} % | "
        f"{machine.mean_error(far):.1f} % | {len(far)} | {machine.pearson():.4f} | "
        + " | ".join(f"{points(error)} ({count})" for error, count in rates)
        + "".join(f" | {percent(machine.amount_error(name))}" for name, _ in AMOUNTS)
        + " |"
    )


def program_row(machines, program, arguments):
    cells = []
    for machine in machines:
        if program not in machine.totals:
            compared = setting.programs_of(machine.name, [program])
            cells.append("other work" if compared else "not run")
            continue
        ours, theirs, error = machine.cycles(program)
        cells.append(f"{ours:.0f} : {theirs:.0f} ({error:+.1f} %)")
    return f"| `{program}` | {' '.join(arguments)} | " + " | ".join(cells) + " |"


def rows(results, arguments):
    """The rows of the programs that were measured."""
    machines = [Machine(name, result) for name, result in results.items()]
    programs = dict.fromkeys(p for machine in machines for p in machine.totals)
    return [program_row(machines, program, arguments[program]) for program in sorted(programs)]


def outlier_lines(machines, rules):
    lines = ["| machine | program | cycles | rule |", "|---|---|---|---|"]
    for machine in machines:
        for program, error in machine.outliers().items():
            rule = rules.of.get(machine.name, {}).get(program, "not explained yet")
            lines.append(f"| `{machine.name}` | `{program}` | {error:+.1f} % | {rule} |")
    return lines


def wrong_rows(right, wrong):
    """The launches whose error is another one on the wrong machine, with what correlate names."""
    errors = {pair.label(): right.error_of(pair) for pair in right.same}
    for pair in wrong.same:
        error, before = wrong.error_of(pair), errors[pair.label()]
        if abs(error - before) > OUTLIER:
            counters = ", ".join(counters_of(pair, COUNTERS)).replace("−", "-") or "none"
            yield f"| `{pair.label()}` | {before:+.1f} % | {error:+.1f} % | {counters} |"


def wrong_lines(right, wrong):
    keys = ", ".join(f"`{key}`" for key in setting.WRONG_KEYS)
    what = (
        f"`{setting.WRONG_MACHINE}` with {keys}, half of what a slice has, beside the peer's "
        f"figures of the right machine: the launches whose error this changes by more than "
        f"{OUTLIER} points, and the {COUNTERS} counters that `warpmem correlate` puts first."
    )
    return [
        "## A machine that is wrong on purpose",
        "",
        *textwrap.wrap(what, WIDTH, break_on_hyphens=False),
        "",
        "| launch | cycles, right | cycles, wrong | counters |",
        "|---|---|---|---|",
        *wrong_rows(right, wrong),
        "",
    ]


def shown_by(rule, machines, arguments, cycles):
    """Sentence on the runs that show a rule; `cycles` are ours and the peer's."""
    program, machine = rule["program"], next(m for m in machines if m.name == rule["machine"])
    ours, theirs, _ = machine.cycles(program)

    def side(name, plain, changes, changed):
        words = f"{name} {plain:.0f} cycles"
        if changed is not None:
            words += f", with {', '.join(f'`{change}`' for change in changes)} {changed:.0f}"
        return words

    run = " ".join([program, *arguments[program]])
    sides = [side("warpmem", ours, rule.get("keys"), cycles[0]),
             side("Accel-Sim", theirs, rule.get("options"), cycles[1])]  # fmt: skip
    return f"`{run}` on `{machine.name}` takes " + "; ".join(sides) + "."


def text(results, wrong, arguments, rules, cycles, single):
    """The page. `wrong`: the Result of the machine that is wrong on purpose; `cycles`: of the runs
    that show each rule; `single`: of single operations, by machine."""
    machines = [Machine(name, result) for name, result in results.items()]
    notes = dict.fromkeys(note for m in machines for note in m.result.reference.notes)
    other = sorted({program for machine in machines for program in machine.other_work()})
    lines = [
        "# Validation: warpmem beside Accel-Sim",
        "",
        INTRODUCTION,
        f"Target: {TARGET}.",
        "Errors are of a program's cycles over all its launches; an outlier is off by more than "
        f"{OUTLIER} %.",
        "Hit rates: mean distance in points, and of how many programs both count them alike.",
        "A dash: no bytes in either simulator.",
        "",
        "| machine | programs | cycles | without outliers | outliers | Pearson | "
        + " | ".join(label for _, label in [*RATES, *AMOUNTS])
        + " |",
        "|" + "---|" * (6 + len(RATES) + len(AMOUNTS)),
        *map(summary_row, machines),
        "",
        *(f"- {note}" for note in notes),
        "",
        "## Outliers",
        "",
        *outlier_lines(machines, rules),
        "",
        "## Rules",
        "",
        "Where the two models differ on purpose, or one of them has a limit. Each is shown by a",
        "run that takes the difference away, or puts it in.",
        "",
    ]
    for name, rule in rules.rules.items():
        shown = shown_by(rule, machines, arguments, cycles[name])
        whole = f"**{name}.** {rule['text']} Shown by: {shown}"
        lines += [*textwrap.wrap(whole, WIDTH, break_on_hyphens=False), ""]
    if other:
        names = ", ".join(f"`{name}`" for name in other)
        lines += [f"Left out are launches with other numbers of instructions: of {names}.", ""]
    lines += wrong_lines(results[setting.WRONG_MACHINE], wrong)
    lines += [
        "## Single operations",
        "",
        "Cycles of warpmem : Accel-Sim for what `tools/validation/costs.cu` does, by the",
        f"difference of {single_operations.MANY} and {single_operations.FEW} of them.",
        *single_operations.lines(single),
        "",
        "## Programs",
        "",
        "Cycles of warpmem : Accel-Sim.",
        "",
        "| program | arguments | " + " | ".join(f"`{m.name}`" for m in machines) + " |",
        "|" + "---|" * (2 + len(machines)),
        *rows(results, arguments),
    ]
    return "\n".join(lines) + "\n"
