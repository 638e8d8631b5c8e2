# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Jobs that share a switch
# A switch is seldom there for one job. Here two jobs train and a third one does all-reduces, on ports of the same switch. Each has
# servers, workers and a scheme of its own; one scheduler plans the circuits of all.

# %%
import lightloop as ll

jobs = [
    {"workload": "resnet32_cifar", "workers": 4, "servers": 2, "compute": "500 us", "sync": "ssp", "sync.s": 2},
    {"workload": "resnet32_cifar", "workers": 4, "servers": 1, "compute": "300 us", "arrival": "1 ms", "first_node": 4},
    {"workload": "resnet32_cifar", "workers": 4, "collective": "all_reduce", "compute": "200 us", "arrival": "1 ms", "first_node": 8},
]
shared = {"job.iterations": 3, "job.payload": "none", "fabric.device": "model", "fabric.ports": 12, "fabric.tuning": "100 us",
          "policy": "sunflow_inter"}
together = ll.run({**shared, "jobs": jobs})[0]
print(f"all are done after {together.seconds('makespan') * 1e3:.3f} ms; the slowdown of a job is {together['slowdown_mean']:.2f} in the mean")

# %% [markdown]
# *Slowdown* divides the time of a job by its time alone on the same switch. Two of these jobs share ports. Apart from each other, they
# don't disturb one another:

# %%
apart = [{**job, "first_node": first} for job, first in zip(jobs, (0, 6, 11))]
alone = ll.run({**shared, "fabric.ports": 16, "jobs": apart})[0]
print(f"on ports of their own: {alone.seconds('makespan') * 1e3:.3f} ms, slowdown {alone['slowdown_mean']:.2f}")
assert alone["slowdown_mean"] <= together["slowdown_mean"]

# %% [markdown]
# ## Who goes first?
# A scheduler that knows priorities can favour one job. With `priority` 0 the second job goes before the others, which have 1. It doesn't
# wait any more; the others do, for longer than it had to:

# %%
urgent = [{**job, "priority": int(k != 1)} for k, job in enumerate(jobs)]
favoured = ll.run({**shared, "jobs": urgent})[0]
for name, row in (("alike", together), ("the second job first", favoured)):
    print(f"{name:22} {row.seconds('makespan') * 1e3:7.3f} ms, slowdown {row['slowdown_mean']:.2f} in the mean, {row['slowdown_p99']:.2f} at most")

# %% [markdown]
# ## Where do the servers go?
# A placer says which nodes of a job hold which blocks of its model. It is a function of one job, which doesn't know the others. This
# one puts every block on as few servers as it can, by size:

# %%
@ll.placer
def largest_first(job):
    """The largest block first, each to the server that holds the least."""
    nodes = [0] * len(job)
    held = {int(node): 0 for node in job.candidates[:job.servers]}
    for block in (-job.size).argsort(kind="stable"):
        nodes[block] = min(held, key=held.get)
        held[nodes[block]] += int(job.size[block])
    return nodes


training = {"job.workload": "resnet32_cifar", "job.workers": 5, "job.servers": 3, "job.iterations": 1, "job.payload": "none",
            "job.compute": "500 us", "fabric.ports": 8, "fabric.device": "model", "fabric.tuning": "10 us", "policy": "sunflow_whole"}
rows = ll.run(training, placer=[largest_first, "round_robin", "default"])
for row in rows:
    print(f"{row['placer']:22} {row.seconds('pst_mean') * 1e3:7.3f} ms")
assert rows[0]["pst_mean_ps"] <= rows[1]["pst_mean_ps"]

# %% [markdown]
# A placement is checked as every other one. Half of a block is not enough:

# %%
try:
    ll.run(training, placer=ll.Placer(lambda job: [(k, 0, int(size) // 8 * 4, int(job.candidates[k % job.servers])) for k, size in enumerate(job.size)], "half"))
except ll.BrokenRule as broken:
    print(broken.rule, "-", broken)
    assert broken.rule == "placement"
