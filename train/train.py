#!/usr/bin/env python3
"""Turns positions into a network for Sextant.

    collinear fit net-games connect6 --games 25000 --out c6.sxg
    collinear fit positions c6.sxg --out c6.sxp
    python train/train.py c6.sxp --minutes 5 --out c6.sxn
    collinear match sextant:weights=c6.sxn sextant --game connect6 --openings balanced --time 200ms

Beside c6.sxn it writes c6.pt (to go on from with --start), c6.csv and, where matplotlib is installed,
c6.png: the loss while training. Seeded; on a GPU in bfloat16, else on the CPU. A sixteenth of the games
is held back and only measured.
"""

import argparse
import csv
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from model import Net, from_bytes, to_bytes

LOOKS = 24


def read(path):
    """A file of positions (see crates/engine/src/fit/positions.rs): its rules and its records."""
    data = np.fromfile(path, np.uint8)
    if data[:4].tobytes() != b"SXP1":
        raise SystemExit(f"{path} is not a file of positions: it does not begin with SXP1")
    width, height, k, p, overline = (int(number) for number in data[4:9])
    length = 2 * ((width * height + 7) // 8) + 8 + 4 * LOOKS
    if (len(data) - 16) % length:
        raise SystemExit(f"{path} ends within a position")
    return (width, height, k, p, overline), data[16:].reshape(-1, length)


class Positions:
    """Records on the device, unpacked batch by batch."""

    def __init__(self, records, width, height, device):
        self.width, self.height, self.device = width, height, device
        self.bits = (width * height + 7) // 8
        games = np.ascontiguousarray(records[:, 2 * self.bits + 6 : 2 * self.bits + 8]).view("<u2")[:, 0]
        held = games % 16 == 0
        self.train = torch.from_numpy(np.ascontiguousarray(records[~held])).to(device)
        self.held = torch.from_numpy(np.ascontiguousarray(records[held])).to(device)

    def batch(self, records, symmetry):
        w, h, bits = self.width, self.height, self.bits
        shifts = torch.arange(8, device=self.device, dtype=torch.uint8)

        def plane(part):
            cells = (part[:, :, None] >> shifts) & 1
            return cells.flatten(1)[:, : w * h].view(-1, h, w).float()

        own, other = plane(records[:, :bits]), plane(records[:, bits : 2 * bits])
        rest = records[:, 2 * bits :]
        one_left = rest[:, 0].float()
        teaches = rest[:, 1].float()
        result = rest[:, 2].view(torch.int8).float()
        value = rest[:, 4:6].contiguous().view(torch.int16)[:, 0].float() / 32767
        looks = rest[:, 8:].contiguous().view(torch.int16).view(-1, LOOKS, 2)
        cells, weights = looks[..., 0].long(), looks[..., 1].int() & 0xFFFF
        target = torch.zeros(len(records), w * h, device=self.device)
        target.scatter_add_(1, cells, weights.float())
        target = (target / target.sum(1, keepdim=True).clamp(min=1)).view(-1, h, w)
        planes = torch.stack([own, other, torch.ones_like(own), one_left[:, None, None].expand_as(own)], 1)
        if symmetry & 1:
            planes, target = planes.flip(3), target.flip(2)
        if symmetry & 2:
            planes, target = planes.flip(2), target.flip(1)
        if symmetry & 4 and w == h:
            planes, target = planes.transpose(2, 3), target.transpose(1, 2)
        return planes.contiguous(), target.flatten(1), teaches, result, value


def losses(net, batch, trust, quantised, device):
    planes, target, teaches, result, value = batch
    with torch.autocast(device.type, dtype=torch.bfloat16, enabled=device.type == "cuda"):
        logit, policy = net(planes, quantised)
    wanted = (1 - trust) * (result + 1) / 2 + trust * (value + 1) / 2
    value_loss = F.binary_cross_entropy_with_logits(logit.float(), wanted)
    occupied = (planes[:, 0] + planes[:, 1]).flatten(1) > 0
    shares = F.log_softmax(policy.float().masked_fill(occupied, -1e4), 1)
    policy_loss = (-(target * shares).sum(1) * teaches).sum() / teaches.sum().clamp(min=1)
    return value_loss, policy_loss


@torch.no_grad()
def measure(net, positions, trust, device):
    if not len(positions.held):
        return np.zeros(2)
    net.eval()
    total, count = np.zeros(2), 0
    for part in positions.held[:: 1 + len(positions.held) // (1 << 16)].split(4096):
        batch = positions.batch(part, 0)
        total += [len(part) * loss.item() for loss in losses(net, batch, trust, True, device)]
        count += len(part)
    net.train()
    return total / count


def begin(args, positions):
    """The network to train."""
    if not args.start:
        return Net(args.blocks, args.channels)
    if args.start.endswith(".sxn"):
        sample = positions.train[:: max(1, len(positions.train) // 2048)]
        with open(args.start, "rb") as file:
            return from_bytes(file.read(), positions.batch(sample, 0)[0].cpu())
    start = torch.load(args.start, map_location="cpu")
    net = Net(start["blocks"], start["channels"])
    net.load_state_dict(start["net"])
    return net


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="+", help="files of `collinear fit positions`")
    parser.add_argument("--out", required=True, help="the network to write, such as c6.sxn")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long to train")
    parser.add_argument("--steps", type=int, help="or how many steps, repeatable whatever the machine")
    parser.add_argument("--start", help="go on from this .pt or .sxn instead of random weights")
    parser.add_argument("--blocks", type=int, default=4)
    parser.add_argument("--channels", type=int, default=32)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--rate", type=float, default=2e-3, help="step size at the start")
    parser.add_argument("--trust", type=float, default=0.3, help="part of the value's target that is the search's")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    files = [read(path) for path in args.positions]
    rules = files[0][0]
    if any(other != rules for other, _ in files):
        raise SystemExit("the files hold positions of different games")
    width, height, k, p, overline = rules
    positions = Positions(np.concatenate([records for _, records in files]), width, height, device)
    print(f"{len(positions.train)} positions to learn from, {len(positions.held)} held back", flush=True)

    net = begin(args, positions).to(device, memory_format=torch.channels_last)
    shape = net.blocks_, net.channels
    optimiser = torch.optim.AdamW(net.parameters(), lr=args.rate, weight_decay=1e-2)
    began, step, curve = time.time(), 0, []
    random = torch.Generator(device=device).manual_seed(args.seed)
    symmetries = np.random.default_rng(args.seed)
    running = torch.zeros(2, device=device)
    report_every = max(1, (args.steps or 10**9) // 50)
    next_report = 10.0
    while True:
        part = step / args.steps if args.steps else (time.time() - began) / (60 * args.minutes)
        if part >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = args.rate * max(0.01, 1 - part) * min(1, (step + 1) / 200)
        chosen = torch.randint(len(positions.train), (args.batch,), device=device, generator=random)
        batch = positions.batch(positions.train[chosen], int(symmetries.integers(8)))
        # Rounding comes in when the weights have found their places, or at once when going on.
        value_loss, policy_loss = losses(net, batch, args.trust, bool(args.start) or part > 0.3, device)
        optimiser.zero_grad(set_to_none=True)
        (value_loss + policy_loss).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        step += 1
        running += torch.stack([value_loss.detach(), policy_loss.detach()])
        elapsed = time.time() - began
        if step % report_every == 0 or (not args.steps and elapsed > next_report):
            next_report = elapsed + max(10.0, 60 * args.minutes / 40)
            held = measure(net, positions, args.trust, device)
            mean = (running / max(1, step - (curve[-1][0] if curve else 0))).tolist()
            running.zero_()
            curve.append((step, *mean, *held))
            print("step {}: value {:.4f}, policy {:.4f}; held back {:.4f}, {:.4f}".format(*curve[-1]), flush=True)
    held = measure(net, positions, args.trust, device)
    print(f"after {step} steps in {time.time() - began:.0f} s: held back value {held[0]:.4f}, policy {held[1]:.4f}")
    net.eval()
    stem = os.path.splitext(args.out)[0]
    with open(args.out + ".part", "wb") as file:
        file.write(to_bytes(net, k, p, overline))
    os.replace(args.out + ".part", args.out)
    torch.save({"net": net.state_dict(), "blocks": shape[0], "channels": shape[1]}, stem + ".pt")
    with open(stem + ".csv", "w", newline="") as file:
        csv.writer(file).writerows([("step", "value", "policy", "held value", "held policy"), *curve])
    draw(curve, stem + ".png")


def draw(curve, path):
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        return
    if not curve:
        return
    steps = [row[0] for row in curve]
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2))
    for axis, at, name in ((axes[0], 1, "value"), (axes[1], 2, "policy")):
        axis.plot(steps, [row[at] for row in curve], label="learned from")
        axis.plot(steps, [row[at + 2] for row in curve], label="held back")
        axis.set_xlabel("steps"), axis.set_ylabel(f"{name}: cross-entropy"), axis.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
