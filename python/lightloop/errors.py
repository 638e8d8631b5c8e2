# SPDX-License-Identifier: Apache-2.0
"""What can go wrong: each exception says the sentence that the command line prints."""
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .rows import Rows


class Error(Exception):
    """Anything that lightloop refuses or can't do; its text is one sentence.

    `rows` are the rows that had finished when a run ended with it; None: no run had begun.
    """

    rows: Rows | None = None


class InputError(Error, ValueError):
    """Something that was said is wrong: an unknown key, a value out of range, a file that can't be read."""


class RunError(Error, RuntimeError):
    """A run could not be executed, or a policy failed."""


class InternalError(Error):
    """A rule of lightloop's own is broken: a bug, please report it."""


class BrokenRule(RunError):
    """What a policy answered breaks a rule of the checker that all such policies pass. `rule` is its name: "conflict".

    docs/python.md has all of them.
    """

    rule: str = ""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run. `rows` are those that had finished."""

    def __init__(self, sentence: str, rows: Rows) -> None:
        super().__init__(sentence)
        self.rows = rows


class SchedulerTimeout(BaseException):
    """Raised in a function that has had its planning_timeout. No Exception, so that `except Exception` doesn't hold it."""


class SettingWarning(UserWarning):
    """A setting that was said changes nothing, and why."""


_KINDS: dict[str, type[Error]] = {"input": InputError, "run": RunError, "internal": InternalError}


def error_of(kind: str, sentence: str, rule: str | None) -> Error:
    """The exception for an error of the engine."""
    if rule:
        broken = BrokenRule(sentence)
        broken.rule = rule
        return broken
    return _KINDS[kind](sentence)
