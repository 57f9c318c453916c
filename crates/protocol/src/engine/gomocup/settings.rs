//! What a Gomocup manager says through INFO: limits of time, depth and memory, the rule, the game.

use std::time::Duration;

use collinear_play::{Budget, Clock};
use collinear_rules::{Fouls, Overline, Player, Position, Rules, RulesBuilder, Setup};

use super::super::desk::Desk;
use super::thinking::Details;
use crate::gomocup::{EXACT, RENJU, YIXIN_RENJU};
use crate::quote::short;

/// Values that mean "no limit".
const UNLIMITED: i64 = 2_147_483_647;
/// Kept back from every limit for the way through pipes and schedulers, beside the lateness that
/// was seen; of long turns a part.
const SAFETY: Duration = Duration::from_millis(30);
const SAFETY_PART: u32 = 20;
const MAX_SAFETY: Duration = Duration::from_millis(200);
/// What lateness may take of a turn.
const MAX_LATENESS_PART: u32 = 4;
/// Yixin's programs number freestyle with an opening rule so; the rule is played with commands.
const SWAP1: u32 = 5;
const SWAP2: u32 = 6;
/// What "as fast as possible" is taken for.
const AT_ONCE: Duration = Duration::from_millis(1);
/// What part of the memory a table may have that agents take it for.
const TABLE_SHARE: u64 = 2;

pub(super) struct Settings {
    /// The game apart from the board's size, which START gives.
    template: RulesBuilder,
    timeout_turn: Option<i64>,
    timeout_match: Option<i64>,
    time_left: Option<i64>,
    max_depth: Option<u32>,
    max_nodes: Option<u64>,
    details: Details,
    max_memory: Option<u64>,
    table: Option<u64>,
    trouble: Option<String>,
}

impl Settings {
    pub(super) fn new(rules: Rules) -> Self {
        let (width, height) = (rules.width() as u32, rules.height() as u32);
        let game = Rules::builder(width, height, rules.k() as u32);
        let game = game.p(rules.p() as u32).q(rules.q() as u32);
        let (gravity, fouls) = (rules.gravity(), rules.fouls());
        // In Renju it says nothing of its own.
        let overline = rules.overline(Player::White);
        Self {
            template: RulesBuilder { gravity, overline, fouls, ..game },
            timeout_turn: None,
            timeout_match: None,
            time_left: None,
            max_depth: None,
            max_nodes: None,
            details: Details(0),
            max_memory: None,
            table: None,
            trouble: None,
        }
    }

    /// The game on a board of this size.
    pub(super) fn rules(&self, width: u32, height: u32) -> Result<Rules, String> {
        RulesBuilder { width, height, ..self.template }.build().map_err(|error| error.to_string())
    }

    /// Something in an INFO that we cannot do: the protocol wants it said at the next command.
    pub(super) fn trouble(&self) -> Option<String> {
        self.trouble.clone()
    }

    /// A new game begins: what could not be done for the last one does not count.
    pub(super) fn forget_trouble(&mut self) {
        self.trouble = None;
    }

    /// The clock of one turn says nothing about the next.
    pub(super) const fn forget_clock(&mut self) {
        self.time_left = None;
    }

    pub(super) const fn details(&self) -> Details {
        self.details
    }

    /// What the next turn may cost.
    pub(super) fn budget(&self, desk: &Desk<'_>) -> Budget {
        let millis = |ms: i64| Duration::from_millis(ms.clamp(0, UNLIMITED) as u64);
        let limited = |ms: Option<i64>| ms.filter(|&ms| ms != UNLIMITED);
        let time = limited(self.timeout_turn).map(|ms| match millis(ms) {
            Duration::ZERO => AT_ONCE,
            time => {
                let safety = SAFETY.max(time / SAFETY_PART).min(MAX_SAFETY);
                let late = desk.lateness().min(time / MAX_LATENESS_PART);
                time.saturating_sub(safety + late).max(AT_ONCE)
            }
        });
        let clocked = self.timeout_match.is_none_or(|ms| ms > 0);
        let clock = limited(self.time_left)
            .filter(|_| clocked)
            .map(|ms| Clock { left: millis(ms), increment: Duration::ZERO });
        // A depth alone may take for ever.
        let enough = time.is_some() || clock.is_some() || self.max_nodes.is_some();
        let base = if enough { Budget::default() } else { desk.usual_budget() };
        Budget {
            time: time.or(base.time),
            clock,
            nodes: self.max_nodes.or(base.nodes),
            depth: self.max_depth.or(base.depth),
            ..base
        }
    }

    /// Takes an INFO, which has no answer that anybody waits for.
    pub(super) fn info(&mut self, text: &str, desk: &mut Desk<'_>) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let number = value.parse::<i64>().ok();
        let count = number.and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
        let small = count.and_then(|n| u32::try_from(n).ok());
        let mut demands = desk.demands();
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.timeout_turn = number,
            "timeout_match" => self.timeout_match = number,
            "time_left" => self.time_left = number,
            "max_depth" => self.max_depth = small,
            "max_node" => self.max_nodes = count,
            "show_detail" => self.details = Details(number.unwrap_or(0).clamp(0, 3) as u8),
            "max_memory" => self.max_memory = count,
            // In kilobytes, and of the table alone.
            "hash_size" => self.table = count.map(|kb| kb.saturating_mul(1024 * TABLE_SHARE)),
            "thread_num" => demands.threads = small,
            "rule" => self.set_rule(value, desk),
            "game" => self.set_game(value),
            "gravity" => self.template.gravity = value == "1",
            // Everything else is for others, or means nothing to us.
            _ => {}
        }
        demands.memory = self.max_memory.into_iter().chain(self.table).min();
        desk.set_demands(demands);
    }

    /// Bits: 1 exactly five, 2 continuous, 4 renju, 8 caro; but Yixin's programs mean Renju by 2. What
    /// cannot be played is said at once, and again when a turn is wanted.
    fn set_rule(&mut self, value: &str, desk: &mut Desk<'_>) {
        self.trouble = None;
        if let Ok(rule @ (0 | EXACT | RENJU | YIXIN_RENJU | SWAP1 | SWAP2)) = value.parse::<u32>() {
            let exact = rule == EXACT;
            self.template.overline = if exact { Overline::Ignored } else { Overline::Wins };
            let renju = matches!(rule, RENJU | YIXIN_RENJU);
            self.template.fouls = if renju { Fouls::Refused } else { Fouls::None };
            self.replay(desk);
        } else {
            let trouble = format!("rule {} is not supported", short(value));
            desk.say(&format!("MESSAGE {trouble}"));
            self.trouble = Some(trouble);
        }
    }

    /// The rule may come after START: the stones stay, under the new rules.
    fn replay(&mut self, desk: &mut Desk<'_>) {
        let old = desk.rules();
        let rules = self.rules(old.width() as u32, old.height() as u32).ok();
        if rules == Some(old) {
            return;
        }
        let replayed = rules.and_then(|rules| under(rules, &desk.position));
        match replayed {
            Some(position) => desk.set_position(position),
            None => self.trouble = Some("the rule does not fit the stones on the board".to_owned()),
        }
    }

    /// `connect W H K P Q`: the extension for other games.
    fn set_game(&mut self, value: &str) {
        let numbers: Option<Vec<u32>> = value
            .strip_prefix("connect")
            .and_then(|rest| rest.split_whitespace().map(|n| n.parse().ok()).collect());
        match numbers.as_deref() {
            Some(&[width, height, k, p, q]) => {
                let RulesBuilder { overline, gravity, fouls, .. } = self.template;
                let game = Rules::builder(width, height, k).p(p).q(q);
                self.template = RulesBuilder { overline, gravity, fouls, ..game };
                self.trouble = game.build().err().map(|error| error.to_string());
            }
            _ => self.trouble = Some(format!("the game {} is not known", short(value))),
        }
    }
}

/// The same stones under other rules.
fn under(rules: Rules, position: &Position) -> Option<Position> {
    let history = position.history();
    if history.len() == position.stone_count() {
        return Position::from_moves(rules, history).ok();
    }
    let [black, white] = Player::BOTH.map(|player| position.stones(player).collect());
    let to_move = Some((position.to_move(), position.stones_left()));
    Position::from_setup(rules, &Setup { black, white, to_move }).ok()
}
