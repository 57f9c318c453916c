"""Matches and tournaments from Python."""

import math
from pathlib import Path
from typing import Any

import pytest

import collinear as cl


class First:
    """Plays the first cells."""

    def __init__(self, game: str, seed: int) -> None:
        self.board = cl.Board(game)
        self.seed = seed

    def choose(self, board: cl.Board, limit: cl.Limit) -> list[int]:
        return list(board.legal_moves)[: board.stones_left]


class Broken:
    """Raises."""

    def choose(self, board: cl.Board, limit: cl.Limit) -> str:
        raise RuntimeError("out of ideas")


def test_a_match_is_played_kept_and_continued(tmp_path: Path) -> None:
    db = tmp_path / "r.sqlite"
    heard: list[dict[str, Any]] = []
    m = cl.match("sequences", "random", game="9x9,k=5,p=2", games=20, db=db, on_game=heard.append)
    assert (m.games, m.ended, len(heard)) == (20, "complete", 20)
    assert m.wins + m.draws + m.losses == 20 and m.score > 0.9
    assert m.elo > 100 and m.interval[0] <= m.elo <= m.interval[1]
    games = m.to_dicts()
    for game in games:
        b = cl.Board(game["game"], moves=game["moves"])
        outcome = b.outcome()
        assert outcome is not None and (outcome.winner or "draw") == game["result"]
    again = cl.match("sequences", "random", game="9x9,k=5,p=2", games=24, db=db)
    assert again.summary["played_now"] == 4
    assert again.to_dicts()[:20] == games


def test_a_sequential_test_stops_early() -> None:
    m = cl.match("sequences", "random", game="9x9,k=5,p=2", games=2000, sprt=(0, 50))
    assert m.ended == "decided" and m.games < 400
    assert m.sprt is not None and m.sprt["llr"] > 0
    assert math.isinf(m.elo) or m.elo > 0


def test_an_agent_written_in_python_plays_in_the_arena() -> None:
    cl.register("first", First)
    m = cl.match("first", "random", game="tictactoe", games=40, seed=2, concurrency=2)
    assert m.games == 40
    assert {game["ending"] for game in m.to_dicts()} <= {"row", "full-board"}
    cl.register("broken", Broken)
    m = cl.match("broken", "first", game="tictactoe", games=4)
    assert m.losses == 4 and "out of ideas" in m.to_dicts()[0]["words"]
    b = cl.Board("tictactoe")
    assert cl.Agent("first").play(b).turn == "a1"


def test_a_tournament() -> None:
    t = cl.tournament("random", "adjacent", "sequences", game="9x9,k=5,p=2", games=6)
    assert t.games == 18 and len(t.to_dicts()) == 18


def test_refusals() -> None:
    with pytest.raises(cl.RunError, match="did you mean"):
        cl.match("sextan", "random")
    with pytest.raises(cl.RunError, match="neither a game"):
        cl.match("random", "random", game="chess")
    with pytest.raises(cl.RunError, match="bounds|test"):
        cl.match("random", "random", game="tictactoe", sprt=(10, 0))
    with pytest.raises(TypeError, match="keyword"):
        cl.tournament("random", "random", speed=3)  # type: ignore[call-arg]
    with pytest.raises(cl.RunError, match="neither|cannot be read"):
        cl.match("random", "random", game="tictactoe", openings="nowhere.txt")
    with pytest.raises(ValueError, match="not a name"):
        cl.register("a b", First)

    def tired(game: dict[str, Any]) -> None:
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        cl.match("random", "random", game="tictactoe", games=50, on_game=tired)
