"""One player against any of our agents, for Gymnasium.

>>> import gymnasium
>>> import collinear.env.single
>>> env = gymnasium.make("collinear/Single-v0", game="connect4", opponent="kate")
"""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

import collinear as cl


class SingleEnv(gymnasium.Env[npt.NDArray[np.uint8], np.int64]):
    """A game against `opponent`, one stone per step.

    The reward is 1 for a win, -1 for a loss, 0 for a draw; an illegal action loses at once, and
    `info["action_mask"]` tells which actions are legal. `colour` is `"black"`, `"white"`, or
    `"random"` for one drawn anew for every game.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str = "connect6",
        opponent: str = "random",
        *,
        limit: "cl.Limit | None" = None,
        colour: str = "random",
        render_mode: str | None = None,
    ) -> None:
        if colour not in (cl.BLACK, cl.WHITE, "random"):
            raise ValueError(f"{colour!r} is not a colour: black, white or random")
        self.board = cl.Board(game)
        self.opponent = opponent
        self.limit = limit
        self.colour = colour
        self.own = cl.BLACK
        self.render_mode = render_mode
        most = max(self.board.p, self.board.q)
        shape = (3, self.board.height, self.board.width)
        self.observation_space = spaces.Box(0, most, shape, np.uint8)
        self.action_space = spaces.Discrete(self.board.num_actions)
        self._agent = cl.Agent(opponent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        self.board = cl.Board(self.board)
        self._agent = cl.Agent(self.opponent, seed=int(self.np_random.integers(1 << 62)))
        drawn = (cl.BLACK, cl.WHITE)[int(self.np_random.integers(2))]
        self.own = drawn if self.colour == "random" else self.colour
        self._answer()
        return self.board.planes(self.own), self._info()

    def step(
        self, action: np.int64 | int
    ) -> tuple[npt.NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        try:
            self.board.push_action(int(action))
        except cl.IllegalMove as error:
            info = self._info() | {"illegal": str(error)}
            return self.board.planes(self.own), -1.0, True, False, info
        self._answer()
        outcome = self.board.outcome()
        reward = 0.0
        if outcome is not None and outcome.winner is not None:
            reward = 1.0 if outcome.winner == self.own else -1.0
        return self.board.planes(self.own), reward, outcome is not None, False, self._info()

    def render(self) -> str | None:
        return str(self.board) if self.render_mode == "ansi" else None

    def _answer(self) -> None:
        """Lets the opponent play until it is our turn or the game is over."""
        while not self.board.is_over and self.board.turn != self.own:
            self.board.push_turn(self._agent.play(self.board, self.limit).cells)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.board.action_mask().view(np.int8)}


gymnasium.register("collinear/Single-v0", entry_point="collinear.env.single:SingleEnv")
