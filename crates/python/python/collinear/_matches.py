"""Matches and tournaments whose numbers can be trusted: pairs, seeds, every game kept at once."""

import json
import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypedDict, Unpack

from collinear import _native
from collinear._native import Run, RunSpec

Heard = Callable[[dict[str, Any]], None]

#: The file that names the build: games of different builds are never mixed.
PROGRAM = str(_native.__file__)


class Plan(TypedDict, total=False):
    """What a match or a tournament may be told, here and on a cluster; `match` says what it means."""

    game: str
    games: int
    seed: int
    time: float | None
    nodes: int | None
    depth: int | None
    openings: str | list[str]
    opening_rule: str | None
    sprt: tuple[float, float] | None
    format: str
    rounds: int | None


class RunResult:
    """What a run found: the summary as a dictionary, and every game."""

    def __init__(self, run: Run, summary: str, folder: Any = None) -> None:
        self._run = run
        #: Deleted with the result where no file of results was named.
        self._folder = folder
        self.summary: dict[str, Any] = json.loads(summary)

    @property
    def id(self) -> str:
        """The run's name in its file of results."""
        return self._run.id

    @property
    def labels(self) -> list[str]:
        """The contestants."""
        return self._run.labels

    @property
    def games(self) -> int:
        """Games that count."""
        return int(self.summary["games"])

    @property
    def ended(self) -> str:
        """`"complete"`, `"decided"` by the test, or `"stopped"`."""
        return str(self.summary["ended"])

    @property
    def standings(self) -> Any:
        """The table, as the command line's `--json` gives it."""
        return self.summary["standings"]

    def to_dicts(self) -> list[dict[str, Any]]:
        """Every game in the file with its moves, ready for `pandas.DataFrame`."""
        return [json.loads(game) for game in self._run.games()]


class MatchResult(RunResult):
    """What a match found, seen from the first contestant."""

    @property
    def score(self) -> float:
        """Points per game, a draw counting half."""
        return float(self.summary["score"])

    @property
    def elo(self) -> float:
        """The difference in logistic Elo; infinite when every game was won or lost."""
        return self._finite(self.summary["elo"]["elo"])

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `elo`."""
        found = self.summary["elo"]["interval"]
        low, high = found["low"], found["high"]
        return (-math.inf if low is None else low, math.inf if high is None else high)

    @property
    def wins(self) -> int:
        """Games the first contestant won."""
        return int(self.summary["tally"]["wins"])

    @property
    def draws(self) -> int:
        """Games nobody won."""
        return int(self.summary["tally"]["draws"])

    @property
    def losses(self) -> int:
        """Games the first contestant lost."""
        return int(self.summary["tally"]["losses"])

    @property
    def sprt(self) -> dict[str, Any] | None:
        """How the sequential test stands, where there is one."""
        found: dict[str, Any] | None = self.summary["sprt"]
        return found

    def _finite(self, value: float | None) -> float:
        return math.copysign(math.inf, self.score - 0.5) if value is None else float(value)

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<MatchResult {' - '.join(self.labels)}: {self.wins} wins, {self.draws} draws, "
            f"{self.losses} losses, Elo {self.elo:+.0f} ({low:+.0f} to {high:+.0f})>"
        )


def match(
    first: str,
    second: str,
    *,
    game: str = "connect6",
    games: int = 100,
    seed: int = 1,
    time: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    openings: str | list[str] = "empty",
    opening_rule: str | None = None,
    sprt: tuple[float, float] | None = None,
    db: str | Path | None = None,
    concurrency: int | None = None,
    fresh: bool = False,
    on_game: Heard | None = None,
) -> MatchResult:
    """Plays two agents against each other and says how sure the result is.

    Contestants are specs, with limits of their own behind an `@`: `"sextant:level=5@100ms"`.
    Every game is in `db` as soon as it ends, and the same call goes on where an earlier one
    stopped; without `db` the games vanish with the result. `on_game` hears of every game. With
    `opening_rule="swap2"` (or `"swap"`, `"swap1"`) the players settle who plays Black.

    >>> import collinear as cl
    >>> m = cl.match("sequences", "random", game="9x9,k=5,p=2", games=20)
    >>> m.games, m.elo > 100, m.interval[0] <= m.elo <= m.interval[1]
    (20, True, True)
    >>> sorted(m.to_dicts()[0])[:4]
    ['black', 'ending', 'game', 'moves']
    """
    spec = RunSpec(
        (first, second),
        game=game,
        games=games,
        seed=seed,
        time=time,
        nodes=nodes,
        depth=depth,
        openings=openings,
        opening_rule=opening_rule,
        sprt=sprt,
    )
    return MatchResult(*_play(spec, db, concurrency, fresh, on_game))


def tournament(
    *agents: str,
    db: str | Path | None = None,
    concurrency: int | None = None,
    fresh: bool = False,
    on_game: Heard | None = None,
    **plan: Unpack[Plan],
) -> RunResult:
    """Plays everybody against everybody, `games` times each (20), and rates them. The other keywords
    are those of `match`. With `format="gauntlet"` the first meets all others; with `format="swiss"`
    there are `rounds` rounds, in which each meets somebody with about the same score.

    >>> import collinear as cl
    >>> t = cl.tournament("random", "adjacent", "sequences", game="tictactoe", games=4)
    >>> t.games
    12
    >>> s = cl.tournament("random", "adjacent", "windows", "sequences", game="tictactoe", games=2,
    ...                   format="swiss", rounds=2)
    >>> len(s.summary["swiss"]["rounds"]), s.games
    (2, 8)
    """
    plan.setdefault("games", 20)
    spec = RunSpec(agents, **plan)
    return RunResult(*_play(spec, db, concurrency, fresh, on_game))


def _play(
    spec: RunSpec,
    db: str | Path | None,
    concurrency: int | None,
    fresh: bool,
    on_game: Heard | None,
) -> tuple[Run, str, Any]:
    folder = tempfile.TemporaryDirectory(prefix="collinear-") if db is None else None
    place = Path(folder.name) / "results.sqlite" if folder is not None else Path(str(db))
    run = Run(spec, place, PROGRAM, concurrency=concurrency, fresh=fresh)
    heard = None if on_game is None else lambda event: on_game(json.loads(event))
    return run, run.play(heard), folder
