# SPDX-License-Identifier: Apache-2.0
"""Numbers as configurations have them: "16 KiB", "1.137 GHz", "0.5"."""
import re

# Those of systemc/base/quantity.cpp. Cycles and nanoseconds are taken as they are.
BYTES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
HERTZ = {"Hz": 1, "kHz": 10**3, "MHz": 10**6, "GHz": 10**9}
TIME = {"ck": 1, "ns": 1}
UNITS = {"": 1, **BYTES, **HERTZ, **TIME}


def number(text, units=None):
    """16384 for "16 KiB"; None for what is no number of one of the units, all of them unless
    given."""
    units = UNITS if units is None else units
    found = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*([A-Za-z]*)\s*", text)
    return float(found[1]) * units[found[2]] if found and found[2] in units else None
