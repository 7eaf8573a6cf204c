#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of tools/packages.txt (or of the files given); does nothing, and asks for
# no rights, when everything is there.
#   install_packages.sh [--part NAME] [FILE...]
# With --part: only what stands behind the line [NAME].
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
part=
if [ "${1:-}" = --part ]; then
  part=[$2]
  shift 2
fi
lists=("$@")
if [ ${#lists[@]} -eq 0 ]; then lists=("$here/packages.txt"); fi

wanted=()
at=
while read -r word _; do
  case $word in
    '' | '#'*) ;;
    '['*) at=$word ;;
    *) if [ -z "$part" ] || [ "$at" = "$part" ]; then wanted+=("$word"); fi ;;
  esac
done < <(cat "${lists[@]}")
if [ ${#wanted[@]} -eq 0 ]; then
  echo "error: no package in ${lists[*]} $part" >&2
  exit 2
fi

# What dpkg does not know of is missing, too.
known=$(dpkg-query -W -f='${Package} ${Status}\n' "${wanted[@]}" 2>/dev/null || true)
missing=()
for package in "${wanted[@]}"; do
  if ! grep -qxF "$package install ok installed" <<<"$known"; then missing+=("$package"); fi
done

if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

echo "Installing Debian packages: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "error: neither root nor sudo; install these packages first: ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
# A recent package list may already be there: refresh it only when a package cannot be found.
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends "${missing[@]}")
if ! apt-get -q -s install --no-install-recommends "${missing[@]}" >/dev/null 2>&1 ||
   ! "${install[@]}"; then
  "${as_root[@]}" apt-get -q update
  "${install[@]}"
fi
