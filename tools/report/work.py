# SPDX-License-Identifier: Apache-2.0
"""What a run did. Only runs of the same work may be divided by each other: the same program with
the same arguments and the same part of it timed, done to the end."""
import shlex


def arguments_of(manifest):
    """The program's arguments; None when they are not recorded."""
    if "arguments" in manifest:
        return manifest["arguments"]
    try:
        words = shlex.split(manifest["command"])
    except (KeyError, ValueError):
        return None
    if "--" in words:
        return words[words.index("--") + 1 :]
    return [] if words[:2] == ["warpmem", "run"] else words[1:]


def difference(base, run):
    """Why `run` did not do the same work as `base`; empty when it did."""
    for one in (base, run):
        status = one.manifest.get("status")
        if status is None or not one.manifest.get("program_hash"):
            return f"{one.name} does not record what ran"
        if status != "complete":
            return f"{one.name} did not complete"
    if base.manifest["program_hash"] != run.manifest["program_hash"]:
        return "another program"
    arguments = [arguments_of(one.manifest) for one in (base, run)]
    if arguments[0] != arguments[1]:
        return "other arguments"
    parts = [one.manifest.get("fast_forward", {}) for one in (base, run)]
    for key in ("kernels", "ctas"):
        if parts[0].get(key, "") != parts[1].get(key, ""):
            return f"another choice of --{key}"
    return ""


def compare(runs):
    """Marks each run with what its work differs in from the first one's."""
    for run in runs:
        run.other_work = difference(runs[0], run) if run is not runs[0] else ""
