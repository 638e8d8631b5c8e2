#!/usr/bin/env python3
# Holds what lightloop writes, what a program is given, and what the example answers against docs/plans.schema.json.
# SPDX-License-Identifier: Apache-2.0
"""Usage: check_schema.py LIGHTLOOP SOURCE. Exit 1 and a line for each thing that doesn't fit, or fits and shouldn't."""
import copy
import json
import pathlib
import subprocess
import sys

import jsonschema

program, source = sys.argv[1], pathlib.Path(sys.argv[2])
schema = json.loads((source / "docs/plans.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
bad = []


def validator(part):
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{part}", "$defs": schema["$defs"]})


def check(part, thing, what):
    for error in validator(part).iter_errors(thing):
        bad.append(f"{what}: {error.json_path}: {error.message}")


def must_refuse(part, thing, what, change):
    thing = copy.deepcopy(thing)
    change(thing)
    if validator(part).is_valid(thing):
        bad.append(f"{what} is taken for a {part}")


experiment = str(source / "testbed/experiments/tiny.toml")
for more in ([], ["--set", "fabric.switch=mordia", "--set", "fabric.ports=24"], ["--set", "fabric.all_stop=true", "--set", "policy=rotor"],
             ["--set", "control.mode=timetable"], ["--set", "job.colocated=true"]):
    text = subprocess.run([program, "plan", experiment, "--json", "-", *more], check=True, capture_output=True, text=True).stdout
    plans = json.loads(text)
    check("file", plans, " ".join(more))

for more in ("job.sync=asp", "job.collective=all_reduce", "fabric.planes=2"):
    text = subprocess.run([program, "plan", experiment, "--json", "-", "--set", more], check=True, capture_output=True, text=True).stdout
    paper = json.loads(text)
    check("file", paper, more)
    must_refuse("file", paper, "a job on paper with a push", lambda f: f["plans"][0].update(push={}))
    must_refuse("paper", paper["plans"][0], "a job on paper without its end", lambda p: p.pop("end_ps"))

text = subprocess.run([program, "plan", experiment, "--json", "-", "--set", "job.collective=all_reduce", "--set", "job.payload=none",
                       "--set", "collective.reconfigure=optimal"], check=True, capture_output=True, text=True).stdout
check("file", json.loads(text), "policies")
must_refuse("file", json.loads(text), "a policy with a move of its own", lambda f: f["plans"][0]["policies"][0].update(moves=["go"]))

text = subprocess.run([program, "plan", experiment, "--json", "-", "--set", "job.collective=all_reduce", "--set", "job.payload=none",
                       "--set", "fabric.planes=2", "--set", "collective.reconfigure=overlap"],
                      check=True, capture_output=True, text=True).stdout
check("file", json.loads(text), "planes")
must_refuse("file", json.loads(text), "a step that no plane carries", lambda f: f["plans"][0]["rules"][0]["steps"][0].update(carriers=[]))
must_refuse("file", json.loads(text), "copies without their cycles", lambda f: f["plans"][0]["copies"].pop("cycles"))

first = plans["plans"][0]["push"]
example = source / "testbed/examples/mine.py"
for number, phase in enumerate((plan[name] for plan in plans["plans"] for name in ("push", "pull")), 1):
    problem = {"request": number} | phase["problem"]
    check("problem", problem, "problem")
    answer = subprocess.run([example], input=json.dumps(problem) + "\n", check=True, capture_output=True, text=True).stdout
    check("answer", json.loads(answer), "answer of the example")

must_refuse("file", plans, "schema_version 2", lambda f: f.update(schema_version=2))
must_refuse("file", plans, "a plan without pulls", lambda f: f["plans"][0].pop("pull"))
for name in ("flow", "in", "start", "up", "end", "out"):
    must_refuse("phase", first, f"a reservation without {name}", lambda p, name=name: p["reservations"][0].pop(name))
must_refuse("phase", first, "a negative start", lambda p: p["reservations"][0].update(start=-1))
must_refuse("phase", first, "port 256", lambda p: p["reservations"][0].update(out=256))
must_refuse("phase", first, "out and outs", lambda p: p["reservations"][0].update(outs=[1]))
for name in ("ports", "delta", "flows"):
    must_refuse("problem", first["problem"], f"a problem without {name}", lambda p, name=name: p.pop(name))
must_refuse("problem", first["problem"], "a length in text", lambda p: p["flows"][0].update(length="1"))

print("\n".join(bad))
sys.exit(1 if bad else 0)
