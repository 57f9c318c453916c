//! Steps of Adam; numbers that a batch says nothing about keep still.

use super::model::{Dense, Vector};
use crate::linenet::CHANNELS;

const FIRST: f32 = 0.9;
const SECOND: f32 = 0.999;

/// A step of all numbers.
#[derive(Clone, Copy)]
pub(super) struct Step {
    rate: f32,
    first_scale: f32,
    second_scale: f32,
}

impl Step {
    /// Step number `step`, from 1.
    pub(super) fn new(rate: f64, step: u64) -> Self {
        let scale = |decay: f32| {
            let left = f64::from(decay).powi(step.min(1 << 20) as i32);
            (1.0 / (1.0 - left)) as f32
        };
        Self { rate: rate as f32, first_scale: scale(FIRST), second_scale: scale(SECOND) }
    }

    #[inline]
    fn number(&self, number: &mut f32, first: &mut f32, second: &mut f32, slope: f32) {
        *first = FIRST * *first + (1.0 - FIRST) * slope;
        *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
        *number -=
            self.rate * (*first * self.first_scale) / ((*second * self.second_scale).sqrt() + 1e-8);
    }

    /// Steps a vector.
    #[inline]
    pub(super) fn step(&self, vector: &mut Vector, moments: &mut [Vector; 2], slope: &Vector) {
        let [first, second] = moments;
        for lane in 0..CHANNELS {
            self.number(&mut vector[lane], &mut first[lane], &mut second[lane], slope[lane]);
        }
    }

    /// Steps what is behind the sums.
    pub(super) fn step_dense(
        &self,
        dense: &mut Dense,
        first: &mut Dense,
        second: &mut Dense,
        slopes: &Dense,
    ) {
        let parts = dense.parts_mut().into_iter().zip(first.parts_mut()).zip(second.parts_mut());
        for (((numbers, first), second), slopes) in parts.zip(slopes.parts()) {
            for at in 0..numbers.len() {
                self.number(&mut numbers[at], &mut first[at], &mut second[at], slopes[at]);
            }
        }
    }
}
