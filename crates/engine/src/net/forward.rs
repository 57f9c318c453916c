//! The way of a board through the network, the same for every path: the kernel alone differs.

use super::kernel::{Kernel, MOST_COLUMNS};
use super::{Convolution, GROUP, HIDDEN, Net, Norm, PLANES, REACH, STAMP};

/// The memory of one evaluation.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    width: usize,
    height: usize,
    channels: usize,
    /// What the first layer gives for an empty board, with more than one stone left and with one.
    empty: [Vec<f32>; 2],
    /// The stream: `[cell][channel]`.
    stream: Vec<f32>,
    /// What enters a block's first and second convolution, with a margin of one cell: `[row][column][channel]`.
    inputs: [Vec<u8>; 2],
    pub(super) policy: Vec<f32>,
}

impl Scratch {
    pub(super) fn new(net: &Net, width: usize, height: usize) -> Self {
        let channels = net.channels;
        let margin = (width + 2) * (height + 2) * channels;
        Self {
            width,
            height,
            channels,
            empty: [false, true].map(|one_left| empty_board(net, width, height, one_left)),
            stream: vec![0.0; width * height * channels],
            inputs: [vec![0; margin], vec![0; margin]],
            policy: vec![0.0; width * height],
        }
    }
}

fn empty_board(net: &Net, width: usize, height: usize, one_left: bool) -> Vec<f32> {
    let mut stream = net.input_bias.repeat(width * height);
    for cell in 0..width * height {
        add_stamp(net, &mut stream, (width, height), cell, 2);
        if one_left {
            add_stamp(net, &mut stream, (width, height), cell, 3);
        }
    }
    stream
}

/// Channels in parts whose length the compiler knows, so that loops over them become vector instructions.
#[inline(always)]
fn parts<T, const LANES: usize>(channels: &[T]) -> &[[T; LANES]] {
    channels.as_chunks().0
}

/// The same, to be changed.
#[inline(always)]
fn parts_mut<T, const LANES: usize>(channels: &mut [T]) -> &mut [[T; LANES]] {
    channels.as_chunks_mut().0
}

/// Adds what a one on a plane does to the cells around it.
#[inline(always)]
fn add_stamp(
    net: &Net,
    stream: &mut [f32],
    (width, height): (usize, usize),
    cell: usize,
    plane: usize,
) {
    let channels = net.channels;
    let (x, y) = (cell % width, cell / width);
    for row in y.saturating_sub(REACH)..(y + REACH + 1).min(height) {
        for column in x.saturating_sub(REACH)..(x + REACH + 1).min(width) {
            // The kernel's offset that sees the stone from this cell.
            let offset = (y + REACH - row) * STAMP + x + REACH - column;
            let stamp = &net.stamps[(offset * PLANES + plane) * channels..][..channels];
            let target = &mut stream[(row * width + column) * channels..][..channels];
            for (target, stamp) in
                parts_mut::<_, GROUP>(target).iter_mut().zip(parts::<_, GROUP>(stamp))
            {
                // Whole arrays: lane by lane in place stays scalar.
                let sum: [f32; GROUP] = std::array::from_fn(|lane| target[lane] + stamp[lane]);
                *target = sum;
            }
        }
    }
}

/// Evaluates a board; the value's logit. Inlined into one function per path, so that the compiler may
/// use the path's instructions everywhere.
#[inline(always)]
pub(super) fn forward<K: Kernel>(
    kernel: K,
    net: &Net,
    scratch: &mut Scratch,
    board: &[u8],
    one_left: bool,
) -> f32 {
    let size = (scratch.width, scratch.height);
    assert_eq!(board.len(), size.0 * size.1, "a board of another size");
    scratch.stream.copy_from_slice(&scratch.empty[usize::from(one_left)]);
    for (cell, &stone) in board.iter().enumerate() {
        if stone != 0 {
            add_stamp(net, &mut scratch.stream, size, cell, usize::from(stone - 1) & 1);
        }
    }
    for block in &net.blocks {
        enter(scratch, &block.norm);
        convolve(kernel, &block.first, scratch, Into::Second);
        convolve(kernel, &block.second, scratch, Into::Stream);
    }
    heads(net, scratch)
}

/// Rounds to 0..=127, half to even: what adding 2²³ leaves in the lowest bits.
#[inline(always)]
fn round(number: f32) -> u8 {
    const SHIFT: f32 = 8_388_608.0;
    (number.clamp(0.0, 127.0) + SHIFT).to_bits() as u8
}

/// The stream, normed and rounded, into the first input.
#[inline(always)]
fn enter(scratch: &mut Scratch, norm: &Norm) {
    let Scratch { width, height, channels, stream, inputs, .. } = scratch;
    let (width, height, channels) = (*width, *height, *channels);
    for row in 0..height {
        for column in 0..width {
            let from = &stream[(row * width + column) * channels..][..channels];
            let to =
                &mut inputs[0][((row + 1) * (width + 2) + column + 1) * channels..][..channels];
            let norm = parts::<_, GROUP>(&norm.scale).iter().zip(parts::<_, GROUP>(&norm.shift));
            for ((to, from), (scale, shift)) in
                parts_mut::<_, GROUP>(to).iter_mut().zip(parts::<_, GROUP>(from)).zip(norm)
            {
                for lane in 0..GROUP {
                    to[lane] = round(from[lane] * scale[lane] + shift[lane]);
                }
            }
        }
    }
}

/// Where the result of a convolution goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Into {
    /// From the first input to the second, rounded.
    Second,
    /// From the second input onto the stream.
    Stream,
}

#[inline(always)]
fn convolve<K: Kernel>(kernel: K, by: &Convolution, scratch: &mut Scratch, into: Into) {
    let Scratch { width, height, channels, stream, inputs: [first, second], .. } = scratch;
    let (width, height, channels) = (*width, *height, *channels);
    let tiles = width.div_ceil(MOST_COLUMNS);
    let columns = width.div_ceil(tiles);
    let stride = (width + 2) * channels;
    let mut sums = [[0; GROUP]; MOST_COLUMNS];
    for group in 0..channels / GROUP {
        let outputs = group * GROUP..(group + 1) * GROUP;
        let scale: &[f32; GROUP] = by.norm.scale[outputs.clone()].try_into().expect("a group");
        let shift: &[f32; GROUP] = by.norm.shift[outputs].try_into().expect("a group");
        for row in 0..height {
            for tile in 0..tiles {
                // The last tile may begin within the one before; what that one wrote is left alone.
                let start = (tile * columns).min(width - columns);
                let source: &[u8] = if into == Into::Second { first } else { second };
                let rows = [0, 1, 2].map(|dy| &source[(row + dy) * stride + start * channels..]);
                kernel.tile(columns, rows, by, group, &mut sums);
                for column in tile * columns..start + columns {
                    let sums = &sums[column - start];
                    match into {
                        Into::Second => {
                            let at =
                                ((row + 1) * (width + 2) + column + 1) * channels + group * GROUP;
                            let to: &mut [u8; GROUP] =
                                (&mut second[at..at + GROUP]).try_into().expect("a group");
                            for lane in 0..GROUP {
                                to[lane] = round(sums[lane] as f32 * scale[lane] + shift[lane]);
                            }
                        }
                        Into::Stream => {
                            let at = (row * width + column) * channels + group * GROUP;
                            let to: &mut [f32; GROUP] =
                                (&mut stream[at..at + GROUP]).try_into().expect("a group");
                            for lane in 0..GROUP {
                                to[lane] += sums[lane] as f32 * scale[lane] + shift[lane];
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Policy and value from the stream.
#[inline(always)]
fn heads(net: &Net, scratch: &mut Scratch) -> f32 {
    const LANES: usize = 16;
    let Scratch { channels, stream, policy, .. } = scratch;
    let channels = *channels;
    let mut pooled = vec![0.0_f32; 2 * channels];
    let (sums, most) = pooled.split_at_mut(channels);
    let norm = (
        parts::<_, LANES>(&net.last.scale),
        parts::<_, LANES>(&net.last.shift),
        parts::<_, LANES>(&net.policy),
    );
    for (from, logit) in stream.chunks_exact(channels).zip(policy.iter_mut()) {
        // Sums of every 16th channel, added up in one fixed order.
        let mut lanes = [0.0_f32; LANES];
        let pools = parts_mut::<_, LANES>(sums).iter_mut().zip(parts_mut::<_, LANES>(most));
        for (part, (from, (sums, most))) in parts::<_, LANES>(from).iter().zip(pools).enumerate() {
            let (scale, shift, policy) = (&norm.0[part], &norm.1[part], &norm.2[part]);
            for lane in 0..LANES {
                let number = (from[lane] * scale[lane] + shift[lane]).max(0.0);
                sums[lane] += number;
                most[lane] = most[lane].max(number);
                lanes[lane] += number * policy[lane];
            }
        }
        *logit = net.policy_bias + lanes.iter().sum::<f32>();
    }
    let cells = policy.len() as f32;
    for sum in sums {
        *sum /= cells;
    }
    let mut hidden = [0.0_f32; HIDDEN];
    hidden.copy_from_slice(&net.hidden_bias);
    for (number, weights) in pooled.iter().zip(net.hidden.chunks_exact(HIDDEN)) {
        for unit in 0..HIDDEN {
            hidden[unit] += number * weights[unit];
        }
    }
    net.value_bias
        + hidden.iter().zip(&net.value).map(|(unit, weight)| unit.max(0.0) * weight).sum::<f32>()
}
