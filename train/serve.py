#!/usr/bin/env python3
"""Evaluates boards for `collinear fit net-games --server 'python3 train/serve.py'`, in batches on a GPU.

What it reads and writes is described in crates/engine/src/net/served.rs. On a GPU it computes with 16-bit
numbers, so its answers differ from the program's in the third digit, and games differ with them.
"""

import argparse
import signal
import struct
import sys

import torch

from model import Folded

SIZES = (32, 64, 128, 256)


class Server:
    """A network with one batch of every size prepared."""

    def __init__(self, net, cells, width, height, device):
        self.net, self.width, self.height, self.device = net, width, height, device
        self.boards = torch.zeros(SIZES[-1], cells + 1, dtype=torch.uint8)
        self.answers = torch.zeros(SIZES[-1], cells + 1)
        if device.type == "cuda":
            self.boards, self.answers = self.boards.pin_memory(), self.answers.pin_memory()
            self.prepared = {size: self.prepare(size) for size in SIZES}

    def evaluate(self, boards):
        return self.net.answer(boards, self.width, self.height)

    def prepare(self, size):
        boards = torch.zeros(size, self.boards.shape[1], dtype=torch.uint8, device=self.device)
        aside = torch.cuda.Stream()
        with torch.cuda.stream(aside):
            for _ in range(3):
                self.evaluate(boards)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            answers = self.evaluate(boards)
        return boards, answers, graph

    def answer(self, count):
        """The answers to the first boards in `self.boards`, as bytes."""
        if self.device.type != "cuda":
            return self.evaluate(self.boards[:count]).numpy().tobytes()
        boards, answers, graph = self.prepared[next(size for size in SIZES if size >= count)]
        boards[:count].copy_(self.boards[:count], non_blocking=True)
        graph.replay()
        self.answers[:count].copy_(answers[:count], non_blocking=True)
        torch.cuda.synchronize()
        return memoryview(self.answers.numpy())[:count]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", help="a file of train.py")
    args = parser.parse_args()
    # Ctrl-C is for the program that asks; the end of its questions ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    with open(args.network, "rb") as file:
        net = Folded(file.read(), device)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    width, height = source.read(2)
    server = Server(net, width * height, width, height, device)
    boards = server.boards.numpy()
    while len(header := source.read(4)) == 4:
        (count,) = struct.unpack("<I", header)
        if not 0 < count <= SIZES[-1] or source.readinto(memoryview(boards)[:count].cast("B")) < boards[:count].nbytes:
            sys.exit("a question is not whole")
        sink.write(server.answer(count))
        sink.flush()


if __name__ == "__main__":
    main()
