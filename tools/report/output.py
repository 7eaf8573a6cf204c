# SPDX-License-Identifier: Apache-2.0
"""Writes a page as systemc/base/output_file.hpp says: a regular file appears whole or stays as it
was; links, devices and pipes stay what they are."""
import contextlib
import os
import pathlib
import stat
import tempfile


def is_stream(found):
    """Whether it is our standard output or error."""
    for stream in (1, 2):
        try:
            if os.path.samestat(found, os.fstat(stream)):
                return stream
        except OSError:
            pass
    return None


def write_directly(path, data, stream):
    descriptor = os.open(path, os.O_WRONLY | os.O_NOCTTY) if stream is None else os.dup(stream)
    with os.fdopen(descriptor, "wb", buffering=0) as file:
        rest = memoryview(data)
        while rest:
            rest = rest[file.write(rest) :]


def write_page(path, text):
    """OSError when it cannot be written."""
    data = text.encode("utf-8", "backslashreplace")
    try:
        found = os.stat(path)
    except FileNotFoundError:
        found = None
    if found is not None:
        if stat.S_ISDIR(found.st_mode):
            raise IsADirectoryError(21, "Is a directory")
        stream = is_stream(found)
        if stream is not None or not stat.S_ISREG(found.st_mode):
            write_directly(path, data, stream)
            return
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "Permission denied")
    target = pathlib.Path(os.path.realpath(path))
    descriptor, draft = tempfile.mkstemp(prefix=".warpmem-", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(draft, stat.S_IMODE(found.st_mode) if found else 0o666 & ~mask)
        os.replace(draft, target)
    except BaseException:
        os.unlink(draft)
        raise


def print_lines(lines, path):
    """Prints what the page at `path` says, unless that is where the page went. OSError when it
    cannot be written."""
    with contextlib.suppress(OSError):
        if is_stream(os.stat(path)):
            return
    data = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    with os.fdopen(os.dup(1), "wb") as out:
        out.write(data)
