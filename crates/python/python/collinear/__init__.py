"""Connect(m,n,k,p,q) games, from Connect Four and Gomoku to Connect6.

Fast exact rules, strong opponents, exact solvers, learning environments and matches whose numbers
can be trusted.

>>> import collinear as cl
>>> b = cl.Board("connect4")
>>> for column in [3, 0, 3, 0, 3, 0, 3]:
...     b.drop(column)
>>> b.outcome().winner
'black'
"""

from collections.abc import Sequence

from collinear._engine import Engine
from collinear._matches import MatchResult, RunResult, match, tournament
from collinear._native import (
    Agent,
    AgentError,
    Board,
    IllegalMove,
    LegalMoves,
    Limit,
    Line,
    LineShape,
    Outcome,
    Play,
    Proof,
    Record,
    RunError,
    Solution,
    SpecError,
    Threats,
    prove,
    read_games,
    shape,
    solve,
    threats,
)
from collinear._page import serve
from collinear._players import register

Sequence.register(LegalMoves)

BLACK = "black"
WHITE = "white"

__all__ = [
    "Agent",
    "AgentError",
    "BLACK",
    "Board",
    "Engine",
    "IllegalMove",
    "LegalMoves",
    "Limit",
    "Line",
    "LineShape",
    "MatchResult",
    "Outcome",
    "Play",
    "Proof",
    "Record",
    "RunError",
    "RunResult",
    "Solution",
    "SpecError",
    "Threats",
    "WHITE",
    "match",
    "prove",
    "read_games",
    "register",
    "serve",
    "shape",
    "solve",
    "threats",
    "tournament",
]
