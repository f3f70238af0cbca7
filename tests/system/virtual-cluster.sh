#!/usr/bin/env bash
# A cluster on one machine: nodes n1 … nN, each with its own network, processes, mounts, host name, System V IPC and
# /dev/shm, joined by a switch. Nothing leaves its namespaces, and `down` leaves nothing behind. Needs root.
#
#   tests/system/virtual-cluster.sh up N [--rate RATE] [--shared bind|moosefs] [--slurm]
#   tests/system/virtual-cluster.sh on NODE COMMAND...     in the current directory, as a job there would run it
#   tests/system/virtual-cluster.sh down
#
# RATE    of each link, as 1gbit (default: as fast as memory)
# Every node sees this machine's files, with changes of its own outside the checkout; /shared is one directory for all
# of them, /local a disk of its own for each. From any node, `mpirun` and `ssh` reach the others.
#
# CLUSTER=DIR   where its state is (default: /run/weir-cluster)
# Debian's packages that this machine lacks are fetched and unpacked for the nodes alone (build/virtual-cluster).
# It ends with 77 where the machine cannot carry it, and says what is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
state=${CLUSTER:-/run/weir-cluster}
network=10.77.0

say() { printf 'virtual-cluster: %s\n' "$*" >&2; }
refuse() { say "$1" && exit "${2:-2}"; }
usage() { sed -n '2,16s/^# \{0,1\}//p' "$0"; }

# pid NAME: the first process of a node, or of the switch.
pid() { cat "$state/$1/pid"; }

check_machine() {
    [[ $EUID -eq 0 ]] || refuse "making namespaces needs root" 77
    local program
    for program in unshare nsenter ip tc mpirun ssh ssh-keygen; do
        command -v "$program" >/dev/null || refuse "not installed: $program" 77
    done
    unshare --mount --net --pid --uts --ipc --fork true 2>/dev/null || refuse "no namespaces can be made here" 77
    local packages=(openssh-server)
    [[ $slurm == no ]] || packages+=(munge slurm-client slurmctld slurmd)
    [[ $shared == bind ]] || packages+=(moosefs-client moosefs-chunkserver moosefs-master)
    unpack "${packages[@]}"
}

# unpack PACKAGE...: what is not installed, with what it needs, into a tree that nodes see below this machine's files.
unpack() {
    local folder=$checkout/build/virtual-cluster package archive missing=()
    tree=$folder/tree
    mkdir -p "$folder/archives/partial" "$tree"/usr/{bin,sbin,lib}
    ln -sfn usr/bin "$tree/bin" && ln -sfn usr/sbin "$tree/sbin" && ln -sfn usr/lib "$tree/lib"
    for package in "$@"; do
        [[ -e $folder/has-$package ]] || missing+=("$package")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    apt-get install --download-only --yes --no-install-recommends -o Dir::Cache::archives="$folder/archives" \
        "${missing[@]}" >"$folder/log" 2>&1 || refuse "cannot fetch ${missing[*]}: $(tail -n 1 "$folder/log")" 77
    for archive in "$folder"/archives/*.deb; do
        [[ ! -e $archive ]] || dpkg-deb --fsys-tarfile "$archive" | tar -x --keep-directory-symlink -C "$tree"
    done
    # Debian makes these names when it installs them.
    for archive in "$tree"/usr/{bin,sbin}/*-wlm; do
        [[ ! -e $archive ]] || ln -sfn "${archive##*/}" "${archive%-wlm}"
    done
    touch "${missing[@]/#/$folder/has-}"
}

# begin NAME PROGRAM ARGUMENTS...: starts it in namespaces of its own, and notes its process.
begin() {
    local name=$1 parent child
    mkdir -p "$state/$name"
    setsid unshare --mount --net --pid --uts --ipc --fork --kill-child "${@:2}" \
        >"$state/$name/log" 2>&1 </dev/null &
    parent=$!
    echo $parent >"$state/$name/parent"
    until child=$(cat "/proc/$parent/task/$parent/children" 2>/dev/null) && [[ -n $child ]]; do
        kill -0 $parent 2>/dev/null || refuse "$name did not start: $(tail -n 1 "$state/$name/log")" 1
        sleep 0.02
    done
    echo "${child% }" >"$state/$name/pid"
}

# await FILE NAME: until a node says that it is ready.
await() {
    local turn
    for ((turn = 0; turn < 500; turn++)); do
        [[ ! -e $1 ]] || return 0
        kill -0 "$(pid "$2")" 2>/dev/null || break
        sleep 0.02
    done
    refuse "$2 did not become ready: $(tail -n 3 "$state/$2/log")" 1
}

make_switch() {
    begin switch sleep infinity
    nsenter -t "$(pid switch)" -n sh -c "ip link set lo up && ip link add br0 type bridge && ip link set br0 up"
}

# plug NODE NUMBER: a cable from the node to the switch.
plug() {
    local node=$1 number=$2 switch
    switch=$(pid switch)
    ip link add "v$number" netns "$switch" type veth peer name eth0 netns "$(pid "$node")"
    nsenter -t "$switch" -n sh -c "ip link set v$number master br0 up"
    nsenter -t "$(pid "$node")" -n sh -c "ip link set lo up && ip addr add $network.$number/24 dev eth0 && ip link set eth0 up"
    [[ -n $rate ]] || return 0
    nsenter -t "$switch" -n tc qdisc add dev "v$number" root tbf rate "$rate" burst 256kb latency 50ms
    nsenter -t "$(pid "$node")" -n tc qdisc add dev eth0 root tbf rate "$rate" burst 256kb latency 50ms
}

make_nodes() {
    local number
    for ((number = 1; number <= count; number++)); do
        begin "n$number" "$here/cluster/node.sh" "$state" "$checkout" "$tree" "n$number" "$count"
        plug "n$number" "$number"
        touch "$state/n$number/plugged"
    done
    for ((number = 1; number <= count; number++)); do
        await "$state/n$number/ready" "n$number"
    done
}

up() {
    count=$1 rate= shared=bind slurm=no
    [[ $count =~ ^[1-9][0-9]?$ ]] || refuse "'$count' is no number of nodes from 1 to 99"
    shift
    while [[ $# -gt 0 ]]; do
        case $1 in
            --rate) rate=$2 && shift 2 ;;
            --shared) shared=$2 && shift 2 ;;
            --slurm) slurm=yes && shift ;;
            *) refuse "'$1' is no option of up" ;;
        esac
    done
    [[ $shared == bind || $shared == moosefs ]] || refuse "--shared is bind or moosefs"
    check_machine
    mkdir "$state" 2>/dev/null || refuse "'$state' is there: a cluster is up, or was; first say down"
    touch "$state/of-virtual-cluster"
    trap 'down' ERR EXIT
    mkdir -p "$state/ssh" "$state/shared" "$state/local"
    ssh-keygen -q -t ed25519 -N '' -f "$state/ssh/id"
    make_switch
    make_nodes
    [[ $shared == bind ]] || "$here/cluster/moosefs.sh" "$0" "$state" "$count"
    [[ $slurm == no ]] || "$here/cluster/slurm.sh" "$0" "$state" "$count"
    trap - ERR EXIT
    say "$count nodes are up"
}

# on NODE COMMAND...
on() {
    local node=$1
    [[ -e $state/$node/pid ]] || refuse "there is no node '$node'; say up first"
    # nsenter begins in the node's root; the directory is taken again by its name there.
    exec nsenter -t "$(pid "$node")" -m -u -i -n -p -r -w -- \
        env -C / HOSTNAME="$node" HYDRA_HOST_FILE=/etc/hydra-hosts sh -c 'cd "$0" 2>/dev/null || cd /; exec "$@"' "$PWD" "${@:2}"
}

# runs PROCESS: whether it does; one that has ended may wait for whoever adopted it to ask how.
runs() {
    local facts
    facts=$(cat "/proc/$1/stat" 2>/dev/null) && [[ ${facts##*) } != [ZX]* ]]
}

down() {
    [[ -e $state/of-virtual-cluster ]] || refuse "no cluster is in '$state'"
    local part mounted
    # The first process of a namespace takes all others of it along.
    for part in "$state"/*/pid; do
        [[ ! -e $part ]] || kill -KILL "$(cat "$part")" 2>/dev/null || true
    done
    for part in "$state"/*/parent; do
        while [[ -e $part ]] && runs "$(cat "$part")"; do sleep 0.02; done
    done
    mounted=$(awk -v at="$state/" 'index($2, at) == 1 { print $2 }' /proc/self/mounts | sort -r)
    [[ -z $mounted ]] || xargs -d '\n' umount -l <<<"$mounted"
    rm -rf --one-file-system "$state"
}

case ${1:-} in
    up) [[ $# -ge 2 ]] || refuse "say how many nodes: up N"; up "${@:2}" ;;
    on) [[ $# -ge 3 ]] || refuse "say where and what: on NODE COMMAND..."; on "${@:2}" ;;
    down) down ;;
    *) usage; exit 2 ;;
esac
