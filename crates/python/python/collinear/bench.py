"""How fast the boards and environments are, beside those of others in the same run.

    pip install open_spiel pettingzoo pygame pgx jax
    python -m collinear.bench

Random games on one core. Ours and theirs take turns, and the median of the rounds counts; time is
the processor's, so that other programs on the machine matter little. Peers that are not installed
are left out.
"""

import argparse
import os
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import collinear as cl
from collinear.env import VectorEnv

#: Games side by side in a batch.
BATCH = 1024

Work = Callable[[int], int]


@dataclass
class Row:
    """A measurement: steps per second, ours and a peer's; 0 where there is none."""

    what: str
    ours: float
    peer: str
    theirs: float

    def __str__(self) -> str:
        line = f"{self.what:<32} {self.ours:>12,.0f}"
        if self.theirs:
            line += f"   {self.peer} {self.theirs:,.0f}: {self.ours / self.theirs:.2f}x"
        return line


def loop(game: str) -> Work:
    """Boards, one stone after the other."""

    def work(steps: int) -> int:
        done, choice = 0, random.choice
        while done < steps:
            board = cl.Board(game)
            push, legal = board.push, board.legal_moves
            while not board.is_over:
                push(choice(legal))
                done += 1
        return done

    return work


def batch(game: str) -> Work:
    """The vector environment with its random policy."""
    env = VectorEnv(game, BATCH)

    def work(steps: int) -> int:
        for _ in range(rounds := -(-steps // BATCH)):
            env.step(env.sample())
        return rounds * BATCH

    return work


def turns(make: Callable[[], Any]) -> Work:
    """A PettingZoo environment, as its users write the loop."""
    env = make()

    def work(steps: int) -> int:
        done = 0
        while done < steps:
            env.reset()
            for _ in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                env.step(None if over else random.choice(seen["action_mask"].nonzero()[0]))
                done += not over
        return done

    return work


def open_spiel(game: str) -> Work:
    """OpenSpiel's loop."""
    import pyspiel

    loaded = pyspiel.load_game(game)

    def work(steps: int) -> int:
        done, choice = 0, random.choice
        while done < steps:
            state = loaded.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choice(state.legal_actions()))
                done += 1
        return done

    return work


def pettingzoo() -> Work:
    """PettingZoo's own Connect Four."""
    from pettingzoo.classic import connect_four_v3

    return turns(connect_four_v3.env)


def pgx(game: str) -> Work:
    """pgx with a random policy, compiled as one program over many steps."""
    import jax
    import jax.numpy as jnp
    import pgx as theirs
    from pgx.experimental import auto_reset

    env = theirs.make(game)
    step = jax.vmap(auto_reset(env.step, env.init))
    inner = 100

    def once(carry: Any, _: Any) -> Any:
        state, key = carry
        key, choose, reset = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        action = jax.random.categorical(choose, logits, axis=1)
        return (step(state, action, jax.random.split(reset, BATCH)), key), None

    many = jax.jit(lambda state, key: jax.lax.scan(once, (state, key), None, length=inner)[0])
    first, key = jax.random.split(jax.random.PRNGKey(1))
    held = [jax.block_until_ready(many(jax.vmap(env.init)(jax.random.split(first, BATCH)), key))]

    def work(steps: int) -> int:
        for _ in range(rounds := -(-steps // (inner * BATCH))):
            held[0] = many(*held[0])
        jax.block_until_ready(held[0])
        return rounds * inner * BATCH

    return work


def plan() -> list[tuple[str, Work, str, Callable[[], Work] | None]]:
    """All measurements: our work, the peer's name and how to make its work."""
    return [
        ("Connect Four, loop", loop("connect4"), "OpenSpiel", lambda: open_spiel("connect_four")),
        ("Connect Four, loop", loop("connect4"), "PettingZoo", pettingzoo),
        ("Connect Four, PettingZoo's loop", _aec("connect4"), "PettingZoo", pettingzoo),
        ("Connect Four, batch of 1024", batch("connect4"), "pgx", lambda: pgx("connect_four")),
        (
            "Gomoku, loop",
            loop("gomoku"),
            "OpenSpiel mnk",
            lambda: open_spiel("mnk(m=15,n=15,k=5)"),
        ),
        ("Gomoku, batch of 1024", batch("gomoku"), "", None),
        ("Connect6, loop", loop("connect6"), "", None),
        ("Connect6, batch of 1024", batch("connect6"), "", None),
    ]


def _aec(game: str) -> Work:
    def work(steps: int) -> int:
        from collinear.env import aec

        return turns(lambda: aec(game))(steps)

    return work


def measure(rounds: int, seconds: float) -> Iterator[Row]:
    """Every measurement, in rounds that take about this many seconds of processor time each."""
    for what, ours, peer, make in plan():
        works = [ours]
        if make is not None:
            try:
                works.append(make())
            except ImportError as error:
                peer = f"{peer} is left out: {error}"
        steps = [_steps(work, seconds) for work in works]
        rates: list[list[float]] = [[] for _ in works]
        for _ in range(rounds):
            for rate, work, many in zip(rates, works, steps, strict=True):
                rate.append(_rate(work, many))
        medians = [statistics.median(rate) for rate in rates]
        yield Row(what, medians[0], peer, medians[1] if len(medians) > 1 else 0.0)


def _steps(work: Work, seconds: float) -> int:
    """How many steps take so long; also the warm-up."""
    work(100)
    return max(1000, int(_rate(work, 2000) * seconds))


def _rate(work: Work, steps: int) -> float:
    began = time.process_time()
    done = work(steps)
    return done / max(time.process_time() - began, 1e-9)


def main() -> None:
    """Prints every measurement."""
    parser = argparse.ArgumentParser(prog="collinear.bench")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5, help="per round and contestant")
    given = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        # One core for everybody, also for those who start threads.
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print("steps per second, one core")
    for row in measure(given.rounds, given.seconds):
        print(row, flush=True)


if __name__ == "__main__":
    main()
