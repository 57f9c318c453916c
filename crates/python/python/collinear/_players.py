"""Agents written in Python, by the names they were registered under."""

import inspect
from collections.abc import Callable
from typing import Any

from collinear._native import Board, Limit, Row

_factories: dict[str, Callable[..., Any]] = {}
_rows: dict[str, Row] = {}


def register(name: str, factory: Callable[..., Any]) -> None:
    """Makes an agent written in Python a contestant like any other.

    `factory` is a class or a function; it is called for every game, with `game` and `seed` where it
    takes them, and returns an object with a method `choose(board, limit)`, or such a function
    itself. The answer is a turn: the names or cell numbers of all stones left of it. Where
    `new_game()` exists it is called before every game.

    >>> import collinear as cl
    >>> class First:
    ...     def choose(self, board, limit):
    ...         return list(board.legal_moves)[: board.stones_left]
    >>> cl.register("first", First)
    >>> cl.match("first", "random", game="tictactoe", games=10, seed=3).games
    10
    """
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a name for an agent: letters, digits and _ only")
    summary = (inspect.getdoc(factory) or "an agent written in Python").splitlines()[0]
    _factories[name] = factory
    if name not in _rows:
        _rows[name] = Row(name, summary)


def rows() -> list[Row]:
    """The rows of the registry, for the native half."""
    return list(_rows.values())


def registered() -> dict[str, Callable[..., Any]]:
    """All registered agents, for workers on other machines."""
    return dict(_factories)


def make(name: str, game: str, seed: int) -> Any:
    """A player for one game."""
    factory = _factories.get(name)
    if factory is None:
        known = ", ".join(sorted(_factories)) or "none"
        raise LookupError(f"no agent is registered as {name!r}; registered: {known}")
    takes = inspect.signature(factory).parameters
    given = {"game": game, "seed": seed}
    return factory(**{key: value for key, value in given.items() if key in takes})


def choose(player: Any, board: Board, limit: Limit) -> Any:
    """Asks a player for its turn."""
    answer: Any = getattr(player, "choose", player)
    return answer(board, limit)


def new_game(player: Any) -> None:
    """Tells a player that a game begins, where it wants to know."""
    if hasattr(player, "new_game"):
        player.new_game()
