//! Seeds from seeds: every random choice of a run follows from the run's seed and the place where
//! it is made, never from the order in which workers happen to reach it.

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

/// The finaliser of `SplitMix64` (Steele, Lea & Flood 2014): a bijection that scatters its input.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix_reference_values() {
        // The first outputs of SplitMix64 seeded with 1234567, as in Vigna's splitmix64.c.
        let step = 0x9e37_79b9_7f4a_7c15_u64;
        let outputs = [0, 1, 2].map(|n| mix(1_234_567_u64.wrapping_add(step.wrapping_mul(n))));
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

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
