# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # A first experiment
# Training on several machines sends gradients to parameter servers and fetches sums. Here an optical circuit switch lies between
# them: before data can flow from one port to another, a mirror has to move. How long does a synchronisation take, and what does the
# scheduler of the circuits change?

# %%
import lightloop as ll

rows = ll.run(ll.experiment_file("tiny"), {
    "policy": ["psscheduler", "sunflow", "hlf"],
    "fabric.tuning": ["100 ns", "1 us", "10 us"],
}, jobs=2)
rows

# %% [markdown]
# Each combination is a row. `pst_mean_ps` is the mean parameter synchronisation time. Times are whole picoseconds, because the
# simulation is exact: the same experiment gives the same row on every machine, which the hash of its event log shows.

# %%
rows.to_pandas(seconds=True)[["fabric.tuning", "policy", "pst_mean_s", "bound_s", "event_log_hash"]]

# %%
figure = rows.plot(x="fabric.tuning", y="pst_mean", by="policy")

# %% [markdown]
# With fast mirrors the schedulers are close together: all of them are limited by the bytes. With slow ones what counts is how many
# circuits are set up, and who may place the servers well.

# %%
for row in rows:
    print(f"{row['fabric.tuning']:>7} {row['policy']:12} {row['reconfigurations']:4} circuits, {row.seconds('pst_mean') * 1e6:7.1f} us")

# %% [markdown]
# What keys an experiment has, and what the columns of a row are:

# %%
ll.keys()["fabric.tuning"], ll.columns()["pst_mean_ps"]
