//! Turns as letter pairs, the way Cloudict, SAU and their relatives write them.

use collinear_rules::{Cell, Rules, notation};

/// Where row `A` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    BottomLeft,
    TopLeft,
}

/// Stands for a stone that is not placed: the first turn of SAU is `JJ@@`.
pub(crate) const NO_STONE: &str = "@@";

/// Reads the stones of a turn: `JJ`, `IKKK`, `JJ@@`.
pub(crate) fn parse(rules: &Rules, origin: Origin, text: &str) -> Result<Vec<Cell>, String> {
    let most = rules.p().max(rules.q());
    let stones = text.len() / 2;
    if !text.is_ascii() || text.is_empty() || !text.len().is_multiple_of(2) || stones > most {
        return Err(format!("expected letter pairs for at most {most} stones, such as JJ or IKKK"));
    }
    let mut cells = Vec::with_capacity(stones);
    for at in (0..text.len()).step_by(2) {
        let pair = &text[at..at + 2];
        if pair != NO_STONE {
            let cell = notation::parse_letters(rules, pair).map_err(|error| error.to_string())?;
            cells.push(turned(rules, origin, cell));
        }
    }
    Ok(cells)
}

/// Whether a word has the form of a turn, whatever the board.
pub(crate) fn are_pairs(text: &str) -> bool {
    !text.is_empty()
        && text.len().is_multiple_of(2)
        && text.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'@')
}

/// Writes the stones of a turn.
pub(crate) fn write(rules: &Rules, origin: Origin, cells: &[Cell]) -> String {
    cells.iter().map(|&cell| notation::letters_name(rules, turned(rules, origin, cell))).collect()
}

/// The cell with its row counted from the other end where the origin asks for it.
fn turned(rules: &Rules, origin: Origin, cell: Cell) -> Cell {
    match origin {
        Origin::BottomLeft => cell,
        Origin::TopLeft => {
            let row = rules.height() - 1 - rules.row(cell);
            Cell::new(row * rules.width() + rules.column(cell))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_keep_their_letters() {
        let rules = Rules::CONNECT6;
        for origin in [Origin::BottomLeft, Origin::TopLeft] {
            for text in ["JJ", "AASS", "SAKB"] {
                let cells = parse(&rules, origin, text).expect(text);
                assert_eq!(write(&rules, origin, &cells), text);
            }
        }
        let corner = parse(&rules, Origin::TopLeft, "AA@@").expect("one stone");
        assert_eq!(corner, [rules.cell(0, 18).expect("on the board")]);
        for text in ["", "J", "JJK", "TT", "JJKKLL", "éé", "J1"] {
            assert!(parse(&rules, Origin::BottomLeft, text).is_err(), "{text}");
        }
    }
}
