//! A function from keys to small numbers that stores the numbers and no keys.
//!
//! Every key names three places of a table; the value is the exclusive or of what is there:
//!
//! ```text
//! key ──┬── place a   11010 ┐
//!       ├── place b   00111 ├─ xor = 10100
//!       └── place c   01001 ┘
//! ```
//!
//! For keys that were not there when it was built the answer is noise, so it serves only where
//! every question that can be asked was: a level of the book holds *every* position that can arise
//! after a fixed number of stones. It costs 1.13 to 1.25 times the bits of the values, a fourth of what sorted
//! keys take. (Binary fuse filters: Graf and Lemire 2022, without the fingerprints.)

use collinear_rules::hash::mix;

/// The function; the bits live elsewhere, so that an embedded book is never copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) seed: u64,
    /// Places a segment, a power of two. A key's places lie in three segments that follow each
    /// other.
    pub(crate) segment: u32,
    /// Segments a key can start in.
    pub(crate) starts: u32,
    /// Bits of a value, 1 to 8.
    pub(crate) bits: u32,
}

impl Function {
    /// Bytes of the table; one is added so that a value can be read as two bytes.
    pub(crate) fn bytes(&self) -> u64 {
        (u64::from(self.starts) + 2) * u64::from(self.segment) * u64::from(self.bits) / 8 + 2
    }

    /// The value of a key.
    pub(crate) fn get(&self, table: &[u8], key: u128) -> u8 {
        let value = |place: usize| read(table, place, self.bits);
        let [a, b, c] = self.places(key);
        value(a) ^ value(b) ^ value(c)
    }

    /// The function of these different keys, and its table.
    pub(crate) fn build(keys: &[u128], values: &[u8], bits: u32) -> (Self, Vec<u8>) {
        for attempt in 0.. {
            let function = Self::sized(keys.len(), bits, attempt);
            if let Some(order) = function.peel(keys) {
                let mut table = vec![0; function.bytes() as usize];
                // The last key peeled has a place of its own; going back, each key sets its place.
                for &(key, place) in order.iter().rev() {
                    let wrong = function.get(&table, keys[key]) ^ values[key];
                    let there = read(&table, place, bits);
                    write(&mut table, place, bits, there ^ wrong);
                }
                return (function, table);
            }
        }
        unreachable!("one of the endless seeds works")
    }

    fn sized(keys: usize, bits: u32, attempt: u64) -> Self {
        let n = keys.max(2) as f64;
        let segment = 1 << ((n.ln() / 3.33_f64.ln() + 2.25).floor() as u32).clamp(2, 18);
        let room = n * (0.875 + 0.25 * 1e6_f64.ln() / n.ln()).max(1.125);
        // Seeds that fail again and again ask for more room.
        let places = (room * (1.0 + attempt as f64 / 50.0)) as u32 + segment;
        Self { seed: attempt, segment, starts: (places.div_ceil(segment)).max(3) - 2, bits }
    }

    fn places(&self, key: u128) -> [usize; 3] {
        let hash = mix(mix(key as u64 ^ mix(self.seed)) ^ (key >> 64) as u64);
        let start = ((u128::from(hash) * u128::from(self.starts)) >> 64) as usize;
        let segment = self.segment as usize;
        let within = |shift: u32| (hash >> shift) as usize & (segment - 1);
        [start, start + 1, start + 2].map(|s| s * segment).into_iter().zip([0, 18, 36]).fold(
            [0; 3],
            |mut places, (base, shift)| {
                places[shift as usize / 18] = base + within(shift);
                places
            },
        )
    }

    /// An order in which every key has a place that no later key has, or none if there is none.
    fn peel(&self, keys: &[u128]) -> Option<Vec<(usize, usize)>> {
        let places = (self.starts as usize + 2) * self.segment as usize;
        // How many keys name a place, and the exclusive or of their numbers.
        let (mut count, mut sum) = (vec![0_u32; places], vec![0_usize; places]);
        for (number, &key) in keys.iter().enumerate() {
            for place in self.places(key) {
                count[place] += 1;
                sum[place] ^= number;
            }
        }
        let mut alone: Vec<usize> = (0..places).filter(|&place| count[place] == 1).collect();
        let mut order = Vec::with_capacity(keys.len());
        while let Some(place) = alone.pop() {
            if count[place] != 1 {
                continue;
            }
            let number = sum[place];
            order.push((number, place));
            for other in self.places(keys[number]) {
                count[other] -= 1;
                sum[other] ^= number;
                if count[other] == 1 {
                    alone.push(other);
                }
            }
        }
        (order.len() == keys.len()).then_some(order)
    }
}

fn read(table: &[u8], place: usize, bits: u32) -> u8 {
    let bit = place * bits as usize;
    let pair = u16::from_le_bytes([table[bit / 8], table[bit / 8 + 1]]);
    (pair >> (bit % 8)) as u8 & (u8::MAX >> (8 - bits))
}

fn write(table: &mut [u8], place: usize, bits: u32, value: u8) {
    let bit = place * bits as usize;
    let mask = u16::from(u8::MAX >> (8 - bits)) << (bit % 8);
    let pair = u16::from_le_bytes([table[bit / 8], table[bit / 8 + 1]]);
    // A value with more bits must not spoil its neighbour.
    let pair = pair & !mask | u16::from(value) << (bit % 8) & mask;
    table[bit / 8..bit / 8 + 2].copy_from_slice(&pair.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_gets_its_value_back() {
        for (count, bits) in [(0, 3), (1, 1), (2, 8), (560, 5), (40_000, 6)] {
            let keys: Vec<u128> =
                (0..count).map(|i| u128::from(mix(i)) << 64 | u128::from(i)).collect();
            let values: Vec<u8> = (0..count).map(|i| mix(i) as u8 >> (8 - bits)).collect();
            let (function, table) = Function::build(&keys, &values, bits);
            assert_eq!(table.len() as u64, function.bytes());
            for (key, value) in keys.iter().zip(&values) {
                assert_eq!(function.get(&table, *key), *value);
            }
        }
    }
}
