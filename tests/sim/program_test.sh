#!/bin/sh
# lightloop-sim as a command: what it prints, its exit codes, and one sentence for each wrong input.
# SPDX-License-Identifier: Apache-2.0
set -u
program=$1 failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# expect CODE TEXT ARGUMENT...: the exit code, and a text that is in the output. Of a wrong input it is one line.
expect() {
  code=$1 text=$2
  shift 2
  output=$("$program" "$@" 2>&1)
  got=$?
  case $output in *"$text"*) ;; *) got="$got, without \"$text\"" ;; esac
  if [ "$code" = 2 ] && [ "$(echo "$output" | grep -vc '^seed ')" != 1 ]; then got="$got, more than one line"; fi
  if [ "$got" != "$code" ]; then
    echo "lightloop-sim $*: exit code $got instead of $code: $output"
    failed=1
  fi
}

expect 2 "--seed is \"x\", but must be a whole number from 0" --seed x
expect 2 "--seed is \"-1\", but must be a whole number from 0" --seed=-1
expect 2 "one of --seed, --runs, --minutes, --scenario and --scenarios is needed"
expect 2 "--keep is \"$folder/none\", but must be a folder that can be written to" --runs 1 --keep "$folder/none"
expect 2 "job.workers is 0, but must be a whole number from 1 to 255" --scenario 'seed 1; set job.workers=0'
expect 2 "there is no fault \"burn\"" --scenario 'fault burn 0 0 0'
expect 2 "which can't be read" --scenarios "$folder/none"
: >"$folder/empty"
expect 2 "which holds no scenario" --scenarios "$folder/empty"
expect 0 "20 runs, " --runs 20 -j 2 --keep "$folder"
expect 0 "0 violations" --runs 20 --seed 7
expect 0 "20 runs, " --runs 20 --only serve
expect 2 "--rows is given, but a server has no rows" --rows --seed 7 --only serve
expect 2 "there is no fault \"burn\"" --scenario 'serve; fault burn 0 0 0'
expect 2 "but a server has no such key" --scenario 'seed 1; serve; set job.workers=2'
for only in run serve; do
  first=$("$program" --seed 4711 --only $only) second=$("$program" --seed 4711 --only $only)
  if [ "$first" != "$second" ] || [ -z "$first" ]; then
    echo "seed 4711 differs from run to run ($only): $first $second"
    failed=1
  fi
done
exit $failed
