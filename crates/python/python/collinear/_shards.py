"""What the workers of a cluster do: play a part of a run into a file and return its bytes."""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from collinear import _players
from collinear._matches import PROGRAM
from collinear._native import Run, RunError


def play_shard(said: list[str], index: int, of: int, build: str, agents: dict[str, Any]) -> bytes:
    """Plays one shard of a run, with the driver's build and the agents registered there."""
    for name, factory in agents.items():
        _players.register(name, factory)
    with tempfile.TemporaryDirectory(prefix="collinear-shard-") as folder:
        file = Path(folder) / "shard.sqlite"
        run = Run([*said, "--db", str(file)], PROGRAM, (index, of))
        if run.build != build:
            raise RunError(
                f"this worker has build {run.build}, the driver {build}: install the same wheel"
            )
        run.play()
        return content(file)


def play_experiment(name: str) -> bytes:
    """Plays one experiment of the command line."""
    with tempfile.TemporaryDirectory(prefix="collinear-experiment-") as folder:
        file = Path(folder) / "results.sqlite"
        command = [sys.executable, "-m", "collinear", "experiment", "run", name, "--quiet"]
        command += ["--db", str(file), "--out", folder, "--concurrency", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return content(file)


def content(file: Path) -> bytes:
    """A file of results as bytes, whoever else has it open."""
    copy = file.with_suffix(".copy")
    source, target = sqlite3.connect(file), sqlite3.connect(copy)
    source.backup(target)
    source.close()
    target.close()
    return copy.read_bytes()
