# SPDX-License-Identifier: Apache-2.0
"""What the user is told in one sentence."""


class Problem(Exception):
    pass
