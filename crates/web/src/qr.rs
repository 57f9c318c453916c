//! QR codes of addresses: for the page as the path of an SVG, for a terminal as text.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

/// Light modules around the code, which cameras need to find it.
const MARGIN: i32 = 2;

/// A QR code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Qr {
    side: usize,
    dark: Vec<bool>,
}

impl Qr {
    /// The code of a text; none when it is too long for one.
    pub fn of(text: &str) -> Option<Self> {
        let code = QrCode::with_error_correction_level(text, EcLevel::L).ok()?;
        let dark = code.to_colors().into_iter().map(|color| color == Color::Dark).collect();
        Some(Self { side: code.width(), dark })
    }

    /// Modules on a side, without a margin.
    pub const fn side(&self) -> usize {
        self.side
    }

    fn is_dark(&self, column: i32, row: i32) -> bool {
        let within = 0..self.side as i32;
        within.contains(&column)
            && within.contains(&row)
            && self.dark[row as usize * self.side + column as usize]
    }

    /// The dark modules as the path of an SVG, a unit for each module.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for row in 0..self.side {
            let mut column = 0;
            while column < self.side {
                let modules = &self.dark[row * self.side..][..self.side];
                let run = modules[column..].iter().take_while(|dark| **dark).count();
                if run > 0 {
                    let _ = write!(path, "M{column} {row}h{run}v1h-{run}z");
                }
                column += run.max(1);
            }
        }
        path
    }

    /// Lines for a terminal with a dark or a light ground: two rows of modules in each, black on white.
    pub fn lines(&self) -> Vec<String> {
        let all = -MARGIN..self.side as i32 + MARGIN;
        let sign = |column, row| match (self.is_dark(column, row), self.is_dark(column, row + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        };
        let line = |row| all.clone().map(|column| sign(column, row)).collect::<String>();
        // Black signs on a bright white ground, whatever the terminal's own colours are.
        all.clone().step_by(2).map(|row| format!("\x1b[30;107m{}\x1b[0m", line(row))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "http://192.168.178.21:4655/?room=0123456789abcdef0123456789abcdef";

    /// Reads the corner squares by which cameras find a code: 7×7, with a ring and a core.
    fn corner(dark: impl Fn(usize, usize) -> bool) -> bool {
        (0..7).all(|row| {
            (0..7).all(|column| {
                let ring = [row, column].iter().any(|at| *at == 0 || *at == 6);
                let core = [row, column].iter().all(|at| (2..5).contains(at));
                dark(column, row) == (ring || core)
            })
        })
    }

    #[test]
    fn path_and_terminal_show_the_same_modules() {
        let code = Qr::of(LINK).expect("short enough");
        let side = code.side();
        assert!(side >= 21 && (side - 17).is_multiple_of(4), "{side}");
        // The path, drawn again.
        let mut drawn = vec![false; side * side];
        for run in code.path().split('M').skip(1) {
            let (at, rest) = run.split_once('h').expect("a run");
            let (column, row) = at.split_once(' ').expect("a place");
            let length: usize =
                rest.split('v').next().expect("a length").parse().expect("a number");
            let from = row.parse::<usize>().expect("a row") * side
                + column.parse::<usize>().expect("a column");
            drawn[from..from + length].fill(true);
        }
        assert_eq!(drawn, code.dark);
        // The terminal's signs, taken apart again.
        let signs: Vec<Vec<char>> = code
            .lines()
            .iter()
            .map(|line| line.chars().filter(|sign| " █▀▄".contains(*sign)).collect())
            .collect();
        let margin = MARGIN as usize;
        let shown = |column: usize, row: usize| {
            let sign = signs[usize::midpoint(row, margin)][column + margin];
            if (row + margin).is_multiple_of(2) { "█▀" } else { "█▄" }.contains(sign)
        };
        for row in 0..side {
            for column in 0..side {
                assert_eq!(shown(column, row), drawn[row * side + column], "{column} {row}");
            }
        }
        assert!(corner(|column, row| drawn[row * side + column]));
        assert!(corner(|column, row| drawn[row * side + side - 1 - column]));
        assert!(corner(|column, row| drawn[(side - 1 - row) * side + column]));
    }

    #[test]
    fn what_no_code_can_hold_is_none() {
        assert_eq!(Qr::of(&"a".repeat(5000)), None);
    }
}
