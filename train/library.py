"""games.cu for one game, as a library: for a card, or for a processor to try it out."""

import ctypes
import os
import struct
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
#: The rules as collinear writes them, width, height, k and p.
GAMES = {"gomoku": ("15x15,k=5", 15, 15, 5, 1), "connect6": ("19x19,k=6,p=2,q=1", 19, 19, 6, 2)}


class Settings(ctypes.Structure):
    """How games are played; the fields of `Settings` in games.cu."""

    _fields_ = [("seed", ctypes.c_uint64)]
    _fields_ += [(name, ctypes.c_int32) for name in ("visits", "quick_visits", "proof", "zone", "wander")]
    _fields_ += [(name, ctypes.c_float) for name in ("long_share", "noise")]


def settings(game, seed, visits, quick_visits, wander):
    # A turn of two stones has many more threats, and each costs more to look at.
    proof, zone = (96, 48) if GAMES[game][4] == 1 else (8, 4)
    return Settings(seed, visits, quick_visits, proof, zone, wander, 0.25, 0.25)


def checksum(library, data):
    """As it stands in a file."""
    return struct.pack("<Q", library.hash(bytes(data), len(data)))


def header(library, game, how, network):
    """The first bytes of a file of games: what it is, and what the games follow from (see records.rs)."""
    origin = {"game": GAMES[game][0], "by": "train/games.py", "seed": how.seed}
    origin |= {"visits": how.visits, "quick-visits": how.quick_visits, "wander": how.wander}
    origin["network"] = checksum(library, network)[::-1].hex()
    text = "".join(f"{name}={value}\n" for name, value in origin.items()).encode()
    data = b"SXGAMES1" + struct.pack("<I", len(text)) + text
    return data + checksum(library, data)


def open_games(library, path, first):
    """A file of games that begins with these bytes, to append to; how many it has, and the number after the last.

    A game that was begun at its end goes to a file of its own beside it."""
    if not os.path.exists(path) or not os.path.getsize(path):
        with open(path, "wb") as file:
            file.write(first)
    with open(path, "rb") as file:
        data = file.read()
    if data[: len(first)] != first:
        raise SystemExit(f"{path} was made with other settings, or its header is damaged: name another file")
    games, count, after = data[len(first) :], ctypes.c_int64(), ctypes.c_uint64()
    whole = library.check(games, len(games), ctypes.byref(count), ctypes.byref(after))
    if whole < 0:
        raise SystemExit(f"{path}: game {count.value + 1} is damaged: restore the file from a copy")
    if whole < len(games):
        aside = next(name for name in (f"{path}.torn-{i}" for i in range(1, 1001)) if not os.path.exists(name))
        with open(aside, "xb") as file:
            file.write(games[whole:])
        print(f"{path}: the last game was not finished; its {len(games) - whole} bytes are in {aside} now")
        os.truncate(path, len(first) + whole)
    return open(path, "ab"), count.value, after.value


def build(game, folder, card, warp=False):
    """For a card; else for a processor, with lanes put together to warps if asked for."""
    _, width, height, k, p = GAMES[game]
    path = os.path.join(folder, f"{game}.so")
    options = [f"-DW={width}", f"-DH={height}", f"-DK={k}", f"-DP={p}", "-std=c++17", "-O3", "-shared", "-o", path]
    source = os.path.join(HERE, "games.cu")
    if card:
        subprocess.run(["nvcc", "-arch=native", "-Xcompiler", "-fPIC", *options, source], check=True)
    else:
        options += ["-DWARP"] if warp else []
        subprocess.run(["c++", "-fPIC", *options, "-x", "c++", source], check=True)
    library = ctypes.CDLL(path)
    library.pack.restype = library.check.restype = ctypes.c_int64
    library.hash.restype = ctypes.c_uint64
    library.check.argtypes = [ctypes.c_char_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p]
    library.hash.argtypes = [ctypes.c_char_p, ctypes.c_int64]
    return library


def packed(library, records, count):
    """Finished games as they stand in a file; `records` is the address of the first."""
    space = ctypes.create_string_buffer(count * (library.record_bytes() + 16) + 1)
    length = library.pack(ctypes.c_void_p(records), count, space)
    if length < 0:
        raise SystemExit("the games that came back are damaged")
    return space.raw[:length]
