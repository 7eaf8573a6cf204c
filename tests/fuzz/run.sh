#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes one target for some seconds, from its corpus in the tree; what is new goes to
# build/fuzz/corpus, what breaks it to build/fuzz/findings.
# usage: tests/fuzz/run.sh TARGET SECONDS [libFuzzer options]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if [ $# -lt 2 ] || [ ! -d "tests/fuzz/corpus/$1" ]; then
  echo "usage: $0 TARGET SECONDS [libFuzzer options]" >&2
  echo "targets: $(cd tests/fuzz/corpus && echo *)" >&2
  exit 2
fi
target=$1
seconds=$2
shift 2
build=${WARPMEM_FUZZ_BUILD:-build/fuzz}

cmake --preset fuzz -B "$build" > /dev/null
cmake --build "$build" --target "fuzz_$target" > /dev/null
mkdir -p "$build/corpus/$target" "$build/findings"
options=(-max_total_time="$seconds" -timeout=5 -rss_limit_mb=512 -close_fd_mask=1
         -use_value_profile=1 -print_final_stats=1 "-artifact_prefix=$build/findings/$target-")
if [ -f "tests/fuzz/dictionaries/$target.dict" ]; then
  options+=("-dict=tests/fuzz/dictionaries/$target.dict")
fi
if [ -d /dev/shm ]; then export TMPDIR=/dev/shm; fi
nice "$build/tests/fuzz/fuzz_$target" "${options[@]}" "$@" \
  "$build/corpus/$target" "tests/fuzz/corpus/$target" < /dev/null
