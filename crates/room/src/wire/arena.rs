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
    /// Whether this server plays it now.
    pub playing: bool,
}

/// What a page may ask for in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ArenaLimits {
    /// Games at the same time.
    pub at_once: u32,
    /// Whether this page may give commands names as engines.
    pub engines: bool,
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
    /// Of a Swiss tournament: its rounds.
    pub swiss: Option<SwissView>,
}

/// A Swiss tournament as far as it has been played.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SwissView {
    /// The table, best first.
    pub places: Vec<SwissPlaceView>,
    /// The rounds so far, that under way included.
    pub rounds: Vec<SwissRoundView>,
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SwissPlaceView {
    /// Who.
    pub label: String,
    /// Points; a bye counts as if every game had been won.
    pub points: f64,
    /// The points of the opponents, added up.
    pub buchholz: f64,
    /// Rounds without an opponent.
    pub byes: u32,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct SwissRoundView {
    /// Who met whom.
    pub meetings: Vec<MeetingView>,
    /// Who had no opponent.
    pub bye: Option<String>,
}

/// Two players in a round.
#[derive(Clone, Debug, PartialEq, Serialize, TS)]
pub struct MeetingView {
    /// The two.
    pub players: [String; 2],
    /// Their points.
    pub points: [f64; 2],
    /// Games played so far.
    pub games: u32,
}

/// A game of a run while it is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct LiveBoard {
    /// Its number in the run.
    pub number: u32,
    /// Who has Black.
    pub black: String,
    /// Who has White.
    pub white: String,
    /// Columns and rows.
    pub size: [u32; 2],
    /// Whether stones fall.
    pub gravity: bool,
    /// Black's stones and White's.
    pub cells: [Vec<u16>; 2],
    /// The last stone.
    pub last: Option<u16>,
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

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum MatchFormat {
    /// Everybody everybody else.
    RoundRobin,
    /// The first everybody else.
    Gauntlet,
    /// In each round everybody somebody with about the same score.
    Swiss,
}

/// A match or a tournament to start.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct NewMatch {
    /// The numbers.
    pub rules: super::RulesForm,
    /// Who plays, `name:key=value`: two or more.
    pub players: Vec<String>,
    /// Who meets whom.
    pub format: MatchFormat,
    /// Games of each two who meet.
    pub games: u32,
    /// Rounds of a Swiss tournament; enough for one unbeaten player unless given.
    #[serde(default)]
    #[ts(as = "Option<Option<u32>>", optional)]
    pub rounds: Option<u32>,
    /// What everybody may spend: `100ms` per turn, `nodes=1000`, `clock=60s+1s`.
    pub limits: String,
    /// Where games start: `empty`, `random:2`, `balanced`, or an opening per line.
    pub openings: String,
    /// How the players settle who plays Black.
    #[serde(default)]
    #[ts(as = "Option<Option<super::OpeningRule>>", optional)]
    pub opening_rule: Option<super::OpeningRule>,
    /// Seed for all random choices; any unless given.
    #[serde(default)]
    #[ts(as = "Option<Option<u32>>", optional)]
    pub seed: Option<u32>,
    /// Games at the same time.
    pub at_once: u32,
}

/// A program of this computer that is to be an agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize, TS)]
pub struct NewEngine {
    /// Its name: lower-case letters, digits and dashes.
    pub name: String,
    /// What it speaks.
    pub protocol: String,
    /// The command line.
    pub command: String,
    /// The folder it runs in; empty for that of the server.
    pub folder: String,
    /// Lines it is told after the greeting, with semicolons between them.
    pub init: String,
}
