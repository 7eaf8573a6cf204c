# SPDX-License-Identifier: Apache-2.0
"""Runs a case in its variants and judges it; makes a failing case as small as it gets."""

import dataclasses
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile

from configuration_draw import CHECKS

RUN_SECONDS = 60
COMPILE_SECONDS = 300  # besides, for views that are not in the cache
MOST_MINIMISING_RUNS = 400
# This shows that a program did not end by itself, whatever its status.
CRASH = re.compile(r"terminate called|Assertion .* failed|runtime error:|AddressSanitizer")

# This shows that a launch did not fit, as a GPU refuses it: the launches before it count.
NOT_LAUNCHED = re.compile(r"^warpmem: note: .* is not launched \(cudaError\w+\)", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Variant:
    """This is a way of running a case that must not change its statistics."""

    name: str
    keys: tuple = ()
    flags: tuple = ()
    compiled: bool = False


BASE = Variant("base")
TICK_ALL = Variant("tick-all", flags=("--tick-all",))
REVERSED = Variant("reversed", keys=(("reverse_construction", "true"),))


def views(name, keys):
    return Variant(name, keys=tuple((key, name) for key in keys), compiled=True)


@dataclasses.dataclass(frozen=True)
class Outcome:
    status: object  # the exit status, or "hang"
    stdout: str
    stderr: str
    stats: bytes  # None when there are none


@dataclasses.dataclass(frozen=True)
class Failure:
    variant: Variant
    what: str  # the same for the same kind of failure
    detail: str = ""


class Trial:
    """`program_of` gives the compiled form of a workload."""

    def __init__(self, warpmem, root, program_of):
        self.warpmem, self.root, self.program_of = warpmem, root, program_of

    def command(self, case, variant, program, out):
        keys = {**case.keys, **{c.partition("=")[0]: c.partition("=")[2] for c in CHECKS}}
        keys.update(variant.keys)
        command = [str(self.warpmem), "run"]
        if case.config:
            command += ["-c", f"{self.root}/configs/{case.config}.yaml"]
        for key, value in keys.items():
            command += ["--set", f"{key}={value}"]
        command += [*variant.flags, "-o", str(out), str(program)]
        return command + (["--", *case.arguments] if case.arguments else [])

    def run(self, case, variant):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "run"
            command = self.command(case, variant, self.program_of(case.program), out)
            # It gets a group of its own: `warpmem run` starts the program.
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True, errors="replace", start_new_session=True) as process:
                try:
                    limit = RUN_SECONDS + (COMPILE_SECONDS if variant.compiled else 0)
                    stdout, stderr = process.communicate(timeout=limit)
                    status = process.returncode
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    stdout, stderr = process.communicate()
                    status = "hang"
            file = out / "stats.json"
            return Outcome(status, stdout, stderr, file.read_bytes() if file.exists() else None)

    def line(self, case, variant):
        """Returns what to type to see the failure of a variant."""
        def text(v, out):
            words = self.command(case, v, case.program, out)
            return shlex.join(["warpmem", *words[1:]]).replace(f"{self.root}/", "")

        if variant == BASE:
            return text(BASE, "runs/base")
        return (f"{text(BASE, 'runs/base')}; {text(variant, 'runs/' + variant.name)}; "
                f"cmp runs/base/stats.json runs/{variant.name}/stats.json")  # fmt: skip


def problem_of(case, outcome):
    """Returns what is wrong with one run by itself, or None."""
    if outcome.status == "hang":
        return "hang", f"no end within {RUN_SECONDS} s"
    if CRASH.search(outcome.stderr):
        return "crash", outcome.stderr
    if outcome.status == 0:
        if case.mistake:
            return "mistake taken", case.mistake
        if case.program.endswith(".cu") and "PASS" not in outcome.stdout.splitlines():
            return "no PASS", outcome.stdout + outcome.stderr
        return None if outcome.stats else ("no statistics", outcome.stderr)
    if outcome.status != 2:
        return f"exit status {outcome.status}", outcome.stderr
    if not outcome.stderr.strip():
        return "refused without a word", ""
    if outcome.stats and (case.mistake or not NOT_LAUNCHED.search(outcome.stderr)):
        return "refused with statistics", outcome.stderr
    return None


def verdict(trial, case, variants):
    """Returns (failure or None, was it refused, runs made)."""
    base = trial.run(case, BASE)
    problem = problem_of(case, base)
    if problem:
        return Failure(BASE, *problem), False, 1
    if base.status == 2 and case.mistake:
        return None, True, 1
    for number, variant in enumerate(variants, 2):
        other = trial.run(case, variant)
        problem = problem_of(case, other)
        if problem:
            return Failure(variant, *problem), False, number
        if other.status != base.status:
            detail = f"exit status {base.status}, {variant.name} {other.status}\n"
            return Failure(variant, "another status", detail + base.stderr + other.stderr), \
                False, number
        if other.stats != base.stats:
            return Failure(variant, "other statistics", first_difference(base, other)), False, \
                number
    return None, base.status == 2, 1 + len(variants)


def first_difference(one, other):
    """Returns the first lines of stats.json that differ."""
    pairs = zip(one.stats.decode().splitlines(), other.stats.decode().splitlines())
    shown = [f"line {number}: {a.strip()} | {b.strip()}"
             for number, (a, b) in enumerate(pairs, 1) if a != b][:3]
    return "\n".join(shown) or "one is longer than the other"


def minimised(trial, case, failure, kept):
    """Returns the smallest case, found by leaving out one setting after the other, that fails in
    the same way; and its failure. The keys `kept` stay: without them the case may fail for a known
    reason."""
    variants = [] if failure.variant == BASE else [failure.variant]
    runs = 0

    def still_fails(candidate):
        nonlocal runs
        found, _, made = verdict(trial, candidate, variants)
        runs += made
        same = found and found.variant.name == failure.variant.name and found.what == failure.what
        return found if same else None

    shrunk = True
    while shrunk and runs < MOST_MINIMISING_RUNS:
        shrunk = False
        for key in [key for key in case.keys if not kept(key)]:
            if runs >= MOST_MINIMISING_RUNS:
                break
            candidate = case.without(key)
            if found := still_fails(candidate):
                case, failure, shrunk = candidate, found, True
        if case.config:
            candidate = dataclasses.replace(case, config="")
            if found := still_fails(candidate):
                case, failure, shrunk = candidate, found, True
    return case, failure
