#!/usr/bin/env bash
# The first process of a node of the virtual cluster, in namespaces of its own: makes its file systems, then waits, and
# reaps what others leave.
#
#   node.sh STATE CHECKOUT TREE NAME COUNT
#
# TREE: files of packages that this machine lacks
set -euo pipefail

state=$1 checkout=$2 tree=$3 name=$4 count=$5
network=10.77.0
own=$state/$name
root=$own/disk/root

mount --make-rprivate /
hostname "$name"

# This machine's files, under changes of its own that are gone with the node.
mkdir -p "$own/disk" "$state/local/$name"
mount -t tmpfs -o size=2g tmpfs "$own/disk"
mkdir -p "$own/disk/changes" "$own/disk/work" "$root"
cp -a "$tree/." "$own/disk/changes"
mount -t overlay -o "lowerdir=/,upperdir=$own/disk/changes,workdir=$own/disk/work" overlay "$root"
mkdir -p "$root/shared" "$root/local"
mount --bind "$state/shared" "$root/shared"
mount --bind "$state/local/$name" "$root/local"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
# Last, since either may lie in /tmp or /run.
mkdir -p "$root$checkout" "$root$state"
mount --bind "$checkout" "$root$checkout"
mount --bind "$state" "$root$state"

# Names, keys, and what mpirun has to know.
{
    echo "127.0.0.1 localhost"
    for ((number = 1; number <= count; number++)); do echo "$network.$number n$number"; done
} >"$root/etc/hosts"
echo "$name" >"$root/etc/hostname"
mkdir -p "$root/root/.ssh" "$root/etc/openmpi"
cp "$state/ssh/id" "$root/root/.ssh/id_ed25519"
cp "$state/ssh/id.pub" "$root/root/.ssh/authorized_keys"
printf 'Host n*\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n  LogLevel ERROR\n' >"$root/root/.ssh/config"
chmod -R go= "$root/root/.ssh"
seq -f "n%g slots=2" 1 "$count" >"$root/etc/openmpi/virtual-cluster-hosts"
# Nodes share the machine's cores: ranks must neither be bound to the same one nor keep it while they wait.
cat >"$root/etc/openmpi/openmpi-mca-params.conf" <<'PARAMETERS'
orte_default_hostfile = /etc/openmpi/virtual-cluster-hosts
plm_rsh_agent = ssh
hwloc_base_binding_policy = none
rmaps_base_oversubscribe = 1
mpi_yield_when_idle = 1
btl_tcp_if_include = eth0
oob_tcp_if_include = eth0
PARAMETERS
# The same for Open MPI 5, wherever it is installed, and for MPICH, which HYDRA_HOST_FILE tells.
mkdir -p "$root/root/.openmpi" "$root/root/.prte"
printf 'mpi_yield_when_idle = 1\nbtl_tcp_if_include = eth0\n' >"$root/root/.openmpi/mca-params.conf"
cat >"$root/root/.prte/mca-params.conf" <<'PARAMETERS'
prte_default_hostfile = /etc/openmpi/virtual-cluster-hosts
hwloc_default_binding_policy = none
rmaps_default_mapping_policy = :oversubscribe
PARAMETERS
seq -f "n%g:2" 1 "$count" >"$root/etc/hydra-hosts"

cd "$root"
mkdir -p .before
pivot_root . .before
umount -l /.before
until [[ -e $own/plugged ]]; do sleep 0.02; done

mkdir -p /run/sshd /run/lock
grep -q '^sshd:' /etc/passwd || echo 'sshd:x:990:65534::/run/sshd:/usr/sbin/nologin' >>/etc/passwd
ldconfig
ssh-keygen -A >/dev/null
/usr/sbin/sshd -f /dev/null -o UsePAM=no -o StrictModes=no -o PermitRootLogin=yes -o AcceptEnv='*'
touch "$own/ready"
while :; do
    sleep 3600 &
    wait
done
