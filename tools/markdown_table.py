# SPDX-License-Identifier: Apache-2.0
"""Tables of the pages in docs/."""


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def table(head, rows, rule=None):
    """`rule` is the line below the head, of left columns unless given."""
    return row(head) + (rule or row(["---"] * len(head))) + "".join(map(row, rows))
