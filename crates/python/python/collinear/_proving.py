"""Proofs on many machines: job-level proof search with Ray.

The driver holds the upper part of the proof (`crates/prove/src/jobs`) and hands out the positions at
its edge as jobs; a worker searches one within a number of nodes and returns a strategy, which the
driver checks before it believes it, or says that the nodes were too few. Every answer goes to a
file at once: a driver that was killed reads it and goes on.

`python -m collinear._proving` is what `collinear prove … --ray ADDRESS` calls.
"""

import argparse
import math
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import ray
from ray.exceptions import RayError

from collinear import _ray
from collinear._matches import PROGRAM
from collinear._native import Board, Proof, UpperTree, build_name, do_proof_job, proof_board
from collinear._shards import check_build

#: Nodes per job unless another number is asked for: about a second.
JOB_NODES = 100_000
#: MiB for the table of each job.
MEMORY = 256
#: Jobs that wait for each processor of the cluster, so that none waits for the driver.
JOBS_PER_PROCESSOR = 1.25
#: Seconds after which the driver looks whether the cluster has grown.
LOOK = 5.0
#: Seconds between two lines of progress.
TELL = 1.0
#: Jobs may be lost with their nodes; so many in a row means that no cluster is left.
MAX_LOST = 100

Progress = Callable[[str], None]


def prove(
    board: Board,
    *,
    out: str | Path,
    fresh: bool = False,
    address: str | None = None,
    job_nodes: int = JOB_NODES,
    memory: int = MEMORY,
    progress: Progress | None = None,
) -> Proof:
    """`collinear.prove` on a cluster. The certificate goes to the file `out`; until it is written the
    answers of the jobs are kept beside it (`out` with `.answers`), and the same call goes on after
    whatever was killed. `memory` bounds the table of each job, in MiB; `progress` hears a line
    now and then."""
    target = Path(out)
    if target.is_file() and target.stat().st_size > 0 and not fresh:
        raise FileExistsError(f"{target} already exists: fresh=True replaces it")
    if fresh:
        answers_file(target).unlink(missing_ok=True)
    found = drive(board, target, address, job_nodes, memory, progress)
    answers_file(target).unlink(missing_ok=True)
    return found


def answers_file(out: Path) -> Path:
    """The file of answers beside a certificate."""
    return out.with_name(out.name + ".answers")


def drive(
    board: Board,
    out: Path,
    address: str | None,
    job_nodes: int,
    memory: int,
    progress: Progress | None,
) -> Proof:
    """Has the cluster do jobs until the value is known, and writes the certificate."""
    upper = UpperTree(board, answers_file(out), job_nodes, memory)
    if upper.jobs and progress is not None:
        progress(f"going on after {upper.jobs} answers")
    if upper.value is None:
        _ray.connect(address)
        _do_jobs(upper, memory, progress)
    certificate = upper.certificate()
    draft = out.with_name(out.name + ".part")
    draft.write_bytes(certificate)
    os.replace(draft, out)
    return Proof(upper.value, certificate, upper.nodes)


def _do_jobs(upper: UpperTree, memory: int, progress: Progress | None) -> None:
    """Jobs out and answers in, until the value is known."""
    build = build_name(PROGRAM)
    # A lost job is given out again by the driver, to whatever is then most worth doing.
    task = ray.remote(do_job).options(max_retries=0)
    out: dict[ray.ObjectRef, str] = {}
    lost, told = 0, -math.inf
    try:
        while upper.value is None:
            wanted = max(2, int(JOBS_PER_PROCESSOR * ray.cluster_resources().get("CPU", 0)))
            while len(out) < wanted and (job := upper.next_job()) is not None:
                out[task.remote(job, memory, build)] = job
            ended, _ = ray.wait(list(out), timeout=LOOK)
            for ready in ended:
                job = out.pop(ready)
                try:
                    upper.report(ray.get(ready))
                    lost = 0
                except ray.exceptions.RayTaskError:
                    # The job itself failed, and would again: its build is another, say.
                    raise
                except RayError:
                    # Its worker or node was killed.
                    upper.give_back(job)
                    lost += 1
                    if lost > MAX_LOST:
                        raise
            if progress is not None and time.monotonic() >= told + TELL:
                told = time.monotonic()
                progress(_line(upper))
    finally:
        _ray.cancel(list(out))


def do_job(job: str, memory: int, build: str) -> str:
    """What a worker does: one job, with the driver's build."""
    check_build(build_name(PROGRAM), build)
    return do_proof_job(job, memory)


def _line(upper: UpperTree) -> str:
    """How far a proof is, as the command says it."""
    text = f"{upper.jobs} jobs, {upper.nodes} nodes"
    for player, weak, proof, disproof in upper.progress():
        answer = "yes" if proof == 0 else "no" if disproof == 0 else f"yes {proof}, no {disproof}"
        text += f"; {player} wins{' (own rows aside)' if weak else ''}: {answer}"
    return text


def _main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="collinear._proving", allow_abbrev=False)
    parser.add_argument("--address")
    parser.add_argument("--position", required=True)
    parser.add_argument("--job-nodes", type=int, default=JOB_NODES)
    parser.add_argument("--memory", type=int, default=MEMORY)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(words)

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    answer = _ray.keep_stdout()
    try:
        board = proof_board(given.position)
        found = drive(board, given.out, given.address, given.job_nodes, given.memory, tell)
    except (OSError, ValueError, RayError) as error:
        sys.exit(f"error: {error}")
    print(found.nodes, file=answer)


if __name__ == "__main__":
    _main(sys.argv[1:])
