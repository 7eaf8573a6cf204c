# SPDX-License-Identifier: Apache-2.0
"""Finds out from its content what a reference is, and reads it."""
import pathlib

import accelsim
import nsight
import own_csv
import own_json
from load import ReportError, readable
from reference import Reference

KINDS = (own_csv, own_json, nsight, accelsim)
TESTS = (own_csv.is_own, own_json.is_own, nsight.is_nsight, accelsim.is_accelsim)
ALLOWED = (
    "of the kinds of reference: CSV that begins with program,kernel,launch; JSON with "
    "warpmem_reference; ncu --csv; a log of Accel-Sim with kernel_name and gpu_sim_cycle"
)


def read_file(path):
    name = readable(path)
    try:
        text = path.read_text(encoding="utf-8-sig")  # spreadsheets begin with a byte order mark
    except FileNotFoundError:
        raise ReportError(f"{name}: no such file") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ReportError(f"{name}:{line}: no text in UTF-8, and none {ALLOWED}") from None
    except OSError as error:
        raise ReportError(f"{name}: cannot be read: {error}") from None
    kinds = [kind for kind, test in zip(KINDS, TESTS) if test(text)]
    if len(kinds) != 1:
        raise ReportError(
            f"{name}:1: {'more than one' if kinds else 'none'} {ALLOWED}"
        )
    return kinds[0].read(name, text).checked()


def read_folder(path):
    """A reference from several files. Launches of a file that names no program are of the program
    that the file is named after."""
    files = sorted(file for file in path.iterdir() if file.is_file() and file.name[0] != ".")
    whole = Reference(readable(path), "folder")
    kinds, programs = [], {}
    for file in files:
        part = read_file(file)
        for launch in part.launches:
            launch.program = launch.program or readable(file.name).split(".")[0]
            first = programs.setdefault(launch.program, part.file)
            if first != part.file:
                raise ReportError(
                    f"{launch.where()}: launches of {launch.program} stand in {first} already"
                )
        kinds.append(part.kind)
        whole.launches += part.launches
        whole.notes += part.notes
        whole.unread += [name for name in part.unread if name not in whole.unread]
    whole.kind = ", ".join(dict.fromkeys(kinds))
    return whole.checked()


def read(path):
    path = pathlib.Path(path)
    return read_folder(path) if path.is_dir() else read_file(path)
