//! What other people's pages ask: a position, the best turn, proofs, threats. No game is kept for them:
//! each question names its position, so that any worker may answer it.

use std::time::Duration;

use collinear_agents::puzzles::Goal;
use collinear_play::{Budget, GameRecord, Report, StopFlag, Thought, Value};
use collinear_protocol::records::{self, ReadOptions};
use collinear_room::wire::{ColumnScore, Sealed, ThreatsView};
use collinear_room::work::{Outcome, Progress, Search, Solution, Work, Worker, Yields};
use collinear_rules::{Cell, Outcome as Ended, Player, Position, Rules, notation, typed};
use serde::{Deserialize, Serialize};

use crate::parts;

/// The most lines of an analysis.
const MAX_LINES: u16 = 16;
/// What a turn may take where the question does not say.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// A question.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Question {
    /// What the position looks like.
    Board(At),
    /// The game and the moves of a record in any format.
    Record {
        /// The record.
        text: String,
    },
    /// The agents that play a game.
    Agents {
        /// The game.
        game: String,
    },
    /// The turn that an agent chooses, the strongest one if none is named; with what it tells
    /// meanwhile.
    Analyse {
        /// Where.
        #[serde(flatten)]
        at: At,
        /// Who.
        #[serde(default)]
        agent: Option<String>,
        /// At what cost.
        #[serde(flatten)]
        limits: Limits,
    },
    /// The score of every column, or a proved win.
    Solve(At),
    /// What both sides threaten.
    Threats(At),
}

/// A position: a game and its moves.
#[derive(Debug, Deserialize)]
pub struct At {
    /// A name, such as `gomoku`, or rules, such as `15x15,k=5`.
    game: String,
    /// As a person types them: `h8 i9`, or columns.
    #[serde(default)]
    moves: String,
}

/// What an answer may cost.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Limits {
    time_ms: Option<u32>,
    nodes: Option<u64>,
    depth: Option<u32>,
    lines: u16,
    seed: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { time_ms: None, nodes: None, depth: None, lines: 1, seed: 1 }
    }
}

/// An answer.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// A position.
    Board(Box<Board>),
    /// A record.
    Record(Record),
    /// The agents.
    Agents(Vec<AgentRow>),
    /// A turn.
    Found(Found),
    /// Columns.
    Columns(Vec<ColumnScore>),
    /// A proved win, or that none was found.
    Proof(Proof),
    /// Threats.
    Threats(Sealed<ThreatsView>),
}

/// A position for others to draw.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Board {
    game: String,
    width: usize,
    height: usize,
    k: usize,
    p: usize,
    q: usize,
    gravity: bool,
    /// In the order of play.
    stones: Vec<Stone>,
    to_move: &'static str,
    stones_left: usize,
    legal: Vec<String>,
    over: bool,
    winner: Option<&'static str>,
    /// The winning rows.
    rows: Vec<Vec<usize>>,
}

/// A stone.
#[derive(Debug, Serialize)]
pub(crate) struct Stone {
    cell: usize,
    name: String,
    colour: &'static str,
}

/// A record for others to replay.
#[derive(Debug, Serialize)]
pub struct Record {
    game: String,
    moves: Vec<String>,
    players: [Option<String>; 2],
    ending: Option<String>,
}

/// An agent.
#[derive(Debug, Serialize)]
pub struct AgentRow {
    name: &'static str,
    summary: &'static str,
}

/// A turn with what its search tells.
#[derive(Debug, Serialize)]
pub struct Found {
    turn: Vec<String>,
    depth: u32,
    nodes: u64,
    lines: Vec<FoundLine>,
    note: Option<String>,
}

/// A line of play.
#[derive(Debug, Serialize)]
pub(crate) struct FoundLine {
    moves: Vec<String>,
    /// The chance of the side to move.
    chance: f32,
    value: Value,
}

/// A proved win.
#[derive(Debug, Serialize)]
pub struct Proof {
    wins: bool,
    turn: Vec<String>,
    /// Own turns until the row is there.
    turns: Option<u16>,
}

impl Question {
    /// The parts that its answer needs.
    pub fn needs(&self) -> Result<Vec<&'static str>, String> {
        Ok(match self {
            Self::Board(_) | Self::Record { .. } | Self::Agents { .. } | Self::Threats(_) => {
                Vec::new()
            }
            Self::Solve(at) => parts::of_solver(&at.rules()?),
            Self::Analyse { at, agent, .. } => {
                let rules = at.rules()?;
                parts::of_agent(&named(agent.as_deref(), &rules)?, &rules)
            }
        })
    }

    /// Answers it.
    pub fn answer(&self, worker: &Worker, on: &mut dyn FnMut(Found)) -> Result<Answer, String> {
        match self {
            Self::Board(at) => Ok(Answer::Board(Box::new(board(&at.position()?)))),
            Self::Record { text } => record(text).map(Answer::Record),
            Self::Agents { game } => {
                let rules = rules(game)?;
                let registry = collinear_agents::registry();
                let rows = collinear_agents::playing(&registry, &rules);
                let row = |spec: &collinear_play::AgentSpec| AgentRow {
                    name: spec.name,
                    summary: spec.summary,
                };
                Ok(Answer::Agents(rows.map(row).collect()))
            }
            Self::Analyse { at, agent, limits } => {
                let position = at.position()?;
                let agent = named(agent.as_deref(), position.rules())?;
                analyse(worker, position, agent, limits, on).map(Answer::Found)
            }
            Self::Solve(at) => solve(worker, at.position()?),
            Self::Threats(at) => {
                match run(worker, &Work::Threats { position: at.position()?, node: 0 })? {
                    Outcome::Threats(Some(threats)) => Ok(Answer::Threats(threats)),
                    _ => Err("the threats were not counted".to_owned()),
                }
            }
        }
    }
}

impl At {
    fn rules(&self) -> Result<Rules, String> {
        rules(&self.game)
    }

    fn position(&self) -> Result<Position, String> {
        position(self.rules()?, &self.moves)
    }
}

/// The position after these moves.
pub(crate) fn position(rules: Rules, moves: &str) -> Result<Position, String> {
    let mut position = Position::new(rules);
    for word in moves.split_whitespace() {
        for cell in typed::stones(&position, word).map_err(|error| error.to_string())? {
            position.play(cell).map_err(|error| error.to_string())?;
        }
    }
    Ok(position)
}

fn rules(game: &str) -> Result<Rules, String> {
    let rules: Rules = game.parse().map_err(|error| format!("{error}"))?;
    collinear_room::check_sides(rules.width() as u32, rules.height() as u32)
        .map_err(|error| error.to_string())?;
    Ok(rules)
}

/// The agent of a question; the strongest one if it names none.
fn named(agent: Option<&str>, rules: &Rules) -> Result<String, String> {
    let registry = collinear_agents::registry();
    let spec = match agent {
        Some(spec) => spec.to_owned(),
        None => collinear_agents::strongest(&registry, rules)
            .map(|spec| spec.name.to_owned())
            .ok_or_else(|| format!("no agent analyses {rules}"))?,
    };
    // The same limits as for a seat at the board: no files, and only so much memory.
    let wanted = collinear_room::wire::Seat::Agent { spec: spec.clone(), label: String::new() };
    collinear_room::seat(&registry, rules, wanted).map_err(|error| error.to_string())?;
    Ok(spec)
}

fn run(worker: &Worker, work: &Work) -> Result<Outcome, String> {
    match worker.run(work, &StopFlag::default(), &mut |_| {}) {
        Outcome::Failed(fault) => Err(fault.to_string()),
        Outcome::Unknown => Err("the answer was not found in time".to_owned()),
        outcome => Ok(outcome),
    }
}

fn analyse(
    worker: &Worker,
    position: Position,
    agent: String,
    limits: &Limits,
    on: &mut dyn FnMut(Found),
) -> Result<Found, String> {
    let rules = *position.rules();
    let asked = limits.time_ms.map(|ms| Duration::from_millis(u64::from(ms)));
    let is_limited = limits.nodes.is_some() || limits.depth.is_some();
    let budget = Budget {
        time: asked.or((!is_limited).then_some(DEFAULT_TIME)),
        nodes: limits.nodes,
        depth: limits.depth,
        lines: limits.lines.min(MAX_LINES),
        ..Budget::default()
    };
    let work = Work::Think(Search {
        owner: "question".to_owned(),
        agent,
        seed: limits.seed,
        position,
        budget,
        yields: Yields::Never,
    });
    let told = worker.run(&work, &StopFlag::default(), &mut |progress| {
        if let Progress::Report(report) = progress {
            on(found(&rules, &[], &report, &Thought::default()));
        }
    });
    match told {
        Outcome::Found(done) => {
            let turn = done.turn.map_err(|fault| fault.to_string())?;
            Ok(found(&rules, &turn, &done.report, &done.thought))
        }
        Outcome::Failed(fault) => Err(fault.to_string()),
        _ => Err("the search found nothing".to_owned()),
    }
}

fn found(rules: &Rules, turn: &[Cell], report: &Report, thought: &Thought) -> Found {
    let first = report.lines.first().map(|line| line.stones.as_slice()).unwrap_or_default();
    let turn = if turn.is_empty() { first } else { turn };
    Found {
        turn: names(rules, turn),
        depth: report.depth.max(thought.depth.unwrap_or_default()),
        nodes: report.nodes.max(thought.nodes.unwrap_or_default()),
        lines: report
            .lines
            .iter()
            .map(|line| FoundLine {
                moves: names(rules, &line.stones),
                chance: line.value.chance(),
                value: line.value,
            })
            .collect(),
        note: report.note.clone(),
    }
}

fn solve(worker: &Worker, position: Position) -> Result<Answer, String> {
    let rules = *position.rules();
    if rules.gravity() {
        return match run(worker, &Work::Columns { position })? {
            Outcome::Columns(columns) => Ok(Answer::Columns(columns)),
            _ => Err("the columns were not solved".to_owned()),
        };
    }
    match run(worker, &Work::Solve { position, goal: Goal::Win })? {
        Outcome::Solution(solution) => Ok(Answer::Proof(match solution {
            Some(Solution { turn, turns, .. }) => {
                Proof { wins: true, turn: names(&rules, &turn), turns: Some(turns) }
            }
            None => Proof { wins: false, turn: Vec::new(), turns: None },
        })),
        _ => Err("nothing was proved".to_owned()),
    }
}

fn names(rules: &Rules, cells: &[Cell]) -> Vec<String> {
    cells.iter().map(|cell| notation::name(rules, *cell)).collect()
}

const fn colour(player: Player) -> &'static str {
    match player {
        Player::Black => "black",
        Player::White => "white",
    }
}

fn board(position: &Position) -> Board {
    let rules = position.rules();
    let stone = |cell: &Cell| {
        let colour = colour(position.at(*cell)?);
        Some(Stone { cell: cell.index(), name: notation::name(rules, *cell), colour })
    };
    let rows = position.winning_rows();
    let legal = if position.is_over() { Vec::new() } else { position.legal_cells() };
    Board {
        game: collinear_room::rules_name(rules),
        width: rules.width(),
        height: rules.height(),
        k: rules.k(),
        p: rules.p(),
        q: rules.q(),
        gravity: rules.gravity(),
        stones: position.history().iter().filter_map(stone).collect(),
        to_move: colour(position.to_move()),
        stones_left: position.stones_left(),
        legal: names(rules, &legal),
        over: position.is_over(),
        winner: match position.outcome() {
            Ended::Won(player) => Some(colour(player)),
            _ => None,
        },
        rows: rows.iter().map(|row| row.iter().map(|cell| cell.index()).collect()).collect(),
    }
}

fn record(text: &str) -> Result<Record, String> {
    let read = records::games(text, None, &ReadOptions { rules: None }).next();
    let record: GameRecord =
        read.ok_or("there is no game in this text")?.map_err(|error| error.to_string())?;
    if record.setup.is_some() {
        return Err("this record begins with stones on the board: only games from the start".into());
    }
    Ok(Record {
        game: collinear_room::rules_name(&record.rules),
        moves: names(&record.rules, &record.moves()),
        ending: record.outcome().map(|end| end.to_string()),
        players: record.players,
    })
}
