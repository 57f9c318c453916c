#!/usr/bin/env python3
"""Plays and trains in turns: each round plays games with the newest network on all cores while the next
network is trained from the rounds before. One command, which goes on where it was cut off.

    python train/generations.py connect6 --collinear target/release/collinear --work c6 --rounds 8

The folder holds games-N.sxg, net-N.sxn and net-N.pt of every round; a round is over when its network is
there. Round 0 trains on --seed-games (files of `collinear fit games`) and plays with --first or the
shipped network.
"""

import argparse
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--collinear", default="collinear", help="the program")
    parser.add_argument("--work", required=True, help="the folder of this run")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--minutes", type=float, default=3.0, help="of a round")
    parser.add_argument("--visits", type=int, default=256)
    parser.add_argument("--quick-visits", type=int, default=48)
    parser.add_argument("--window", type=int, default=6, help="rounds of games that a network learns from")
    parser.add_argument("--seed-rounds", type=int, default=4, help="rounds that learn from --seed-games too")
    parser.add_argument("--seed-games", nargs="*", default=[], help="games of `collinear fit games`")
    parser.add_argument("--first", help="the network of round 0's games; the shipped one unless given")
    parser.add_argument("--start", help="a .pt that round 0 goes on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, help="of the games; all cores unless given")
    parser.add_argument("--train", default="", help="options for train.py, in one word: '--channels 64'")
    args = parser.parse_args()
    os.makedirs(args.work, exist_ok=True)
    extra = args.train.split()
    for number in range(args.rounds):
        if not os.path.exists(path(args, f"net-{number}.sxn")):
            play_and_train(args, number, extra)


def path(args, name):
    return os.path.join(args.work, name)


def play_and_train(args, number, extra):
    began = time.time()
    games = [args.collinear, "fit", "net-games", args.game, "--games", "1000000", "--minutes", str(args.minutes)]
    games += ["--visits", str(args.visits), "--quick-visits", str(args.quick_visits)]
    games += ["--seed", str(args.seed + 10_000_000 * number), "--out", path(args, f"games-{number}.sxg")]
    newest = path(args, f"net-{number - 1}.sxn") if number else args.first
    if newest:
        games += ["--weights", newest]
    if args.threads:
        games += ["--threads", str(args.threads)]
    playing = subprocess.Popen(games, stdout=sys.stdout, stderr=subprocess.DEVNULL)
    old = [path(args, f"games-{round_}.sxg") for round_ in range(max(0, number - args.window), number)]
    old += args.seed_games if number < args.seed_rounds else []
    if old:
        positions = path(args, "positions.sxp")
        subprocess.run([args.collinear, "fit", "positions", *old, "--fresh", "--out", positions], check=True)
        left = args.minutes - (time.time() - began) / 60
        train = [sys.executable, os.path.join(HERE, "train.py"), positions, "--minutes", f"{max(0.2, left):.3f}"]
        train += ["--out", path(args, f"net-{number}.sxn"), "--seed", str(args.seed + number)]
        start = path(args, f"net-{number - 1}.pt") if number else args.start
        if start and os.path.exists(start):
            train += ["--start", start, "--rate", "1e-3"]
        subprocess.run(train + extra, check=True)
    if playing.wait():
        sys.exit(f"round {number}: the games could not be played")
    print(f"round {number}: {time.time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
