"""Proofs on a local Ray cluster: the same value and a certificate that holds, whatever dies.

`pytest -m chaos` runs the long test instead: 20 kills of workers, nodes and drivers in one proof.
"""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from ray.cluster_utils import Cluster
from ray_nodes import add_node, kill_a_worker

import collinear as cl
from collinear import cluster, proof

GAME = "5x5,k=4,p=2,q=1"


def prove_command(nodes: Cluster, game: str, out: Path, job_nodes: int) -> list[str]:
    command = [sys.executable, "-m", "collinear", "prove", "--game", game, "--out", str(out)]
    return [*command, "--jobs", str(job_nodes), "--memory", "32", "--ray", nodes.address]


def answers(out: Path) -> int:
    """Answers that a driver has kept."""
    file = out.with_name(out.name + ".answers")
    return file.read_bytes().count(b"\n") - 1 if file.is_file() else 0


@pytest.mark.parametrize("game", ["5x4,k=4", "4x4,k=3,p=2,q=1", "4x4,k=4,gravity"])
def test_a_cluster_proves_what_one_machine_proves(
    nodes: Cluster, tmp_path: Path, game: str
) -> None:
    out, lines = tmp_path / "a.proof", list[str]()
    board = cl.Board(game)
    found = cluster.prove(board, out=out, job_nodes=300, memory=16, progress=lines.append)
    assert found.value == cl.prove(board).value
    assert found.certificate == out.read_bytes()
    assert proof.check(out.read_bytes())[:2] == (game, found.value)
    assert lines and answers(out) == 0
    with pytest.raises(FileExistsError, match="fresh=True replaces it"):
        cluster.prove(board, out=out)


def test_a_position(nodes: Cluster, tmp_path: Path) -> None:
    board = cl.Board("4x4,k=3,p=2,q=1")
    for cell in ("b2", "a4", "d4"):
        board.push(cell)
    found = cluster.prove(board, out=tmp_path / "p.proof", job_nodes=50)
    assert found.value == cl.prove(board).value


def test_another_build_is_refused(nodes: Cluster) -> None:
    import ray

    from collinear import _proving

    with pytest.raises(Exception, match="install the same wheel"):
        ray.get(ray.remote(_proving.do_job).remote("job", 16, "another build"))


def test_answers_of_another_proof_are_refused(nodes: Cluster, tmp_path: Path) -> None:
    out = tmp_path / "a.proof"
    (tmp_path / "a.proof.answers").write_text("collinear answers 1|3x3,k=3;;;black 1\n")
    with pytest.raises(ValueError, match="not those of this proof"):
        cluster.prove(cl.Board(GAME), out=out)
    said = subprocess.run(prove_command(nodes, GAME, out, 500), capture_output=True, text=True)
    assert said.returncode != 0 and "not those of this proof" in said.stderr, said.stderr


@pytest.mark.parametrize(
    ("game", "kills"),
    [(GAME, 4), pytest.param("5x5,k=4", 20, marks=pytest.mark.chaos)],
)
def test_whatever_is_killed(nodes: Cluster, tmp_path: Path, game: str, kills: int) -> None:
    """Kills of workers in the middle of a job, of nodes and of the driver: the same command goes on to
    the same value."""
    chance = random.Random(5)
    left = [("worker", "node", "driver", "worker")[kill % 4] for kill in range(kills)]
    out = tmp_path / "c.proof"
    command = prove_command(nodes, game, out, 400)
    kept = 0
    said = tmp_path / "said"

    def start() -> subprocess.Popen[bytes]:
        with said.open("ab") as file:
            return subprocess.Popen(command, stderr=file, stdout=file)

    driver = start()
    while left:
        # A kill comes when work has been done since the last one.
        while driver.poll() is None and answers(out) <= kept:
            time.sleep(0.01)
        assert driver.poll() is None, f"ended before {len(left)} kills: {said.read_text()}"
        kept = answers(out)
        match left[-1]:
            case "node":
                nodes.remove_node(chance.choice(list(nodes.worker_nodes)), allow_graceful=False)
                add_node(nodes, tmp_path)
            case "driver":
                # The command, and the process that it has the package in.
                kill_tree(driver.pid)
                driver.wait()
                assert answers(out) >= kept
                driver = start()
            case _ if not kill_a_worker("do_job", chance):
                continue
        left.pop()
    assert driver.wait() == 0, said.read_text()
    game_of, value, _ = proof.check(out.read_bytes())
    assert (game_of, value) == (game, cl.prove(cl.Board(game)).value)


def kill_tree(process: int) -> None:
    import psutil

    whole = psutil.Process(process)
    for one in [*whole.children(recursive=True), whole]:
        one.send_signal(signal.SIGKILL)
