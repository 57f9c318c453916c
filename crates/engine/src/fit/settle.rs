//! Results by proof. The network's games are quick: a win is often there long before it is played, and
//! sometimes it is thrown away, and then the result teaches the wrong thing. A settled game ends where
//! alpha-beta first proves who wins.

use std::sync::atomic::{AtomicUsize, Ordering};

use collinear_play::{Budget, StopFlag, Value};
use collinear_rules::{Position, Rules};

use super::games::{SearchedGame, StoneThought};
use super::records::Origin;
use crate::{Engine, Searcher, Settings, Weights};

/// Table of an engine that settles games, in mebibytes: small, since there are many.
const MEMORY: usize = 2;

/// All that settled games follow from, apart from the games themselves.
pub fn settled_origin(rules: &Rules, nodes: u64, source: &Origin) -> Origin {
    Origin::new(rules, "fit settle")
        .with("nodes", nodes)
        .with("weights", Weights::for_rules(rules).checksum(rules.p()))
        .of(source)
}

/// Settles these games, in parallel, with `nodes` for each of their turns; each follows from
/// itself alone. Once stopped, those begun are finished.
pub fn settle_games(
    rules: &Rules,
    nodes: u64,
    games: &[&SearchedGame],
    stop: &StopFlag,
    done: &(dyn Fn(SearchedGame) + Sync),
) {
    let next = AtomicUsize::new(0);
    rayon::broadcast(|_| {
        let settings =
            Settings { memory: MEMORY, searcher: Searcher::AlphaBeta, ..Settings::default() };
        let mut engine = Engine::new(rules, settings, 0);
        while !stop.is_stopped() {
            let Some(game) = games.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
            done(settle(&mut engine, nodes, game));
        }
    });
}

/// The game up to the first turn at which the engine proves who wins: a proved win is played there.
fn settle(engine: &mut Engine, nodes: u64, game: &SearchedGame) -> SearchedGame {
    engine.clear();
    let mut position = Position::new(*engine.rules());
    for (at, &cell) in game.stones.iter().enumerate() {
        let asks = at >= game.opening && position.stones_left() == position.rules().p();
        if asks && let Some(settled) = settled(engine, nodes, game, &position) {
            return settled;
        }
        // The reader replayed every game.
        let _ = position.play(cell);
    }
    game.clone()
}

/// The game that ends at a position of it, if the engine proves who wins there.
fn settled(
    engine: &mut Engine,
    nodes: u64,
    game: &SearchedGame,
    position: &Position,
) -> Option<SearchedGame> {
    let thought = engine.think(position, &Budget::nodes(nodes), &mut |_| {}).ok()?;
    let at = position.stone_count();
    let mover = position.to_move();
    let mut settled = game.clone();
    match thought.report.lines.first()?.value {
        Value::WinsIn(_) => {
            settled.stones.truncate(at);
            settled.thoughts.truncate(at - game.opening);
            for (placed, &cell) in thought.turn.iter().enumerate() {
                settled.stones.push(cell);
                settled.thoughts.push(StoneThought::of_stones(&thought.turn[placed..], i16::MAX));
            }
            settled.winner = Some(mover);
        }
        Value::LosesIn(_) => {
            let end = (at + position.stones_left()).min(game.stones.len());
            settled.stones.truncate(end);
            settled.thoughts.truncate(end - game.opening);
            settled.thoughts[at - game.opening..]
                .iter_mut()
                .for_each(|thought| thought.value = -i16::MAX);
            settled.winner = Some(!mover);
        }
        Value::Draw | Value::Chance(_) => return None,
    }
    Some(settled)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use collinear_rules::{Player, notation};

    /// A game in which every stone after the opening was thought about a little.
    fn game(rules: &Rules, stones: &str, opening: usize, winner: Player) -> SearchedGame {
        let stones: Vec<_> =
            stones.split(' ').map(|name| notation::parse(rules, name).expect("a cell")).collect();
        let thoughts =
            stones[opening..].iter().map(|&cell| StoneThought::of_stones(&[cell], 5)).collect();
        SearchedGame { number: 7, stones, opening, winner: Some(winner), thoughts }
    }

    fn settled(rules: &Rules, game: &SearchedGame) -> SearchedGame {
        let done = Mutex::new(Vec::new());
        settle_games(rules, 2000, &[game], &StopFlag::default(), &|game| {
            done.lock().expect("whole").push(game);
        });
        done.into_inner().expect("whole").pop().expect("one game")
    }

    #[test]
    fn a_win_that_was_thrown_away_counts() {
        let rules = Rules::GOMOKU;
        // Black has an open three and plays elsewhere; White wins.
        let thrown = "h8 a1 i8 a3 j8 c1 o15 h9 m14 i9 o12 j9 m12 k9 o10 l9";
        let given = game(&rules, thrown, 2, Player::White);
        let end = settled(&rules, &given);
        assert_eq!(end.winner, Some(Player::Black));
        assert!(end.stones.len() <= 7, "{end:?}");
        assert_eq!(end.stones.len() - end.opening, end.thoughts.len());
        let last = end.thoughts.last().expect("a thought");
        let played = *end.stones.last().expect("a stone");
        assert_eq!((last.value, last.looks[0].0), (i16::MAX, played));
        // Before the end nothing was touched.
        let before = end.stones.len() - 1;
        assert_eq!(end.stones[..before], given.stones[..before]);
        assert_eq!(settled(&rules, &end), end);
    }

    #[test]
    fn a_loss_ends_a_game_of_two_stones_per_turn() {
        let rules = Rules::CONNECT6;
        // White has four in an open row and plays beside it: Black has to lose.
        let lost = "a1 h8 i8 s1 s3 j8 k8 l10 l9 a19 a17 h9 i9";
        let end = settled(&rules, &game(&rules, lost, 1, Player::Black));
        assert_eq!(end.winner, Some(Player::White));
        assert_eq!(end.stones.len() - end.opening, end.thoughts.len());
        Position::from_moves(rules, &end.stones).expect("legal");
    }

    #[test]
    fn an_open_game_stays_as_it_is() {
        let rules = Rules::GOMOKU;
        let open = game(&rules, "h8 h9 g7 i9", 1, Player::Black);
        assert_eq!(settled(&rules, &open), open);
    }
}
