# Claims that are asked together, as one question for a solver.
# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace

import aig
import solve


class Together:
    """Claims of a subject, so many of which are one question: reading what they assume, and working out what they all follow from, takes longest.
    Where the answer is not that all hold, each is a question of its own. The last ones are asked at the end of a `with`."""

    def __init__(self, run, subject: str, ports: int, graph: aig.Graph, most: int = 24, seconds: float = 60, twice: bool = False) -> None:
        """`seconds`: for a question, and for a claim by itself."""
        self.run, self.subject, self.ports, self.graph, self.most, self.seconds, self.twice = run, subject, ports, graph, most, seconds, twice
        self.waiting: dict[str, list[tuple[str, int, int]]] = {}  # of each group

    def __enter__(self) -> "Together":
        return self

    def __exit__(self, *error) -> None:
        if error == (None, None, None):
            for group in list(self.waiting):
                self.decide(group)

    def claim(self, name: str, assumed: int, claimed: int) -> None:
        if self.run.chosen(name, self.most):
            self.add(name, assumed, claimed)

    def add(self, name: str, assumed: int, claimed: int, group: str = "") -> None:
        """A claim that is chosen(). Claims of one group alone are one question."""
        waiting = self.waiting.setdefault(group, [])
        waiting.append((name, assumed, claimed))
        if len(waiting) == self.most:
            self.decide(group)

    def decide(self, group: str) -> None:
        run, g, waiting = self.run, self.graph, self.waiting.pop(group)
        answer = solve.impossible(g, g.any([g.both(assumed, claimed ^ 1) for _, assumed, claimed in waiting]), run.folder(), self.seconds, self.twice,
                                  second=False)
        for name, assumed, claimed in waiting:
            if answer.proved:
                run.note(self.subject, name, self.ports, replace(answer, seconds=answer.seconds / len(waiting)))
            else:
                run.decide(self.subject, name, self.ports, g, assumed, claimed, self.seconds, self.twice)
