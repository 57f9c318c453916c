//! From the numbers that learned to the integers that play.

use collinear_rules::Player;

use super::Fit;
use super::model::Dense;
use crate::linenet::head::{
    DIRECT_UNIT, HIDDEN, HIDDEN_UNIT, Head, Layer, MOST_BIAS, MOST_WEIGHT, WEIGHT_UNIT,
};
use crate::linenet::{LineNet, UNIT};

impl Fit {
    /// The evaluation as it is now: every number rounded to the nearest, and cut where the arithmetic ends.
    pub fn evaluation(&self) -> LineNet {
        let unit = f32::from(UNIT);
        let row = |vector: &[f32; 32]| vector.map(|number| short(number * unit, LineNet::MOST_ROW));
        let rows = self.numbers.rows.iter().map(row).collect();
        let dense = &self.numbers.dense;
        let k = self.rules.k() as u8;
        LineNet::new(k, self.rules.overline(Player::White), rows, row(&dense.bias), head(dense))
    }
}

fn head(dense: &Dense) -> Head {
    let weight = |number: f32| short(number * WEIGHT_UNIT, MOST_WEIGHT);
    let layer = |weights: &[[f32; HIDDEN]; HIDDEN], biases: &[f32; HIDDEN]| Layer {
        weights: weights.map(|weights| weights.map(weight)),
        biases: biases.map(|bias| long(bias * HIDDEN_UNIT * WEIGHT_UNIT)),
    };
    Head {
        first: layer(&dense.first, &dense.first_bias),
        second: layer(&dense.second, &dense.second_bias),
        last: dense.last.map(weight),
        direct: dense.direct.map(|number| short(number * DIRECT_UNIT, i16::MAX)),
        bias: long(dense.last_bias * HIDDEN_UNIT * DIRECT_UNIT),
    }
}

fn short(number: f32, most: i16) -> i16 {
    number.round().clamp(-f32::from(most), f32::from(most)) as i16
}

fn long(number: f32) -> i32 {
    number.round().clamp(-(MOST_BIAS as f32), MOST_BIAS as f32) as i32
}
