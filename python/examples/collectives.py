# SPDX-License-Identifier: Apache-2.0
"""All-reduce algorithms over the delay of the switch: python collectives.py FIGURE [WORKLOAD]"""
import sys

import lightloop as ll


def main(figure: str, workload: str = "resnet50") -> None:
    rows = ll.run({
        "job.collective": "all_reduce", "job.algorithm": ["ring", "halving_doubling", "recursive_doubling"],
        "fabric.tuning": ["1 us", "100 us", "10 ms"],
        "policy": "sunflow", "fabric.device": "model", "fabric.ports": 8,
        "job.workload": workload, "job.workers": 8, "job.payload": "none", "job.iterations": 1,
    }, jobs=0)
    rows.plot(x="fabric.tuning", y="iteration", by="job.algorithm").savefig(figure)
    for row in rows:
        print(f"{row['job.algorithm']:20} {row['fabric.tuning']:>7} {row.seconds('iteration') * 1e3:9.3f} ms")


if __name__ == "__main__":
    main(*sys.argv[1:])
