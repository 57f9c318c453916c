"""Two players one after the other, for PettingZoo.

One step is one stone. Where a turn has two stones, the same agent is asked twice in a row.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

import collinear as cl

Observation = dict[str, npt.NDArray[Any]]


def aec(game: str = "connect6", render_mode: str | None = None) -> Any:
    """The game as PettingZoo environments usually come: an illegal move loses, order is enforced.

    >>> from collinear.env import aec
    >>> env = aec("connect6")
    >>> env.reset(seed=1)
    >>> env.agent_selection
    'black'
    """
    env: Any = TurnEnv(game, render_mode=render_mode)
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)


class TurnEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game between `"black"` and `"white"`.

    An observation holds three planes (own stones, opposing stones, stones left of the turn) and a
    mask of the legal actions. An action is a cell, or a column where stones fall.
    """

    metadata = {"render_modes": ["ansi"], "name": "collinear_v0", "is_parallelizable": False}

    def __init__(self, game: str = "connect6", render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.board = cl.Board(game)
        self.possible_agents = [cl.BLACK, cl.WHITE]
        count = self.board.num_actions
        shape = (3, self.board.height, self.board.width)
        most = max(self.board.p, self.board.q)
        seen = spaces.Dict(
            {
                "observation": spaces.Box(0, most, shape, np.uint8),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self._seen = {agent: seen for agent in self.possible_agents}
        self._actions = {agent: spaces.Discrete(count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._seen[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.board = cl.Board(self.board)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.board.turn

    def observe(self, agent: str) -> Observation:
        planes = self.board.planes(agent)
        if agent == self.board.turn:
            mask = self.board.action_mask().view(np.int8)
        else:
            mask = np.zeros(self.board.num_actions, np.int8)
        return {"observation": planes, "action_mask": mask}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        if action is None:
            raise cl.IllegalMove("an agent that still plays needs an action")
        self.board.push_action(action)
        self._clear_rewards()
        outcome = self.board.outcome()
        if outcome is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if outcome.winner is not None:
                for agent in self.agents:
                    self.rewards[agent] = 1.0 if agent == outcome.winner else -1.0
            # Both hear of the end, the one who did not make the last move first.
            last = self.agent_selection
            self.agent_selection = next(agent for agent in self.agents if agent != last)
        else:
            self.agent_selection = self.board.turn
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        return str(self.board)

    def close(self) -> None:
        """There is nothing to close."""
