"""Checks certificates of `collinear prove` in plain Python: `python proof.py FILE`.

For people who trust nobody: this file uses no other part of the package. The format and the
argument behind each step are in docs/prove.md. A set of cells is an int with one bit per cell.
"""

import hashlib
import re
import sys
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NoReturn


class Refused(ValueError):
    """The certificate shows nothing: says where and why."""


class _Game:
    """Rules, windows with the cells beside them, the symmetries of the board."""

    def __init__(self, text: str) -> None:
        size, *parts = text.split(",")
        self.width, self.height = width, height = tuple(map(int, size.split("x")))
        given = dict(part.partition("=")[::2] for part in parts)
        self.k, self.p, self.q = (int(given.get(name, 1)) for name in "kpq")
        self.gravity, self.exact, self.cells = "gravity" in given, "exact" in given, width * height
        known = given.keys() <= {"k", "p", "q", "gravity", "exact"}
        if not (known and 0 < self.cells <= 64 and 0 < self.k and self.p > 0 < self.q):
            raise Refused(f"game {text!r} has no certificates")
        self.windows = []
        starts = [(x, y, d) for y in range(height) for x in range(width) for d in ((1, 0), (0, 1), (1, 1), (1, -1))]
        for x, y, (dx, dy) in starts:
            row = [(x + i * dx, y + i * dy) for i in range(-1, self.k + 1)]
            bits = [1 << b * width + a if 0 <= a < width and 0 <= b < height else 0 for a, b in row]
            if all(bits[1:-1]):
                self.windows.append((sum(bits[1:-1]), (bits[0] | bits[-1]) * self.exact))
        at = [(c % width, c // width) for c in range(self.cells)]
        maps = [[y * width + x for x, y in at], [y * width + width - 1 - x for x, y in at]]
        if not self.gravity:
            maps += [[self.cells - 1 - c for c in m] for m in maps]
            maps += [[m[x * width + y] for x, y in at] for m in maps if width == height]
        self.views = [itemgetter(*m, m[0]) for m in maps]

    def cell(self, name: str) -> int:
        found = re.fullmatch(r"([a-z]?)([a-z])([1-9][0-9]?)", name) or ("", "", "~", "0")
        column, row = ord(found[2]) - 97 + (26 * (ord(found[1]) - 96) if found[1] else 0), int(found[3])
        if column >= self.width or row > self.height:
            raise Refused(f"{name!r} is not a cell of the board")
        return 1 << (row - 1) * self.width + column


def _bits(cells: int) -> Iterator[int]:
    return (1 << index for index in range(cells.bit_length()) if cells >> index & 1)


class _Walk:
    """One claim: the player of `mine` wins, or holds (`theirs` never complete a row)."""

    def __init__(self, game: _Game, wins: bool, weak: bool, data: bytes) -> None:
        self.game, self.wins, self.weak, self.data, self.at = game, wins, weak, data, 0
        self.shown: set[object] = set()
        self.path: list[int] = []

    def refuse(self, why: str) -> NoReturn:
        raise Refused(f"byte {self.at}, after cells {self.path}: {why}")

    def take(self) -> int:
        if self.at >= len(self.data):
            self.refuse("the strategy ends here")
        self.at += 1
        return self.data[self.at - 1]

    def show(self, mine: int, theirs: int, my_turn: bool, left: int) -> None:
        game, empty = self.game, (1 << self.game.cells) - 1 & ~(mine | theirs)
        playable = empty & (~empty << game.width | (1 << game.width) - 1) if game.gravity else empty
        if self.weak and any(w & mine == w and not flanks & mine for w, flanks in game.windows):
            return  # the holder has completed a row: the game is over
        rows = [w for w, flanks in game.windows if not (w & theirs or flanks & mine or self.weak)]
        their_rows = [w for w, flanks in game.windows if not (w & mine or flanks & theirs)]
        own, other = [w & empty for w in rows], [w & empty for w in their_rows]
        near = (lambda w: w.bit_count() == 1 and w & playable) if game.gravity else lambda w: w.bit_count() <= left
        if any(map(near, own if my_turn else other)):
            return None if my_turn else self.refuse("the opponent completes a row")
        if not (own if self.wins else other):
            return self.refuse("no row is left for the player who is to win") if self.wins else None
        cells = range(game.cells)
        ours, others, alive = ({c for c in cells if any(w >> c & 1 for w in ws)} for ws in (rows, their_rows, own + other))
        signs = [1 if mine >> c & 1 and (game.exact or c in ours)
                 else 2 if theirs >> c & 1 and (game.exact or c in others)
                 else 0 if empty >> c & 1 and (game.gravity or game.exact or c in alive) else 3 for c in cells]
        form = min(view(signs) for view in game.views), my_turn, left
        if form in self.shown:
            return
        reasoned = not self.wins and (not my_turn or self.data[self.at : self.at + 1] >= b"\x80")
        if not (reasoned and self.reason(other, empty, my_turn, left)):
            moves = [1 << self.take()] if my_turn else list(self.replies(own, other, playable))
            if my_turn and not moves[0] & playable:
                self.refuse("the cell cannot be played")
            turn = (my_turn, left - 1) if left > 1 else (not my_turn, min(game.p, empty.bit_count() - 1))
            for cell in moves:
                self.path.append(cell.bit_length() - 1)
                self.show(mine | cell * my_turn, theirs | cell * (not my_turn), *turn)
                self.path.pop()
        self.shown.add(form)

    def replies(self, own: list[int], other: list[int], playable: int) -> Iterator[int]:
        """The opponent's cells that matter: covers of a threat; none that another cell dominates."""
        if self.game.gravity:
            return _bits(playable)
        threats = [(w.bit_count(), w) for w in own if w.bit_count() <= self.game.p]
        common = {cell: playable for cell in _bits(playable)}
        for window in own + other:
            for cell in _bits(window):
                common[cell] &= window
        better = {c: any(not common[d] & c or d < c for d in _bits(common[c] & ~c)) for c in common}
        return (c for c in _bits(min(threats)[1] if threats else playable) if self.game.exact or not better[c])

    def reason(self, other: list[int], empty: int, my_turn: bool, left: int) -> bool:
        """Reads why the holder holds here; False when every reply is shown."""
        game, p, kind, holds = self.game, self.game.p, self.take(), False
        if kind == 0xFE and not my_turn:
            return False
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
        return holds or self.refuse(f"the reason {kind:#04x} does not hold")


def check(file: bytes) -> tuple[str, str, int]:
    """Checks the bytes of a certificate; returns the game, its value and the positions shown."""
    head, _, body = file.partition(b"\n\n")
    head, _, digest = head.rpartition(b"\nsha256 ")
    if hashlib.sha256(head + b"\n" + body).hexdigest().encode() != digest:
        raise Refused("the digest does not fit: the certificate is damaged")
    title, rules, black, white, turn, value, *parts = (line.split() for line in head.decode().split("\n"))
    if [*title, black[0], white[0]] != "collinear certificate 1 black white".split():
        raise Refused("this is not a certificate")
    game, shown, to_move, left = _Game(rules[1]), 0, turn[1], int(turn[2])
    stones = {name: sum({game.cell(cell) for cell in cells}) for name, *cells in (black, white)}
    won = any(w & s == w and not flanks & s for w, flanks in game.windows for s in stones.values())
    if stones["black"] & stones["white"] or won or not 1 <= left <= max(game.p, game.q):
        raise Refused("the position is impossible")
    needed = [("white", "holds"), ("black", "holds")] if value[1] == "draw" else [(value[1], "wins")]
    if not set(needed) <= {(part[1], part[2]) for part in parts} or len(body) != sum(int(part[4]) for part in parts):
        raise Refused(f"the claims do not show the value {value[1]}, or a strategy was cut")
    for _, player, goal, kind, length in parts:
        data, body = body[: int(length)], body[int(length) :]
        if (kind, goal) != ("strong", "wins") and (kind not in ("strong", "weak", "stealing") or goal != "holds"):
            raise Refused(f"unknown claim {player} {goal} {kind}")
        if kind == "stealing":
            if any(stones.values()) or [to_move, player] != ["black"] * 2 or left < game.p or game.gravity or game.exact:
                raise Refused("strategy stealing does not apply")
            continue
        walk = _Walk(game, goal == "wins", kind == "weak", data)
        walk.show(stones[player], stones["white" if player == "black" else "black"], to_move == player, left)
        if walk.at != len(data):
            raise Refused(f"byte {walk.at}: {len(data) - walk.at} bytes are left over")
        shown += len(walk.shown)
    return rules[1], value[1], shown


if __name__ == "__main__":
    for path in sys.argv[1:]:
        print(path, *check(Path(path).read_bytes()))
