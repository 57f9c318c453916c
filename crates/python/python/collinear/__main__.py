"""The command `collinear`, and `python -m collinear`: the whole command line of the workbench."""

import os
import signal
import sys

from collinear import _native


def main() -> None:
    """Runs the command with the arguments of this process."""
    # The build is named by the library that plays, and `--ray` needs this very interpreter.
    os.environ["COLLINEAR_PROGRAM"] = str(_native.__file__)
    os.environ["COLLINEAR_PYTHON"] = sys.executable
    # Ctrl-C is the command's own business.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.command(["collinear", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
