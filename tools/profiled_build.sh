#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds warpmem twice into build/profiled: once to record which branches the runs of the golden
# statistics take, and then by what was recorded. The runs check both builds: every statistic is as
# it was. What that gains is in docs/scaling-up.md. Takes about six minutes on two cores. Needs g++.
#
#   tools/profiled_build.sh
set -euo pipefail
cd "$(dirname "$0")/.."

build=build/profiled
warpmem=$PWD/$build/systemc/app/warpmem

build_and_run() { # build_and_run VALUE of WARPMEM_PROFILE
  cmake --preset release -B "$build" -DBUILD_TESTING=OFF -DWARPMEM_PROFILE="$1" >"$build.log"
  cmake --build "$build" --parallel "$(($(nproc) + 1))"
  WARPMEM=$warpmem /usr/bin/python3 tests/golden/golden_test.py RunsTest
}

mkdir -p build
rm -rf "$build"
build_and_run record
build_and_run use
echo "$warpmem"
