# SPDX-License-Identifier: Apache-2.0
"""What all readers of results share: messages for the user, and JSON files."""
import json
import math
import os


class ReportError(Exception):
    """A message for the user: which file, and what is wrong with it."""


def readable(name):
    """A file name whose bytes are not UTF-8 shows them as \\xHH."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def finite(text):
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def read_json(path):
    try:
        text = path.read_text()
    except FileNotFoundError:
        raise ReportError(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(f"{path}: cannot be read: {error}") from None
    try:
        document = json.loads(text, parse_float=finite, parse_constant=finite)
    except json.JSONDecodeError as error:
        raise ReportError(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        raise ReportError(f"{path}: {error}") from None
    if not isinstance(document, dict):
        raise ReportError(f"{path}: an object is expected at the top")
    return document
