//! Between the words of the libraries and the words of the page.

use std::time::Duration;

use collinear_engine::analysis::Watch;
use collinear_play::{AgentSpec, Clock, End, Game, Kind, Line, Registry, Seat, TimeControl, Value};
use collinear_rules::{Cell, Fouls, Player, Rules};
use thiserror::Error;

use crate::wire::{
    self, AgentInfo, CoachLevel, Colour, Ending, EngineLine, OptionInfo, OptionKind, RulesForm,
    RulesView, Timing, Worth,
};

/// How late an agent may answer on the page before it loses: the machine serves many.
const GRACE: Duration = Duration::from_secs(2);

/// Times a form may ask for: a day.
const MAX_TIME_MS: u32 = 24 * 3600 * 1000;
/// The largest side the page draws.
pub(crate) const MAX_SIDE: u32 = 32;
/// The smallest.
pub(crate) const MIN_SIDE: u32 = 3;

/// Why a form makes no game for the page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormError {
    /// The page's own limit.
    #[error(
        "the page shows boards from {MIN_SIDE}×{MIN_SIDE} to {MAX_SIDE}×{MAX_SIDE} cells, not {0}×{1}"
    )]
    Side(u32, u32),
    /// No such time.
    #[error("a time must be more than nothing and at most a day")]
    Time,
    /// The limits of the family.
    #[error(transparent)]
    Rules(#[from] collinear_rules::RulesError),
}

/// The rules a form describes.
pub fn rules_of(form: &RulesForm) -> Result<Rules, FormError> {
    let &RulesForm { width, height, k, p, q, gravity, exact, fouls } = form;
    check_sides(width, height)?;
    let mut builder = Rules::builder(width, height, k).p(p).q(q);
    if gravity {
        builder = builder.gravity();
    }
    if exact {
        builder = builder.exact();
    }
    builder.fouls = match fouls {
        wire::Fouls::None => Fouls::None,
        wire::Fouls::Refused => Fouls::Refused,
        wire::Fouls::Lose => Fouls::Lose,
    };
    Ok(builder.build()?)
}

/// Whether the page can draw a board.
pub fn check_sides(width: u32, height: u32) -> Result<(), FormError> {
    let sides = MIN_SIDE..=MAX_SIDE;
    if sides.contains(&width) && sides.contains(&height) {
        Ok(())
    } else {
        Err(FormError::Side(width, height))
    }
}

/// Rules for the page.
pub(crate) fn rules_view(rules: &Rules) -> RulesView {
    RulesView {
        width: rules.width() as u32,
        height: rules.height() as u32,
        k: rules.k() as u32,
        p: rules.p() as u32,
        q: rules.q() as u32,
        gravity: rules.gravity(),
        exact: !rules.is_renju() && !rules.overlines_win(),
        fouls: match rules.fouls() {
            Fouls::None => wire::Fouls::None,
            Fouls::Refused => wire::Fouls::Refused,
            Fouls::Lose => wire::Fouls::Lose,
        },
        name: rules_name(rules),
    }
}

/// `connect6`, or the long form of an own game.
pub fn rules_name(rules: &Rules) -> String {
    rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned)
}

/// The player of a colour.
pub(crate) const fn player(colour: Colour) -> Player {
    match colour {
        Colour::Black => Player::Black,
        Colour::White => Player::White,
    }
}

/// A player for the page.
pub(crate) const fn colour(player: Player) -> Colour {
    match player {
        Player::Black => Colour::Black,
        Player::White => Colour::White,
    }
}

/// A player in a sentence.
pub(crate) const fn side(player: Player) -> &'static str {
    match player {
        Player::Black => "Black",
        Player::White => "White",
    }
}

/// Cells for the page.
pub(crate) fn cells(cells: &[Cell]) -> Vec<u16> {
    cells.iter().map(|cell| cell.index() as u16).collect()
}

/// Cells of the page, as long as they are on the board.
pub(crate) fn cells_of(rules: &Rules, cells: &[u16]) -> Result<Vec<Cell>, String> {
    let cell = |&at: &u16| {
        let on_board = usize::from(at) < rules.cells();
        on_board
            .then(|| Cell::new(usize::from(at)))
            .ok_or_else(|| format!("cell {at} is outside the board"))
    };
    cells.iter().map(cell).collect()
}

/// Opponents for the page.
pub(crate) fn levels(registry: &Registry, rules: &Rules) -> Vec<wire::Level> {
    let level = |level: collinear_agents::Level| wire::Level {
        label: format!("Level {}", level.number),
        name: level.name.to_owned(),
        spec: level.spec,
        elo: level.elo,
    };
    collinear_agents::levels(registry, rules).into_iter().map(level).collect()
}

/// A line of play, its value turned from the player to move to Black.
pub(crate) fn engine_line(line: &Line, to_move: Player) -> EngineLine {
    let black = to_move == Player::Black;
    let chance = line.value.chance().clamp(0.0, 1.0);
    let worth = match line.value {
        Value::Chance(_) => Worth::Chance,
        Value::WinsIn(turns) => Worth::Win { winner: colour(to_move), turns },
        Value::LosesIn(turns) => Worth::Win { winner: colour(to_move.opponent()), turns },
        Value::Draw => Worth::Draw,
    };
    EngineLine {
        worth,
        chance: if black { chance } else { 1.0 - chance },
        cells: cells(&line.stones),
    }
}

/// A seat for the page.
pub(crate) fn seat_view(seat: &Seat) -> wire::Seat {
    match seat {
        Seat::Person => wire::Seat::Person,
        Seat::Agent { spec, label } => {
            wire::Seat::Agent { spec: spec.clone(), label: label.clone() }
        }
    }
}

/// How time is kept in a game.
pub(crate) fn timing(game: &Game) -> Timing {
    let control = game.control(Player::Black);
    let ms = |time: Duration| u32::try_from(time.as_millis()).unwrap_or(u32::MAX);
    match control.clock {
        Some(clock) => {
            Timing::Clock { start_ms: ms(clock.left), increment_ms: ms(clock.increment) }
        }
        None => Timing::Turn { ms: control.turn.map_or(0, ms) },
    }
}

/// Whether a form may ask for such times.
pub(crate) fn check_timing(timing: Timing) -> Result<(), FormError> {
    let (shortest, longest) = match timing {
        Timing::Turn { ms } => (ms, ms),
        Timing::Clock { start_ms, increment_ms } => (start_ms, start_ms.max(increment_ms)),
    };
    if longest > MAX_TIME_MS || shortest == 0 { Err(FormError::Time) } else { Ok(()) }
}

/// What both sides may spend.
pub fn control(timing: Timing) -> TimeControl {
    let time = |ms: u32| Duration::from_millis(u64::from(ms));
    match timing {
        Timing::Turn { ms } => TimeControl { turn: Some(time(ms)), ..control_without_limits() },
        Timing::Clock { start_ms, increment_ms } => TimeControl {
            clock: Some(Clock { left: time(start_ms), increment: time(increment_ms) }),
            ..control_without_limits()
        },
    }
}

fn control_without_limits() -> TimeControl {
    TimeControl { grace: GRACE, ..TimeControl::default() }
}

/// The end of a game for the page.
pub(crate) fn ending(end: &End) -> Ending {
    Ending { winner: end.winner.map(colour), reason: end.reason, detail: end.detail.clone() }
}

/// A row of the registry for the page.
pub(crate) fn agent_info(spec: &AgentSpec) -> AgentInfo {
    let option = |option: &collinear_play::OptionSpec| OptionInfo {
        name: option.name.to_owned(),
        help: option.help.to_owned(),
        kind: match option.kind {
            Kind::Int { min, max, default } => OptionKind::Int { min, max, default },
            Kind::Float { min, max, default } => OptionKind::Float { min, max, default },
            Kind::Bool { default } => OptionKind::Bool { default },
            Kind::Choice { values, default } => OptionKind::Choice {
                values: values.iter().map(ToString::to_string).collect(),
                default: default.to_owned(),
            },
            Kind::Time { default } => OptionKind::Text {
                default: default
                    .map_or_else(|| "none".to_owned(), |time| format!("{}ms", time.as_millis())),
            },
            Kind::Text { default } | Kind::Agent { default } => {
                OptionKind::Text { default: default.to_owned() }
            }
            // Files are not offered, see below.
            _ => OptionKind::Text { default: String::new() },
        },
    };
    AgentInfo {
        name: spec.name.to_owned(),
        summary: spec.summary.to_owned(),
        source: spec.source.to_owned(),
        // The page names no files of this machine.
        options: spec
            .options
            .iter()
            .filter(|option| !matches!(option.kind, Kind::File))
            .map(option)
            .collect(),
    }
}

/// How much a coach says, as the engine knows it.
pub(crate) const fn watch(level: CoachLevel) -> Option<Watch> {
    match level {
        CoachLevel::Off => None,
        CoachLevel::Losses => Some(Watch::Losses),
        CoachLevel::Mistakes => Some(Watch::Mistakes),
        CoachLevel::Inaccuracies => Some(Watch::Inaccuracies),
    }
}

/// The same as the page knows it.
pub(crate) const fn coach_level(watch: Option<Watch>) -> CoachLevel {
    match watch {
        None => CoachLevel::Off,
        Some(Watch::Losses) => CoachLevel::Losses,
        Some(Watch::Mistakes) => CoachLevel::Mistakes,
        Some(Watch::Inaccuracies) => CoachLevel::Inaccuracies,
    }
}
