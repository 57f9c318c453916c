"""The command `collinear`, and `python -m collinear`: the whole command line of the workbench."""

import signal
import sys
from typing import NoReturn

from collinear import _native


def main() -> NoReturn:
    """Runs the command with the arguments of this process."""
    run_command(sys.argv[1:])


def run_command(arguments: list[str]) -> NoReturn:
    """Runs the command with these arguments and ends the process with its exit code."""
    # Ctrl-C is the command's own business.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The build is named by the library that plays, and `--ray` needs this very interpreter.
    sys.exit(_native.command(["collinear", *arguments], str(_native.__file__), sys.executable))


if __name__ == "__main__":
    main()
