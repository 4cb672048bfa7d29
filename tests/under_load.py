"""Run a command on a machine that is busy with other things.

    python -m tests.under_load LOAD COMMAND ...

As many processes as LOAD says keep the cores busy while the command runs, and end with it. Tests must pass all the
same: none of them may depend on how fast the machine is. `make random-order` uses this.
"""

from __future__ import annotations

import subprocess
import sys

BUSY = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100_000))
"""


def run_under_load(load: int, command: list[str]) -> int:
    """Return the exit code of a command that is run beside `load` busy processes."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(load)]
    try:
        return subprocess.run(command, check=False).returncode
    finally:
        for process in busy:
            process.kill()
        for process in busy:
            process.wait()


def main() -> None:
    """Read the command line and run the command."""
    if len(sys.argv) < 3 or not sys.argv[1].isdigit():
        sys.exit(__doc__)
    sys.exit(run_under_load(int(sys.argv[1]), sys.argv[2:]))


if __name__ == "__main__":
    main()
