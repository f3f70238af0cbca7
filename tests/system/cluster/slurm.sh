#!/usr/bin/env bash
# Slurm on a virtual cluster that is up: the controller on n1, a daemon on each node, all by munge.
#
#   slurm.sh CLUSTER_SCRIPT STATE COUNT
set -euo pipefail

cluster=$1 state=$2 count=$3
folder=$state/slurm

mkdir -p "$folder/controller"
dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 status=none
chmod 400 "$folder/munge.key"
cat >"$folder/slurm.conf" <<CONF
ClusterName=virtual
SlurmctldHost=n1
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
StateSaveLocation=$folder/controller
SlurmdSpoolDir=/run/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=$folder/controller.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=2
MpiDefault=pmix
ReturnToService=2
SlurmdTimeout=10
KillWait=2
NodeName=n[1-$count] CPUs=2 RealMemory=3000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=60 State=UP
CONF

for ((number = 1; number <= count; number++)); do
    "$cluster" on "n$number" bash -ec '
        mkdir -p /etc/slurm /run/munge /run/slurmd
        cp "$0/slurm.conf" /etc/slurm/slurm.conf
        cp "$0/munge.key" /run/munge/key && chown 0:0 /run/munge/key
        chmod 755 /run/munge && mkdir -p /var/log/munge /var/lib/munge && chown -R 0:0 /var/log/munge /var/lib/munge /run/munge
        munged --key-file=/run/munge/key --force >/dev/null
        if [[ $HOSTNAME == n1 ]]; then slurmctld; fi
        slurmd -N "$HOSTNAME"' "$folder"
done

for ((turn = 0; turn < 100; turn++)); do
    idle=$("$cluster" on n1 sinfo --noheader --Node --format %T 2>/dev/null | grep -c '^idle$' || true)
    [[ $idle -lt $count ]] || exit 0
    sleep 0.1
done
echo "virtual-cluster: $idle of $count nodes of Slurm are idle after 10 s; see $folder/controller.log" >&2
exit 1
