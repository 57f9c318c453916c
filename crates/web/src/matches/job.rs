//! What a page may have played: its wishes, and the runs of the file, within limits.
//!
//! A page is text from outside. What it asks for may take only so much, may not make the server open
//! a file, and can run no command: its agents are those that the owner of the server has named.

use collinear_arena::{Format, Job, OpeningSource, Openings, RunSpec, Store};
use collinear_play::TimeControl;
use collinear_room::wire::{MatchFormat, NewMatch, Seat};
use collinear_room::{check_sides, rules_of, seat};
use collinear_rules::Rules;
use rand::Rng;

use super::Ground;

/// The most players of a tournament.
const MAX_PLAYERS: usize = 32;
/// The most games of a matchup.
const MAX_GAMES: u64 = 1000;
/// The most games of all.
const MAX_ALL_GAMES: u64 = 100_000;
/// The longest turn without a clock, in milliseconds.
const MAX_TURN_MS: u128 = 60_000;
/// The longest clock, in milliseconds.
const MAX_CLOCK_MS: u128 = 3_600_000;
/// The most nodes of a turn.
const MAX_NODES: u64 = 1_000_000_000;
/// The most stones before each pair of games.
const MAX_OPENING: usize = 20;
/// What runs of pages and of the command line are called. Experiments go on by their own command.
const NAMES: [&str; 2] = ["match", "tournament"];

/// The job of a new match.
pub(super) fn new_job(ground: &Ground, new: &NewMatch) -> Result<Job, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    let limits = new.limits.parse().map_err(|error| format!("{error}"))?;
    let spec = RunSpec {
        format: match new.format {
            MatchFormat::RoundRobin => Format::RoundRobin,
            MatchFormat::Gauntlet => Format::Gauntlet,
            MatchFormat::Swiss => Format::Swiss,
        },
        rounds: new.rounds.filter(|_| new.format == MatchFormat::Swiss).map(u64::from),
        limits,
        openings: openings(&rules, &new.openings)?,
        opening_rule: new.opening_rule.map(Into::into),
        seed: new.seed.unwrap_or_else(|| rand::rng().random()).into(),
        ..RunSpec::new(rules, new.players.clone(), u64::from(new.games))
    };
    job(ground, &spec)
}

/// The job of a run of the file, to go on with it.
pub(super) fn kept_job(ground: &Ground, store: &Store, run: &str) -> Result<Job, String> {
    let row = store.run(run).map_err(|error| error.to_string())?;
    let row = row.ok_or("this run is not in the file of results any more")?;
    if !NAMES.contains(&row.name.as_str()) {
        let name = &row.name;
        return Err(format!("this is part of an experiment: collinear experiment run {name}"));
    }
    if row.is_finished() {
        return Err("this run is finished".to_owned());
    }
    if row.build != ground.build {
        let why = "another build of this program has played it: its games may differ from those of \
                   this one, so it cannot go on here; start it anew";
        return Err(why.to_owned());
    }
    let spec = row.spec().map_err(|error| error.to_string())?;
    check_sides(spec.game.width() as u32, spec.game.height() as u32)
        .map_err(|error| error.to_string())?;
    let job = job(ground, &spec)?;
    if job.plan.run_id(&job.build) != run {
        return Err("this run can only go on by the command that began it".to_owned());
    }
    Ok(job)
}

fn openings(rules: &Rules, text: &str) -> Result<OpeningSource, String> {
    let known = Openings::from_word(rules, text.trim()).map_err(|error| error.to_string())?;
    Ok(match known {
        Some(_) => OpeningSource::Word(text.trim().to_owned()),
        // A list, never a file of this machine.
        None => OpeningSource::Lines(text.lines().map(str::to_owned).collect()),
    })
}

/// The job of a description that keeps the limits.
fn job(ground: &Ground, spec: &RunSpec) -> Result<Job, String> {
    if !(2..=MAX_PLAYERS).contains(&spec.agents.len()) {
        return Err(format!("a match has 2 players, a tournament up to {MAX_PLAYERS}"));
    }
    if !(1..=MAX_GAMES).contains(&spec.games) {
        return Err(format!("from 1 to {MAX_GAMES} games of each two can be asked for"));
    }
    check_limits(&spec.limits)?;
    if matches!(spec.openings.openings(&spec.game), Ok(Openings::Random(n)) if n > MAX_OPENING) {
        return Err(format!("up to {MAX_OPENING} stones of an opening can be asked for"));
    }
    for agent in &spec.agents {
        let (agent, limits) = match agent.rsplit_once('@').map(|(a, l)| (a, l.parse())) {
            Some((agent, Ok(limits))) => (agent, limits),
            _ => (agent.as_str(), spec.limits),
        };
        check_limits(&limits)?;
        // The same limits as for a seat at the board.
        let wanted = Seat::Agent { spec: agent.to_owned(), label: String::new() };
        seat(&ground.registry, &spec.game, wanted).map_err(|error| error.to_string())?;
    }
    let job = spec.job(&ground.registry, &ground.build).map_err(|error| error.to_string())?;
    let all = job.plan.schedule(job.games).len();
    if all > MAX_ALL_GAMES {
        return Err(format!("these are {all} games; up to {MAX_ALL_GAMES} can be asked for"));
    }
    Ok(job)
}

fn check_limits(limits: &TimeControl) -> Result<(), String> {
    let TimeControl { turn, clock, nodes, depth, .. } = *limits;
    let (turn, nodes) = (turn.map(|turn| turn.as_millis()), nodes.unwrap_or(1));
    let clock = clock.map(|clock| clock.left.as_millis().max(clock.increment.as_millis()));
    if turn.is_none() && clock.is_none() && limits.nodes.is_none() && depth.is_none() {
        return Err("a limit is needed: a time or nodes per turn".to_owned());
    }
    if turn.is_some_and(|turn| !(1..=MAX_TURN_MS).contains(&turn))
        || clock.is_some_and(|clock| clock > MAX_CLOCK_MS)
        || !(1..=MAX_NODES).contains(&nodes)
    {
        return Err(format!(
            "up to {} seconds or {MAX_NODES} nodes per turn, or a clock of up to an hour, can be \
             asked for",
            MAX_TURN_MS / 1000
        ));
    }
    Ok(())
}
