"""Runs on many machines, with Ray.

A task is a shard of a run: the worker makes sure that it has the same build, plays the shard into a
file of its own and returns the file's bytes; the driver merges them at once. A game is known by its
run and number, so a shard that is played again changes nothing, and a driver that was killed goes on
when it is started again. Ray starts the tasks of lost workers and nodes anew.

    python -m collinear.cluster match sextant@nodes=2000 sequences --games 2000 --address auto
"""

import argparse
import json
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import ray

from collinear import _players
from collinear._matches import PROGRAM, MatchResult, RunResult, arguments
from collinear._native import Run, RunError

#: Games per shard unless another number is asked for: enough to hide what a task costs, few enough
#: to lose little with a worker.
SHARD_GAMES = 20

Progress = Callable[[int, int], None]


def match(
    first: str,
    second: str,
    *,
    address: str | None = None,
    game: str = "connect6",
    games: int = 100,
    seed: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    openings: str = "empty",
    sprt: tuple[float, float] | None = None,
    db: str | Path,
    fresh: bool = False,
    shard_games: int = SHARD_GAMES,
    progress: Progress | None = None,
) -> MatchResult:
    """`collinear.match` on a cluster. With `sprt` the rest is called off as soon as the longest row
    of finished pairs decides the test."""
    said = arguments(
        "match",
        (first, second),
        game=game,
        games=games,
        seed=seed,
        time=time,
        nodes=nodes,
        depth=depth,
        openings=openings,
        sprt=sprt,
        concurrency=None,
        fresh=fresh,
    )
    return MatchResult(*_drive(said, str(db), address, shard_games, progress))


def tournament(
    *agents: str,
    address: str | None = None,
    game: str = "connect6",
    games: int = 20,
    seed: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    openings: str = "empty",
    db: str | Path,
    fresh: bool = False,
    shard_games: int = SHARD_GAMES,
    progress: Progress | None = None,
) -> RunResult:
    """`collinear.tournament` on a cluster."""
    said = arguments(
        "tournament",
        agents,
        game=game,
        games=games,
        seed=seed,
        time=time,
        nodes=nodes,
        depth=depth,
        openings=openings,
        sprt=None,
        concurrency=None,
        fresh=fresh,
    )
    return RunResult(*_drive(said, str(db), address, shard_games, progress))


def selfplay(agent: str, *, games: int, db: str | Path, **more: Any) -> list[dict[str, Any]]:
    """Games of an agent against itself, for learning: what `MatchResult.to_dicts` gives."""
    return match(agent, agent, games=games, db=db, **more).to_dicts()


def experiment(*names: str, db: str | Path, address: str | None = None) -> int:
    """Plays experiments of the command line, one per task, into one file of results; says how many
    games are new. `collinear experiment report NAME --db FILE` then makes their reports."""
    _connect(address)
    task = ray.remote(_play_experiment).options(max_retries=-1)
    waiting = [task.remote(name) for name in names]
    # Any run opens the file; its own games are of no interest here.
    home = Run(["match", "random", "random", "--games", "1", "--db", str(db)], PROGRAM)
    new = 0
    while waiting:
        done, waiting = ray.wait(waiting)
        new += _merge(home, ray.get(done[0]), set())
    return new


def _drive(
    said: list[str],
    db: str | None,
    address: str | None,
    shard_games: int,
    progress: Progress | None,
) -> tuple[Run, str]:
    """Plays a run's missing shards on the cluster and merges them as they come."""
    run = Run([*said, "--db", db] if db is not None else said, PROGRAM)
    standing = json.loads(run.standing())
    total = int(standing["total"])
    of = max(1, -(-total // max(shard_games, 2)))
    known = set(run.numbers())
    missing = [index for index in range(of) if not known.issuperset(run.shard_numbers(index, of))]
    if standing["ended"] == "decided":
        missing = []
    if missing:
        _connect(address)
    # The driver alone forgets and tests: a worker sees but a part of the games.
    sent = _without(said, {"--sprt": 2, "--fresh": 1, "--concurrency": 2, "-j": 2})
    agents = ray.put(_players.registered()) if missing else None
    task = ray.remote(_play_shard).options(max_retries=-1)
    waiting = [task.remote(sent, index, of, run.build, agents) for index in missing]
    try:
        while waiting:
            done, waiting = ray.wait(waiting)
            _merge(run, ray.get(done[0]), known)
            known.update(run.numbers())
            if progress is not None:
                progress(len(known), total)
            if "--sprt" in said and json.loads(run.standing())["ended"] == "decided":
                break
    finally:
        for left in waiting:
            ray.cancel(left, force=True)
    summary = run.standing()
    run.end(json.loads(summary)["ended"])
    return run, summary


def _connect(address: str | None) -> None:
    if not ray.is_initialized():
        ray.init(address=address, log_to_driver=False)


def _play_shard(said: list[str], index: int, of: int, build: str, agents: dict[str, Any]) -> bytes:
    """On a worker: plays one shard and returns the file of its results."""
    for name, factory in agents.items():
        _players.register(name, factory)
    with tempfile.TemporaryDirectory(prefix="collinear-shard-") as folder:
        file = Path(folder) / "shard.sqlite"
        part = ["--shard", f"{index + 1}/{of}", "--concurrency", "1", "--db", str(file)]
        run = Run([*said, *part], PROGRAM)
        if run.build != build:
            raise RunError(
                f"this worker has build {run.build}, the driver {build}: install the same wheel"
            )
        run.play()
        return _content(file)


def _play_experiment(name: str) -> bytes:
    """On a worker: plays one experiment and returns the file of its results."""
    import subprocess

    with tempfile.TemporaryDirectory(prefix="collinear-experiment-") as folder:
        file = Path(folder) / "results.sqlite"
        command = [sys.executable, "-m", "collinear", "experiment", "run", name, "--quiet"]
        command += ["--db", str(file), "--out", folder, "--concurrency", "1"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return _content(file)


def _content(file: Path) -> bytes:
    """A file of results as bytes, whoever else has it open."""
    copy = file.with_suffix(".copy")
    source, target = sqlite3.connect(file), sqlite3.connect(copy)
    source.backup(target)
    source.close()
    target.close()
    return copy.read_bytes()


def _merge(run: Run, content: bytes, known: set[int]) -> int:
    """Takes over the games of a worker's file, except those that are known already: with a clock
    they may have been played differently the second time."""
    with tempfile.TemporaryDirectory(prefix="collinear-merge-") as folder:
        file = Path(folder) / "shard.sqlite"
        file.write_bytes(content)
        if known:
            with sqlite3.connect(file) as sql:
                rows = [(run.id, number) for number in known]
                sql.executemany("DELETE FROM games WHERE run = ? AND number = ?", rows)
            sql.close()
        return run.merge(str(file))


def _without(said: list[str], options: dict[str, int]) -> list[str]:
    """The arguments less some options, each with as many words as it has."""
    kept: list[str] = []
    skip = 0
    for word in said:
        if skip == 0:
            skip = options.get(word, 0)
        if skip == 0:
            kept.append(word)
        else:
            skip -= 1
    return kept


def _main(words: list[str]) -> None:
    """`python -m collinear.cluster`: what `collinear match … --ray ADDRESS` calls."""
    parser = argparse.ArgumentParser(prog="collinear.cluster", allow_abbrev=False)
    parser.add_argument("--address")
    parser.add_argument("--db")
    parser.add_argument("--shard-games", type=int, default=SHARD_GAMES)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", "-q", action="store_true")
    given, said = parser.parse_known_args(words)

    def tell(done: int, total: int) -> None:
        print(f"{done}/{total}", file=sys.stderr, flush=True)

    progress = None if given.quiet else tell
    run, summary = _drive(said, given.db, given.address, given.shard_games, progress)
    if given.json:
        print(summary)
    elif said[0] == "match":
        print(MatchResult(run, summary))
    else:
        for line in json.loads(summary)["standings"]:
            print(line)


if __name__ == "__main__":
    _main(sys.argv[1:])
