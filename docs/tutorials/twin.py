# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # Characterize a switch, and emulate what was measured
# A data sheet states one time for all pairs of ports. Mirrors are not alike: some pairs take twice as long as others. This notebook
# measures each pair of a switch through the commands that any host has, writes the times down as a profile, and runs an
# experiment on the *twin*, a switch with exactly these times.

# %%
import matplotlib.pyplot as plt
import numpy

import lightloop as ll

PORTS = 8
sw = ll.Switch("model", ports=PORTS, switch="palomar")  # the measured switch; in a laboratory it is hardware


def times_of(sw):
    """Cycles from the command to the circuit: [output, input]. Each round sets up circuits that share no port."""
    times = numpy.zeros((sw.ports, sw.ports), dtype=numpy.int64)
    for shift in range(sw.ports):
        sw.disconnect(range(sw.ports))
        sw.advance("10 ms")
        sw.events()
        began = sw.now
        sw.connect({i: (i + shift) % sw.ports for i in range(sw.ports)})
        sw.advance("10 ms")
        for event in sw.events():
            if event.kind == "up":
                times[event.port, (event.port - shift) % sw.ports] = event.at - began - 1  # the command takes effect a cycle later
    return times


times = times_of(sw)
milliseconds = times * sw.cycle_ps / 1e9
assert (times > 0).all()
print(f"{milliseconds.min():.3f} to {milliseconds.max():.3f} ms, median {numpy.median(milliseconds):.3f} ms")

# %%
figure, axes = plt.subplots(figsize=(4, 3.5))
shown = axes.imshow(milliseconds, cmap="cividis")
axes.set(xlabel="input", ylabel="output", title="Time to set up each pair")
bar = figure.colorbar(shown, label="ms")

# %% [markdown]
# ## The twin
# A profile is a small file: a list for each output, of a time for each input. `lightloop characterize --save twin.toml` writes one of
# a switch in hardware; here it is written by hand.

# %%
rows = ",\n".join("  [" + ", ".join(str(int(cycles) * sw.cycle_ps) for cycles in line) + "]" for line in times)
with open("twin.toml", "w") as file:
    file.write(f'''summary = "measured"
source = ["this notebook"]
published = "nothing"
assumed = "receivers lock at once"
ports = {PORTS}
[tuning]
picoseconds = [
{rows}
]
[locking]
all = "0 ns"
''')

twin = ll.Switch("model", ports=PORTS, switch="file:twin.toml")
assert (times_of(twin) == times).all()

# %% [markdown]
# ## What it is for
# Does it matter that pairs differ? The same job on the twin, and on a switch in which every pair takes the median, or the longest
# time that was measured:

# %%
job = {"job.workload": "resnet32_cifar", "job.workers": 6, "job.servers": 2, "job.iterations": 2, "job.compute": "1 ms", "job.payload": "none",
       "fabric.ports": PORTS, "fabric.device": "model", "policy": "sunflow"}
on_twin = ll.run(job, {"fabric.switch": "file:twin.toml"})[0]
uniform = ll.run(job, {"fabric.tuning": [f"{int(numpy.median(times)) * sw.cycle_ps} ps", f"{int(times.max()) * sw.cycle_ps} ps"]})
for name, row in (("the twin", on_twin), ("all as the median", uniform[0]), ("all as the longest", uniform[1])):
    print(f"{name:20} {row.seconds('pst_mean') * 1e3:7.3f} ms")
assert on_twin["pst_mean_ps"] < uniform[1]["pst_mean_ps"]
