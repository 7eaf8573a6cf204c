# SPDX-License-Identifier: Apache-2.0
"""warpmem's own reference as CSV: comments, a header `program,kernel,launch,METRIC [UNIT],…`, a
row for each launch. A cell that is empty was not measured."""
import csv
import io
import re

import units
from reference import Launch, Reference, problem, refuse_twice, set_amount, unit_of

FIRST = ["program", "kernel", "launch"]
COLUMN = re.compile(r"(\S+) \[([^\]]*)\]$")


def is_own(text):
    """Whether the first line that is no comment is our header."""
    line = next((line for line in text.splitlines() if line and not line.startswith("#")), "")
    return [cell.strip() for cell in line.split(",")[:3]] == FIRST


def rows_of(file, text):
    """(number of its first line, cells) of each row."""
    reader = csv.reader(io.StringIO(text), strict=True)
    before = 0
    try:
        for cells in reader:
            if cells:
                yield before + 1, cells
            before = reader.line_num
    except csv.Error as error:
        raise problem(file, reader.line_num, f"not CSV: {error}") from None


def columns_of(file, line, cells):
    """(name, unit, factor) of each metric."""
    columns = []
    for cell in cells[len(FIRST) :]:
        match = COLUMN.match(cell.strip())
        if match is None:
            raise problem(file, line, f"column '{cell}' is not NAME [UNIT]")
        if match[1] in [name for name, *_ in columns]:
            raise problem(file, line, f"column {match[1]} stands there twice")
        columns.append((match[1], *unit_of(file, line, match[1], match[2])))
    return columns


def launch_of(file, line, cells, columns):
    if len(cells) != len(FIRST) + len(columns):
        wanted = len(FIRST) + len(columns)
        raise problem(file, line, f"{len(cells)} cells where the header has {wanted}: cut off?")
    program, kernel, order = (cell.strip() for cell in cells[: len(FIRST)])
    if not program or not kernel:
        raise problem(file, line, "a row needs a program and a kernel")
    if not order.isdigit() or int(order) == 0:
        raise problem(file, line, f"launch '{order}' is no number from 1")
    launch = Launch(file, line, kernel, program, int(order))
    for (name, unit, times), cell in zip(columns, cells[len(FIRST) :]):
        if not cell.strip():
            continue
        value = units.number(cell)
        if value is None or value < 0:
            raise problem(file, line, f"{name} '{cell.strip()}' is no number from 0")
        set_amount(launch, name, value * times, unit, line)
    return launch


def read(file, text):
    reference = Reference(file, "warpmem CSV")
    lines = text.split("\n")
    if lines[-1]:
        raise problem(file, len(lines), "the last line has no end: cut off?")
    for number, line in enumerate(lines):
        if line.startswith("#"):
            reference.notes.append(line[1:].strip())
            lines[number] = ""
    columns = None
    for line, cells in rows_of(file, "\n".join(lines)):
        if columns is None:
            columns = columns_of(file, line, cells)
        else:
            reference.launches.append(launch_of(file, line, cells, columns))
    refuse_twice(reference)
    return reference


def write(launches, columns, note):
    """CSV of launches; `columns` are (name, unit)."""
    stream = io.StringIO()
    stream.write(f"# {note}\n")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(FIRST + [f"{name} [{unit}]" for name, unit in columns])
    for launch in launches:
        cells = [launch.values.get(name, ("", ""))[0] for name, _ in columns]
        writer.writerow([launch.program, launch.kernel, launch.number, *cells])
    return stream.getvalue()
