//! Findings for a terminal.

use std::fmt::Write;

use crate::experiment::{EntryMark, Findings, Section, Table, TableEntry};

/// Findings as text; pictures are named by their files.
pub fn findings_text(findings: &Findings) -> String {
    let mut out = format!("{}\n{}\n", findings.title, findings.question);
    if let Some(source) = &findings.source {
        // Writing into a string cannot fail, here and below.
        let _ = writeln!(out, "({source})");
    }
    for section in &findings.sections {
        out.push('\n');
        match section {
            Section::Text(text) => {
                let _ = writeln!(out, "{text}");
            }
            Section::Table(table) => out.push_str(&table_text(table)),
            Section::Plot(plot) => {
                let _ = writeln!(out, "[{}.svg] {}", plot.name, plot.caption);
            }
        }
    }
    out
}

/// `+35`, `-∞`.
pub fn elo_text(points: f64) -> String {
    if points.is_infinite() {
        (if points > 0.0 { "+∞" } else { "-∞" }).to_owned()
    } else {
        format!("{points:+.0}")
    }
}

/// A table with aligned columns: row names to the left, everything else to the right. Entries that
/// stand out have an asterisk.
pub fn table_text(table: &Table) -> String {
    let cell = |entry: &TableEntry| {
        let star = if entry.mark == EntryMark::Off { "*" } else { "" };
        let note = entry.note.as_ref().map(|note| format!(" ({note})")).unwrap_or_default();
        format!("{}{note}{star}", entry.text)
    };
    let rows: Vec<Vec<String>> =
        table.rows.iter().map(|row| row.iter().map(cell).collect()).collect();
    let width = |column: usize| {
        let texts = rows.iter().filter_map(|row| row.get(column)).chain(table.header.get(column));
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..table.header.len()).map(width).collect();
    let is_head = |column: usize| {
        table
            .rows
            .iter()
            .all(|row| row.get(column).is_none_or(|entry| entry.mark == EntryMark::Head))
    };
    let mut out = format!("{}\n", table.caption);
    for row in std::iter::once(&table.header).chain(&rows) {
        let mut line = String::new();
        for (column, text) in row.iter().enumerate() {
            let width = widths.get(column).copied().unwrap_or(0);
            if is_head(column) {
                let _ = write!(line, "{text:<width$}  ");
            } else {
                let _ = write!(line, "{text:>width$}  ");
            }
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let table = Table {
            caption: "Scores.".to_owned(),
            header: vec!["X".to_owned(), "score".to_owned()],
            rows: vec![
                vec![TableEntry::head("random"), TableEntry::new("7.5").with_note("8.0 z -0.3")],
                vec![TableEntry::head("é"), TableEntry::new("100").marked(EntryMark::Off)],
            ],
        };
        assert_eq!(
            table_text(&table),
            "Scores.\nX                  score\nrandom  7.5 (8.0 z -0.3)\né                   100*\n"
        );
    }
}
