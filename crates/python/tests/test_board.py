"""The board: what python-chess users expect of one, and every refusal with its words."""

import copy
import pickle
import random
import xml.etree.ElementTree as ElementTree

import pytest
from conftest import GAMES

import collinear as cl


def test_the_lines_of_the_readme() -> None:
    b = cl.Board("connect6")
    b.push("j10")
    b.push_turn("k11 i9")
    assert (b.turn, b.stones_left) == ("black", 2)
    assert b.name(b.pop()) == "i9"
    assert (b.turn, b.stones_left) == ("white", 1)
    assert cl.Board(19, 19, k=6, p=2, q=1) == cl.Board("connect6")
    assert cl.Board(19, 19, k=6, p=2, q=1).game == "connect6"


@pytest.mark.parametrize("game", GAMES)
def test_random_games_copy_pickle_hash_and_pop_back(game: str) -> None:
    chance = random.Random(1)
    for _ in range(5):
        b = cl.Board(game)
        keys = [b.key]
        while not b.is_over:
            before = len(b.legal_moves)
            assert list(b.legal_moves) == [b.legal_moves[i] for i in range(before)]
            b.push(chance.choice(b.legal_moves))
            keys.append(b.key)
        outcome = b.outcome()
        assert outcome is not None and len(b.legal_moves) == 0
        if outcome.winner is not None:
            assert len(outcome.cells) >= b.k
            assert {b[cell] for cell in outcome.cells} == {outcome.winner}
        for other in (b.copy(), copy.copy(b), copy.deepcopy(b), pickle.loads(pickle.dumps(b))):
            assert other == b and hash(other) == hash(b) and other.moves == b.moves
        replayed = cl.Board(game, moves=b.moves_text)
        assert replayed == b
        while b.moves:
            assert b.key == keys.pop()
            b.pop()
        assert b == cl.Board(game) and b != replayed


def test_stones_set_up_survive_a_pickle() -> None:
    b = cl.Board.from_stones("connect6", black="j10 k10", white="a1", turn="white", stones_left=1)
    b.push("b2")
    again = pickle.loads(pickle.dumps(b))
    assert again == b and again.turn == "black"
    again.pop()
    assert again["b2"] is None and again["j10"] == "black" and again.stones("white") == [0]


def test_a_copy_goes_its_own_way() -> None:
    b = cl.Board("gomoku")
    c = b.copy()
    c.push("h8")
    assert b["h8"] is None and c["h8"] == "black" and b != c


def test_refusals_say_what_and_why() -> None:
    b = cl.Board("connect6")
    b.push("j10")
    with pytest.raises(cl.IllegalMove, match="j10: the cell is occupied"):
        b.push("j10")
    with pytest.raises(cl.IllegalMove, match="outside the 19x19 board"):
        b.push("t1")
    with pytest.raises(cl.IllegalMove, match="cell 361 is outside the board: 0 to 360"):
        b.push(361)
    with pytest.raises(cl.IllegalMove, match="cell -1"):
        b.push(-1)
    with pytest.raises(cl.IllegalMove, match="takes 2 stones and only 1"):
        b.push_turn("a1")
    with pytest.raises(cl.IllegalMove, match="stone 2"):
        b.push_all("a1 a1")
    with pytest.raises(TypeError, match="is not a move"):
        b.push(1.5)  # type: ignore[arg-type]
    with pytest.raises(IndexError):
        cl.Board("connect6").pop()
    with pytest.raises(ValueError, match="neither a game"):
        cl.Board("chess")
    with pytest.raises(ValueError, match="k = 9 does not fit"):
        cl.Board(7, 6, k=9)
    with pytest.raises(ValueError, match="k is missing"):
        cl.Board(7, 6)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="already won|has already"):
        cl.Board.from_stones("tictactoe", black="a1 b1 c1", white="")
    with pytest.raises(cl.IllegalMove, match="has no gravity"):
        b.drop(3)
    full = cl.Board("connect4")
    for _ in range(6):
        full.drop(0)
    with pytest.raises(cl.IllegalMove, match="column 0 is full"):
        full.drop(0)
    names = [full.name(cell) for cell in full.legal_moves]
    assert names == ["b1", "c1", "d1", "e1", "f1", "g1"] and full.cell("b1") in full.legal_moves
    assert full.legal_moves[:2] == [1, 2] and full.legal_moves[::-3] == [6, 3]
    assert b.moves_text == "j10"


def test_pictures_and_texts() -> None:
    for game in GAMES:
        b = cl.Board(game)
        b.push(b.legal_moves[-1])
        root = ElementTree.fromstring(b._repr_svg_())
        stones = [c for c in root.iter("{http://www.w3.org/2000/svg}circle") if c.get("r") == "17"]
        drawn = [c for c in stones if c.get("stroke")]
        assert len(drawn) == 1, game
        assert str(b).count("X") == 1 and "to move" in repr(b)
    assert 'width="200"' in cl.Board("gomoku").svg(200, marks="h8")


def test_planes_show_the_board_from_both_sides() -> None:
    b = cl.Board("connect6", moves="a1 s19")
    own, other, left = b.planes()
    assert own[18, 18] == 1 and other[0, 0] == 1 and own.sum() == other.sum() == 1
    assert (left == 1).all()
    assert (b.planes("black")[0] == other).all()
    assert b.action_mask().sum() == 359 and not b.action_mask()[0]
