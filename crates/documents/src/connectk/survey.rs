//! How often the counters of the literature are wrong: a tally over many positions.
//!
//! Every position counts twice, once for each side as the attacker. A count above `p + 1` means
//! the same as `p + 1`, "a turn does not stop it", so counts are compared up to there.

use collinear_rules::{Player, Position};

use crate::connectk::counters::{Marks, count_marking};
use collinear_windows::ThreatCounter;
use collinear_windows::Windows;

/// What a counter said of sides that threaten something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// Its number was above the exact one.
    pub over: u64,
    /// Its number was below the exact one.
    pub under: u64,
    /// It called an attack unstoppable that a turn stops, or the other way round.
    pub decisive: u64,
}

/// The tally of positions with a similar number of stones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SurveyRow {
    /// Fewest stones on the board.
    pub stones: usize,
    /// Sides looked at: two per position.
    pub sides: u64,
    /// Sides with at least one threat.
    pub threatening: u64,
    /// Sides with threats on two or more lines: only there a counter can be wrong.
    pub crossing: u64,
    /// Sides whose threats no turn stops.
    pub unstoppable: u64,
    /// Wu and Huang's counter.
    pub wu_huang: Errors,
    /// The counter that marks all empty cells.
    pub mark_all: Errors,
}

/// A tally over positions, by stones on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    step: usize,
    rows: Vec<SurveyRow>,
}

impl Survey {
    /// A tally with a row for every `step` stones.
    pub const fn new(step: usize) -> Self {
        assert!(step > 0);
        Self { step, rows: Vec::new() }
    }

    /// Counts both sides of a position.
    pub fn add(&mut self, position: &Position) {
        let windows = Windows::of(position);
        let p = position.rules().p();
        let mut exact_counter = ThreatCounter::new();
        let row = self.row(position.stone_count() / self.step);
        for attacker in Player::BOTH {
            row.sides += 1;
            let exact = exact_counter.count(&windows, attacker);
            if exact == 0 {
                continue;
            }
            row.threatening += 1;
            row.crossing += u64::from(windows.lines_within(attacker, p).nth(1).is_some());
            row.unstoppable += u64::from(exact > p);
            for (errors, marks) in
                [(&mut row.wu_huang, Marks::Last), (&mut row.mark_all, Marks::All)]
            {
                let said = count_marking(&windows, attacker, marks).counted.len().min(p + 1);
                errors.over += u64::from(said > exact);
                errors.under += u64::from(said < exact);
                errors.decisive += u64::from((said > p) != (exact > p));
            }
        }
    }

    /// Adds the numbers of another tally with the same step.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.step, other.step, "tallies of different steps");
        for (index, from) in other.rows.iter().enumerate() {
            self.row(index).add(from);
        }
    }

    /// The rows that hold something, by number of stones.
    pub fn rows(&self) -> impl Iterator<Item = &SurveyRow> {
        self.rows.iter().filter(|row| row.sides > 0)
    }

    /// All rows together.
    pub fn total(&self) -> SurveyRow {
        let mut total = SurveyRow::default();
        for row in &self.rows {
            total.add(row);
        }
        total
    }

    /// Stones a row covers.
    pub const fn step(&self) -> usize {
        self.step
    }

    fn row(&mut self, index: usize) -> &mut SurveyRow {
        while self.rows.len() <= index {
            let stones = self.rows.len() * self.step;
            self.rows.push(SurveyRow { stones, ..SurveyRow::default() });
        }
        &mut self.rows[index]
    }
}

impl SurveyRow {
    fn add(&mut self, other: &Self) {
        self.sides += other.sides;
        self.threatening += other.threatening;
        self.crossing += other.crossing;
        self.unstoppable += other.unstoppable;
        for (errors, more) in
            [(&mut self.wu_huang, &other.wu_huang), (&mut self.mark_all, &other.mark_all)]
        {
            errors.over += more.over;
            errors.under += more.under;
            errors.decisive += more.decisive;
        }
    }
}

impl Errors {
    /// Wrong in either direction.
    pub const fn wrong(&self) -> u64 {
        self.over + self.under
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Rules, Setup, notation};

    use super::*;

    /// The position where Wu and Huang count two and one stone stops both.
    fn crossing() -> Position {
        let rules = Rules::CONNECT6;
        let cells = |text: &str| {
            text.split(' ').map(|name| notation::parse(&rules, name).expect(name)).collect()
        };
        let setup = Setup {
            black: cells("d3 e3 f3 g3 c4 c5 c6 c7"),
            white: cells("b3 i3 c1 c8"),
            to_move: Some((Player::White, 1)),
        };
        Position::from_setup(rules, &setup).expect("a position")
    }

    #[test]
    fn errors_are_counted_where_they_belong() {
        let mut survey = Survey::new(10);
        survey.add(&crossing());
        survey.add(&Position::new(Rules::CONNECT6));
        let rows: Vec<_> = survey.rows().copied().collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].stones, rows[0].sides, rows[0].threatening), (0, 2, 0));
        assert_eq!((rows[1].stones, rows[1].sides, rows[1].threatening), (10, 2, 1));
        assert_eq!((rows[1].crossing, rows[1].unstoppable), (1, 0));
        assert_eq!(rows[1].wu_huang, Errors { over: 1, under: 0, decisive: 0 });
        assert_eq!(rows[1].mark_all, Errors::default());
    }

    #[test]
    fn merging_is_adding_up() {
        let mut one = Survey::new(5);
        one.add(&crossing());
        let mut two = one.clone();
        two.add(&Position::new(Rules::CONNECT6));
        let mut all = one.clone();
        all.merge(&two);
        let mut together = Survey::new(5);
        for _ in 0..2 {
            together.add(&crossing());
        }
        together.add(&Position::new(Rules::CONNECT6));
        assert_eq!(all, together);
        assert_eq!(all.total().sides, 6);
    }
}
