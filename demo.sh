#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job: ATAX on the gu-dlmshr machine with conventional, dynamically linked and hybrid
# tag-shared MSHRs, the DAU once as a class and once as RTL; area and timing of the DAU; one HTML
# report.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

size=${1:-256} # matrix rows and columns
out=runs/demo

tools/install_packages.sh
cmake --preset release
cmake --build --preset release --target warpmem
warpmem=build/release/systemc/app/warpmem

rm -rf "$out"
mkdir -p "$out"

# run NAME [--set key=value ...]
run() {
  local name=$1
  shift
  printf '\n== %s ==\n' "$name"
  "$warpmem" run -c configs/gu-dlmshr.yaml "$@" --out "$out/$name" workloads/atax.cu -- "$size"
}

run conventional --set l1d.mshr.kind=conventional --set l2.mshr.kind=conventional
run dl-class --set l1d.mshr.kind=dl --set l2.mshr.kind=dl \
  --set l1d.mshr.dau=class --set l2.mshr.dau=class
run dl-rtl --set l1d.mshr.kind=dl --set l2.mshr.kind=dl \
  --set l1d.mshr.dau=rtl --set l2.mshr.dau=rtl
run htsma --set l1d.mshr.kind=htsma --set l2.mshr.kind=htsma

printf '\n== the DAU as RTL and as a class ==\n'
if cmp "$out/dl-class/stats.json" "$out/dl-rtl/stats.json"; then
  echo 'stats.json of both runs is identical, byte for byte.'
else
  echo 'error: the RTL and the class gave different statistics' >&2
  exit 1
fi

printf '\n== area and timing of the DAU ==\n'
"$warpmem" synth dau --json "$out/dau.json"

"$warpmem" report "$out/conventional" "$out/dl-class" "$out/dl-rtl" "$out/htsma" \
  --synth "$out/dau.json" -o "$out/report.html"
printf '\nThe report: %s\n' "$PWD/$out/report.html"
