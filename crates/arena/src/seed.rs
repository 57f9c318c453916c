//! Seeds from seeds: every random choice of a run follows from the run's seed and the place where
//! it is made, never from the order in which workers happen to reach it.

use collinear_rules::hash::mix;

/// What a derived seed is for. The numbers are part of what makes old runs repeatable.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    Opening = 1,
    Black = 2,
    White = 3,
}

/// The seed for one purpose at one place of the run.
pub(crate) fn derive(run_seed: u64, place: u64, purpose: Purpose) -> u64 {
    mix(mix(mix(run_seed) ^ place) ^ purpose as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_purposes_differ() {
        let mut seeds: Vec<_> = (0..1000)
            .flat_map(|place| {
                [Purpose::Opening, Purpose::Black, Purpose::White].map(|p| derive(7, place, p))
            })
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 3000);
    }
}
