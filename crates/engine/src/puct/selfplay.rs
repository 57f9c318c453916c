//! The network search against itself, to learn from: where it looked, what it thought, who won.
//!
//! Every stone has a search of its own. One in four is long, has noise at its root and teaches the
//! policy; the others are short and only bring the game on ("playout cap randomisation", Wu,
//! "Accelerating self-play learning in Go", 2019). A game ends with a proof or on the board.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use collinear_play::{Budget, Meter, StopFlag};
use collinear_rules::{Cell, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::tree::{Finding, Task};
use super::{Appraiser, Effort, NodeId, Outcome, PuctParams, Tree};
use crate::fit::records::Origin;
use crate::fit::{SearchedGame, StoneThought, opening};
use crate::net::Net;
use crate::{Params, Weights};

/// How games are made.
#[derive(Clone, Debug)]
pub struct NetPlay {
    /// The game.
    pub rules: Rules,
    /// The network that plays; it must suit the game.
    pub net: Arc<Net>,
    /// The line patterns that judge openings and help the priors.
    pub weights: Arc<Weights>,
    /// Visits of a long search.
    pub visits: u32,
    /// Visits of a short one.
    pub quick_visits: u32,
    /// Stones that an opening goes on by at most, as the network likes.
    pub wander: usize,
    /// Of game number 0; game `n` has the seed after it by `n`.
    pub seed: u64,
}

impl NetPlay {
    /// All that the games follow from, apart from their numbers.
    pub fn origin(&self) -> Origin {
        Origin::new(&self.rules, "fit net-games")
            .with("seed", self.seed)
            .with("visits", self.visits)
            .with("quick-visits", self.quick_visits)
            .with("wander", self.wander)
            .with("network", self.net.checksum())
            .with("weights", self.weights.checksum(self.rules.p()))
    }
}

/// Long searches among all.
const LONG_SHARE: f64 = 0.25;
/// Stones after the opening that are drawn by visits; later ones are the best.
const DRAWN_STONES: usize = 8;
/// Part of a long search's root priors that is noise, and its evenness over all stones together.
const NOISE_SHARE: f32 = 0.25;
const NOISE_ALPHA: f64 = 10.0;
/// Openings that the network thinks decided are dropped, at most this many times, and stones that make
/// them so are taken back.
const OPENING_TRIES: u64 = 12;
const MOST_TAKEN_BACK: usize = 64;
const MOST_ADVANTAGE: f64 = 0.4;
/// A game this long is drawn.
const MAX_STONES: usize = 240;
/// Proofs at a new node and at the root of a search.
const LEAF: Effort = Effort { win: 300, zone: 150, turns: 10 };
const ROOT: Effort = Effort { win: 3000, zone: 1500, turns: 16 };
/// Visits before a node gets longer proof searches: few nodes of a short search.
const GROW_FROM: u32 = 32;
/// Memory of one game's tree, in mebibytes.
const MEMORY: usize = 64;

/// Plays these games on all cores; `done` hears each as it ends, in whatever order. Once stopped, no
/// game is begun any more.
pub fn play_net_games(
    how: &NetPlay,
    numbers: &[u64],
    stop: &StopFlag,
    done: &(dyn Fn(SearchedGame) + Sync),
) {
    let next = AtomicU64::new(0);
    rayon::broadcast(|_| {
        let mut player = SelfPlayer::new(how);
        while !stop.is_stopped() {
            let at = next.fetch_add(1, Ordering::Relaxed) as usize;
            let Some(&number) = numbers.get(at) else { break };
            done(player.play(number));
        }
    });
}

struct SelfPlayer<'a> {
    how: &'a NetPlay,
    tree: Tree,
    appraiser: Appraiser,
    meter: Meter,
    random: Xoshiro256PlusPlus,
}

impl<'a> SelfPlayer<'a> {
    fn new(how: &'a NetPlay) -> Self {
        let appraiser = Appraiser::new(&how.rules, &how.net, &how.weights, &Params::default());
        let geometry = appraiser.state.geometry().clone();
        Self {
            how,
            tree: Tree::new(geometry, &PuctParams::default(), MEMORY),
            appraiser,
            meter: Budget::default().start(1),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    fn play(&mut self, number: u64) -> SearchedGame {
        let seed = self.how.seed.wrapping_add(number);
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.tree.clear();
        self.appraiser.tactics.clear();
        let mut position = self.opening(seed);
        let mut game = SearchedGame {
            number,
            stones: Vec::new(),
            opening: position.stone_count(),
            winner: None,
            thoughts: Vec::new(),
        };
        while !position.is_over() && position.stone_count() < MAX_STONES {
            let player = position.to_move();
            if let Some(turn) = self.win(&position) {
                game.winner = Some(player);
                Self::write_win(&mut position, &turn, &mut game);
                break;
            }
            let (cell, thought, proved) = self.search(&position, game.thoughts.len());
            game.winner = match proved {
                Some(Outcome::Won(_)) => Some(player),
                Some(Outcome::Lost(_)) => Some(!player),
                _ => None,
            };
            let Some(cell) = cell else { break };
            game.thoughts.push(thought);
            if position.play(cell).is_err() {
                break;
            }
            if game.winner.is_some() {
                break;
            }
        }
        game.stones = position.history().to_vec();
        game
    }

    /// A random opening in which the network, too, sees chances for both.
    fn opening(&mut self, seed: u64) -> Position {
        let mut position = Position::new(self.how.rules);
        for attempt in 0..OPENING_TRIES {
            // Far from the seeds of other games.
            let seed = seed ^ attempt.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            position = opening(&self.how.rules, &self.how.weights, seed);
            self.appraiser.state.set(&position);
            if self.appraiser.evaluate().abs() < MOST_ADVANTAGE {
                break;
            }
        }
        self.wander(&mut position);
        position
    }

    /// Goes on by stones that the network likes, while both have chances: games from scattered stones
    /// alone are over long before the middle of real ones.
    fn wander(&mut self, position: &mut Position) {
        let goal = position.stone_count() + self.random.random_range(0..=self.how.wander);
        let mut stones = self.liked(position).unwrap_or_default();
        let mut taken_back = 0;
        while position.stone_count() < goal && taken_back < MOST_TAKEN_BACK {
            let Some(cell) = self.draw(&stones) else { break };
            stones.retain(|&(other, _)| other != cell);
            if position.play(cell).is_err() {
                continue;
            }
            if let Some(next) = self.liked(position) {
                stones = next;
            } else {
                position.undo();
                taken_back += 1;
            }
        }
    }

    /// Where the network would play, in parts of 65,535, if both have chances.
    fn liked(&mut self, position: &Position) -> Option<Vec<(Cell, u16)>> {
        if position.is_over() {
            return None;
        }
        self.appraiser.state.set(position);
        match self.appraiser.appraise(LEAF, false, &self.meter) {
            Finding::Open { value, stones, .. } if value.abs() < MOST_ADVANTAGE => {
                let part = |(cell, share): (Cell, f32)| (cell, (share * 65_535.0) as u16);
                Some(stones.into_iter().map(part).collect())
            }
            _ => None,
        }
    }

    /// The turn of a win by threats at the start of a turn.
    fn win(&mut self, position: &Position) -> Option<Vec<Cell>> {
        self.appraiser.state.set(position);
        let left = position.stones_left();
        let limits = crate::proof::ProofLimits { turns: ROOT.turns, nodes: ROOT.win, meter: None };
        let windows = self.appraiser.state.windows_mut();
        let proof = self.appraiser.tactics.prove(windows, position.to_move(), left, limits).proof();
        proof.map(|proof| proof.turn.clone())
    }

    /// The stones of a proved turn teach: either may come first.
    fn write_win(position: &mut Position, turn: &[Cell], game: &mut SearchedGame) {
        for (at, &cell) in turn.iter().enumerate() {
            if position.play(cell).is_err() {
                break;
            }
            game.thoughts.push(StoneThought::of_stones(&turn[at..], i16::MAX));
        }
    }

    /// Searches for one stone: the stone, what was thought, what is proved.
    fn search(
        &mut self,
        position: &Position,
        searched: usize,
    ) -> (Option<Cell>, StoneThought, Option<Outcome>) {
        self.appraiser.state.set(position);
        let root = self.tree.root(position);
        let long = self.random.random_bool(LONG_SHARE);
        let visits = if long { self.how.visits } else { self.how.quick_visits };
        self.simulate(root);
        if long {
            self.add_noise(root);
        }
        while self.tree.node(root).visits < visits && self.tree.node(root).proved.is_none() {
            self.simulate(root);
        }
        let proved = self.tree.node(root).proved;
        let value = (self.tree.node(root).mean() * 32_767.0) as i16;
        let looks = self.looks(root);
        let drawn = searched < DRAWN_STONES && proved.is_none();
        let cell = if drawn { self.draw(&looks) } else { None }
            .or_else(|| self.tree.best(root).map(|edge| self.tree.edges(root)[edge].cell));
        (cell, StoneThought { value, teaches: long || proved.is_some(), looks }, proved)
    }

    fn simulate(&mut self, root: NodeId) {
        let mut playout = self.tree.start(root);
        let state = &mut self.appraiser.state;
        let mut task = self.tree.descend(&mut playout, GROW_FROM, &mut |cell| state.play(cell));
        if let Task::Prove { visits } = task {
            // One longer look for a win; a node that stays open is followed further.
            let effort = Effort { win: u64::from(visits) * 32, ..LEAF };
            if let Some(turns) = self.appraiser.win(effort, &self.meter) {
                let id = playout.nodes[playout.nodes.len() - 1];
                self.tree.record(id, Finding::Proved(Outcome::Won(turns)));
                task = Task::Known;
            } else {
                let state = &mut self.appraiser.state;
                task = self.tree.descend(&mut playout, u32::MAX, &mut |cell| state.play(cell));
            }
        }
        let id = playout.nodes[playout.nodes.len() - 1];
        let value = match task {
            Task::Expand { all } => {
                let effort = if playout.nodes.len() == 1 { ROOT } else { LEAF };
                let finding = self.appraiser.appraise(effort, all, &self.meter);
                self.tree.record(id, finding)
            }
            Task::Prove { .. } | Task::Known | Task::Collide => self.tree.node(id).mean(),
        };
        for _ in 1..playout.nodes.len() {
            self.appraiser.state.undo();
        }
        self.tree.back_up(&playout, value);
    }

    /// Noise on the root's priors, so that stones the network does not like are seen now and then:
    /// normed draws with the distribution Dirichlet's are made of.
    fn add_noise(&mut self, root: NodeId) {
        let stones = self.tree.edges(root).len();
        let shape = NOISE_ALPHA / stones.max(1) as f64;
        let draws: Vec<f64> = (0..stones).map(|_| gamma(shape, &mut self.random)).collect();
        let total: f64 = draws.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        self.tree.set_priors(root, |at, prior| {
            prior + NOISE_SHARE * ((draws[at] / total) as f32 - prior)
        });
    }

    /// Where a search looked, in parts of 65,535.
    fn looks(&self, root: NodeId) -> Vec<(Cell, u16)> {
        let looks = self.tree.looks(root);
        let total = looks.iter().map(|&(_, visits)| visits).sum::<u32>().max(1);
        let share = |visits: u32| (u64::from(visits) * 65_535 / u64::from(total)) as u16;
        looks.into_iter().map(|(cell, visits)| (cell, share(visits))).collect()
    }

    fn draw(&mut self, looks: &[(Cell, u16)]) -> Option<Cell> {
        let total: u32 = looks.iter().map(|&(_, weight)| u32::from(weight)).sum();
        if total == 0 {
            return None;
        }
        let mut at = self.random.random_range(0..total);
        looks.iter().find_map(|&(cell, weight)| {
            if at < u32::from(weight) {
                return Some(cell);
            }
            at -= u32::from(weight);
            None
        })
    }
}

/// A draw from the gamma distribution with this shape and scale 1 (Marsaglia and Tsang, 2000).
fn gamma(shape: f64, random: &mut impl Rng) -> f64 {
    if shape < 1.0 {
        let uniform: f64 = random.random_range(f64::MIN_POSITIVE..1.0);
        return gamma(shape + 1.0, random) * uniform.powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        // A normal draw by Box and Muller.
        let (a, b): (f64, f64) = (random.random_range(f64::MIN_POSITIVE..1.0), random.random());
        let normal = (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        let v = (1.0 + c * normal).powi(3);
        let uniform: f64 = random.random_range(f64::MIN_POSITIVE..1.0);
        if v > 0.0 && uniform.ln() < 0.5 * normal * normal + d * (1.0 - v + v.ln()) {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn how(rules: Rules, wander: usize) -> NetPlay {
        NetPlay {
            rules,
            net: Net::for_rules(&rules).expect("shipped"),
            weights: Arc::new(Weights::for_rules(&rules)),
            visits: 24,
            quick_visits: 8,
            wander,
            seed: 5,
        }
    }

    #[test]
    fn games_follow_from_their_number_and_replay() {
        let rules = Rules::CONNECT6;
        let how = how(rules, 12);
        let game = SelfPlayer::new(&how).play(3);
        let mut again = SelfPlayer::new(&how);
        // What was played before leaves no trace.
        again.play(1);
        assert_eq!(again.play(3), game);
        assert_eq!(game.thoughts.len() + game.opening, game.stones.len());
        assert!(Position::from_moves(rules, &game.stones).is_ok());
        assert!(game.thoughts.iter().any(|thought| thought.teaches && !thought.looks.is_empty()));
    }

    #[test]
    fn openings_wander_while_both_have_chances() {
        let mut how = how(Rules::GOMOKU, 0);
        let scattered: Vec<Position> =
            (0..6).map(|seed| SelfPlayer::new(&how).opening(seed)).collect();
        how.wander = 30;
        let mut player = SelfPlayer::new(&how);
        let mut further = 0;
        for (seed, scattered) in scattered.iter().enumerate() {
            let position = player.opening(seed as u64);
            assert!(position.history().starts_with(scattered.history()));
            further += position.stone_count() - scattered.stone_count();
            if position.stone_count() > scattered.stone_count() {
                assert!(player.liked(&position).is_some(), "{:?}", position.history());
            }
        }
        assert!(further > 6, "{further}");
    }

    #[test]
    fn gamma_has_its_mean() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for shape in [0.2, 1.0, 5.0] {
            let mean = (0..20_000).map(|_| gamma(shape, &mut random)).sum::<f64>() / 20_000.0;
            assert!((mean - shape).abs() < 0.1 * (shape + 0.2), "{shape}: {mean}");
        }
    }
}
