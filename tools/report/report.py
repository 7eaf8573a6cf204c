#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page from the results of one or several runs.

usage: report.py RUN [RUN ...] [--synth FILE ...] [--title TEXT] [-o report.html]

RUN is a run directory (stats.json, config.yaml, manifest.json); the first is the baseline of all
comparisons. FILE is a result of 'warpmem synth --json'.
"""
import argparse
import pathlib
import sys

import jinja2

import content
import load


def render(runs, synths, title):
    folder = pathlib.Path(__file__).resolve().parent
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    context = content.page(runs, synths, title)
    context["style"] = (folder / "style.css").read_text()
    return environment.get_template("page.html").render(context)


def main():
    parser = argparse.ArgumentParser(description="Make an HTML page from run directories.")
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="run directory; the first is the baseline"
    )
    parser.add_argument(
        "--synth",
        action="append",
        default=[],
        metavar="FILE",
        help="result of 'warpmem synth --json'",
    )
    parser.add_argument("--title", default="", help="heading of the page")
    parser.add_argument("-o", "--output", default="report.html", help="page to write")
    arguments = parser.parse_args()
    try:
        runs = load.read_runs(arguments.runs)
        synths = [load.read_synth(path) for path in arguments.synth]
        html = render(runs, synths, arguments.title)
        try:
            pathlib.Path(arguments.output).write_text(html)
        except OSError as error:
            raise load.ReportError(
                f"{arguments.output}: cannot be written: {error.strerror}"
            ) from None
    except load.ReportError as error:
        print(f"warpmem: error: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
