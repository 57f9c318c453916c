#!/usr/bin/env python3
"""Plays games of the network against itself on a graphics card, thousands at once, and trains from them in turns.

    python train/games.py gomoku --work g --first g0.sxn --rounds 3 --games 25000 --minutes 2

Each round plays --games games with the newest network into games-N.sxg (as `collinear fit net-games` does on the
cores of a computer; games.cu has the rules, the search and the proofs), then trains net-N.sxn for --minutes from the
games of the last rounds. A round is over when its network is there: a run that was cut off goes on from its files,
without the games that were being played. Answers of a card differ between cards, and games with them.
Needs nvcc; without a card a C++ compiler, to try it out.
"""

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time

import torch

from library import GAMES, build, header, open_games, packed, settings
from model import Folded

HERE = os.path.dirname(os.path.abspath(__file__))
# Finished games that wait on the card, and steps between two looks at them.
ROOM, LOOK_EVERY = 8192, 64


class Group:
    """Games that are evaluated together; two groups take turns on the card."""

    def __init__(self, library, game, count, how, counts, out, device):
        _, self.width, self.height, _, _ = GAMES[game]
        self.library, self.count, self.how, self.counts, self.out = library, count, how, counts, out
        cells = self.width * self.height
        self.games = torch.zeros(count * library.game_bytes(), dtype=torch.uint8, device=device)
        self.questions = torch.zeros(count, cells + 1, dtype=torch.uint8, device=device)
        self.answers = torch.zeros(count, cells + 1, device=device)
        self.stream = torch.cuda.Stream() if device.type == "cuda" else None

    def load(self, net):
        self.net, self.graph = net, None
        if self.stream is None:
            return
        torch.cuda.synchronize()
        with torch.cuda.stream(self.stream):
            for _ in range(3):
                self.evaluate()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=self.stream):
            self.evaluate()
        self.graph = graph

    def evaluate(self):
        # In parts that the card's fast memory holds better.
        for part in range(0, self.count, 2048):
            rows = slice(part, part + 2048)
            self.answers[rows] = self.net.answer(self.questions[rows], self.width, self.height)

    def step(self):
        if self.stream is None:
            self.play(None)
            self.evaluate()
            return
        with torch.cuda.stream(self.stream):
            self.play(ctypes.c_void_p(self.stream.cuda_stream))
            self.graph.replay()

    def play(self, stream):
        pointer = lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        error = self.library.play(
            pointer(self.games), self.count, ctypes.byref(self.how), pointer(self.answers),
            pointer(self.questions), pointer(self.out), ROOM, pointer(self.counts), stream,
        )  # fmt: skip
        if error:
            sys.exit(f"the card refuses to play: CUDA error {error}")


class Player:
    """All games, and the finished ones on their way to a file."""

    def __init__(self, library, game, count, how, first_number, device):
        self.game, self.how, self.device, self.library = game, how, device, library
        self.counts = torch.tensor([first_number, 0], dtype=torch.int32, device=device)
        self.out = torch.zeros(ROOM, self.library.record_bytes(), dtype=torch.uint8, device=device)
        self.groups = [Group(self.library, game, count // 2, how, self.counts, self.out, device) for _ in range(2)]

    def load(self, path):
        with open(path, "rb") as file:
            self.net = file.read()
        net = Folded(self.net, self.device)
        for group in self.groups:
            group.load(net)

    def drain(self):
        """The games that ended since the last time, as bytes of an .sxg file, and their number."""
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        count = min(int(self.counts[1]), ROOM)
        records = self.out[:count].cpu()
        self.counts[1] = 0
        if self.device.type == "cuda":
            torch.cuda.synchronize()
        return packed(self.library, records.data_ptr(), count), count

    def play(self, path, games):
        """Goes on until a file has this many games."""
        began = reported = time.time()
        file, done, _ = open_games(self.library, path, header(self.library, self.game, self.how, self.net))
        with file:
            while done < games:
                for _ in range(LOOK_EVERY):
                    for group in self.groups:
                        group.step()
                ended, count = self.drain()
                file.write(ended)
                file.flush()
                done += count
                if time.time() - reported > 10:
                    reported = time.time()
                    print(f"{done} games in {reported - began:.0f} s", flush=True)
        print(f"{path}: {done} games in {time.time() - began:.0f} s", flush=True)


def start(stem):
    """What to train on from: the network as PyTorch wrote it, or else what is shipped of it."""
    return stem + ".pt" if os.path.exists(stem + ".pt") else stem + ".sxn"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--work", required=True, help="the folder of this run")
    parser.add_argument("--first", required=True, help="the network, .sxn, of the first round's games")
    parser.add_argument("--collinear", default="collinear", help="the program")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--games", type=int, default=25_000, help="of a round")
    parser.add_argument("--minutes", type=float, default=2.0, help="of training in a round")
    parser.add_argument("--window", type=int, default=4, help="rounds of games that a network learns from")
    parser.add_argument("--at-once", type=int, default=4096, help="games played at once; of many, short ones end first")
    parser.add_argument("--visits", type=int, default=256, help="of a long search, one in four")
    parser.add_argument("--quick-visits", type=int, default=48)
    parser.add_argument("--wander", type=int, default=48, help="stones that an opening goes on by at most, as the network likes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--train", default="--rate 1e-3", help="options for train.py, in one word")
    args = parser.parse_args()
    if not 0 < args.visits <= 256 or not 0 < args.quick_visits <= 256:
        parser.error("a search has 1 to 256 visits")
    if not 0 <= args.wander <= 100:
        parser.error("an opening goes on by 0 to 100 stones")
    os.makedirs(args.work, exist_ok=True)
    path = lambda name: os.path.join(args.work, name)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    player = None
    for number in range(args.rounds):
        newest = path(f"net-{number - 1}") if number else None
        if os.path.exists(path(f"net-{number}.sxn")):
            continue
        games = path(f"games-{number}.sxg")
        net = newest + ".sxn" if newest else args.first
        if player is None:
            how = settings(args.game, args.seed, args.visits, args.quick_visits, args.wander)
            library = build(args.game, tempfile.mkdtemp(), card=device.type == "cuda")
            with open(net, "rb") as file:
                first = header(library, args.game, how, file.read())
            # Games that were being played when a run was cut off are not begun again.
            file, _, after = open_games(library, games, first)
            file.close()
            after = max(10_000_000 * number, after + 2 * args.at_once)
            player = Player(library, args.game, args.at_once, how, after, device)
        player.load(net)
        player.play(games, args.games)
        old = [path(f"games-{round_}.sxg") for round_ in range(max(0, number + 1 - args.window), number + 1)]
        positions = path("positions.sxp")
        subprocess.run([args.collinear, "fit", "positions", *old, "--fresh", "--out", positions], check=True)
        train = [sys.executable, os.path.join(HERE, "train.py"), positions, "--minutes", str(args.minutes)]
        train += ["--out", path(f"net-{number}.sxn"), "--seed", str(args.seed + number), *args.train.split()]
        subprocess.run([*train, "--start", start(newest or os.path.splitext(args.first)[0])], check=True)


if __name__ == "__main__":
    main()
