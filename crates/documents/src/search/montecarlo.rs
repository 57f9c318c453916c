//! Flat Monte Carlo: the cell that wins most random games (document 000, §3.3), with the results
//! of random games kept (its future work).
//!
//! Every random game is evidence not only for its first stone but for each position it passes
//! through. The first stones of each game are therefore counted by position (so stones in another
//! order meet): when the second stone of the turn is chosen, or the opponent plays what a random
//! game foresaw, the evidence is there already.
//!
//! Alone that helps little: on a large board the same position is hardly met twice. What is met
//! often is the same stone in another order, so a game also counts for every cell that the player
//! took later in it (all moves as first: Brügmann 1993; the weights of Gelly and Silver 2007). That
//! evidence is plentiful and crude, and counts less the more games a cell has of its own.

use std::collections::HashMap;

use collinear_play::Meter;
use collinear_rules::{Cell, Geometry, Player, Position};
use rand::RngCore;
use std::sync::Arc;

use crate::search::{Noise, Playouts};

/// Which cell gets the next random game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The one with the fewest games: the document's.
    Even,
    /// The one with the highest upper confidence bound (UCB1: Auer, Cesa-Bianchi, Fischer 2002),
    /// so that hopeless cells cost little.
    Bound,
}

/// How random games are spent.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Random games for each stone.
    pub playouts: u64,
    /// Only cells this near to a stone (in king's steps); 0 means all.
    pub near: usize,
    /// Which cell is next.
    pub policy: Policy,
    /// Whether results are kept from stone to stone and turn to turn.
    pub keep: bool,
    /// How many games of its own weigh as much as a cell's later stones in other games; 0 does
    /// without those.
    pub share: f64,
    /// How wide the confidence bound looks; results lie between 0 and 1.
    pub explore: f64,
    /// Whether the first stone of a random game is one too many: the player who places it keeps as
    /// many stones for the turn as before. A slip of document 000's program, kept to be measured.
    pub slip: bool,
}

/// What random games say about a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The cell.
    pub cell: Cell,
    /// Part of the games won by the player to move, draws half.
    pub chance: f64,
    /// Games counted.
    pub games: u32,
}

/// Chooses stones by random games.
#[derive(Clone, Debug)]
pub struct MonteCarlo {
    playouts: Playouts,
    kept: HashMap<u64, Tally>,
}

/// Results of random games through one position.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    /// Black's points, a draw being 1 and a win 2.
    black: u32,
    games: u32,
    /// Stones on the board: positions of the past can be forgotten.
    stones: u16,
}

/// How many stones of each random game are counted beyond the present turn.
const KEPT_BEYOND_TURN: usize = 2;

impl MonteCarlo {
    /// With nothing kept.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        Self { playouts: Playouts::new(geometry), kept: HashMap::new() }
    }

    /// The same with games whose stones fall within this many steps of others; 0 is everywhere.
    pub fn local(geometry: Arc<Geometry>, steps: usize) -> Self {
        Self { playouts: Playouts::local(geometry, steps), kept: HashMap::new() }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.kept.clear();
    }

    /// Estimates every candidate for the next stone, best first, with at most `sampling.playouts`
    /// random games; `spent` counts all of them. Empty when the game is over.
    pub fn stone(
        &mut self,
        position: &Position,
        sampling: &Sampling,
        meter: &Meter,
        random: &mut (impl RngCore + Clone),
        spent: &mut u64,
    ) -> Vec<Estimate> {
        self.stone_among(
            &candidates(position, sampling.near),
            position,
            sampling,
            meter,
            random,
            spent,
        )
    }

    /// The same for these cells alone.
    pub fn stone_among(
        &mut self,
        cells: &[Cell],
        position: &Position,
        sampling: &Sampling,
        meter: &Meter,
        random: &mut (impl RngCore + Clone),
        spent: &mut u64,
    ) -> Vec<Estimate> {
        if cells.is_empty() {
            return Vec::new();
        }
        let now = position.stone_count() as u16;
        if sampling.keep {
            self.kept.retain(|_, tally| tally.stones > now);
        } else {
            self.kept.clear();
        }
        self.playouts.load(position);
        if sampling.slip {
            self.playouts.give_extra_stone();
        }
        let mut ahead = position.clone();
        let keys: Vec<u64> = cells
            .iter()
            .map(|&cell| {
                ahead.play_unchecked(cell);
                let key = ahead.key();
                ahead.undo();
                key
            })
            .collect();
        let noise = Noise::new(position.rules().cells(), random.next_u64());
        let mut arms: Vec<Arm> = cells
            .iter()
            .zip(&keys)
            .map(|(&cell, key)| {
                Arm::new(cell, self.kept.get(key).copied().unwrap_or_default(), position.to_move())
            })
            .collect();
        arms.sort_by_key(|arm| noise.rank(arm.cell));
        let mut arm_of = vec![None; position.rules().cells()];
        for (at, arm) in arms.iter().enumerate() {
            arm_of[arm.cell.index()] = Some(at);
        }
        let depth = if sampling.keep { position.stones_left() + KEPT_BEYOND_TURN } else { 0 };
        for done in 0..sampling.playouts {
            if meter.is_spent(*spent) {
                break;
            }
            let at = match sampling.policy {
                Policy::Bound if done as usize >= arms.len() => {
                    highest_bound(&arms, done, sampling)
                }
                _ => done as usize % arms.len(),
            };
            let winner = self.playouts.run(&[arms[at].cell], random);
            *spent += 1;
            arms[at].add(winner, position.to_move());
            if sampling.share > 0.0 {
                for (place, cell) in self.playouts.played().iter().enumerate().skip(1) {
                    if let Some(arm) = arm_of[cell.index()]
                        && own_stone(position, place)
                    {
                        arms[arm].later.add(winner);
                    }
                }
            }
            self.count(&mut ahead, winner, depth);
        }
        let mut estimates: Vec<Estimate> = arms
            .iter()
            .map(|arm| Estimate {
                cell: arm.cell,
                chance: arm.shared(sampling.share, position.to_move()),
                games: arm.tally.games,
            })
            .collect();
        // Stable: equals stay in random order.
        estimates.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        estimates
    }

    /// Counts the latest random game for each of its first positions.
    fn count(&mut self, ahead: &mut Position, winner: Option<Player>, depth: usize) {
        let stones = &self.playouts.played()[..depth.min(self.playouts.played().len())];
        let mut placed = 0;
        for &cell in stones {
            if ahead.is_over() {
                break;
            }
            ahead.play_unchecked(cell);
            placed += 1;
            let tally = self.kept.entry(ahead.key()).or_default();
            tally.add(winner);
            tally.stones = ahead.stone_count() as u16;
        }
        for _ in 0..placed {
            ahead.undo();
        }
    }
}

/// A candidate with its games; what the bound needs is worked out when a game is added.
struct Arm {
    cell: Cell,
    tally: Tally,
    /// Games in which the player took the cell later than first.
    later: Tally,
    mover: Player,
    chance: f64,
    /// 1 / √games.
    doubt: f64,
}

impl Arm {
    fn new(cell: Cell, tally: Tally, mover: Player) -> Self {
        let doubt = 1.0 / f64::from(tally.games.max(1)).sqrt();
        Self { cell, tally, later: Tally::default(), mover, chance: tally.chance(mover), doubt }
    }

    fn add(&mut self, winner: Option<Player>, mover: Player) {
        self.tally.add(winner);
        *self = Self { later: self.later, ..Self::new(self.cell, self.tally, mover) };
    }

    /// The chance by own games and, where `share` asks for them, by games with a later stone here.
    fn shared(&self, share: f64, mover: Player) -> f64 {
        if share <= 0.0 || self.later.games == 0 {
            return self.chance;
        }
        let crude = (share / (3.0 * f64::from(self.tally.games) + share)).sqrt();
        (1.0 - crude) * self.chance + crude * self.later.chance(mover)
    }
}

/// Whether the stone at this place of a random game is one of the player to move in `position`.
fn own_stone(position: &Position, place: usize) -> bool {
    let p = position.rules().p();
    match place.checked_sub(position.stones_left()) {
        None => true,
        Some(later) => (later / p) % 2 == 1,
    }
}

/// The arm with the highest upper confidence bound, the first of equals.
fn highest_bound(arms: &[Arm], done: u64, sampling: &Sampling) -> usize {
    let width = sampling.explore * ((done + 1) as f64).ln().sqrt();
    let mut best = (0, f64::NEG_INFINITY);
    for (at, arm) in arms.iter().enumerate() {
        let bound = arm.shared(sampling.share, arm.mover) + width * arm.doubt;
        if bound > best.1 {
            best = (at, bound);
        }
    }
    best.0
}

impl Tally {
    fn add(&mut self, winner: Option<Player>) {
        self.black += match winner {
            Some(Player::Black) => 2,
            Some(Player::White) => 0,
            None => 1,
        };
        self.games += 1;
    }

    fn chance(&self, player: Player) -> f64 {
        if self.games == 0 {
            return 0.0;
        }
        let black = f64::from(self.black) / f64::from(2 * self.games);
        if player == Player::Black { black } else { 1.0 - black }
    }
}

/// Legal cells near enough to a stone; all of them when there are none.
fn candidates(position: &Position, near: usize) -> Vec<Cell> {
    let legal = position.legal_cells();
    if near == 0 || position.stone_count() == 0 {
        return legal;
    }
    let rules = position.rules();
    let close: Vec<Cell> = legal
        .iter()
        .copied()
        .filter(|&cell| {
            let (x, y) = (rules.column(cell), rules.row(cell));
            let columns = x.saturating_sub(near)..=(x + near).min(rules.width() - 1);
            columns.into_iter().any(|column| {
                let rows = y.saturating_sub(near)..=(y + near).min(rules.height() - 1);
                rows.into_iter().any(|row| {
                    rules.cell(column, row).is_some_and(|other| position.at(other).is_some())
                })
            })
        })
        .collect();
    if close.is_empty() { legal } else { close }
}

#[cfg(test)]
mod tests {
    use collinear_play::Budget;
    use collinear_rules::Rules;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn sampling(playouts: u64, keep: bool) -> Sampling {
        Sampling {
            playouts,
            near: 0,
            policy: Policy::Even,
            keep,
            share: 0.0,
            explore: 0.5,
            slip: false,
        }
    }

    #[test]
    fn finds_the_winning_cell_and_counts_its_games() {
        let rules = Rules::CONNECT4;
        let mut position = Position::new(rules);
        for column in [0, 6, 1, 6, 2, 5] {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        let mut carlo = MonteCarlo::new(position.geometry().clone());
        for policy in [Policy::Even, Policy::Bound] {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut spent = 0;
            let meter = Budget::nodes(700).start(1);
            let settings = Sampling { policy, ..sampling(1000, false) };
            let estimates = carlo.stone(&position, &settings, &meter, &mut random, &mut spent);
            assert_eq!(spent, 700);
            assert_eq!(estimates[0].cell, rules.cell(3, 0).expect("on the board"));
            assert!((estimates[0].chance - 1.0).abs() < 1e-9);
            assert_eq!(estimates.iter().map(|e| u64::from(e.games)).sum::<u64>(), 700);
        }
    }

    #[test]
    fn later_stones_count_for_their_player_only() {
        let rules: Rules = "5x5,k=4,p=2,q=1".parse().expect("rules");
        let position = Position::from_moves(rules, &[Cell::new(12)]).expect("legal");
        // White has two stones, then Black two, then White: places 0 1 | 2 3 | 4 5.
        let own: Vec<usize> = (0..8).filter(|&place| own_stone(&position, place)).collect();
        assert_eq!(own, [0, 1, 4, 5]);
        let mut carlo = MonteCarlo::new(position.geometry().clone());
        let meter = Budget::default().start(1);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let shared = Sampling { share: 100.0, ..sampling(240, false) };
        let found = carlo.stone(&position, &shared, &meter, &mut random, &mut 0);
        assert!(found.iter().all(|e| (0.0..=1.0).contains(&e.chance) && e.games == 10));
    }

    #[test]
    fn kept_results_serve_the_next_stone() {
        let rules: Rules = "5x5,k=4,p=2,q=1".parse().expect("rules");
        let mut position = Position::new(rules);
        position.play(rules.cell(2, 2).expect("on the board")).expect("legal");
        let games = |keep| {
            let mut carlo = MonteCarlo::new(position.geometry().clone());
            let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
            let meter = Budget::default().start(1);
            let mut spent = 0;
            let settings = sampling(2400, keep);
            let best = carlo.stone(&position, &settings, &meter, &mut random, &mut spent)[0].cell;
            let mut next = position.clone();
            next.play(best).expect("legal");
            let none = sampling(0, keep);
            let second = carlo.stone(&next, &none, &meter, &mut random, &mut spent);
            second.iter().map(|e| e.games).sum::<u32>()
        };
        assert_eq!(games(false), 0);
        // 2400 games over 24 cells: the 100 that began with the best one all have a second stone,
        // and as many again began with the second stone and went on with the best.
        assert!((150..300).contains(&games(true)), "{}", games(true));
    }
}
