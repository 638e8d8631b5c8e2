# SPDX-License-Identifier: Apache-2.0
"""The command `lightloop`, as it comes with the package."""
from __future__ import annotations

import os
import pathlib
import sys


def main() -> None:
    """Becomes the program, with the arguments of this one."""
    program = str(pathlib.Path(__file__).parent / "native" / "lightloop")
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as failure:
        sys.exit(f"lightloop: {program} can't be executed: {failure.strerror}")


if __name__ == "__main__":
    main()
