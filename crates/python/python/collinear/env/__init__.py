"""Learning environments of every game of the family.

- `VectorEnv`: a batch of games in Rust, numpy arrays written in place; needs nothing but numpy.
- `aec(game)`: two players one after the other, for PettingZoo.
- `SingleEnv(game, opponent=...)`: one player against any of our agents, for Gymnasium.

What needs PettingZoo or Gymnasium is loaded when it is asked for.
"""

from typing import TYPE_CHECKING, Any

from collinear._native import VectorEnv

if TYPE_CHECKING:
    from collinear.env.single import SingleEnv
    from collinear.env.turns import TurnEnv, aec

__all__ = ["SingleEnv", "TurnEnv", "VectorEnv", "aec"]


def __getattr__(name: str) -> Any:
    if name in ("TurnEnv", "aec"):
        from collinear.env import turns

        return getattr(turns, name)
    if name == "SingleEnv":
        from collinear.env.single import SingleEnv

        return SingleEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
