"""The games every suite runs on: two stones per turn, gravity, one stone, small, and unnamed; and
which suites can run here."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

GAMES = ["connect6", "connect4", "gomoku", "tictactoe", "9x9,k=5,p=2"]

#: What the tests of a file need, where a machine may be without it.
NEEDS = {"test_openspiel.py": "pyspiel", "test_bench.py": "pyspiel", "test_cluster.py": "ray", "test_proving.py": "ray"}

collect_ignore = [file for file, module in NEEDS.items() if find_spec(module) is None]


def pytest_report_header() -> list[str]:
    return [f"left out: {file}, which needs {NEEDS[file]}" for file in collect_ignore]


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Ray cluster of two workers."""
    import ray
    import ray_nodes

    home = ray_nodes.start([tmp_path_factory.mktemp("node") for _ in range(2)])
    ray.init(address=home.address, log_to_driver=False)
    yield home
    ray.shutdown()
    home.shutdown()
