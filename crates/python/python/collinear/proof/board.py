"""The rules, the windows and the symmetries of a board. A set of cells is an int with one bit per cell."""

from collections.abc import Iterable
from functools import reduce
from operator import or_


class Refused(ValueError):
    """The certificate shows nothing: says where and why."""


def require(holds: object, why: str) -> None:
    """Refuses the certificate unless something holds."""
    if not holds:
        raise Refused(why)


def bits(cells: int) -> list[int]:
    """The cells of a set, the lowest first."""
    return [1 << index for index in range(cells.bit_length()) if cells >> index & 1]


def union(sets: Iterable[int]) -> int:
    """All cells of some sets."""
    return reduce(or_, sets, 0)


class Game:
    """A game such as `5x5,k=4,p=2,q=1`."""

    def __init__(self, text: str) -> None:
        size, *words = text.split(",")
        given = dict(word.partition("=")[::2] for word in words)
        width, height = (int(side) for side in size.split("x"))
        self.k, self.p, self.q = (int(given.get(name, 1)) for name in "kpq")
        self.width, self.cells = width, width * height
        self.gravity, self.exact = "gravity" in given, "exact" in given
        numbers = (width, height, self.k, self.p, self.q)
        known = given.keys() <= {"k", "p", "q", "gravity", "exact"}
        require(known and all(0 < n <= 64 for n in numbers), f"game {text!r} has no certificates")
        bit = {(x, y): 1 << y * width + x for y in range(height) for x in range(width)}
        letters = [chr(96 + x // 26) * (x > 25) + chr(97 + x % 26) for x in range(width)]
        self.named = {f"{letters[x]}{y + 1}": bit[x, y] for x, y in bit}
        self.column = union(bit[0, y] for y in range(height))
        # Each window with the cells just outside it, where an own stone spoils an exact row.
        self.windows = []
        for x, y in bit:
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = [bit.get((x + i * dx, y + i * dy), 0) for i in range(-1, self.k + 1)]
                if all(line[1:-1]):
                    self.windows.append((sum(line[1:-1]), (line[0] | line[-1]) * self.exact))
        # Where each cell comes from under every rotation and reflection.
        self.views = [[y * width + x for x, y in bit], [y * width + width - 1 - x for x, y in bit]]
        if not self.gravity:
            self.views += [view[::-1] for view in self.views]
            if width == height:
                self.views += [[view[x * width + y] for x, y in bit] for view in self.views]

    def cells_named(self, names: list[str]) -> int:
        """The cells with these names."""
        require(set(names) <= self.named.keys(), "a stone is outside the board")
        return union(self.named[name] for name in names)

    def live(self, own: int, other: int, stones: int) -> list[int]:
        """The windows that the player of `own` can complete with this many stones."""
        open_windows = (w for w, beside in self.windows if not (w & other or beside & own))
        return [w for w in open_windows if (w & ~own).bit_count() <= stones]
