//! What a stone makes of a shape, cell by cell (document 002, §4.3 and §5.1).

use serde::Serialize;

use crate::tablebase::{LineRules, Shape};

/// A shape with what each of its cells could become.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShapePromotions {
    /// The shape, its head at the right.
    pub shape: String,
    /// Its type.
    #[serde(rename = "type")]
    pub shape_type: &'static str,
    /// What the type means.
    pub meaning: &'static str,
    /// Its empty cells, from left to right.
    pub cells: Vec<CellPromotion>,
}

/// A stone on one cell.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CellPromotion {
    /// Its place, from the left, from 0.
    pub place: usize,
    /// The shape with the stone.
    pub becomes: String,
    /// The type of that shape.
    pub becomes_type: &'static str,
    /// Whether that is a promotion: a type further up in the total order.
    pub promotes: bool,
    /// The type of the cell: what the shape is promoted to, U where a stone wastes a threat, O where it does
    /// neither good nor harm.
    pub cell_type: &'static str,
}

impl ShapePromotions {
    /// Looks at every empty cell.
    pub fn of(rules: LineRules, shape: Shape) -> Self {
        let shape_type = rules.classify(shape);
        let length = shape.length();
        let cells = (0..length).rev().filter(|&index| !shape.has_stone(index)).map(|index| {
            let then = shape.place(index);
            let becomes = rules.classify(then);
            CellPromotion {
                place: length - 1 - index,
                becomes: then.to_string(),
                becomes_type: becomes.name(),
                promotes: becomes.grade() > shape_type.grade(),
                cell_type: rules.cell_type(shape, index).name(),
            }
        });
        Self {
            shape: shape.to_string(),
            shape_type: shape_type.name(),
            meaning: shape_type.meaning(),
            cells: cells.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_live_three_becomes_a_live_four_or_a_dead_one() {
        let rules = LineRules::CONNECT6;
        let shape = Shape::parse(6, "...XXX...").expect("a shape");
        let told = ShapePromotions::of(rules, shape);
        assert_eq!((told.shape_type, told.cells.len()), ("L3", 6));
        for cell in &told.cells {
            assert!(!cell.promotes || cell.cell_type == cell.becomes_type, "{cell:?}");
        }
        let beside = &told.cells[2];
        assert_eq!((beside.place, &*beside.becomes, beside.becomes_type), (2, "..XXXX...", "L4"));
    }
}
