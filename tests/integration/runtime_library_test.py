# SPDX-License-Identifier: Apache-2.0
"""The released runtime library skips the assertions of the model and the tool evaluates them: the
constant that they hang on (systemc/base/assert.hpp) is false in the one and true in the other.

usage: runtime_library_test.py TOOL LIBRARY
"""

import re
import subprocess
import sys

CONSTANT = "warpmem::detail::assertions_on"


def read(program, *command):
    return subprocess.run([*command, program], check=True, capture_output=True, text=True).stdout


def value(program):
    places = re.findall(rf"^(\w+) (\w+) \w {CONSTANT}$", read(program, "nm", "-CS"), re.MULTILINE)
    if len(places) != 1:
        sys.exit(f"{program}: {CONSTANT} is there {len(places)} times and not once")
    address, size = (int(number, 16) for number in places[0])
    if size != 1:
        sys.exit(f"{program}: {CONSTANT} has {size} bytes")
    dump = read(program, "objdump", "-s", "--section=.rodata", f"--start-address={address}",
                f"--stop-address={address + size}")
    return int(re.findall(r"^ [0-9a-f]+ ([0-9a-f]{2})\b", dump, re.MULTILINE)[-1], 16)


def main():
    for program, expected in zip(sys.argv[1:], (1, 0)):
        if value(program) != expected:
            sys.exit(f"{program}: {CONSTANT} is {value(program)} and not {expected}")


if __name__ == "__main__":
    main()
