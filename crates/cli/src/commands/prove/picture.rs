//! The pictures of an atlas: for each pair of p and q one drawing with a panel per row length, and
//! in the panel a square per board, width across and height upwards.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use collinear_rules::Rules;

/// Pixels of a square.
const SQUARE: usize = 18;
/// Pixels around a panel, for its name and its numbers.
const MARGIN: usize = 28;
/// Panels side by side.
const ACROSS: usize = 3;

/// Columns, rows and value of a board.
type Square<'a> = (usize, usize, &'a str);

/// The drawings by file name. `values` gives black, white, draw or open for each game.
pub(super) fn draw(values: &[(Rules, String)]) -> BTreeMap<String, String> {
    let mut panels: BTreeMap<_, BTreeMap<usize, Vec<Square<'_>>>> = BTreeMap::new();
    for (rules, value) in values {
        let of = panels.entry((rules.gravity(), rules.p(), rules.q())).or_default();
        let boards = of.entry(rules.k()).or_default();
        boards.push((rules.width(), rules.height(), value));
        // Without gravity a board and its transpose are one game.
        if !rules.gravity() && rules.width() != rules.height() {
            boards.push((rules.height(), rules.width(), value));
        }
    }
    panels
        .into_iter()
        .map(|((gravity, p, q), by_k)| {
            let ending = if gravity { "-gravity" } else { "" };
            (format!("atlas-p{p}-q{q}{ending}.svg"), drawing(&by_k))
        })
        .collect()
}

fn drawing(by_k: &BTreeMap<usize, Vec<(usize, usize, &str)>>) -> String {
    // Long thin boards say little: what lies beyond is in the table.
    const MAX_SHOWN: usize = 12;
    let shown = |boards: &[(usize, usize, &str)]| {
        boards.iter().map(|&(w, h, _)| w.max(h)).max().unwrap_or(0).min(MAX_SHOWN)
    };
    let side = by_k.values().map(|boards| shown(boards)).max().unwrap_or(0);
    let panel = side * SQUARE + 2 * MARGIN;
    let (across, down) = (by_k.len().min(ACROSS), by_k.len().div_ceil(ACROSS));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        across * panel,
        down * panel
    );
    for (index, (k, boards)) in by_k.iter().enumerate() {
        let (left, top) = (index % ACROSS * panel + MARGIN, index / ACROSS * panel + MARGIN);
        let bottom = top + side * SQUARE;
        let _ =
            writeln!(svg, "<text x=\"{left}\" y=\"{}\" font-size=\"13\">k = {k}</text>", top - 8);
        for number in 1..=side {
            let middle = (number - 1) * SQUARE + SQUARE / 2;
            let (x, y) = (left + middle, bottom - middle + 4);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#666\">{number}</text>",
                bottom + 12
            );
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{y}\" text-anchor=\"end\" fill=\"#666\">{number}</text>",
                left - 4
            );
        }
        for &(width, height, value) in boards.iter().filter(|&&(w, h, _)| w.max(h) <= side) {
            let (colour, text, sign) = match value {
                "black" => ("#222", "#fff", "1"),
                "white" => ("#f4d35e", "#222", "2"),
                "draw" => ("#c9d6df", "#222", "="),
                _ => ("#fff", "#999", "?"),
            };
            let (x, y) = (left + (width - 1) * SQUARE, bottom - height * SQUARE);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{colour}\" stroke=\"#fff\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"{text}\">{sign}</text>",
                x + SQUARE / 2,
                y + SQUARE / 2 + 4
            );
        }
    }
    svg + "</svg>\n"
}
