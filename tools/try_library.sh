#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The library of the memory system as a stranger gets it: installs the few packages that it needs,
# builds its Debian package, installs that, and builds and runs the examples against it. Changes the
# system it runs on, so it is meant for an empty one (tools/fresh_machine.sh library).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

needed=(g++ cmake make pkg-config libsystemc-dev libyaml-cpp-dev libfmt-dev)
export DEBIAN_FRONTEND=noninteractive
apt-get update -q
apt-get install -q -y --no-install-recommends "${needed[@]}"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S . -B "$work/build" -DWARPMEM_MEMORY_ONLY=ON -DCMAKE_BUILD_TYPE=Release
cmake --build "$work/build" --parallel "$(nproc)"
(cd "$work/build" && cpack)
dpkg -i "$work"/build/warpmem-dev_*.deb

for name in initiator own_memory dram_traffic ramulator_adapter; do
  cmake -S "examples/$name" -B "$work/$name"
  cmake --build "$work/$name"
  # own_memory's second program needs the full library.
  "$work/$name/$name" | tee "$work/output"
  grep -qF "$(head -n 1 "examples/$name/expected.txt")" "$work/output"
done
echo "the examples run with warpmem-dev and ${needed[*]} alone"
