# An AXI4-Lite master that isn't ours (cocotbext-axi, unmodified) drives the switch; the bound checker watches the bus.
# SPDX-License-Identifier: Apache-2.0
"""Run by run.py; every channel pauses at random. The seed is printed; LIGHTLOOP_SEED sets it."""
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import ocs_map as ocs

PORTS = 4


def pauses(share: float):
    """True in `share` of the cycles: that channel's master holds still."""
    while True:
        yield random.random() < share


def unsteady(master: AxiLiteMaster, share: float) -> None:
    """From now on each of the five channels pauses in that share of the cycles."""
    for channel in (master.write_if.aw_channel, master.write_if.w_channel, master.write_if.b_channel,
                    master.read_if.ar_channel, master.read_if.r_channel):
        channel.clear_pause_generator()
        channel.set_pause_generator(pauses(share))


async def reset(dut) -> None:
    dut.rst_n.value = 0
    await ClockCycles(dut.clk, 3)
    dut.rst_n.value = 1
    await ClockCycles(dut.clk, 2)


async def start(dut, share: float) -> AxiLiteMaster:
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst_n, reset_active_level=False)
    unsteady(master, share)
    dut.valid.value = 0
    cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
    await reset(dut)
    return master


async def read(master: AxiLiteMaster, address: int) -> int:
    answer = await master.read(address, 4)
    assert answer.resp == AxiResp.OKAY, hex(address)
    return int.from_bytes(answer.data, "little")


async def write(master: AxiLiteMaster, address: int, value: int) -> None:
    answer = await master.write(address, value.to_bytes(4, "little"))
    assert answer.resp == AxiResp.OKAY, hex(address)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def tells_who_it_is(dut):
    master = await start(dut, 0.0)
    assert await read(master, ocs.ID) == int.from_bytes(b"OCS1", "big")
    assert await read(master, ocs.CAP_SIZE) & 0xFFFF == PORTS
    earlier = await read(master, ocs.TIME)
    assert await read(master, ocs.TIME) > earlier


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def keeps_what_strobes_name_under_back_pressure(dut):
    """Bytes at any address and of any number, several accesses under way at a time, against a memory of bytes."""
    master = await start(dut, 0.0)
    for share in (0.0, 0.2, 0.5, 0.8):
        unsteady(master, share)
        await reset(dut)
        bases = [array + 4 * port for array in (ocs.LEN, ocs.GAP, ocs.REPEAT) for port in range(PORTS)]
        expected = {base + byte: 0 for base in bases for byte in range(4)}
        for _ in range(60):
            chosen = random.sample(bases, random.randint(1, 4))
            jobs = []
            for base in chosen:
                first = random.randint(0, 3)
                data = random.randbytes(random.randint(1, 4 - first))
                expected.update({base + first + k: value for k, value in enumerate(data)})
                jobs.append(cocotb.start_soon(master.write(base + first, data)))
            await Combine(*jobs)
            assert all(job.result().resp == AxiResp.OKAY for job in jobs)
            jobs = [(base, cocotb.start_soon(master.read(base, 4))) for base in random.sample(bases, 3)]
            await Combine(*(job for _, job in jobs))
            for base, job in jobs:
                assert job.result().data == bytes(expected[base + k] for k in range(4)), hex(base)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reads_and_writes_at_the_same_time(dut):
    """Both directions are loaded at once; neither disturbs or starves the other."""
    master = await start(dut, 0.3)

    async def writer():
        for k in range(150):
            await write(master, ocs.LEN + 4 * (k % PORTS), k)

    async def reader():
        for _ in range(150):
            assert await read(master, ocs.CYCLE_PS) == 5120

    await Combine(cocotb.start_soon(writer()), cocotb.start_soon(reader()))
    for port in range(PORTS):
        assert await read(master, ocs.LEN + 4 * port) == max(k for k in range(150) if k % PORTS == port)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def answers_slverr_as_section_12_says(dut):
    master = await start(dut, 0.3)
    refused_reads = [0x60, 0x3FC, 0x520, 0x600, 0x7FFC, 0x11400, ocs.LEN + 4 * PORTS, ocs.LASER + 4 * PORTS, ocs.START + 4,
                     ocs.PAIR + 4 * PORTS, 0x80000]
    refused_writes = refused_reads + [ocs.ID, ocs.TIME, ocs.STATE, ocs.PASSED, ocs.POWER, ocs.MISROUTED, ocs.EVENT]
    for address in refused_reads:
        answer = await master.read(address, 4)
        assert (answer.resp, answer.data) == (AxiResp.SLVERR, bytes(4)), hex(address)
        assert await read(master, ocs.ERROR) == ocs.ERROR_ACCESS, hex(address)
        await write(master, ocs.ERROR, ocs.ERROR_ACCESS)
    for address in refused_writes:
        answer = await master.write(address, b"\1\0\0\0")
        assert answer.resp == AxiResp.SLVERR, hex(address)
        assert await read(master, ocs.ERROR) == ocs.ERROR_ACCESS, hex(address)
        await write(master, ocs.ERROR, ocs.ERROR_ACCESS)
    for data in (b"\1", b"\1\0", b"\1\0\0"):  # a command that lacks bytes
        assert (await master.write(ocs.COMMIT, data)).resp == AxiResp.SLVERR
    assert await read(master, ocs.COMMITS) == 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def switches_and_tells_when(dut):
    """T = 20, L = 7 on a running clock: the stamps are exact, however long the bus takes."""
    master = await start(dut, 0.4)
    await write(master, ocs.BASE + 4 * 3, 20)
    await write(master, ocs.LOCK + 4 * 3, 7)
    await write(master, ocs.SHADOW + 4 * 3, ocs.SHADOW_VALID | 2)
    await write(master, ocs.IRQ_ENABLE, 1)
    assert dut.irq.value == 0
    await write(master, ocs.COMMIT, 1)
    await ClockCycles(dut.clk, 60)
    assert dut.irq.value == 1
    events, stamp = [], None
    while (event := await read(master, ocs.EVENT)) & ocs.EVENT_VALID:
        if event & ocs.EVENT_NEW_STAMP:
            stamp = await read(master, ocs.EVENT_TIME) | await read(master, ocs.EVENT_TIME + 4) << 32
        events.append((stamp, event >> 4 & 0xF, event >> 8 & 0xFFFF, event & 0xF))
    first = events[0][0]
    assert events == [(first, 0, 0, 0), (first, 1, 3, 1), (first + 20, 1, 3, 2), (first + 27, 1, 3, 3)], events
    await ClockCycles(dut.clk, 2)
    assert dut.irq.value == 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def begins_anew_after_a_reset(dut):
    """A reset in the middle of everything; afterwards it is as after power-up."""
    master = await start(dut, 0.5)
    await write(master, ocs.LEN, 77)
    for _ in range(3):
        cocotb.start_soon(master.read(ocs.LEN, 4))
        cocotb.start_soon(master.write(ocs.GAP, b"\1\0\0\0"))
    await ClockCycles(dut.clk, 3)
    await reset(dut)
    assert await read(master, ocs.LEN) == 0
    assert await read(master, ocs.ERROR) == 0
