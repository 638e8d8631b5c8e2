#!/usr/bin/env python3
# A scheduler of one's own, `scheduler = "exec:./mine.py"`: the longest flow first, as soon as both its ports are free.
# SPDX-License-Identifier: Apache-2.0
import json
import sys


def plan(problem):
    now, ports = problem["now"], problem["ports"]
    free_in, free_out, source = [now] * ports, [now] * ports, {}
    for circuit in problem["up"]:
        source[circuit["out"]] = circuit["in"]
        free_in[circuit["in"]] = free_out[circuit["out"]] = max(now, circuit["free_at"])
    waiting = sorted(problem["flows"], key=lambda f: (-f["length"], f["in"], f["out"]))
    reservations = []
    while waiting:
        start, flow = min(((max(free_in[f["in"]], free_out[f["out"]], f["release"]), f) for f in waiting), key=lambda p: p[0])
        waiting.remove(flow)
        i, o = flow["in"], flow["out"]
        delta = problem["pair_delta"][i * ports + o] if problem["pair_delta"] else problem["delta"]
        up = start + (problem["reuse"] if source.get(o) == i else delta)  # a circuit that is established needs no set-up
        end = up + flow["length"]
        source = {out: at for out, at in source.items() if at != i} | {o: i}
        free_in[i] = free_out[o] = end
        reservations.append({"flow": flow["flow"], "in": i, "out": o, "start": start, "up": up, "end": end})
    return {"reservations": reservations}


for line in sys.stdin:  # one problem a line, one plan a line
    print(json.dumps(plan(json.loads(line))), flush=True)
