//! The evaluation with real numbers, as it learns.
//!
//! A row of a pattern is its own vector plus those of its parts: the windows of 3, 5 and 7 cells inside it. Parts
//! occur in many patterns, so rare patterns are right, too; they are added up once at the end and cost nothing in
//! play.

use rand::Rng;

use crate::linenet::head::{HIDDEN, MOST_HIDDEN, MOST_INPUT};
use crate::linenet::patterns::{Patterns, Seen, WINDOW};
use crate::linenet::{CAP, CHANNELS, UNIT, head};

/// The numbers of a row.
pub(super) type Vector = [f32; CHANNELS];

/// The most a cell's sum counts for.
const CAPPED: f32 = CAP as f32 / UNIT as f32;
const HIDDEN_CAP: f32 = MOST_HIDDEN as f32 / head::HIDDEN_UNIT;
const INPUT_CAP: f32 = MOST_INPUT as f32 / head::HIDDEN_UNIT;

/// What parts each row has.
pub(super) struct Parts {
    /// Rows of own vectors, before those of parts.
    pub(super) rows: usize,
    /// Vectors in all.
    pub(super) vectors: usize,
    /// The parts of each row, [`Self::PER_ROW`] each.
    of_row: Vec<u32>,
    /// For each part, the rows that have it; once more where it is in a row twice.
    starts: Vec<u32>,
    members: Vec<u32>,
}

impl Parts {
    /// 7 windows of 3 cells, 5 of 5, 3 of 7.
    const PER_ROW: usize = 15;
    const WIDTHS: [usize; 3] = [3, 5, 7];

    pub(super) fn new(patterns: &Patterns) -> Self {
        let rows = patterns.row_count();
        let mut of_row = Vec::with_capacity(rows * Self::PER_ROW);
        let mut vectors = rows;
        let mut firsts = Vec::new();
        for width in Self::WIDTHS {
            for offset in 0..=(WINDOW - width) / 2 {
                firsts.push((width, offset, vectors));
                vectors += 1 << (2 * width);
            }
        }
        let code = |cells: &mut dyn Iterator<Item = &Seen>| {
            cells.fold(0, |code, &cell| code << 2 | cell as usize)
        };
        for row in 0..rows {
            let cells = patterns.cells_of_row(row);
            for &(width, offset, first) in &firsts {
                let middle = (WINDOW - width) / 2;
                let right = code(&mut cells[middle + offset..][..width].iter());
                let left = code(&mut cells[middle - offset..][..width].iter().rev());
                if offset == 0 {
                    of_row.push((first + right.min(left)) as u32);
                } else {
                    of_row.extend([right, left].map(|code| (first + code) as u32));
                }
            }
        }
        let mut lists = vec![Vec::new(); vectors - rows];
        for (at, &part) in of_row.iter().enumerate() {
            lists[part as usize - rows].push((at / Self::PER_ROW) as u32);
        }
        let mut starts = vec![0];
        let mut members = Vec::with_capacity(of_row.len());
        for list in lists {
            members.extend(list);
            starts.push(members.len() as u32);
        }
        Self { rows, vectors, of_row, starts, members }
    }

    pub(super) fn of_row(&self, row: usize) -> &[u32] {
        &self.of_row[row * Self::PER_ROW..][..Self::PER_ROW]
    }

    /// The rows that have a part; `vector` is not an own one.
    pub(super) fn members(&self, vector: usize) -> &[u32] {
        let part = vector - self.rows;
        &self.members[self.starts[part] as usize..self.starts[part + 1] as usize]
    }
}

/// The numbers behind the sums, one after the other.
#[derive(Clone, Debug, PartialEq)]
#[repr(C)]
pub(super) struct Dense {
    pub(super) bias: Vector,
    pub(super) first: [[f32; HIDDEN]; CHANNELS],
    pub(super) first_bias: [f32; HIDDEN],
    pub(super) second: [[f32; HIDDEN]; HIDDEN],
    pub(super) second_bias: [f32; HIDDEN],
    pub(super) last: [f32; HIDDEN],
    pub(super) direct: Vector,
    pub(super) last_bias: f32,
}

impl Dense {
    /// How many numbers there are.
    pub(super) const NUMBERS: usize =
        CHANNELS + CHANNELS * HIDDEN + HIDDEN + HIDDEN * HIDDEN + HIDDEN + HIDDEN + CHANNELS + 1;

    pub(super) const ZERO: Self = Self {
        bias: [0.0; CHANNELS],
        first: [[0.0; HIDDEN]; CHANNELS],
        first_bias: [0.0; HIDDEN],
        second: [[0.0; HIDDEN]; HIDDEN],
        second_bias: [0.0; HIDDEN],
        last: [0.0; HIDDEN],
        direct: [0.0; CHANNELS],
        last_bias: 0.0,
    };

    pub(super) fn new(random: &mut impl Rng) -> Self {
        let mut uniform = |scale: f32| random.random_range(-scale..scale);
        let first = (3.0 / CHANNELS as f32).sqrt();
        let second = (3.0 / HIDDEN as f32).sqrt();
        let mut dense = Self::ZERO;
        dense.bias = [0.1; CHANNELS];
        dense.first.as_flattened_mut().fill_with(|| uniform(first));
        dense.second.as_flattened_mut().fill_with(|| uniform(second));
        dense.last.fill_with(|| uniform(0.3 * second));
        dense
    }

    /// All numbers in their order.
    pub(super) fn parts(&self) -> [&[f32]; 8] {
        [
            &self.bias,
            self.first.as_flattened(),
            &self.first_bias,
            self.second.as_flattened(),
            &self.second_bias,
            &self.last,
            &self.direct,
            std::slice::from_ref(&self.last_bias),
        ]
    }

    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; 8] {
        [
            &mut self.bias,
            self.first.as_flattened_mut(),
            &mut self.first_bias,
            self.second.as_flattened_mut(),
            &mut self.second_bias,
            &mut self.last,
            &mut self.direct,
            std::slice::from_mut(&mut self.last_bias),
        ]
    }
}

/// What one position needs on its way forward, for the way back.
pub(super) struct Trace {
    /// The row of each cell's four patterns.
    pub(super) rows: Vec<[u16; 4]>,
    /// The sum of each cell, cut.
    cells: Vec<Vector>,
    inputs: Vector,
    first: [f32; HIDDEN],
    second: [f32; HIDDEN],
}

impl Trace {
    pub(super) fn new(cells: usize) -> Self {
        Self {
            rows: vec![[0; 4]; cells],
            cells: vec![[0.0; CHANNELS]; cells],
            inputs: [0.0; CHANNELS],
            first: [0.0; HIDDEN],
            second: [0.0; HIDDEN],
        }
    }

    /// The logit of the position whose rows are there.
    #[inline(always)]
    pub(super) fn forward(&mut self, rows: &[Vector], dense: &Dense) -> f32 {
        let mut sums = [0.0; CHANNELS];
        for (cell, four) in self.cells.iter_mut().zip(&self.rows) {
            let mut sum = dense.bias;
            for &row in four {
                let row = &rows[usize::from(row)];
                for lane in 0..CHANNELS {
                    sum[lane] += row[lane];
                }
            }
            for lane in 0..CHANNELS {
                cell[lane] = sum[lane].clamp(0.0, CAPPED);
                sums[lane] += cell[lane];
            }
        }
        self.inputs = sums.map(|sum| (sum / head::POOL).min(INPUT_CAP));
        self.first = layer(&self.inputs, &dense.first, &dense.first_bias);
        self.second = layer(&self.first, &dense.second, &dense.second_bias);
        dense.last_bias + dot(&self.second, &dense.last) + dot(&self.inputs, &dense.direct)
    }

    /// Adds the slopes of the loss, from its slope by the logit.
    #[inline(always)]
    pub(super) fn backward(&self, slope: f32, dense: &Dense, slopes: &mut Slopes) {
        let out = &mut slopes.dense;
        out.last_bias += slope;
        let mut by_second = [0.0; HIDDEN];
        for unit in 0..HIDDEN {
            out.last[unit] += slope * self.second[unit];
            by_second[unit] = slope * dense.last[unit];
        }
        let by_first =
            back(&mut by_second, &self.first, &self.second, &dense.second, &mut out.second);
        add(&mut out.second_bias, &by_second);
        let mut by_first = by_first;
        let mut by_inputs =
            back(&mut by_first, &self.inputs, &self.first, &dense.first, &mut out.first);
        add(&mut out.first_bias, &by_first);
        for lane in 0..CHANNELS {
            out.direct[lane] += slope * self.inputs[lane];
            by_inputs[lane] += slope * dense.direct[lane];
            by_inputs[lane] *= if self.inputs[lane] < INPUT_CAP { 1.0 / head::POOL } else { 0.0 };
        }
        let mut by_bias = [0.0; CHANNELS];
        for (cell, four) in self.cells.iter().zip(&self.rows) {
            let mut by_cell = [0.0; CHANNELS];
            for lane in 0..CHANNELS {
                let is_between = cell[lane] > 0.0 && cell[lane] < CAPPED;
                by_cell[lane] = if is_between { by_inputs[lane] } else { 0.0 };
                by_bias[lane] += by_cell[lane];
            }
            for &row in four {
                let row = &mut slopes.rows[usize::from(row)];
                for lane in 0..CHANNELS {
                    row[lane] += by_cell[lane];
                }
            }
        }
        add(&mut out.bias, &by_bias);
    }
}

/// Slopes of the rows and of what is behind them.
pub(super) struct Slopes {
    pub(super) rows: Vec<Vector>,
    pub(super) dense: Dense,
}

#[inline(always)]
fn layer(
    inputs: &[f32; HIDDEN],
    weights: &[[f32; HIDDEN]; HIDDEN],
    biases: &[f32; HIDDEN],
) -> [f32; HIDDEN] {
    let mut sums = *biases;
    for (&input, weights) in inputs.iter().zip(weights) {
        for unit in 0..HIDDEN {
            sums[unit] += input * weights[unit];
        }
    }
    sums.map(|sum| sum.clamp(0.0, HIDDEN_CAP))
}

/// Through a layer, backwards: `by_units` loses what the cut hides; the slopes by the inputs.
#[inline(always)]
fn back(
    by_units: &mut [f32; HIDDEN],
    inputs: &[f32; HIDDEN],
    units: &[f32; HIDDEN],
    weights: &[[f32; HIDDEN]; HIDDEN],
    slopes: &mut [[f32; HIDDEN]; HIDDEN],
) -> [f32; HIDDEN] {
    for unit in 0..HIDDEN {
        let is_between = units[unit] > 0.0 && units[unit] < HIDDEN_CAP;
        by_units[unit] = if is_between { by_units[unit] } else { 0.0 };
    }
    let mut by_inputs = [0.0; HIDDEN];
    for input in 0..HIDDEN {
        let mut sum = [0.0; 8];
        for unit in 0..HIDDEN {
            slopes[input][unit] += by_units[unit] * inputs[input];
            sum[unit % 8] += by_units[unit] * weights[input][unit];
        }
        by_inputs[input] = sum.iter().sum();
    }
    by_inputs
}

#[inline(always)]
fn dot(a: &[f32; HIDDEN], b: &[f32; HIDDEN]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[inline(always)]
fn add(to: &mut [f32; HIDDEN], from: &[f32; HIDDEN]) {
    for unit in 0..HIDDEN {
        to[unit] += from[unit];
    }
}
