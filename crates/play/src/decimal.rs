//! Numbers as people write them: `0.35`, `-2`, `1e-05`. The standard library reads every number to its last
//! bit; its tables for that are a twentieth of what a browser loads before the first stone.

/// Larger whole numbers have no exact `f64`.
const MAX_EXACT: u64 = 1 << 53;
/// The largest power of ten that may be asked for.
const MAX_POWER: i32 = 99;

/// Reads a number: exactly, if it has up to 15 digits and the power of ten is at most 22 (Clinger 1990), else but
/// for the last bits.
pub(crate) fn decimal(text: &str) -> Option<f64> {
    let (mantissa, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let unsigned = mantissa.strip_prefix(['+', '-']).unwrap_or(mantissa);
    let (whole, part) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut power = power.parse::<i32>().ok().filter(|power| power.abs() <= MAX_POWER)?;
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let (mut digits, mut is_full) = (0_u64, false);
    for (at, digit) in whole.bytes().chain(part.bytes()).enumerate() {
        if !digit.is_ascii_digit() {
            return None;
        }
        is_full |= digits > MAX_EXACT / 10 - 1;
        if !is_full {
            digits = 10 * digits + u64::from(digit - b'0');
        }
        power += i32::from(is_full) - i32::from(at >= whole.len());
    }
    let ten = (0..power.abs()).fold(1.0, |ten, _| 10.0 * ten);
    let size = if power < 0 { digits as f64 / ten } else { digits as f64 * ten };
    Some(if mantissa.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_are_read_as_the_library_reads_them() {
        for text in
            ["0", "7", "-0.5", "+3", ".25", "2.", "1e5", "1E-05", "300.0", "0.333333333333333"]
        {
            assert_eq!(decimal(text), text.parse().ok(), "{text}");
        }
        assert_eq!(decimal(&format!("0.{}", "0".repeat(400))), Some(0.0));
        assert_eq!(decimal(&"9".repeat(400)), Some(f64::INFINITY));
        for text in
            ["", ".", "-", "+-1", "inf", "NaN", "1e", "1e1.5", "0x1", "1_000", " 1", "1e100", "٣"]
        {
            assert_eq!(decimal(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn up_to_fifteen_digits_are_exact(
            digits in 0..10_u64.pow(15), places in 0..23_usize, minus: bool,
        ) {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, part) = padded.split_at(padded.len() - places);
            let text = format!("{}{whole}.{part}", if minus { "-" } else { "" });
            prop_assert_eq!(decimal(&text), text.parse().ok());
        }

        #[test]
        fn what_is_printed_is_read_again_but_for_the_last_bits(number in -1e9..1e9_f64, power in -30..9) {
            let number = number * 10_f64.powi(power);
            let read = decimal(&format!("{number}")).expect("a number");
            prop_assert!((read - number).abs() <= number.abs() * 1e-14, "{number} {read}");
        }
    }
}
