# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Learning over the switch
# So far payload was a pattern. Here workers compute real gradients on Fashion-MNIST and the model learns from what really crosses the
# switch, in the order in which it arrives. Two questions have answers then: how long is an iteration, and how many iterations does it
# take? A scheme of synchronisation that waits for nobody has short iterations, and stale gradients.
#
# It needs the data set (Debian package `dataset-fashion-mnist`) and runs for some seconds.

# %%
import matplotlib.pyplot as plt

import lightloop as ll

experiment = {
    "job.workload": "softmax", "job.workers": 8, "job.servers": 1, "job.payload": "full",
    "compute.gradients": "real", "job.compute": "20 ms", "compute.jitter": "uniform 10 %", "job.iterations": 40,
    "learning.rate": "0.5", "learning.batch": 256, "learning.target": "0.75",
    "fabric.device": "model", "fabric.ports": 16, "fabric.rate": "125 Mbit/s", "fabric.tuning": "1 ms",
    "policy": "sunflow_equal", "scheduler": "sunflow_fifo",
}
rows = ll.run(experiment, scheme=["bsp_phase", "asp"], jobs=2)
for row in rows:
    print(f"{row['sync']:10} {row['updates']:4} updates, accuracy {row['accuracy']:.3f}, at .75 after {row.seconds('time_to_accuracy')} s")

# %% [markdown]
# `row.curve` has a point an evaluation: updates, time in ps, loss and accuracy on the test pictures.

# %%
figure, axes = plt.subplots(figsize=(6, 3.5))
for row in rows:
    axes.plot([at / 1e12 for _, at, _, _ in row.curve], [accuracy for *_, accuracy in row.curve], label=row["sync"])
axes.set(xlabel="emulated time (s)", ylabel="test accuracy")
legend = axes.legend()

# %% [markdown]
# ## A scheme of your own
# A synchronisation scheme is called at every event at the gate: a worker *asked* to begin an iteration, or its push has come to every
# server (*pushed*). It decides which pushes enter the model, and who may go on. This one lets a worker go on while it is at most
# `slack` pushes ahead of the slowest.

# %%
@ll.scheme(reads=["s"])
class AtMostAhead:
    def __init__(self, workers, settings):
        self.slack = settings["s"]

    def on(self, event, gate):
        if event.kind == "pushed":
            gate.apply([event.worker])
        for worker in range(gate.workers):
            if gate.asking(worker) and gate.clock(worker) <= gate.least_clock() + self.slack:
                gate.grant(worker)


mine, ours = ll.run(experiment, {"sync.s": 1, "compute.factors": "0: 2"}, scheme=[AtMostAhead, "ssp"], jobs=2)
assert mine["event_log_hash"] == ours["event_log_hash"] and mine.curve == ours.curve  # stale synchronous parallel, SSP
mine["sync"], mine["sync_settings"], mine["staleness_mean"]

# %% [markdown]
# Decisions go into the same books as those of every scheme. One that can't be is refused where it is made:

# %%
@ll.scheme
def forgetful(event, gate):
    if event.kind == "asked":
        gate.grant(event.worker)  # its push was never applied


try:
    ll.run(experiment, scheme=forgetful)
except ll.BrokenRule as broken:
    print(broken.rule, "-", broken)
    assert broken.rule == "grant"
