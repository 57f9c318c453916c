//! A fit under way as bytes, so that who is interrupted goes on as if nothing had been.
//!
//! ```text
//! "SXFITTED", length u32 and origin, step u64, then f32: vectors, their moments, what is behind the sums, its
//! moments; FNV-1a of everything before, 8 bytes
//! ```

use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use super::model::Dense;
use super::{Fit, Numbers, Schedule};
use crate::fit::labels::LabelFile;
use crate::fit::records::Origin;

/// Why bytes are not a fit that this one can go on from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FitError {
    /// Not the kind of file that was asked for, or damaged.
    #[error("the fit under way is damaged: remove the file to begin anew")]
    Damaged,
    /// Of other labels or another schedule.
    #[error("the fit under way has {0}: remove the file to begin anew")]
    Other(String),
}

const MAGIC: &[u8; 8] = b"SXFITTED";

impl Fit {
    /// All that a fit follows from.
    pub fn origin(rules: &Rules, schedule: &Schedule, labels: &[LabelFile]) -> Origin {
        let origin = Origin::new(rules, "fit evaluation")
            .with("positions", schedule.positions)
            .with("batch", schedule.batch)
            .with("rate", schedule.rate)
            .with("seed", schedule.seed);
        let sources = labels.iter().enumerate();
        sources.fold(origin, |origin, (number, file)| {
            let seed = file.origin.value("seed").unwrap_or_default();
            let network = file.origin.value("network").unwrap_or_default();
            let source = format!("{} of seed {seed} and network {network}", file.label_count());
            origin.with(&format!("labels-{number}"), source)
        })
    }

    /// As bytes.
    pub fn to_bytes(&self, origin: &Origin) -> Vec<u8> {
        let text = origin.to_text();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(self.step.to_le_bytes());
        let numbers = &self.numbers;
        let dense = [&numbers.dense, &numbers.dense_first, &numbers.dense_second];
        let all = [numbers.vectors.as_flattened(), numbers.moments.as_flattened().as_flattened()]
            .into_iter()
            .chain(dense.into_iter().flat_map(Dense::parts));
        for part in all {
            bytes.extend(part.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(fnv1a(&bytes).to_le_bytes());
        bytes
    }

    /// Goes on from what [`to_bytes`](Self::to_bytes) wrote for the same origin.
    pub fn go_on(&mut self, bytes: &[u8], origin: &Origin) -> Result<(), FitError> {
        let (body, sum) = bytes.split_last_chunk::<8>().ok_or(FitError::Damaged)?;
        if fnv1a(body).to_le_bytes() != *sum {
            return Err(FitError::Damaged);
        }
        let body = body.strip_prefix(MAGIC).ok_or(FitError::Damaged)?;
        let (length, body) = body.split_first_chunk::<4>().ok_or(FitError::Damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, body) = body.split_at_checked(length).ok_or(FitError::Damaged)?;
        let text = std::str::from_utf8(text).ok().and_then(Origin::from_text);
        let known = text.ok_or(FitError::Damaged)?;
        if known != *origin {
            return Err(FitError::Other(known.differences(origin).join("; ")));
        }
        let (step, body) = body.split_first_chunk::<8>().ok_or(FitError::Damaged)?;
        let vectors = self.numbers.vectors.as_flattened().len();
        if body.len() != 4 * 3 * (vectors + Dense::NUMBERS) {
            return Err(FitError::Damaged);
        }
        let mut numbers = body
            .chunks_exact(4)
            .map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
        let mut fill =
            |part: &mut [f32]| part.iter_mut().zip(&mut numbers).for_each(|(to, from)| *to = from);
        fill(self.numbers.vectors.as_flattened_mut());
        fill(self.numbers.moments.as_flattened_mut().as_flattened_mut());
        let Numbers { dense, dense_first, dense_second, .. } = &mut self.numbers;
        for dense in [dense, dense_first, dense_second] {
            fill_dense(dense, &mut fill);
        }
        self.step = u64::from_le_bytes(*step);
        self.add_up();
        Ok(())
    }
}

fn fill_dense(dense: &mut Dense, fill: &mut dyn FnMut(&mut [f32])) {
    for part in dense.parts_mut() {
        fill(part);
    }
}
