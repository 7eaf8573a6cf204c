# SPDX-License-Identifier: Apache-2.0
"""Pairs each launch of the reference with one of a run: of the same program, of the same kernel,
and the same in order."""
import measured
import metrics
from load import ReportError
from names import kernel_base


class Pair:
    """A launch of the reference beside that of the run. `values` has (measured, reference, unit) by
    the metric's name, `absent` why one is missing. `work` is the difference of the instructions, in
    %, or None where the reference has none."""

    def __init__(self, run, launch, reference):
        self.program = run.program
        self.kernel = launch.name
        self.number = launch.number
        self.where = reference.where()
        self.values = {}
        self.absent = {}
        for metric in metrics.ALL:
            if metric.name not in reference.values:
                continue
            value, unit = reference.values[metric.name]
            try:
                ours = measured.value(launch, metric, unit)
                self.values[metric.name] = (ours, value, unit)
            except measured.Absent as reason:
                self.absent[metric.name] = str(reason)
        self.work = None
        known = next((name for name in metrics.WORK if name in self.values), None)
        if known is not None:
            ours, theirs, _ = self.values[known]
            self.work = 100 * abs(ours - theirs) / max(theirs, 1)
        self.same_work = True

    def label(self):
        return f"{self.program} #{self.number} {kernel_base(self.kernel)}"


def label_programs(reference, runs):
    """Gives launches that name no program that of the only run."""
    for launch in reference.launches:
        if launch.program is None:
            if len(runs) > 1:
                raise ReportError(
                    f"{launch.where()}: the reference names no program, so that it is of one run; "
                    "for several, give a folder of references, each named after its program"
                )
            launch.program = runs[0].program


def pairs_by_number(run, launches):
    """The file has the numbers of the launches in their program, as stats.json has them."""
    ours = {launch.number: launch for launch in run.launches}
    for launch in launches:
        found = ours.get(launch.number)
        if found is None or kernel_base(found.name) != kernel_base(launch.kernel):
            what = f"is of {kernel_base(found.name)} there" if found else "is not there"
            raise ReportError(
                f"{launch.where()}: launch {launch.number} of {launch.program} is of "
                f"{kernel_base(launch.kernel)}; in {run.given} it {what}"
            )
        yield Pair(run, found, launch)


def pairs_by_order(run, launches):
    """The n-th launch of a kernel in the file is the n-th in the run."""
    ours = {}
    for launch in run.launches:
        ours.setdefault(kernel_base(launch.name), []).append(launch)
    used = {}
    for launch in launches:
        base = kernel_base(launch.kernel)
        order = used[base] = used.get(base, 0) + 1
        found = ours.get(base, [])
        if order > len(found):
            known = ", ".join(f"{len(of)} of {name}" for name, of in ours.items())
            raise ReportError(
                f"{launch.where()}: launch {order} of {base} matches none of {run.given}, which "
                f"has {known}"
            )
        yield Pair(run, found[order - 1], launch)


def pair_up(reference, runs, most_difference):
    """(pairs, sentences about what has no counterpart). A program of the reference may have no run,
    and a launch of a run no reference; a launch of the reference must be found."""
    label_programs(reference, runs)
    programs = {}
    for launch in reference.launches:
        programs.setdefault(launch.program, []).append(launch)
    for run in runs:
        if run.program not in programs:
            known = ", ".join(programs)
            raise ReportError(
                f"{run.given}: of {run.program}, which {reference.file} does not have; it has "
                f"{known}. --match {run.given}=NAME tells the program"
            )
    pairs, alone = [], []
    for run in runs:
        launches = programs.pop(run.program)
        numbered = launches[0].number is not None
        found = list((pairs_by_number if numbered else pairs_by_order)(run, launches))
        if len(found) < len(run.launches):
            count = len(run.launches) - len(found)
            alone.append(f"{count} of the launches of {run.given} have no reference")
        pairs += found
    if programs:
        alone.append("no run of " + ", ".join(programs))
    for pair in pairs:
        pair.same_work = pair.work is None or pair.work <= most_difference
    return pairs, alone
