# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Your own collective
# In an all-reduce every rank begins with a vector of its own and ends with the sum of all. How the ranks get there is a list of
# steps: in a step each rank sends some blocks of its vector to one other rank, which adds them to its own or takes them instead.
# What a list costs on a circuit switch depends on how many circuits it needs, and on how much each carries.

# %%
import lightloop as ll

for step in ll.collective_steps("all_reduce", "recursive_doubling", 4):
    print(step)

# %% [markdown]
# Two steps for four ranks: (sender, receiver, blocks, what the receiver does). Each rank exchanges the whole vector with one partner,
# then with another. A list of your own is a function of the number of ranks. This one works in groups: the ranks of a group add up
# around a ring, then the same places of all groups do, as machines with several accelerators would.

# %%
GROUP = 4


def around(ring, blocks):
    """All-reduce among the ranks of a ring: each of `blocks` is a list of blocks that travel together."""
    n = len(ring)
    adding = [[(ring[r], ring[(r + 1) % n], blocks[(r - k) % n], "add") for r in range(n)] for k in range(n - 1)]
    taking = [[(ring[r], ring[(r + 1) % n], blocks[(r + 1 - k) % n], "take") for r in range(n)] for k in range(n - 1)]
    return adding, taking


def together(lists):
    """Steps of rings that share no rank, at the same time."""
    return [[transfer for step in steps for transfer in step] for steps in zip(*lists)]


@ll.collective(of="all_reduce")
def in_groups(ranks):
    """Add up within groups, all-reduce across groups, spread within groups."""
    groups = [list(range(first, first + GROUP)) for first in range(0, ranks, GROUP)]
    parts = [[GROUP * other + place for other in range(len(groups))] for place in range(GROUP)]  # blocks of a place
    within = [around(group, parts) for group in groups]
    across = []
    for place in range(GROUP):
        held = parts[(place + 1) % GROUP]  # this place's part has its sum there after the first phase
        across.append(sum(around([group[place] for group in groups], [[block] for block in held]), []))
    return together([adding for adding, _ in within]) + together(across) + together([taking for _, taking in within])


len(in_groups(16)), in_groups(16)[0][:2]

# %% [markdown]
# A list is held against what it has to do before it is used: a rank uses each of its ports once in a step, nobody sends what it
# hasn't got or adds a number twice, and in the end every rank has the sum of all ranks in every block. Here the last step is missing:

# %%
try:
    ll.run({"job.workers": 16, "policy": "sunflow", "job.payload": "none"}, collective=ll.Collective(lambda ranks: in_groups(ranks)[:-1], "short"))
except ll.BrokenRule as broken:
    print(broken.rule, "-", broken)
    assert broken.rule == "steps"

# %% [markdown]
# Now the comparison. With `job.payload` "full" the vectors really cross, and each sum is checked.

# %%
job = {"job.collective": "all_reduce", "job.workload": "resnet32_cifar", "job.workers": 16, "job.iterations": 1, "job.compute": "0 ms",
       "fabric.ports": 16, "fabric.device": "model", "policy": "sunflow"}
checked = ll.run(job, {"job.payload": "full"}, collective=in_groups)[0]
assert checked["crc_errors"] == checked["sum_errors"] == 0

delays = ["100 ns", "10 us", "1 ms"]
rows = ll.run({**job, "job.payload": "none", "fabric.tuning": delays}, collective=["ring", "recursive_doubling", in_groups], jobs=2)
for row in rows:
    print(f"{row['fabric.tuning']:>7} {row['job.algorithm']:20} {row['reconfigurations']:4} circuits {row.seconds('iteration') * 1e3:9.3f} ms")

# %% [markdown]
# The ring needs one configuration of the switch for the whole collective, and no other list sends fewer words through a port. In
# groups the switch changes twice. With electrical links of different speed within a group and across groups the list in groups pays
# off; behind one circuit switch, whose circuits are all alike, it doesn't.

# %%
figure = rows.plot(x="fabric.tuning", y="iteration", by="job.algorithm")
times = {(row["fabric.tuning"], row["job.algorithm"]): row["iteration_ps"] for row in rows}
assert all(times[delay, "ring"] <= times[delay, in_groups.name] < times[delay, "recursive_doubling"] for delay in delays[1:2])
