"""The environments under the suites of their own ecosystems, and the vector environment against
the plain board."""

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from conftest import GAMES
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import collinear as cl
from collinear.env import SingleEnv, VectorEnv, aec


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo(game: str) -> None:
    with warnings.catch_warnings():
        # It would like players to have numbers and observations to be images.
        warnings.simplefilter("ignore")
        api_test(aec(game), num_cycles=1000, verbose_progress=False)
    seed_test(lambda: aec(game), num_cycles=100)


def test_the_same_agent_twice_in_a_turn() -> None:
    env = aec("connect6")
    env.reset(seed=1)
    order = []
    for cell in [180, 0, 1, 2, 3, 4]:
        order.append(env.agent_selection)
        env.step(cell)
    assert order == ["black", "white", "white", "black", "black", "white"]


def test_rewards_reach_both_players() -> None:
    env = aec("tictactoe")
    env.reset()
    for cell in [0, 3, 1, 4, 2]:
        env.step(cell)
    assert env.rewards == {"black": 1.0, "white": -1.0}
    assert all(env.terminations.values())


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The checker would like pixels to be images and made environments to be unwrapped.
        warnings.filterwarnings("ignore", message=".*(spec|Box observation|render).*")
        check_env(SingleEnv(game, "random"))
    env = gymnasium.make("collinear/Single-v0", game=game, opponent="random", colour="white")
    _, info = env.reset(seed=3)
    rewards: list[float] = []
    done = False
    while not done:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, reward, done, _, info = env.step(action)
        rewards.append(float(reward))
    assert rewards[-1] in (-1.0, 0.0, 1.0) and not any(rewards[:-1])


def test_an_illegal_action_loses() -> None:
    env = SingleEnv("tictactoe", "random", colour="black")
    env.reset(seed=1)
    env.step(np.int64(0))
    _, reward, done, _, info = env.step(np.int64(0))
    assert (reward, done) == (-1.0, True) and "occupied" in info["illegal"]


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("game", GAMES)
def test_the_vector_environment_equals_plain_boards(game: str, threads: int) -> None:
    env = VectorEnv(game, 7, seed=5, threads=threads)
    boards = [cl.Board(game) for _ in range(7)]
    chance = np.random.default_rng(1)
    arrays = (env.observations, env.masks, env.rewards, env.terminated, env.players)
    ended = 0
    for _ in range(400):
        actions = [int(chance.choice(np.flatnonzero(mask))) for mask in env.masks]
        observations, rewards, terminated = env.step(np.array(actions))
        assert observations is arrays[0] and rewards is arrays[2] and terminated is arrays[3]
        for i, board in enumerate(boards):
            board.push_action(actions[i])
            outcome = board.outcome()
            assert terminated[i] == (outcome is not None)
            wanted = {None: [0, 0], "black": [1, -1], "white": [-1, 1]}
            assert list(rewards[i]) == wanted[outcome.winner if outcome else None]
            if outcome is not None:
                ended += 1
                boards[i] = board = cl.Board(game)
            assert env.board(i) == board
            assert (observations[i] == board.planes()).all()
            assert (env.masks[i] == board.action_mask()).all()
            assert env.players[i] == (board.turn == "white")
    assert ended > 3


def test_the_same_seed_plays_the_same_games_on_any_number_of_threads() -> None:
    def run(threads: int) -> list[Any]:
        env = VectorEnv("connect4", 50, seed=9, threads=threads)
        seen: list[Any] = []
        for _ in range(60):
            seen.append(env.sample().copy())
            seen.append(env.step(env.sample())[0].copy())
        return seen

    one, four = run(1), run(4)
    assert all((a == b).all() for a, b in zip(one, four, strict=True))
    env = VectorEnv("connect4", 50, seed=9)
    first = env.sample().copy()
    env.step(first)
    env.reset(seed=9)
    assert (env.sample() == first).all() and env.rewards.sum() == 0


def test_refusals_of_the_vector_environment_change_nothing() -> None:
    env = VectorEnv("connect6", 2)
    env.step([0, 1])
    before = env.observations.copy()
    with pytest.raises(cl.IllegalMove, match="game 1, action 1: the cell is occupied"):
        env.step([5, 1])
    with pytest.raises(cl.IllegalMove, match="game 0, action -1"):
        env.step([-1, 7])
    with pytest.raises(ValueError, match="3 actions for 2 games"):
        env.step([1, 2, 3])
    with pytest.raises(ValueError, match="out of range"):
        VectorEnv("connect6", 0)
    assert (env.observations == before).all()
