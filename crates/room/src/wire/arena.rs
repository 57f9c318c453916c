//! Matches, tournaments and experiments as the page shows them.

use collinear_play::Reason;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A run in the list.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct RunInfo {
    /// Its name in the file of results.
    pub id: String,
    /// For people: `match`, or an experiment's name.
    pub name: String,
    /// When it began, in UTC.
    pub started: String,
    /// The game.
    pub rules: String,
    /// Who plays.
    pub labels: Vec<String>,
    /// Games so far.
    pub games: u32,
    /// Games it is to have, where that is known.
    pub planned: Option<u32>,
    /// Whether nothing more is to be expected.
    pub finished: bool,
}

/// A report kept beside the results: an experiment, a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ReportInfo {
    /// Its folder; the files are at `/reports/NAME/FILE`.
    pub name: String,
    /// A headline.
    pub title: String,
    /// What was asked, or what was played.
    pub question: String,
    /// The command that makes it again.
    pub command: String,
    /// When it was made, in seconds since 1970.
    #[ts(type = "number")]
    pub made: u64,
    /// What it consists of.
    pub files: Vec<ReportFile>,
}

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ReportFile {
    /// Its name in the folder.
    pub name: String,
    /// What it shows.
    pub caption: String,
}

/// A run in detail.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunView {
    /// What the list says of it.
    pub run: RunInfo,
    /// Best rating first.
    pub players: Vec<RunPlayer>,
    /// Points and games of each player against each, in the order of `players`.
    pub crosstable: Vec<Vec<RunScore>>,
    /// All games, seen by whoever moved first.
    pub first_mover: RunScore,
    /// How often each reason ended a game.
    #[ts(type = "Array<[EndReason, number]>")]
    pub endings: Vec<(Reason, u32)>,
    /// The score of each player after this many games, for a plot.
    pub history: Vec<RunPoint>,
    /// The latest games.
    pub games: Vec<RunGame>,
}

/// One player of a run.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct RunPlayer {
    /// Its name.
    pub label: String,
    /// Games won, drawn and lost.
    pub tally: [u32; 3],
    /// Points a game.
    pub score: f64,
    /// The 95 % interval of the score.
    pub interval: [f64; 2],
    /// Elo above the mean of all players.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Milliseconds a turn.
    pub ms_a_turn: f64,
}

/// Points out of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, TS)]
pub struct RunScore {
    /// A win counts 1, a draw ½.
    pub points: f64,
    /// Games.
    pub games: u32,
}

/// Scores after a number of games.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct RunPoint {
    /// Games played.
    pub games: u32,
    /// Points a game of each player so far, in the order of `players`; none before its first.
    pub scores: Vec<Option<f64>>,
}

/// A game of a run in its list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct RunGame {
    /// Its number in the run.
    pub number: u32,
    /// Who had Black.
    pub black: String,
    /// Who had White.
    pub white: String,
    /// `black`, `white` or `draw`.
    pub result: String,
    /// What ended it.
    #[ts(type = "EndReason")]
    pub ending: Reason,
}

/// A match or a tournament to start.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewMatch {
    /// The numbers.
    pub rules: super::RulesForm,
    /// Who plays, `name:key=value`: two, or more for everybody against everybody.
    pub players: Vec<String>,
    /// Games of each two.
    pub games: u32,
    /// Milliseconds per turn.
    pub time_ms: u32,
    /// Random stones before each pair of games; 0 for none.
    pub openings: u32,
    /// How the players settle who plays Black.
    #[serde(default)]
    #[ts(as = "Option<Option<super::OpeningRule>>", optional)]
    pub opening_rule: Option<super::OpeningRule>,
}
