#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proof of the two commands: makes an empty Debian 12 in a folder, clones this repository's HEAD
# into it, and runs ./demo.sh and ./test.sh there with nothing else done. Needs root and
# debootstrap.
#
#   tools/fresh_machine.sh [--keep] [FOLDER]     FOLDER must be empty; default: a temporary one
set -euo pipefail

suite=bookworm
keep=false
root=
for word in "$@"; do
  case $word in
    --keep) keep=true ;;
    -*) sed -n '3,8s/^# \?//p' "$0"; exit 2 ;;
    *) root=$word ;;
  esac
done

if [ "$(id -u)" -ne 0 ]; then
  echo 'error: needs root, for chroot and mounts' >&2
  exit 1
fi
if ! command -v debootstrap >/dev/null; then
  echo "error: debootstrap is not installed: run 'apt-get install debootstrap'" >&2
  exit 1
fi

# The mirror is the one that this machine uses itself.
# shellcheck disable=SC2016  # apt's placeholders, not the shell's
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
  awk -v suite="$suite" '$2 == suite && $3 == "main" { print $1; exit }')
if [ -z "$mirror" ]; then
  echo "error: this machine's apt has no source for $suite main" >&2
  exit 1
fi

source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
temporary=false
if [ -z "$root" ]; then
  root=$(mktemp -d)
  temporary=true
fi
mkdir -p "$root"
root=$(cd "$root" && pwd)
if [ -n "$(ls -A "$root")" ]; then
  echo "error: $root is not empty" >&2
  exit 1
fi

mounted=()
clean() {
  local index
  for ((index = ${#mounted[@]} - 1; index >= 0; --index)); do
    umount --recursive "${mounted[index]}" || umount --lazy "${mounted[index]}"
  done
  mounted=()
  # A mount that is still there must not be deleted through.
  if ! $keep && $temporary && ! grep -q " $root/" /proc/mounts; then rm -rf "$root"; fi
}
trap clean EXIT

echo "== Debian $suite in $root =="
debootstrap --variant=minbase "$suite" "$root" "$mirror"
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Settings that reach the mirror (proxies, dates), not those that choose what is installed.
for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
  if [ -f "$file" ] && grep -qE '^ *Acquire::' "$file"; then
    grep -E '^ *Acquire::' "$file" >>"$root/etc/apt/apt.conf.d/90host" || true
  fi
done
for folder in proc sys dev; do
  mount --rbind "/$folder" "$root/$folder"
  mount --make-rslave "$root/$folder"
  mounted+=("$root/$folder")
done

# The clone is made from outside, since an empty Debian has no git.
git clone --quiet --no-hardlinks "$source_tree" "$root/root/warpmem"

for command in ./demo.sh ./test.sh; do
  echo "== $command =="
  started=$SECONDS
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    chroot "$root" /bin/bash -c "cd /root/warpmem && $command"
  echo "== $command succeeded in $((SECONDS - started)) s =="
done
