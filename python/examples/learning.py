# SPDX-License-Identifier: Apache-2.0
"""Accuracy over emulated time, by synchronisation scheme: python learning.py FIGURE [ITERATIONS]

As E1 of docs/learning.md: transfers are the bottleneck. Needs the data set (Debian package dataset-fashion-mnist).
"""
import sys

import matplotlib.pyplot as plt

import lightloop as ll


def main(figure: str, iterations: str = "220") -> None:
    rows = ll.run({
        "job.sync": ["bsp_phase", "bsp", "r2sp", "asp"], "sync.strict": True,
        "compute.gradients": "real", "job.compute": "20 ms", "compute.jitter": "uniform 10 %",
        "job.workload": "softmax", "job.workers": 16, "job.servers": 1, "job.iterations": int(iterations),
        "learning.rate": "0.5", "learning.target": "0.82",
        "policy": "sunflow_equal", "scheduler": "sunflow_fifo",
        "fabric.device": "model", "fabric.ports": 32, "fabric.rate": "62.5 Mbit/s", "fabric.tuning": "1 ms",
    }, jobs=0)
    axes = plt.figure(figsize=(7, 4)).add_subplot()
    for row in rows:
        axes.plot([at / 1e12 for _, at, _, _ in row.curve], [accuracy for *_, accuracy in row.curve], label=row["sync"])
        reached = row.seconds("time_to_accuracy")
        print(f"{row['sync']:10} .82 " + (f"after {reached:6.3f} s" if reached is not None else "is not reached") +
              f", {max(accuracy for *_, accuracy in row.curve):.3f} at best")
    axes.set(xlabel="emulated time (s)", ylabel="test accuracy")
    axes.legend()
    axes.figure.savefig(figure)


if __name__ == "__main__":
    main(*sys.argv[1:])
