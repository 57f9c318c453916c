//! Points: letter pairs from a corner, or letters-digits several in a row.

use collinear_rules::notation::{self, NotationError};
use collinear_rules::{Cell, Rules};

use super::Dialect;
use crate::quote::short;

/// Boards up to this side fit letter pairs: `a` … `z`, `A` … `Z`.
const LETTERS: usize = 52;

/// The cells of one value. Little Golem writes a turn at once: `j9l11`.
pub(super) fn parse(
    rules: &Rules,
    dialect: Dialect,
    value: &str,
) -> Result<Vec<Cell>, NotationError> {
    let value = value.trim();
    if value.bytes().any(|b| b.is_ascii_digit()) {
        return parse_names(rules, value);
    }
    match dialect {
        Dialect::Taiwan => notation::parse_letters(rules, value).map(|cell| vec![cell]),
        Dialect::Ours => parse_pair(rules, value).map(|cell| vec![cell]),
        Dialect::LittleGolem => Err(form(
            value,
            "cells such as j9l11 (without GM or XRU this is Little Golem's Connect6; if it is another game, name the game)",
        )),
    }
}

fn parse_names(rules: &Rules, value: &str) -> Result<Vec<Cell>, NotationError> {
    // Two stones take eight signs; a turn has at most 64.
    const MAX: usize = 64 * 4;
    if !value.is_ascii() || value.len() > MAX {
        return Err(form(value, "cells such as j9l11"));
    }
    let mut cells = Vec::new();
    let mut rest = value;
    while !rest.is_empty() {
        let letters = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let digits = rest[letters..].find(|c: char| !c.is_ascii_digit());
        let end = digits.map_or(rest.len(), |digits| letters + digits);
        if letters == 0 || end == letters {
            return Err(form(value, "cells such as j9l11"));
        }
        cells.push(notation::parse(rules, &rest[..end])?);
        rest = rest[end..].trim_start();
    }
    Ok(cells)
}

/// A letter pair from the top left. On boards up to 26×26 capitals mean the same as small letters.
fn parse_pair(rules: &Rules, value: &str) -> Result<Cell, NotationError> {
    let &[x, y] = value.as_bytes() else { return Err(form(value, "two letters such as jj")) };
    let folds = rules.width().max(rules.height()) <= 26;
    let number = |b: u8| match b {
        b'a'..=b'z' => Ok(usize::from(b - b'a')),
        b'A'..=b'Z' if folds => Ok(usize::from(b - b'A')),
        b'A'..=b'Z' => Ok(usize::from(b - b'A') + 26),
        _ => Err(form(value, "two letters such as jj")),
    };
    let (column, from_top) = (number(x)?, number(y)?);
    let row = (rules.height() - 1).checked_sub(from_top);
    row.and_then(|row| rules.cell(column, row)).ok_or_else(|| NotationError::Outside {
        text: value.to_owned(),
        width: rules.width(),
        height: rules.height(),
    })
}

fn form(text: &str, expected: &'static str) -> NotationError {
    NotationError::Form { text: short(text), expected }
}

/// Writes a cell.
pub(super) fn name(rules: &Rules, dialect: Dialect, cell: Cell) -> String {
    let (column, row) = (rules.column(cell), rules.row(cell));
    match dialect {
        Dialect::Taiwan => notation::letters_name(rules, cell),
        Dialect::Ours if rules.width().max(rules.height()) <= LETTERS => {
            let letter =
                |n: usize| char::from(if n < 26 { b'a' + n as u8 } else { b'A' + (n - 26) as u8 });
            [letter(column), letter(rules.height() - 1 - row)].iter().collect()
        }
        Dialect::Ours | Dialect::LittleGolem => notation::name(rules, cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_keeps_its_name() {
        for text in ["19x19,k=6,p=2,q=1", "52x3,k=3", "53x60,k=5", "26x26,k=5", "27x4,k=4"] {
            let rules: Rules = text.parse().expect(text);
            for cell in rules.all_cells() {
                for dialect in [Dialect::Ours, Dialect::LittleGolem] {
                    let name = name(&rules, dialect, cell);
                    assert_eq!(parse(&rules, dialect, &name), Ok(vec![cell]), "{name}");
                }
            }
        }
    }

    #[test]
    fn corners_and_turns() {
        let rules = Rules::CONNECT6;
        let at = |x, y| rules.cell(x, y).expect("on the board");
        assert_eq!(parse(&rules, Dialect::Ours, "aa"), Ok(vec![at(0, 18)]));
        assert_eq!(parse(&rules, Dialect::Taiwan, "AA"), Ok(vec![at(0, 0)]));
        assert_eq!(parse(&rules, Dialect::LittleGolem, "j9l11"), Ok(vec![at(9, 8), at(11, 10)]));
        for bad in ["", "tt", "j9l", "9j", "jé", "j9l20", "jjj"] {
            assert!(parse(&rules, Dialect::Ours, bad).is_err(), "{bad}");
        }
    }
}
