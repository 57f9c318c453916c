//! The types against the paper's quantifiers read literally, the tables against the types, and
//! the promotions against the paper's Tables 3 and 4.

mod literal;

use collinear_documents::tablebase::{Grade, LineRules, Promotions, Shape, ShapeType, TableBase};
use collinear_windows::offsets;
use literal::Literal;
use proptest::prelude::*;

fn shapes(k: usize, length: usize) -> impl Iterator<Item = Shape> {
    (0..1_u64 << length).map(move |bits| Shape::new(k, length, bits).expect("a shape"))
}

/// Exactly one of the fourteen conditions holds for every shape, and it is the type we give.
fn assert_literal(k: usize, p: usize, longest: usize) {
    let rules = LineRules::new(k, p).expect("valid");
    for length in k..=longest {
        let literal = Literal::new(k, p, length);
        for shape in shapes(k, length) {
            let ours = rules.classify(shape);
            assert_eq!(literal.types(shape), [ours], "{shape} with k={k}, p={p}");
        }
    }
}

#[test]
fn connect6_types_are_the_literal_ones_up_to_length_12() {
    assert_literal(6, 2, 12);
}

#[test]
fn gomoku_types_are_the_literal_ones() {
    assert_literal(5, 1, 11);
}

#[test]
fn types_of_other_games_are_the_literal_ones() {
    assert_literal(7, 3, 11);
    assert_literal(6, 3, 10);
    assert_literal(4, 1, 9);
    assert_literal(5, 2, 10);
    assert_literal(3, 1, 8);
    assert_literal(3, 2, 8);
    assert_literal(2, 1, 6);
}

#[test]
fn tables_agree_with_the_direct_types_and_cells() {
    for (k, p, n) in [(6, 2, 14), (5, 1, 13), (7, 3, 13), (4, 1, 10), (9, 2, 14), (8, 1, 13)] {
        let rules = LineRules::new(k, p).expect("valid");
        let table = TableBase::new(rules, n).expect("fits");
        // A table too short for anything: every answer is worked out directly.
        let direct = TableBase::new(rules, k).expect("fits");
        for (shape, entry) in table.entries() {
            assert_eq!(entry.shape_type, rules.classify(shape), "{shape} with k={k}, p={p}");
            if shape.stones() % 7 == 0 {
                for index in 0..shape.length() {
                    assert_eq!(entry.cell(index), direct.cell_type(shape, index), "{shape}");
                }
            }
        }
        let counted: u64 = table.counts_by_length().iter().flat_map(|(_, counts)| counts).sum();
        assert_eq!(u128::from(counted), rules.shapes_up_to(n));
    }
}

/// A row of a printed table: the type promoted, and what it is promoted to.
type Row = (Grade, &'static [Grade]);

/// Table 3 of the paper.
const TABLE_3: [Row; 11] = {
    use Grade::{C6, D3, D4, D5, DW, L2, L3, L4, L5, O, S3};
    [
        (C6, &[]),
        (DW, &[C6]),
        (L5, &[C6, DW]),
        (L4, &[DW, L5]),
        (D5, &[C6, DW, L5]),
        (D4, &[DW, L5, D5, L4]),
        (L3, &[L4, D4]),
        (S3, &[D4, L3]),
        (D3, &[D4, L3, S3]),
        (L2, &[L3, S3, D3]),
        (O, &[S3, D3, L2]),
    ]
};

/// Table 4: Table 3 without DW as a target and without D5 to L5.
const TABLE_4: [Row; 11] = {
    use Grade::{C6, D3, D4, D5, DW, L2, L3, L4, L5, O, S3};
    [
        (C6, &[]),
        (DW, &[C6]),
        (L5, &[C6]),
        (L4, &[L5]),
        (D5, &[C6]),
        (D4, &[L5, D5, L4]),
        (L3, &[L4, D4]),
        (S3, &[D4, L3]),
        (D3, &[D4, L3, S3]),
        (L2, &[L3, S3, D3]),
        (O, &[S3, D3, L2]),
    ]
};

#[test]
fn promotions_are_the_papers_table_3_and_table_4() {
    let table = TableBase::new(LineRules::CONNECT6, 19).expect("fits");
    assert_eq!(table.shapes(), 1_048_512);
    let promotions = Promotions::of(&table);
    let reduced = promotions.reduced();
    for (printed, computed) in [(TABLE_3, &promotions), (TABLE_4, &reduced)] {
        for (from, to) in printed {
            assert_eq!(computed.from(from).collect::<Vec<_>>(), to, "{from}");
        }
    }
}

#[test]
fn gomoku_has_no_fives_that_are_not_won() {
    let table = TableBase::new(LineRules::new(5, 1).expect("valid"), 15).expect("fits");
    for (_, counts) in table.counts_by_length() {
        for never in [ShapeType::L5, ShapeType::D5, ShapeType::L4, ShapeType::S3] {
            assert_eq!(counts[never as usize], 0, "{never}");
        }
    }
}

proptest! {
    #[test]
    fn mirror_images_have_equal_types(
        k in 2..12_usize,
        p in 1..5_usize,
        length in 12..40_usize,
        stones: u64,
        thin: u64,
    ) {
        prop_assume!(p < k);
        let rules = LineRules::new(k, p).expect("valid");
        let shape = Shape::new(k, length, stones & thin).expect("a shape");
        prop_assert_eq!(rules.classify(shape), rules.classify(shape.mirrored()));
    }

    #[test]
    fn the_hitting_number_of_a_line_is_the_least_set_of_cells(
        k in 2..8_usize,
        p in 1..4_usize,
        length in 8..15_usize,
        stones: u64,
    ) {
        prop_assume!(p < k);
        let rules = LineRules::new(k, p).expect("valid");
        let shape = Shape::new(k, length, stones).expect("a shape");
        let measure = rules.measure(shape);
        prop_assume!(measure.fullest < k);
        let sets: Vec<u64> = (0..=length - k)
            .map(|offset| (((1 << k) - 1) << offset) & shape.empties())
            .filter(|set| set.count_ones() as usize <= p)
            .collect();
        let least = (0..1_u64 << length)
            .filter(|cells| sets.iter().all(|set| set & cells != 0))
            .map(u64::count_ones)
            .min()
            .expect("all cells together hit everything");
        prop_assert_eq!(measure.hitting, (least as usize).min(p + 1));
    }

    #[test]
    fn a_stone_never_weakens_a_connection(
        length in 6..24_usize,
        stones: u64,
        thin: u64,
    ) {
        let rules = LineRules::CONNECT6;
        let shape = Shape::new(6, length, stones & thin).expect("a shape");
        let before = rules.measure(shape);
        for x in offsets(shape.empties()) {
            let after = rules.measure(shape.place(x));
            prop_assert!(after.fullest >= before.fullest);
            prop_assert!(after.hitting >= before.hitting);
        }
    }
}
