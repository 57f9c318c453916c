//! Document 002 (Xu, Ma and Xu, "A method to construct knowledge table-base in k-in-a-row games",
//! SAC 2009): its four tables and the numbers of its figures, beside those computed here.
//!
//! Nothing is played and nothing is random: the report is the same on every machine.

use std::sync::Arc;

use crate::tablebase::{Connections, Grade, LineRules, Promotions, Shape, ShapeType, TableBase};
use collinear_arena::experiment::{EntryMark, Findings, Section, Table, TableEntry};
use collinear_rules::{Cell, LineId, Player, Position, Rules};

use crate::studies::{Context, StudyError};

/// Rows and columns of the printed Table 3.
pub const TABLE_ORDER: [Grade; 11] = [
    Grade::C6,
    Grade::DW,
    Grade::L5,
    Grade::L4,
    Grade::D5,
    Grade::D4,
    Grade::L3,
    Grade::S3,
    Grade::D3,
    Grade::L2,
    Grade::O,
];

/// Table 2 as printed, in units of 1024 entries: board, row length, size.
pub const PRINTED_SIZES: [(usize, usize, &str, f64); 4] = [
    (19, 6, "19×19 Connect6", 999.94),
    (15, 6, "15×15 Connect6", 63.93),
    (13, 6, "13×13 Connect6", 15.94),
    (15, 5, "15×15 Go-Moku", 63.97),
];

/// Table 3 as printed: a row for each type from DW on, a sign for each of [`TABLE_ORDER`].
const PRINTED_PROMOTIONS: [&str; 10] = [
    "√××××××××××",
    "√√×××××××××",
    "×√√××××××××",
    "√√√××××××××",
    "×√√√√××××××",
    "×××√×√×××××",
    "×××××√√××××",
    "×××××√√√×××",
    "××××××√√√××",
    "×××××××√√√×",
];

/// Table 4 as printed, which has no column for DW: Δ is forbidden.
const PRINTED_REDUCED: [&str; 10] = [
    "√×××××××××",
    "√×××××××××",
    "×√××××××××",
    "√Δ××××××××",
    "×√√√××××××",
    "××√×√×××××",
    "××××√√××××",
    "××××√√√×××",
    "×××××√√√××",
    "××××××√√√×",
];

/// A size of Table 2 by the document's own formula, and why the print differs where it does.
pub fn size(n: usize, k: usize, printed: f64) -> (f64, &'static str) {
    let ours = ((1_u64 << (n + 1)) - (1 << k)) as f64 / 1024.0;
    let remark = match (ours - printed).abs() {
        ..0.005 => "",
        ..0.01 => "cut where the others are rounded",
        _ => "a slip: 1000 Ki for 2^20",
    };
    (ours, remark)
}

/// The comparison as an experiment.
pub fn study(context: &Context<'_>) -> Result<Findings, StudyError> {
    let experiment = context.experiment;
    let wrong = |error| context.wrong(&error);
    let table = Arc::new(TableBase::new(LineRules::CONNECT6, 19).map_err(wrong)?);
    let promotions = Promotions::of(&table);
    let mut sections = vec![Section::Table(types(&table)), Section::Table(sizes())];
    sections.extend(compared(
        "Table 3: what one stone can make of a type (ours, the printed sign in brackets).",
        &PRINTED_PROMOTIONS,
        &TABLE_ORDER,
        |from, to| if promotions.has(from, to) { '√' } else { '×' },
    ));
    let targets: Vec<Grade> = TABLE_ORDER.into_iter().filter(|&to| to != Grade::DW).collect();
    let reduced = promotions.reduced();
    sections.extend(compared(
        "Table 4: the same without what misses a win (Δ).",
        &PRINTED_REDUCED,
        &targets,
        |from, to| match (promotions.has(from, to), reduced.has(from, to)) {
            (true, true) => '√',
            (true, false) => 'Δ',
            (false, _) => '×',
        },
    ));
    sections.push(Section::Table(figures(&table)));
    sections.extend(experiment.notes.clone().map(Section::Text));
    let data = std::iter::once(["type", "shapes"].map(str::to_owned).to_vec())
        .chain(counts(&table).map(|(t, count)| vec![t.name().to_owned(), count.to_string()]))
        .collect();
    Ok(Findings::new(experiment, sections, data))
}

fn headers(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// Shapes by type, strongest first.
fn counts(table: &TableBase) -> impl Iterator<Item = (ShapeType, u64)> {
    let by_length = table.counts_by_length();
    ShapeType::ALL
        .into_iter()
        .rev()
        .map(move |t| (t, by_length.iter().map(|(_, counts)| counts[t as usize]).sum()))
}

fn types(table: &TableBase) -> Table {
    let rows = counts(table).map(|(t, count)| {
        vec![
            TableEntry::head(t.name()),
            TableEntry::new(t.example()),
            TableEntry::new(count.to_string()),
            TableEntry::head(t.meaning()),
        ]
    });
    Table {
        caption:
            "Table 1: the fourteen types, and how many shapes of lines up to 19 cells have each. \
                  The document prints conditions and no numbers."
                .to_owned(),
        header: headers(&["type", "example", "shapes", "meaning"]),
        rows: rows.collect(),
    }
}

fn sizes() -> Table {
    let rows = PRINTED_SIZES.map(|(n, k, name, printed)| {
        let (ours, remark) = size(n, k, printed);
        let mark = if remark.is_empty() { EntryMark::None } else { EntryMark::Off };
        vec![
            TableEntry::head(name),
            TableEntry::new(format!("{ours:.2}")),
            TableEntry::new(format!("{printed:.2}")).marked(mark),
            TableEntry::head(remark),
        ]
    });
    Table {
        caption: "Table 2: shapes in units of 1024.".to_owned(),
        header: headers(&["game", "2^(n+1) − 2^k", "printed", "remark"]),
        rows: rows.into(),
    }
}

/// A table of signs beside the printed one, and how many agree.
fn compared(
    caption: &str,
    printed: &[&str],
    targets: &[Grade],
    sign: impl Fn(Grade, Grade) -> char,
) -> [Section; 2] {
    let (mut all, mut equal) = (0, 0);
    let rows = TABLE_ORDER[1..].iter().zip(printed).map(|(&from, row)| {
        let mut entries = vec![TableEntry::head(from.name().to_lowercase())];
        entries.extend(targets.iter().zip(row.chars()).map(|(&to, printed)| {
            let ours = sign(from, to);
            all += 1;
            equal += u32::from(ours == printed);
            let mark = if ours == printed { EntryMark::None } else { EntryMark::Off };
            TableEntry::new(ours).with_note(printed).marked(mark)
        }));
        entries
    });
    let rows = rows.collect();
    let header = std::iter::once("").chain(targets.iter().map(|to| to.name()));
    [
        Section::Table(Table {
            caption: caption.to_owned(),
            header: header.map(str::to_owned).collect(),
            rows,
        }),
        Section::Text(format!("{equal} of {all} signs are the printed ones.")),
    ]
}

/// The numbers of the examples in §1, §2.2 and §2.3.
fn figures(table: &Arc<TableBase>) -> Table {
    let mut rows = Vec::new();
    let mut row = |what: &str, ours: String, printed: &str, remark: &str| {
        let mark = if ours == printed { EntryMark::None } else { EntryMark::Off };
        rows.push(vec![
            TableEntry::head(what),
            TableEntry::new(ours),
            TableEntry::new(printed).marked(mark),
            TableEntry::head(remark),
        ]);
    };
    let line = line_of_figure_2(table);
    let [first, second] = [0, 1].map(|n| line[0].get(n).map_or_else(String::new, Clone::clone));
    row("Figure 2, connection 1 (black): cells and length", first, "0–10, 11", "");
    row("Figure 2, connection 2 (black, void)", second, "12–18, 7", "");
    let third = line[1].first().cloned().unwrap_or_default();
    row("Figure 2, connection 3 (white)", third, "8–18, 7", "a slip: 8 to 18 are 11 cells");
    for (name, length, printed) in [
        ("Figure 5, Φ of shape (8, 216)", 8, "408"),
        ("Figure 5, Φ of shape (11, 216)", 11, "2200"),
    ] {
        let phi = Shape::new(6, length, 216).map_or(0, |shape| shape.phi(6));
        row(name, phi.to_string(), printed, "");
    }
    let states = (361.0 * 3.0_f64.log10()).floor();
    row("§1, states of 19×19: 3^361, as a power of ten", format!("{states}"), "172", "");
    Table {
        caption: "The numbers of the examples and figures.".to_owned(),
        header: headers(&["what", "ours", "printed", "remark"]),
        rows,
    }
}

/// The connections of Figure 2's line by colour: its cells and its length.
fn line_of_figure_2(table: &Arc<TableBase>) -> [Vec<String>; 2] {
    let Ok(rules) = "19x1,k=6,p=2,q=1".parse::<Rules>() else { return [Vec::new(), Vec::new()] };
    let geometry = Position::new(rules).geometry().clone();
    let mut connections = Connections::new(geometry, table.clone());
    for (cell, player) in [(4, Player::Black), (7, Player::Black), (11, Player::White)] {
        connections.place(Cell::new(cell), player);
    }
    Player::BOTH.map(|player| {
        let found = connections.on_line(LineId::new(0), player);
        found
            .map(|c| {
                let (head, length) = (usize::from(c.head), c.shape.length());
                format!("{head}–{}, {length}", head + length - 1)
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sign_is_compared_and_a_difference_is_marked() {
        let [Section::Table(table), Section::Text(text)] =
            compared("", &PRINTED_PROMOTIONS, &TABLE_ORDER, |_, _| '√')
        else {
            panic!("a table and a sentence");
        };
        assert_eq!((table.rows.len(), table.rows[0].len()), (10, 12));
        assert_eq!(text, "25 of 110 signs are the printed ones.");
        assert_eq!(
            (table.rows[0][1].mark, table.rows[0][2].mark),
            (EntryMark::None, EntryMark::Off)
        );
    }
}
