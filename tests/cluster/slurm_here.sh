#!/bin/sh
# Runs a Slurm of its own on this host, as this user, with all files in a folder: slurm_here.sh start|stop DIR [NODES [LINES]].
# LINES, which may be divided by \n, are added to slurm.conf.
# SPDX-License-Identifier: Apache-2.0
set -eu
command=$1 folder=$2 nodes=${3:-1} lines=${4:-}
PATH=$PATH:/usr/sbin:/sbin
export SLURM_CONF="$folder/slurm.conf"

# Whether a process runs; one that nobody has waited for yet does not.
runs() { case $(ps -o stat= -p "$1") in '' | Z*) return 1 ;; esac; }

# Ends the process that a file names, and waits until it has written what it keeps.
end() {
  [ -s "$1" ] || return 0
  process=$(cat "$1")
  kill "$process" 2>/dev/null || return 0
  for _ in $(seq 100); do
    runs "$process" || return 0
    sleep 0.1
  done
  kill -9 "$process" 2>/dev/null || true
}

case $command in
  start)
    for program in munged slurmctld slurmd sbatch squeue scontrol; do
      command -v "$program" >/dev/null || { echo "slurm_here.sh: $program is missing; tools/setup --test installs it" >&2; exit 3; }
    done
    host=$(hostname -s) user=$(id -un)
    mkdir -p "$folder/state"
    chmod 700 "$folder"
    dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 2>/dev/null
    chmod 400 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.sock" --pid-file="$folder/munged.pid" \
      --log-file="$folder/munged.log" --seed-file="$folder/munge.seed" --num-threads=1
    # Ports of this process, so that two tests have two of everything; below those that the kernel gives to clients.
    port=$((20000 + $$ % 3000 * 4))
    cat >"$folder/slurm.conf" <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge.sock
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=2
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0,requeue_setup_env_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MailProg=/bin/true
END
    for k in $(seq "$nodes"); do
      mkdir -p "$folder/spool-n$k"
      echo "NodeName=n$k NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + k)) CPUs=2 State=UNKNOWN"
    done >>"$folder/slurm.conf"
    echo "PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP" >>"$folder/slurm.conf"
    [ -z "$lines" ] || printf '%b\n' "$lines" >>"$folder/slurm.conf"
    slurmctld -c
    for k in $(seq "$nodes"); do slurmd -N "n$k"; done
    for _ in $(seq 100); do
      grep -qs "^\[.*\] fatal: " "$folder/slurmctld.log" && { grep "fatal: " "$folder/slurmctld.log" >&2; exit 1; }
      [ "$(sinfo -h -N -t idle -o %N 2>/dev/null | sort -u | wc -l)" = "$nodes" ] && exit 0
      sleep 0.1
    done
    echo "slurm_here.sh: the nodes are not idle after 10 s; see $folder/slurmctld.log" >&2
    exit 1
    ;;
  stop)
    [ -e "$SLURM_CONF" ] || exit 0
    scancel --user="$(id -un)" 2>/dev/null || true
    for _ in $(seq 50); do
      [ -z "$(squeue -h 2>/dev/null)" ] && break
      sleep 0.1
    done
    for file in "$folder"/slurmd-*.pid "$folder/slurmctld.pid" "$folder/munged.pid"; do end "$file"; done
    ;;
  *)
    echo "slurm_here.sh start|stop DIR [NODES [LINES]]" >&2
    exit 2
    ;;
esac
