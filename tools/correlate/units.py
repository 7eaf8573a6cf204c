# SPDX-License-Identifier: Apache-2.0
"""Numbers with units, as people and profilers write them."""
import re

# Unit of a metric -> its other spellings, and those of a unit that is so many times as large.
# Prefixes (k, M, G, T, and those of bytes by 1024) go before each.
SPELLINGS = {
    "cycles": {"cycles": 1, "cycle": 1},
    "instructions": {"instructions": 1, "instruction": 1, "inst": 1},
    "requests": {"requests": 1, "request": 1},
    "sectors": {"sectors": 1, "sector": 1},
    "B": {"B": 1, "byte": 1, "bytes": 1},
    "ns": {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "nsecond": 1, "usecond": 1e3, "msecond": 1e6,
           "second": 1e9},
    "%": {"%": 1, "1": 100},
    "% of sectors": {"% of sectors": 1},
    "per cycle": {"per cycle": 1, "inst/cycle": 1},
}  # fmt: skip
PREFIXES = {"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
BINARY = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
MOST = 1e30
NO_PREFIX = {"ns", "%", "% of sectors", "per cycle"}

PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$")
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d*)?$")


def number(text):
    """The number that `text` is, with or without commas between thousands; None if it is none, or
    one that no counter can be."""
    text = text.strip()
    if GROUPED.match(text):
        text = text.replace(",", "")
    value = float(text) if PLAIN.match(text) else None
    return value if value is not None and abs(value) < MOST else None


def factor(written, unit):
    """How many `unit` one of the unit `written` is; None when it is no such unit."""
    spellings = SPELLINGS[unit]
    if written in spellings:
        return spellings[written]
    if unit in NO_PREFIX:
        return None
    for prefixes in (BINARY if unit == "B" else {}, PREFIXES):
        for prefix, times in prefixes.items():
            if written.startswith(prefix) and written[len(prefix) :] in spellings:
                return times * spellings[written[len(prefix) :]]
    return None


def allowed(*units):
    """The spellings of units, for messages."""
    spelled = ", ".join(spelling for unit in units for spelling in SPELLINGS[unit])
    if set(units) & NO_PREFIX:
        return spelled
    *most, last = [*(BINARY if "B" in units else ()), *PREFIXES]
    return f"{spelled}, also with {', '.join(most)} or {last} before it"


def whole(value):
    """The same value, as an integer where it is one."""
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value
