//! Pages: one file with everything in it, good to read, to print and to mail.

use std::fmt::Write;

use super::chart::{Axis, Chart, Point, Series, Style};
use crate::experiment::{EntryMark, Findings, Section, Table, TableEntry};
use crate::standings::Standings;

/// What stands around the content of a page.
#[derive(Clone, Debug)]
pub struct Page {
    /// The headline.
    pub title: String,
    /// A sentence below it.
    pub subtitle: String,
    /// What made the page, at its foot.
    pub made_by: String,
}

const STYLE: &str = "
:root { --ink: #1d2228; --soft: #5c6670; --line: #d9dee3; --off: #b3261e; --accent: #0072b2; }
body { font: 16px/1.55 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; color: var(--ink); background: #fff;
  max-width: 56rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .3rem; padding-top: 1rem; border-top: 2px solid var(--line); }
.lead, .source, footer { color: var(--soft); }
.question { font-size: 1.08rem; font-style: italic; margin: .2rem 0; }
nav ol { columns: 2; }
a { color: var(--accent); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin: .6rem 0 1.2rem; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .28rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap; }
thead th { border-bottom: 2px solid var(--ink); }
th.head { text-align: left; font-weight: 600; }
td small { display: block; color: var(--soft); font-size: .74rem; }
td.off { color: var(--off); font-weight: 700; }
figure { margin: 1.2rem 0; break-inside: avoid; }
figure svg { max-width: 100%; height: auto; border: 1px solid var(--line); border-radius: 6px; }
figcaption { color: var(--soft); font-size: .9rem; }
figure.table { margin: 1rem 0; break-inside: auto; }
table.dense { font-size: .78rem; }
table.dense th, table.dense td { padding: .28rem .32rem; }
code { background: #f2f4f6; padding: .1rem .35rem; border-radius: 4px; }
pre { background: #f2f4f6; padding: .7rem 1rem; border-radius: 6px; overflow-x: auto; }
details { border-bottom: 1px solid var(--line); }
summary { cursor: pointer; padding: .25rem 0; }
.moves { font-family: ui-monospace, monospace; font-size: .86rem; margin: .2rem 0 .8rem 1rem; }
.opening { color: var(--soft); }
footer { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: .6rem; font-size: .85rem; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } h2 { break-before: page; } nav { display: none; } }
";

/// The page of some experiments.
pub fn findings_page(page: &Page, all: &[Findings]) -> String {
    let mut body = String::new();
    if all.len() > 1 {
        body.push_str("<nav><ol>");
        for findings in all {
            // Writing into a string cannot fail, here and below.
            let _ = write!(
                body,
                "<li><a href=\"#{}\">{}</a></li>",
                escape(&findings.name),
                escape(&findings.title)
            );
        }
        body.push_str("</ol></nav>\n");
    }
    for findings in all {
        body.push_str(&findings_html(findings));
    }
    frame(page, &body)
}

/// Crosstable, ratings and costs.
pub(super) fn standings_html(standings: &Standings) -> String {
    let mut body = table_html(&crosstable(standings));
    let _ = writeln!(
        body,
        "<figure>{}<figcaption>Ratings with their 95 % errors.</figcaption></figure>",
        ratings_chart(standings)
    );
    body.push_str(&table_html(&costs(standings)));
    body
}

fn findings_html(findings: &Findings) -> String {
    let mut out = format!(
        "<section id=\"{}\"><h2>{}</h2>\n<p class=\"question\">{}</p>\n",
        escape(&findings.name),
        escape(&findings.title),
        escape(&findings.question)
    );
    if let Some(source) = &findings.source {
        let _ = writeln!(out, "<p class=\"source\">{}</p>", escape(source));
    }
    for section in &findings.sections {
        match section {
            Section::Text(text) => {
                for paragraph in text.split("\n\n") {
                    let _ = writeln!(out, "<p>{}</p>", escape(paragraph.trim()));
                }
            }
            Section::Table(table) => out.push_str(&table_html(table)),
            Section::Plot(plot) => {
                let _ = writeln!(
                    out,
                    "<figure>{}<figcaption>{}</figcaption></figure>",
                    plot.svg,
                    escape(&plot.caption)
                );
            }
        }
    }
    let _ = writeln!(
        out,
        "<p class=\"source\">Again: <code>{}</code></p></section>",
        escape(&findings.command)
    );
    out
}

/// Up to this many contestants, a crosstable has room for wins, draws and losses.
const ROOMY: usize = 8;

/// The crosstable with ratings, best first.
fn crosstable(standings: &Standings) -> Table {
    let order = standings.ranking();
    let roomy = order.len() <= ROOMY;
    let mut header: Vec<String> =
        ["", "", "Elo", "±", "games", "score %"].map(str::to_owned).into();
    header.extend((1..=order.len()).map(|place| place.to_string()));
    let rows = order.iter().enumerate().map(|(place, &index)| {
        let player = &standings.players[index];
        let mut row = vec![
            TableEntry::head((place + 1).to_string()),
            TableEntry::head(player.label.clone()),
            TableEntry::new(format!("{:+.0}", player.rating.elo)),
            TableEntry::new(format!("{:.0}", player.rating.error)),
            TableEntry::new(player.tally.games().to_string()),
            TableEntry::new(format!("{:.1}", 100.0 * player.tally.score())),
        ];
        row.extend(order.iter().map(|&other| {
            let tally = standings.crosstable.between(index, other);
            if tally.games() == 0 {
                TableEntry::new("·")
            } else {
                let entry = TableEntry::new(format!("{:.0}", 100.0 * tally.score()));
                if roomy { entry.with_note(tally.to_string()) } else { entry }
            }
        }));
        row
    });
    Table {
        caption: "Ratings are Bradley–Terry with draws and the first move modelled, errors (95 %) from pairs of games. A numbered column is the row's score against the contestant of that place, in per cent.".to_owned(),
        header,
        rows: rows.collect(),
    }
}

/// Everybody's rating with its error, best first.
pub fn ratings_chart(standings: &Standings) -> String {
    let order = standings.ranking();
    let points = order.iter().enumerate().map(|(place, &index)| {
        let rating = standings.players[index].rating;
        Point::with_error(place as f64, rating.elo, rating.error)
    });
    Chart {
        y: Axis::new("Elo above the mean"),
        names: order.iter().map(|&index| standings.players[index].label.clone()).collect(),
        series: vec![Series { name: String::new(), style: Style::Dots, points: points.collect() }],
        ..Chart::default()
    }
    .svg()
}

/// What everybody's turns cost, best first, and what went wrong.
fn costs(standings: &Standings) -> Table {
    let rows = standings.ranking().into_iter().map(|index| {
        let player = &standings.players[index];
        let faults: Vec<_> =
            player.faults.iter().map(|(what, n)| format!("{} {n}", what.name())).collect();
        let mark = if faults.is_empty() { EntryMark::None } else { EntryMark::Off };
        vec![
            TableEntry::head(player.label.clone()),
            TableEntry::new(player.cost.turns.to_string()),
            TableEntry::new(format!("{:.3}", player.millis_a_turn())),
            TableEntry::new(format!("{:.0}", player.nodes_a_turn())),
            TableEntry::new(format!("{:.1}", player.depth_a_turn())),
            TableEntry::new(faults.join(", ")).marked(mark),
        ]
    });
    Table {
        caption: "What turns cost.".to_owned(),
        header: ["", "turns", "ms per turn", "nodes per turn", "depth", "faults"]
            .map(str::to_owned)
            .into(),
        rows: rows.collect(),
    }
}

/// More columns stand closer.
const MANY_COLUMNS: usize = 14;

pub(super) fn table_html(table: &Table) -> String {
    let class = if table.header.len() > MANY_COLUMNS { " class=\"dense\"" } else { "" };
    let mut out = format!(
        "<figure class=\"table\"><figcaption>{}</figcaption>\
         <div class=\"scroll\"><table{class}><thead><tr>",
        escape(&table.caption)
    );
    let heads = table
        .rows
        .first()
        .map_or(1, |row| row.iter().take_while(|e| e.mark == EntryMark::Head).count());
    for (column, name) in table.header.iter().enumerate() {
        let class = if column < heads { " class=\"head\"" } else { "" };
        let _ = write!(out, "<th{class}>{}</th>", escape(name));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        out.push_str("<tr>");
        for entry in row {
            let note = entry
                .note
                .as_ref()
                .map(|note| format!("<small>{}</small>", escape(note)))
                .unwrap_or_default();
            let text = escape(&entry.text);
            let _ = match entry.mark {
                EntryMark::Head => write!(out, "<th class=\"head\">{text}{note}</th>"),
                EntryMark::Off => write!(out, "<td class=\"off\">{text}{note}</td>"),
                EntryMark::None => write!(out, "<td>{text}{note}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></figure>\n");
    out
}

pub(super) fn frame(page: &Page, body: &str) -> String {
    let (title, subtitle, made_by) =
        (escape(&page.title), escape(&page.subtitle), escape(&page.made_by));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n\
         <p class=\"lead\">{subtitle}</p>\n{body}<footer>{made_by}</footer></body></html>\n"
    )
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_becomes_markup() {
        let findings = Findings {
            name: "x".to_owned(),
            title: "<script>alert(1)</script>".to_owned(),
            question: "a & b?".to_owned(),
            source: None,
            sections: vec![Section::Table(Table {
                caption: String::new(),
                header: vec!["<b>".to_owned()],
                rows: vec![vec![TableEntry::new("<i>").with_note("\"")]],
            })],
            data: Vec::new(),
            command: "collinear experiment run x".to_owned(),
        };
        let page = Page { title: "T".into(), subtitle: String::new(), made_by: String::new() };
        let html = findings_page(&page, &[findings]);
        assert!(!html.contains("<script>") && !html.contains("<i>") && !html.contains("<b>"));
        assert!(html.contains("a &amp; b?"));
        assert!(!html.contains("http"), "the page needs nothing from elsewhere");
    }
}
