//! What stands beside a node: times and thoughts in private properties, marks in those of SGF.

use std::fmt::Write as _;
use std::time::Duration;

use collinear_play::{Mark, Notes, Sign, Thought};
use collinear_rules::Rules;

use super::lex::{self, Property, escape};
use super::{Dialect, point};

/// SGF's marks without text.
const SIGNS: [(&str, Sign); 4] =
    [("TR", Sign::Triangle), ("CR", Sign::Circle), ("SQ", Sign::Square), ("MA", Sign::Cross)];

/// Whether a property belongs here.
pub(super) fn is_known(name: &str) -> bool {
    matches!(name, "XMS" | "XCK" | "XND" | "XDP" | "XVA" | "XCH" | "LB")
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
        name => {
            for (_, value) in &property.values {
                let (place, sign) = match SIGNS.iter().find(|(known, _)| *known == name) {
                    Some((_, sign)) => (lex::unescape(value), sign.clone()),
                    None => match lex::composed(value) {
                        Some((place, label)) => (place, Sign::Label(label.into_owned())),
                        None => continue,
                    },
                };
                let cells = point::parse(rules, dialect, &place).unwrap_or_default();
                notes.marks.extend(cells.into_iter().map(|cell| Mark { cell, sign: sign.clone() }));
            }
        }
    }
    Ok(())
}

fn millis(text: &str) -> Result<Duration, &'static str> {
    let expected = "milliseconds";
    let millis: f64 = text.parse().map_err(|_| expected)?;
    Duration::try_from_secs_f64(millis / 1000.0).map_err(|_| expected)
}

/// Writes what a dialect has words for.
pub(super) fn write(out: &mut String, notes: &Notes, rules: &Rules, dialect: Dialect) {
    for Mark { cell, sign } in &notes.marks {
        let place = point::name(rules, dialect, *cell);
        // Writing into a string cannot fail, here and below.
        let _ = match sign {
            Sign::Label(label) => {
                let _ = write!(out, "LB[{place}:");
                escape(out, label);
                out.write_char(']')
            }
            sign => {
                let known = SIGNS.iter().find(|(_, known)| known == sign);
                known.map_or(Ok(()), |(name, _)| write!(out, "{name}[{place}]"))
            }
        };
    }
    if dialect != Dialect::Ours {
        return;
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
