#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""How far runs are from a reference: counters of hardware, of Accel-Sim or of other runs.

usage: correlate.py [--match RUN=NAME]... [--outlier PCT] [--work PCT] [--fail-above PCT]
                    [--json FILE] [--page FILE] [--title TEXT] REFERENCE RUN...
       correlate.py --write FILE RUN...

REFERENCE is a file, or a folder with one for each program (docs/correlate.md); RUN is a directory
of `warpmem run`. With --write the runs become a reference. The exit status is 1 when the mean error
is above that of --fail-above, 2 for a mistake of the user.
"""
import argparse
import math
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))

import load  # noqa: E402
import output  # noqa: E402
from load import ReportError  # noqa: E402

import matching  # noqa: E402
import readers  # noqa: E402
import runs  # noqa: E402
import text  # noqa: E402
import written  # noqa: E402
from reference import one_line  # noqa: E402
from result import Result, as_json  # noqa: E402


def percentage(option, given):
    try:
        value = float(given)
    except ValueError:
        value = math.nan
    if not (math.isfinite(value) and value >= 0):
        raise ReportError(f"{option} {given}: not a number of % from 0")
    return value


def write(name, content):
    try:
        output.write_page(name, content)
    except OSError as error:
        raise ReportError(f"{load.readable(name)}: cannot be written: {error.strerror}") from None


def show(lines):
    """Prints, and finds out now whether that can be done."""
    try:
        print(lines, flush=True)
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # what is left of it is not tried again at the end
        raise ReportError(f"standard output: cannot be written: {error.strerror}") from None


def compare(arguments):
    """Exit status of a comparison."""
    limits = [percentage("--outlier", arguments.outlier), percentage("--work", arguments.work)]
    bound = None
    if arguments.fail_above is not None:
        bound = percentage("--fail-above", arguments.fail_above)
    if len(arguments.files) < 2:
        raise ReportError("a reference and at least one run are needed")
    reference = readers.read(arguments.files[0])
    given = runs.read(arguments.files[1:], arguments.match)
    pairs, alone = matching.pair_up(reference, given, limits[1])
    result = Result(reference, given, pairs, alone, limits)
    if arguments.json:
        write(arguments.json, as_json(result))
    if arguments.page:
        import page  # here, for it wants jinja2
        from report import render

        context = page.page(result, load.readable(arguments.title))
        write(arguments.page, render("correlate.html", context))
    show("\n".join(map(one_line, text.lines_of(result))))
    if bound is None:
        return 0
    mean = result.mean_error()
    if mean is None:
        print("warpmem: no launch did the same work, so there is no mean error", file=sys.stderr)
        return 1
    if mean > bound:
        name = result.time.name
        print(
            f"warpmem: the mean error of {name} is {mean:.3g} %, above {bound:g} %", file=sys.stderr
        )
        return 1
    return 0


def main():
    parser = argparse.ArgumentParser(description="Compare runs with a reference.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--match", action="append", default=[], metavar="RUN=NAME")
    parser.add_argument("--outlier", default="10", metavar="PCT")
    parser.add_argument("--work", default="1", metavar="PCT")
    parser.add_argument("--fail-above", metavar="PCT")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--page", metavar="FILE")
    parser.add_argument("--title", default="")
    parser.add_argument("--write", metavar="FILE")
    arguments = parser.parse_args()
    for stream in (sys.stdout, sys.stderr):  # whatever the locale
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        if arguments.write:
            for option in ("fail_above", "json", "page", "title"):
                if getattr(arguments, option):
                    name = option.replace("_", "-")
                    raise ReportError(f"--{name} is for a comparison, not for --write")
            given = runs.read(arguments.files, arguments.match)
            write(arguments.write, written.reference_of(given, arguments.write))
            sys.exit(0)
        sys.exit(compare(arguments))
    except ReportError as error:
        print(f"warpmem: error: {one_line(str(error))}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
