# SPDX-License-Identifier: Apache-2.0
"""A simulator with events of its own over a network of lightloop, as ASTRA-sim's or ns-3's event queue would use it.

Such a simulator knows when its nodes compute, and asks the network two things: send this (sim_send), and what arrives before my
next event. Here four nodes pass a block around a ring; each computes for 50 us before it sends on.
"""
import heapq

import lightloop as ll

COMPUTE_PS = ll.picoseconds("50 us")


class Simulator:
    """The network's time and the simulator's own events, merged."""

    def __init__(self, network: ll.Network) -> None:
        self.network = network
        self.events: list[tuple[int, int]] = []  # (time in ps, node that has computed)
        self.finished: list[tuple[int, int]] = []

    def computed(self, node: int) -> None:
        """The node has computed: what ASTRA-sim calls sim_send."""
        self.network.offer(node, (node + 1) % 4, size=1_000_000)

    def arrived(self, delivery: ll.Delivery) -> None:
        """What ASTRA-sim calls the callback of sim_recv."""
        self.finished.append((delivery.at, delivery.node))
        if delivery.final and len(self.finished) < 8:
            heapq.heappush(self.events, (delivery.at + COMPUTE_PS, delivery.node))

    def run(self) -> None:
        heapq.heappush(self.events, (COMPUTE_PS, 0))
        while self.events or self.network.next() is not None:
            delivery = self.network.step(self.events[0][0]) if self.events else self.network.step()
            if delivery is not None:
                self.arrived(delivery)  # before any event of ours
            elif self.events:
                self.computed(heapq.heappop(self.events)[1])


def main() -> list[tuple[int, int]]:
    simulator = Simulator(ll.Network({"policy": "sunflow_inter", "fabric.ports": 4, "fabric.tuning": "10 us", "job.workers": 1,
                                      "job.servers": 1}))
    simulator.run()
    for at, node in simulator.finished:
        print(f"{at / 1e6:9.3f} us: node {node} has the block")
    return simulator.finished


if __name__ == "__main__":
    main()
