//! The engine of document 001: minimax with alpha-beta over pairs of stones near others, with its
//! four generations of evaluation.
//!
//! Candidates are cells one or two steps from a stone along a line: offensive ones near own
//! stones, defensive ones near opposing stones, each list cut to its best `width`. They are found
//! once a turn, and all sets of them are searched (28 pairs of 8 in Connect6). The generators of its
//! first two versions are in [`early`]. The document's threads worked only in its console; here
//! `parallel` gives the same turn everywhere.
//!
//! Its listings of minimax give a row below the root to the wrong player: the stones that were just
//! placed are those of the player who is *not* to move, and it is asked who is. `inverted` plays so.

use std::sync::Arc;

use crate::search::{AlphaBeta, Appraise, Candidate, Depth, Score};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Geometry, Player, Position, Rules};

use crate::alicante::genetic::Breeder;
use crate::search::listed::{Listed, PARALLEL};

pub(crate) mod candidates;
mod early;
pub(crate) mod evaluation;
pub(crate) mod genetic;

use candidates::{Look, Near};
use early::Pair;
use evaluation::{Chains, Evaluation, Generation, Weights};

const DEPTH: OptionSpec = OptionSpec::int("depth", 1..=16, 2).help("how many turns to look ahead");
const WIDTH: OptionSpec = OptionSpec::int("width", 1..=64, 4)
    .help("how many offensive and how many defensive cells to search");
/// Which evaluation.
pub(crate) const EVALUATION: OptionSpec =
    OptionSpec::choice("eval", &["a", "b", "c", "d", "a-chain", "b-whole", "c-longest"], "d").help(
        "generation of the evaluation: a chains, b windows, c windows and moves, d the final one",
    );
/// Which chains count for a candidate.
pub(crate) const DIRECTIONS: OptionSpec = OptionSpec::choice("directions", &["4", "8"], "4")
    .help("candidates are scored by chains in the document's four directions, or both ways");
const CANDIDATES: OptionSpec =
    OptionSpec::choice("candidates", &["own", "pairs", "near", "genetic"], "near").help(
        "generation of the candidates: ten random cells beside own stones; the ten best pairs of a cell \
         beside an own stone and one beside an opposing one; the best near cells, the final one; or those \
         of the turns that the genetic search bred",
    );
const INVERTED: OptionSpec = OptionSpec::bool("inverted", false)
    .help("a row below the root counts for the wrong player, as the document's listings have it");
/// Weights of generation d.
pub(crate) const WEIGHTS: [OptionSpec; 6] = [
    OptionSpec::float("own", 1.0..=10.0, 2.0).help("d: base for own chains, worth base^length"),
    OptionSpec::float("opposing", 1.0..=10.0, 3.0).help("d: base for opposing chains"),
    OptionSpec::float("own4", 0.0..=1e5, 500.0)
        .help("d: extra for an own stone with k-2 behind it, a chain of k-1"),
    OptionSpec::float("opposing4", 0.0..=1e5, 800.0).help("d: extra against an opposing one"),
    OptionSpec::float("own5", 0.0..=1e5, 2e3)
        .help("d: extra with k-1 behind it: a row that has won, so only genetic:strict asks"),
    OptionSpec::float("opposing5", 0.0..=1e5, 5e3)
        .help("d: extra against an opposing one: never asked"),
];

const OPTIONS: &[OptionSpec] = &[
    DEPTH, WIDTH, DIRECTIONS, CANDIDATES, INVERTED, PARALLEL, EVALUATION, WEIGHTS[0], WEIGHTS[1],
    WEIGHTS[2], WEIGHTS[3], WEIGHTS[4], WEIGHTS[5],
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "minimax over sets of near cells, chains as evaluation",
    source: "document 001, §3",
    options: OPTIONS,
    ..AgentSpec::new("alicante", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let geometry = Position::new(*rules).geometry().clone();
    let search = AlphaBeta {
        depth: Depth::Turns(options.int(DEPTH.name) as u32),
        width: usize::MAX,
        ties: false,
        anew: false,
        parallel: options.bool(PARALLEL.name),
    };
    let near = Near { width: options.int(WIDTH.name) as usize, look: look_of(options), seed };
    let alicante = Alicante {
        evaluation: evaluation_of(geometry, options),
        source: match options.text(CANDIDATES.name) {
            "own" => Source::Own,
            "pairs" => Source::Pairs(match options.text(EVALUATION.name) {
                "c-longest" => Chains::Longest,
                _ => Chains::Last,
            }),
            "genetic" => Source::Bred(Box::new(Breeder::standard(*rules, options, seed))),
            _ => Source::Near,
        },
        near,
        inverted: options.bool(INVERTED.name),
        root: Player::Black,
        root_stones: 0,
        trail: Vec::new(),
        lists: Vec::new(),
    };
    Ok(Box::new(Listed::new(alicante, search, ODDS_SCALE, seed)))
}

/// The value that means odds of e to 1 in reports, a guess: half an own chain of four.
const ODDS_SCALE: f64 = 250.0 * evaluation::POINT as f64;

/// Reads the option of the candidates.
pub(crate) fn look_of(options: &Options) -> Look {
    if options.text(DIRECTIONS.name) == "8" { Look::Eight } else { Look::Four }
}

/// Reads the options of the evaluation.
pub(crate) fn evaluation_of(geometry: Arc<Geometry>, options: &Options) -> Evaluation {
    let generation = match options.text(EVALUATION.name) {
        "a" => Generation::A,
        "a-chain" => Generation::AChain,
        "b" => Generation::B,
        "b-whole" => Generation::BWhole,
        "c" => Generation::C(Chains::Last),
        "c-longest" => Generation::C(Chains::Longest),
        _ => Generation::D(Weights {
            base: [options.float("own"), options.float("opposing")],
            two_short: [options.float("own4"), options.float("opposing4")],
            one_short: [options.float("own5"), options.float("opposing5")],
        }),
    };
    Evaluation::new(geometry, generation)
}

/// Where candidates come from.
#[derive(Clone)]
enum Source {
    /// Ten random cells beside own stones.
    Own,
    /// The ten best pairs.
    Pairs(Chains),
    /// The best near cells.
    Near,
    /// The turns that the genetic search bred.
    Bred(Box<Breeder>),
}

/// The candidates of a turn.
#[derive(Clone)]
enum Listing {
    /// Any of these cells.
    Cells(Vec<Candidate>),
    /// The two stones of one of these pairs.
    Pairs(Vec<Pair>),
}

#[derive(Clone)]
struct Alicante {
    evaluation: Evaluation,
    source: Source,
    near: Near,
    /// Whether a row below the root counts for the wrong player.
    inverted: bool,
    /// Whose turn it is at the root, and its stones left.
    root: Player,
    root_stones: usize,
    /// Stones since the root, with their players.
    trail: Vec<(Cell, Player)>,
    /// The candidates of each turn on the way, with the length of the trail at its start.
    lists: Vec<(usize, Listing)>,
}

impl Alicante {
    /// Where in the trail the turn of this player began.
    fn turn_start(&self, player: Player) -> usize {
        let of_turn = self.trail.iter().rev().take_while(|(_, owner)| *owner == player).count();
        self.trail.len() - of_turn
    }

    /// The candidates of the turn that begins, or goes on, here.
    fn listing(&mut self, position: &Position) -> Listing {
        let Near { width, look, seed } = self.near;
        Listing::Cells(match &mut self.source {
            Source::Near => self.near.candidates(position),
            Source::Own => early::own(position, self.root, look, seed),
            Source::Bred(breeder) => breeder.candidates(position, 2 * width),
            Source::Pairs(chains) => {
                let pairs = early::pairs(position, self.root, look, *chains);
                if !pairs.is_empty() {
                    return Listing::Pairs(pairs);
                }
                // The text knows turns of two stones only.
                if position.stones_left() < 2 {
                    return Listing::Cells(self.near.candidates(position));
                }
                let mut random = Vec::new();
                candidates::top_up(position, seed, &mut random);
                random
            }
        })
    }
}

impl Appraise for Alicante {
    const EVALUATES: bool = true;

    fn load(&mut self, position: &Position) {
        self.evaluation.load(position, position.to_move());
        (self.root, self.root_stones) = (position.to_move(), position.stones_left());
        self.trail.clear();
        self.lists.clear();
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.evaluation.place(cell, player);
        self.trail.push((cell, player));
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        self.evaluation.remove(cell, player);
        self.trail.pop();
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let start = self.turn_start(position.to_move());
        if start == self.trail.len() {
            self.lists.retain(|&(at, _)| at < start);
        }
        // In the middle of a turn: the same cells as at its start.
        let kept = self.lists.iter().find(|&&(at, _)| at == start).map(|(_, kept)| kept);
        match kept {
            Some(Listing::Cells(cells)) => {
                list.extend(cells.iter().filter(|c| position.check(c.cell).is_ok()).copied());
            }
            Some(Listing::Pairs(pairs)) => {
                let first = self.trail.get(start).map(|&(cell, _)| cell);
                list.extend(early::next_of_pairs(pairs, first));
                list.retain(|c| position.check(c.cell).is_ok());
            }
            None => {}
        }
        if list.is_empty() {
            let listing = self.listing(position);
            match &listing {
                Listing::Cells(cells) => list.extend(cells),
                Listing::Pairs(pairs) => list.extend(early::next_of_pairs(pairs, None)),
            }
            if start == self.trail.len() {
                self.lists.push((start, listing));
            }
        }
    }

    fn row(&self, stones: usize) -> Score {
        let row = Score::win(stones);
        if self.inverted && stones > self.root_stones { -row } else { row }
    }

    fn value(&mut self, position: &Position, player: Player) -> Score {
        let start = self.turn_start(player);
        self.evaluation.value(position, player, &self.trail[start..])
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::{Budget, Value};

    use super::*;

    fn turn(spec: &str, game: &str, moves: &[(usize, usize)]) -> Vec<Cell> {
        let rules: Rules = game.parse().expect(game);
        let moves: Vec<Cell> =
            moves.iter().map(|&(x, y)| rules.cell(x, y).expect("on the board")).collect();
        let position = Position::from_moves(rules, &moves).expect("legal");
        let mut agent =
            crate::registry().parse(spec).expect(spec).build(&rules, 1).expect("an agent");
        agent.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn")
    }

    /// Black has four in a row, White two stones elsewhere.
    const FOUR: [(usize, usize); 7] = [(9, 9), (0, 0), (0, 4), (10, 9), (11, 9), (0, 8), (0, 12)];

    /// Chains scored both ways offer the two cells that complete a row. The document's own scores
    /// look forward only: the far end of a chain is worth no more than any other cell, is not
    /// among the best four, and the win at hand is missed whatever the evaluation.
    #[test]
    fn the_row_is_completed_with_candidates_scored_both_ways_and_missed_with_the_documents() {
        let mut moves = FOUR.to_vec();
        moves.extend([(12, 9), (18, 18), (18, 0), (16, 0)]);
        for (directions, completes) in [(8, true), (4, false)] {
            for eval in ["a", "b", "c", "d"] {
                let rules = Rules::CONNECT6;
                let cells: Vec<Cell> =
                    moves.iter().map(|&(x, y)| rules.cell(x, y).expect("on the board")).collect();
                let mut position = Position::from_moves(rules, &cells).expect("legal");
                assert_eq!(position.to_move(), Player::Black);
                let spec = format!("alicante:eval={eval},directions={directions}");
                for cell in turn(&spec, "connect6", &moves) {
                    position.play(cell).expect("legal");
                }
                assert_eq!(position.is_over(), completes, "{spec}\n{position}");
            }
        }
    }

    /// White completes its row at one end or the other, whatever Black does.
    #[test]
    fn an_opposing_row_counts_for_the_wrong_player_if_asked() {
        let rules: Rules = "10x1,k=4".parse().expect("rules");
        // `.OOO.X.X.X` with Black to move, who can block one end of White's three, not both.
        let stones = [5, 1, 7, 2, 9, 3].map(Cell::new);
        let position = Position::from_moves(rules, &stones).expect("legal");
        let value = |spec: &str| {
            let mut agent =
                crate::registry().parse(spec).expect(spec).build(&rules, 1).expect("an agent");
            let mut last = None;
            agent
                .choose(&position, &Budget::default(), &mut |report| {
                    last = report.lines.first().map(|line| line.value);
                })
                .expect("a turn");
            last.expect("a value")
        };
        assert_eq!(value("alicante:directions=8,width=9"), Value::LosesIn(1));
        assert!(!matches!(value("alicante:directions=8,width=9,inverted"), Value::LosesIn(_)));
    }

    /// Every generation of the candidates finishes a game of legal turns.
    #[test]
    fn all_generators_play() {
        for spec in ["alicante:candidates=own", "alicante:candidates=pairs", "alicante:inverted"] {
            for game in ["9x9,k=6,p=2,q=1", "5x5,k=4", "6x5,k=4,p=3,q=2,gravity"] {
                let rules: Rules = game.parse().expect(game);
                let mut agent =
                    crate::registry().parse(spec).expect(spec).build(&rules, 1).expect("an agent");
                let mut position = Position::new(rules);
                while !position.is_over() {
                    let left = position.stones_left();
                    let turn = agent
                        .choose(&position, &Budget::default(), &mut |_| {})
                        .unwrap_or_else(|error| panic!("{spec} {game}: {error}\n{position}"));
                    for cell in &turn {
                        position.play(*cell).expect("legal");
                    }
                    assert!(turn.len() == left || position.is_over(), "{spec} {game}");
                }
            }
        }
    }

    #[test]
    fn threads_give_the_same_turn() {
        let moves = [(9, 9), (10, 10), (8, 8), (9, 10), (9, 8), (7, 7), (10, 8)];
        for eval in ["a", "c", "d"] {
            let one = turn(&format!("alicante:eval={eval}"), "connect6", &moves);
            let many = turn(&format!("alicante:eval={eval},parallel"), "connect6", &moves);
            assert_eq!(one, many);
        }
    }
}
