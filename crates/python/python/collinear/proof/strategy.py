"""The walk through a strategy of a player who wins, or who holds: the other never completes a row."""

from .board import Game, bits, require, union


class Strategy:
    """`turns` says of each stone to come whether the player of the strategy places it; with a `limit` so many of them
    count. The bytes of `data` are read where one is wanted."""

    def __init__(self, game: Game, goal: str, kind: str, turns: list[bool], limit: int | None, data: bytes) -> None:
        self.game, self.turns, self.limit, self.data, self.at = game, turns, limit, data, 0
        self.wins, self.weak = goal == "wins", kind == "weak"
        self.shown: set[object] = set()

    def show(self, mine: int, theirs: int) -> None:
        """Shows that the player of `mine` reaches the goal, or refuses."""
        game, empty = self.game, (1 << self.game.cells) - 1 & ~(mine | theirs)
        playable = empty & (~empty << game.width | (1 << game.width) - 1) if game.gravity else empty
        placed = len(self.turns) - empty.bit_count()
        my_turn = self.turns[placed : placed + 1] == [True]
        left = [*self.turns[placed:], not my_turn].index(not my_turn)
        if self.weak and game.live(mine, theirs, 0):
            return  # the holder has completed a row: the game is over

        # 1. Whoever is to move completes a row.
        timed = self.turns[placed : self.limit]
        times = [game.cells if self.limit is None else timed.count(me) for me in (True, False)]
        my_rows = [] if self.weak else game.live(mine, theirs, times[0])
        their_rows = game.live(theirs, mine, times[1])
        own, other = [w & empty for w in my_rows], [w & empty for w in their_rows]
        reach = 1 if game.gravity else left
        if any(w.bit_count() <= reach and w & playable for w in (own if my_turn else other)):
            return require(my_turn, "the opponent completes a row")
        # 2. Nobody completes a row where none is left.
        if not (own if self.wins else other):
            return require(not self.wins, "no row is left for the player who is to win")
        # 3. It was shown before. Walls stand for stones and cells in no live window, where these change nothing.
        seen = [mine, theirs, empty]
        if not game.exact:
            seen[:2] = mine & union(my_rows), theirs & union(their_rows)
            seen[2] = empty if game.gravity else union(own + other)
        signs = [sum(sign for sign, cells in enumerate(seen, 1) if cells >> c & 1) for c in range(game.cells)]
        board = min([signs[c] for c in view] for view in game.views)
        form = bytes(board), my_turn, left, self.limit is not None and len(timed)
        if form in self.shown:
            return
        # 4. A byte: my cell, or why I hold; 5. every reply that matters.
        byte = self.take() if my_turn or not self.wins else 0xFE
        if byte == 0xFE and not my_turn:
            for cell in self.replies(own, other, playable):
                self.show(mine, theirs | cell)
        elif byte < 0x80 and my_turn:
            require(1 << byte & playable, "the cell cannot be played")
            self.show(mine | 1 << byte, theirs)
        else:
            holds = not self.wins and self.reason(byte, other, empty, my_turn, left)
            require(holds, f"the reason {byte:#04x} does not hold")
        self.shown.add(form)

    def take(self) -> int:
        """The next byte."""
        require(self.at < len(self.data), "the strategy ends here")
        self.at += 1
        return self.data[self.at - 1]

    def replies(self, own: list[int], other: list[int], playable: int) -> list[int]:
        """The opponent's cells that matter: covers of a threat; none that another cell dominates."""
        game = self.game
        threats = [w for w in own if w.bit_count() <= game.p and not game.gravity]
        cells = bits(min(threats, key=lambda w: (w.bit_count(), w)) if threats else playable)
        if game.gravity or game.exact:
            return cells
        # The cells that are in every live window through a cell.
        common = {cell: playable for cell in bits(playable)}
        for window in own + other:
            common |= {cell: common[cell] & window for cell in bits(window)}
        return [c for c in cells if not any(d < c or not common[d] & c for d in bits(common[c] & ~c))]

    def reason(self, kind: int, other: list[int], empty: int, my_turn: bool, left: int) -> bool:
        """Whether a reason shows that the player holds from here on, whatever happens."""
        game, p = self.game, self.game.p
        if kind == 0x80 and not game.gravity and not my_turn and left <= p:
            groups = [[1 << self.take() for _ in range(p + 1)] for _ in range(self.take())]
            cells, sets = [cell for group in groups for cell in group], [union(group) for group in groups]
            apart = len(set(cells)) == len(cells) and all(cell & empty for cell in cells)
            return apart and all(any(g & w == g for g in sets) for w in other)
        if kind == 0x81 and not game.gravity and (my_turn or left <= p):
            bound = 1 if my_turn and left == p else 1 / (1 + p)
            potential: float = sum((1 + p) ** (-w.bit_count() / p) for w in other)
            return potential < bound * (1 - 1e-9)
        if kind == 0x82 and game.gravity and p == 1 and not my_turn and left == 1:
            columns = [bits(empty & game.column << x) for x in range(game.width)]
            answers = union(cell for column in columns for cell in column[1::2])
            return all(len(column) % 2 == 0 for column in columns) and all(w & answers for w in other)
        return False
