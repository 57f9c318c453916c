"""The games every suite runs on: two stones per turn, gravity, one stone, small, and unnamed; and
which suites can run here."""

from importlib.util import find_spec

GAMES = ["connect6", "connect4", "gomoku", "tictactoe", "9x9,k=5,p=2"]

#: What the tests of a file need, where a machine may be without it.
NEEDS = {"test_openspiel.py": "pyspiel", "test_bench.py": "pyspiel", "test_cluster.py": "ray"}

collect_ignore = [file for file, module in NEEDS.items() if find_spec(module) is None]


def pytest_report_header() -> list[str]:
    return [f"left out: {file}, which needs {NEEDS[file]}" for file in collect_ignore]
