//! Table 1 of Xu, Ma and Xu, quantifier by quantifier, with `p` stones where it says two.
//!
//! Slow and plain on purpose: every (∀x)(∃y) is a loop over all intersections, nothing is known
//! about windows, hitting sets or parities. Only two liberties are taken: tuples are tried in one
//! order (placing x and y is placing y and x), and where a condition asks for the type of a shape
//! with more stones, that shape has been judged before.

use collinear_documents::tablebase::{Shape, ShapeType};

/// The conditions of Table 1 for all shapes of one length.
pub(crate) struct Literal {
    k: usize,
    p: usize,
    length: usize,
    /// Per shape the set of types whose condition holds, as bits.
    holds: Vec<u16>,
}

/// A line in the predicates' eyes: own stones and opposite stones.
#[derive(Clone, Copy)]
struct Line {
    own: u64,
    opposite: u64,
}

impl Literal {
    /// Judges every shape of this length.
    pub(crate) fn new(k: usize, p: usize, length: usize) -> Self {
        let mut literal = Self { k, p, length, holds: vec![0; 1 << length] };
        for bits in (0..1_u64 << length).rev() {
            let holding = ShapeType::ALL.into_iter().filter(|&t| literal.condition(t, bits));
            let set = holding.fold(0, |set, t| set | 1 << t as u16);
            literal.holds[bits as usize] = set;
        }
        literal
    }

    /// The types whose conditions hold for a shape: one, if Table 1 is a partition.
    pub(crate) fn types(&self, shape: Shape) -> Vec<ShapeType> {
        let set = self.holds[shape.stones() as usize];
        ShapeType::ALL.into_iter().filter(|&t| set >> t as u16 & 1 != 0).collect()
    }

    /// C6(c): k neighbouring own stones.
    fn won(&self, line: Line) -> bool {
        (0..=self.length - self.k)
            .any(|start| (start..start + self.k).all(|x| line.own >> x & 1 != 0))
    }

    /// Whether for some `count` intersections, from `first` on and not necessarily different, the
    /// predicate holds after a stone was put on the void ones among them.
    fn some(
        &self,
        line: Line,
        count: usize,
        first: usize,
        put: &dyn Fn(Line, u64) -> Line,
        then: &dyn Fn(Line) -> bool,
    ) -> bool {
        if count == 0 {
            return then(line);
        }
        (first..self.length).any(|x| {
            let void = (line.own | line.opposite) >> x & 1 == 0;
            let placed = if void { put(line, 1 << x) } else { line };
            self.some(placed, count - 1, x, put, then)
        })
    }

    fn some_own(&self, line: Line, count: usize, then: &dyn Fn(Line) -> bool) -> bool {
        let put = |line: Line, stone| Line { own: line.own | stone, ..line };
        self.some(line, count, 0, &put, then)
    }

    /// (∃x…) G(c, x, …): some `count` own stones make a row.
    fn wins_with(&self, line: Line, count: usize) -> bool {
        self.some_own(line, count, &|line| self.won(line))
    }

    /// (∃x…)(∀s…) ¬H(c, x…, s…): some `count` opposite stones leave no row for a turn to make.
    fn stopped_by(&self, line: Line, count: usize) -> bool {
        let put = |line: Line, stone| Line { opposite: line.opposite | stone, ..line };
        self.some(line, count, 0, &put, &|line| !self.wins_with(line, self.p))
    }

    /// (∃x…) T(PLACE(c, x…)).
    fn becomes(&self, wanted: ShapeType, line: Line, count: usize) -> bool {
        self.some_own(line, count, &|then| {
            then.own != line.own && self.holds[then.own as usize] >> wanted as u16 & 1 != 0
        })
    }

    /// L4(PLACE(…)); with one stone per turn, "one stone does not stop it" is called DW.
    fn becomes_live(&self, line: Line, count: usize) -> bool {
        let live = if self.p == 1 { ShapeType::DW } else { ShapeType::L4 };
        self.becomes(live, line, count)
    }

    fn condition(&self, wanted: ShapeType, bits: u64) -> bool {
        use ShapeType as T;
        let c = Line { own: bits, opposite: 0 };
        let p = self.p;
        // V is given directly. Where k − p < 4, the condition of a weak type would fit it too.
        if bits == 0 || wanted == T::V {
            return bits == 0 && wanted == T::V;
        }
        match wanted {
            T::C6 => self.won(c),
            T::DW => !self.won(c) && !self.stopped_by(c, p),
            T::L5 => {
                !self.won(c)
                    && self.wins_with(c, p - 1)
                    && !self.stopped_by(c, 1)
                    && self.stopped_by(c, p)
            }
            T::D5 => !self.won(c) && self.wins_with(c, p - 1) && self.stopped_by(c, 1),
            T::L4 => {
                !self.wins_with(c, p - 1)
                    && self.stopped_by(c, p)
                    && self.wins_with(c, p)
                    && !self.stopped_by(c, 1)
            }
            T::D4 => !self.wins_with(c, p - 1) && self.wins_with(c, p) && self.stopped_by(c, 1),
            T::L3 => !self.wins_with(c, p) && self.becomes_live(c, 1),
            T::S3 => {
                !self.wins_with(c, p)
                    && !self.becomes_live(c, 1)
                    && self.becomes(T::D4, c, 1)
                    && self.becomes(T::L5, c, 2)
            }
            // The paper leaves out the second line here and in D2; without it the conditions of
            // L3 and D3, L2 and D2 would overlap.
            T::D3 => {
                !self.wins_with(c, p)
                    && !self.becomes_live(c, 1)
                    && self.becomes(T::D4, c, 1)
                    && !self.becomes(T::L5, c, 2)
            }
            T::L2 => !self.wins_with(c, p + 1) && self.becomes_live(c, 2),
            T::D2 => {
                !self.wins_with(c, p + 1) && !self.becomes_live(c, 2) && self.becomes(T::D4, c, 2)
            }
            T::L1 => !self.wins_with(c, p + 2) && self.becomes(T::L2, c, 1),
            T::D1 => {
                !self.wins_with(c, p + 2) && !self.becomes(T::L2, c, 1) && self.becomes(T::D2, c, 1)
            }
            T::V => false,
        }
    }
}
