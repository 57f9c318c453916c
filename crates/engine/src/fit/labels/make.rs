//! Positions as a search meets them, with a network's opinion of each: runs of stones that wander about, games of
//! guided alpha-beta, and a few likely stones beside either, for a search seldom looks at what is played.
//!
//! Positions in which rows and fours decide on the next stones are left out: the search does not ask for their
//! value. What is good to know about each share is in `docs/learning.md`.

use std::sync::Arc;

use collinear_play::StopFlag;
use collinear_rules::{Cell, Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::{Label, LabelledRun};
use crate::fit::play::play_game;
use crate::fit::records::Origin;
use crate::fit::{SearchedGame, SelfPlay, suits_combos};
use crate::net::{BoardNet, Net};
use crate::search::{Candidate, by_policy};
use crate::{CellKind, State, Weights};

/// How positions are made.
#[derive(Clone, Debug)]
pub struct Labelling {
    /// The network that is asked.
    pub net: Arc<Net>,
    /// How the games among them are played.
    pub games: SelfPlay,
}

/// Runs that are games, of a hundred: somewhat more than a quarter of the labels are theirs.
const GAMES_IN_A_HUNDRED: u32 = 12;
/// Stones that a game's opening goes on by at most, so that boards with many stones are there.
const WANDER: usize = 80;
/// Strays from each position of a game.
const GAME_STRAYS: usize = 6;
/// Strays have this many stones at most, each drawn from this many likely ones.
const MAX_STRAY: usize = 4;
const STRAY_WIDTH: usize = 8;
/// Positions of a run that are left by a stray, of a hundred.
const STRAYS_IN_A_HUNDRED: u32 = 60;
/// A wandering run begins with scattered stones on a square of this size…
const SPANS: std::ops::RangeInclusive<usize> = 5..=11;
/// …as many as this, and goes on to as many as that.
const SCATTERED: std::ops::RangeInclusive<usize> = 1..=8;
const GOALS: std::ops::RangeInclusive<usize> = 8..=96;
/// A scattered start that is more decided than this logit is labelled and left.
const DECIDED_START: f32 = 2.0;
/// A stone after which a position is more decided than this is taken back, eight times in ten.
const DECIDED: f32 = 2.4;
/// Stones taken back in a run, and in one place, before it ends.
const MOST_TAKEN_BACK: usize = 40;
const MOST_TRIED: usize = 8;
/// Of a hundred stones those that the network's policy chooses, and with the next the lines' policy; the rest
/// are any near others.
const BY_NETWORK: u32 = 72;
const BY_NETWORK_OR_LINES: u32 = 95;
/// How much less likely, as a logit, a stone is that is not near any other.
const FAR: f32 = -6.0;
/// The largest value of a label.
const MOST_VALUE: f32 = 32_000.0;

impl Labelling {
    /// For a game with one stone per turn that a shipped network guides.
    pub fn new(rules: &Rules, nodes: u64, seed: u64) -> Option<Self> {
        let net = Net::guide_for(rules).filter(|_| suits_combos(rules))?;
        // What is to be learned has no part in making what it learns from.
        let weights = Arc::new(Weights::for_rules(rules).with_learned(None));
        let guide = Some(net.clone());
        let games =
            SelfPlay { guide, wander: WANDER, ..SelfPlay::new(*rules, nodes, seed, weights) };
        Some(Self { net, games })
    }

    /// All that the labels follow from, apart from the runs' numbers.
    pub fn origin(&self) -> Origin {
        Origin::new(&self.games.rules, "fit labels")
            .with("seed", self.games.seed)
            .with("network", self.net.checksum())
            .of(&self.games.origin())
    }

    /// These runs in order, made on all cores; those after the first that a stop kept from ending are left out.
    pub fn make(&self, numbers: std::ops::Range<u64>, stop: &StopFlag) -> Vec<LabelledRun> {
        let run = |number| (!stop.is_stopped()).then(|| LabelMaker::new(self).run(number));
        let runs: Vec<_> = numbers.into_par_iter().map(run).collect();
        runs.into_iter().map_while(|run| run).collect()
    }
}

/// Makes one run after the other.
pub struct LabelMaker<'a> {
    how: &'a Labelling,
    state: State,
    net: BoardNet,
    random: Xoshiro256PlusPlus,
    likely: Vec<Candidate>,
    labels: Vec<Label>,
}

/// What rows and fours say about the next stone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forced {
    Nothing,
    Won,
    Block(Cell),
}

impl<'a> LabelMaker<'a> {
    /// Begins.
    pub fn new(how: &'a Labelling) -> Self {
        let rules = &how.games.rules;
        Self {
            how,
            state: State::new(&Position::new(*rules), how.games.weights.clone()),
            net: BoardNet::new(rules, &how.net),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            likely: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// A run, which follows from its number and the seed alone.
    pub fn run(&mut self, number: u64) -> LabelledRun {
        self.state.set(&Position::new(self.how.games.rules));
        self.labels.clear();
        let seed = self.how.games.seed.wrapping_add(number);
        // Far from the seeds of the game with this number.
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed.rotate_left(32) ^ 0x6c61_6265_6c73);
        let is_game = self.random.random_range(0..100) < GAMES_IN_A_HUNDRED;
        let (stones, opening, winner) = if is_game {
            let game = self.game(number);
            (game.stones, game.opening, game.winner)
        } else {
            let stones = self.wander();
            let all = stones.len();
            (stones, all, None)
        };
        let labels = std::mem::take(&mut self.labels);
        LabelledRun { number, is_game, winner, opening, stones, labels }
    }

    /// The positions of a game, and strays from each.
    fn game(&mut self, number: u64) -> SearchedGame {
        const FIRST: usize = 6;
        let game = play_game(&self.how.games, number);
        for (played, &cell) in game.stones.iter().enumerate() {
            if played >= FIRST && self.forced() == Forced::Nothing {
                self.label(played, &[]);
                for _ in 0..GAME_STRAYS {
                    self.stray(played);
                }
            }
            self.state.play(cell);
        }
        game
    }

    /// Wanders about while both have chances; its stones.
    fn wander(&mut self) -> Vec<Cell> {
        let mut stones = self.scatter();
        if stones.is_empty() || self.forced() != Forced::Nothing {
            return stones;
        }
        let goal = self.random.random_range(GOALS).min(self.how.games.rules.cells() - 10);
        let temperature = self.random.random_range(0.7..1.6_f32);
        let value = self.label(stones.len(), &[]);
        if value.abs() > DECIDED_START {
            return stones;
        }
        let mut policy = self.net.policy().to_vec();
        let mut tried = Vec::new();
        let mut taken_back = 0;
        while stones.len() < goal {
            let Some(cell) = self.choose(&policy, &tried, temperature) else { break };
            let ahead = self.play_on(cell);
            let value = ahead.as_ref().map(|ahead| {
                let value = self.label(stones.len(), ahead);
                policy.clear();
                policy.extend(self.net.policy());
                value
            });
            let goes_on = value.is_some_and(|value| {
                value.abs() <= DECIDED || self.random.random_range(0..10) >= 8
            });
            if let Some(ahead) = ahead.filter(|_| goes_on) {
                stones.extend(ahead);
                tried.clear();
                if self.random.random_range(0..100) < STRAYS_IN_A_HUNDRED {
                    self.stray(stones.len());
                }
                continue;
            }
            while self.state.played().len() > stones.len() {
                self.state.undo();
            }
            tried.push(cell);
            taken_back += 1;
            if taken_back > MOST_TAKEN_BACK || tried.len() > MOST_TRIED {
                break;
            }
            // The policy of the position before.
            self.net.evaluate(&self.state);
            policy.clear();
            policy.extend(self.net.policy());
        }
        stones
    }

    /// Stones at random on the middle of the board.
    fn scatter(&mut self) -> Vec<Cell> {
        let rules = self.how.games.rules;
        let least = rules.width().min(rules.height());
        let span = self.random.random_range(SPANS).min(least);
        let count = self.random.random_range(SCATTERED).min(span * span / 2);
        let mut stones = Vec::new();
        while stones.len() < count {
            let mut draw = |size: usize| (size - span) / 2 + self.random.random_range(0..span);
            let (column, row) = (draw(rules.width()), draw(rules.height()));
            let Some(cell) = rules.cell(column, row) else { continue };
            if self.state.board().is_empty(cell) {
                self.state.play(cell);
                stones.push(cell);
            }
        }
        stones
    }

    /// Plays a stone and the reply that it forces; these, unless somebody has won by then.
    fn play_on(&mut self, cell: Cell) -> Option<Vec<Cell>> {
        let mut ahead = vec![cell];
        self.state.play(cell);
        if let Forced::Block(reply) = self.forced() {
            self.state.play(reply);
            ahead.push(reply);
        }
        (self.forced() == Forced::Nothing && self.state.empty_count() > 0).then_some(ahead)
    }

    /// Leaves a run by a few likely stones, labels what is there and comes back.
    fn stray(&mut self, prefix: usize) {
        let steps = self.random.random_range(1..=MAX_STRAY);
        let mut beside = Vec::new();
        for _ in 0..steps {
            let cell = match self.forced() {
                Forced::Won => break,
                Forced::Block(cell) => cell,
                Forced::Nothing => {
                    by_policy(&mut self.state, STRAY_WIDTH, &mut self.likely);
                    let Some(stone) = self.likely.choose(&mut self.random) else { break };
                    stone.cell
                }
            };
            self.state.play(cell);
            beside.push(cell);
        }
        if !beside.is_empty() && self.forced() == Forced::Nothing && self.state.empty_count() > 0 {
            self.label(prefix, &beside);
        }
        for _ in beside {
            self.state.undo();
        }
    }

    /// Labels the position on the board, which is the run's and these stones.
    fn label(&mut self, prefix: usize, beside: &[Cell]) -> f32 {
        let value = self.net.evaluate(&self.state);
        let rounded = (value * Weights::LOGIT as f32).round().clamp(-MOST_VALUE, MOST_VALUE) as i16;
        self.labels.push(Label { prefix, beside: beside.to_vec(), value: rounded });
        value
    }

    /// A stone that has not been tried here.
    fn choose(&mut self, policy: &[f32], tried: &[Cell], temperature: f32) -> Option<Cell> {
        let kind = self.random.random_range(0..100_u32);
        let rules = self.how.games.rules;
        let stones: Vec<Cell> = self.state.played().collect();
        let near = |cell: Cell| {
            let far = |a: usize, b: usize| a.abs_diff(b) > 2;
            let width = rules.width();
            let (x, y) = (cell.index() % width, cell.index() / width);
            stones.iter().any(|at| !far(at.index() % width, x) && !far(at.index() / width, y))
        };
        let mover = self.state.turn().player;
        let lines = self.state.policy(mover).to_vec();
        let board = self.state.board();
        let mut likely: Vec<(Cell, f32)> = rules
            .all_cells()
            .filter(|cell| board.is_empty(*cell) && !tried.contains(cell))
            .map(|cell| {
                let logit = if kind < BY_NETWORK {
                    policy[cell.index()] / temperature
                } else if kind < BY_NETWORK_OR_LINES {
                    lines[cell.index()] as f32 / Weights::LOGIT as f32 / temperature
                } else if near(cell) {
                    0.0
                } else {
                    FAR
                };
                (cell, logit)
            })
            .collect();
        let most = likely.iter().map(|(_, logit)| *logit).fold(f32::MIN, f32::max);
        for (_, logit) in &mut likely {
            *logit = (*logit - most).exp();
        }
        likely.choose_weighted(&mut self.random, |(_, chance)| *chance).ok().map(|(cell, _)| *cell)
    }

    fn forced(&self) -> Forced {
        let mover = self.state.turn().player;
        let Some(cells) = self.state.cells() else { return Forced::Nothing };
        if cells.count_of(mover, CellKind::Row) > 0 {
            return Forced::Won;
        }
        if cells.count_of(!mover, CellKind::Row) > 0 {
            let block = cells.at_least(!mover, CellKind::Row).next();
            return block.map_or(Forced::Nothing, Forced::Block);
        }
        if cells.count_of(mover, CellKind::OpenFour) > 0 { Forced::Won } else { Forced::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::labels::LabelFile;

    fn how() -> Labelling {
        let rules: Rules = "gomoku".parse().expect("rules");
        Labelling::new(&rules, 40, 5).expect("a network")
    }

    #[test]
    fn runs_follow_from_their_numbers_and_labels_from_the_network() {
        let how = how();
        let runs = how.make(0..24, &StopFlag::default());
        let again = LabelMaker::new(&how).run(17);
        assert_eq!(runs[17], again);
        assert!(runs.iter().any(|run| run.is_game) && runs.iter().any(|run| !run.is_game));
        let mut bytes = LabelFile::header(&how.origin());
        bytes.extend(runs.iter().flat_map(LabelledRun::to_bytes));
        assert_eq!(LabelFile::from_bytes(&bytes).expect("whole").runs, runs);
        let mut net = BoardNet::new(&how.games.rules, &how.net);
        let mut deviations = 0;
        for run in &runs {
            for label in run.labels.iter().step_by(7) {
                let stones = [&run.stones[..label.prefix], &label.beside].concat();
                let position = Position::from_moves(how.games.rules, &stones).expect("legal");
                assert!(!position.is_over());
                let state = State::new(&position, how.games.weights.clone());
                let value = net.evaluate(&state) * Weights::LOGIT as f32;
                assert!((value - f32::from(label.value)).abs() <= 0.51, "{value} {label:?}");
                deviations += usize::from(!label.beside.is_empty());
            }
        }
        assert!(deviations > 10);
    }

    #[test]
    fn a_stop_leaves_the_first_runs() {
        let how = how();
        let stop = StopFlag::default();
        stop.stop();
        assert!(how.make(0..4, &stop).is_empty());
    }
}
