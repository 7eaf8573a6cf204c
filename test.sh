#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and tests.
#   ./test.sh              all tests but the deep ones (tests/README.md)
#   ./test.sh --all        every test
#   ./test.sh --quarter N  all but the deep ones, and a quarter of those (0 to 3)
#   ./test.sh ARGS...      those that ctest chooses by these arguments (-L unit, -R name)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
choice=("$@")
left_out=
case ${1:-} in
  '')
    choice=(-LE deep_)
    left_out='Left out: the deep tests (./test.sh --all).'
    ;;
  --all) choice=("${@:2}") ;;
  --quarter)
    if [[ $# -ne 2 || $2 != [0-3] ]]; then
      echo 'error: --quarter needs 0, 1, 2 or 3' >&2
      exit 2
    fi
    choice=(-LE "deep_[$(tr -d "$2" <<<0123)]")
    left_out="Left out: the deep tests but quarter $2 (./test.sh --all)."
    ;;
esac

jobs=$(nproc)
tools/install_packages.sh tools/packages.txt tools/python-packages.txt tools/cuda-packages.txt
strict=OFF
if [ -n "${CI:-}" ]; then strict=ON; fi # a warning is an error there
cmake --preset release -DCMAKE_COMPILE_WARNING_AS_ERROR=$strict
cmake --build --preset release --parallel "$jobs"
built=$SECONDS

results=$PWD/build/release/test-results.xml
rm -f "$results"
status=0
ctest --test-dir build/release --output-on-failure -j "$jobs" --output-junit "$results" \
  "${choice[@]}" || status=$?

# ctest's own account, from its result file: the verdict is its exit status.
count() { sed -n '/<testsuite/,/>/p' "$results" | grep -oP "(?<![a-z])$1=\"\K[0-9]+" | head -n 1; }
if [ ! -s "$results" ]; then
  echo 'error: ctest left no results' >&2
  exit 1
fi
total=$(count tests)
failed=$(count failures)
skipped=$(($(count skipped) + $(count disabled)))
passed=$((total - failed - skipped))
if [ "$passed" -eq 0 ] && [ "$status" -eq 0 ]; then
  echo 'error: no test ran' >&2
  status=1
fi
echo "Built in $built s, tested in $((SECONDS - built)) s."
if [ -n "$left_out" ]; then echo "$left_out"; fi
# Where the tests ran, as tools/fresh_machine.sh and .ci/run tell it.
if [ -n "${WARPMEM_TEST_NOTE:-}" ]; then echo "Tests: $WARPMEM_TEST_NOTE"; fi
line="$passed passed, $failed failed"
if [ "$skipped" -gt 0 ]; then line+=", $skipped skipped"; fi
echo "$line"
exit "$status"
