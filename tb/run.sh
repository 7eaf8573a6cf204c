#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Plays a vector file to a unit (README.md).
#   run.sh verilator UNIT VECTORS             the RTL of rtl/, 2-state
#   run.sh icarus UNIT VECTORS VERILOG...     plain Verilog of the unit, 4-state: what
#                                             `warpmem synth` exports
#   run.sh netlist UNIT VECTORS VERILOG...    a netlist with its cells, 2-state, whose registers
#                                             begin with random bits
#   run.sh properties UNIT VECTORS [RTL]      the RTL of rtl/, or of another folder that is a copy
#                                             of it, 2-state; the bind files judge, not the answers
# Prints what the testbench prints; the exit status is 0 for PASS, 1 for FAIL, else 2. With TB_WORK,
# a folder, what was built stays there and the next unit need not build Verilator's runtime again.
set -euo pipefail

tb=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
fail() {
  echo "error: $1" >&2
  exit 2
}
[ $# -ge 3 ] || fail 'run.sh verilator|icarus|netlist|properties UNIT VECTORS [VERILOG...]'
simulator=$1 unit=$2 vectors=$3
shift 3
bench=$tb/${unit}_tb.sv
if [ ! -f "$bench" ]; then
  known=$(cd "$tb" && ls -- *_tb.sv | sed 's/_tb.sv//' | paste -sd ' ')
  fail "there is no testbench of $unit; units with one: $known"
fi
[ -r "$vectors" ] || fail "$vectors cannot be read"
read -r mark recorded parameters <"$vectors" || true
[ "$mark" = '#' ] || fail "$vectors is no vector file"
[ "$recorded" = "$unit" ] || fail "$vectors has vectors of $recorded, not of $unit"

work=${TB_WORK:-}
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
mkdir -p "$work"

# Prints the bind files of a module and of what it instantiates.
bind_files() {
  local module=$1 file
  for file in "$rtl"/*/"${module}_properties.sv"; do [ ! -f "$file" ] || echo "$file"; done
  for file in "$rtl"/*/"$module.sv"; do
    [ -f "$file" ] || continue
    for module in $(sed -nE 's/^ *([a-z0-9_]+) #\($/\1/p' "$file"); do bind_files "$module"; done
  done
}

case $simulator in
  verilator | properties | netlist)
    rtl=$(cd "$tb/../rtl" && pwd -P)
    options=() files=("$tb/vector_player.sv" "$bench") arguments=()
    if [ "$simulator" = netlist ]; then
      [ $# -gt 0 ] ||
        fail 'netlist needs the netlist and its cells: warpmem synth UNIT --netlist FOLDER'
      files+=("$@")
      options=(-DPLAIN --x-initial unique --x-assign unique -Wno-UNOPTFLAT)
      arguments=(+verilator+rand+reset+2 +verilator+seed+1)
    elif [ "$simulator" = verilator ]; then
      [ $# -eq 0 ] || fail 'verilator takes the RTL of rtl/ and no further files'
    else
      [ $# -lt 2 ] || fail 'properties takes one folder of RTL'
      if [ $# -eq 1 ]; then rtl=$(cd "$1" && pwd -P) || fail "$1 is no folder"; fi
      [ -f "$rtl/$unit/${unit}_properties.sv" ] || fail "$rtl has no properties of $unit"
      mapfile -t -O "${#files[@]}" files < <(bind_files "$unit" | sort -u)
      arguments=(+inputs_alone)
      options=(-Wno-UNOPTFLAT)  # of the walks along chains; it is about speed alone
    fi
    for parameter in $parameters; do options+=("-G$parameter"); done
    if [ "$simulator" != netlist ]; then
      for folder in "$rtl"/*/; do options+=(-y "$folder"); done
    fi
    # That make takes the unit's own makefile for old (-o) lets it keep the runtime's objects.
    verilator --binary --timing --timescale 1ns/1ps -Wno-lint --assert \
      -MAKEFLAGS "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 -o V${unit}_tb.mk" \
      --top-module "${unit}_tb" \
      "${options[@]}" "-I$rtl" --Mdir "$work" "${files[@]}" \
      >"$work/build.log" 2>&1 ||
      { cat "$work/build.log" >&2 && fail "Verilator refuses the testbench of $unit"; }
    program=("$work/V${unit}_tb" "${arguments[@]}")
    ;;
  icarus)
    [ $# -gt 0 ] ||
      fail 'icarus needs the unit as plain Verilog: warpmem synth UNIT --export-verilog FILE'
    options=()
    for parameter in $parameters; do options+=("-P${unit}_tb.$parameter"); done
    iverilog -g2012 -DPLAIN "${options[@]}" -s "${unit}_tb" -o "$work/unit.vvp" \
      "$tb/vector_player.sv" "$bench" "$@" || fail "Icarus refuses the testbench of $unit"
    program=(vvp -n "$work/unit.vvp")
    ;;
  *) fail "$simulator is neither verilator, icarus, netlist nor properties" ;;
esac
# A check of the RTL that fails ends Verilator's program, with "Assertion failed" in its output.
{ "${program[@]}" "+vectors=$vectors" 2>&1 || true; } | { grep -v '^- ' || true; } |
  tee "$work/output.txt"
if grep -qE '^FAIL|Assertion failed' "$work/output.txt"; then exit 1; fi
if tail -n 1 "$work/output.txt" | grep -q '^PASS'; then exit 0; fi
exit 2
