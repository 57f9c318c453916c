"""Reads a certificate and has each of its claims shown: "Certificates" in docs/prove.md."""

import hashlib

from .board import Game, Refused, require
from .strategy import Strategy
from .zones import Zones

OTHER = {"black": "white", "white": "black"}


def check(file: bytes) -> tuple[str, str, int]:
    """Checks the bytes of a certificate; returns the game, its value and the positions shown."""
    head, _, body = file.partition(b"\n\n")
    head, _, digest = head.rpartition(b"\nsha256 ")
    found = hashlib.sha256(head + b"\n" + body).hexdigest()
    require(found.encode() == digest, "the digest does not fit")
    title, rules, black, white, turn, value, *parts = (line.split() for line in head.decode().split("\n"))
    require(title[:2] == ["collinear", "certificate"], "this is not a certificate")
    game, (to_move, left), (winner, *within) = Game(rules[-1]), turn[1:], value[1:]
    stones = {name: game.cells_named(cells) for name, *cells in (black, white)}
    won = any(game.live(stones[name], stones[OTHER[name]], 0) for name in OTHER)
    require(not (won or stones["black"] & stones["white"]), "the position is impossible")
    require(to_move in OTHER and 1 <= int(left) <= max(game.p, game.q), "the turn is impossible")
    empty = game.cells - (stones["black"] | stones["white"]).bit_count()
    limit = int(within[-1]) if within else None
    require(winner in OTHER or (winner == "draw" and limit is None), f"{winner!r} is not a value")
    require(limit is None or 0 < limit <= empty, "the distance is impossible")
    # Who places each of the stones to come: the rest of this turn, then p and p.
    order = [to_move] * int(left) + ([OTHER[to_move]] * game.p + [to_move] * game.p) * empty

    shown, missing = 0, {(winner, "wins")} if winner in OTHER else {(name, "holds") for name in OTHER}
    if within:
        missing.add((OTHER[winner], "holds"))
    for _, player, goal, kind, length in parts:
        data, body = body[: int(length)], body[int(length) :]
        require(player in OTHER, f"{player!r} is not a player")
        missing.discard((player, goal))
        if (goal, kind) == ("holds", "stealing"):
            first = (player, to_move, empty) == ("black", "black", game.cells)
            fits = first and int(left) >= game.p and not game.gravity and not game.exact
            require(fits, "strategy stealing does not apply")
            continue
        turns = [name == player for name in order[:empty]]
        if (goal, kind) == ("wins", "zones"):
            require(limit is None, "zones tell no distance")
            walk: Zones | Strategy = Zones(game, turns, int(left), data)
        else:
            require((goal, kind) in (("wins", "strong"), ("holds", "strong"), ("holds", "weak")), f"{goal} {kind}?")
            # A limit ends with a stone of the one who is to complete a row: others complete nothing.
            last = None if limit is None else limit - (goal == "holds")
            while last and turns[last - 1] != (goal == "wins"):
                last -= 1
            walk = Strategy(game, goal, kind, turns, last, data)
        try:
            walk.show(stones[player], stones[OTHER[player]])
            require(walk.at == len(data) == int(length), f"{len(data) - walk.at} bytes are left over")
        except (Refused, RecursionError) as fault:
            raise Refused(f"{player} {goal}, byte {walk.at}: {fault}") from None
        shown += len(walk.shown)
    require(not missing and not body, f"the claims do not show the value {winner}")
    return rules[-1], " ".join(value[1:]), shown
