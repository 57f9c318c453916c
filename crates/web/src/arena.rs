//! The arena view: what the file of results says, any of its games to replay, and the reports kept
//! beside it.

use std::path::{Path, PathBuf};

use collinear_arena::report::{Card, CardFile, ReportStore, run_page};
use collinear_arena::stats::Tally;
use collinear_arena::{GameSummary, LiveGame, Meeting, RunRow, Standings, Store, Swiss};
use collinear_play::Game;
use collinear_room::wire::{
    LiveBoard, MeetingView, ReportFile, ReportInfo, RunGame, RunInfo, RunPlayer, RunPoint,
    RunScore, RunView, SwissPlaceView, SwissRoundView, SwissView, Timing,
};
use collinear_room::{PageGame, ReplayOf, check_sides, control, rules_name};
use collinear_rules::{Position, Rules};

use crate::matches::Matches;

/// The most runs that are listed.
const MAX_RUNS: usize = 500;
/// The most reports that are listed.
const MAX_REPORTS: usize = 200;
/// The most games of a run that are listed, the latest ones.
const MAX_GAMES: usize = 300;
/// Points of a plot: more than its pixels show nothing more.
const PLOT_POINTS: usize = 120;

/// What agents may think when somebody plays on from a replay.
const REPLAY_TIMING: Timing = Timing::Turn { ms: 1000 };

/// The file of results, opened anew for every question: it may appear, or be replaced, any time.
#[derive(Clone)]
pub(crate) struct Arena {
    pub(crate) results: PathBuf,
    /// Those that are being played here.
    pub(crate) matches: Matches,
}

impl Arena {
    fn store(&self) -> Result<Option<Store>, String> {
        if !Path::is_file(&self.results) {
            return Ok(None);
        }
        Store::look_into(&self.results).map(Some).map_err(|error| error.to_string())
    }

    /// All runs, the latest first; none when nothing was ever played.
    pub(crate) fn runs(&self) -> Result<Vec<RunInfo>, String> {
        let Some(store) = self.store()? else { return Ok(Vec::new()) };
        let runs = store.runs().map_err(|error| error.to_string())?;
        Ok(runs.iter().take(MAX_RUNS).map(|row| self.info(row)).collect())
    }

    fn run_row(&self, id: &str) -> Result<(Store, RunRow), String> {
        let gone = || "this run is not in the file of results any more".to_owned();
        let store = self.store()?.ok_or_else(gone)?;
        let row = store.run(id).map_err(|error| error.to_string())?.ok_or_else(gone)?;
        Ok((store, row))
    }

    /// One run in detail, unless it is as the page knows it.
    pub(crate) fn run(&self, id: &str, known: Option<&RunInfo>) -> Result<Option<RunView>, String> {
        let (store, row) = self.run_row(id)?;
        if known == Some(&self.info(&row)) {
            return Ok(None);
        }
        let labels = row.labels();
        let mut games = store.summaries(id).map_err(|error| error.to_string())?;
        // A tampered file must not bring the server down.
        games.retain(|game| game.black < labels.len() && game.white < labels.len());
        let standings = Standings::new(&labels, &games);
        let order = standings.ranking();
        let between = |row: usize, column: usize| {
            score(standings.crosstable.between(order[row], order[column]))
        };
        let count = order.len();
        Ok(Some(RunView {
            run: self.info(&row),
            players: order.iter().map(|&at| player(&standings.players[at])).collect(),
            crosstable: (0..count)
                .map(|row| (0..count).map(|column| between(row, column)).collect())
                .collect(),
            first_mover: score(standings.first_movers),
            endings: standings
                .endings
                .iter()
                .map(|(reason, games)| (*reason, *games as u32))
                .collect(),
            history: history(&games, &order),
            games: games.iter().rev().take(MAX_GAMES).map(|game| listed(game, &labels)).collect(),
            swiss: row.swiss(&games).map(|swiss| swiss_view(&swiss, &labels)),
        }))
    }

    fn info(&self, row: &RunRow) -> RunInfo {
        RunInfo {
            id: row.id.clone(),
            name: row.name.clone(),
            started: row.started.clone(),
            rules: row.parsed_rules().map_or_else(|| row.rules.clone(), |rules| rules_name(&rules)),
            labels: row.labels(),
            games: row.games as u32,
            planned: row.planned.map(|games| games as u32),
            finished: row.is_finished(),
            playing: self.matches.plays(&row.id),
        }
    }

    /// The boards of the games of a run that are being played here.
    pub(crate) fn live(&self, id: &str) -> Result<Vec<LiveBoard>, String> {
        let games = self.matches.live(id);
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let (_, row) = self.run_row(id)?;
        let rules = row.parsed_rules().ok_or("the run's rules cannot be read")?;
        let labels = row.labels();
        Ok(games.iter().map(|game| live_board(game, &rules, &labels)).collect())
    }

    /// A run as one page to share, with everything in it, and the name of a file for it.
    pub(crate) fn run_report(&self, id: &str) -> Result<(String, String), String> {
        let (store, row) = self.run_row(id)?;
        let mut games = store.summaries(id).map_err(|error| error.to_string())?;
        let players = row.labels().len();
        games.retain(|game| game.black < players && game.white < players);
        let page = run_page(&row, &games, &store).map_err(|error| error.to_string())?;
        Ok((format!("collinear-{}-{id}.html", row.name), page))
    }

    fn kept_reports(&self) -> ReportStore {
        ReportStore::beside(&self.results)
    }

    /// All reports, the latest first.
    pub(crate) fn reports(&self) -> Vec<ReportInfo> {
        self.kept_reports().cards().into_iter().take(MAX_REPORTS).map(report).collect()
    }

    /// A file of a report, with the type a browser needs; nothing else is ever read.
    pub(crate) fn report_file(&self, report: &str, file: &str) -> Option<(&'static str, String)> {
        let kind = match Path::new(file).extension()?.to_str()? {
            "svg" => "image/svg+xml",
            "html" => "text/html; charset=utf-8",
            "csv" => "text/csv; charset=utf-8",
            _ => return None,
        };
        Some((kind, self.kept_reports().read(report, file)?))
    }

    /// A game of a run, to look at.
    pub(crate) fn replay(&self, id: &str, number: u32, seed: u64) -> Result<PageGame, String> {
        let (store, row) = self.run_row(id)?;
        let rules = row.parsed_rules().ok_or("the run's rules cannot be read")?;
        check_sides(rules.width() as u32, rules.height() as u32)
            .map_err(|error| error.to_string())?;
        let found = store.game(&row, u64::from(number)).map_err(|error| error.to_string())?;
        let played = found.ok_or("this game is not in the file of results any more")?;
        let mut model = Game::new(rules).with_controls([control(REPLAY_TIMING); 2]);
        for cell in played.record.moves() {
            model.play(cell).map_err(|error| error.to_string())?;
        }
        let labels = row.labels();
        let label = |at: usize| labels.get(at).cloned();
        model.names = [label(played.summary.black), label(played.summary.white)];
        let mut note = |key: &str, value: String| model.metadata.insert(key.to_owned(), value);
        note("event", format!("{} {}, game {}", row.name, rules_name(&rules), number + 1));
        note("result", format!("{}, {}", played.summary.result_name(), played.summary.reason));
        let mut game = PageGame::new(model, seed);
        game.replay = Some(ReplayOf { run: id.to_owned(), number });
        Ok(game)
    }
}

fn live_board(game: &LiveGame, rules: &Rules, labels: &[String]) -> LiveBoard {
    let mut position = Position::new(*rules);
    let mut cells = [Vec::new(), Vec::new()];
    for &cell in &game.stones {
        let player = position.to_move();
        if position.play(cell).is_ok() {
            cells[player.index()].push(cell.index() as u16);
        }
    }
    let label = |at: usize| labels.get(at).cloned().unwrap_or_default();
    LiveBoard {
        number: game.number as u32,
        black: label(game.black),
        white: label(game.white),
        size: [rules.width() as u32, rules.height() as u32],
        gravity: rules.gravity(),
        cells,
        last: game.stones.last().map(|cell| cell.index() as u16),
    }
}

fn swiss_view(swiss: &Swiss, labels: &[String]) -> SwissView {
    let label = |at: usize| labels.get(at).cloned().unwrap_or_default();
    let places = swiss.places.iter().map(|place| SwissPlaceView {
        label: label(place.player),
        points: place.points,
        buchholz: place.buchholz,
        byes: place.byes as u32,
    });
    let meeting = |meeting: &Meeting| MeetingView {
        players: meeting.players.map(label),
        points: meeting.points,
        games: meeting.games as u32,
    };
    let rounds = swiss.rounds.iter().map(|round| SwissRoundView {
        meetings: round.meetings.iter().map(meeting).collect(),
        bye: round.bye.map(label),
    });
    SwissView { places: places.collect(), rounds: rounds.collect() }
}

fn report(card: Card) -> ReportInfo {
    let Card { name, title, question, command, made, files, .. } = card;
    let file = |CardFile { name, caption }| ReportFile { name, caption };
    let files = files.into_iter().map(file).collect();
    ReportInfo { name, title, question, command, made, files }
}

fn player(player: &collinear_arena::Standing) -> RunPlayer {
    let Tally { wins, draws, losses } = player.tally;
    RunPlayer {
        label: player.label.clone(),
        tally: [wins, draws, losses].map(|n| n as u32),
        score: player.tally.score(),
        interval: [player.wilson.low, player.wilson.high],
        elo: player.rating.elo,
        error: player.rating.error,
        ms_a_turn: player.millis_a_turn(),
    }
}

fn score(tally: Tally) -> RunScore {
    RunScore { points: tally.points(), games: tally.games() as u32 }
}

fn listed(game: &GameSummary, labels: &[String]) -> RunGame {
    RunGame {
        number: game.number as u32,
        black: labels[game.black].clone(),
        white: labels[game.white].clone(),
        result: game.result_name().to_owned(),
        ending: game.reason,
    }
}

fn history(games: &[GameSummary], order: &[usize]) -> Vec<RunPoint> {
    let mut tallies = vec![Tally::default(); order.len()];
    let step = games.len().div_ceil(PLOT_POINTS).max(1);
    let mut points = Vec::new();
    for (at, game) in games.iter().enumerate() {
        let half_points = game.half_points();
        tallies[game.black].add(half_points);
        tallies[game.white].add(2 - half_points);
        if (at + 1) % step == 0 || at + 1 == games.len() {
            points.push(RunPoint {
                games: at as u32 + 1,
                scores: order
                    .iter()
                    .map(|&at| (tallies[at].games() > 0).then(|| tallies[at].score()))
                    .collect(),
            });
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_no_runs_and_a_foreign_file_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = folder.path().join("results.sqlite");
        let arena = Arena { results, matches: Matches::default() };
        assert_eq!(arena.runs(), Ok(Vec::new()));
        assert!(arena.reports().is_empty() && arena.report_file("a", "b.svg").is_none());
        assert!(arena.run_report("a").is_err() && arena.live("a") == Ok(Vec::new()));
        assert!(arena.run("a", None).is_err() && arena.replay("a", 1, 1).is_err());
        std::fs::write(&arena.results, "this is not a database, only its name says so")
            .expect("written");
        assert!(arena.runs().is_err());
    }
}
