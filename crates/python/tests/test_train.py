"""The games that `train/games.py` plays on a card, here on a processor and without a network: they replay, and
what ended them is so."""

import ctypes
import struct
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from collinear import Agent, Board, Limit

ROOT = Path(__file__).parents[3]
TRAIN = ROOT / "train"
sys.path.insert(0, str(TRAIN))
AT_ONCE, ROOM = 8, 64


def play(game: str, folder: Path, games: int, *, visits: int = 24, warp: bool = False) -> bytes:
    """A file of games; instead of a network, stones near the middle are liked, more or less."""
    train: Any = import_module("library")
    library = train.build(game, str(folder), card=False, warp=warp)
    _, width, height, _, _ = train.GAMES[game]
    how = train.settings(game, 5, visits, visits // 3, 6)
    state = np.zeros(AT_ONCE * library.game_bytes(), np.uint8)
    questions = np.zeros((AT_ONCE, width * height + 1), np.uint8)
    records = np.zeros(ROOM * library.record_bytes(), np.uint8)
    counts = np.zeros(2, np.int32)
    random = np.random.default_rng(3)
    y, x = np.divmod(np.arange(width * height), width)
    far = np.hypot(y - height // 2, x - width // 2)

    def pointer(array: Any) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

    while counts[1] < games:
        answers = np.zeros(questions.shape, np.float32)
        answers[:, 1:] = random.normal(size=(AT_ONCE, width * height)) - 0.5 * far
        given = (pointer(answers), pointer(questions), pointer(records), ROOM, pointer(counts), None)
        assert library.play(pointer(state), AT_ONCE, ctypes.byref(how), *given) == 0
        assert ((questions[:, :-1] == 1).sum(1) <= 1 + (questions[:, :-1] == 2).sum(1) + 2).all()
    first = train.header(library, game, how, b"no network")
    written: bytes = first + train.packed(library, records.ctypes.data, int(counts[1]))
    return written


def first_length(data: bytes) -> int:
    """Where the header ends."""
    length: int = struct.unpack_from("<I", data, 8)[0]
    return 12 + length + 8


def read(data: bytes) -> list[tuple[int, int, list[int], list[tuple[int, list[tuple[int, int]]]]]]:
    """Opening, winner, stones and thoughts (value, looks), by the descriptions in games.rs and records.rs."""
    games, at = [], first_length(data)
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        body, at = data[at + 8 : at + 8 + length], at + 16 + length
        _, stones, opening, winner = struct.unpack_from("<QHHB", body)
        cells, here = list(struct.unpack_from(f"<{stones}H", body, 13)), 13 + 2 * stones
        thoughts = []
        for _ in range(stones - opening):
            value, _, count = struct.unpack_from("<hBB", body, here)
            looks = [struct.unpack_from("<HH", body, here + 4 + 4 * i) for i in range(count)]
            thoughts.append((value, looks))
            here += 4 + 4 * count
        assert here == length
        games.append((opening, winner, cells, thoughts))
    return games


@pytest.mark.parametrize("game", ["gomoku", "connect6"])
def test_games_replay_and_verdicts_hold(game: str, tmp_path: Path) -> None:
    judge = Agent("sextant:search=alphabeta")
    games = read(play(game, tmp_path, 12))
    assert len(games) >= 12
    for opening, winner, cells, thoughts in games:
        board = Board(game)
        for number, cell in enumerate(cells):
            if number >= opening:
                _, looks = thoughts[number - opening]
                assert all(look in board.legal_moves for look, _ in looks)
                assert sum(weight for _, weight in looks) <= 65535
            board.push(cell)
        if winner == 2 or board.is_over:
            continue
        # Who wins was proved before the last stone, or after it.
        before = bool(thoughts) and abs(thoughts[-1][0]) == 32767
        proved = Board(game, moves=cells[:-1] if before else cells)
        line = judge.analyse(proved, Limit(nodes=300_000))[0]
        wins = proved.turn == ("black", "white")[winner]
        assert line.wins_in is not None and (line.wins_in > 0) == wins, board.moves_text


@pytest.mark.parametrize("game", ["gomoku", "connect6"])
def test_a_warp_plays_as_one_lane_does(game: str, tmp_path: Path) -> None:
    for folder in ("lane", "warp"):
        (tmp_path / folder).mkdir()
    alone = play(game, tmp_path / "lane", 2, visits=6)
    assert play(game, tmp_path / "warp", 2, visits=6, warp=True) == alone


def test_a_file_that_was_cut_off_goes_on(tmp_path: Path) -> None:
    train: Any = import_module("library")
    data = play("gomoku", tmp_path, 3)
    library = train.build("gomoku", str(tmp_path), card=False)
    count, first = len(read(data)), data[: first_length(data)]
    path = tmp_path / "games.sxg"
    path.write_bytes(data[:-1])
    file, whole, after = train.open_games(library, str(path), first)
    file.close()
    assert whole == count - 1 and after >= whole
    assert read(path.read_bytes()) == read(data)[:-1]
    # What was cut is kept.
    assert path.read_bytes() + (tmp_path / "games.sxg.torn-1").read_bytes() == data[:-1]
    other = train.header(library, "gomoku", train.settings("gomoku", 6, 24, 8, 6), b"no network")
    with pytest.raises(SystemExit, match="other settings"):
        train.open_games(library, str(path), other)
    for place in (len(first) + 1, len(first) + 30, len(data) // 2):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(SystemExit, match="damaged"):
            train.open_games(library, str(path), first)


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
@pytest.mark.parametrize("game", ["gomoku", "connect6"])
def test_a_tiny_run_ends_with_a_network(game: str, tmp_path: Path) -> None:
    program = ROOT / "target/debug/collinear"
    if not program.exists():
        pytest.skip("the program is not built")
    first = ROOT / f"crates/engine/weights/{game}.sxn"
    run = [sys.executable, TRAIN / "games.py", game, "--work", tmp_path, "--first", first, "--collinear", program]
    run += ["--rounds", "1", "--games", "2", "--at-once", "2", "--visits", "4", "--quick-visits", "2"]
    subprocess.run([str(word) for word in run] + ["--train=--steps 2 --batch 16"], check=True)
    player = Agent(f"sextant:weights={tmp_path / 'net-0.sxn'},nodes=20")
    assert player.play(Board(game)).cells
