//! Games and runs as rows.

use collinear_play::{End, GameRecord};
use collinear_rules::{Cell, Rules, notation};
use rusqlite::types::Type;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::game::{GameSummary, PlayedGame, Side, read_turns, turns_text, winner_of};
use crate::runner::Ended;

/// A run as the file knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RunRow {
    /// Its name: the hash.
    pub id: String,
    /// For people.
    pub name: String,
    /// When it began.
    pub started: String,
    /// The game.
    pub rules: String,
    /// The program that played it.
    pub build: String,
    /// The plan, as JSON.
    pub plan: String,
    /// How many games it has.
    pub games: u64,
    /// How many it is to have, all shards together.
    pub planned: Option<u64>,
    /// How it ended; none while it goes on, and after a kill.
    pub ended: Option<Ended>,
}

impl RunRow {
    /// The contestants' labels, read from the plan.
    pub fn labels(&self) -> Vec<String> {
        let plan: serde_json::Value = serde_json::from_str(&self.plan).unwrap_or_default();
        let contestants = plan["contestants"].as_array().cloned().unwrap_or_default();
        contestants.iter().map(|c| c[0].as_str().unwrap_or("?").to_owned()).collect()
    }

    /// Whether nothing more is to be expected of it.
    pub fn is_finished(&self) -> bool {
        self.planned.is_some_and(|planned| self.games >= planned)
            || matches!(self.ended, Some(Ended::Complete | Ended::Decided))
    }

    /// The rules, if the file has not been tampered with.
    pub fn parsed_rules(&self) -> Option<Rules> {
        self.rules.parse().ok()
    }
}

const SUMMARY: &str = "number, pair, black, white, result, ending, \
    black_turns, black_us, black_nodes, black_depth, \
    white_turns, white_us, white_nodes, white_depth, key, \
    black_sure_but_lost, black_gave_up_early, white_sure_but_lost, white_gave_up_early";

/// What a whole game has besides.
const REST: &str = "words, opening, moves, black_seed, white_seed, turns";

/// A game as a row: the worker that played it makes its texts, so that whoever writes them only waits
/// for the disk.
#[derive(Clone, Debug)]
pub(crate) struct GameRow {
    pub(crate) summary: GameSummary,
    /// For a fault or an adjudication: what happened.
    pub(crate) detail: Option<String>,
    seeds: [u64; 2],
    opening: usize,
    moves: String,
    turns: String,
}

impl GameRow {
    pub(crate) fn new(game: PlayedGame) -> Self {
        Self {
            moves: game.moves_text(&game.record.rules),
            turns: turns_text(&game.record),
            summary: game.summary,
            seeds: game.seeds,
            opening: game.record.opening,
            detail: game.record.end.and_then(|end| end.detail),
        }
    }

    /// Stones on the board at its end.
    pub(crate) fn stones(&self) -> usize {
        self.moves.split_whitespace().count()
    }
}

/// The statement that [`insert`] fills in.
pub(super) fn insertion(sql: &Connection) -> rusqlite::Result<CachedStatement<'_>> {
    sql.prepare_cached(&format!(
        "INSERT OR IGNORE INTO games (run, {SUMMARY}, {REST})
         VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22,?23,?24,?25,?26)"
    ))
}

/// Makes a row of a game; false when there is one of that number already.
pub(super) fn insert(
    insertion: &mut CachedStatement<'_>,
    run: &str,
    game: &GameRow,
) -> rusqlite::Result<bool> {
    let GameRow { summary, seeds, opening, moves, detail, turns } = game;
    let [black, white] = &summary.sides;
    let rows = insertion.execute(params![
        run,
        summary.number as i64,
        summary.pair as i64,
        summary.black as i64,
        summary.white as i64,
        summary.result_name(),
        summary.reason.name(),
        black.turns as i64,
        black.micros as i64,
        black.nodes as i64,
        black.depth as i64,
        white.turns as i64,
        white.micros as i64,
        white.nodes as i64,
        white.depth as i64,
        summary.key as i64,
        black.sure_but_lost as i64,
        black.gave_up_early as i64,
        white.sure_but_lost as i64,
        white.gave_up_early as i64,
        detail,
        *opening as i64,
        moves,
        seeds[0] as i64,
        seeds[1] as i64,
        turns,
    ])?;
    Ok(rows == 1)
}

pub(super) fn summaries(sql: &Connection, run: &str) -> rusqlite::Result<Vec<GameSummary>> {
    sql.prepare(&format!("SELECT {SUMMARY} FROM games WHERE run = ? ORDER BY number"))?
        .query_map([run], summary)?
        .collect()
}

pub(super) fn each_game(
    sql: &Connection,
    run: &RunRow,
    on: &mut dyn FnMut(PlayedGame),
) -> rusqlite::Result<()> {
    let rules = rules_of(run)?;
    let mut statement =
        sql.prepare(&format!("SELECT {SUMMARY}, {REST} FROM games WHERE run = ? ORDER BY number"))?;
    let mut rows = statement.query([&run.id])?;
    while let Some(row) = rows.next()? {
        on(played(&rules, row)?);
    }
    Ok(())
}

pub(super) fn game(
    sql: &Connection,
    run: &RunRow,
    number: u64,
) -> rusqlite::Result<Option<PlayedGame>> {
    let rules = rules_of(run)?;
    sql.prepare(&format!("SELECT {SUMMARY}, {REST} FROM games WHERE run = ? AND number = ?"))?
        .query_row(params![run.id, number as i64], |row| played(&rules, row))
        .optional()
}

fn rules_of(run: &RunRow) -> rusqlite::Result<Rules> {
    run.parsed_rules().ok_or_else(|| damaged("rules", &run.rules))
}

fn played(rules: &Rules, row: &Row<'_>) -> rusqlite::Result<PlayedGame> {
    let summary = summary(row)?;
    let text: String = row.get(21)?;
    let moves: Result<Vec<Cell>, _> =
        text.split_whitespace().map(|name| notation::parse(rules, name)).collect();
    let moves = moves.map_err(|_| damaged("moves", &text))?;
    let mut record = GameRecord::from_moves(*rules, &moves).map_err(|_| damaged("moves", &text))?;
    record.opening = number(row, 20)? as usize;
    let turns: String = row.get(24)?;
    read_turns(&mut record, &turns).map_err(|_| damaged("turns", &turns))?;
    let detail = row.get(19)?;
    record.end = Some(End { winner: summary.winner, reason: summary.reason, detail });
    let seeds = [row.get::<_, i64>(22)? as u64, row.get::<_, i64>(23)? as u64];
    Ok(PlayedGame { summary, seeds, record })
}

/// The run of this name, or all, the latest first.
pub(super) fn runs(sql: &Connection, id: Option<&str>) -> rusqlite::Result<Vec<RunRow>> {
    sql.prepare(
        "SELECT id, name, started, rules, build, plan,
            (SELECT COUNT(*) FROM games WHERE run = id), planned, ended
         FROM runs WHERE ?1 IS NULL OR id = ?1 ORDER BY started DESC, id",
    )?
    .query_map([id], |row| {
        Ok(RunRow {
            id: row.get(0)?,
            name: row.get(1)?,
            started: row.get(2)?,
            rules: row.get(3)?,
            build: row.get(4)?,
            plan: row.get(5)?,
            games: number(row, 6)?,
            planned: row.get::<_, Option<i64>>(7)?.and_then(|n| u64::try_from(n).ok()),
            ended: row.get::<_, Option<String>>(8)?.and_then(|name| Ended::from_name(&name)),
        })
    })?
    .collect()
}

fn summary(row: &Row<'_>) -> rusqlite::Result<GameSummary> {
    let side = |from: usize, opinions: usize| -> rusqlite::Result<Side> {
        Ok(Side {
            turns: number(row, from)?,
            micros: number(row, from + 1)?,
            nodes: number(row, from + 2)?,
            depth: number(row, from + 3)?,
            sure_but_lost: number(row, opinions)?,
            gave_up_early: number(row, opinions + 1)?,
        })
    };
    let (result, ending): (String, String) = (row.get(4)?, row.get(5)?);
    Ok(GameSummary {
        number: number(row, 0)?,
        pair: number(row, 1)?,
        black: number(row, 2)? as usize,
        white: number(row, 3)? as usize,
        winner: winner_of(&result).map_err(|_| damaged("result", &result))?,
        reason: ending.parse().map_err(|_| damaged("ending", &ending))?,
        sides: [side(6, 15)?, side(10, 17)?],
        key: row.get::<_, i64>(14)? as u64,
    })
}

fn number(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}

fn damaged(column: &str, text: &str) -> rusqlite::Error {
    let text: String = text.chars().take(40).collect();
    let reason = format!("{text:?} cannot stand in column {column}");
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, reason.into())
}
