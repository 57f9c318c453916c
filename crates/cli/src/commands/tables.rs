//! `collinear tables`: the knowledge table-base of line shapes, counted and explained.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Instant;

use anyhow::Result;
use collinear_documents::studies::table_base::{PRINTED_SIZES, TABLE_ORDER, size};
use collinear_documents::tablebase::{Grade, LineRules, Promotions, Shape, ShapeType, TableBase};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::report;

/// Count the shapes of lines by type, show which type becomes which, or explain one shape
#[derive(clap::Args)]
#[command(
    after_help = "A shape is a stretch of a line without opposing stones: X a stone, . an empty cell, the head at the right.\n\nExamples:\n  collinear tables\n  collinear tables --k 5 --p 1 --n 15\n  collinear tables --shape ..XXX..."
)]
pub(crate) struct Args {
    /// The longest line
    #[arg(long, default_value_t = 19)]
    n: usize,
    /// Stones in a row that win
    #[arg(long, default_value_t = 6)]
    k: usize,
    /// Stones per turn
    #[arg(long, default_value_t = 2)]
    p: usize,
    /// Explain this shape instead, such as XX..XX.
    #[arg(long, allow_hyphen_values = true)]
    shape: Option<String>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let rules = LineRules::new(args.k, args.p)?;
    if let Some(text) = &args.shape {
        return explain(rules, Shape::parse(args.k, text)?, args.json);
    }
    let started = Instant::now();
    let table = TableBase::new(rules, args.n)?;
    let build_ms = started.elapsed().as_secs_f64() * 1000.0;
    let report = TablesReport::of(&table, build_ms);
    if args.json { report::json(&report) } else { report::text(&report.text()) }
}

/// Counts by type, strongest first.
struct Counts([u64; 14]);

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for t in ShapeType::ALL.into_iter().rev() {
            map.serialize_entry(t.name(), &self.0[t as usize])?;
        }
        map.end()
    }
}

#[derive(Serialize)]
struct TablesReport {
    n: usize,
    k: usize,
    p: usize,
    shapes: usize,
    units_per_shape: usize,
    bytes: usize,
    build_ms: f64,
    types: Counts,
    by_length: BTreeMap<usize, Counts>,
    promotions: BTreeMap<&'static str, Vec<&'static str>>,
    reduced_promotions: BTreeMap<&'static str, Vec<&'static str>>,
}

impl TablesReport {
    fn of(table: &TableBase, build_ms: f64) -> Self {
        let by_length = table.counts_by_length();
        let mut total = [0; 14];
        for (_, counts) in &by_length {
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        let promotions = Promotions::of(table);
        let listed = |promotions: &Promotions| {
            // A row that is there already is promoted no further, so C6 has no list.
            let from = TABLE_ORDER.into_iter().filter(|&grade| grade != Grade::C6);
            from.map(|from| (from.name(), promotions.from(from).map(Grade::name).collect()))
                .collect()
        };
        Self {
            n: table.longest(),
            k: table.rules().k(),
            p: table.rules().p(),
            shapes: table.shapes(),
            units_per_shape: table.longest() + 1,
            bytes: table.bytes(),
            build_ms,
            types: Counts(total),
            by_length: by_length.into_iter().map(|(n, counts)| (n, Counts(counts))).collect(),
            promotions: listed(&promotions),
            reduced_promotions: listed(&promotions.reduced()),
        }
    }

    fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(
            out,
            "Lines of {} to {} cells, {} in a row win, {} per turn\n\
             {} shapes of {} units = {:.1} MiB, built in {:.0} ms",
            self.k,
            self.n,
            self.k,
            if self.p == 1 { "one stone".to_owned() } else { format!("{} stones", self.p) },
            thousands(self.shapes as u64),
            self.units_per_shape,
            self.bytes as f64 / f64::from(1 << 20),
            self.build_ms,
        );
        write_sizes(&mut out, self.k);
        self.write_types(&mut out);
        self.write_lengths(&mut out);
        self.write_promotions(&mut out);
        out
    }

    fn write_types(&self, out: &mut String) {
        // The examples are shapes of Connect6.
        let connect6 = (self.k, self.p) == (6, 2);
        out.push_str(if connect6 {
            "\ntype     shapes  example        meaning\n"
        } else {
            "\ntype     shapes  meaning\n"
        });
        for t in ShapeType::ALL.into_iter().rev() {
            let count = thousands(self.types.0[t as usize]);
            let _ = if connect6 {
                writeln!(out, "{t:<4} {count:>10}  {:<13}  {}", t.example(), t.meaning())
            } else {
                writeln!(out, "{t:<4} {count:>10}  {}", t.meaning())
            };
        }
    }

    fn write_lengths(&self, out: &mut String) {
        out.push_str("\nlength");
        for t in ShapeType::ALL.into_iter().rev() {
            let _ = write!(out, " {t:>6}");
        }
        out.push('\n');
        for (length, counts) in &self.by_length {
            let _ = write!(out, "{length:>6}");
            for t in ShapeType::ALL.into_iter().rev() {
                let _ = write!(out, " {:>6}", counts.0[t as usize]);
            }
            out.push('\n');
        }
    }

    fn write_promotions(&self, out: &mut String) {
        out.push_str("\nOne stone promotes (√), O standing for D2, L1, D1 and V:\n     ");
        for to in TABLE_ORDER {
            let _ = write!(out, " {to:>2}");
        }
        out.push('\n');
        for from in TABLE_ORDER.into_iter().skip(1) {
            let name = from.name();
            let _ = write!(out, "{:<5}", name.to_lowercase());
            for to in TABLE_ORDER.map(Grade::name) {
                let sign = if !self.promotions[name].contains(&to) {
                    "×"
                } else if self.reduced_promotions[name].contains(&to) {
                    "√"
                } else {
                    "Δ"
                };
                let _ = write!(out, "  {sign}");
            }
            out.push('\n');
        }
        out.push_str(
            "Δ: possible, but a stone spent so misses a win or aims at what is won already.\n",
        );
    }
}

/// Table 2 beside ours where it has rows of this `k`. The largest is a slip of the paper: its own
/// formula gives 2^20 − 2^6.
fn write_sizes(out: &mut String, of: usize) {
    if PRINTED_SIZES.iter().all(|(_, k, _, _)| *k != of) {
        return;
    }
    out.push_str("\nshapes by board (Ki)  2^(n+1) − 2^k  printed\n");
    for (n, k, name, printed) in PRINTED_SIZES.into_iter().filter(|(_, k, _, _)| *k == of) {
        let (ours, remark) = size(n, k, printed);
        let line = format!("{name:<20}  {ours:>14.2}  {printed:>7.2}  {remark}");
        let _ = writeln!(out, "{}", line.trim_end());
    }
}

#[derive(Serialize)]
struct ShapeReport {
    shape: String,
    k: usize,
    p: usize,
    length: usize,
    bits: u64,
    phi: u128,
    #[serde(rename = "type")]
    shape_type: &'static str,
    grade: &'static str,
    meaning: &'static str,
    fullest: usize,
    hitting: usize,
    /// From left to right, as the shape is written.
    cells: Vec<&'static str>,
}

fn explain(rules: LineRules, shape: Shape, json: bool) -> Result<()> {
    let measure = rules.measure(shape);
    let shape_type = rules.classify(shape);
    let report = ShapeReport {
        shape: shape.to_string(),
        k: rules.k(),
        p: rules.p(),
        length: shape.length(),
        bits: shape.stones(),
        phi: shape.phi(rules.k()),
        shape_type: shape_type.name(),
        grade: shape_type.grade().name(),
        meaning: shape_type.meaning(),
        fullest: measure.fullest,
        hitting: measure.hitting,
        cells: (0..shape.length()).rev().map(|i| rules.cell_type(shape, i).name()).collect(),
    };
    if json { report::json(&report) } else { report::text(&report.text()) }
}

impl ShapeReport {
    fn text(&self) -> String {
        let Self { shape, k, p, length, bits, phi, fullest, hitting, .. } = self;
        let mut out = format!(
            "{shape}  {} — {}\n\
             length {length}, bits {bits}, Φ = 2^{length} − 2^{k} + {bits} = {phi}\n\
             fullest window {fullest} of {k}; ",
            self.shape_type, self.meaning,
        );
        let _ = match *hitting {
            _ if fullest == k => writeln!(out, "the row is there"),
            0 => writeln!(out, "no window from which a turn of {p} wins"),
            n if n > *p => writeln!(out, "more than {p} needed to hit every window that threatens"),
            1 => writeln!(out, "1 stone hits every window that threatens"),
            n => writeln!(out, "{n} stones hit every window that threatens"),
        };
        out.push_str("what a stone would make of it (U: occupied or wasted, O: little):\n ");
        for sign in shape.chars() {
            let _ = write!(out, " {sign:>2}");
        }
        out.push_str("\n ");
        for cell in &self.cells {
            let _ = write!(out, " {cell:>2}");
        }
        out.push('\n');
        out
    }
}

/// `1048512` as `1,048,512`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
