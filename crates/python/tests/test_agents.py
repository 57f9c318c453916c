"""Agents, engines, knowledge, records: the package's promises, one by one."""

import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from pathlib import Path

import pytest

import collinear as cl


def test_an_agent_plays_and_analyses() -> None:
    b = cl.Board("connect6", moves="j10")
    with cl.Agent("sextant:level=10") as a:
        play = a.play(b, cl.Limit(time=0.1))
        b.push_turn(play.turn)
        assert len(play.cells) == 2 and b.turn == "black"
        lines = a.analyse(b, cl.Limit(nodes=2_000), lines=3)
        assert lines
        for line in lines:
            b.copy().push(line.pv[0])
        assert 0 <= (lines[0].chance or 0) <= 1
        # The same agent in another game.
        assert len(a.play(cl.Board("gomoku"), cl.Limit(nodes=500)).cells) == 1


def test_the_same_seed_plays_the_same() -> None:
    def game(seed: int) -> str:
        b = cl.Board("gomoku")
        a = cl.Agent("random", seed=seed)
        for _ in range(10):
            b.push_turn(a.play(b).turn)
        return b.moves_text

    assert game(1) == game(1) != game(2)


def test_refusals() -> None:
    with pytest.raises(cl.SpecError, match="did you mean sextant"):
        cl.Agent("sextan")
    with pytest.raises(cl.SpecError, match="does not play"):
        cl.Agent("perfect").play(cl.Board("connect6"))
    with pytest.raises(cl.AgentError, match="over"):
        won = cl.Board("tictactoe", moves="a1 a2 b1 b2 c1")
        cl.Agent("random").play(won)
    with pytest.raises(ValueError, match="not a number of seconds"):
        cl.Limit(time=-1)
    limit = pickle.loads(pickle.dumps(cl.Limit(time=0.5, depth=3)))
    assert (limit.time, limit.nodes, limit.depth) == (0.5, None, 3)


def test_other_threads_run_while_an_agent_thinks() -> None:
    """The interpreter's lock is free: another Python thread counts on."""
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    cl.Agent("sextant").play(cl.Board("connect6", moves="j10"), cl.Limit(time=0.3))
    stop.set()
    thread.join()
    assert counted[0] > 1000


def test_ctrl_c_stops_a_search() -> None:
    # Shells let background jobs ignore Ctrl-C, and children inherit it: hence the handler.
    code = """
        import signal
        import collinear as cl
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("ready", flush=True)
        try:
            cl.Agent("sextant").play(cl.Board("connect6", moves="j10"), cl.Limit(time=60))
        except KeyboardInterrupt:
            print("stopped")
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=20)[0] == "stopped\n"
    assert time.monotonic() - began < 10


def test_an_engine_process_has_the_same_methods() -> None:
    command = [sys.executable, "-m", "collinear", "engine"]
    command += ["--protocol", "ugi", "--agent", "sequences"]
    with cl.Engine.popen(command, protocol="ugi") as engine:
        b = cl.Board("connect6", moves="j10")
        b.push_turn(engine.play(b, cl.Limit(time=1)).turn)
        assert b.turn == "black"
        assert engine.analyse(b, cl.Limit(time=1))[0].pv
    with pytest.raises(cl.SpecError, match="external"):
        cl.Engine.popen("/nowhere/engine").play(cl.Board("connect6"))
    with pytest.raises(cl.SpecError, match="ugi"):
        cl.Engine.popen("x", protocol="chess")


def test_what_is_known_exactly() -> None:
    b = cl.Board.from_stones("connect6", black="g10 h10 i10 j10", white="", turn="white")
    assert cl.threats(b).count == 2 and cl.threats(b).cover == ["e10", "k10"]
    assert cl.threats(b, "white").cover == []
    assert cl.shape("..xxxx..").type == "L4"
    with pytest.raises(ValueError, match="not a cell of a shape"):
        cl.shape("..?..xxx")
    # Scores by Pascal Pons' solver, which has the same scale.
    assert cl.solve("").scores == [-2, -1, 0, 1, 0, -1, -2]
    with pytest.raises(ValueError, match="stone 3"):
        cl.solve("449")
    with pytest.raises(ValueError):
        cl.solve(cl.Board("connect6"))


def test_records(tmp_path: Path) -> None:
    file = tmp_path / "games.sgf"
    file.write_text("(;GM[511];B[JJ];W[KI];W[LJ])")
    (game,) = cl.read_games(file)
    assert (game.game, game.moves_text, game.winner) == ("connect6", "j10 k9 l10", None)
    assert game.board().turn == "black"
    broken = tmp_path / "broken.sgf"
    broken.write_text("(;GM[511];B[JJ];W[JJ])")
    with pytest.raises(ValueError, match="broken.sgf"):
        cl.read_games(broken)
    with pytest.raises(OSError, match="nowhere"):
        cl.read_games(tmp_path / "nowhere.sgf")


def test_the_page_offers_registered_agents() -> None:
    code = """
        import signal
        import collinear as cl
        signal.signal(signal.SIGINT, signal.default_int_handler)
        class Mine:
            "Plays the first cells."
            def choose(self, board, limit):
                return list(board.legal_moves)[: board.stones_left]
        cl.register("mine", Mine)
        cl.serve(open_browser=False)
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    url = next(word for word in line.split() if word.startswith("http"))
    with urllib.request.urlopen(url, timeout=20) as page:
        assert b"<html" in page.read().lower()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode != 0


def test_the_command_of_the_wheel() -> None:
    run = [sys.executable, "-m", "collinear"]
    said = subprocess.run([*run, "solve", "4455"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("score 18 (black wins in 3 stones)")
    wrong = subprocess.run([*run, "solve", "9"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "outside the 7x6 board" in wrong.stderr
