# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
# ---
# SPDX-License-Identifier: Apache-2.0

# %% [markdown]
# # A switch by hand
# Every run drives its switch through the same few calls. Here they are, one by one. Nothing happens between two calls of `advance`.

# %%
import lightloop as ll

sw = ll.Switch("model", ports=4, tuning="10 us", locking="1 us")
sw.connect({0: 3, 1: 2})
sw.advance("12 us")
for event in sw.events():
    print(f"{event.at * sw.cycle_ps / 1e6:8.3f} us  {event.kind:10} port {event.port}")

# %% [markdown]
# Tuning is dark, and so is locking, in which the receiver finds the clock of the light. Words that are sent blindly are lost until
# the circuit is up; gated ones wait.

# %%
sw.connect({0: 2, 1: 3})
sw.send(0, words=5000, gated=False)
sw.send(1, words=1000)
sw.advance("40 us")
for event in sw.events():
    if event.kind in ("up", "run", "burst_done"):
        print(event)
lost, waited = sw.counters(2), sw.counters(3)
assert lost["lost"] > 0 and lost["passed"] + lost["lost"] == 5000 and (waited["lost"], waited["passed"]) == (0, 1000)
lost, waited

# %% [markdown]
# Each number is a register of the hardware and has a name. A fault is injected with a call.

# %%
print(sw["TIME"], sw["ACTIVE[2].INPUT"], sw["BASE[*]"])
sw.fail(2)
sw.advance("1 us")
sw.repair(2)
sw.advance("20 us")
[(event.kind, event.port) for event in sw.events()]

# %% [markdown]
# `ll.Switch("verilated", ports=4)` is the same switch in RTL, compiled when it is first named: it does the same, to the cycle.
#
# ## Its waveform
# The signals of the RTL can be recorded. A switch with waveforms is compiled in about a minute, once. `waves()` comes first, since
# it exchanges the switch for that one; `gtkwave switch.fst switch.gtkw` or `surfer -c switch.sucl switch.fst` then shows the states
# of all ports.

# %%
with ll.Switch("verilated", ports=5, tuning="1 us", locking="100 ns") as rtl:
    rtl.waves("switch.fst")
    rtl.connect({0: 3, 1: 2})
    rtl.advance("2 us")
    rtl.fail(2)
    rtl.advance("1 us")
    shown = [(event.at * rtl.cycle_ps, event.kind, event.port) for event in rtl.events()]
shown
