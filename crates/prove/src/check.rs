//! The checker: replays a certificate against the rules and believes nothing else.
//!
//! It shares no code with the search. Positions are `rules::Position`s; windows, threats and the
//! form under which positions are the same are worked out anew, in the plainest way.
//! The walk and its arguments are described in `docs/prove.md`, and a second checker in Python
//! follows the same description.

use std::collections::HashSet;

use collinear_rules::{
    Cell, Geometry, InvalidSetup, Outcome, Player, Position, Rules, Symmetry, notation,
};
use thiserror::Error;

use crate::certificate::{Certificate, Goal, Part, Reason, Value};
use crate::zones;

/// What a checked certificate shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The value of the position.
    pub value: Value,
    /// Stones until the winner's row is complete, where the certificate tells.
    pub stones: Option<u32>,
    /// Positions looked at.
    pub positions: u64,
}

/// Why a certificate is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// The stones make no position.
    #[error("the certificate's position is impossible: {0}")]
    Position(#[from] InvalidSetup),
    /// Boards of more than 64 cells have certificates with zones only.
    #[error("the strategy is for a board of {0} cells: at most 64 are checked")]
    TooLarge(usize),
    /// Extra stones do not stay where they are put.
    #[error("there are no zones with gravity")]
    ZonesWithGravity,
    /// Stones that are forbidden to one player break the arguments of certificates.
    #[error("there are no certificates for renju")]
    Renju,
    /// The claims are not those that show the value.
    #[error("the claims do not show the value {value}: {expected} is missing")]
    Claims {
        /// The value announced.
        value: Value,
        /// The claim that is missing.
        expected: String,
    },
    /// A row cannot take more stones than there are empty cells.
    #[error("the distance is longer than the board has empty cells")]
    TooLong,
    /// Zones tell nothing else.
    #[error("part {part}: zones show that somebody wins, within any number of stones")]
    ZonesForWins {
        /// The part, from 1.
        part: usize,
    },
    /// A claim rests on a strategy-stealing argument that does not apply.
    #[error(
        "part {part}: strategy stealing needs the empty board, no gravity, rows longer than k that win, q at least p, and Black to hold"
    )]
    Stealing {
        /// The part, from 1.
        part: usize,
    },
    /// A strategy fails.
    #[error("part {part}, byte {byte}, after {moves}: {fault}")]
    Refused {
        /// The part, from 1.
        part: usize,
        /// The place in its strategy.
        byte: usize,
        /// The stones placed since the certificate's position.
        moves: String,
        /// What is wrong there.
        fault: CertificateFault,
    },
}

/// What is wrong with a strategy at some place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CertificateFault {
    /// The strategy ends although positions are left.
    #[error("the strategy ends here, although this position is not shown")]
    Ends,
    /// Bytes are left over.
    #[error("{0} bytes are left over")]
    LeftOver(usize),
    /// A stone that cannot be placed.
    #[error("cell {0} cannot be played")]
    Illegal(usize),
    /// The walk through a certificate with zones takes too long.
    #[error("going through the defender's turns takes too long")]
    TooLong,
    /// A turn of the wrong length.
    #[error("the turn has {0} stones")]
    TurnLength(usize),
    /// Threats that a part of the defender's turn stops, or rules under which more stones may harm.
    #[error("the defender is not forced to use the whole turn against the threats")]
    NotForced,
    /// A byte that means nothing.
    #[error("byte {0:#04x} is neither a cell nor a reason")]
    Unknown(u8),
    /// The opponent completes a row.
    #[error("the opponent completes a row at once")]
    OpponentCompletes,
    /// The player can no longer complete a row.
    #[error("no row is left for the player who is to win")]
    NoRowLeft,
    /// The groups are not disjoint sets of `p + 1` empty cells, or the argument does not apply.
    #[error("the groups of cells make no defence here: {0}")]
    Groups(&'static str),
    /// The potential is too high.
    #[error("the potential {sum} is not below {bound}")]
    Potential {
        /// What was found, rounded down to thousandths.
        sum: String,
        /// What it had to be below.
        bound: String,
    },
    /// Answering on top does not hold.
    #[error("answering on top of every stone does not hold here")]
    FollowUp,
}

/// Checks every claim of a certificate.
///
/// ```
/// use collinear_prove::{Limits, Prover, check};
/// use collinear_rules::{Position, Rules};
///
/// let prover = Prover::new(&Position::new(Rules::TICTACTOE), 1 << 20)?;
/// let certificate = prover.run(&Limits::default())?;
/// assert_eq!(check(&certificate)?.value, collinear_prove::Value::Draw);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(certificate: &Certificate) -> Result<Checked, CheckError> {
    let rules = &certificate.rules;
    if rules.is_renju() {
        return Err(CheckError::Renju);
    }
    let root = Position::from_setup(*rules, &certificate.setup)?;
    if certificate.stones.is_some_and(|stones| stones as usize > root.empty_count()) {
        return Err(CheckError::TooLong);
    }
    for (player, goal) in certificate.claims() {
        if !certificate.parts.iter().any(|part| (part.player, part.goal) == (player, goal)) {
            let expected =
                format!("{player} {}", if goal == Goal::Wins { "wins" } else { "holds" });
            return Err(CheckError::Claims { value: certificate.value, expected });
        }
    }
    let mut positions = 0;
    for (number, part) in (1..).zip(&certificate.parts) {
        positions += check_part(&root, number, part, certificate.within(part.goal))?;
    }
    Ok(Checked { value: certificate.value, stones: certificate.stones, positions })
}

/// Checks one claim about a position and the next stones, all of them without a limit; says how many
/// positions were looked at.
pub(crate) fn check_part(
    root: &Position,
    number: usize,
    part: &Part,
    within: Option<u32>,
) -> Result<u64, CheckError> {
    let rules = root.rules();
    let (bytes, weak) = match &part.reason {
        Reason::Stealing => {
            let fits = root.stone_count() == 0
                && (root.to_move(), part.player, part.goal)
                    == (Player::Black, Player::Black, Goal::Holds)
                && root.stones_left() >= rules.p()
                && !rules.gravity()
                && rules.overlines_win();
            return if fits { Ok(0) } else { Err(CheckError::Stealing { part: number }) };
        }
        Reason::Zones(bytes) if within.is_none() && part.goal == Goal::Wins => {
            let checked = zones::check(root, part.player, bytes)?;
            return checked.map_err(|(fault, byte, path)| CheckError::Refused {
                part: number,
                byte,
                moves: moves_text(rules, &path),
                fault,
            });
        }
        Reason::Zones(_) => return Err(CheckError::ZonesForWins { part: number }),
        Reason::Strong(bytes) => (bytes, false),
        Reason::Weak(bytes) => (bytes, true),
    };
    if rules.cells() > 64 {
        return Err(CheckError::TooLarge(rules.cells()));
    }
    // Stones of the player who defends complete nothing.
    let attacker = if part.goal == Goal::Wins { part.player } else { !part.player };
    let attacking = |stones| stones_of(root, stones)[attacker.index()];
    let last = within.map(|within| {
        let mut within = within as usize;
        while within > 0 && attacking(within) == attacking(within - 1) {
            within -= 1;
        }
        root.stone_count() + within
    });
    let mut walk = Walk {
        last,
        board: Windows::new(rules),
        player: part.player,
        goal: part.goal,
        weak,
        bytes,
        at: 0,
        shown: HashSet::new(),
        positions: 0,
    };
    let mut position = root.clone();
    let walked = walk.show(&mut position).and_then(|()| match bytes.len() - walk.at {
        0 => Ok(()),
        more => Err(CertificateFault::LeftOver(more)),
    });
    if let Err(fault) = walked {
        let moves = moves_text(rules, position.history());
        return Err(CheckError::Refused { part: number, byte: walk.at, moves, fault });
    }
    Ok(walk.positions)
}

/// The stones before a fault.
fn moves_text(rules: &Rules, stones: &[Cell]) -> String {
    match notation::names(rules, stones) {
        names if names.is_empty() => "no stone".to_owned(),
        names => names,
    }
}

/// The windows of a board as lists of cells, and its symmetries.
struct Windows {
    cells: Vec<u64>,
    flanks: Vec<u64>,
    symmetries: Vec<Vec<usize>>,
}

impl Windows {
    fn new(rules: &Rules) -> Self {
        let geometry = Geometry::new(*rules);
        let set = |cells: &[Cell]| cells.iter().fold(0, |set, cell| set | 1 << cell.index());
        let flanks = |id| -> Vec<Cell> {
            let beside = geometry.window_flanks(id).into_iter().flatten();
            beside.filter(|_| !rules.overlines_win()).collect()
        };
        Self {
            cells: geometry.windows().map(|id| set(geometry.window_cells(id))).collect(),
            flanks: geometry.windows().map(|id| set(&flanks(id))).collect(),
            symmetries: Symmetry::of(rules)
                .iter()
                .map(|symmetry| {
                    rules.all_cells().map(|cell| symmetry.apply(rules, cell).index()).collect()
                })
                .collect(),
        }
    }

    /// The cells still lacking in each window that a player can complete with this many stones.
    fn live(&self, own: u64, other: u64, stones: usize) -> Vec<u64> {
        let windows = self.cells.iter().zip(&self.flanks);
        windows
            .filter(|&(cells, flanks)| cells & other == 0 && flanks & own == 0)
            .map(|(cells, _)| cells & !own)
            .filter(|lacks| lacks.count_ones() as usize <= stones)
            .collect()
    }
}

/// Stones, walls and empty cells under the symmetry that makes them least, the turn, and the stones
/// left of a limit.
type Form = (Vec<u8>, Player, usize, Option<usize>);

/// How many of the next stones each player places.
fn stones_of(position: &Position, next: usize) -> [usize; 2] {
    let (mut player, mut left) = (position.to_move(), position.stones_left());
    let mut stones = [0; 2];
    for _ in 0..next {
        if left == 0 {
            (player, left) = (!player, position.rules().p());
        }
        stones[player.index()] += 1;
        left -= 1;
    }
    stones
}

struct Walk<'a> {
    /// The stone, counted from the empty board, after which nothing matters any more.
    last: Option<usize>,
    board: Windows,
    player: Player,
    goal: Goal,
    weak: bool,
    bytes: &'a [u8],
    at: usize,
    shown: HashSet<Form>,
    positions: u64,
}

impl Walk<'_> {
    /// Shows that the player achieves the goal; on a fault the position stays where it was found.
    fn show(&mut self, position: &mut Position) -> Result<(), CertificateFault> {
        self.positions += 1;
        // A holder who makes no use of own rows may complete one: the game is over.
        if position.outcome() == Outcome::Won(self.player) {
            return Ok(());
        }
        let rules = *position.rules();
        let stones = |player| position.stones(player).fold(0_u64, |set, c| set | 1 << c.index());
        let (mine, theirs) = (stones(self.player), stones(!self.player));
        let rest = self.last.map(|last| last.saturating_sub(position.stone_count()));
        let in_time = rest.map_or([usize::MAX; 2], |rest| stones_of(position, rest));
        let [my_stones, their_stones] =
            [self.player, !self.player].map(|player| in_time[player.index()]);
        let my_stones = if self.weak { 0 } else { my_stones };
        let own = self.board.live(mine, theirs, my_stones);
        let others = self.board.live(theirs, mine, their_stones);
        let mut legal = position.legal_cells();
        legal.sort_unstable();
        let playable = legal.iter().fold(0_u64, |set, cell| set | 1 << cell.index());
        let to_move = position.to_move() == self.player;
        let left = position.stones_left() as u32;

        // 1. Whoever completes a row with this turn has done so. With gravity: with this stone.
        let completes = |windows: &[u64]| {
            windows.iter().any(|window| {
                let lacks = window.count_ones();
                if rules.gravity() { lacks == 1 && window & playable != 0 } else { lacks <= left }
            })
        };
        if to_move && completes(&own) {
            return Ok(());
        }
        if !to_move && completes(&others) {
            return Err(CertificateFault::OpponentCompletes);
        }
        // 2. Nobody completes a row where none is left.
        match self.goal {
            Goal::Holds if others.is_empty() => return Ok(()),
            Goal::Wins if own.is_empty() => return Err(CertificateFault::NoRowLeft),
            _ => {}
        }
        // 3. What is shown once is shown.
        let (signs, player, stones_left) =
            self.form(position, &own, &others, [(mine, my_stones), (theirs, their_stones)]);
        let form = (signs, player, stones_left, rest);
        if self.shown.contains(&form) {
            return Ok(());
        }
        // 4. A holder may give a reason.
        if self.goal == Goal::Holds {
            let next = self.bytes.get(self.at).copied();
            if !to_move || next.is_some_and(|byte| byte >= 0x80) {
                let shown = self.reason(&rules, position, &others)?;
                if shown {
                    self.shown.insert(form);
                    return Ok(());
                }
                if to_move {
                    return Err(CertificateFault::Unknown(0xfe));
                }
            }
        }
        // 5. One stone of the player, or every stone of the opponent that matters.
        if to_move {
            let byte = *self.bytes.get(self.at).ok_or(CertificateFault::Ends)?;
            let cell = Cell::new(usize::from(byte));
            position.play(cell).map_err(|_| CertificateFault::Illegal(usize::from(byte)))?;
            self.at += 1;
            self.show(position)?;
            position.undo();
        } else {
            let p = rules.p() as u32;
            let threats = own.iter().filter(|window| window.count_ones() <= p && !rules.gravity());
            let cover = threats.min_by_key(|window| (window.count_ones(), **window));
            let lines: Vec<u64> = own.iter().chain(&others).copied().collect();
            for cell in legal {
                let bit = 1 << cell.index();
                let idle =
                    !rules.gravity() && rules.overlines_win() && dominated(bit, playable, &lines);
                if idle || cover.is_some_and(|window| window & bit == 0) {
                    continue;
                }
                position.play(cell).map_err(|_| CertificateFault::Illegal(cell.index()))?;
                self.show(position)?;
                position.undo();
            }
        }
        self.shown.insert(form);
        Ok(())
    }

    fn take(&mut self) -> Result<u8, CertificateFault> {
        let byte = *self.bytes.get(self.at).ok_or(CertificateFault::Ends)?;
        self.at += 1;
        Ok(byte)
    }

    /// Reads a reason and checks it; false when every move is to be shown.
    fn reason(
        &mut self,
        rules: &Rules,
        position: &Position,
        others: &[u64],
    ) -> Result<bool, CertificateFault> {
        let to_move = position.to_move() == self.player;
        let left = position.stones_left();
        let checked = match self.take()? {
            0xfe => return Ok(false),
            0x80 => self.groups(rules, position, others),
            0x81 if rules.gravity() || (!to_move && left > rules.p()) => {
                Err(CertificateFault::Potential {
                    sum: "infinite".to_owned(),
                    bound: "anything".to_owned(),
                })
            }
            0x81 => {
                let p = rules.p() as f64;
                let weight = |window: &u64| (1.0 + p).powf(-f64::from(window.count_ones()) / p);
                let sum: f64 = others.iter().map(weight).sum();
                let whole_turn = to_move && left == rules.p();
                let bound = if whole_turn { 1.0 } else { 1.0 / (1.0 + p) };
                if sum < bound * (1.0 - 1e-9) {
                    Ok(())
                } else {
                    Err(CertificateFault::Potential {
                        sum: format!("{sum:.6}"),
                        bound: format!("{bound:.6}"),
                    })
                }
            }
            0x82 => follow_up(rules, position, others, to_move),
            byte => Err(CertificateFault::Unknown(byte)),
        };
        checked.map(|()| true)
    }

    /// Disjoint groups of `p + 1` empty cells, one inside each of the opponent's live windows.
    fn groups(
        &mut self,
        rules: &Rules,
        position: &Position,
        others: &[u64],
    ) -> Result<(), CertificateFault> {
        let count = self.take()?;
        if rules.gravity()
            || position.to_move() == self.player
            || position.stones_left() > rules.p()
        {
            return Err(CertificateFault::Groups(
                "the opponent must begin a turn of at most p stones",
            ));
        }
        let mut used = 0_u64;
        let mut groups = Vec::new();
        for _ in 0..count {
            let mut group = 0;
            for _ in 0..=rules.p() {
                let byte = self.take()?;
                let cell = Cell::new(usize::from(byte));
                if position.check(cell).is_err() {
                    return Err(CertificateFault::Illegal(usize::from(byte)));
                }
                if (used | group) & 1 << byte != 0 {
                    return Err(CertificateFault::Groups("a cell is in two groups"));
                }
                group |= 1 << byte;
            }
            used |= group;
            groups.push(group);
        }
        let stopped = |window: &u64| groups.iter().any(|group| group & window == *group);
        if others.iter().all(stopped) {
            Ok(())
        } else {
            Err(CertificateFault::Groups("a row of the opponent holds no group"))
        }
    }

    /// What makes positions the same: stones that can be in a row, empty cells that can, walls.
    fn form(
        &self,
        position: &Position,
        own: &[u64],
        others: &[u64],
        [(mine, my_stones), (theirs, their_stones)]: [(u64, usize); 2],
    ) -> (Vec<u8>, Player, usize) {
        let rules = position.rules();
        let exact = !rules.overlines_win();
        let all = if rules.cells() == 64 { u64::MAX } else { (1 << rules.cells()) - 1 };
        // A live window is its stones and the cells it lacks; only windows of the own colour count.
        let covered = |own: u64, other: u64, stones: usize| {
            let live = |index: &usize| {
                let cells = self.board.cells[*index];
                cells & other == 0 && (cells & !own).count_ones() as usize <= stones
            };
            let kept = (0..self.board.cells.len()).filter(live);
            kept.fold(0, |set, index| set | self.board.cells[index] & (own | !other))
        };
        let my_cells = if self.weak { 0 } else { covered(mine, theirs, my_stones) };
        let their_cells = covered(theirs, mine, their_stones);
        let alive = own.iter().chain(others).fold(0, |set, window| set | window);
        let sign = |cell: usize| {
            let is_in = |set: u64| set >> cell & 1 != 0;
            match (is_in(mine), is_in(theirs)) {
                (true, _) if exact || is_in(my_cells) => 1,
                (_, true) if exact || is_in(their_cells) => 2,
                (false, false) if exact || rules.gravity() || is_in(alive) => 0,
                _ => 3,
            }
        };
        let signs: Vec<u8> = (0..all.count_ones() as usize).map(sign).collect();
        let images = self.board.symmetries.iter().map(|to| {
            let mut image = vec![0; signs.len()];
            for (cell, &sign) in signs.iter().enumerate() {
                image[to[cell]] = sign;
            }
            image
        });
        (images.min().unwrap_or_default(), position.to_move(), position.stones_left())
    }
}

/// Whether another empty cell is in every live window of either player that holds this one, and
/// in more of them or before it.
fn dominated(cell: u64, empty: u64, lines: &[u64]) -> bool {
    let common = |cell: u64| {
        lines.iter().filter(|line| *line & cell != 0).fold(empty, |set, line| set & line)
    };
    let better = common(cell) & !cell;
    (0..64)
        .map(|index| 1 << index)
        .any(|other: u64| better & other != 0 && (common(other) & cell == 0 || other < cell))
}

/// With gravity and one stone per turn: every column has an even number of empty cells, and every
/// row of the opponent needs a cell that the answer on top takes.
fn follow_up(
    rules: &Rules,
    position: &Position,
    others: &[u64],
    to_move: bool,
) -> Result<(), CertificateFault> {
    if !rules.gravity() || rules.p() != 1 || to_move || position.stones_left() != 1 {
        return Err(CertificateFault::FollowUp);
    }
    let mut answers = 0_u64;
    for column in 0..rules.width() {
        let rows = (0..rules.height()).filter_map(|row| rules.cell(column, row));
        let empty: Vec<Cell> = rows.filter(|&cell| position.is_empty(cell)).collect();
        if !empty.len().is_multiple_of(2) {
            return Err(CertificateFault::FollowUp);
        }
        for answer in empty.iter().skip(1).step_by(2) {
            answers |= 1 << answer.index();
        }
    }
    if others.iter().all(|window| window & answers != 0) {
        Ok(())
    } else {
        Err(CertificateFault::FollowUp)
    }
}
