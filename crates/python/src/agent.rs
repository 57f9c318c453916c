//! `collinear.Agent`: any player of the registry, an engine process included, asked by Python.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use collinear_play::{AgentChoice, Budget, Report, Turn, Value, ask};
use collinear_rules::{Cell, Rules, notation};
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::{AgentError, SpecError, value_error};
use crate::{interrupt, players};

/// What one turn may cost: any of seconds, nodes and depth in stones.
///
/// >>> import collinear as cl
/// >>> cl.Limit(time=0.1, nodes=50_000)
/// Limit(time=0.1, nodes=50000, depth=None)
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Limit {
    /// Seconds.
    time: Option<f64>,
    /// Positions looked at.
    nodes: Option<u64>,
    /// Stones ahead.
    depth: Option<u32>,
}

#[pymethods]
impl Limit {
    #[new]
    #[pyo3(signature = (time=None, *, nodes=None, depth=None))]
    fn new(time: Option<f64>, nodes: Option<u64>, depth: Option<u32>) -> PyResult<Self> {
        if let Some(time) = time {
            Duration::try_from_secs_f64(time)
                .map_err(|_| value_error(format!("time={time} is not a number of seconds")))?;
        }
        if nodes == Some(0) || depth == Some(0) {
            return Err(value_error("nodes and depth start at 1"));
        }
        Ok(Self { time, nodes, depth })
    }

    fn __repr__(&self) -> String {
        let shown = |text: Option<String>| text.unwrap_or_else(|| "None".to_owned());
        format!(
            "Limit(time={}, nodes={}, depth={})",
            shown(self.time.map(|time| time.to_string())),
            shown(self.nodes.map(|nodes| nodes.to_string())),
            shown(self.depth.map(|depth| depth.to_string())),
        )
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Pickled<'py>> {
        // Keywords do not survive a pickle: a dictionary of them does.
        let keywords = pyo3::types::PyDict::new(slf.py());
        let limit = slf.get();
        keywords.set_item("time", limit.time)?;
        keywords.set_item("nodes", limit.nodes)?;
        keywords.set_item("depth", limit.depth)?;
        let make = slf.py().import("collinear._calls")?.getattr("with_keywords")?;
        Ok((make, (slf.get_type().into_any(), keywords.into_any())))
    }
}

/// A call and its arguments.
type Pickled<'py> = (Bound<'py, PyAny>, (Bound<'py, PyAny>, Bound<'py, PyAny>));

impl Limit {
    pub(crate) fn of(budget: &Budget) -> Self {
        Self {
            time: budget.time.map(|time| time.as_secs_f64()),
            nodes: budget.nodes,
            depth: budget.depth,
        }
    }

    /// The limits that a proof knows.
    pub(crate) fn time_and_nodes(&self) -> (Option<Duration>, Option<u64>) {
        (self.time.and_then(|time| Duration::try_from_secs_f64(time).ok()), self.nodes)
    }

    fn budget(limit: Option<&Bound<'_, Self>>, lines: u16) -> Budget {
        // Whoever asks here waits for the answer, however late it comes.
        let mut budget = Budget { lines, grace: Duration::MAX, ..Budget::default() };
        if let Some(limit) = limit {
            let limit = limit.get();
            budget.time = limit.time.and_then(|time| Duration::try_from_secs_f64(time).ok());
            budget.nodes = limit.nodes;
            budget.depth = limit.depth;
        }
        budget
    }
}

/// A player: one of ours by its spec, such as `"sextant:level=10"` or `"sequences:depth=2"`.
///
/// >>> import collinear as cl
/// >>> b = cl.Board("connect6", moves="j10")
/// >>> with cl.Agent("sequences") as a:
/// ...     b.push_turn(a.play(b).turn)
/// >>> b.turn
/// 'black'
#[pyclass(module = "collinear", subclass)]
pub(crate) struct Agent {
    choice: AgentChoice,
    seed: u64,
    /// The player of the last game asked about; away while it thinks.
    player: Mutex<Option<(Rules, Box<dyn collinear_play::Agent>)>>,
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (spec, *, seed=0))]
    fn new(py: Python<'_>, spec: &str, seed: u64) -> PyResult<Self> {
        let choice =
            players::registry(py)?.parse(spec).map_err(|e| SpecError::new_err(e.to_string()))?;
        Ok(Self { choice, seed, player: Mutex::default() })
    }

    /// An engine process that speaks `protocol`: `"ugi"`, `"gomocup"`, `"cloudict"` or `"sau"`.
    #[staticmethod]
    fn _process(py: Python<'_>, command: &str, protocol: &str) -> PyResult<Self> {
        let wrong = |error: String| SpecError::new_err(error);
        let mut choice =
            players::registry(py)?.parse("external").map_err(|e| wrong(e.to_string()))?;
        for (name, value) in [("cmd", command), ("protocol", protocol)] {
            if let Some(option) = choice.spec.option(name) {
                choice.options.set(option, value).map_err(|e| wrong(e.to_string()))?;
            }
        }
        command.clone_into(&mut choice.text);
        Ok(Self { choice, seed: 0, player: Mutex::default() })
    }

    /// The spec it was made from.
    #[getter]
    fn spec(&self) -> &str {
        &self.choice.text
    }

    /// Chooses all stones left of this turn. Ctrl-C stops the search.
    #[pyo3(signature = (board, limit=None))]
    fn play(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        limit: Option<&Bound<'_, Limit>>,
    ) -> PyResult<Play> {
        let rules = *board.borrow().position.rules();
        let (turn, report) = self.think(py, board, Limit::budget(limit, 1))?;
        let report = report.unwrap_or_default();
        Ok(Play {
            turn: notation::names(&rules, &turn),
            cells: turn.iter().map(|cell| cell.index()).collect(),
            chance: report.lines.first().map(|line| line.value.chance()),
            depth: report.depth,
            nodes: report.nodes,
            note: report.note,
        })
    }

    /// The best lines of play, best first: as many of `lines` as the agent reports.
    #[pyo3(signature = (board, limit=None, *, lines=1))]
    fn analyse(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        limit: Option<&Bound<'_, Limit>>,
        lines: u16,
    ) -> PyResult<Vec<Line>> {
        let rules = *board.borrow().position.rules();
        let (turn, report) = self.think(py, board, Limit::budget(limit, lines.max(1)))?;
        let report = report.unwrap_or_default();
        let (depth, nodes) = (report.depth, report.nodes);
        let line = |value: Option<Value>, stones: &[Cell]| Line {
            pv: stones.iter().map(|&cell| notation::name(&rules, cell)).collect(),
            chance: value.map(Value::chance),
            wins_in: match value {
                Some(Value::WinsIn(turns)) => Some(i32::from(turns)),
                Some(Value::LosesIn(turns)) => Some(-i32::from(turns)),
                _ => None,
            },
            depth,
            nodes,
        };
        if report.lines.is_empty() {
            return Ok(vec![line(None, &turn)]);
        }
        Ok(report.lines.iter().map(|found| line(Some(found.value), &found.stones)).collect())
    }

    /// Forgets what belongs to the game before.
    fn new_game(&self) {
        if let Some((_, player)) = &mut *self.player() {
            player.new_game();
        }
    }

    /// Lets the player go; an engine process ends. Asked again, it starts anew.
    fn close(&self) {
        *self.player() = None;
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, _exception: &Bound<'_, pyo3::types::PyTuple>) {
        self.close();
    }

    fn __repr__(&self) -> String {
        format!("Agent({:?})", self.choice.text)
    }
}

impl Agent {
    fn player(&self) -> std::sync::MutexGuard<'_, Option<(Rules, Box<dyn collinear_play::Agent>)>> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the player. One that failed or was asked about another game is made anew.
    fn think(
        &self,
        py: Python<'_>,
        board: &Bound<'_, Board>,
        budget: Budget,
    ) -> PyResult<(Turn, Option<Report>)> {
        let position = board.borrow().position.clone();
        let rules = *position.rules();
        let known = self.player().take().filter(|(game, _)| *game == rules);
        let (choice, seed) = (self.choice.clone(), self.seed);
        let stop = budget.stop.clone();
        let (player, answer, report) = interrupt::run(py, &stop, move || {
            let mut player =
                match known.map_or_else(|| choice.build(&rules, seed), |(_, old)| Ok(old)) {
                    Ok(player) => player,
                    Err(error) => return (None, Err(Refusal::Build(error.to_string())), None),
                };
            let mut last = None;
            let hear = &mut |report: &Report| last = Some(report.clone());
            match ask(&mut *player, &position, &budget, hear).turn {
                Ok(turn) => (Some(player), Ok(turn), last),
                Err(fault) => (None, Err(Refusal::Play(fault.to_string())), last),
            }
        })?;
        *self.player() = player.map(|player| (rules, player));
        match answer {
            Ok(turn) => Ok((turn, report)),
            Err(Refusal::Build(text)) => Err(SpecError::new_err(text)),
            Err(Refusal::Play(text)) => Err(AgentError::new_err(text)),
        }
    }
}

/// Why there is no answer.
enum Refusal {
    Build(String),
    Play(String),
}

/// A turn an agent chose, with what it last said about it.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Play {
    /// The stones as names, with blanks between them.
    turn: String,
    /// The same as cell numbers.
    cells: Vec<usize>,
    /// The agent's chance to win, where it says.
    chance: Option<f32>,
    /// Depth reached.
    depth: u32,
    /// Positions looked at.
    nodes: u64,
    /// Anything else it said.
    note: Option<String>,
}

#[pymethods]
impl Play {
    fn __repr__(&self) -> String {
        format!("Play(turn='{}', depth={}, nodes={})", self.turn, self.depth, self.nodes)
    }
}

/// One line of play.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Line {
    /// The stones as names, across turns.
    pv: Vec<String>,
    /// The chance to win of the player to move, where the agent says.
    chance: Option<f32>,
    /// A proved win in this many own turns; negative for a proved loss.
    wins_in: Option<i32>,
    /// Depth reached.
    depth: u32,
    /// Positions looked at.
    nodes: u64,
}

#[pymethods]
impl Line {
    fn __repr__(&self) -> String {
        let chance = self.chance.map_or_else(|| "None".to_owned(), |chance| format!("{chance:.3}"));
        format!("Line(pv='{}', chance={chance}, depth={})", self.pv.join(" "), self.depth)
    }
}
