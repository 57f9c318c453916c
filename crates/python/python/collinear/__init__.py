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

from collinear._native import (
    AgentError,
    Board,
    IllegalMove,
    LegalMoves,
    Outcome,
    RunError,
    SpecError,
)

BLACK = "black"
WHITE = "white"

__all__ = [
    "AgentError",
    "BLACK",
    "Board",
    "IllegalMove",
    "LegalMoves",
    "Outcome",
    "RunError",
    "SpecError",
    "WHITE",
]
