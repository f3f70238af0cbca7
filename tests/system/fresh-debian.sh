#!/usr/bin/env bash
# The newcomer's machine: a bare Debian 12 in a chroot, in which the README's two commands are run on a clone of this
# repository's last commit, each of them twice, after the no-root refusal has been seen. Prints the times. Needs root,
# debootstrap and the network; takes about ten minutes and 4 GB.
#
#   tests/system/fresh-debian.sh [FOLDER]     the chroot is made in FOLDER (default: a temporary one) and kept
#
# MIRROR=URL    the Debian mirror (default: deb.debian.org)
# OVERLAY=DIR   copied into the chroot first: apt and pip settings or certificates that this network asks for
set -euo pipefail

source_tree=$(cd "$(dirname "$0")/../.." && pwd)
folder=${1:-$(mktemp -d -t weir-fresh-XXXXXX)}
tree=$folder/debian-12
mirror=${MIRROR:-http://deb.debian.org/debian}

say() { printf '\n== %s\n' "$*"; }
inside() { chroot "$tree" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb "$@"; }
timed() {
    local started=$SECONDS status=0
    "$@" || status=$?
    say "exit code $status after $((SECONDS - started)) s: ${*: -1}"
    return $status
}

unmount() {
    local mounted
    for mounted in sys dev/shm dev proc .; do
        mountpoint -q "$tree/$mounted" && umount "$tree/$mounted"
    done
    return 0
}

[[ $EUID -eq 0 ]] || { echo "fresh-debian.sh: making a chroot needs root" >&2; exit 2; }
mkdir -p "$folder"
if [[ ! -x $folder/pristine/bin/bash ]]; then
    say "making a bare Debian 12 in $folder"
    debootstrap --variant=minbase --include=git,make,python3,g++ bookworm "$folder/pristine" "$mirror"
fi
trap unmount EXIT
unmount
rm -rf "$tree"
cp -a "$folder/pristine" "$tree"
[[ -z ${OVERLAY:-} ]] || cp -a "$OVERLAY/." "$tree/"
cp --remove-destination /etc/resolv.conf /etc/hosts "$tree/etc/"
# A root that is a mount, as on a real machine: tests that mount things in a namespace of their own need that.
mount --bind "$tree" "$tree"
mount --make-private "$tree"
mount -t proc proc "$tree/proc"
mount --bind /dev "$tree/dev"
mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm"
mount --bind /sys "$tree/sys"

git clone --quiet --no-hardlinks "$source_tree" "$tree/srv/weir"
chroot "$tree" chown -R root:root /srv/weir

say "without root: the line to run, and exit code 2"
chroot "$tree" useradd --create-home guest
chroot "$tree" cp -r /srv/weir /home/guest/weir
chroot "$tree" chown -R guest: /home/guest/weir
status=0
inside su guest -c 'cd ~/weir && scripts/test' || status=$?
[[ $status -eq 2 ]] || { say "expected exit code 2, got $status"; exit 1; }

failed=0
timed inside bash -c 'cd /srv/weir && make test' || failed=1
timed inside bash -c 'cd /srv/weir && make test' || failed=1
timed inside bash -c 'cd /srv/weir && make evaluate' || failed=1
timed inside bash -c 'cd /srv/weir && time make setup' || failed=1
exit $failed
