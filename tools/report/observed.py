# SPDX-License-Identifier: Apache-2.0
"""Reads what a run shows besides its statistics: instructions.json (`--per-pc`), instances.json
(`--per-instance`) and series.json (`--series`). Formats: docs/per-instruction.md and
docs/per-instance.md."""
from reading import ReportError, read_json

COUNTS = ("pc", "source_line", "line", "executions", "lanes", "requests", "most_requests", "bytes")
L1D = ("hits", "primary_misses", "secondary_misses", "bypasses", "evictions")
L2 = ("hits", "primary_misses", "secondary_misses", "bypasses", "evictions")
SLOWEST = ("sm", "cta", "warp", "request", "requests", "address", "issued_fs", "fs")
LATENCY = ("samples", "sum", "mean", "max")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def need(path, where, holder, keys, good=is_number, what="a number"):
    """Raises ReportError unless all `keys` of `holder` are `good`."""
    for key in keys:
        if not isinstance(holder, dict) or not good(holder.get(key)):
            raise ReportError(f"{path}: {where}: '{key}' is not {what}")


def is_list(value):
    return isinstance(value, list)


def is_object(value):
    return isinstance(value, dict)


def is_text(value):
    return isinstance(value, str)


def check_instruction(path, where, one):
    need(path, where, one, COUNTS)
    need(path, where, one, ("text", "op", "space"), is_text, "a text")
    for level, keys in (("l1d", L1D), ("l2", L2), ("latency", LATENCY)):
        need(path, where, one, (level,), is_object, "an object")
        need(path, f"{where}, {level}", one[level], keys)
    for key in ("bounds", "counts"):
        numbers = one["latency"].get(key)
        if not is_list(numbers) or not all(map(is_number, numbers)):
            raise ReportError(f"{path}: {where}, latency: '{key}' is not a list of numbers")
    if len(one["latency"]["counts"]) != len(one["latency"]["bounds"]) + 1:
        raise ReportError(f"{path}: {where}, latency: one more of counts than of bounds wanted")
    slowest = one.get("slowest")
    if slowest is not None:
        need(path, where, one, ("slowest",), is_object, "an object")
        need(path, f"{where}, slowest", slowest, SLOWEST)
        need(path, f"{where}, slowest", slowest, ("parts",), is_list, "a list")
        for part in slowest["parts"]:
            need(path, f"{where}, slowest, parts", part, ("fs",))
            need(path, f"{where}, slowest, parts", part, ("name",), is_text, "a text")


def read_instructions(path):
    document = read_json(path)
    need(path, "top", document, ("kernels",), is_list, "a list")
    for kernel in document["kernels"]:
        need(path, "kernels", kernel, ("name",), is_text, "a text")
        need(path, "kernels", kernel, ("instructions",), is_list, "a list")
        for number, one in enumerate(kernel["instructions"], 1):
            check_instruction(path, f"{kernel['name']}, instruction {number}", one)
    return document


def read_instances(path):
    document = read_json(path)
    total = document.get("total")
    need(path, "top", document, ("total",), is_object, "an object")
    need(path, "total", total, ("instances",), is_object, "an object")
    for name, members in total["instances"].items():
        if not is_list(members):
            raise ReportError(f"{path}: instances of {name}: a list is expected")
        for member in members:
            need(path, f"instances of {name}", member, ("stats",), is_object, "an object")
            need(path, f"instances of {name}", member, ("index",))
            need(path, f"instances of {name}", member["stats"], member["stats"])
    return document


def read_series(path):
    document = read_json(path)
    need(path, "top", document, ("begin", "end", "launch", "kernels"), is_list, "a list")
    need(path, "top", document, ("series",), is_object, "an object")
    need(path, "top", document, ("hertz",))
    count = len(document["begin"])
    if len(document["end"]) != count or len(document["launch"]) != count:
        raise ReportError(f"{path}: 'begin', 'end' and 'launch' differ in length")
    for kernel in document["kernels"]:
        need(path, "kernels", kernel, ("launch", "begin", "end"))
        need(path, "kernels", kernel, ("name",), is_text, "a text")
    for name, one in document["series"].items():
        need(path, name, one, ("kind", "unit", "doc"), is_text, "a text")
        need(path, name, one, ("points",), is_list, "a list")
        points = one["points"]
        if len(points) != count or not all(p is None or is_number(p) for p in points):
            raise ReportError(f"{path}: series '{name}': {count} numbers or nulls are expected")
    return document


def read_if_there(folder, name, read):
    return read(folder / name) if (folder / name).is_file() else None


class Observed:
    """The documents of one run directory; None for those that the run did not write."""

    def __init__(self, folder):
        self.instructions = read_if_there(folder, "instructions.json", read_instructions)
        self.instances = read_if_there(folder, "instances.json", read_instances)
        self.series = read_if_there(folder, "series.json", read_series)
