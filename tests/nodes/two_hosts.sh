#!/usr/bin/env bash
# Runs a job over tcp between two "hosts", which are network namespaces with a cable between them, and compares what comes
# out with the same job in threads. Needs no rights: the namespaces belong to a user namespace, and end with this script.
#   two_hosts.sh LIGHTLOOP EXPERIMENT
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

if [[ ${1:-} != --inside ]]; then
  unshare --user --map-root-user --net --pid --fork --mount-proc true 2>/dev/null || {
    echo "two_hosts: not possible on this machine: it allows no user, network and process namespaces (unshare)" >&2
    exit 1
  }
  command -v ip >/dev/null || { echo "two_hosts: not possible on this machine: it has no \`ip\` (package iproute2)" >&2; exit 1; }
  exec unshare --user --map-root-user --net --pid --fork --kill-child --mount-proc "$0" --inside "$@"
fi
shift
lightloop=$1 experiment=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Another host is whoever has the other end of the cable.
unshare --net sleep 600 &
other=$!
until [[ $(readlink /proc/$other/ns/net) != $(readlink /proc/self/ns/net) ]]; do :; done
on_other() { nsenter --target $other --net "$@"; }
ip link set lo up
ip link add cable0 type veth peer name cable1
ip link set cable1 netns $other
ip address add 10.77.0.1/24 dev cable0
ip link set cable0 up
on_other ip link set lo up
on_other ip address add 10.77.0.2/24 dev cable1
on_other ip link set cable1 up

# Five nodes: 3 and 4 are on the other host, and are there before the coordinator is.
endpoint=tcp://10.77.0.1:5555
"$lightloop" node --new-key "$scratch/key"
nodes=()
for id in 3 4; do
  on_other "$lightloop" node --connect $endpoint --id $id --key "$scratch/key" --timeout "60 s" 2>"$scratch/node$id" &
  nodes+=($!)
done
"$lightloop" run "$experiment" --set nodes.transport=tcp --set nodes.listen=$endpoint --set nodes.expect=2 \
  --set "nodes.keys=$scratch/key" --quiet \
  --json "$scratch/hosts.json"
for node in "${nodes[@]}"; do wait "$node" || { echo "two_hosts: a node ended with $?: $(cat "$scratch"/node*)" >&2; exit 1; }; done
"$lightloop" run "$experiment" --quiet --json "$scratch/threads.json"

results() { grep -oE '"(event_log_hash|pst_mean_ps|messages|words_passed|bytes_delivered|crc_errors|sum_errors)": *("[^"]*"|[0-9]+)' "$1"; }
[[ $(results "$scratch/hosts.json" | wc -l) -ge 28 ]] || { echo "two_hosts: results are missing" >&2; exit 1; }
diff <(results "$scratch/hosts.json") <(results "$scratch/threads.json")
echo "two_hosts: equal results"
