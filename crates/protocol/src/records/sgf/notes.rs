//! What stands beside a node: times and thoughts in private properties, marks in those of SGF.

use std::fmt::Write as _;
use std::time::Duration;

use collinear_play::{Ink, Mark, Notes, Sign, Thought};
use collinear_rules::{Cell, Rules};

use super::lex::{self, Property, escape};
use super::{Dialect, point};

/// SGF's marks without text.
const SIGNS: [(&str, Sign); 4] =
    [("TR", Sign::Triangle), ("CR", Sign::Circle), ("SQ", Sign::Square), ("MA", Sign::Cross)];

/// Our private property of the colours of marks: `XHU[red:CR:hh][blue:AR:hh:ii]`. It is read when
/// the marks are there.
pub(super) const COLOURS: &str = "XHU";

/// Whether a property belongs here.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "XMS" | "XCK" | "XND" | "XDP" | "XVA" | "XCH" | "LB" | "AR" | "LN" | COLOURS)
        || SIGNS.iter().any(|(known, _)| *known == name)
}

/// Reads one property, or says what was expected. Marks that no board has are left out.
pub(super) fn read(
    notes: &mut Notes,
    property: &Property<'_>,
    rules: &Rules,
    dialect: Dialect,
) -> Result<(), &'static str> {
    let text = lex::unescape(property.first());
    let text = text.trim();
    let Thought { time, clock, nodes, depth, value } = &mut notes.thought;
    match property.name.as_str() {
        "XMS" => *time = Some(millis(text)?),
        "XCK" => *clock = Some(millis(text)?),
        "XND" => *nodes = Some(text.parse().map_err(|_| "a number of nodes")?),
        "XDP" => *depth = Some(text.parse().map_err(|_| "a depth")?),
        "XVA" => *value = Some(text.parse().map_err(|_| "a chance, win N, loss N or draw")?),
        "XCH" => notes.chance = Some(text.parse().map_err(|_| "a chance")?),
        COLOURS => colour(notes, property, rules, dialect),
        name => {
            let cells = |place: &str| point::parse(rules, dialect, place).unwrap_or_default();
            for (_, value) in &property.values {
                if let Some((_, sign)) = SIGNS.iter().find(|(known, _)| *known == name) {
                    let cells = cells(&lex::unescape(value)).into_iter();
                    notes.marks.extend(cells.map(|cell| Mark::new(cell, sign.clone())));
                    continue;
                }
                let Some((place, text)) = lex::composed(value) else { continue };
                let to = cells(&text).first().copied();
                for cell in cells(&place) {
                    let sign = match (name, to) {
                        ("AR", Some(to)) if to != cell => Sign::Arrow(to),
                        ("LN", Some(to)) if to != cell => Sign::Line(to),
                        ("AR" | "LN", _) => continue,
                        _ => Sign::Label(text.clone().into_owned()),
                    };
                    notes.marks.push(Mark::new(cell, sign));
                }
            }
        }
    }
    Ok(())
}

/// Gives marks that are there their colour. What names none of them is left out.
fn colour(notes: &mut Notes, property: &Property<'_>, rules: &Rules, dialect: Dialect) {
    let cell = |text: Option<&str>| {
        let cells = point::parse(rules, dialect, text?).ok()?;
        cells.first().copied()
    };
    for (_, value) in &property.values {
        let mut parts = value.split(':');
        let (ink, name) = (parts.next(), parts.next().unwrap_or_default());
        let Some((_, ink)) = Ink::NAMED.into_iter().find(|(known, _)| Some(*known) == ink) else {
            continue;
        };
        let (from, to) = (cell(parts.next()), cell(parts.next()));
        let is_it = |mark: &&mut Mark| {
            Some(mark.cell) == from && name_of(&mark.sign) == name && to_of(&mark.sign) == to
        };
        if let Some(mark) = notes.marks.iter_mut().find(is_it) {
            mark.ink = ink;
        }
    }
}

/// The property of a sign.
fn name_of(sign: &Sign) -> &'static str {
    match sign {
        Sign::Label(_) => "LB",
        Sign::Arrow(_) => "AR",
        Sign::Line(_) => "LN",
        plain => SIGNS.iter().find(|(_, known)| known == plain).map_or("", |(name, _)| name),
    }
}

/// Where an arrow or a line leads.
const fn to_of(sign: &Sign) -> Option<Cell> {
    match sign {
        Sign::Arrow(to) | Sign::Line(to) => Some(*to),
        _ => None,
    }
}

fn millis(text: &str) -> Result<Duration, &'static str> {
    let expected = "milliseconds";
    let millis: f64 = text.parse().map_err(|_| expected)?;
    Duration::try_from_secs_f64(millis / 1000.0).map_err(|_| expected)
}

/// Writes what a dialect has words for.
pub(super) fn write(out: &mut String, notes: &Notes, rules: &Rules, dialect: Dialect) {
    let at = |cell: Cell| point::name(rules, dialect, cell);
    for (nth, first) in notes.marks.iter().enumerate() {
        let name = name_of(&first.sign);
        let is_it = |mark: &&Mark| name_of(&mark.sign) == name;
        // A property stands once in a node, with all its values.
        if notes.marks[..nth].iter().any(|mark| is_it(&mark)) {
            continue;
        }
        out.push_str(name);
        for Mark { cell, sign, .. } in notes.marks.iter().filter(is_it) {
            // Writing into a string cannot fail, here and below.
            let _ = write!(out, "[{}", at(*cell));
            if let Sign::Label(label) = sign {
                out.push(':');
                escape(out, label);
            }
            if let Some(to) = to_of(sign) {
                let _ = write!(out, ":{}", at(to));
            }
            out.push(']');
        }
    }
    if dialect != Dialect::Ours {
        return;
    }
    if notes.marks.iter().any(|mark| !mark.ink.is_plain()) {
        out.push_str(COLOURS);
    }
    for Mark { cell, sign, ink } in &notes.marks {
        let Some((ink, _)) = Ink::NAMED.iter().find(|(_, known)| known == ink) else { continue };
        let _ = write!(out, "[{ink}:{}:{}", name_of(sign), at(*cell));
        if let Some(to) = to_of(sign) {
            let _ = write!(out, ":{}", at(to));
        }
        out.push(']');
    }
    let Thought { time, clock, nodes, depth, value } = notes.thought;
    for (name, time) in [("XMS", time), ("XCK", clock)] {
        if let Some(time) = time {
            let _ = write!(out, "{name}[{}]", time.as_micros() as f64 / 1000.0);
        }
    }
    let _ = nodes.map(|nodes| write!(out, "XND[{nodes}]"));
    let _ = depth.map(|depth| write!(out, "XDP[{depth}]"));
    let _ = value.map(|value| write!(out, "XVA[{value}]"));
    let _ = notes.chance.map(|chance| write!(out, "XCH[{chance}]"));
}
