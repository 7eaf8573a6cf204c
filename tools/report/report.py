#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page from the results of one or several runs, or of a sweep.

usage: report.py RUN [RUN ...] [--synth FILE ...] [--reference FILE] [--title TEXT]
                 [-o report.html]
       report.py SWEEP [--metric NAME ...] [--baseline LABEL] [--axis NAME] [--synth FILE ...]
                 [--reference FILE] [--knees FILE] [--answer TEXT ...] [--title TEXT]
                 [-o report.html]

RUN is a run directory (stats.json, config.yaml, manifest.json); the first is the baseline of all
comparisons. FILE of --synth is a result of 'warpmem synth --json', that of --knees an answer.json
of 'warpmem explore'. SWEEP is the SQLite file of 'warpmem sweep', known by its first bytes. What
the page answers is printed as well.
"""
import argparse
import pathlib
import sys

try:
    import jinja2
except ImportError:
    print("jinja2 is not installed: run 'apt-get install python3-jinja2'", file=sys.stderr)
    sys.exit(2)

import content
import in_words
import knees
import load
import output
import sweep_load
import sweep_page


def render(template, context):
    folder = pathlib.Path(__file__).resolve().parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    context["style"] = (folder / "style.css").read_text()
    context["script"] = (folder / "page.js").read_text()
    return environment.get_template(template).render(context)


def make(arguments):
    """The page for the arguments, and what it says in lines of text."""
    sweeps = [path for path in arguments.runs if sweep_load.is_sweep(path)]
    if sweeps:
        if len(arguments.runs) > 1:
            raise load.ReportError(f"{sweeps[0]}: a sweep is reported alone")
        sweep = sweep_load.read_sweep(sweeps[0])
        page = sweep_page.page(
            sweep,
            arguments.title,
            arguments.metric,
            arguments.baseline,
            arguments.axis,
            arguments.reference,
            [load.read_synth(path) for path in arguments.synth],
            arguments.answer,
            knees.read(arguments.knees) if arguments.knees else knees.NONE,
        )
        # Who gives an answer has said it.
        return render("sweep.html", page), [] if arguments.answer else in_words.of_sweep(page)
    for option in ("metric", "baseline", "axis", "knees"):
        if getattr(arguments, option):
            raise load.ReportError(f"--{option} is for the SQLite file of a sweep")
    for path in arguments.runs:
        if pathlib.Path(path).is_file():
            raise load.ReportError(f"{path}: neither a run directory nor the file of a sweep")
    runs = load.read_runs(arguments.runs)
    synths = [load.read_synth(path) for path in arguments.synth]
    page = content.page(runs, synths, arguments.title, arguments.reference)
    return render("page.html", page), in_words.of_runs(page, runs)


def main():
    parser = argparse.ArgumentParser(
        description="Make an HTML page from run directories or a sweep."
    )
    parser.add_argument(
        "runs",
        nargs="+",
        metavar="RUN",
        help="run directories, the first the baseline; or one sweep",
    )
    parser.add_argument(
        "--synth",
        action="append",
        default=[],
        metavar="FILE",
        help="result of 'warpmem synth --json'",
    )
    parser.add_argument(
        "--metric", action="append", default=[], metavar="NAME", help="statistic to draw of a sweep"
    )
    parser.add_argument("--baseline", metavar="LABEL", help="label that a sweep is divided by")
    parser.add_argument("--axis", metavar="NAME", help="axis of a sweep whose labels are the bars")
    parser.add_argument(
        "--reference", default="", metavar="FILE", help="what others counted of the same programs"
    )
    parser.add_argument(
        "--knees", metavar="FILE", help="answer.json of 'warpmem explore': the knees to mark"
    )
    parser.add_argument(
        "--answer", action="append", default=[], metavar="TEXT",
        help="sentences that take the place of the verdict on a sweep",
    )
    parser.add_argument("--title", default="", help="heading of the page")
    parser.add_argument("-o", "--output", default="report.html", help="page to write")
    arguments = parser.parse_args()
    arguments.title = load.readable(arguments.title)
    try:
        html, lines = make(arguments)
        try:
            output.write_page(arguments.output, html)
        except OSError as error:
            raise load.ReportError(
                f"{arguments.output}: cannot be written: {error.strerror}"
            ) from None
        try:
            output.print_lines(lines, arguments.output)
        except BrokenPipeError:
            pass  # whoever reads has seen enough
        except OSError as error:
            raise load.ReportError(f"standard output: cannot be written: {error.strerror}") \
                from None
    except load.ReportError as error:
        print(f"warpmem: error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
