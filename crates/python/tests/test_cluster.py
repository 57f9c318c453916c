"""Runs on a local Ray cluster: every game exactly once, whatever dies.

`pytest -m chaos` runs the long test instead: 50 workers and 10 nodes killed in 2,000 games.
"""

import random
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster
from ray_nodes import add_node, kill_a_worker

import collinear as cl
from collinear import _shards, cluster
from collinear._matches import PROGRAM
from collinear._native import Run, RunSpec

PLAN: dict[str, Any] = {"game": "9x9,k=5,p=2", "nodes": 200, "openings": "random:3", "seed": 7}
AGENTS = ("sextant", "sequences")
#: Matches in which the kills of a test must find room.
MAX_MATCHES = 6


def moves(result: cl.RunResult) -> list[tuple[int, str, str]]:
    return [(game["number"], game["moves"], game["result"]) for game in result.to_dicts()]


def test_a_cluster_plays_what_one_machine_plays(nodes: Cluster, tmp_path: Path) -> None:
    calm = cl.match(*AGENTS, games=24, **PLAN)
    seen: list[tuple[int, int]] = []
    m = cluster.match(
        *AGENTS,
        games=24,
        db=tmp_path / "a.sqlite",
        shard_games=6,
        progress=lambda done, total: seen.append((done, total)),
        **PLAN,
    )
    assert moves(m) == moves(calm) and m.elo == calm.elo and m.ended == "complete"
    assert seen[-1] == (24, 24)
    # A driver that starts again finds everything played; a longer run goes on, with other shards.
    again = cluster.match(*AGENTS, games=30, db=tmp_path / "a.sqlite", shard_games=10, **PLAN)
    assert again.games == 30 and moves(again)[:24] == moves(calm)


def test_a_sequential_test_calls_the_rest_off(nodes: Cluster, tmp_path: Path) -> None:
    m = cluster.match(
        "sequences",
        "random",
        game="9x9,k=5,p=2",
        games=5000,
        sprt=(0, 50),
        db=tmp_path / "s.sqlite",
    )
    assert m.ended == "decided" and m.games < 400
    assert m.sprt is not None and m.sprt["llr"] > 0
    assert len(m.to_dicts()) < 5000


def test_agents_written_in_python_travel(nodes: Cluster, tmp_path: Path) -> None:
    class Corner:
        def choose(self, board: cl.Board, limit: cl.Limit) -> list[int]:
            return list(board.legal_moves)[: board.stones_left]

    cl.register("corner", Corner)
    m = cluster.match("corner", "random", game="tictactoe", games=8, db=tmp_path / "p.sqlite")
    assert m.games == 8
    t = cluster.tournament("corner", "random", game="tictactoe", games=4, db=tmp_path / "t.sqlite")
    assert t.games == 4
    games = cluster.selfplay("corner", games=4, game="tictactoe", db=tmp_path / "self.sqlite")
    assert len(games) == 4


def test_another_build_is_refused(nodes: Cluster) -> None:
    task = ray.remote(_shards.play_shard)
    spec = RunSpec(("random", "random"), game="tictactoe", games=2).json
    with pytest.raises(Exception, match="install the same wheel"):
        ray.get(task.remote(spec, 0, 1, "another build", {}))


def test_a_game_that_is_known_stays(tmp_path: Path) -> None:
    """With a clock a shard may be played differently the second time: the first time counts."""
    db = tmp_path / "m.sqlite"
    spec = RunSpec(("random", "random"), game="tictactoe", games=8)
    run = Run(spec, db, PROGRAM)
    played = _shards.play_shard(spec.json, 0, 2, run.build, {})
    assert cluster._merge(played, run.merge) == 4
    other = tmp_path / "other.sqlite"
    other.write_bytes(played)
    with sqlite3.connect(other) as sql:
        sql.execute("UPDATE games SET moves = 'a1 a2 b1 b2 c1', black_us = 7")
    before = run.games()
    assert cluster._merge(other.read_bytes(), run.merge) == 0
    assert run.games() == before and len(before) == 4
    assert cluster._merge(_shards.play_shard(spec.json, 1, 2, run.build, {}), run.merge) == 4


def test_the_command_with_ray(nodes: Cluster, tmp_path: Path) -> None:
    """What it prints is what the command prints without a cluster, times aside."""

    def said(db: str, *more: str) -> list[str]:
        run = [sys.executable, "-m", "collinear", "match", "random", "random", "--game", "tictactoe"]
        run += ["--games", "60", "--sprt=0,5", "--quiet", "--db", str(tmp_path / db), *more]
        ended = subprocess.run(run, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return [line for line in ended.stdout.splitlines() if not line.startswith("per turn")]

    alone = said("alone.sqlite")
    assert "random – random #2" in alone[0]
    assert said("cluster.sqlite", "--ray", nodes.address) == alone


def test_an_experiment_in_parts(nodes: Cluster, tmp_path: Path) -> None:
    file, db = tmp_path / "deeper.toml", tmp_path / "e.sqlite"
    file.write_text(
        'title = "Deeper"\nquestion = "Does it win?"\ngame = "connect4"\ngames = 12\n'
        'cells = [{ x = "one", o = "random" }]\n'
        '[players]\nrandom = { agent = "random" }\none = { agent = "1ply_wineval" }\n'
    )
    assert cluster.experiment(str(file), db=db, shards=3) == 12
    # What has been played is known: nothing is new the second time.
    assert cluster.experiment(str(file), db=db, shards=2) == 0
    command = [sys.executable, "-m", "collinear", "experiment", "report", str(file)]
    command += ["--db", str(db), "--out", str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0 and "one" in said.stdout, said.stderr
    assert (tmp_path / "deeper" / "report.html").is_file()
    with pytest.raises(cl.RunError, match="there is no experiment 'nothing'"):
        cluster.experiment("nothing", db=db)


def test_a_killed_driver_goes_on(nodes: Cluster, tmp_path: Path) -> None:
    db = tmp_path / "k.sqlite"
    command = [sys.executable, "-m", "collinear.cluster", "--address", nodes.address]
    command += ["--db", str(db), "--shard-games", "6"]
    pipe = subprocess.PIPE
    driver = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
    assert driver.stdin is not None and driver.stderr is not None
    driver.stdin.write(RunSpec(AGENTS, games=60, **PLAN).json)
    driver.stdin.close()
    for line in driver.stderr:
        if line.startswith(("6/", "12/", "18/")):
            break
    driver.kill()
    driver.wait()
    kept = cl.match(*AGENTS, games=60, **PLAN)
    m = cluster.match(*AGENTS, games=60, db=db, shard_games=6, **PLAN)
    assert moves(m) == moves(kept)


@pytest.mark.parametrize(
    ("games", "nodes_per_turn", "worker_kills", "node_kills"),
    [(160, 12_000, 4, 1), pytest.param(2000, 2000, 50, 10, marks=pytest.mark.chaos)],
)
def test_chaos(
    nodes: Cluster,
    tmp_path: Path,
    games: int,
    nodes_per_turn: int,
    worker_kills: int,
    node_kills: int,
) -> None:
    """Random kills of workers in the middle of a shard, and of nodes: every game exactly once, as in
    a calm run."""
    plan = PLAN | {"nodes": nodes_per_turn}
    began = time.monotonic()
    calm = cl.match(*AGENTS, games=games, **plan)
    # Half of what a calm run takes has room for all kills.
    pause = (time.monotonic() - began) / 2 / (worker_kills + node_kills)
    chance = random.Random(5)
    left = ["worker"] * worker_kills + ["node"] * node_kills
    chance.shuffle(left)
    # A node may take longer to start than the match to end: kills that are left go into another match.
    for number in range(MAX_MATCHES):
        # The cluster wants its nodes made by the main thread: so the match has another one.
        with ThreadPoolExecutor(1) as pool:
            db = tmp_path / f"{number}.sqlite"
            match = pool.submit(cluster.match, *AGENTS, games=games, db=db, shard_games=8, **plan)
            while left and not match.done():
                time.sleep(chance.uniform(0.5, 1.5) * pause)
                if left[-1] == "node":
                    nodes.remove_node(chance.choice(list(nodes.worker_nodes)), allow_graceful=False)
                    add_node(nodes, tmp_path)
                    left.pop()
                elif kill_a_worker("play_shard", chance):
                    left.pop()
            m = match.result()
        assert [game["number"] for game in m.to_dicts()] == list(range(games))
        assert moves(m) == moves(calm)
        if not left:
            return
    pytest.fail(f"{MAX_MATCHES} matches ended before {len(left)} kills")
