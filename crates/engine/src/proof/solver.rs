//! The search for a win by continuous threats: depth first, one attacker turn deeper each time.

use std::collections::HashMap;
use std::sync::Arc;

use collinear_play::Meter;
use collinear_rules::{Cell, Player, Rules};
use collinear_windows::{ThreatCounter, Windows, offsets};

use super::attack::{Attacks, Breadth, Listing, Wanted};
use super::{COUNT_STEPS, Proof, ProofParams, Then};

/// How far a proof search may go.
#[derive(Clone, Copy, Debug)]
pub struct ProofLimits<'a> {
    /// The most turns of the attacker before the threats become too many.
    pub turns: u16,
    /// The most positions with the attacker to move.
    pub nodes: u64,
    /// Asked now and then whether the time is up.
    pub meter: Option<&'a Meter>,
}

impl Default for ProofLimits<'_> {
    fn default() -> Self {
        Self { turns: 40, nodes: u64::MAX, meter: None }
    }
}

/// What a search found out.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The attacker wins.
    Proved(Arc<Proof>),
    /// No win by continuous threats, as far as the attacks tried go.
    Refuted,
    /// A limit was reached first.
    Unknown,
}

impl Verdict {
    /// The proof, if there is one.
    pub fn proof(self) -> Option<Arc<Proof>> {
        match self {
            Self::Proved(proof) => Some(proof),
            Self::Refuted | Self::Unknown => None,
        }
    }
}

/// Searches for wins by continuous threats; remembers what it found for later questions.
#[derive(Clone, Debug)]
pub struct Solver {
    pub(super) rules: Rules,
    pub(super) params: ProofParams,
    /// Whether occupying all covers at once never hurts the defender: where longer rows win.
    pub(super) union_is_sound: bool,
    attacks: Attacks,
    pub(super) counter: ThreatCounter,
    failures: Vec<Failure>,
    pub(super) proved: HashMap<u64, Arc<Proof>>,
    nodes: u64,
    end: u64,
    next_check: u64,
    out_of_depth: bool,
    stopped: bool,
    skipped: Skipped,
}

/// What the passes so far left out: a later pass runs only if it would look at more.
#[derive(Clone, Copy, Debug, Default)]
struct Skipped {
    attacks: bool,
    covers: bool,
    free_stones: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Failure {
    key: u64,
    /// Attacker turns searched in vain.
    turns: u16,
}

/// Failures remembered: 2^16 entries of 16 bytes.
const FAILURES: usize = 1 << 16;
/// Wins remembered before the memory is emptied.
const MAX_PROVED: usize = 1 << 16;
/// Turns of a failure that more depth would not change.
const AT_ANY_DEPTH: u16 = u16::MAX;
/// Positions between two looks at the clock.
const CLOCK_CHECK_NODES: u64 = 16;
impl Solver {
    /// A solver for a game without gravity.
    pub fn new(rules: &Rules) -> Self {
        Self::with_params(rules, &ProofParams::default())
    }

    /// The same with other numbers.
    pub fn with_params(rules: &Rules, params: &ProofParams) -> Self {
        Self {
            rules: *rules,
            params: *params,
            union_is_sound: rules.overlines_win() && !rules.gravity(),
            attacks: Attacks::default(),
            counter: ThreatCounter::with_steps(COUNT_STEPS),
            failures: vec![Failure::default(); FAILURES],
            proved: HashMap::new(),
            nodes: 0,
            end: 0,
            next_check: 0,
            out_of_depth: false,
            stopped: false,
            skipped: Skipped::default(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.failures.fill(Failure::default());
        self.proved.clear();
    }

    /// Positions with the attacker to move, over all searches so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win of `attacker`, who is to move with `left` stones. The windows are put back
    /// as they were.
    pub fn prove(
        &mut self,
        windows: &mut Windows,
        attacker: Player,
        left: usize,
        limits: ProofLimits<'_>,
    ) -> Verdict {
        if !self.begin(left, limits) {
            return Verdict::Unknown;
        }
        let key = stones_key(windows);
        let mut search =
            Search { solver: self, windows, attacker, meter: limits.meter, pass: PASSES[0] };
        let mut verdict = Verdict::Unknown;
        for (number, pass) in PASSES.into_iter().enumerate() {
            let Skipped { attacks, covers, free_stones } = search.solver.skipped;
            if ![true, attacks, covers, free_stones][number] {
                continue;
            }
            search.pass = pass;
            verdict = search.deepen(key, left, limits.turns.max(1));
            if matches!(verdict, Verdict::Proved(_)) || search.solver.stopped {
                break;
            }
        }
        verdict
    }

    /// Makes ready for a question; says whether it can be answered at all.
    pub(super) fn begin(&mut self, left: usize, limits: ProofLimits<'_>) -> bool {
        if self.proved.len() > MAX_PROVED {
            self.proved.clear();
        }
        self.end = self.nodes.saturating_add(limits.nodes);
        self.stopped = false;
        self.skipped = Skipped::default();
        !self.rules.gravity() && left > 0
    }
}

/// The stones alone: proofs may hold more stones of the defender than a game could.
pub(super) fn stones_key(windows: &Windows) -> u64 {
    let geometry = windows.geometry();
    let mut key = 0;
    for (row, line) in geometry.lines().take(geometry.rules().height()).enumerate() {
        for player in Player::BOTH {
            for column in offsets(windows.stones(line, player)) {
                let cell = Cell::new(row * geometry.rules().width() + column);
                key ^= geometry.stone_key(cell, player);
            }
        }
    }
    key
}

/// One way through the same tree: quick and incomplete first, thorough last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    /// The most attacks tried at a position, the most promising first.
    width: Width,
    breadth: Breadth,
    defence: Defence,
    /// Keeps the failures of one pass from being believed in another.
    key: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    /// As many as the parameters say.
    First,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Defence {
    /// All covers at once, where that is sound.
    Union,
    /// All at once, then one by one.
    Each,
}

/// All but the first try every attack at a position.
pub(super) const PASSES: [Pass; 4] = [
    Pass { width: Width::First, breadth: Breadth::Narrow, defence: Defence::Union, key: 0 },
    Pass {
        width: Width::All,
        breadth: Breadth::Narrow,
        defence: Defence::Union,
        key: 0x1d8e_4e27_c47d_124f,
    },
    Pass {
        width: Width::All,
        breadth: Breadth::Narrow,
        defence: Defence::Each,
        key: 0x5bf0_3635_d0c1_e1a7,
    },
    Pass {
        width: Width::All,
        breadth: Breadth::Wide,
        defence: Defence::Each,
        key: 0xa24b_aed4_963e_e407,
    },
];

pub(super) struct Search<'a> {
    pub(super) solver: &'a mut Solver,
    pub(super) windows: &'a mut Windows,
    pub(super) attacker: Player,
    pub(super) meter: Option<&'a Meter>,
    pub(super) pass: Pass,
}

impl Search<'_> {
    /// One attacker turn more each time.
    fn deepen(&mut self, stones: u64, left: usize, most: u16) -> Verdict {
        for turns in 1..=most {
            self.solver.out_of_depth = false;
            if let Some(proof) = self.attack(stones, left, turns) {
                return Verdict::Proved(proof);
            }
            if self.solver.stopped {
                return Verdict::Unknown;
            }
            if !self.solver.out_of_depth {
                return Verdict::Refuted;
            }
        }
        Verdict::Unknown
    }

    /// A proof that the attacker, to move with `left` stones, wins within `turns`; `None`
    /// when there is none or a limit was reached.
    fn attack(&mut self, stones: u64, left: usize, turns: u16) -> Option<Arc<Proof>> {
        // Step 1: limits.
        if self.is_out_of_budget() {
            return None;
        }
        // Step 2: a row within this turn.
        if let Some(turn) = self.row(left) {
            return Some(Arc::new(Proof { turn, then: Then::Row }));
        }
        // Step 3: what is known already.
        let key = stones ^ self.windows.geometry().turn_key(self.attacker, left as u8);
        if let Some(proof) = self.solver.proved.get(&key) {
            return Some(proof.clone());
        }
        let failure = key ^ self.pass.key;
        let known = self.solver.failures[failure as usize % FAILURES];
        if known.key == failure && known.turns >= turns {
            if known.turns != AT_ANY_DEPTH {
                self.solver.out_of_depth = true;
            }
            return None;
        }
        // Step 4: the defender's own threats must be stopped in this turn.
        let p = self.solver.rules.p();
        let defender = !self.attacker;
        let threats = self.solver.counter.count_within(self.windows, defender, p, left);
        if threats > left {
            self.fail(failure, AT_ANY_DEPTH);
            return None;
        }
        // Step 5: every turn that forces the defender.
        let outer_cut = std::mem::replace(&mut self.solver.out_of_depth, false);
        let attacks = self.solver.attacks.list(
            self.windows,
            &mut self.solver.counter,
            self.attacker,
            left,
            Listing {
                breadth: self.pass.breadth,
                wanted: if turns > 1 { Wanted::All } else { Wanted::Wins },
                meter: self.meter,
                params: self.solver.params,
            },
        );
        self.solver.nodes +=
            (self.solver.attacks.sets / self.solver.params.sets_per_position) as u64;
        let width = match self.pass.width {
            Width::First => self.solver.params.first_width,
            Width::All => usize::MAX,
        };
        self.solver.skipped.attacks |= attacks.len() > width;
        self.solver.skipped.free_stones |= self.solver.attacks.left_some_out;
        self.solver.out_of_depth |= turns <= 1 && self.solver.attacks.forces;
        for attack in attacks.into_iter().take(width) {
            let then = if attack.threats > p {
                Some(Then::Overload)
            } else if turns <= 1 {
                break;
            } else {
                self.after(stones, &attack.stones, turns)
            };
            if let Some(then) = then {
                let proof = Arc::new(Proof { turn: attack.stones, then });
                self.solver.proved.insert(key, proof.clone());
                return Some(proof);
            }
            if self.solver.stopped {
                return None;
            }
        }
        let cut = self.solver.out_of_depth;
        self.fail(failure, if cut { turns } else { AT_ANY_DEPTH });
        self.solver.out_of_depth = cut || outer_cut;
        None
    }

    /// What follows a forcing turn, if it wins against every cover.
    fn after(&mut self, stones: u64, turn: &[Cell], turns: u16) -> Option<Then> {
        let stones = self.placed(stones, turn, self.attacker);
        let then = self.defend(stones, turns);
        self.taken_back(turn, self.attacker);
        then
    }

    /// Places stones; gives the key with them.
    pub(super) fn placed(&mut self, mut stones: u64, cells: &[Cell], player: Player) -> u64 {
        for &cell in cells {
            self.windows.place(cell, player);
            stones ^= self.windows.geometry().stone_key(cell, player);
        }
        stones
    }

    pub(super) fn taken_back(&mut self, cells: &[Cell], player: Player) {
        for &cell in cells {
            self.windows.remove(cell, player);
        }
    }

    fn defend(&mut self, stones: u64, turns: u16) -> Option<Then> {
        let max_covers = self.solver.params.max_covers;
        let covers = self.solver.counter.defences(self.windows, self.attacker, max_covers);
        if covers.is_empty() || covers.len() >= max_covers || self.solver.counter.gave_up() {
            return None;
        }
        // Step 6: all covers at once, where more stones never hurt the defender.
        if self.solver.union_is_sound && covers.len() > 1 {
            let mut cells = covers.concat();
            cells.sort_unstable();
            cells.dedup();
            if let Some(next) = self.answer(stones, &cells, turns) {
                return Some(Then::Union { cover: covers[0].clone(), cells, next });
            }
            if self.pass.defence == Defence::Union || self.solver.stopped {
                self.solver.skipped.covers = true;
                return None;
            }
        }
        // Step 7: each cover by itself.
        let mut answers = Vec::with_capacity(covers.len());
        for cover in covers {
            let next = self.answer(stones, &cover, turns)?;
            answers.push((cover, next));
        }
        Some(Then::Covers(answers))
    }

    fn answer(&mut self, stones: u64, cells: &[Cell], turns: u16) -> Option<Arc<Proof>> {
        let defender = !self.attacker;
        let stones = self.placed(stones, cells, defender);
        let proof = self.attack(stones, self.solver.rules.p(), turns - 1);
        self.taken_back(cells, defender);
        proof
    }

    /// The empty cells of a window that the stones left fill; the fewest, so that no stone but the
    /// last completes a row.
    pub(super) fn row(&self, left: usize) -> Option<Vec<Cell>> {
        let (line, empties) = self
            .windows
            .lines_within(self.attacker, left)
            .flat_map(|(line, found)| {
                offsets(found).map(move |offset| (line, self.windows.empties(line, offset)))
            })
            .min_by_key(|(_, empties)| empties.count_ones())?;
        let cells = self.windows.geometry().line_cells(line);
        Some(offsets(empties).map(|index| cells[index]).collect())
    }

    fn fail(&mut self, key: u64, turns: u16) {
        if !self.solver.stopped {
            self.solver.failures[key as usize % FAILURES] = Failure { key, turns };
        }
    }

    pub(super) fn is_out_of_budget(&mut self) -> bool {
        let solver = &mut *self.solver;
        solver.nodes += 1;
        solver.stopped |= solver.nodes > solver.end;
        if solver.nodes >= solver.next_check {
            solver.next_check = solver.nodes + CLOCK_CHECK_NODES;
            solver.stopped |= self.meter.is_some_and(|meter| meter.is_spent(0));
        }
        solver.stopped
    }
}
