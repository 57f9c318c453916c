"""Other people's engines, as agents."""

import shlex
from collections.abc import Sequence

from collinear._native import Agent, Board, Limit, Line, Play


class Engine:
    """An engine process that plays: the same methods as `Agent`.

    The process starts with the first question, is killed when it hangs, and ends with `close()` or
    at the end of a `with` block.
    """

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    @classmethod
    def popen(cls, command: str | Sequence[str], *, protocol: str = "ugi") -> "Engine":
        """An engine by its command line; `protocol` is ugi, gomocup, cloudict or sau."""
        line = command if isinstance(command, str) else shlex.join(command)
        return cls(Agent._process(line, protocol))

    def play(self, board: Board, limit: Limit | None = None) -> Play:
        """Chooses all stones left of this turn. Ctrl-C stops the search."""
        return self._agent.play(board, limit)

    def analyse(self, board: Board, limit: Limit | None = None, *, lines: int = 1) -> list[Line]:
        """The best lines of play, best first."""
        return self._agent.analyse(board, limit, lines=lines)

    def new_game(self) -> None:
        """Tells the engine that a game begins."""
        self._agent.new_game()

    def close(self) -> None:
        """Ends the process."""
        self._agent.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Engine({self._agent.spec!r})"
