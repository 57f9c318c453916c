//! The knowledge table-base: the type of every shape of lengths k … n and of every cell in it.
//!
//! Each shape has `n + 1` units: its type, then the type of each cell from the head on. The entry
//! of a shape begins at unit Φ · (n + 1), so all that is known of a connection lies together:
//!
//! ```text
//!         Φ·(n+1)
//! … |  type  | cell 0 | cell 1 | … | cell n−1 | type of Φ+1 | …
//! ```
//!
//! Building is one pass. `w` and `h` of a shape follow from the same shape without its last cell
//! and one more window; the weak types and the cells' types follow from the shapes with one more
//! stone, which are larger numbers of the same length, so each length is filled from the top.

use crate::tablebase::classify::Measure;
use crate::tablebase::shape::{LineRules, Shape, ShapeError, low};
use crate::tablebase::types::{Grade, ShapeType};
use collinear_windows::offsets;

/// All shapes up to one length with their types and the types of their cells.
#[derive(Clone, Debug)]
pub struct TableBase {
    rules: LineRules,
    longest: usize,
    units: Vec<u8>,
}

/// What is known of one shape.
#[derive(Clone, Copy, Debug)]
pub struct Entry<'a> {
    /// Its type.
    pub shape_type: ShapeType,
    cells: &'a [u8],
}

impl Entry<'_> {
    /// The type of the cell at this distance from the head.
    #[inline]
    pub fn cell(&self, index: usize) -> Grade {
        Grade::ALL[usize::from(self.cells[index])]
    }
}

impl TableBase {
    /// The longest line tables are built for: with its 193 MB a table is still a small part of an
    /// ordinary machine's memory.
    pub const MAX_LENGTH: usize = 22;

    /// Builds the tables for lines of up to `n` cells.
    pub fn new(rules: LineRules, n: usize) -> Result<Self, ShapeError> {
        if n < rules.k() || n > Self::MAX_LENGTH {
            return Err(ShapeError::LineLength { n, k: rules.k(), most: Self::MAX_LENGTH });
        }
        let shapes = rules.shapes_up_to(n) as usize;
        let mut table = Self { rules, longest: n, units: vec![0; shapes * (n + 1)] };
        let mut scans: Vec<Scan> = Vec::new();
        for length in rules.k()..=n {
            scans = scan_length(rules, length, &scans);
            table.fill_length(length, &scans);
        }
        Ok(table)
    }

    /// No tables: every type is worked out when it is asked for.
    pub const fn computing(rules: LineRules) -> Self {
        Self { rules, longest: rules.k() - 1, units: Vec::new() }
    }

    /// The rules of the lines.
    pub const fn rules(&self) -> LineRules {
        self.rules
    }

    /// The longest line.
    pub const fn longest(&self) -> usize {
        self.longest
    }

    /// Number of shapes.
    pub const fn shapes(&self) -> usize {
        self.units.len() / (self.longest + 1)
    }

    /// Bytes of the table, one a unit.
    pub const fn bytes(&self) -> usize {
        self.units.len()
    }

    /// What is known of a shape; none for shapes longer than the table's lines.
    #[inline]
    pub fn get(&self, shape: Shape) -> Option<Entry<'_>> {
        (shape.length() <= self.longest).then(|| self.entry(shape))
    }

    /// The type of a shape of any length: longer ones than the table holds are worked out.
    #[inline]
    pub fn type_of(&self, shape: Shape) -> ShapeType {
        match self.get(shape) {
            Some(entry) => entry.shape_type,
            None => self.rules.classify(shape),
        }
    }

    /// The type of one cell of a shape of any length.
    pub fn cell_type(&self, shape: Shape, index: usize) -> Grade {
        match self.get(shape) {
            Some(entry) => entry.cell(index),
            None => self.rules.cell_type(shape, index),
        }
    }

    /// The types of all cells of a shape of any length, from the head on.
    pub fn cell_types(&self, shape: Shape, mut each: impl FnMut(usize, Grade)) {
        if let Some(entry) = self.get(shape) {
            for index in 0..shape.length() {
                each(index, entry.cell(index));
            }
            return;
        }
        let own = self.rules.classify(shape).grade();
        for index in 0..shape.length() {
            let grade = if shape.has_stone(index) {
                Grade::U
            } else {
                own.of_cell(self.rules.classify(shape.place(index)).grade())
            };
            each(index, grade);
        }
    }

    /// Every shape with its entry, in the order of Φ.
    pub fn entries(&self) -> impl Iterator<Item = (Shape, Entry<'_>)> {
        (0..self.shapes() as u128)
            .filter_map(|phi| Shape::from_phi(self.rules.k(), phi))
            .map(|shape| (shape, self.entry(shape)))
    }

    /// Number of shapes by type, for each length from `k` on.
    pub fn counts_by_length(&self) -> Vec<(usize, [u64; 14])> {
        let mut counts: Vec<_> =
            (self.rules.k()..=self.longest).map(|length| (length, [0; 14])).collect();
        for (shape, entry) in self.entries() {
            counts[shape.length() - self.rules.k()].1[entry.shape_type as usize] += 1;
        }
        counts
    }

    #[inline]
    fn entry(&self, shape: Shape) -> Entry<'_> {
        let first = shape.phi(self.rules.k()) as usize * (self.longest + 1);
        let units = &self.units[first..=first + shape.length()];
        Entry { shape_type: ShapeType::ALL[usize::from(units[0])], cells: &units[1..] }
    }

    /// Types of all shapes of one length, from the fullest down.
    fn fill_length(&mut self, length: usize, scans: &[Scan]) {
        let unit = self.longest + 1;
        let first = ((1 << length) - (1 << self.rules.k())) * unit;
        let block = &mut self.units[first..first + (unit << length)];
        // Types alone, densely: most of the work is looking these up.
        let mut types = vec![ShapeType::V; 1 << length];
        let mut d4_to_l5 = vec![false; 1 << length];
        for bits in (0..1_usize << length).rev() {
            let empties = !(bits as u64) & low(length);
            let children = || offsets(empties).map(|x| bits | 1 << x);
            let measure = scans[bits].measure();
            let own = self.rules.strong_type(measure).unwrap_or_else(|| {
                weak_type(self.rules.threat(), measure.fullest, || {
                    children().map(|child| Child {
                        shape_type: types[child],
                        fuller: usize::from(scans[child].fullest) > measure.fullest,
                        d4_to_l5: d4_to_l5[child],
                    })
                })
            });
            types[bits] = own;
            d4_to_l5[bits] =
                own == ShapeType::D4 && children().any(|child| types[child] == ShapeType::L5);
            let entry = &mut block[bits * unit..][..unit];
            entry[0] = own as u8;
            let grade = own.grade();
            for x in offsets(empties) {
                entry[1 + x] = grade.of_cell(types[bits | 1 << x].grade()) as u8;
            }
        }
    }
}

/// A shape with one more stone than the one to be judged.
struct Child {
    shape_type: ShapeType,
    /// The stone went into one of the fullest windows.
    fuller: bool,
    /// It is D4, and another stone makes it L5.
    d4_to_l5: bool,
}

/// The type of a shape that does not threaten yet, from the shapes with one more stone.
fn weak_type<I>(threat: usize, fullest: usize, children: impl Fn() -> I) -> ShapeType
where
    I: Iterator<Item = Child>,
{
    use ShapeType::{D1, D2, D3, DW, L1, L2, L3, L4, S3, V};
    let becomes = |wanted: &[ShapeType]| {
        children().any(|child| child.fuller && wanted.contains(&child.shape_type))
    };
    match threat - fullest {
        _ if fullest == 0 => V,
        1 if becomes(&[L4, DW]) => L3,
        1 if children().any(|child| child.d4_to_l5) => S3,
        1 => D3,
        2 if becomes(&[L3]) => L2,
        2 => D2,
        _ if becomes(&[L2, L1]) => L1,
        _ => D1,
    }
}

/// The scan of a shape's windows from the head on: its measure so far and the first window start
/// that the cells chosen so far do not hit.
#[derive(Clone, Copy)]
struct Scan {
    fullest: u8,
    hitting: u8,
    next_unhit: u8,
}

impl Scan {
    const fn measure(self) -> Measure {
        Measure { fullest: self.fullest as usize, hitting: self.hitting as usize }
    }
}

/// One more cell: the scan of the shape without it, and the one window that ends with it.
fn scan_length(rules: LineRules, length: usize, shorter: &[Scan]) -> Vec<Scan> {
    let (k, p) = (rules.k(), rules.p());
    let offset = length - k;
    (0..1_usize << length)
        .map(|bits| {
            let mut scan = match shorter.get(bits & low(length - 1) as usize) {
                Some(scan) => *scan,
                None => Scan { fullest: 0, hitting: 0, next_unhit: 0 },
            };
            let window = bits >> offset;
            let own = window.count_ones() as usize;
            scan.fullest = scan.fullest.max(own as u8);
            if own == k {
                scan.hitting = p as u8 + 1;
            } else if own >= rules.threat()
                && offset >= usize::from(scan.next_unhit)
                && usize::from(scan.hitting) <= p
            {
                let empties = !window & low(k) as usize;
                scan.hitting += 1;
                scan.next_unhit = (offset + empties.ilog2() as usize + 1) as u8;
            }
            scan
        })
        .collect()
}
