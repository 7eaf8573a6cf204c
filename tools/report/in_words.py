# SPDX-License-Identifier: Apache-2.0
"""The answer of a page as lines of text, which `warpmem report` prints: what the first screen says,
where the time of each kernel goes, and the life that the page draws."""
import kernels
import stack
from instructions import short_kernel
from values import percent, whole

MOST_PARTS = 3  # of a kernel's time


def of_kernel(name, run, found, several):
    """One kernel in one run: its cycles, and what an SM does in most of them."""
    parts = sorted(found.parts.items(), key=lambda part: part[1], reverse=True)[:MOST_PARTS]
    told = ", ".join(f"{percent(cycles / found.cycles)} {stack.WORDS[key]}"
                     for key, cycles in parts if cycles)
    where = f" in {run.name}" if several else ""
    return f"kernel {short_kernel(name)}{where}: {whole(found.cycles)} cycles: {told}"


def of_runs(page, runs):
    """Of the context of a page about `runs`."""
    answer = page["answer"]
    lines = [answer["bold"] + answer["rest"]]
    lines += [f"warning: {' '.join([*w['names'], w['text']])}" for w in answer["warnings"]]
    if answer["why"]:
        lines += [f"{answer['why']['who']} {cause['words']}: {cause['text']}"
                  for cause in answer["why"]["causes"]]
    drawn, _ = kernels.drawn_kernels(runs)
    lines += [of_kernel(name, run, found, len(runs) > 1)
              for name, rows in kernels.stack_rows(runs, drawn) for run, found in rows
              if found.cycles]
    return lines + [f"{life['title']}: {life['words']}" for life in page["lives"]]


def of_sweep(page):
    """Of the context of a page about a sweep."""
    return [(f"{chart['where']}: " if chart["where"] else "") + "".join(chart["verdict"])
            for chart in page["charts"] if chart["verdict"]]
