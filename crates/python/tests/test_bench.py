"""The measurements run; what they find is for people, since tests never assert times."""

from collinear import bench


def test_every_line_is_measured() -> None:
    rows = list(bench.measure(1, 0.01))
    assert len(rows) == len(bench.plan())
    assert all(row.ours > 0 for row in rows)
    beaten = {row.peer for row in rows if row.theirs > 0}
    assert {"OpenSpiel", "OpenSpiel mnk"} <= beaten


def test_work_counts_what_it_did() -> None:
    assert bench.batch("tictactoe")(1) == bench.BATCH
    # Whole games: a game of tic-tac-toe has five to nine stones.
    assert 20 <= bench.loop("tictactoe")(20) < 29
    assert 20 <= bench.open_spiel("tic_tac_toe")(20) < 29
