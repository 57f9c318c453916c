#!/usr/bin/env python3
"""Prints what PyTorch makes of a few boards with a network: the program's test compares itself with it.

    python train/golden.py crates/engine/weights/connect6.sxn > crates/engine/src/net/golden.txt

A line: width, height, 1 if one stone is left, a digit per cell (0 empty, 1 own, 2 the opponent's), the value's
logit, then logits of nine cells spread over the board.
"""

import random
import sys

import torch

from model import Folded


def main():
    with open(sys.argv[1], "rb") as file:
        net = Folded(file.read(), torch.device("cpu"))
    dice = random.Random(1)
    print(f"# python train/golden.py {sys.argv[1]}, PyTorch {torch.__version__.split('+')[0]}")
    for width, height, stones in ((19, 19, 1), (19, 19, 9), (19, 19, 60), (15, 15, 31), (9, 13, 20)):
        for one_left in (0, 1):
            cells = [0] * (width * height)
            for at, cell in enumerate(dice.sample(range(width * height), stones)):
                cells[cell] = 1 + at % 2
            board = torch.tensor(cells).view(1, height, width)
            planes = torch.stack([board == 1, board == 2, board >= 0, torch.full_like(board, one_left) == 1], 1)
            value, policy = net(planes)
            spread = policy[0, :: width * height // 8][:9]
            numbers = " ".join(f"{number:.6f}" for number in [value.item(), *spread.tolist()])
            print(width, height, one_left, "".join(map(str, cells)), numbers)


if __name__ == "__main__":
    with torch.no_grad():
        main()
