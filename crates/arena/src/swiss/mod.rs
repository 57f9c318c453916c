//! Swiss tournaments: everybody plays in every round, against somebody with about the same score whom
//! they have not met. Nothing but the games is kept; rounds, byes and the table follow from them.

mod draw;
mod matching;

use std::collections::BTreeMap;

use collinear_rules::Player;
use serde::Serialize;

pub(crate) use draw::Drawn;

use crate::game::GameSummary;
use crate::plan::Schedule;

/// How somebody stands before a round.
#[derive(Clone, Debug, Default)]
struct Record {
    /// Twice the points; a bye counts as if every game had been won.
    half_points: u64,
    byes: u64,
    /// How much more often Black than White.
    blacks: i64,
    /// The colour of the last game.
    last: Option<Player>,
    /// Rounds against each of the others.
    met: Vec<u64>,
}

/// A Swiss tournament as far as it has been played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Swiss {
    /// The rounds so far, that under way included.
    pub rounds: Vec<SwissRound>,
    /// The table, best first.
    pub places: Vec<SwissPlace>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SwissRound {
    /// Who met whom.
    pub meetings: Vec<Meeting>,
    /// Who had a bye.
    pub bye: Option<usize>,
}

/// Two players in a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Meeting {
    /// Indices of the two; the first had Black in the first game.
    pub players: [usize; 2],
    /// Their points.
    pub points: [f64; 2],
    /// Games played so far.
    pub games: u64,
}

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SwissPlace {
    /// Index of the contestant.
    pub player: usize,
    /// Points; a bye counts as if every game had been won.
    pub points: f64,
    /// Buchholz: the points of the opponents, added up. A bye counts as an opponent with one's own.
    pub buchholz: f64,
    /// Rounds without an opponent.
    pub byes: u64,
}

impl Swiss {
    /// The tournament of these games. Those that the schedule does not have are left out.
    pub fn new(players: usize, schedule: &Schedule, seed: u64, games: &[GameSummary]) -> Self {
        let by_round = by_round(players, schedule, games);
        let (mut records, mut rounds) = (start(players), Vec::new());
        for round in 0..schedule.stages() {
            let games = by_round.get(&round).map_or(&[][..], Vec::as_slice);
            let complete = games.len() as u64 == schedule.stage_len();
            if complete {
                rounds.push(SwissRound::played(players, games));
            } else {
                rounds.push(SwissRound::open(draw::draw(&records, round, seed), games));
            }
            enter(&mut records, schedule, games, complete);
            if !complete {
                break;
            }
        }
        let places = places(&records, &rounds);
        Self { rounds, places }
    }

    /// The round to be played next, and its number from 0; none when all have been played.
    pub(crate) fn next(
        players: usize,
        schedule: &Schedule,
        seed: u64,
        games: &[GameSummary],
    ) -> Option<(u64, Drawn)> {
        let by_round = by_round(players, schedule, games);
        let mut records = start(players);
        for round in 0..schedule.stages() {
            let games = by_round.get(&round).map_or(&[][..], Vec::as_slice);
            if games.len() as u64 != schedule.stage_len() {
                return Some((round, draw::draw(&records, round, seed)));
            }
            enter(&mut records, schedule, games, true);
        }
        None
    }
}

impl SwissRound {
    fn open(drawn: Drawn, games: &[&GameSummary]) -> Self {
        let meetings = drawn.meetings.into_iter().map(|(a, b)| Meeting::of([a, b], games));
        Self { meetings: meetings.collect(), bye: drawn.bye }
    }

    /// A round whose games are all there. A file that was tampered with may have others than were
    /// drawn: what was played counts.
    fn played(players: usize, games: &[&GameSummary]) -> Self {
        let mut meetings: Vec<Meeting> = Vec::new();
        let mut idle = vec![true; players];
        for game in games {
            let pair = [game.black, game.white];
            if !meetings.iter().any(|m| m.players == pair || m.players == [pair[1], pair[0]]) {
                meetings.push(Meeting::of(pair, games));
            }
            (idle[game.black], idle[game.white]) = (false, false);
        }
        Self { meetings, bye: idle.iter().position(|&idle| idle).filter(|_| players % 2 == 1) }
    }
}

impl Meeting {
    fn of(players: [usize; 2], games: &[&GameSummary]) -> Self {
        let mut meeting = Self { players, points: [0.0; 2], games: 0 };
        for game in games {
            let swapped = [game.white, game.black] == players;
            if swapped || [game.black, game.white] == players {
                let black = f64::from(game.half_points()) / 2.0;
                meeting.points[usize::from(swapped)] += black;
                meeting.points[usize::from(!swapped)] += 1.0 - black;
                meeting.games += 1;
            }
        }
        meeting
    }
}

fn start(players: usize) -> Vec<Record> {
    vec![Record { met: vec![0; players], ..Record::default() }; players]
}

fn by_round<'a>(
    players: usize,
    schedule: &Schedule,
    games: &'a [GameSummary],
) -> BTreeMap<u64, Vec<&'a GameSummary>> {
    let mut rounds: BTreeMap<u64, Vec<&GameSummary>> = BTreeMap::new();
    for game in games {
        let is_ours = schedule.contains(game.number)
            && game.black < players
            && game.white < players
            && game.black != game.white;
        if is_ours {
            rounds.entry(schedule.stage_of(game.number)).or_default().push(game);
        }
    }
    rounds
}

/// Counts a round; the bye of one that is complete.
fn enter(records: &mut [Record], schedule: &Schedule, games: &[&GameSummary], complete: bool) {
    let mut opponents: Vec<Option<usize>> = vec![None; records.len()];
    for game in games {
        let half_points = u64::from(game.half_points());
        let sides =
            [(game.black, game.white, half_points), (game.white, game.black, 2 - half_points)];
        for ((me, other, points), player) in sides.into_iter().zip(Player::BOTH) {
            let record = &mut records[me];
            record.half_points += points;
            record.blacks += if player == Player::Black { 1 } else { -1 };
            record.last = Some(player);
            opponents[me] = Some(other);
        }
    }
    for (me, opponent) in opponents.into_iter().enumerate() {
        match opponent {
            Some(other) => records[me].met[other] += 1,
            None if complete => {
                records[me].byes += 1;
                records[me].half_points += 2 * schedule.games_of_a_meeting();
            }
            None => {}
        }
    }
}

/// The table: points, then Buchholz, then the order of the plan.
fn places(records: &[Record], rounds: &[SwissRound]) -> Vec<SwissPlace> {
    let points = |player: usize| records[player].half_points as f64 / 2.0;
    let mut places: Vec<SwissPlace> = records
        .iter()
        .enumerate()
        .map(|(player, record)| {
            let met = rounds.iter().flat_map(|round| &round.meetings).filter(|m| m.games > 0);
            let others = met.filter_map(|meeting| match meeting.players {
                [a, b] if a == player => Some(points(b)),
                [a, b] if b == player => Some(points(a)),
                _ => None,
            });
            let buchholz = others.sum::<f64>() + record.byes as f64 * points(player);
            SwissPlace { player, points: points(player), buchholz, byes: record.byes }
        })
        .collect();
    places.sort_by(|a, b| {
        b.points
            .total_cmp(&a.points)
            .then(b.buchholz.total_cmp(&a.buchholz))
            .then(a.player.cmp(&b.player))
    });
    places
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "points are halves, which are exact")]
mod tests;
