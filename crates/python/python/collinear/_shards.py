"""What the workers of a cluster do: play a part of a run into a file and return its bytes."""

import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from collinear import _players
from collinear._matches import PROGRAM
from collinear._native import Run, RunError, RunSpec, build_name


def play_shard(spec: str, index: int, of: int, build: str, agents: dict[str, Any]) -> bytes:
    """Plays one shard of a run, with the driver's build and the agents registered there."""
    for name, factory in agents.items():
        _players.register(name, factory)
    with tempfile.TemporaryDirectory(prefix="collinear-shard-") as folder:
        file = Path(folder) / "shard.sqlite"
        run = Run(RunSpec.from_json(spec), file, PROGRAM, shard=(index, of))
        check_build(run.build, build)
        run.play()
        # It closes the file. Two SQLite libraries in one process must not have it open at once.
        del run
        return content(file)


def play_experiment(name: str, text: str | None, part: str | None, build: str) -> bytes:
    """Plays a part of an experiment of the command line, or of a file of one's own with this text;
    a study, which has no parts, whole."""
    check_build(build_name(PROGRAM), build)
    with tempfile.TemporaryDirectory(prefix="collinear-experiment-") as folder:
        results = Path(folder) / "results.sqlite"
        if text is not None:
            name = str(Path(folder) / Path(name).name)
            Path(name).write_text(text)
        command = [sys.executable, "-m", "collinear", "experiment", "run", name, "--quiet"]
        command += ["--db", str(results), "--out", folder, "--concurrency", "1"]
        command += [] if part is None else ["--shard", part]
        said = subprocess.run(command, capture_output=True, text=True)
        if said.returncode != 0:
            raise RunError(f"{name}: {said.stderr.strip()}")
        return content(results)


def check_build(ours: str, theirs: str) -> None:
    """Games of different builds are never mixed."""
    if ours != theirs:
        raise RunError(f"this worker has build {ours}, the driver {theirs}: install the same wheel")


def content(file: Path) -> bytes:
    """A file of results as bytes, its journal included."""
    copy = file.with_suffix(".copy")
    source, target = sqlite3.connect(file), sqlite3.connect(copy)
    source.backup(target)
    source.close()
    target.close()
    return copy.read_bytes()
