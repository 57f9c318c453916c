#!/usr/bin/env python3
"""Draws how a network's strength grew: python train/elo.py docs/img/learning/elo.csv --out docs/img/learning/elo.png

The table has a row per match: the panel, the curve, the round, what it adds to the Elo of the round named in `over`
(nothing for a rival, whose Elo is 0), and the ends of its 95 % interval.
"""

import argparse
import csv
from collections import defaultdict

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.ticker import MaxNLocator


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--out", required=True)
    args = parser.parse_args()
    panels = defaultdict(lambda: defaultdict(list))
    with open(args.table, newline="") as file:
        for row in csv.DictReader(file):
            panels[row["panel"]][row["curve"]].append(row)
    figure, axes = plt.subplots(1, len(panels), figsize=(4.6 * len(panels), 4.0), squeeze=False)
    for axis, (panel, curves) in zip(axes[0], panels.items()):
        for curve, rows in curves.items():
            elo = {}
            for row in rows:
                base = elo.get(row["over"], 0.0)
                elo[row["round"]] = base + float(row["elo"])
            rounds = [int(row["round"]) for row in rows]
            middle = [elo[row["round"]] for row in rows]
            below = [float(row["elo"]) - float(row["low"]) for row in rows]
            above = [float(row["high"]) - float(row["elo"]) for row in rows]
            axis.errorbar(rounds, middle, [below, above], marker="o", capsize=3, label=curve)
        axis.xaxis.set_major_locator(MaxNLocator(integer=True)), axis.margins(y=0.2)
        axis.set_title(panel), axis.set_xlabel("round"), axis.set_ylabel("Elo"), axis.grid(alpha=0.3)
        axis.legend(loc="upper center", bbox_to_anchor=(0.5, -0.17), fontsize="small", frameon=False)
    figure.tight_layout()
    figure.savefig(args.out, dpi=110)


if __name__ == "__main__":
    main()
