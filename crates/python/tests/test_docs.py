"""Every example in a docstring runs, and every notebook does."""

import doctest
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import nbclient
import nbformat
import pytest

import collinear
import collinear._native
import collinear.env
import collinear.env.single
import collinear.env.turns
from collinear import _matches, _players

ROOT = Path(__file__).parents[3]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MODULES = [
    collinear,
    collinear._native,
    collinear.env.single,
    collinear.env.turns,
    _matches,
    _players,
]
if find_spec("pyspiel"):
    MODULES.append(import_module("collinear.openspiel"))


def examples() -> Iterator[tuple[str, str]]:
    """Every docstring with an example in it, once."""
    found: dict[str, str] = {}
    for module in MODULES:
        found[module.__name__] = inspect.getdoc(module) or ""
        for name, thing in vars(module).items():
            home = getattr(thing, "__module__", None) or ""
            if isinstance(thing, ModuleType) or not home.startswith("collinear"):
                continue
            found[name] = inspect.getdoc(thing) or ""
            if inspect.isclass(thing):
                for key, member in vars(thing).items():
                    found[f"{name}.{key}"] = inspect.getdoc(member) or ""
    yield from ((name, doc) for name, doc in found.items() if ">>>" in doc)


EXAMPLES = dict(examples())


def test_there_are_examples() -> None:
    for name in ("collinear", "Board", "LegalMoves", "VectorEnv", "Agent", "match", "register"):
        assert name in EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name: str) -> None:
    runner = doctest.DocTestRunner()
    test = doctest.DocTestParser().get_doctest(EXAMPLES[name], {}, name, None, 0)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_run(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()


def test_the_lines_of_the_readme_play_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text()
    (block,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    exec(compile(block, "README.md", "exec"), {})
    assert "Outcome(winner=" in capsys.readouterr().out


def test_the_reference_is_up_to_date() -> None:
    pytest.importorskip("pyspiel")
    pytest.importorskip("ray")
    script = ROOT / "crates/python/reference.py"
    said = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert said.returncode == 0, said.stderr


def test_all_notebooks_are_there() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "first-steps",
        "karplus",
        "tiny-net",
        "your-own-agent",
    ]
