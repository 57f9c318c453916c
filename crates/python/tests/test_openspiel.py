"""OpenSpiel's own tests over our game."""

import pickle
import random
from pathlib import Path

import pyspiel
import pytest
from absl import flags
from conftest import GAMES
from open_spiel.python.algorithms import generate_playthrough
from open_spiel.python.tests import games_sim_test

import collinear as cl
import collinear.openspiel


@pytest.mark.parametrize("game", GAMES)
def test_random_simulation_with_serialisation(game: str) -> None:
    sims = 3 if cl.Board(game).width > 9 else 10
    pyspiel.random_sim_test(
        collinear.openspiel.load(game), num_sims=sims, serialize=True, verbose=False
    )


@pytest.mark.parametrize("game", GAMES)
def test_open_spiels_simulation(game: str) -> None:
    """What OpenSpiel runs over its own games: cloning, pickling and serialising on the way."""
    games_sim_test.GamesSimTest().sim_game(collinear.openspiel.load(game))


@pytest.mark.parametrize("game", GAMES)
def test_a_playthrough_replays_itself(game: str, tmp_path: Path) -> None:
    flags.FLAGS.mark_as_parsed()
    file = tmp_path / "playthrough.txt"
    file.write_text(
        generate_playthrough.playthrough(str(collinear.openspiel.load(game)), None, seed=7)
    )
    original, again = generate_playthrough.replay(str(file))
    assert original == again
    assert "IsTerminal() = True" in original and "Returns() = [" in original


def test_connect_four_agrees_with_open_spiels_own() -> None:
    ours, theirs = collinear.openspiel.load("connect4"), pyspiel.load_game("connect_four")
    chance = random.Random(2)
    for _ in range(200):
        a, b = ours.new_initial_state(), theirs.new_initial_state()
        while not b.is_terminal():
            assert a.legal_actions() == b.legal_actions()
            assert a.current_player() == b.current_player()
            action = chance.choice(b.legal_actions())
            a.apply_action(action)
            b.apply_action(action)
        assert a.is_terminal() and a.returns() == b.returns()


def test_game_strings_hold_numbers_only() -> None:
    game = pyspiel.load_game("collinear(width=9,height=9,k=5,p=2,q=1,gravity=0,exact=0)")
    assert game.num_distinct_actions() == 81
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    with pytest.raises(Exception, match="does not fit"):
        pyspiel.load_game("collinear(width=3,height=3,k=9)")
