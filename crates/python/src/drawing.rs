//! A board as a picture, drawn for notebooks: SVG without scripts, fonts or outside files.

use std::fmt::Write;

use collinear_rules::{Cell, Player, Position, notation};

/// Units per cell; everything else follows.
const CELL: usize = 40;
/// Room for the coordinates.
const MARGIN: usize = 32;

/// The board, `size` pixels wide, with `marks` pointed out.
pub(crate) fn svg(position: &Position, size: u32, marks: &[Cell]) -> String {
    let rules = position.rules();
    let (width, height) = (rules.width() * CELL + 2 * MARGIN, rules.height() * CELL + 2 * MARGIN);
    let tall = u64::from(size) * height as u64 / width as u64;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{size}\" height=\"{tall}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\" \
         font-family=\"sans-serif\">\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"{}\"/>",
        crate::game::name(rules),
        if rules.gravity() { "#3b6ea5" } else { "#e3c48f" },
    );
    if rules.gravity() {
        holes(&mut out, position);
    } else {
        grid(&mut out, position);
    }
    coordinates(&mut out, position);
    stones(&mut out, position);
    for &cell in marks.iter().filter(|cell| cell.index() < rules.cells()) {
        ring(&mut out, position, cell, "#1f78d1");
    }
    for cell in position.forbidden() {
        cross(&mut out, position, cell);
    }
    let won = if rules.gravity() { "#fff" } else { "#e0412f" };
    for cell in position.winning_cells() {
        ring(&mut out, position, cell, won);
    }
    out.push_str("</svg>");
    out
}

/// The middle of a cell.
fn centre(position: &Position, cell: Cell) -> (usize, usize) {
    let rules = position.rules();
    let across = MARGIN + rules.column(cell) * CELL + CELL / 2;
    let down = MARGIN + (rules.height() - 1 - rules.row(cell)) * CELL + CELL / 2;
    (across, down)
}

fn grid(out: &mut String, position: &Position) {
    let rules = position.rules();
    let (near, right, bottom) = (
        MARGIN + CELL / 2,
        MARGIN + rules.width() * CELL - CELL / 2,
        MARGIN + rules.height() * CELL - CELL / 2,
    );
    out.push_str("<path stroke=\"#5b4632\" stroke-width=\"1.5\" stroke-linecap=\"round\" d=\"");
    for column in 0..rules.width() {
        let _ = write!(out, "M{} {near}V{bottom}", near + column * CELL);
    }
    for row in 0..rules.height() {
        let _ = write!(out, "M{near} {}H{right}", near + row * CELL);
    }
    out.push_str("\"/>");
}

fn holes(out: &mut String, position: &Position) {
    for cell in position.rules().all_cells() {
        let (x, y) = centre(position, cell);
        let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"#dfe9f3\"/>");
    }
}

fn coordinates(out: &mut String, position: &Position) {
    let rules = position.rules();
    let ink = if rules.gravity() { "#fff" } else { "#5b4632" };
    let _ = write!(out, "<g fill=\"{ink}\" font-size=\"18\" text-anchor=\"middle\">");
    let below = MARGIN + rules.height() * CELL + 18;
    for column in 0..rules.width() {
        let x = MARGIN + column * CELL + CELL / 2;
        let name = notation::column_name(column);
        let _ = write!(out, "<text x=\"{x}\" y=\"{below}\">{name}</text>");
    }
    for row in 0..rules.height() {
        let y = MARGIN + (rules.height() - 1 - row) * CELL + CELL / 2 + 5;
        let _ = write!(out, "<text x=\"16\" y=\"{y}\">{}</text>", row + 1);
    }
    out.push_str("</g>");
}

/// The stones, with a dot on those of the last turn. Where they fall they are red and yellow, as on
/// the page.
fn stones(out: &mut String, position: &Position) {
    let last = last_turn(position);
    for player in Player::BOTH {
        let (fill, edge, dot) = match (position.rules().gravity(), player) {
            (false, Player::Black) => ("#1d1d1f", "#000", "#fff"),
            (false, Player::White) => ("#fdfdfb", "#6b6b6b", "#1d1d1f"),
            (true, Player::Black) => ("#d43a2f", "#8f1d16", "#fff"),
            (true, Player::White) => ("#f5c518", "#a37f00", "#1d1d1f"),
        };
        for cell in position.stones(player) {
            let (x, y) = centre(position, cell);
            let _ = write!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"17\" fill=\"{fill}\" stroke=\"{edge}\"/>"
            );
            if last.contains(&cell) {
                let _ = write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"5\" fill=\"{dot}\"/>");
            }
        }
    }
}

/// The stones that the player of the last stone placed in a row.
fn last_turn(position: &Position) -> Vec<Cell> {
    let owner = position.history().last().and_then(|&cell| position.at(cell));
    let same = |cell: &&Cell| position.at(**cell) == owner;
    position.history().iter().rev().take_while(same).copied().collect()
}

/// A cell that Renju forbids to Black.
fn cross(out: &mut String, position: &Position, cell: Cell) {
    let (x, y) = centre(position, cell);
    let (left, right, top, bottom) = (x - 7, x + 7, y - 7, y + 7);
    let _ = write!(
        out,
        "<path stroke=\"#c0281c\" stroke-width=\"4\" stroke-linecap=\"round\" \
         d=\"M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}\"/>"
    );
}

fn ring(out: &mut String, position: &Position, cell: Cell, ink: &str) {
    let (x, y) = centre(position, cell);
    let _ = write!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"18\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"4\"/>"
    );
}
