# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Your own scheduler
# A scheduler gets a problem (flows between ports, and what a circuit costs) and returns reservations: when ports are taken, when
# there is light, when the data end. The function below is called in this process whenever lightloop needs a plan.

# %%
import lightloop as ll


@ll.scheduler
def longest_first(problem):
    """The longest flow first; each starts as soon as its two ports are free."""
    free_in = [problem.now] * problem.ports
    free_out = [problem.now] * problem.ports
    plan = []
    for k in (-problem.length).argsort(kind="stable"):
        i, o = int(problem.input[k]), int(problem.output[k])
        start = max(free_in[i], free_out[o])
        up = start + problem.delta
        end = up + int(problem.length[k])
        plan.append(ll.Reservation(problem.flow[k], start, up, end))
        free_in[i] = free_out[o] = end
    return plan


experiment = ll.Experiment(ll.experiment_file("tiny"), {"policy": "sunflow"})
rows = ll.run(experiment, scheduler=[longest_first, "sunflow", "hlf", "solstice"])
rows.to_pandas(seconds=True)[["scheduler", "pst_mean_s", "bound_s", "reconfigurations"]]

# %% [markdown]
# A plan is checked before the switch sees it. Here the data of a circuit begin before the mirrors have settled:

# %%
@ll.scheduler
def impatient(problem):
    return [one._replace(up=one.start + 1, end=one.end - problem.delta + 1) for one in longest_first(problem)]


try:
    ll.run(experiment, scheduler=impatient)
except ll.BrokenRule as broken:
    print(broken.rule, "-", broken)
    assert broken.rule == "settle"

# %% [markdown]
# The plan of a scheduler of lightloop is an array, and can be a beginning. This one is passed on as it is, and gives the same event
# log as the scheduler itself:

# %%
through = ll.scheduler(lambda problem: problem.plan_by("hlf"), name="through")
mine, ours = ll.run(experiment, scheduler=[through, "hlf"])
assert mine["event_log_hash"] == ours["event_log_hash"]
mine["event_log_hash"]
