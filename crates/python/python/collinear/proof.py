"""Checks certificates of `collinear prove` in plain Python: `python proof.py FILE`.

For people who trust nobody: this file uses no other part of the package. The format and the
argument behind each step are in docs/prove.md. A set of cells is an int with one bit per cell.
"""

import hashlib
import sys
from pathlib import Path


class Refused(ValueError):
    """The certificate shows nothing: says where and why."""


def _require(holds: object, why: str) -> None:
    if not holds:
        raise Refused(why)


def _bits(cells: int) -> list[int]:
    return [1 << index for index in range(cells.bit_length()) if cells >> index & 1]


class _Game:
    """Rules, windows with the cells beside them, the symmetries of the board."""

    def __init__(self, text: str) -> None:
        size, *parts = text.split(",")
        given = dict(part.partition("=")[::2] for part in parts)
        width, height = (int(side) for side in size.split("x"))
        self.width, self.k, self.p, self.q = width, *(int(given.get(name, 1)) for name in "kpq")
        self.gravity, self.exact, self.cells = "gravity" in given, "exact" in given, width * height
        known = given.keys() <= {"k", "p", "q", "gravity", "exact"} and 0 < self.cells <= 64
        _require(known and self.k > 0 < min(self.p, self.q), f"game {text!r} has no certificates")
        at = [(x, y) for y in range(height) for x in range(width)]
        letters = [chr(96 + x // 26) * (x > 25) + chr(97 + x % 26) for x in range(width)]
        self.named = {f"{letters[x]}{y + 1}": 1 << c for c, (x, y) in enumerate(at)}
        self.windows = []
        for x, y, dx, dy in ((x, y, *step) for x, y in at for step in ((1, 0), (0, 1), (1, 1), (1, -1))):
            row = [(x + i * dx, y + i * dy) for i in range(-1, self.k + 1)]
            cells = [1 << b * width + a if 0 <= a < width and 0 <= b < height else 0 for a, b in row]
            if all(cells[1:-1]):
                self.windows.append((sum(cells[1:-1]), (cells[0] | cells[-1]) * self.exact))
        self.views = [[y * width + x for x, y in at], [y * width + width - 1 - x for x, y in at]]
        if not self.gravity:
            self.views += [[self.cells - 1 - c for c in view] for view in self.views]
            self.views += [[view[x * width + y] for x, y in at] for view in self.views if width == height]

    def in_time(self, left: int, rest: int) -> tuple[int, int]:
        """How many of the next stones the player to move places, who has `left` in this turn, and the other."""
        rounds, more = divmod(max(rest - left, 0), 2 * self.p)
        return min(rest, left) + rounds * self.p + max(more - self.p, 0), rounds * self.p + min(more, self.p)


class _Walk:
    """One claim: the player of `mine` wins, or holds (`theirs` never complete a row); perhaps within a limit of stones."""

    def __init__(self, game: _Game, wins: bool, weak: bool, limited: bool, data: bytes) -> None:
        self.game, self.wins, self.weak, self.limited, self.data, self.at = game, wins, weak, limited, data, 0
        self.shown: set[object] = set()

    def take(self) -> int:
        _require(self.at < len(self.data), "the strategy ends here")
        self.at += 1
        return self.data[self.at - 1]

    def show(self, mine: int, theirs: int, my_turn: bool, left: int, rest: int) -> None:
        game, empty = self.game, (1 << self.game.cells) - 1 & ~(mine | theirs)
        playable = empty & (~empty << game.width | (1 << game.width) - 1) if game.gravity else empty
        if self.weak and any(w & mine == w and not flanks & mine for w, flanks in game.windows):
            return  # the holder has completed a row: the game is over
        my_time, their_time = game.in_time(left, rest)[:: 1 if my_turn else -1]
        rows = [w for w, f in game.windows if not (w & theirs or f & mine or self.weak) and (w & empty).bit_count() <= my_time]
        their_rows = [w for w, f in game.windows if not (w & mine or f & theirs) and (w & empty).bit_count() <= their_time]
        own, other = [w & empty for w in rows], [w & empty for w in their_rows]
        mover = own if my_turn else other
        if any(w.bit_count() == 1 and w & playable if game.gravity else w.bit_count() <= left for w in mover):
            return _require(my_turn, "the opponent completes a row")
        if not (own if self.wins else other):
            return _require(not self.wins, "no row is left for the player who is to win")
        ours, others, alive = ({b for w in ws for b in _bits(w)} for ws in (rows, their_rows, own + other))
        signs = [1 if b & mine and (game.exact or b in ours) else 2 if b & theirs and (game.exact or b in others)
                 else 0 if b & empty and (game.gravity or game.exact or b in alive) else 3
                 for b in (1 << c for c in range(game.cells))]  # fmt: skip
        form = min(tuple(signs[c] for c in view) for view in game.views), my_turn, left, self.limited and rest
        if form in self.shown:
            return
        reasoned = not self.wins and (not my_turn or self.data[self.at : self.at + 1] >= b"\x80")
        if not (reasoned and self.reason(other, empty, my_turn, left)):
            moves = [1 << self.take()] if my_turn else self.replies(own, other, playable)
            _require(not my_turn or moves[0] & playable, "the cell cannot be played")
            turn = (my_turn, left - 1) if left > 1 else (not my_turn, min(game.p, empty.bit_count() - 1))
            for cell in moves:
                self.show(mine | cell * my_turn, theirs | cell * (not my_turn), *turn, rest - 1)
        self.shown.add(form)

    def replies(self, own: list[int], other: list[int], playable: int) -> list[int]:
        """The opponent's cells that matter: covers of a threat; none that another cell dominates."""
        threats = [(w.bit_count(), w) for w in own if w.bit_count() <= self.game.p and not self.game.gravity]
        cells = _bits(min(threats)[1] if threats else playable)
        if self.game.gravity or self.game.exact:
            return cells
        common = {cell: playable for cell in _bits(playable)}
        for window in own + other:
            common |= {cell: common[cell] & window for cell in _bits(window)}
        return [c for c in cells if not any(not common[d] & c or d < c for d in _bits(common[c] & ~c))]

    def reason(self, other: list[int], empty: int, my_turn: bool, left: int) -> bool:
        """Reads why the holder holds here; False when every reply is shown."""
        game, p, kind, holds = self.game, self.game.p, self.take(), False
        if kind == 0x80 and not game.gravity and not my_turn and left <= p:
            groups = [[1 << self.take() for _ in range(p + 1)] for _ in range(self.take())]
            sets, cells = [sum(group) for group in groups], [cell for group in groups for cell in group]
            holds = len(set(cells)) == len(cells) and all(c & empty for c in cells)
            holds &= all(any(g & w == g for g in sets) for w in other)
        elif kind == 0x81 and not game.gravity and (my_turn or left <= p):
            bound = 1 if my_turn and left == p else 1 / (1 + p)
            holds = sum((1 + p) ** (-w.bit_count() / p) for w in other) < bound * (1 - 1e-9)
        elif kind == 0x82 and game.gravity and p == 1 and not my_turn and left == 1:
            columns = [[c for c in _bits(empty) if (c.bit_length() - 1) % game.width == x] for x in range(game.width)]
            answers = sum(c for column in columns for c in column[1::2])
            holds = all(len(column) % 2 == 0 for column in columns) and all(w & answers for w in other)
        _require(holds or (kind == 0xFE and not my_turn), f"the reason {kind:#04x} does not hold")
        return holds


def check(file: bytes) -> tuple[str, str, int]:
    """Checks the bytes of a certificate; returns the game, its value and the positions shown."""
    head, _, body = file.partition(b"\n\n")
    head, _, digest = head.rpartition(b"\nsha256 ")
    _require(hashlib.sha256(head + b"\n" + body).hexdigest().encode() == digest, "the digest does not fit")
    title, rules, black, white, turn, value, *parts = (line.split() for line in head.decode().split("\n"))
    (_, winner, *distance), (_, to_move, stones_left), shown = value, turn, 0
    kind = "collinear certificate 2" if distance else "collinear certificate 1"
    _require([*title, black[0], white[0]] == [*kind.split(), "black", "white"], "this is not a certificate")
    game, left, limit = _Game(rules[1]), int(stones_left), int(distance[1]) if distance else 10**9
    stones = {name: sum({game.named.get(cell, 0) for cell in cells}) for name, *cells in (black, white)}
    won = any(w & s == w and not flanks & s for w, flanks in game.windows for s in stones.values())
    _require(not (won or stones["black"] & stones["white"]) and set(black[1:] + white[1:]) <= game.named.keys()
             and 1 <= left <= max(game.p, game.q), "the position is impossible")  # fmt: skip
    _require(not distance or (winner != "draw" and limit <= game.cells), "the distance is impossible")
    holders = ["black", "white"] if winner == "draw" or distance else []
    needed = {(name, "wins" if name == winner else "holds") for name in [*holders, winner] if name != "draw"}
    whole = len(body) == sum(int(part[4]) for part in parts) and needed <= {(part[1], part[2]) for part in parts}
    _require(whole, f"the claims do not show the value {winner}, or a strategy was cut")
    for _, player, goal, kind, length in parts:
        data, body, first = body[: int(length)], body[int(length) :], to_move == player
        known = {"wins": ["strong"], "holds": ["strong", "weak", "stealing"]}.get(goal, [])
        _require(kind in known, f"unknown claim {player} {goal} {kind}")
        if kind == "stealing":
            fits = not any(stones.values()) and first and player == "black" and left >= game.p
            _require(fits and not game.gravity and not game.exact, "strategy stealing does not apply")
            continue
        rest, attacks = limit - (goal == "holds" and limit < 10**9), first == (goal == "wins")
        while 0 < rest < 10**9 and len({game.in_time(left, stop)[not attacks] for stop in (rest, rest - 1)}) == 1:
            rest -= 1  # stones of the one who defends complete nothing
        walk = _Walk(game, goal == "wins", kind == "weak", bool(distance), data)
        try:
            walk.show(stones[player], stones["white" if player == "black" else "black"], first, left, rest)
            _require(walk.at == len(data), f"{len(data) - walk.at} bytes are left over")
        except Refused as fault:
            raise Refused(f"{player} {goal}, byte {walk.at}: {fault}") from None
        shown += len(walk.shown)
    return rules[1], " ".join(value[1:]), shown


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, *check(Path(path).read_bytes()))
