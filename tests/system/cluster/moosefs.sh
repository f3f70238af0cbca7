#!/usr/bin/env bash
# MooseFS at /shared of a virtual cluster that is up: the master on n1, on each node a chunk server with its data in
# memory, and the mount through FUSE.
#
#   moosefs.sh CLUSTER_SCRIPT STATE COUNT
set -euo pipefail

cluster=$1 state=$2 count=$3
chunks=1g  # of each node

"$cluster" on n1 bash -ec '
    mkdir -p /run/mfs/master && cd /run/mfs
    cp /var/lib/mfs/metadata.mfs.empty master/metadata.mfs
    echo "* / rw,alldirs,admin,maproot=0:0" >exports.cfg
    printf "%s\n" "WORKING_USER = root" "WORKING_GROUP = root" "DATA_PATH = /run/mfs/master" \
        "EXPORTS_FILENAME = /run/mfs/exports.cfg" "SYSLOG_IDENT = mfsmaster" >master.cfg
    mfsmaster -c /run/mfs/master.cfg start' >"$state/moosefs.log" 2>&1

for ((number = 1; number <= count; number++)); do
    "$cluster" on "n$number" bash -ec '
        mkdir -p /run/mfs/chunks /run/mfs/data && cd /run/mfs
        mount -t tmpfs -o "size=$0" tmpfs /run/mfs/chunks
        echo /run/mfs/chunks >disks.cfg
        printf "%s\n" "WORKING_USER = root" "WORKING_GROUP = root" "DATA_PATH = /run/mfs/data" \
            "HDD_CONF_FILENAME = /run/mfs/disks.cfg" "MASTER_HOST = n1" "HDD_LEAVE_SPACE_DEFAULT = 1MiB" >chunkserver.cfg
        mfschunkserver -c /run/mfs/chunkserver.cfg start
        umount /shared
        mfsmount -H n1 -o mfscachemode=NEVER,mfsattrcacheto=0 /shared' "$chunks" >>"$state/moosefs.log" 2>&1
done

# A chunk server that is there offers room a moment later.
for ((turn = 0; turn < 100; turn++)); do
    [[ $("$cluster" on n1 df --output=avail /shared | tail -n 1) -eq 0 ]] || break
    sleep 0.1
done

# Files that were removed would keep their memory; one copy of each is enough here.
"$cluster" on n1 sh -c 'mfssetgoal -r 1 /shared && mfssettrashtime -r 0 /shared' >>"$state/moosefs.log" 2>&1
