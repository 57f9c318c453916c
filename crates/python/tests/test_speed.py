"""How fast, as ratios to others in the same run. `pytest -s test_speed.py` shows the numbers."""

import random
import time
from collections.abc import Callable

import pyspiel

import collinear as cl
from collinear.env import VectorEnv

#: Steps per measurement: a fraction of a second each.
STEPS = 60_000


def ours(game: str) -> int:
    steps = 0
    while steps < STEPS:
        b = cl.Board(game)
        push, legal, choice = b.push, b.legal_moves, random.choice
        while not b.is_over:
            push(choice(legal))
            steps += 1
    return steps


def open_spiel(game: str, most: int = STEPS) -> int:
    steps = 0
    loaded, choice = pyspiel.load_game(game), random.choice
    while steps < most:
        state = loaded.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choice(state.legal_actions()))
            steps += 1
    return steps


def batched(game: str) -> int:
    env = VectorEnv(game, 1024)
    for _ in range(200):
        env.step(env.sample())
    return 200 * 1024


def rate(work: Callable[[], int]) -> float:
    """Steps per second of processor time: other programs on the machine do not count."""
    began = time.process_time()
    steps = work()
    return steps / (time.process_time() - began)


def best(work: Callable[[], int]) -> float:
    return max(rate(work) for _ in range(3))


def test_python_loops_are_faster_than_open_spiels() -> None:
    for game, theirs in (("connect4", "connect_four"), ("gomoku", "mnk(m=15,n=15,k=5)")):
        fast = best(lambda game=game: ours(game))  # type: ignore[misc]
        slow = best(lambda theirs=theirs: open_spiel(theirs, STEPS // 6))  # type: ignore[misc]
        print(f"{game}: {fast:,.0f} steps/s, OpenSpiel {slow:,.0f}: {fast / slow:.2f}x")
        assert fast >= 1.5 * slow, game


def test_batches_are_faster_than_loops() -> None:
    for game in ("connect4", "connect6", "gomoku"):
        many, one = best(lambda game=game: batched(game)), best(lambda game=game: ours(game))  # type: ignore[misc]
        print(f"{game}: {many:,.0f} steps/s batched, {one:,.0f} in a loop: {many / one:.2f}x")
        assert many >= 1.5 * one, game
