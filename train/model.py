"""The network that Sextant evaluates boards with, as PyTorch sees it, and the file it is shipped in.

The arithmetic is that of `crates/engine/src/net`: what enters a 3x3 convolution is rounded to steps of
CLIP / 127 between 0 and CLIP, its weights to 127 steps on either side of zero. While training, rounding
passes gradients through unchanged, so the network learns to live with it.
"""

import struct

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

CLIP = 8.0
STEPS = 127.0
HIDDEN = 64


def rounded(x, quantised):
    """What enters a convolution: 0..CLIP in 127 steps."""
    x = F.relu(x)
    if not quantised:
        return x
    clipped = x.clamp(max=CLIP)
    steps = (clipped * (STEPS / CLIP)).round() * (CLIP / STEPS)
    return clipped + (steps - clipped).detach()


def weight_steps(weight):
    """The size of one step of each output's weights."""
    return weight.detach().abs().amax((1, 2, 3), keepdim=True).clamp(min=1e-8) / STEPS


class Convolution(nn.Conv2d):
    def __init__(self, channels, bias):
        super().__init__(channels, channels, 3, padding=1, bias=bias)

    def forward(self, x, quantised):
        weight = self.weight
        if quantised:
            step = weight_steps(weight)
            weight = weight + ((weight / step).round() * step - weight).detach()
        return F.conv2d(x, weight, self.bias, padding=1)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm1, self.norm2 = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
        self.conv1, self.conv2 = Convolution(channels, False), Convolution(channels, True)
        nn.init.zeros_(self.conv2.bias)

    def forward(self, x, quantised):
        y = self.conv1(rounded(self.norm1(x), quantised), quantised)
        return x + self.conv2(rounded(self.norm2(y), quantised), quantised)


class Net(nn.Module):
    def __init__(self, blocks=4, channels=32):
        super().__init__()
        self.blocks_, self.channels = blocks, channels
        self.first = nn.Conv2d(4, channels, 5, padding=2)
        self.blocks = nn.ModuleList(Block(channels) for _ in range(blocks))
        self.norm = nn.BatchNorm2d(channels)
        self.policy = nn.Conv2d(channels, 1, 1)
        self.hidden = nn.Linear(2 * channels, HIDDEN)
        self.value = nn.Linear(HIDDEN, 1)

    def forward(self, planes, quantised=True):
        x = self.first(planes)
        for block in self.blocks:
            x = block(x, quantised)
        x = F.relu(self.norm(x))
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        return self.value(F.relu(self.hidden(pooled)))[:, 0], self.policy(x).flatten(1)


def folded(norm):
    """A batch norm as scale and shift."""
    scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    return scale, norm.bias - norm.running_mean * scale


def fnv1a(data):
    hash_ = 0xCBF29CE484222325
    for byte in data:
        hash_ = ((hash_ ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return hash_


@torch.no_grad()
def to_bytes(net, k, p, overline):
    """The file that `sextant:weights=FILE` loads."""
    channels = net.channels
    parts = [b"SXN1", bytes([k, p, overline, net.blocks_, channels // 32])]

    def floats(*tensors):
        for tensor in tensors:
            parts.append(tensor.detach().float().cpu().numpy().astype("<f4").tobytes())

    def convolution(conv, scale, shift):
        step = weight_steps(conv.weight)
        weights = (conv.weight / step).round().clamp(-STEPS, STEPS).to(torch.int8).cpu().numpy()
        # [out][in][3][3] -> [out / 32][3][3][in / 4][out % 32][in % 4]
        packed = weights.reshape(channels // 32, 32, channels // 4, 4, 3, 3).transpose(0, 4, 5, 2, 1, 3)
        parts.append(np.ascontiguousarray(packed).tobytes())
        floats(step.flatten() * scale, shift)

    # [out][plane][5][5] -> [5][5][plane][out]
    floats(net.first.weight.permute(2, 3, 1, 0).contiguous(), net.first.bias)
    grid = STEPS / CLIP
    for block in net.blocks:
        scale, shift = folded(block.norm1)
        floats(scale * grid, shift * grid)
        scale, shift = folded(block.norm2)
        convolution(block.conv1, scale, shift * grid)
        convolution(block.conv2, torch.full_like(shift, 1 / grid), block.conv2.bias)
    floats(*folded(net.norm))
    floats(net.policy.weight.flatten(), net.policy.bias)
    floats(net.hidden.weight.t().contiguous(), net.hidden.bias, net.value.weight.flatten(), net.value.bias)
    body = b"".join(parts)
    return body + struct.pack("<Q", fnv1a(body))


class Folded:
    """A network read from its file, with the norms folded into the convolutions: to answer, not to learn."""

    def __init__(self, data, device):
        body = data[:-8]
        if body[:4] != b"SXN1" or struct.pack("<Q", fnv1a(body)) != data[-8:]:
            raise SystemExit("this is no network, or a damaged one")
        self.kind = torch.float16 if device.type == "cuda" else torch.float32
        self.device = device
        blocks, self.channels = body[7], 32 * body[8]
        self.rest = body[9:]
        channels = self.channels
        self.first = self.floats(5, 5, 4, channels).permute(3, 2, 0, 1).contiguous()
        self.first_bias = self.floats(channels)
        self.blocks = [(self.norm(), self.convolution(), self.convolution()) for _ in range(blocks)]
        self.last = self.norm()
        self.policy, self.policy_bias = self.floats(1, channels, 1, 1), self.floats(1)
        self.hidden, self.hidden_bias = self.floats(2 * channels, HIDDEN).t().contiguous(), self.floats(HIDDEN)
        self.value, self.value_bias = self.floats(1, HIDDEN), self.floats(1)

    def take(self, kind, *shape):
        array = np.frombuffer(self.rest, kind, int(np.prod(shape))).reshape(shape)
        self.rest = self.rest[array.nbytes :]
        return torch.from_numpy(array.copy())

    def floats(self, *shape):
        return self.take("<f4", *shape).to(self.device, self.kind)

    def norm(self, times=1.0):
        shape = (1, self.channels, 1, 1)
        scale, shift = self.take("<f4", *shape) * times, self.take("<f4", *shape)
        return scale.to(self.device, self.kind), shift.to(self.device, self.kind)

    def convolution(self):
        groups, channels = self.channels // 32, self.channels
        packed = self.take("i1", groups, 3, 3, channels // 4, 32, 4)
        weights = packed.permute(0, 4, 3, 5, 1, 2).reshape(channels, channels, 3, 3).float()
        # 16-bit floats end at 65,504: sums of products are kept below.
        small = (weights / 128).to(self.device, self.kind, memory_format=torch.channels_last)
        return small, self.norm(times=128.0)

    def __call__(self, planes):
        planes = planes.to(self.kind, memory_format=torch.channels_last)
        x = F.conv2d(planes, self.first, self.first_bias, padding=2)
        for (scale, shift), (first, (scale1, shift1)), (second, (scale2, shift2)) in self.blocks:
            entering = torch.addcmul(shift, x, scale).clamp_(0, 127).round_()
            y = F.conv2d(entering, first, padding=1)
            entering = torch.addcmul(shift1, y, scale1).clamp_(0, 127).round_()
            y = F.conv2d(entering, second, padding=1)
            x = x + torch.addcmul(shift2, y, scale2)
        scale, shift = self.last
        x = F.relu(torch.addcmul(shift, x, scale))
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        hidden = F.relu(F.linear(pooled, self.hidden, self.hidden_bias))
        value = F.linear(hidden, self.value, self.value_bias)[:, 0]
        return value, F.conv2d(x, self.policy, self.policy_bias).flatten(1)
