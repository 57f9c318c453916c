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

/// What a checked certificate shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The value of the position.
    pub value: Value,
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
    /// Boards of more than 64 cells have no certificates.
    #[error("the certificate is for a board of {0} cells: at most 64 are checked")]
    TooLarge(usize),
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
    Illegal(u8),
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
    if rules.cells() > 64 {
        return Err(CheckError::TooLarge(rules.cells()));
    }
    if rules.is_renju() {
        return Err(CheckError::Renju);
    }
    let root = Position::from_setup(*rules, &certificate.setup)?;
    for (player, goal) in certificate.value.claims() {
        if !certificate.parts.iter().any(|part| (part.player, part.goal) == (player, goal)) {
            let expected =
                format!("{player} {}", if goal == Goal::Wins { "wins" } else { "holds" });
            return Err(CheckError::Claims { value: certificate.value, expected });
        }
    }
    let mut positions = 0;
    for (number, part) in (1..).zip(&certificate.parts) {
        positions += check_part(&root, number, part)?;
    }
    Ok(Checked { value: certificate.value, positions })
}

/// Checks one claim about a position; says how many positions were looked at.
pub(crate) fn check_part(root: &Position, number: usize, part: &Part) -> Result<u64, CheckError> {
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
        Reason::Strong(bytes) => (bytes, false),
        Reason::Weak(bytes) => (bytes, true),
    };
    let mut walk = Walk {
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
        let moves = match notation::names(rules, position.history()) {
            names if names.is_empty() => "no stone".to_owned(),
            names => names,
        };
        return Err(CheckError::Refused { part: number, byte: walk.at, moves, fault });
    }
    Ok(walk.positions)
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

    /// The cells still lacking in each window that a player can complete.
    fn live(&self, own: u64, other: u64) -> Vec<u64> {
        let windows = self.cells.iter().zip(&self.flanks);
        windows
            .filter(|&(cells, flanks)| cells & other == 0 && flanks & own == 0)
            .map(|(cells, _)| cells & !own)
            .collect()
    }
}

/// Stones, walls and empty cells under the symmetry that makes them least, and the turn.
type Form = (Vec<u8>, Player, usize);

struct Walk<'a> {
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
        let own = self.board.live(mine, theirs);
        let others = self.board.live(theirs, mine);
        let own = if self.weak { Vec::new() } else { own };
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
        let form = self.form(position, &own, &others, (mine, theirs));
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
            position.play(cell).map_err(|_| CertificateFault::Illegal(byte))?;
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
                position.play(cell).map_err(|_| CertificateFault::Illegal(cell.index() as u8))?;
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
                    return Err(CertificateFault::Illegal(byte));
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
        (mine, theirs): (u64, u64),
    ) -> Form {
        let rules = position.rules();
        let exact = !rules.overlines_win();
        let all = if rules.cells() == 64 { u64::MAX } else { (1 << rules.cells()) - 1 };
        // A live window is its stones and the cells it lacks; only windows of the own colour count.
        let covered = |own: u64, other: u64| {
            let live = |index: &usize| self.board.cells[*index] & other == 0;
            let kept = (0..self.board.cells.len()).filter(live);
            kept.fold(0, |set, index| set | self.board.cells[index] & (own | !other))
        };
        let my_cells = if self.weak { 0 } else { covered(mine, theirs) };
        let their_cells = covered(theirs, mine);
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
