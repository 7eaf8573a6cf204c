# SPDX-License-Identifier: Apache-2.0
"""The released runtime library is what it is said to be: link-time optimisation has run and taken
out the assertions of the model (systemc/base/assert.hpp), which the tool itself has.

usage: runtime_library_test.py TOOL LIBRARY
"""

import pathlib
import sys

ASSERTION = b"a payload is in flight once"  # of systemc/noc/origin_table.hpp


def main():
    tool, library = (pathlib.Path(name).read_bytes() for name in sys.argv[1:])
    if ASSERTION not in tool:
        sys.exit(f"the tool lacks an assertion that it should have: {ASSERTION.decode()}")
    if ASSERTION in library:
        sys.exit(f"the library has an assertion that it should not have: {ASSERTION.decode()}")


if __name__ == "__main__":
    main()
