"""Runs on many machines, with Ray.

A task is a shard of a run: the worker makes sure that it has the same build, plays the shard into a
file of its own and returns the file's bytes; the driver merges them at once. A game is known by its
run and number, so a shard that is played again changes nothing, and a driver that was killed goes on
when it is started again. Ray starts the tasks of lost workers and nodes anew.

    collinear match sextant@nodes=2000 sequences --games 2000 --ray auto

Proofs go over a cluster too, cut into jobs: `prove`.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Unpack

import ray

from collinear import _players, _ray, _shards
from collinear._matches import PROGRAM, MatchResult, Plan, RunResult
from collinear._native import Run, RunError, RunSpec, build_name, merge
from collinear._proving import prove

#: Games per shard unless another number is asked for: enough to hide what a task costs, few enough
#: to lose little with a worker.
SHARD_GAMES = 20

Progress = Callable[[int, int], None]

__all__ = ["experiment", "match", "prove", "selfplay", "tournament"]


def match(
    first: str,
    second: str,
    *,
    db: str | Path,
    fresh: bool = False,
    address: str | None = None,
    shard_games: int = SHARD_GAMES,
    progress: Progress | None = None,
    **plan: Unpack[Plan],
) -> MatchResult:
    """`collinear.match` on a cluster, with its keywords. With `sprt` the rest is called off as soon
    as the longest sequence of finished pairs decides the test."""
    run = Run(spec := RunSpec((first, second), **plan), db, PROGRAM, fresh=fresh)
    return MatchResult(run, _drive(run, spec, address, shard_games, progress))


def tournament(
    *agents: str,
    db: str | Path,
    fresh: bool = False,
    address: str | None = None,
    shard_games: int = SHARD_GAMES,
    progress: Progress | None = None,
    **plan: Unpack[Plan],
) -> RunResult:
    """`collinear.tournament` on a cluster, with its keywords."""
    plan.setdefault("games", 20)
    run = Run(spec := RunSpec(agents, **plan), db, PROGRAM, fresh=fresh)
    return RunResult(run, _drive(run, spec, address, shard_games, progress))


def selfplay(agent: str, *, games: int, db: str | Path, **more: Any) -> list[dict[str, Any]]:
    """Games of an agent against itself, for learning: what `MatchResult.to_dicts` gives. The other
    keywords are those of `match`."""
    return match(agent, agent, games=games, db=db, **more).to_dicts()


def experiment(*names: str, db: str | Path, address: str | None = None, shards: int = 20) -> int:
    """Plays experiments of the command line, or TOML files of one's own, in `shards` parts each (a
    study whole); says how many games are new. `collinear experiment report NAME --db FILE` then
    makes the reports."""
    build = build_name(PROGRAM)
    tasks = [
        (name, Path(name).read_text() if name.endswith(".toml") else None, part)
        for name, is_study in _experiments(names)
        for part in ([None] if is_study else [f"{i + 1}/{shards}" for i in range(shards)])
    ]
    _ray.connect(address)
    task = ray.remote(_shards.play_experiment).options(max_retries=-1)
    waiting = [task.remote(*what, build) for what in tasks]
    files = (file for ended in _batches(waiting) for file in ended.values())
    return sum(_merge(file, lambda file: merge(str(db), file)) for file in files)


def _experiments(names: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """The experiments that names, groups and files mean, and whether each is a study."""
    command = [sys.executable, "-m", "collinear", "experiment", "list", "--json"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    known = [json.loads(line) for line in listed.splitlines()]
    for name in names:
        if name.endswith(".toml"):
            yield name, "study" in tomllib.loads(Path(name).read_text())
            continue
        meant = [one for one in known if name in ("all", one["name"], one["group"])]
        if not meant:
            raise RunError(f"there is no experiment {name!r}; `collinear experiment list` has them")
        for one in meant:
            yield one["name"], one["size"] == "a study"


def _drive(
    run: Run,
    spec: RunSpec,
    address: str | None,
    shard_games: int,
    progress: Progress | None,
) -> str:
    """Plays a run's missing shards on the cluster, merges them as they come and returns the summary."""
    standing = json.loads(run.standing())
    total, tested = int(standing["total"]), standing.get("sprt") is not None
    wanted = max(1, -(-total // max(shard_games, 2)))
    known = set(run.numbers())
    shards = [set(numbers) for numbers in run.shards(wanted)]
    of = len(shards)
    missing = [index for index, numbers in enumerate(shards) if not numbers <= known]
    if standing["ended"] != "decided" and missing:
        _ray.connect(address)
        agents = ray.put(_players.registered())
        task = ray.remote(_shards.play_shard).options(max_retries=-1)
        tasks = {task.remote(spec.json, index, of, run.build, agents): index for index in missing}
        for ended in _batches(list(tasks)):
            for ready, content in ended.items():
                _merge(content, run.merge)
                known |= shards[tasks[ready]]
            if progress is not None:
                progress(len(known), total)
            if tested and json.loads(run.standing())["ended"] == "decided":
                break
    summary = run.standing()
    run.end(json.loads(summary)["ended"])
    return summary


def _batches(waiting: list[Any]) -> Iterator[dict[Any, bytes]]:
    """What tasks return, as they end; those left are cancelled when nobody asks any more."""
    try:
        while waiting:
            ray.wait(waiting)
            # A look at thousands of tasks costs time: all that have ended by now are taken at once.
            ended, waiting = ray.wait(waiting, num_returns=len(waiting), timeout=0)
            yield dict(zip(ended, ray.get(ended), strict=True))
    finally:
        _ray.cancel(waiting)


def _merge(content: bytes, into: Callable[[str], int]) -> int:
    """Takes over what is new in a worker's file. A game that is known stays as it is: with a clock it
    may have been played differently the second time."""
    with tempfile.TemporaryDirectory(prefix="collinear-merge-") as folder:
        file = Path(folder) / "shard.sqlite"
        file.write_bytes(content)
        return into(str(file))


def _main(words: list[str]) -> None:
    """`python -m collinear.cluster`: what `collinear match … --ray ADDRESS` calls. The description of
    the run comes as JSON on standard input; the build that played goes to standard output."""
    parser = argparse.ArgumentParser(prog="collinear.cluster", allow_abbrev=False)
    parser.add_argument("--address")
    parser.add_argument("--db", required=True)
    parser.add_argument("--shard-games", type=int, default=SHARD_GAMES)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args(words)

    def tell(done: int, total: int) -> None:
        print(f"{done}/{total}", file=sys.stderr, flush=True)

    answer = _ray.keep_stdout()
    try:
        spec = RunSpec.from_json(sys.stdin.read())
        run = Run(spec, given.db, PROGRAM, fresh=given.fresh)
        _drive(run, spec, given.address, given.shard_games, None if given.quiet else tell)
    except RunError as error:
        sys.exit(f"error: {error}")
    print(json.dumps({"build": run.build}), file=answer)


if __name__ == "__main__":
    _main(sys.argv[1:])
