//! Self-play: short searches from random balanced openings, which may go on for a while.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use collinear_play::{Budget, StopFlag, Value};
use collinear_rules::{Position, Rules, Setup};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::games::{SearchedGame, StoneThought};
use super::records::Origin;
use crate::net::Net;
use crate::search::{Candidate, by_policy};
use crate::{Engine, Searcher, Settings, State, Weights};

/// How games are made.
#[derive(Clone, Debug)]
pub struct SelfPlay {
    /// The game.
    pub rules: Rules,
    /// Nodes a turn.
    pub nodes: u64,
    /// Of game number 0; game `n` has the seed after it by `n`.
    pub seed: u64,
    /// The weights the players use.
    pub weights: Arc<Weights>,
    /// A network that guides them, in games where one does.
    pub guide: Option<Arc<Net>>,
    /// Stones that an opening goes on by at most, as the weights like.
    pub wander: usize,
}

impl SelfPlay {
    /// Short games: neither guided nor wandering.
    pub const fn new(rules: Rules, nodes: u64, seed: u64, weights: Arc<Weights>) -> Self {
        Self { rules, nodes, seed, weights, guide: None, wander: 0 }
    }

    /// Whether the network guides the players.
    pub fn is_guided(&self) -> bool {
        self.guide.is_some() && Searcher::Best.is_guided(&self.rules)
    }

    /// All that the games follow from, apart from their numbers.
    pub fn origin(&self) -> Origin {
        let guide = self.guide.as_ref().filter(|_| self.is_guided());
        Origin::new(&self.rules, "fit games")
            .with("seed", self.seed)
            .with("nodes", self.nodes)
            .with("wander", self.wander)
            .with("network", guide.map_or_else(|| "none".to_owned(), |net| net.checksum()))
            .with("weights", self.weights.checksum(self.rules.p()))
    }
}

/// Table of a self-play engine, in mebibytes: small, since there are many.
const MEMORY: usize = 2;
/// Openings in which somebody is better by more than this many logits are dropped.
const MAX_ADVANTAGE: f64 = 0.6;
/// The same for a turn by which an opening goes on: it is taken back.
const WANDER_ADVANTAGE: f64 = 1.5;
/// Proof search that decides whether an opening is lost already.
const OPENING_PROOF_NODES: u64 = 300;
/// Tries for a balanced opening before an unbalanced one is taken.
const TRIES: usize = 200;
/// An opening goes on by stones that are each drawn from this many.
const WANDER_WIDTH: usize = 16;

/// Plays these games on all cores; each follows from its own number alone. `done` hears each as it ends, in
/// whatever order. Once stopped, no game is begun any more.
pub fn play_games(
    how: &SelfPlay,
    numbers: &[u64],
    stop: &StopFlag,
    done: &(dyn Fn(SearchedGame) + Sync),
) {
    let next = AtomicUsize::new(0);
    rayon::broadcast(|_| {
        while !stop.is_stopped() {
            let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            done(play_game(how, number));
        }
    });
}

/// Plays one game; a proved win ends it.
pub fn play_game(how: &SelfPlay, number: u64) -> SearchedGame {
    let settings = Settings {
        memory: MEMORY,
        first_width: 16,
        next_width: 8,
        searcher: Searcher::Best,
        ..Settings::default()
    };
    let guide = how.guide.clone().filter(|_| how.is_guided());
    let mut engine =
        Engine::with_weights(&how.rules, settings, 0, how.weights.clone()).with_net(guide);
    let seed = how.seed.wrapping_add(number);
    let mut position = opening(&how.rules, &how.weights, seed);
    wander(&mut position, how, seed);
    let opening = position.stone_count();
    let mut thoughts = Vec::new();
    let mut winner = None;
    while !position.is_over() && winner.is_none() {
        let player = position.to_move();
        let Ok(thought) = engine.think(&position, &Budget::nodes(how.nodes), &mut |_| {}) else {
            break;
        };
        let value = match thought.report.lines.first().map_or(Value::Draw, |line| line.value) {
            Value::WinsIn(_) => i16::MAX,
            Value::LosesIn(_) => -i16::MAX,
            Value::Draw => 0,
            Value::Chance(chance) => StoneThought::unproved(chance),
        };
        winner = match value {
            i16::MAX => Some(player),
            value if value == -i16::MAX => Some(!player),
            _ => None,
        };
        for (at, &cell) in thought.turn.iter().enumerate() {
            if position.play(cell).is_err() {
                break;
            }
            // The stones of a turn may come in any order.
            thoughts.push(StoneThought::of_stones(&thought.turn[at..], value));
        }
    }
    SearchedGame { number, stones: position.history().to_vec(), opening, winner, thoughts }
}

/// A random opening near the centre in which neither side has won yet, so to speak.
pub fn opening(rules: &Rules, weights: &Arc<Weights>, seed: u64) -> Position {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut engine = opening_engine(rules, weights);
    let mut position = Position::new(*rules);
    for _ in 0..TRIES {
        let turns = random.random_range(1..=3);
        position = scatter(rules, rules.q() + turns * rules.p(), &mut random);
        if !position.is_over() && is_open(&position, MAX_ADVANTAGE, weights, &mut engine) {
            return position;
        }
    }
    if position.is_over() { Position::new(*rules) } else { position }
}

/// Proves who wins from an opening.
fn opening_engine(rules: &Rules, weights: &Arc<Weights>) -> Engine {
    let settings = Settings { memory: 1, searcher: Searcher::AlphaBeta, ..Settings::default() };
    Engine::with_weights(rules, settings, 0, weights.clone())
}

/// Goes on by turns that the weights like, while both sides have chances: most games from scattered
/// stones alone are over before boards fill.
fn wander(position: &mut Position, how: &SelfPlay, seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(!seed);
    let goal = position.stone_count() + random.random_range(0..=how.wander);
    let mut engine = opening_engine(&how.rules, &how.weights);
    let mut state = State::new(position, how.weights.clone());
    let mut taken_back = 0;
    while position.stone_count() + how.rules.p() <= goal && taken_back < TRIES {
        let before = position.stone_count();
        play_turn(position, &mut state, &mut random);
        let is_even =
            !position.is_over() && is_open(position, WANDER_ADVANTAGE, &how.weights, &mut engine);
        if !is_even {
            while position.stone_count() > before {
                position.undo();
            }
            taken_back += 1;
        }
    }
}

/// Plays a turn of stones drawn from the policy.
fn play_turn(position: &mut Position, state: &mut State, random: &mut impl Rng) {
    let mut likely = Vec::new();
    for _ in 0..position.stones_left() {
        state.set(position);
        by_policy(state, WANDER_WIDTH, &mut likely);
        let chances = |stone: &Candidate| (f64::from(stone.policy) / Weights::LOGIT).exp();
        let Ok(stone) = likely.choose_weighted(random, chances) else { return };
        if position.play(stone.cell).is_err() {
            return;
        }
    }
}

/// Stones at random on the middle of the board.
fn scatter(rules: &Rules, stones: usize, random: &mut impl Rng) -> Position {
    let mut position = Position::new(*rules);
    let mut draw = |size: usize| {
        let span = size.min(7);
        (size - span) / 2 + random.random_range(0..span)
    };
    let stones = if stones > rules.cells() / 3 { rules.q() } else { stones };
    while position.stone_count() < stones && !position.is_over() {
        let (column, row) = (draw(rules.width()), draw(rules.height()));
        let cell =
            if rules.gravity() { position.drop_cell(column) } else { rules.cell(column, row) };
        if let Some(cell) = cell {
            // An occupied cell is simply drawn again.
            let _ = position.play(cell);
        }
    }
    position
}

fn is_open(position: &Position, most: f64, weights: &Arc<Weights>, engine: &mut Engine) -> bool {
    let evaluation = State::new(position, weights.clone()).evaluation();
    if f64::from(evaluation.abs()) > most * Weights::LOGIT {
        return false;
    }
    let setup = Setup {
        black: position.stones(collinear_rules::Player::Black).collect(),
        white: position.stones(collinear_rules::Player::White).collect(),
        to_move: Some((!position.to_move(), position.rules().p())),
    };
    let Ok(other) = Position::from_setup(*position.rules(), &setup) else { return false };
    let budget = Budget::nodes(OPENING_PROOF_NODES);
    [position, &other].iter().all(|side| engine.prove(side, &budget).proof().is_none())
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Mutex;

    use super::super::games::GameFile;
    use super::super::turns::FittedGames;
    use super::*;

    /// These games by their numbers.
    fn played(how: &SelfPlay, numbers: &[u64], stop: &StopFlag) -> Vec<SearchedGame> {
        let games = Mutex::new(Vec::new());
        play_games(how, numbers, stop, &|game| games.lock().expect("whole").push(game));
        let mut games = games.into_inner().expect("whole");
        games.sort_by_key(|game| game.number);
        games
    }

    /// The first games, as weights are fitted to them.
    pub(crate) fn fitted(how: &SelfPlay, games: u64) -> FittedGames {
        let numbers: Vec<u64> = (0..games).collect();
        let games = played(how, &numbers, &StopFlag::default());
        FittedGames::from(&GameFile { origin: how.origin(), rules: how.rules, games, whole: 0 })
    }

    #[test]
    fn games_follow_from_their_number() {
        for text in ["connect6", "gomoku", "7x7,k=4,p=3,q=1", "connect4"] {
            let rules: Rules = text.parse().expect(text);
            let weights = Arc::new(Weights::formula(rules.k(), rules.p()));
            let how = SelfPlay::new(rules, 50, 4, weights);
            let stop = StopFlag::default();
            let games = played(&how, &[2, 3], &stop);
            assert_eq!(games[1], play_game(&how, 3), "{text}");
            assert_ne!(games[0].stones, games[1].stones, "{text}");
            for game in games {
                assert!(Position::from_moves(rules, &game.stones).is_ok());
                assert_eq!(game.thoughts.len(), game.stones.len() - game.opening);
                assert!(!game.thoughts.is_empty());
            }
            stop.stop();
            assert!(played(&how, &[4, 5], &stop).is_empty());
        }
    }

    #[test]
    fn openings_go_on_while_both_have_chances() {
        for text in ["gomoku", "connect6"] {
            let rules: Rules = text.parse().expect(text);
            let weights = Arc::new(Weights::for_rules(&rules));
            let how = SelfPlay { wander: 40, ..SelfPlay::new(rules, 10, 7, Arc::clone(&weights)) };
            let mut engine = opening_engine(&rules, &weights);
            let mut added = Vec::new();
            for seed in 0..6 {
                let short = opening(&rules, &weights, seed);
                let mut long = short.clone();
                wander(&mut long, &how, seed);
                let stones = short.stone_count();
                assert_eq!(long.history()[..stones], *short.history());
                assert_eq!(long.stones_left(), rules.p(), "{text}");
                assert!(is_open(&long, WANDER_ADVANTAGE, &weights, &mut engine), "{text}");
                added.push(long.stone_count() - stones);
            }
            assert!(added.iter().all(|&stones| stones <= how.wander), "{text} {added:?}");
            assert!(added.iter().sum::<usize>() > 20, "{text} {added:?}");
        }
    }

    #[test]
    fn a_guide_changes_the_games() {
        let rules: Rules = "gomoku".parse().expect("rules");
        let alone = SelfPlay::new(rules, 300, 5, Arc::new(Weights::for_rules(&rules)));
        let guided = SelfPlay { guide: Net::for_rules(&rules), ..alone.clone() };
        assert!(guided.guide.is_some());
        assert!((0..4).any(|number| play_game(&alone, number) != play_game(&guided, number)));
        assert_eq!(play_game(&guided, 1), play_game(&guided, 1));
    }
}
