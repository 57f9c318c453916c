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


class File:
    """The bytes of a network's file, read from front to back."""

    def __init__(self, data):
        self.rest = data[:-8]
        if self.rest[:4] != b"SXN1" or struct.pack("<Q", fnv1a(self.rest)) != data[-8:]:
            raise SystemExit("this is not a network, or a damaged one")
        self.k, self.p, self.overline, self.blocks, groups = self.rest[4:9]
        self.channels = 32 * groups
        self.rest = self.rest[9:]

    def take(self, kind, *shape):
        array = np.frombuffer(self.rest, kind, int(np.prod(shape))).reshape(shape)
        self.rest = self.rest[array.nbytes :]
        return torch.from_numpy(array.copy())

    def floats(self, *shape):
        return self.take("<f4", *shape)

    def norm(self):
        return self.floats(self.channels), self.floats(self.channels)

    def first(self):
        return self.floats(5, 5, 4, self.channels).permute(3, 2, 0, 1).contiguous(), self.floats(self.channels)

    def convolution(self):
        """Whole numbers, and the scale and shift of their sums."""
        channels = self.channels
        packed = self.take("i1", channels // 32, 3, 3, channels // 4, 32, 4)
        return packed.permute(0, 4, 3, 5, 1, 2).reshape(channels, channels, 3, 3).float(), *self.norm()


@torch.no_grad()
def from_bytes(data, planes):
    """A network to go on training from its file. Only what the norms made of the numbers is in there, so they are
    set anew from what they see of these planes."""
    file, grid = File(data), STEPS / CLIP
    net = Net(file.blocks, file.channels)
    norms = []

    def norm(module, scale, shift):
        module.weight.copy_(scale), module.bias.copy_(shift)
        module.running_var.fill_(1 - module.eps)
        norms.append(module)

    for parameter, value in zip((net.first.weight, net.first.bias), file.first()):
        parameter.copy_(value)
    for block in net.blocks:
        scale, shift = file.norm()
        norm(block.norm1, scale / grid, shift / grid)
        weights, scale, shift = file.convolution()
        step = 0.12 / STEPS
        block.conv1.weight.copy_(weights * step)
        norm(block.norm2, scale / step, shift / grid)
        weights, scale, bias = file.convolution()
        block.conv2.weight.copy_(weights * (scale * grid)[:, None, None, None])
        block.conv2.bias.copy_(bias)
    norm(net.norm, *file.norm())
    net.policy.weight.copy_(file.floats(1, file.channels, 1, 1)), net.policy.bias.copy_(file.floats(1))
    net.hidden.weight.copy_(file.floats(2 * file.channels, HIDDEN).t()), net.hidden.bias.copy_(file.floats(HIDDEN))
    net.value.weight.copy_(file.floats(1, HIDDEN)), net.value.bias.copy_(file.floats(1))

    seen = {}
    hooks = [module.register_forward_pre_hook(lambda module, given: seen.update({module: given[0]})) for module in norms]
    net.eval()(planes)
    for hook in hooks:
        hook.remove()
    for module in norms:
        mean, variance = seen[module].mean((0, 2, 3)), seen[module].var((0, 2, 3))
        scale = module.weight.clone()
        module.running_mean.copy_(mean), module.running_var.copy_(variance)
        module.weight.copy_(scale * torch.sqrt(variance + module.eps)), module.bias.add_(scale * mean)
    return net.train()


class Folded:
    """A network read from its file, with the norms folded into the convolutions: to answer, not to learn."""

    def __init__(self, data, device):
        file = File(data)
        self.kind = torch.float16 if device.type == "cuda" else torch.float32
        self.device = device
        self.first, self.first_bias = self.on_device(*file.first())
        self.blocks = [
            (self.norm(*file.norm()), self.convolution(*file.convolution()), self.convolution(*file.convolution()))
            for _ in range(file.blocks)
        ]
        self.last = self.norm(*file.norm())
        self.policy, self.policy_bias = self.on_device(file.floats(1, file.channels, 1, 1), file.floats(1))
        hidden = file.floats(2 * file.channels, HIDDEN).t().contiguous()
        self.hidden, self.hidden_bias = self.on_device(hidden, file.floats(HIDDEN))
        self.value, self.value_bias = self.on_device(file.floats(1, HIDDEN), file.floats(1))

    def on_device(self, *tensors):
        return [tensor.to(self.device, self.kind) for tensor in tensors]

    def norm(self, scale, shift):
        return self.on_device(scale.view(1, -1, 1, 1), shift.view(1, -1, 1, 1))

    def convolution(self, weights, scale, shift):
        # 16-bit floats end at 65,504: sums of products are kept below.
        small = (weights / 128).to(self.device, self.kind, memory_format=torch.channels_last)
        return small, self.norm(scale * 128, shift)

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

    @torch.no_grad()
    def answer(self, boards, width, height):
        """A value and a logit per cell for boards of bytes: 0 empty, 1 own, 2 the opponent's; the last is one_left."""
        cells = boards[:, :-1].view(-1, height, width)
        one_left = boards[:, -1, None, None].expand_as(cells)
        planes = torch.stack([cells == 1, cells == 2, torch.ones_like(cells), one_left], 1)
        value, policy = self(planes)
        return torch.cat([value[:, None], policy], 1).float()
