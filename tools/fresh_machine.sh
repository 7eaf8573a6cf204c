#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proof of the two commands, and of the library: makes an empty Debian 12 in a folder, clones this
# repository's HEAD into it, and runs ./demo.sh, ./test.sh or tools/try_library.sh there with
# nothing else done. Only ../shared, where there is one, lies beside the clone as it does here.
#
#   tools/fresh_machine.sh [--keep] [--in FOLDER] [demo|test|test-all|test-quarter-N|library]
#
# Without a name: demo, test. test-all is ./test.sh --all, test-quarter-0 is ./test.sh --quarter 0.
#
# FOLDER must be empty; default: a temporary one. It is deleted at the end unless --keep is given.
# Needs root and debootstrap. Exit status: that of the command; 77 when no Debian could be made.
#
# Everything with rights or mounts runs in namespaces of its own, which end with this script,
# whatever ends it: no mount is left, and no process.
set -euo pipefail

suite=bookworm
no_root=77 # exit status

cannot() {
  echo "error: no fresh Debian: $1" >&2
  exit "$no_root"
}

# The mirror is one that this machine uses itself.
# shellcheck disable=SC2016  # apt's placeholders, not the shell's
mirror() {
  apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$2 == suite && $3 == "main" && !found { print $1; found = 1 }'
}

# make_debian ROOT SOURCE: all but the command; in the namespaces.
make_debian() {
  local root=$1 source=$2 site started=$SECONDS
  site=$(mirror)
  if [ -z "$site" ]; then cannot "this machine's apt has no source for $suite main"; fi
  echo "== Debian $suite from $site in $root =="
  debootstrap --variant=minbase "$suite" "$root" "$site" >"$root.log" 2>&1 || {
    tail -n 5 "$root.log" >&2
    cannot "debootstrap failed"
  }
  # Settings that reach the mirror (proxies, dates), not those that choose what is installed.
  local file
  for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
    if [ -f "$file" ]; then
      grep -hE '^ *Acquire::' "$file" >>"$root/etc/apt/apt.conf.d/90host" || true
    fi
  done
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # The folder does not outlive the command: no need to wait for the disk.
  echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/90fresh-machine"

  mount -t proc proc "$root/proc" || cannot "no rights to mount /proc"
  mount --rbind /sys "$root/sys" || cannot "no rights to mount /sys"
  mount --rbind /dev "$root/dev" || cannot "no rights to mount /dev"
  # The clone is made from outside, since an empty Debian has no git.
  git -c safe.directory="$source" clone --quiet --no-hardlinks "$source" "$root/root/warpmem"
  if [ -d "$source/../shared" ]; then
    mkdir "$root/root/shared"
    mount --bind "$source/../shared" "$root/root/shared"
    mount -o remount,bind,ro "$root/root/shared"
  fi
  echo "== made in $((SECONDS - started)) s =="
}

# inside ROOT SOURCE COMMAND...: the part in the namespaces.
inside() {
  local root=$1 source=$2 command started status=0
  shift 2
  make_debian "$root" "$source"
  for command in "$@"; do
    case $command in
      library) command=tools/try_library.sh ;;
      test-all) command='test.sh --all' ;;
      test-quarter-*) command="test.sh --quarter ${command##*-}" ;;
      *) command+=.sh ;;
    esac
    echo "== ./$command =="
    started=$SECONDS
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 CI="${CI:-}" \
      WARPMEM_TEST_NOTE="ran in a fresh Debian $suite" \
      chroot "$root" /bin/bash -c "cd /root/warpmem && exec ./$command" </dev/null || status=$?
    if [ "$status" -ne 0 ]; then exit "$status"; fi
    # ./test.sh tells its time itself: its closing line stays the last one.
    if [[ $command != test.sh* ]]; then
      echo "== ./$command succeeded in $((SECONDS - started)) s =="
    fi
  done
}

if [ "${1:-}" = --inside ]; then
  shift
  inside "$@"
  exit
fi

keep=false
root=
commands=()
usage() {
  sed -n '3,13s/^# \?//p' "$0" >&2
  exit 2
}
while [ $# -gt 0 ]; do
  case $1 in
    --keep) keep=true ;;
    --in)
      if [ $# -lt 2 ]; then usage; fi
      root=$2
      shift
      ;;
    demo | test | test-all | test-quarter-[0-3] | library) commands+=("$1") ;;
    *) usage ;;
  esac
  shift
done
if [ ${#commands[@]} -eq 0 ]; then commands=(demo test); fi

if [ "$(id -u)" -ne 0 ]; then cannot 'needs root, for chroot and mounts'; fi
if ! command -v debootstrap >/dev/null; then
  cannot "debootstrap is not installed: run 'apt-get install debootstrap'"
fi
namespaces=(unshare --mount --propagation private --pid --fork --kill-child)
if ! "${namespaces[@]}" true 2>/dev/null; then cannot 'no rights to make namespaces'; fi

source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
if [ -n "$root" ]; then
  mkdir -p "$root"
  root=$(cd "$root" && pwd)
  if [ -n "$(ls -A "$root")" ]; then
    echo "error: $root is not empty" >&2
    exit 2
  fi
else
  root=$(mktemp -d)
  chmod 755 "$root" # apt leaves root's rights when it downloads
fi

child=
clean() {
  trap '' TERM INT HUP
  if [ -n "$child" ]; then
    kill -KILL "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  fi
  if $keep; then return; fi
  # What was killed a moment ago may still be writing.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    if rm -rf --one-file-system "$root" "$root.log" 2>/dev/null; then return; fi
    sleep 0.5
  done
  echo "error: $root could not be deleted" >&2
}
trap clean EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# In the background, since a signal waits for what runs in the foreground.
setpriv --pdeathsig KILL "${namespaces[@]}" bash "${BASH_SOURCE[0]}" --inside "$root" \
  "$source_tree" "${commands[@]}" &
child=$!
status=0
wait "$child" || status=$?
child=
exit "$status"
