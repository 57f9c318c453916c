"""Wins by relevance zones, on boards of any size: "Large boards" in docs/prove.md.

A zone is a set of cells; the attacker wins whatever stones of the defender stand outside it, as far as they are allowed
for. So only the defender's turns with a stone in the zone are gone through.
"""

from .board import Game, bits, require, union

#: More stones per turn have too many ways to stop threats.
MAX_AT_ONCE = 4
#: Places of the defender that are gone through at most, so that no file keeps the checker for ever.
MAX_STEPS = 1 << 22


class Zones:
    """A player wins by the turns of `data`, which stand there in the order in which the walk wants them. `turns` says
    of each stone to come whether that player places it, `left` how many are left of the turn."""

    def __init__(self, game: Game, turns: list[bool], left: int, data: bytes) -> None:
        require(not game.gravity, "there are no zones with gravity")
        self.game, self.left, self.data, self.at, self.steps = game, left, data, 0, 0
        self.first = turns[:1] == [True]
        self.shown: dict[tuple[int, int, int, int], int] = {}
        self.through = {cell: [w for w, _ in game.windows if w & cell] for cell in game.named.values()}

    def show(self, mine: int, theirs: int) -> None:
        """Shows that the player of `mine` wins, or refuses."""
        (self.attack if self.first else self.defend)(mine, theirs, self.left, 0)

    def attack(self, mine: int, theirs: int, left: int, extra: int) -> int:
        """The zone of a win of the attacker, who has `left` stones to place, even if `extra` more stones of the
        defender stand outside it."""
        rows = [w & ~mine for w in self.game.live(mine, theirs, left)]
        if rows:
            return min(rows, key=lambda row: (row.bit_count(), row))
        place = (mine, theirs, left, extra)
        if place not in self.shown:
            turn, at_once = self.take(left)
            require(turn.bit_count() == left and not turn & (mine | theirs), "the turn cannot be played")
            answer = self.at_once if at_once else self.defend
            self.shown[place] = turn | answer(mine | turn, theirs, self.game.p, extra)
        return self.shown[place]

    def defend(self, mine: int, theirs: int, stones: int, extra: int, done: int = 0) -> int:
        """The same with the defender to place `stones`; turns with a stone of `done` are answered already."""
        self.steps += 1
        require(self.steps <= MAX_STEPS, "going through the defender's turns takes too long")
        zone = self.danger(mine, theirs, stones, extra)
        passed = self.attack(mine, theirs, self.game.p, extra + stones)
        cells = bits(passed & ~(mine | theirs | done)) if stones else []
        for cell in sorted(cells, key=lambda cell: (-self.weight(cell, mine, theirs), cell)):
            zone |= self.defend(mine, theirs | cell, stones - 1, extra, done)
            done |= cell
        return zone | passed

    def at_once(self, mine: int, theirs: int, stones: int, extra: int) -> int:
        """One continuation against all turns that stop the threats, where stopping them needs the whole turn."""
        zone = self.danger(mine, theirs, stones, extra)
        threats = [w & ~mine for w in self.game.live(mine, theirs, stones)]
        forced = stones <= MAX_AT_ONCE and not self.game.exact and not stops(threats, stones - 1)
        require(forced, "the defender need not use the whole turn against the threats")
        covers = union(stops(threats, stones))
        if covers:
            zone |= self.attack(mine, theirs | covers, stones, extra)
        return zone | union(threats)

    def danger(self, mine: int, theirs: int, stones: int, extra: int) -> int:
        """The cells of rows that the defender completes with the extra stones; no row may need none of these."""
        require(not self.game.live(theirs, mine, stones), "the opponent completes a row")
        return union(w & ~theirs for w in self.game.live(theirs, mine, stones + extra))

    def weight(self, cell: int, mine: int, theirs: int) -> int:
        """How much a stone on a cell changes: windows through it of one colour, four times as much per stone."""
        live = (w for w in self.through[cell] if not (w & mine and w & theirs))
        return sum(1 << min(2 * (w & (mine | theirs)).bit_count(), 40) for w in live)

    def take(self, left: int) -> tuple[int, bool]:
        """The next turn, two bytes per stone; the highest bit of the first stone says `at_once`."""
        require(self.at + 2 * left <= len(self.data), "the strategy ends here")
        turn = self.data[self.at : self.at + 2 * left]
        self.at += len(turn)
        first, *more = (turn[i] | turn[i + 1] << 8 for i in range(0, len(turn), 2))
        cells = [first & 0x7FFF, *more]
        require(max(cells) < self.game.cells, "the turn cannot be played")
        return union(1 << cell for cell in cells), bool(first >> 15)


def stops(threats: list[int], stones: int) -> set[int]:
    """The sets of at most this many cells that hit all threats."""
    if not threats:
        return {0}
    first, rest = (bits(threats[0]), stones - 1) if stones > 0 else ([], 0)
    return {cell | more for cell in first for more in stops([w for w in threats if not w & cell], rest)}
