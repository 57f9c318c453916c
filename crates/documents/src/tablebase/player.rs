//! Plays by the knowledge table-base of line shapes (document 002): connection types, promotions
//! and intersection types.
//!
//! A cell is worth what a stone there promotes its four connections to, for oneself and for the
//! opponent; types are compared by the paper's total order. `step` turns the order into numbers:
//! each type is worth `step` times the one below, so from 5 on four weaker types never outweigh a
//! stronger one and the order alone decides. The composite type (see [`Composite`]) sees that two
//! connections together win though neither does alone.
//!
//! Urgent cases follow from the types too: a connection of D4 or better that the stones left can
//! finish is a win; against the opponent's D4 and better only cells count that he would promote to
//! D5 or better; more threats than the opponent has stones force the game.
//!
//! All types are kept stone by stone and looked up; `types=compute` works each of them out instead,
//! plays the same and is kept to test and measure against.

use std::sync::Arc;

use crate::search::{Appraise, Candidate, Score};
use crate::tablebase::{Composite, Grade, Intersections, LineRules, ShapeType, TableBase};
use collinear_play::{Agent, AgentSpec, BuildError, Games, OptionSpec, Options};
use collinear_rules::{Cell, Player, Position, Rules};
use collinear_windows::offsets;

use crate::connectk::tactics::Urgency;
use crate::search::balanced::{Balance, Balanced};
use crate::search::listed::{
    ANEW, DEPTH, Listed, NO_CHANCE, PARALLEL, TIES, UNIT, WIDTH, search_of,
};

/// The default is the best of 0.5, 0.8, 1 and 1.2 against sequences.
const DEFENCE: OptionSpec = OptionSpec::float("c", 0.0..=5.0, 0.5)
    .help("how much the opponent's types count beside one's own");
const STEP: OptionSpec = OptionSpec::float("step", 1.0..=8.0, 5.0)
    .help("how many times a type is worth the one below it; from 5 on the order alone decides");
const COMPOSITE: OptionSpec = OptionSpec::bool("composite", true)
    .help("whether the four types of a cell count together, or only the best of them");
const TYPES: OptionSpec = OptionSpec::choice("types", &["lookup", "compute"], "lookup")
    .help("types are looked up in tables, or worked out each time (slow, same turn)");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "connection and intersection types from tables: builds the best, stops the best",
    source: "document 002",
    options: &[DEFENCE, STEP, COMPOSITE, TYPES, DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL],
    games: Games::Only(plays, "games without gravity"),
    takes_wins: true,
    ..AgentSpec::new("tablebase", build)
};

/// The longest line with a table, 20 MiB in Connect6; longer connections are worked out.
const MAX_LOOKED_UP: usize = 19;

fn plays(rules: &Rules) -> bool {
    !rules.gravity() && LineRules::new(rules.k(), rules.p()).is_ok()
}

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let other = |error: crate::tablebase::ShapeError| BuildError::Other(error.to_string());
    let line_rules = LineRules::new(rules.k(), rules.p()).map_err(other)?;
    let longest = rules.width().max(rules.height()).min(MAX_LOOKED_UP);
    let table = if options.text(TYPES.name) == "lookup" && longest >= rules.k() {
        TableBase::new(line_rules, longest).map_err(other)?
    } else {
        TableBase::computing(line_rules)
    };
    let step = options.float(STEP.name);
    let player = Types {
        intersections: Intersections::of(&Position::new(*rules), Arc::new(table)),
        worth: Grade::ALL.map(|grade| match grade {
            Grade::U => 0,
            _ => step.powi(grade as i32 - 1).round() as i64,
        }),
        defence: (options.float(DEFENCE.name) * UNIT_WORTH as f64).round() as i64,
        composite: options.bool(COMPOSITE.name),
    };
    let search = search_of(options);
    let alone = options.int(DEPTH.name) == 1 && options.text(UNIT.name) == "stones";
    Ok(if alone {
        Box::new(Listed::new(player, search, NO_CHANCE, seed))
    } else {
        Box::new(Listed::new(Balanced(player), search, ODDS_SCALE, seed))
    })
}

/// One point of a type in utilities; `c` is exact to a hundredth.
const UNIT_WORTH: i64 = 100;
/// The utility that means odds of e to 1 in reports, a guess: a live three.
const ODDS_SCALE: f64 = 625.0 * UNIT_WORTH as f64;

#[derive(Clone)]
struct Types {
    intersections: Intersections,
    /// By grade.
    worth: [i64; 12],
    defence: i64,
    composite: bool,
}

impl Types {
    fn composite(&self, cell: Cell, player: Player) -> i64 {
        let Composite { together, each } = self.intersections.composite(cell, player);
        if !self.composite {
            return self.worth[each[0] as usize];
        }
        let sum: i64 = each.iter().map(|&grade| self.worth[grade as usize]).sum();
        sum + if together > each[0] { self.worth[together as usize] } else { 0 }
    }

    /// Stones needed against all connections of a player.
    fn needed(&self, player: Player) -> usize {
        let p = self.intersections.connections().table().rules().p();
        let counts = self.intersections.connections().counts(player);
        let needed = ShapeType::ALL.iter().zip(counts);
        needed.map(|(shape_type, &count)| shape_type.grade().hitting(p) * count as usize).sum()
    }

    /// How many more stones the opponent needs after a stone on this cell.
    fn adds(&self, position: &Position, cell: Cell, player: Player) -> usize {
        let connections = self.intersections.connections();
        let p = position.rules().p();
        let through = position.geometry().lines_through(cell);
        let grades = self.intersections.at(cell, player);
        let added = through.iter().zip(grades).map(|(at, grade)| {
            if *grade < Grade::D4 {
                return 0;
            }
            let before = connections.through(at, player).map(|c| connections.type_of(&c).grade());
            grade.hitting(p).saturating_sub(before.map_or(0, |before| before.hitting(p)))
        });
        added.sum()
    }

    /// For every cell the fewest stones that, with one on it, finish a row within this turn.
    fn wins(&self, position: &Position) -> Vec<Option<usize>> {
        let (mover, left) = (position.to_move(), position.stones_left());
        let mut found: Vec<Option<usize>> = vec![None; position.rules().cells()];
        if self.needed(mover) == 0 {
            return found;
        }
        let geometry = position.geometry();
        let k = position.rules().k();
        for connection in self.intersections.connections().all(mover) {
            let stones = connection.shape.stones();
            for offset in 0..=connection.shape.length() - k {
                let window = u64::MAX >> (64 - k) << offset;
                let empties = (window & !stones) << connection.head;
                let line = position.line(connection.line)[mover.index()];
                if empties.count_ones() as usize <= left
                    && geometry.winning_starts(line | empties, mover) != 0
                {
                    let cells = geometry.line_cells(connection.line);
                    let more = empties.count_ones() as usize - 1;
                    for index in offsets(empties) {
                        let fewest = &mut found[cells[index].index()];
                        *fewest = Some(fewest.map_or(more, |known| known.min(more)));
                    }
                }
            }
        }
        found
    }
}

impl Appraise for Types {
    fn load(&mut self, position: &Position) {
        self.intersections.set(position);
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.intersections.place(cell, player);
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        self.intersections.remove(cell, player);
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let mover = position.to_move();
        let wins = self.wins(position);
        let p = position.rules().p();
        let (own, opposing) = (self.needed(mover), self.needed(mover.opponent()));
        for cell in position.legal_cells() {
            let room = position.geometry().windows_through(cell).count() as i64;
            let quiet = room.min(UNIT_WORTH - 1)
                + UNIT_WORTH * self.composite(cell, mover)
                + self.defence * self.composite(cell, mover.opponent());
            let verdict = if let Some(more) = wins[cell.index()] {
                Urgency::Wins(more)
            } else if opposing > 0 {
                let blocks = self.intersections.at(cell, mover.opponent()).iter().max();
                let blocks = blocks.is_some_and(|&best| best >= Grade::D5);
                Urgency::Threatened((opposing - usize::from(blocks)) as u32)
            } else if own + self.adds(position, cell, mover) > p {
                Urgency::Forces
            } else {
                Urgency::Quiet
            };
            list.push(Candidate { cell, utility: verdict.score(quiet) });
        }
    }
}

/// The horizon judged by the connections of both players.
impl Balance for Types {
    fn balance(&mut self, position: &Position, player: Player) -> Score {
        let total = |of: Player| -> i64 {
            let counts = self.intersections.connections().counts(of);
            let worth = ShapeType::ALL.iter().zip(counts).map(|(shape_type, &count)| {
                self.worth[shape_type.grade() as usize] * i64::from(count)
            });
            // Whoever moves next can use what he has.
            worth.sum::<i64>() * if of == position.to_move() { 2 } else { 1 }
        };
        Score::of(UNIT_WORTH * total(player) - self.defence * total(player.opponent()))
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::Budget;
    use collinear_rules::{Setup, notation};
    use proptest::prelude::*;

    use super::*;

    fn types(rules: &Rules, table: TableBase) -> Types {
        Types {
            intersections: Intersections::of(&Position::new(*rules), Arc::new(table)),
            worth: std::array::from_fn(|grade| 5_i64.pow(grade as u32)),
            defence: 80,
            composite: true,
        }
    }

    fn turn(rules: &str, black: &str, white: &str) -> String {
        let rules: Rules = rules.parse().expect("rules");
        let cells = |text: &str| -> Vec<Cell> {
            text.split_whitespace().map(|name| notation::parse(&rules, name).expect(name)).collect()
        };
        let setup = Setup {
            black: cells(black),
            white: cells(white),
            to_move: Some((Player::Black, rules.p())),
        };
        let position = Position::from_setup(rules, &setup).expect("a position");
        let choice = crate::registry().parse("tablebase").expect("known");
        let mut agent = choice.build(&rules, 1).expect("an agent");
        let mut turn = agent.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn");
        turn.sort_unstable();
        notation::names(&rules, &turn)
    }

    #[test]
    fn two_dead_fours_that_cross_are_better_than_a_live_three() {
        // d4 completes two dead threats of four with one stone per turn; neither alone wins.
        assert_eq!(turn("9x9,k=5", "a4 b4 c4 d1 d2 d3", "i1 i4 i6 i9 g9 a9"), "d4");
    }

    #[test]
    fn a_win_comes_before_a_block_and_a_block_before_a_plan() {
        let (four, five) = ("b2 c2 d2 e2", "b9 c9 d9 e9 f9");
        assert_eq!(turn("connect6", four, five), "f2 g2");
        // Without a win at hand, both ends of the five are stopped.
        assert_eq!(turn("connect6", "b2 c2 d2", five), "a9 g9");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        /// Stone by stone, with stones taken back, from tables, beside types worked out afresh.
        #[test]
        fn lookups_kept_stone_by_stone_equal_types_worked_out_afresh(
            game in prop::sample::select(vec![
                "9x9,k=6,p=2,q=1", "7x7,k=5", "7x7,k=5,exact", "8x6,k=4,p=3,q=2", "25x2,k=5,p=2,q=1",
            ]),
            picks in prop::collection::vec((0..1000_usize, any::<bool>()), 1..40),
        ) {
            let rules: Rules = game.parse().expect(game);
            let line_rules = LineRules::new(rules.k(), rules.p()).expect("valid");
            let mut kept = types(&rules, TableBase::new(line_rules, 12).expect("fits"));
            let mut position = Position::new(rules);
            kept.load(&position);
            for (pick, back) in picks {
                if let Some(cell) = position.history().last().copied().filter(|_| back) {
                    position.undo();
                    kept.remove(cell, position.to_move());
                }
                if position.is_over() {
                    break;
                }
                let legal = position.legal_cells();
                let cell = legal[pick % legal.len()];
                kept.place(cell, position.to_move());
                position.play(cell).expect("legal");
                if position.is_over() {
                    continue;
                }
                let mut afresh = types(&rules, TableBase::computing(line_rules));
                afresh.load(&position);
                let (mut one, mut other) = (Vec::new(), Vec::new());
                kept.list(&position, &mut one);
                afresh.list(&position, &mut other);
                prop_assert_eq!(one, other);
            }
        }
    }
}
