"""Writes docs/python-api.md, the reference of the package, from its docstrings.

`python crates/python/reference.py` writes it, `--check` says whether it is up to date.
"""

import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import collinear
import collinear.cluster
import collinear.env
import collinear.openspiel

TARGET = Path(__file__).resolve().parents[2] / "docs" / "python-api.md"

HEAD = """\
# Python API

Made by `crates/python/reference.py` from the docstrings of the package. How to begin is in
[Python](python.md).
"""


def main() -> None:
    text = HEAD
    for module, names in (
        (collinear, collinear.__all__),
        (collinear.env, collinear.env.__all__),
        (collinear.openspiel, ["load"]),
        (collinear.cluster, ["match", "tournament", "selfplay", "experiment", "prove"]),
    ):
        text += section(module, names)
    if "--check" not in sys.argv:
        TARGET.write_text(text)
    elif not TARGET.is_file() or TARGET.read_text() != text:
        sys.exit(f"{TARGET.name} is stale: run python crates/python/reference.py")


def section(module: ModuleType, names: list[str]) -> str:
    text = f"\n## `{module.__name__}`\n\n{prose(inspect.getdoc(module) or '')}"
    for name in names:
        thing = getattr(module, name)
        if isinstance(thing, str):
            continue
        text += f"\n### `{heading(module, name, thing)}`\n\n{prose(inspect.getdoc(thing) or '')}"
        if inspect.isclass(thing) and not issubclass(thing, Exception):
            text += members(thing)
    return text


def heading(module: ModuleType, name: str, thing: Any) -> str:
    prefix = "" if module is collinear else f"{module.__name__}."
    if inspect.isclass(thing):
        return f"class {prefix}{name}"
    words = inspect.signature(thing).parameters
    return f"{prefix}{name}({', '.join(argument(word) for word in words.values())})"


def argument(word: inspect.Parameter) -> str:
    stars = {word.VAR_POSITIONAL: "*", word.VAR_KEYWORD: "**"}.get(word.kind, "")
    default = "" if word.default is word.empty else f"={word.default!r}"
    return f"{stars}{word.name}{default}"


def members(thing: type) -> str:
    lines = []
    for name, member in vars(thing).items():
        doc = inspect.getdoc(member)
        if name.startswith("_") or not doc:
            continue
        first = " ".join(doc.split("\n\n")[0].split()).replace("|", "\\|")
        call = "()" if callable(member) or isinstance(member, staticmethod) else ""
        lines.append(f"| `{name}{call}` | {first} |\n")
    return "\n| | |\n|---|---|\n" + "".join(sorted(lines)) if lines else ""


def prose(doc: str) -> str:
    """The docstring, its examples as blocks of Python."""
    out: list[str] = []
    inside = False
    for line in doc.splitlines():
        begins = line.startswith(">>>")
        if begins and not inside:
            out.append("```python")
            inside = True
        elif inside and not line:
            out.append("```")
            inside = False
        out.append(line)
    if inside:
        out.append("```")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    main()
