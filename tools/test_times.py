#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times of a run of ./test.sh --all beside the tests' limits.

usage: test_times.py [BUILD]

BUILD is the build folder (default: build/release) with test-results.xml of `./test.sh --all` on a
machine that did nothing else. Exit status 1 when a test took more than a tenth of its limit, or the
quick ones together, on two cores, more than two minutes.
"""
import collections
import json
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as xml

import programs

MARGIN = 10
QUICK_S = 120
CORES = 2


def group_of(labels):
    """A deep test has the limit of a slow one, and both labels."""
    return next((group for group in ("deep", "slow", "quick") if group in labels), None)


def judge(times, properties):
    """(lines, problems): time in s by test; {"labels": [...], "limit": s} by test."""
    lines, problems = [], []
    for group in ("quick", "slow", "deep"):
        of_group = collections.Counter()
        for name, time in times.items():
            if group_of(properties[name]["labels"]) == group:
                of_group[name] = time
        wall = sum(of_group.values()) / CORES
        lines.append(f"{group}: {len(of_group)} tests, {wall:.0f} s on {CORES} cores; slowest:")
        lines += [f"  {time:7.1f} s  {name}" for name, time in of_group.most_common(10)]
        if group == "quick" and wall > QUICK_S:
            problems.append(f"the quick tests take {wall:.0f} s, {QUICK_S} s at most")
    for name, time in sorted(times.items()):
        limit = properties[name]["limit"]
        if MARGIN * time > limit:
            problems.append(f"{name}: took {time:.1f} s of {limit:.0f} s")
        if group_of(properties[name]["labels"]) is None:
            problems.append(f"{name}: neither quick nor slow")
    return lines, problems


def properties_of(build):
    listed = programs.run(["ctest", "--test-dir", build, "--show-only=json-v1"],
                          stdout=subprocess.PIPE)  # fmt: skip
    found = {}
    for test in json.loads(listed.stdout)["tests"]:
        values = {p["name"]: p["value"] for p in test.get("properties", [])}
        found[test["name"]] = {"labels": values.get("LABELS", []),
                               "limit": values.get("TIMEOUT", 0)}  # fmt: skip
    return found


def self_test():
    properties = {"a": {"labels": ["unit", "quick"], "limit": 100},
                  "b": {"labels": ["slow"], "limit": 1000},
                  "c": {"labels": ["unit"], "limit": 10}}  # fmt: skip
    for times, expected in (({"a": 10, "b": 100}, 0), ({"a": 10.1}, 1), ({"b": 100.5}, 1),
                            ({"c": 1}, 1), ({"a": 250}, 2)):  # fmt: skip
        problems = judge(times, properties)[1]
        if len(problems) != expected:
            sys.exit(f"self-test: {times}: {expected} problems expected, found {problems}")
    print("5 examples judged rightly")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return
    build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
    cases = xml.parse(build / "test-results.xml").getroot().iter("testcase")
    times = {case.get("name"): float(case.get("time")) for case in cases}
    lines, problems = judge(times, properties_of(build))
    print("\n".join(lines + problems))
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
