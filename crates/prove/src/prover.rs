//! From a position to its value: which questions are asked, in what order, by how many threads.
//!
//! "Does this player complete a row?" is asked for both players, and each time in the weak form
//! too, where the defender's rows do not count: it has fewer positions, and whoever holds there
//! holds. Nobody knows beforehand which form is easier, so all open questions get nodes in turn,
//! twice as many in each round; threads take different questions where there are several.

use std::io::{self, Read, Write};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_rules::{Player, Position};
use sha2::{Digest, Sha256};

use crate::ProveError;
use crate::board::Board;
use crate::certificate::{Certificate, Goal, Part, Reason, Value, setup_of};
use crate::extract::{self, Unwritten};
use crate::node::{Key, Live, NO_LIMIT, Node, Question, Turn};
use crate::refute::Potential;
use crate::search::{Search, Stop, Stopped};
use crate::table::{Entry, Numbers, Table};

/// Nodes for each question in the first round.
const FIRST_ROUND: u64 = 2000;

/// The version of a saved state.
const STATE: u8 = 3;
/// The one before, whose entries are never about a distance.
const STATE_WITHOUT_LIMITS: u8 = 2;

/// For those who let a search run.
pub(crate) const NEVER: fn() -> bool = || false;

/// What ends a proof early, and who is told how it goes.
#[derive(Default)]
pub struct Limits<'a> {
    /// Threads that search; 0 is 1.
    pub threads: usize,
    /// Nodes for the search, those of earlier runs included.
    pub nodes: Option<u64>,
    /// Asked often whether the search is to end.
    pub stop: Option<&'a Stop<'a>>,
    /// Called about every [`PROGRESS`] from the caller's thread.
    pub on: Option<&'a dyn Fn(&Progress)>,
}

/// How often progress is told.
pub const PROGRESS: Duration = Duration::from_millis(200);

/// How far a proof is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes expanded, in all runs.
    pub nodes: u64,
    /// The questions.
    pub questions: Vec<Asked>,
    /// Where the value is known and the distance is sought: whether the row comes within so many stones
    /// is asked now.
    pub within: Option<u32>,
}

/// One question and how far it is from its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Who is to complete a row.
    pub attacker: Player,
    /// Whether the defender's rows are left aside.
    pub weak: bool,
    /// Open nodes to decide for "yes" (0: answered), at least.
    pub proof: u32,
    /// Open nodes to decide for "no" (0: answered), at least.
    pub disproof: u32,
}

/// A proof under way.
pub struct Prover {
    position: Position,
    board: Board,
    potential: Potential,
    table: Table,
    /// By attacker, strong before weak; those that strategy stealing answers are not among them.
    pub(crate) questions: Vec<Question>,
    nodes: AtomicU64,
    /// The distance asked about, or 0.
    within: AtomicU32,
}

impl Prover {
    /// Prepares a proof with a table of this many bytes.
    pub fn new(position: &Position, memory: usize) -> Result<Self, ProveError> {
        if position.is_over() {
            return Err(ProveError::Over);
        }
        let board = Board::new(position.rules())?;
        Ok(Self {
            position: position.clone(),
            potential: Potential::new(&board),
            table: Table::new(memory).ok_or(ProveError::Memory { bytes: memory })?,
            questions: questions(position),
            nodes: AtomicU64::new(0),
            within: AtomicU32::new(0),
            board,
        })
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Puts another position of the same game in the place of this one.
    pub(crate) fn set_position(&mut self, position: &Position) {
        self.position = position.clone();
        self.questions = questions(position);
    }

    /// Nodes expanded so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Finds the value and writes its certificate.
    pub fn run(&self, limits: &Limits<'_>) -> Result<Certificate, ProveError> {
        let value = self.value(limits)?;
        self.certificate(value, limits)
    }

    /// Finds the value.
    pub fn value(&self, limits: &Limits<'_>) -> Result<Value, ProveError> {
        let threads = limits.threads.max(1);
        let schedule = Mutex::new(Schedule::new(self.questions.len(), threads));
        let halts: Vec<AtomicBool> =
            self.questions.iter().map(|_| AtomicBool::new(false)).collect();
        let stop = limits.stop.unwrap_or(&NEVER);
        let nodes = limits.nodes;
        if threads == 1 && limits.on.is_none() {
            // Nobody is to be told anything meanwhile: no thread is needed.
            self.work(&schedule, &halts, stop, nodes);
        } else {
            self.work_on_threads(threads, &schedule, limits.on, &|| {
                self.work(&schedule, &halts, stop, nodes);
            });
        }
        let answers = &locked(&schedule).answers;
        self.value_of(answers).ok_or(ProveError::Stopped { nodes: self.nodes() })
    }

    /// Runs the work on threads of its own, and tells how far it is from this one.
    fn work_on_threads(
        &self,
        threads: usize,
        schedule: &Mutex<Schedule>,
        on: Option<&dyn Fn(&Progress)>,
        work: &(dyn Fn() + Sync),
    ) {
        let ended = Condvar::new();
        std::thread::scope(|scope| {
            let work = || {
                work();
                locked(schedule).working -= 1;
                ended.notify_all();
            };
            let begin = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let started = (0..threads).filter_map(begin).count();
            // Where the system has no thread to spare, those that there are search, or this one.
            locked(schedule).working -= threads - started.max(1);
            if started == 0 {
                work();
            }
            let mut state = locked(schedule);
            while state.working > 0 {
                state =
                    ended.wait_timeout(state, PROGRESS).unwrap_or_else(PoisonError::into_inner).0;
                if let Some(on) = on {
                    drop(state);
                    on(&self.progress());
                    state = locked(schedule);
                }
            }
        });
    }

    /// One thread: a slice of an open question, and the next.
    fn work(
        &self,
        schedule: &Mutex<Schedule>,
        halts: &[AtomicBool],
        stop: &Stop<'_>,
        nodes: Option<u64>,
    ) {
        loop {
            let (index, most) = {
                let mut schedule = locked(schedule);
                let used = self.nodes();
                let room = nodes.map_or(u64::MAX, |most| most.saturating_sub(used));
                if stop() || room == 0 || self.value_of(&schedule.answers).is_some() {
                    return;
                }
                let open: Vec<usize> = (0..self.questions.len())
                    .filter(|&index| self.is_open(&schedule.answers, index))
                    .collect();
                let Some((index, share)) = schedule.take(open) else { return };
                (index, share.min(room))
            };
            let question = self.questions[index];
            let mut search = self.search(question, (&halts[index], stop));
            search.most = most;
            let found = search.solve(&self.root(question.attacker));
            search.count_rest();
            let mut schedule = locked(schedule);
            schedule.running[index] -= 1;
            if let Ok(wins) = found {
                schedule.answers[index] = Some(wins);
                for (other, halt) in halts.iter().enumerate() {
                    if !self.is_open(&schedule.answers, other) {
                        halt.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    pub(crate) fn search<'a>(
        &'a self,
        question: Question,
        stops: (&'a AtomicBool, &'a Stop<'a>),
    ) -> Search<'a> {
        Search::new(&self.board, &self.potential, &self.table, question, stops, &self.nodes)
    }

    /// How many stones the attacker of a node places before its limit.
    pub(crate) fn stones_in_time(&self, node: &Node) -> u32 {
        let (mover, other) = node.in_time(self.board.p);
        if node.turn.attacks { mover } else { other }
    }

    /// The position from the attacker's point of view.
    pub(crate) fn root(&self, attacker: Player) -> Node {
        node_of(&self.position, attacker)
    }

    /// Whether this player completes a row, as far as the answers tell.
    fn wins(&self, answers: &[Option<bool>], attacker: Player) -> Option<bool> {
        let of = |weak| {
            let asked = self.questions.iter().zip(answers);
            asked.filter(|(q, _)| **q == Question { attacker, weak }).find_map(|(_, a)| *a)
        };
        let asked = self.questions.iter().any(|question| question.attacker == attacker);
        match (of(false), of(true)) {
            _ if !asked => Some(false),
            (Some(wins), _) => Some(wins),
            (None, Some(false)) => Some(false),
            (None, _) => None,
        }
    }

    /// The value that these answers to the questions make.
    pub(crate) fn value_of(&self, answers: &[Option<bool>]) -> Option<Value> {
        let [black, white] = Player::BOTH.map(|attacker| self.wins(answers, attacker));
        match (black, white) {
            (Some(true), _) => Some(Value::Won(Player::Black)),
            (_, Some(true)) => Some(Value::Won(Player::White)),
            (Some(false), Some(false)) => Some(Value::Draw),
            _ => None,
        }
    }

    /// Whether the answer to this question would still tell something.
    pub(crate) fn is_open(&self, answers: &[Option<bool>], index: usize) -> bool {
        answers[index].is_none()
            && self.wins(answers, self.questions[index].attacker).is_none()
            && self.value_of(answers).is_none()
    }

    /// How far the questions are.
    pub fn progress(&self) -> Progress {
        let asked = |question: &Question| {
            let entry = self.table.get(&self.root_key(*question));
            let Numbers { proof, disproof } =
                entry.map_or(Numbers { proof: 1, disproof: 1 }, |entry| entry.numbers);
            Asked { attacker: question.attacker, weak: question.weak, proof, disproof }
        };
        let questions = self.questions.iter().map(asked).collect();
        let within = self.within.load(Ordering::Relaxed);
        Progress { nodes: self.nodes(), questions, within: (within > 0).then_some(within) }
    }

    fn root_key(&self, question: Question) -> Key {
        self.key_of(question, &self.root(question.attacker))
    }

    /// Whether these stones of one player complete a row.
    pub(crate) fn has_row(&self, stones: u64) -> bool {
        self.board.has_row(stones)
    }

    /// The key of a node.
    pub(crate) fn key_of(&self, question: Question, node: &Node) -> Key {
        let mut live = Live::default();
        live.find(&self.board, question, node);
        live.key(&self.board, question, node)
    }

    /// The node after a stone.
    pub(crate) fn after(&self, node: &Node, cell: u64) -> Node {
        node.play(&self.board, cell)
    }

    /// Puts what is known of a position into the table.
    pub(crate) fn remember(&self, key: &Key, numbers: Numbers) {
        self.table.put(key, Entry { numbers, effort: 1 });
    }

    /// Answers one question within a number of nodes.
    pub(crate) fn ask(&self, question: Question, limits: &Limits<'_>) -> Result<bool, Stopped> {
        let halt = AtomicBool::new(false);
        let mut search = self.search(question, (&halt, limits.stop.unwrap_or(&NEVER)));
        search.most = limits.nodes.unwrap_or(u64::MAX);
        let found = search.solve(&self.root(question.attacker));
        search.count_rest();
        found
    }

    /// Writes the certificate of a value that [`value`](Self::value) found.
    pub(crate) fn certificate(
        &self,
        value: Value,
        limits: &Limits<'_>,
    ) -> Result<Certificate, ProveError> {
        let claims = value.claims().into_iter();
        let parts: Result<Vec<Part>, ProveError> =
            claims.map(|claim| self.part(claim, limits)).collect();
        let rules = *self.position.rules();
        let setup = setup_of(&self.position);
        Ok(Certificate { rules, setup, value, stones: None, parts: parts? })
    }

    /// Shows one claim that the search has found to be true.
    pub(crate) fn part(
        &self,
        (player, goal): (Player, Goal),
        limits: &Limits<'_>,
    ) -> Result<Part, ProveError> {
        let reason = match goal {
            Goal::Wins => Reason::Strong(self.strategy(player, false, goal, limits)?),
            Goal::Holds if player == Player::Black && stealing(&self.position) => Reason::Stealing,
            Goal::Holds if self.is_answered(!player, true) == Some(false) => {
                Reason::Weak(self.strategy(!player, true, goal, limits)?)
            }
            Goal::Holds => Reason::Strong(self.strategy(!player, false, goal, limits)?),
        };
        Ok(Part { player, goal, reason })
    }

    /// What the table says of a question about the position.
    pub(crate) fn is_answered(&self, attacker: Player, weak: bool) -> Option<bool> {
        let halt = AtomicBool::new(false);
        let mut search = self.search(Question { attacker, weak }, (&halt, &NEVER));
        search.look(&self.root(attacker)).numbers.verdict()
    }

    pub(crate) fn strategy(
        &self,
        attacker: Player,
        weak: bool,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Vec<u8>, ProveError> {
        self.strategy_from(&self.root(attacker), Question { attacker, weak }, goal, limits)
    }

    pub(crate) fn strategy_from(
        &self,
        root: &Node,
        question: Question,
        goal: Goal,
        limits: &Limits<'_>,
    ) -> Result<Vec<u8>, ProveError> {
        let halt = AtomicBool::new(false);
        let mut search = self.search(question, (&halt, limits.stop.unwrap_or(&NEVER)));
        let written = extract::strategy(&mut search, root, goal);
        search.count_rest();
        written.map_err(|why| self.unwritten(why))
    }

    /// Decides one node, with all threads; the nodes are those of all runs.
    pub(crate) fn decide(
        &self,
        question: Question,
        node: &Node,
        limits: &Limits<'_>,
    ) -> Result<bool, Stopped> {
        self.within.store(u32::from(node.rest), Ordering::Relaxed);
        let threads = limits.threads.max(1);
        let (halt, answer) = (AtomicBool::new(false), Mutex::new(None));
        let room = limits.nodes.map_or(u64::MAX, |most| most.saturating_sub(self.nodes()));
        let stop = limits.stop.unwrap_or(&NEVER);
        let work = || {
            let mut search = self.search(question, (&halt, stop));
            search.most = room / threads as u64;
            if let Ok(wins) = search.solve(node) {
                *answer.lock().unwrap_or_else(PoisonError::into_inner) = Some(wins);
                halt.store(true, Ordering::Relaxed);
            }
            search.count_rest();
        };
        if threads == 1 && limits.on.is_none() {
            work();
        } else {
            self.work_on_threads(threads, &Mutex::new(Schedule::new(0, threads)), limits.on, &work);
        }
        answer.into_inner().unwrap_or_else(PoisonError::into_inner).ok_or(Stopped)
    }

    pub(crate) fn unwritten(&self, why: Unwritten) -> ProveError {
        match why {
            Unwritten::Stopped => ProveError::Stopped { nodes: self.nodes() },
            Unwritten::Contradicted => ProveError::DamagedState,
        }
    }

    /// Writes what the search knows, so that another run can go on.
    pub fn save(&self, out: &mut impl Write) -> io::Result<()> {
        let mut out = Hashed { inner: out, hash: Sha256::new() };
        out.write_all(self.title(STATE).as_bytes())?;
        out.write_all(&self.nodes().to_le_bytes())?;
        self.table.save(&mut out)?;
        let hash = out.hash.finalize();
        out.inner.write_all(&hash)
    }

    /// Reads what [`save`](Self::save) wrote for the same position.
    pub fn load(&self, input: &mut impl Read) -> Result<(), ProveError> {
        let mut input = Hashed { inner: input, hash: Sha256::new() };
        let title = self.title(STATE);
        let mut found = vec![0; title.len()];
        input.read_exact(&mut found).map_err(ProveError::state)?;
        let knows_limits = found == title.as_bytes();
        if !knows_limits && found != self.title(STATE_WITHOUT_LIMITS).as_bytes() {
            return Err(ProveError::OtherState { expected: title.trim_end().replace('\n', ", ") });
        }
        let mut nodes = [0; 8];
        input.read_exact(&mut nodes).map_err(ProveError::state)?;
        self.table.load(&mut input, knows_limits).map_err(ProveError::state)?;
        let hash = input.hash.finalize();
        let mut expected = [0; 32];
        input.inner.read_exact(&mut expected).map_err(ProveError::state)?;
        if hash[..] != expected {
            return Err(ProveError::DamagedState);
        }
        self.nodes.store(u64::from_le_bytes(nodes), Ordering::Relaxed);
        Ok(())
    }

    fn title(&self, version: u8) -> String {
        let setup = setup_of(&self.position);
        format!(
            "collinear proof state {version}\ngame {}\nposition {:?} {:?} {} {}\n",
            self.position.rules(),
            setup.black.iter().map(|cell| cell.index()).collect::<Vec<_>>(),
            setup.white.iter().map(|cell| cell.index()).collect::<Vec<_>>(),
            self.position.to_move(),
            self.position.stones_left(),
        )
    }
}

/// What is asked about a position: by attacker, strong before weak.
fn questions(position: &Position) -> Vec<Question> {
    // With gravity none of the arguments that the weak form is good for holds, and the defender's
    // threats are missed.
    let forms: &[bool] = if position.rules().gravity() { &[false] } else { &[false, true] };
    let attackers = Player::BOTH
        .into_iter()
        .filter(|&attacker| attacker == Player::Black || !stealing(position));
    attackers
        .flat_map(|attacker| forms.iter().map(move |&weak| Question { attacker, weak }))
        .collect()
}

/// A position from the attacker's point of view.
pub(crate) fn node_of(position: &Position, attacker: Player) -> Node {
    let stones = Board::stones(position);
    let turn = Turn { attacks: position.to_move() == attacker, left: position.stones_left() as u8 };
    let (attack, defence) = (stones[attacker.index()], stones[(!attacker).index()]);
    Node { attack, defence, turn, rest: NO_LIMIT }
}

/// Whether Black, to move on the empty board, cannot lose: an extra stone never harms, and Black's
/// first turn has as many stones as any (the proof is in `docs/prove.md`).
fn stealing(position: &Position) -> bool {
    let rules = position.rules();
    position.stone_count() == 0
        && position.to_move() == Player::Black
        && position.stones_left() >= rules.p()
        && !rules.gravity()
        && rules.overlines_win()
}

/// What the threads share.
struct Schedule {
    answers: Vec<Option<bool>>,
    /// Slices given to each question so far.
    rounds: Vec<u32>,
    running: Vec<u32>,
    /// Threads that have not ended.
    working: usize,
}

impl Schedule {
    fn new(questions: usize, threads: usize) -> Self {
        Self {
            answers: vec![None; questions],
            rounds: vec![0; questions],
            running: vec![0; questions],
            working: threads,
        }
    }

    /// The open question that fewest threads work on and that had the fewest slices.
    fn take(&mut self, open: Vec<usize>) -> Option<(usize, u64)> {
        let index =
            open.into_iter().min_by_key(|&index| (self.running[index], self.rounds[index]))?;
        let share = FIRST_ROUND << self.rounds[index].min(40);
        self.running[index] += 1;
        self.rounds[index] += 1;
        Some((index, share))
    }
}

fn locked(schedule: &Mutex<Schedule>) -> MutexGuard<'_, Schedule> {
    schedule.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hashes what passes through.
struct Hashed<'a, T> {
    inner: &'a mut T,
    hash: Sha256,
}

impl<T: Write> Write for Hashed<'_, T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Hashed<'_, T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.hash.update(&bytes[..read]);
        Ok(read)
    }
}
