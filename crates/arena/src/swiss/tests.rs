//! Swiss tournaments against plain facts, and against trying every round there is.

use std::collections::BTreeSet;

use collinear_play::Reason;
use proptest::prelude::*;

use super::*;
use crate::game::Side;
use crate::plan::{FirstMove, Pairings};

/// A tournament whose results are thrown.
struct Thrown {
    players: usize,
    schedule: Schedule,
    seed: u64,
    games: Vec<GameSummary>,
}

impl Thrown {
    fn new(players: usize, games: u64, rounds: u64, seed: u64) -> Self {
        let format = Pairings::Swiss { games };
        let schedule = Schedule::new(players, format, FirstMove::Alternating, rounds, seed);
        Self { players, schedule, seed, games: Vec::new() }
    }

    fn drawn(&self) -> Option<(u64, Drawn)> {
        Swiss::next(self.players, &self.schedule, self.seed, &self.games)
    }

    /// Plays a round; the results come from `throw`, the order of the games from `backwards`.
    fn play(&mut self, throw: &mut impl FnMut() -> u8, backwards: bool) -> Option<(u64, Drawn)> {
        let (stage, drawn) = self.drawn()?;
        let mut numbers: Vec<u64> = self.schedule.stage(stage).collect();
        if backwards {
            numbers.reverse();
        }
        for number in numbers {
            let fixture = self.schedule.fixture(number, &drawn.meetings).expect("a game");
            let winner = [Some(Player::White), None, Some(Player::Black)][usize::from(throw() % 3)];
            self.games.push(GameSummary {
                number,
                pair: fixture.pair,
                black: fixture.black,
                white: fixture.white,
                winner,
                reason: Reason::Row,
                sides: [Side::default(); 2],
                key: number,
            });
            // What is under way changes nothing in what was drawn.
            let now = self.drawn();
            assert!(now.is_none_or(|(at, now)| at > stage || now == drawn));
        }
        Some((stage, drawn))
    }

    /// How often two have met, counted game by game.
    fn met(&self, a: usize, b: usize) -> usize {
        let together = |game: &&GameSummary| {
            [game.black, game.white] == [a, b] || [game.black, game.white] == [b, a]
        };
        let rounds: BTreeSet<u64> = self
            .games
            .iter()
            .filter(together)
            .map(|game| self.schedule.stage_of(game.number))
            .collect();
        rounds.len()
    }

    /// Whether some round exists in which nobody meets anybody for more than the `most`th time and
    /// this one, if anybody, has the bye: by trying all of them.
    fn round_exists(&self, most: usize, bye: Option<usize>) -> bool {
        let mut free: Vec<usize> = (0..self.players).filter(|&p| Some(p) != bye).collect();
        self.can_pair(&mut free, most)
    }

    fn can_pair(&self, free: &mut Vec<usize>, most: usize) -> bool {
        let Some(a) = free.pop() else { return true };
        for at in 0..free.len() {
            let b = free.remove(at);
            let possible = self.met(a, b) < most && self.can_pair(free, most);
            free.insert(at, b);
            if possible {
                free.push(a);
                return true;
            }
        }
        free.push(a);
        false
    }

    fn byes(&self, rounds: &[Drawn]) -> Vec<usize> {
        let byes = |player| rounds.iter().filter(|round| round.bye == Some(player)).count();
        (0..self.players).map(byes).collect()
    }
}

fn thrower(seed: u64) -> impl FnMut() -> u8 {
    let mut state = seed;
    move || {
        state = collinear_rules::hash::mix(state);
        (state >> 20) as u8
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_round_keeps_the_plain_facts(
        players in 2_usize..10,
        games in 1_u64..4,
        rounds in 1_u64..10,
        seed: u64,
    ) {
        let mut cup = Thrown::new(players, games, rounds, seed);
        let mut throw = thrower(seed ^ 5);
        let mut played: Vec<Drawn> = Vec::new();
        while let Some((_, next)) = cup.drawn() {
            // Everybody plays once, or has the only bye.
            let mut seen: Vec<usize> =
                next.meetings.iter().flat_map(|&(a, b)| [a, b]).chain(next.bye).collect();
            seen.sort_unstable();
            prop_assert_eq!(seen, (0..players).collect::<Vec<_>>());
            prop_assert_eq!(next.bye.is_some(), players % 2 == 1);
            // Nobody has a second bye before everybody had one.
            let before = cup.byes(&played);
            let fewest = before.iter().min().copied().unwrap_or(0);
            prop_assert!(next.bye.is_none_or(|player| before[player] == fewest));
            // Nobody meets anybody again as long as any round does without.
            let again = next.meetings.iter().map(|&(a, b)| cup.met(a, b)).max().unwrap_or(0);
            if again > 0 {
                let due = (0..players).filter(|&player| before[player] == fewest).map(Some);
                let due: Vec<_> = if players % 2 == 1 { due.collect() } else { vec![None] };
                prop_assert!(due.into_iter().all(|bye| !cup.round_exists(again, bye)));
            }
            // Black has who had Black less often.
            let blacks = |player| -> i64 {
                cup.games.iter().map(|game| {
                    i64::from(game.black == player) - i64::from(game.white == player)
                }).sum()
            };
            prop_assert!(next.meetings.iter().all(|&(a, b)| blacks(a) <= blacks(b)));
            cup.play(&mut throw, seed % 2 == 0);
            played.push(next);
        }
        prop_assert_eq!(played.len() as u64, rounds);
        prop_assert_eq!(cup.games.len() as u64, cup.schedule.len());
    }

    #[test]
    fn the_order_of_the_games_does_not_matter(players in 2_usize..12, seed: u64) {
        let (mut one, mut other) =
            (Thrown::new(players, 1, 5, seed), Thrown::new(players, 1, 5, seed));
        // The result of a game follows from its number.
        while let Some((_, drawn)) = one.drawn() {
            prop_assert_eq!(other.drawn().map(|(_, drawn)| drawn), Some(drawn));
            for (cup, backwards) in [(&mut one, false), (&mut other, true)] {
                let before = cup.games.len();
                cup.play(&mut || 0, backwards);
                for game in &mut cup.games[before..] {
                    let side = collinear_rules::hash::mix(game.number ^ seed) % 2;
                    game.winner = Some(Player::BOTH[side as usize]);
                }
            }
        }
    }

    #[test]
    fn points_and_buchholz_are_those_of_plain_counting(
        players in 2_usize..9,
        games in 1_u64..4,
        seed: u64,
    ) {
        let mut cup = Thrown::new(players, games, 4, seed);
        let mut throw = thrower(seed);
        let mut played = Vec::new();
        while let Some((_, drawn)) = cup.play(&mut throw, false) {
            played.push(drawn);
        }
        let table = Swiss::new(players, &cup.schedule, seed, &cup.games);
        prop_assert_eq!(table.rounds.len(), 4);
        let byes = cup.byes(&played);
        let points: Vec<f64> = (0..players).map(|player| {
            let won: f64 = cup.games.iter().map(|game| {
                let black = f64::from(game.half_points()) / 2.0;
                f64::from(u8::from(game.black == player)) * black
                    + f64::from(u8::from(game.white == player)) * (1.0 - black)
            }).sum();
            won + (byes[player] as u64 * games) as f64
        }).collect();
        for place in &table.places {
            let player = place.player;
            prop_assert_eq!(place.points, points[player]);
            prop_assert_eq!(place.byes, byes[player] as u64);
            let met: f64 = (0..players).map(|other| cup.met(player, other) as f64 * points[other]).sum();
            prop_assert_eq!(place.buchholz, met + byes[player] as f64 * points[player]);
        }
        for pair in table.places.windows(2) {
            prop_assert!((pair[0].points, pair[0].buchholz) >= (pair[1].points, pair[1].buchholz));
        }
        for (round, drawn) in table.rounds.iter().zip(&played) {
            prop_assert_eq!(round.bye, drawn.bye);
            let met: BTreeSet<_> = round.meetings.iter().map(|m| (m.players[0], m.players[1])).collect();
            prop_assert_eq!(met, drawn.meetings.iter().copied().collect::<BTreeSet<_>>());
            prop_assert!(round.meetings.iter().all(|m| m.games == games
                && m.points[0] + m.points[1] == games as f64));
        }
    }
}

/// Who wins all games meets who has won all games: after the usual number of rounds one is left.
#[test]
fn the_strongest_is_alone_at_the_top() {
    for players in [8, 16, 64] {
        let rounds = u64::from((players as u32).ilog2());
        let mut cup = Thrown::new(players, 2, rounds, 7);
        while let Some((_, _)) = cup.drawn() {
            let before = cup.games.len();
            cup.play(&mut || 0, false);
            for game in &mut cup.games[before..] {
                // The smaller index is the stronger.
                let black = game.black < game.white;
                game.winner = Some(if black { Player::Black } else { Player::White });
            }
        }
        let table = Swiss::new(players, &cup.schedule, 7, &cup.games);
        assert_eq!((table.places[0].player, table.places[0].points), (0, 2.0 * rounds as f64));
        assert!(table.places[1].points < 2.0 * rounds as f64);
    }
}

#[test]
fn many_players_are_paired_for_many_rounds() {
    let mut cup = Thrown::new(101, 1, 12, 3);
    let mut throw = thrower(9);
    while cup.play(&mut throw, false).is_some() {}
    assert!((0..101).all(|a| (0..a).all(|b| cup.met(a, b) <= 1)));
    // Colours stay near the balance.
    for player in 0..101 {
        let count = |black: bool| {
            cup.games
                .iter()
                .filter(|g| if black { g.black == player } else { g.white == player })
                .count()
        };
        assert!(count(true).abs_diff(count(false)) <= 3, "player {player}");
    }
}
