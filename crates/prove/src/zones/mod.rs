//! Wins on boards of any size, by relevance zones (Wu, Lin, *Relevance-zone-oriented proof search for
//! Connect6*, 2010).
//!
//! Against a turn of the attacker the defender may do anything, and there are far too many turns. So one asks
//! first what happens if the defender passes. The attacker then wins, and the win depends on some cells only,
//! its *zone*: a turn that leaves all of them alone changes nothing. Only turns with a stone in the
//! zone need answers of their own; the answer to one stone, with the rest of the turn passed, has a zone again.
//!
//! ```text
//! attack(extra)   the attacker is to move and wins, even if up to `extra` more stones of the
//!                 defender stand outside the zone that comes back
//! defend(stones)  the same with the defender to place this many stones
//! ```
//!
//! A zone holds the attacker's stones of the whole win, the empty cells of the windows that complete it, and
//! the empty cells of every window that the defender, with the extra stones, could complete in a turn. The walk here is the
//! checker: it believes nothing but the rules, and asks an [`Attack`] only which turns to try. A
//! certificate is the list of the turns that worked. The argument in full is in `docs/prove.md`.

mod ground;

use std::collections::HashMap;

use collinear_rules::{Cell, Player, Position};

use crate::certificate::{Certificate, Goal, Part, Reason, Value, setup_of};
use crate::check::{CertificateFault, CheckError};

pub use ground::{CellSet, Ground};

/// A turn of the attacker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneTurn {
    /// Its stones.
    pub cells: Vec<Cell>,
    /// Every defender's turn that stops all threats is a part of some cells, and the attacker
    /// wins even if the defender takes all of these at once. Where longer rows win.
    pub at_once: bool,
}

/// Where a turn of the attacker is wanted.
pub struct ZonePlace<'a> {
    /// The stones.
    pub ground: &'a Ground,
    /// The player who is to win.
    pub attacker: Player,
    /// Stones of the turn.
    pub left: usize,
    /// Stones that the defender may have on top of these.
    pub extra: usize,
    /// Turns left after which the defender need not be forced.
    pub quiet: u16,
}

/// Says what the attacker tries.
pub trait Attack {
    /// Turns for one place, the most promising first; each is tried until one wins. Without threats it
    /// may need one of the quiet turns that are left.
    fn turns(&mut self, place: &ZonePlace<'_>) -> Vec<ZoneTurn>;

    /// Whether the search is to end.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Places remembered; with more of them that do not win these are forgotten, with more that win the search ends.
const MAX_PLACES: usize = 4 << 20;

/// Places of the defender that are gone through at most, so that no file keeps a checker for ever.
const MAX_STEPS: u64 = 1 << 26;

/// More stones per turn have too many ways to stop threats.
pub const MAX_AT_ONCE: usize = 4;

/// Stones of both colours, extra stones, stones of the turn.
type Key = (CellSet, CellSet, usize, usize);

/// A win that a search found.
#[derive(Clone, Debug)]
pub struct ZoneWin {
    /// The proof of it.
    pub certificate: Certificate,
    /// Cells that it depends on.
    pub zone: CellSet,
    /// Places looked at where the attacker is to move.
    pub places: u64,
}

/// Looks for a win of a player, who may be to move or not, with at most so many quiet turns one after the
/// other; none when the turns tried do not win or the search was stopped.
pub fn win_by_zones<A: Attack>(
    position: &Position,
    attacker: Player,
    attack: &mut A,
    quiet: u16,
) -> Result<Option<ZoneWin>, CheckError> {
    let mut search = Zones::new(position, attacker, attack)?;
    let Some(zone) = search.show(position, quiet) else { return Ok(None) };
    let places = search.places();
    // The same walk along the turns that won, to write them down in its order.
    let mut remembered = Remembered(search.won);
    let mut writer = Zones::new(position, attacker, &mut remembered)?;
    let shown = writer.show(position, quiet);
    debug_assert_eq!(shown.as_ref(), Some(&zone));
    let reason = Reason::Zones(to_bytes(&writer.turns));
    let certificate = Certificate {
        rules: *position.rules(),
        setup: setup_of(position),
        value: Value::Won(attacker),
        stones: None,
        parts: vec![Part { player: attacker, goal: Goal::Wins, reason }],
    };
    Ok(Some(ZoneWin { certificate, zone, places }))
}

/// The turns of a search that won.
struct Remembered(HashMap<Key, (CellSet, ZoneTurn)>);

impl Attack for Remembered {
    fn turns(&mut self, place: &ZonePlace<'_>) -> Vec<ZoneTurn> {
        let [black, white] = Player::BOTH.map(|player| place.ground.stones(player).clone());
        let known = self.0.get(&(black, white, place.extra, place.left));
        known.map(|(_, turn)| turn.clone()).into_iter().collect()
    }
}

/// The walk through a win.
struct Zones<'a, A> {
    ground: Ground,
    attacker: Player,
    attack: &'a mut A,
    /// Places where the attacker wins: the zone and the turn.
    won: HashMap<Key, (CellSet, ZoneTurn)>,
    /// Places where no turn won with this many quiet turns.
    failed: HashMap<Key, u16>,
    /// Places of the defender gone through.
    steps: u64,
    max_steps: u64,
    /// Stones placed since the position, for a refusal.
    path: Vec<Cell>,
    /// The first fault and the stones before it.
    fault: Option<(CertificateFault, Vec<Cell>)>,
    /// The turns in the order in which they were first wanted.
    turns: Vec<ZoneTurn>,
}

impl<'a, A: Attack> Zones<'a, A> {
    /// A walk for `attacker`, who may be to move or not.
    fn new(position: &Position, attacker: Player, attack: &'a mut A) -> Result<Self, CheckError> {
        let rules = position.rules();
        if rules.is_renju() {
            return Err(CheckError::Renju);
        }
        if rules.gravity() {
            return Err(CheckError::ZonesWithGravity);
        }
        Ok(Self {
            ground: Ground::of(position),
            attacker,
            attack,
            won: HashMap::new(),
            failed: HashMap::new(),
            steps: 0,
            max_steps: u64::MAX,
            path: Vec::new(),
            fault: None,
            turns: Vec::new(),
        })
    }

    /// Whether the attacker wins the position with at most this many quiet turns one after the other; the zone.
    fn show(&mut self, position: &Position, quiet: u16) -> Option<CellSet> {
        let left = position.stones_left();
        if position.to_move() == self.attacker {
            self.attack(left, 0, quiet)
        } else {
            self.defend(left, 0, quiet, &mut Vec::new())
        }
    }

    /// Places looked at where the attacker is to move.
    fn places(&self) -> u64 {
        self.won.len() as u64 + self.failed.len() as u64
    }

    fn refuse<T>(&mut self, fault: CertificateFault) -> Option<T> {
        if self.fault.is_none() {
            self.fault = Some((fault, self.path.clone()));
        }
        None
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.ground.place(cell, player);
        self.path.push(cell);
    }

    fn take_back(&mut self, cell: Cell, player: Player) {
        self.ground.remove(cell, player);
        self.path.pop();
    }

    /// The attacker has `left` stones to place.
    fn attack(&mut self, left: usize, extra: usize, quiet: u16) -> Option<CellSet> {
        // A row in this turn: nothing but its cells matters.
        let rows = self.ground.near(self.attacker, left).map(|window| self.ground.lacks(window));
        // Of several the least as a number with a bit per cell, highest cell first.
        let by_size = |row: &Vec<Cell>| {
            let mut cells = row.clone();
            cells.sort_unstable_by(|a, b| b.cmp(a));
            (cells.len(), cells)
        };
        if let Some(row) = rows.min_by_key(by_size) {
            return Some(row.into_iter().collect());
        }
        let [black, white] = Player::BOTH.map(|player| self.ground.stones(player).clone());
        let key = (black, white, extra, left);
        if let Some((zone, _)) = self.won.get(&key) {
            return Some(zone.clone());
        }
        let failed = self.failed.get(&key).is_some_and(|&failed| failed >= quiet);
        if failed || self.is_stopped() {
            return None;
        }
        let place = ZonePlace { ground: &self.ground, attacker: self.attacker, left, extra, quiet };
        let turns = self.attack.turns(&place);
        if turns.is_empty() {
            self.refuse::<()>(CertificateFault::Ends);
        }
        for turn in turns {
            let number = self.turns.len();
            self.turns.push(turn.clone());
            if let Some(zone) = self.tried(&turn, left, extra, quiet) {
                self.won.insert(key, (zone.clone(), turn));
                return Some(zone);
            }
            self.turns.truncate(number);
        }
        if !self.is_stopped() {
            if self.failed.len() >= MAX_PLACES {
                self.failed.clear();
            }
            self.failed.insert(key, quiet);
        }
        None
    }

    fn is_stopped(&self) -> bool {
        self.won.len() >= MAX_PLACES || self.attack.is_stopped()
    }

    /// The zone of a turn that wins.
    fn tried(&mut self, turn: &ZoneTurn, left: usize, extra: usize, quiet: u16) -> Option<CellSet> {
        if turn.cells.len() != left {
            return self.refuse(CertificateFault::TurnLength(turn.cells.len()));
        }
        let placed = turn.cells.iter().take_while(|&&cell| {
            let empty = self.ground.is_empty(cell);
            if empty {
                self.ground.place(cell, self.attacker);
                self.path.push(cell);
            }
            empty
        });
        let placed = placed.count();
        let zone = if placed < left {
            self.refuse(CertificateFault::Illegal(turn.cells[placed].index()))
        } else if turn.at_once {
            self.at_once(extra, quiet)
        } else {
            let p = self.ground.rules().p();
            self.defend(p, extra, quiet, &mut Vec::new())
        };
        for &cell in turn.cells[..placed].iter().rev() {
            self.take_back(cell, self.attacker);
        }
        let mut zone = zone?;
        turn.cells.iter().for_each(|&cell| zone.insert(cell));
        Some(zone)
    }

    /// The cells of windows that the defender, with `extra` stones more, completes with this many; nothing where
    /// that needs none of the extra ones.
    fn danger(&mut self, stones: usize, extra: usize) -> Option<CellSet> {
        if self.ground.near(!self.attacker, stones).next().is_some() {
            return self.refuse(CertificateFault::OpponentCompletes);
        }
        let windows = self.ground.near(!self.attacker, stones + extra);
        Some(windows.flat_map(|window| self.ground.lacks(window)).collect())
    }

    /// The defender has `stones` to place. Turns with a stone of `done` are answered already.
    fn defend(
        &mut self,
        stones: usize,
        extra: usize,
        quiet: u16,
        done: &mut Vec<Cell>,
    ) -> Option<CellSet> {
        self.steps += 1;
        if self.steps > self.max_steps {
            return self.refuse(CertificateFault::TooLong);
        }
        let mut zone = self.danger(stones, extra)?;
        let p = self.ground.rules().p();
        // Nobody passes a whole turn against another quiet turn: only threats are tried then.
        let quiet_after = if stones == p { 0 } else { quiet.saturating_sub(1) };
        let passed = self.attack(p, extra + stones, quiet_after)?;
        zone.extend(&passed);
        if stones == 0 {
            return Some(zone);
        }
        let mut cells: Vec<Cell> =
            passed.iter().filter(|&cell| self.ground.is_empty(cell)).collect();
        cells.sort_by_key(|&cell| (std::cmp::Reverse(self.ground.weight(cell)), cell));
        let before = done.len();
        for cell in cells {
            if done.contains(&cell) {
                continue;
            }
            self.place(cell, !self.attacker);
            let answered = self.defend(stones - 1, extra, quiet, done);
            self.take_back(cell, !self.attacker);
            zone.extend(&answered?);
            done.push(cell);
        }
        done.truncate(before);
        Some(zone)
    }

    /// The defender must stop all threats and needs the whole turn for it: one continuation against all ways to do it.
    fn at_once(&mut self, extra: usize, quiet: u16) -> Option<CellSet> {
        let rules = *self.ground.rules();
        let p = rules.p();
        let mut zone = self.danger(p, extra)?;
        if p > MAX_AT_ONCE || !rules.overlines_win() {
            return self.refuse(CertificateFault::NotForced);
        }
        let threats: Vec<Vec<Cell>> =
            self.ground.near(self.attacker, p).map(|window| self.ground.lacks(window)).collect();
        let mut stops = CellSet::default();
        let forced = !hitting(&threats, p - 1, &mut Vec::new(), &mut CellSet::default());
        hitting(&threats, p, &mut Vec::new(), &mut stops);
        if !forced {
            return self.refuse(CertificateFault::NotForced);
        }
        threats.iter().flatten().for_each(|&cell| zone.insert(cell));
        let cells: Vec<Cell> = stops.iter().collect();
        for &cell in &cells {
            self.place(cell, !self.attacker);
        }
        let next = if cells.is_empty() {
            // No turn stops the threats.
            Some(CellSet::default())
        } else {
            self.attack(p, extra, quiet)
        };
        cells.iter().rev().for_each(|&cell| self.take_back(cell, !self.attacker));
        zone.extend(&next?);
        Some(zone)
    }
}

/// Adds the cells of every set of at most `size` cells that hits all of these; whether there is one.
fn hitting(sets: &[Vec<Cell>], size: usize, chosen: &mut Vec<Cell>, found: &mut CellSet) -> bool {
    let Some(open) = sets.iter().find(|set| !set.iter().any(|cell| chosen.contains(cell))) else {
        for &cell in chosen.iter() {
            found.insert(cell);
        }
        return true;
    };
    let mut any = false;
    for &cell in open.iter().filter(|_| size > 0) {
        chosen.push(cell);
        any |= hitting(sets, size - 1, chosen, found);
        chosen.pop();
    }
    any
}

/// The marks of a turn in a certificate, in the highest bits of its first cell.
const AT_ONCE: u16 = 0x8000;

/// Turns as bytes: two per stone.
fn to_bytes(turns: &[ZoneTurn]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for turn in turns {
        for (number, cell) in turn.cells.iter().enumerate() {
            let mark = if number == 0 && turn.at_once { AT_ONCE } else { 0 };
            bytes.extend((cell.index() as u16 | mark).to_le_bytes());
        }
    }
    bytes
}

/// Reads the turns of a certificate, one where one is wanted.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Attack for Reader<'_> {
    fn turns(&mut self, place: &ZonePlace<'_>) -> Vec<ZoneTurn> {
        let Some(bytes) = self.bytes.get(self.at..self.at + 2 * place.left) else {
            return Vec::new();
        };
        self.at += bytes.len();
        let words: Vec<u16> =
            bytes.chunks(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let at_once = words.first().is_some_and(|word| word & AT_ONCE != 0);
        let mark = |number: usize| if number == 0 { AT_ONCE } else { 0 };
        let cells = words.iter().enumerate();
        let cells = cells.map(|(number, word)| Cell::new(usize::from(word & !mark(number))));
        vec![ZoneTurn { cells: cells.collect(), at_once }]
    }
}

/// A fault with the byte and the stones where it was found.
pub(crate) type ZoneFault = (CertificateFault, usize, Vec<Cell>);

/// Checks that a player wins by these turns; says how many places were looked at.
pub(crate) fn check(
    position: &Position,
    attacker: Player,
    bytes: &[u8],
) -> Result<Result<u64, ZoneFault>, CheckError> {
    let mut reader = Reader { bytes, at: 0 };
    let mut walk = Zones::new(position, attacker, &mut reader)?;
    walk.max_steps = MAX_STEPS;
    let shown = walk.show(position, u16::MAX);
    let (places, fault) = (walk.places(), walk.fault.take());
    let left_over = bytes.len() - reader.at;
    Ok(match (shown, fault) {
        (Some(_), _) if left_over == 0 => Ok(places),
        (Some(_), _) => Err((CertificateFault::LeftOver(left_over), reader.at, Vec::new())),
        (None, Some((fault, path))) => Err((fault, reader.at, path)),
        (None, None) => Err((CertificateFault::Ends, reader.at, Vec::new())),
    })
}
