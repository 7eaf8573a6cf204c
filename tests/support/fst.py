# SPDX-License-Identifier: Apache-2.0
"""Reads the waveforms that warpmem writes, with the functions of the library that it has built to
write them."""

import ctypes
import os
import pathlib
import tempfile


def library():
    """Returns the newest library in warpmem's cache."""
    cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    found = sorted((pathlib.Path(cache) / "warpmem").glob("fst-writer-*.so"),
                   key=lambda file: file.stat().st_mtime)
    fst = ctypes.CDLL(str(found[-1]))
    pointer = ctypes.c_void_p
    fst.fstReaderOpen.restype = pointer
    fst.fstReaderProcessHier.argtypes = [pointer, pointer]
    fst.fstReaderSetFacProcessMaskAll.argtypes = [pointer]
    fst.fstReaderIterBlocks.argtypes = [pointer, pointer, pointer, pointer]
    fst.fstReaderClose.argtypes = [pointer]
    return fst


def as_vcd(file):
    """Returns the waveform as the text of a VCD file."""
    fst = library()
    context = fst.fstReaderOpen(str(file).encode())
    if not context:
        raise ValueError(f"{file}: no waveform")
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    libc.fclose.argtypes = [ctypes.c_void_p]
    with tempfile.NamedTemporaryFile() as vcd:
        out = libc.fopen(vcd.name.encode(), b"w")
        fst.fstReaderProcessHier(context, out)
        fst.fstReaderSetFacProcessMaskAll(context)
        fst.fstReaderIterBlocks(context, None, None, out)
        fst.fstReaderClose(context)
        libc.fclose(out)
        return pathlib.Path(vcd.name).read_text()


def read(file):
    """Returns [(time, value)] of each signal by its name with its scopes, from when it is known;
    values are numbers and texts."""
    scopes, names, signals, time = [], {}, {}, 0
    for line in as_vcd(file).splitlines():
        words = line.split()
        if not words:
            continue
        if words[0] == "$scope":
            scopes.append(words[2])
        elif words[0] == "$upscope":
            scopes.pop()
        elif words[0] == "$var":
            names[words[3]] = ".".join([*scopes, words[4]])
            signals[names[words[3]]] = []
        elif line[0] == "#":
            time = int(line[1:])
        elif line[0] in "bs" and words[-1] in names:
            text = line[1:].rpartition(" ")[0]
            signals[names[words[-1]]].append((time, number(text) if line[0] == "b" else text))
        elif line[0] in "01xz" and line[1:] in names:
            signals[names[line[1:]]].append((time, number(line[0])))
    return {name: [(time, value) for time, value in changes if value not in (None, "")]
            for name, changes in signals.items()}


def number(bits):
    return int(bits, 2) if set(bits) <= {"0", "1"} else None


def at(changes, time):
    """Returns the value that holds at `time`, or None before the first."""
    value = None
    for since, new in changes:
        if since > time:
            break
        value = new
    return value
