# SPDX-License-Identifier: Apache-2.0
"""Schedulers over the delay of the switch: python schedulers.py FIGURE [WORKLOAD]"""
import sys

import lightloop as ll


def main(figure: str, workload: str = "resnet50") -> None:
    rows = ll.run({
        "policy": ["psscheduler", "sunflow", "hlf", "solstice", "bvn"],
        "fabric.tuning": ["10 us", "100 us", "1 ms", "10 ms"],
        "fabric.device": "model", "fabric.ports": 16,
        "job.workload": workload, "job.workers": 12, "job.servers": 4, "job.payload": "none", "job.iterations": 1,
    }, jobs=0)
    rows.plot(x="fabric.tuning", y="pst_mean", by="policy").savefig(figure)
    for row in rows:
        print(f"{row['policy']:12} {row['fabric.tuning']:>7} {row.seconds('pst_mean') * 1e3:9.3f} ms, {row['pst_over_bound']:.3f} x bound")


if __name__ == "__main__":
    main(*sys.argv[1:])
