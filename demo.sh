#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job: which miss handler wins on the gu-dlmshr machine, and why, at what area. SYRK, whose
# thread blocks fill the machine, runs with conventional, dynamically linked and hybrid tag-shared
# MSHRs, the DAU once as a class and once as RTL; area, clock and power of each handler as it is
# configured; one HTML page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

size=${1:-112} # matrix rows and columns
machine=gu-dlmshr
out=runs/demo

tools/install_packages.sh --part build
# The rest is installed beside the build, of which apt uses one core; not where sudo would ask for a
# password in the middle of it.
installing=
if [ "$(id -u)" -eq 0 ] || sudo -n true 2>/dev/null; then
  log=$(mktemp)
  tools/install_packages.sh --part tools >"$log" 2>&1 &
  installing=$!
else
  tools/install_packages.sh --part tools
fi
# A build folder with tests keeps them.
tests=OFF
if grep -qsx BUILD_TESTING:BOOL=ON build/release/CMakeCache.txt; then tests=ON; fi
cmake --preset release -DBUILD_TESTING=$tests
cmake --build --preset release --parallel "$(nproc)" --target warpmem
warpmem=build/release/systemc/app/warpmem
if [ -n "$installing" ]; then
  if ! wait "$installing"; then
    cat "$log" >&2
    exit 1
  fi
  rm "$log"
fi

rm -rf "$out"
mkdir -p "$out"

# handlers KIND: the settings that choose the miss handlers
handlers() { echo "--set l1d.mshr.kind=$1 --set l2.mshr.kind=$1"; }

# run NAME KIND [--set key=value ...]
run() {
  local name=$1 kind=$2
  shift 2
  printf '\n== %s ==\n' "$name"
  # shellcheck disable=SC2046 # words
  "$warpmem" run -c "$machine" $(handlers "$kind") "$@" --out "$out/$name" syrk -- "$size"
}

# area KIND: area, clock and power of the handlers of that kind
area() {
  # shellcheck disable=SC2046 # words
  "$warpmem" synth --configured -c "$machine" $(handlers "$1") --json "$out/$1.json"
}

# Beside the runs and the third, which together take as long.
{ area dl >"$out/dl.txt" && area htsma >"$out/htsma.txt"; } &
other_areas=$!

run conventional conventional
run dl dl
run htsma htsma
run dl-rtl dl --set l1d.mshr.dau=rtl --set l2.mshr.dau=rtl

printf '\n== the DAU as RTL and as a class ==\n'
if cmp "$out/dl/stats.json" "$out/dl-rtl/stats.json"; then
  echo 'stats.json of both runs is identical, byte for byte.'
else
  echo 'error: the RTL and the class gave different statistics' >&2
  exit 1
fi

printf '\n== area, clock and power of the miss handlers ==\n'
area conventional
wait "$other_areas"
cat "$out/htsma.txt" "$out/dl.txt"

"$warpmem" report "$out/conventional" "$out/dl" "$out/htsma" --synth "$out/conventional.json" \
  "$out/dl.json" "$out/htsma.json" -o "$out/report.html"
printf '\nThe report: %s\n' "$PWD/$out/report.html"
