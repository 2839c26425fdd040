#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Scores one partition of a Kafka topic for good, through kills, restarts and brokers that go away.
#
#   kafka.sh BROKER TOPIC PARTITION COLUMNS [flags of `pidforest stream`]
#   kafka.sh localhost:9092 metrics 0 at,host,load --time at --by host
#
# The messages are lines of CSV with these columns. TOPIC-PARTITION.csv in the current folder gets the output, and
# TOPIC-PARTITION.state the state. It takes kcat (Debian's package kcat).
set -u
broker=$1 topic=$2 partition=$3 columns=$4
shift 4
name=$topic-$partition
stream=
trap 'stopped=1; [ -n "$stream" ] && kill "$stream"' TERM INT

while [ -z "${stopped:-}" ]; do
  # The state knows the last event that was scored. Without a state, or before its first event, the topic is read from its beginning.
  from=
  [ -f "$name.state" ] && from=$(pidforest inspect --offsets "$name.state" | cut -d ' ' -f 2)
  # The broker's own offsets are not used: they would count events as done that no saved state has.
  pidforest stream --offsets partition,offset --state "$name.state" --output "$name.csv" "$@" < <(
    echo "partition,offset,$columns"
    exec kcat -C -b "$broker" -t "$topic" -p "$partition" -o "${from:-beginning}" -X topic.auto.offset.reset=earliest -q -u -f '%p,%o,%s\n'
  ) &
  stream=$!
  code=129
  while [ "$code" -gt 128 ] && kill -0 "$stream" 2>/dev/null; do
    wait "$stream"
    code=$?
  done
  case $code in
    2 | 3 | 4) exit "$code" ;; # wrong flags, bad data and a state of other flags need a person
  esac
  [ -n "${stopped:-}" ] || sleep 1
done
