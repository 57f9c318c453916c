//! The pictures of an atlas: for each pair of p and q one drawing with a panel per row length, and
//! in the panel a square per board, width across and height upwards.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use collinear_rules::Rules;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Pixels of a square.
const SQUARE: usize = 18;
/// Pixels around a panel, for its name and its numbers.
const MARGIN: usize = 28;
/// Panels side by side.
const ACROSS: usize = 3;
/// Long thin boards say little: what lies beyond is in the table.
const MAX_SIDE: usize = 12;

/// Columns, rows and value of a board.
type Square<'a> = (usize, usize, &'a str);

/// How a value is shown: the colour of its square, its sign and the sign's colour.
const VALUES: [(&str, RGBColor, &str, RGBColor); 4] = [
    ("black", RGBColor(0x22, 0x22, 0x22), "1", WHITE),
    ("white", RGBColor(0xf4, 0xd3, 0x5e), "2", BLACK),
    ("draw", RGBColor(0xc9, 0xd6, 0xdf), "=", BLACK),
    ("open", WHITE, "?", RGBColor(0x88, 0x88, 0x88)),
];
const GREY: RGBColor = RGBColor(0x66, 0x66, 0x66);

/// The drawings by file name. `values` gives black, white, draw or open for each game.
pub(super) fn draw(values: &[(Rules, String)]) -> Result<BTreeMap<String, String>> {
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
            let svg = drawing(&by_k).map_err(|error| anyhow!("no picture: {error}"))?;
            Ok((format!("atlas-p{p}-q{q}{ending}.svg"), svg))
        })
        .collect()
}

fn drawing(by_k: &BTreeMap<usize, Vec<Square<'_>>>) -> Result<String, Box<dyn std::error::Error>> {
    let sides = by_k.values().flatten().map(|&(width, height, _)| width.max(height));
    let side = sides.max().unwrap_or(0).min(MAX_SIDE);
    // A panel in which every board is longer than that would be empty.
    let shown = |boards: &&Vec<Square<'_>>| boards.iter().any(|&(w, h, _)| w.max(h) <= side);
    let panels: Vec<_> = by_k.iter().filter(|(_, boards)| shown(boards)).collect();
    let panel = side * SQUARE + 2 * MARGIN;
    let (across, down) = (panels.len().min(ACROSS), panels.len().div_ceil(ACROSS));
    let mut svg = String::new();
    {
        let size = ((across * panel) as u32, (down * panel) as u32);
        let page = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        page.fill(&WHITE)?;
        let places = page.split_evenly((down, across));
        for ((k, boards), place) in panels.into_iter().zip(places) {
            let at = |column: usize, row: usize| {
                ((MARGIN + column * SQUARE) as i32, (MARGIN + (side - row) * SQUARE) as i32)
            };
            let write = |text: String, (x, y): (i32, i32), size: i32, colour: &RGBColor| {
                let centred = Pos::new(HPos::Center, VPos::Center);
                let style = ("sans-serif", size).into_font().color(colour).pos(centred);
                place.draw(&Text::new(text, (x, y), style))
            };
            let half = (SQUARE / 2) as i32;
            write(format!("k = {k}"), (panel as i32 / 2, MARGIN as i32 / 2), 14, &BLACK)?;
            for number in 1..=side {
                let (x, bottom) = at(number - 1, 0);
                write(number.to_string(), (x + half, bottom + half), 11, &GREY)?;
                let (left, y) = at(0, number);
                write(number.to_string(), (left - half, y + half), 11, &GREY)?;
            }
            for &(width, height, value) in boards.iter().filter(|&&(w, h, _)| w.max(h) <= side) {
                let known = VALUES.iter().find(|(name, ..)| *name == value);
                let Some((_, colour, sign, ink)) = known else { continue };
                let (left, top) = at(width - 1, height);
                let corners = [(left + 1, top + 1), (left + 2 * half - 1, top + 2 * half - 1)];
                place.draw(&Rectangle::new(corners, colour.filled()))?;
                write((*sign).to_owned(), (left + half, top + half), 12, ink)?;
            }
        }
        page.present()?;
    }
    Ok(svg)
}
