# SPDX-License-Identifier: Apache-2.0
"""A reference: launches with the values that another machine, or simulator, has counted."""
import metrics
import units
from load import ReportError


MOST_RATE = 110  # %


class Launch:
    """One launch of the reference. `number` is its number in the program where the file tells it,
    else None and the order counts. `line` is where it stands in `file`. `values` has (value, unit)
    by the name of the metric."""

    def __init__(self, file, line, kernel, program=None, number=None):
        self.file = file
        self.line = line
        self.kernel = kernel
        self.program = program
        self.number = number
        self.values = {}

    def where(self):
        return f"{self.file}:{self.line}"

    def set(self, name, value, unit):
        assert unit in metrics.BY_NAME[name].units, (name, unit)
        self.values[name] = (units.whole(value), unit)


class Reference:
    """`unread` has what the file counts and this project does not, in words. `notes` are lines of
    the file that say where it is from."""

    def __init__(self, file, kind):
        self.file = file
        self.kind = kind
        self.launches = []
        self.unread = []
        self.notes = []

    def checked(self):
        if not self.launches:
            raise ReportError(f"{self.file}: no launch of a kernel in it")
        return self


def one_line(text):
    """What is quoted from a file may hold ends of lines and other letters that do not show."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def problem(file, line, text):
    return ReportError(one_line(f"{file}:{line}: {text}"))


def unit_of(file, line, name, written):
    """The unit of the metric `name` that `written` is a spelling of, and how large it is."""
    metric = metrics.BY_NAME.get(name)
    if metric is None:
        known = ", ".join(metrics.BY_NAME)
        raise problem(file, line, f"no metric '{name}'; allowed: {known}")
    for unit in metric.units:
        times = units.factor(written, unit)
        if times is not None:
            return unit, times
    known = units.allowed(*metric.units)
    raise problem(file, line, f"'{written}' is no unit of {name}; allowed: {known}")


def set_amount(launch, name, value, unit, line):
    """Sets a metric that has been read from a file of our own. A chip is measured in several
    passes, so that a rate may come out a little above 100."""
    if metrics.BY_NAME[name].rate and value > MOST_RATE:
        raise problem(launch.file, line, f"{name} of {value:g} %: more than {MOST_RATE} %")
    launch.set(name, value, unit)


def refuse_twice(reference):
    """Each launch stands in a reference once."""
    seen = {}
    for launch in reference.launches:
        key = (launch.program, launch.number)
        first = seen.setdefault(key, launch)
        if first is not launch:
            raise problem(
                launch.file,
                launch.line,
                f"launch {launch.number} of {launch.program} stands in line {first.line} already",
            )
