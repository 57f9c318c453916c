"""Every game of the family as an OpenSpiel game.

Importing this module registers `collinear`. Its parameters are numbers only, as OpenSpiel's parser
of game strings wants it:

>>> import pyspiel, collinear.openspiel
>>> game = pyspiel.load_game("collinear(width=19,height=19,k=6,p=2,q=1)")
>>> game.new_initial_state().current_player()
0
"""

from typing import Any

import numpy as np
import pyspiel

import collinear as cl

_PARAMETERS = {"width": 19, "height": 19, "k": 6, "p": 2, "q": 1, "gravity": 0, "exact": 0}

_TYPE = pyspiel.GameType(
    short_name="collinear",
    long_name="Connect(m,n,k,p,q)",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_PARAMETERS,
)


def load(game: str) -> Any:
    """The OpenSpiel game of a name such as `"connect4"` or a long form.

    >>> import collinear.openspiel
    >>> collinear.openspiel.load("connect4").num_distinct_actions()
    7
    """
    board = cl.Board(game)
    parameters = {
        "width": board.width,
        "height": board.height,
        "k": board.k,
        "p": board.p,
        "q": board.q,
        "gravity": int(board.gravity),
        "exact": int(board.exact),
    }
    return pyspiel.load_game("collinear", parameters)


class Game(pyspiel.Game):  # type: ignore[misc]
    """A game of the family: its rules are the game's parameters."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        numbers = _PARAMETERS | (params or {})
        self.start = cl.Board(
            numbers["width"],
            numbers["height"],
            k=numbers["k"],
            p=numbers["p"],
            q=numbers["q"],
            gravity=bool(numbers["gravity"]),
            exact=bool(numbers["exact"]),
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=self.start.num_actions,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.start.width * self.start.height,
        )
        super().__init__(_TYPE, info, params or {})

    def new_initial_state(self) -> "State":
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        return Observer(self.start)


class State(pyspiel.State):  # type: ignore[misc]
    """A position: a board and what OpenSpiel asks about it."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.board = cl.Board(game.start)

    def current_player(self) -> int:
        if self.board.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return 0 if self.board.turn == cl.BLACK else 1

    def _legal_actions(self, player: int) -> list[int]:
        return self.board.legal_actions()

    def _apply_action(self, action: int) -> None:
        self.board.push_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        stone = "x" if player == 0 else "o"
        where = str(action + 1) if self.board.gravity else self.board.name(action)
        return f"{stone}({where})"

    def is_terminal(self) -> bool:
        return self.board.is_over

    def returns(self) -> list[float]:
        outcome = self.board.outcome()
        if outcome is None or outcome.winner is None:
            return [0.0, 0.0]
        return [1.0, -1.0] if outcome.winner == cl.BLACK else [-1.0, 1.0]

    def __str__(self) -> str:
        return str(self.board)


class Observer:
    """What a player sees: everything, as planes seen from his side."""

    def __init__(self, board: cl.Board) -> None:
        shape = (3, board.height, board.width)
        self.tensor = np.zeros(int(np.prod(shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(shape)}

    def set_from(self, state: State, player: int) -> None:
        self.dict["observation"][:] = state.board.planes((cl.BLACK, cl.WHITE)[player])

    def string_from(self, state: State, player: int) -> str:
        return str(state.board)


pyspiel.register_game(_TYPE, Game)
