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


def header(game):
    """The first bytes of a file of games."""
    name = GAMES[game][0].encode()
    return b"SXV1" + bytes([len(name)]) + name


def open_games(path, game):
    """A file of games to append to, cut after its last whole game; how many it has, and the number after the last."""
    if not os.path.exists(path):
        with open(path, "wb") as file:
            file.write(header(game))
    with open(path, "rb") as file:
        data = file.read()
    at, count, after = len(header(game)), 0, 0
    if data[:at] != header(game):
        raise SystemExit(f"{path} has no games of {game}")
    while len(data) >= at + 16:
        length, _, number = struct.unpack_from("<IIQ", data, at)
        if len(data) < at + 8 + length:
            break
        at, count, after = at + 8 + length, count + 1, max(after, number + 1)
    os.truncate(path, at)
    return open(path, "ab"), count, after


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
    library.pack.restype = ctypes.c_int64
    return library


def packed(library, records, count):
    """Finished games as they stand in a file; `records` is the address of the first."""
    space = ctypes.create_string_buffer(count * (library.record_bytes() + 8) + 1)
    length = library.pack(ctypes.c_void_p(records), count, space)
    if length < 0:
        raise SystemExit("the games that came back are damaged")
    return space.raw[:length]
