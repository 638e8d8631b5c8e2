# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # When is switching worth it?
# A packet network has no mirrors to move, but each of its ports is electrical. Suppose that a circuit switch offers ports that are
# four times as fast for the same money. From which reconfiguration delay on would the packets win?

# %%
import lightloop as ll

job = {"job.workload": "resnet32_cifar", "job.workers": 6, "job.servers": 2, "job.iterations": 1, "job.compute": "1 ms",
       "job.payload": "none", "fabric.ports": 8, "policy": "psscheduler"}
delays = ["100 ns", "1 us", "10 us", "100 us", "1 ms", "10 ms"]
circuits = ll.run(job, {"fabric.rate": "400 Gbit/s", "fabric.tuning": delays}, jobs=2)
packets = ll.run(job, {"fabric.rate": "100 Gbit/s", "network": "packet"})[0]

for row in circuits:
    gain = packets["pst_mean_ps"] / row["pst_mean_ps"]
    print(f"{row['fabric.tuning']:>7}: {row.seconds('pst_mean') * 1e3:8.3f} ms, {gain:6.2f} times as fast as packets")

# %% [markdown]
# The gain falls from about the ratio of the rates to less than one. Where it crosses one depends on how much a circuit carries: with
# larger models the delay matters less.

# %%
figure = circuits.plot(x="fabric.tuning", y="pst_mean")
figure.axes[0].axhline(packets.seconds("pst_mean"), linestyle="--", label="packets")
figure.axes[0].set_yscale("log")
gains = [packets["pst_mean_ps"] / time for time in circuits["pst_mean_ps"]]
assert gains == sorted(gains, reverse=True) and gains[0] > 1 > gains[-1]
