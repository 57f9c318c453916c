//! The Connect Four players of document 003 (A. Karplus, "A.I. Connect-Four", 2010):
//! `Nply_wineval` and `Nply_fevala|b|c`.
//!
//! They look N discs ahead with minimax, value boards by their fours, fade values by a twentieth
//! with every ply, and choose with equal chance among the columns that come out best. The document
//! searches every line; here the search is pruned and the evaluation incremental, with the same
//! choice of moves ([`plain`] is the document's own search, and the tests compare them).

mod board;
#[cfg(any(test, feature = "studies"))]
pub(crate) mod bytes;
pub(crate) mod decay;
mod evaluation;
mod plain;
mod search;

use collinear_play::{
    Agent, AgentError, AgentSpec, Aliases, Budget, BuildError, Games, Line, OptionSpec, Options,
    Report, Turn, Value,
};
use collinear_rules::{Geometry, Position, Rules};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use board::Board;
use decay::{Unit, faded};
use evaluation::{Evaluation, WIN};
use plain::Plain;
use search::Search;

const EVALUATIONS: [(&str, Evaluation); 5] = [
    ("wineval", Evaluation::WINEVAL),
    ("fevala", Evaluation::FEVALA),
    ("fevalb", Evaluation::FEVALB),
    ("fevalc", Evaluation::FEVALC),
    ("needed", Evaluation::NEEDED),
];

const MAX_PLIES: u32 = 9;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::int("plies", 1..=MAX_PLIES as i64, 5).help("discs to look ahead"),
    OptionSpec::choice(
        "eval",
        &["wineval", "fevala", "fevalb", "fevalc", "needed", "custom"],
        "fevala",
    )
    .help(
        "what a four is worth; needed counts the discs it lacks (always search=plain); \
         custom takes its constants from weights",
    ),
    OptionSpec::choice("decay", &["integer", "real"], "integer")
        .help("values that fade are cut off to whole numbers, or keep their fractions"),
    OptionSpec::choice("search", &["pruned", "plain"], "pruned")
        .help("the same moves much faster, or every line of play as the document does"),
    OptionSpec::text("weights", "0/-3/-2/-1/0/1/2/3")
        .help("blocked/O3/O2/O1/empty/X1/X2/X3 for eval=custom"),
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "minimax a few plies deep, ties broken at random",
    source: "document 003, player functions",
    options: OPTIONS,
    aliases: Some(Aliases {
        pattern: "Nply_wineval, Nply_fevala|b|c, Nply_needed (N = 1…9)",
        expand: expand_alias,
    }),
    games: Games::Only(plays, "Connect Four (gravity, four in a row) up to 16×16"),
    takes_wins: true,
    ..AgentSpec::new("karplus", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let evaluation = match options.text("eval") {
        "custom" => options.text("weights").parse().map_err(BuildError::Other)?,
        name => EVALUATIONS
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, evaluation)| *evaluation)
            .ok_or_else(|| BuildError::Other(format!("there is no evaluation {name:?}")))?,
    };
    Ok(Box::new(Karplus {
        board: Board::new(&Geometry::new(*rules), evaluation),
        evaluation,
        plies: options.int("plies") as u32,
        real: options.text("decay") == "real",
        plain: options.text("search") == "plain" || evaluation.by_moves,
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    }))
}

fn plays(rules: &Rules) -> bool {
    rules.gravity()
        && (rules.k(), rules.p(), rules.q()) == (4, 1, 1)
        && rules.overlines_win()
        && rules.width().max(rules.height()) <= Board::MAX_SIDE
}

/// `5ply_fevala` stands for `plies=5,eval=fevala`.
fn expand_alias(name: &str) -> Option<String> {
    let (plies, evaluation) = name.split_once("ply_")?;
    let known = EVALUATIONS.iter().any(|(known, _)| *known == evaluation);
    let plies = plies.parse::<u32>().ok().filter(|n| plies.len() == 1 && (1..=9).contains(n))?;
    known.then(|| format!("plies={plies},eval={evaluation}"))
}

struct Karplus {
    board: Board,
    evaluation: Evaluation,
    plies: u32,
    real: bool,
    plain: bool,
    rng: Xoshiro256PlusPlus,
}

impl Agent for Karplus {
    /// When the budget ends the search, the best of the moves searched so far is played.
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let meter = budget.start(position.empty_count().div_ceil(2) as u32);
        let plies = budget.depth.map_or(self.plies, |depth| depth.clamp(1, self.plies));
        let unit = if self.real { Unit::real(plies) } else { Unit::INTEGER };
        let bound = self.evaluation.bound(self.board.four_count());
        let (best, nodes) = if self.plain {
            let mut plain = Plain::new(&self.evaluation, unit, &meter);
            (plain.best(position, plies), plain.nodes())
        } else {
            let last = if plies % 2 == 1 { position.to_move() } else { !position.to_move() };
            self.board.set(position, last);
            let mut search = Search::new(&mut self.board, bound, unit, &meter);
            (search.best(plies), search.nodes())
        };
        let fallback = position.legal_cells();
        let cells = if best.cells.is_empty() { &fallback } else { &best.cells };
        let &cell = cells.choose(&mut self.rng).ok_or(AgentError::GameOver)?;
        on(&Report {
            depth: plies,
            nodes,
            elapsed: meter.elapsed(),
            lines: vec![Line { value: shown(best.value, unit, bound), stones: vec![cell] }],
            note: None,
        });
        Ok(vec![cell])
    }
}

/// The value as others understand it. A win or loss within the plies is proved when no evaluation
/// can be mistaken for one; the rest is a picture of the value, not a calibrated chance.
fn shown(value: i64, unit: Unit, bound: i64) -> Value {
    let mut faded_win = unit.leaf(WIN);
    for ply in 1..=MAX_PLIES as u16 {
        if faded_win > unit.leaf(bound) && value.abs() == faded_win {
            let turns = ply.div_ceil(2);
            return if value > 0 { Value::WinsIn(turns) } else { Value::LosesIn(ply / 2) };
        }
        faded_win = faded(faded_win);
    }
    let typical = (bound as f64 / 20.0).max(1.0);
    Value::Chance((1.0 / (1.0 + (-unit.shown(value) / typical).exp())) as f32)
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Outcome, Player};

    use super::*;
    use crate::registry;

    /// The moves of a game between two agents with these seeds.
    fn game(agents: [&str; 2], seeds: [u64; 2]) -> Vec<collinear_rules::Cell> {
        let mut players = [0, 1].map(|n| {
            let choice = registry().parse(agents[n]).expect(agents[n]);
            choice.build(&Rules::CONNECT4, seeds[n]).expect("builds")
        });
        let mut position = Position::new(Rules::CONNECT4);
        while !position.is_over() {
            let player = &mut players[position.to_move().index()];
            let turn = player.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn");
            position.play(turn[0]).expect("legal");
        }
        position.history().to_vec()
    }

    #[test]
    fn the_same_seed_plays_the_same_game_with_either_search() {
        for (n, name) in
            ["2ply_wineval", "3ply_fevala", "2ply_fevalb", "3ply_fevalc"].iter().enumerate()
        {
            for seed in 0..5 {
                let seeds = [seed, seed + 100 + n as u64];
                let plain = format!("{name}:search=plain");
                assert_eq!(game([name, name], seeds), game([&plain, &plain], seeds), "{name}");
            }
        }
    }

    /// Wins of the first player plus half the draws in 1000 games.
    fn score(first: &str, second: &str) -> f64 {
        let result = |seed: u64| {
            let moves = game([first, second], [2 * seed, 2 * seed + 1]);
            match Position::from_moves(Rules::CONNECT4, &moves).expect("legal").outcome() {
                Outcome::Won(Player::Black) => 1.0,
                Outcome::Won(Player::White) => 0.0,
                _ => 0.5,
            }
        };
        (0..1000).map(result).sum()
    }

    /// Document 003, "X moves first": wins of X plus half the draws of 1000 games. Two such
    /// numbers of equal players differ by 22 (one standard deviation) at most.
    #[test]
    fn printed_scores_come_out() {
        for (first, second, printed) in [
            ("3ply_fevala", "3ply_fevala", 775.0),
            ("2ply_fevala", "2ply_fevala", 418.5),
            ("1ply_fevala", "3ply_fevala", 400.5),
            ("3ply_wineval", "1ply_fevala", 505.0),
            ("2ply_wineval", "3ply_wineval", 361.5),
        ] {
            let score = score(first, second);
            assert!((score - printed).abs() < 66.0, "{first} {second}: {score}, printed {printed}");
        }
    }

    #[test]
    fn without_the_cut_to_whole_numbers_they_do_not() {
        let player = "3ply_fevala:decay=real";
        assert!(score(player, player) > 990.0);
    }

    #[test]
    fn literal_names_are_aliases_and_take_further_options() {
        let registry = registry();
        for (name, long) in [
            ("1ply_wineval", "karplus:plies=1,eval=wineval"),
            ("9ply_fevalc", "karplus:plies=9,eval=fevalc"),
            ("4ply_fevalb:decay=real", "karplus:plies=4,eval=fevalb,decay=real"),
        ] {
            let (short, long) = (registry.parse(name).expect(name), registry.parse(long));
            assert_eq!(short.options, long.expect("parses").options, "{name}");
        }
        for name in ["0ply_fevala", "10ply_fevala", "+1ply_fevala", "5ply_custom", "ply_wineval"] {
            let refusal = registry.parse(name).expect_err(name).to_string();
            assert!(refusal.contains("Nply_wineval"), "{refusal}");
        }
    }

    #[test]
    fn a_proved_win_is_reported_as_one() {
        // Black has three in the bottom row, both ends open, and it is White's turn.
        let moves = [2, 2, 3, 3, 4];
        let mut position = Position::new(Rules::CONNECT4);
        for column in moves {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        for name in ["4ply_wineval", "5ply_fevala", "6ply_fevalb"] {
            let mut reported = None;
            let choice = registry().parse(name).expect(name);
            let mut agent = choice.build(&Rules::CONNECT4, 1).expect("builds");
            let mut on = |report: &Report| reported = report.lines.first().map(|line| line.value);
            agent.choose(&position, &Budget::default(), &mut on).expect("a turn");
            assert_eq!(reported, Some(Value::LosesIn(1)), "{name}");
        }
    }

    #[test]
    fn other_games_and_bad_constants_are_refused() {
        let registry = registry();
        let choice = registry.parse("karplus").expect("parses");
        for rules in ["connect6", "7x6,k=5,gravity", "17x6,k=4,gravity", "7x6,k=4"] {
            assert!(choice.build(&rules.parse().expect(rules), 0).is_err(), "{rules}");
        }
        let choice = registry.parse("karplus:eval=custom,weights=1/2").expect("parses");
        let refusal = choice.build(&Rules::CONNECT4, 0).err().expect("refused").to_string();
        assert!(refusal.contains("eight whole numbers"), "{refusal}");
    }
}
