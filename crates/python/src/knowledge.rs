//! What is known exactly: threats of a position, types of line shapes, scores of gravity games.

use collinear_connect4::{Limits, Mode, Solver};
use collinear_documents::connectk::{mark_all, wu_huang};
use collinear_documents::tablebase::{LineRules, Shape};
use collinear_play::StopFlag;
use collinear_rules::{Position, Rules, notation};
use collinear_windows::{ThreatCounter, Windows};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::board::{Board, player};
use crate::errors::value_error;
use crate::interrupt;

/// More defences than anybody reads.
const MAX_DEFENCES: usize = 100;

/// What one colour threatens to do with a full turn.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Threats {
    /// The colour that threatens.
    colour: &'static str,
    /// Stones needed to stop everything, exactly; `p + 1` when no turn can.
    count: usize,
    /// One smallest set of cells that stops everything; empty without a threat, `None` when no
    /// turn can.
    cover: Option<Vec<String>>,
    /// Every smallest set, at most a hundred.
    defences: Vec<Vec<String>>,
    /// The count of Wu and Huang, right on single lines.
    wu_huang: usize,
    /// The count that marks all cells of a threat.
    mark_all: usize,
}

#[pymethods]
impl Threats {
    fn __repr__(&self) -> String {
        format!("Threats(colour='{}', count={}, cover={:?})", self.colour, self.count, self.cover)
    }
}

/// What `colour` threatens; unless it is given, the opponent of the player to move.
///
/// >>> import collinear as cl
/// >>> b = cl.Board.from_stones("connect6", black="g10 h10 i10 j10", white="", turn="white")
/// >>> t = cl.threats(b)
/// >>> t.count, t.cover, len(t.defences)
/// (2, ['e10', 'k10'], 3)
#[pyfunction]
#[pyo3(signature = (board, colour=None))]
pub(crate) fn threats(board: &Bound<'_, Board>, colour: Option<&str>) -> PyResult<Threats> {
    let position = &board.borrow().position;
    let attacker = colour.map_or_else(|| Ok(position.to_move().opponent()), player)?;
    let windows = Windows::of(position);
    let mut counter = ThreatCounter::new();
    let count = counter.count(&windows, attacker);
    let names = |cells: Vec<_>| -> Vec<String> {
        cells.into_iter().map(|cell| notation::name(position.rules(), cell)).collect()
    };
    let defences: Vec<_> =
        counter.defences(&windows, attacker, MAX_DEFENCES).into_iter().map(names).collect();
    let cover = if count == 0 { Some(Vec::new()) } else { defences.first().cloned() };
    Ok(Threats {
        colour: attacker.name(),
        count,
        cover,
        defences,
        wu_huang: wu_huang(position, attacker),
        mark_all: mark_all(position, attacker),
    })
}

/// A run of cells of one line without opposing stones.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct LineShape {
    /// Its type, such as `L4` for a live four.
    r#type: &'static str,
    /// Its number among all shapes of lines up to 64 cells.
    index: u128,
    /// Most own stones in one window of `k` cells.
    fullest: usize,
    /// Stones needed to stop it.
    cover: usize,
}

#[pymethods]
impl LineShape {
    fn __repr__(&self) -> String {
        format!("LineShape(type='{}', index={}, cover={})", self.r#type, self.index, self.cover)
    }
}

/// The type of a line shape: `x` for a stone, `.` for an empty cell, ends blocked.
///
/// >>> import collinear as cl
/// >>> cl.shape("..xxxx..").type, cl.shape("xxxx..").type, cl.shape("..xx.x..").type
/// ('L4', 'D4', 'L3')
#[pyfunction]
#[pyo3(signature = (cells, k=6, p=2))]
pub(crate) fn shape(cells: &str, k: usize, p: usize) -> PyResult<LineShape> {
    let rules = LineRules::new(k, p).map_err(value_error)?;
    let shape = Shape::parse(k, &cells.to_uppercase()).map_err(value_error)?;
    let measure = rules.measure(shape);
    Ok(LineShape {
        r#type: rules.classify(shape).name(),
        index: shape.phi(k),
        fullest: measure.fullest,
        cover: measure.hitting,
    })
}

/// The exact value of a position with gravity, in Pons' scale: how many stones before the end the
/// winner wins, positive for the player to move.
#[pyclass(module = "collinear", frozen, get_all)]
pub(crate) struct Solution {
    /// Of the best column.
    score: i8,
    /// Of each column; `None` where it is full.
    scores: Vec<Option<i8>>,
    /// Positions searched.
    nodes: u64,
}

#[pymethods]
impl Solution {
    fn __repr__(&self) -> String {
        format!("Solution(score={}, nodes={})", self.score, self.nodes)
    }
}

/// Solves a position of Connect Four or a relative exactly. A text is a list of columns from 1.
/// Ctrl-C stops the search.
///
/// >>> import collinear as cl
/// >>> cl.solve("4455").scores
/// [-4, -3, 18, 2, 2, 18, -3]
#[pyfunction]
pub(crate) fn solve(py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<Solution> {
    let position = if let Ok(board) = position.cast::<Board>() {
        board.borrow().position.clone()
    } else {
        columns(position.cast::<PyString>()?.to_str()?)?
    };
    let stop = StopFlag::default();
    let flag = stop.clone();
    let result = interrupt::run(py, &stop, move || -> Result<_, String> {
        let mut solver = Solver::new(position.rules()).map_err(|error| error.to_string())?;
        let stopped = || flag.is_stopped();
        let limits = Limits { nodes: None, stop: Some(&stopped) };
        solver.scores_within(&position, Mode::Strong, &limits).map_err(|error| error.to_string())
    })?;
    let found = result.map_err(value_error)?;
    let scores: Vec<_> =
        found.columns.iter().map(|score| score.as_ref().map(|s| s.get())).collect();
    let score = scores.iter().flatten().copied().max().unwrap_or_default();
    Ok(Solution { score, scores, nodes: found.nodes })
}

fn columns(text: &str) -> PyResult<Position> {
    let mut position = Position::new(Rules::CONNECT4);
    for (place, sign) in text.chars().enumerate() {
        let wrong =
            |error: &dyn std::fmt::Display| value_error(format!("stone {}: {error}", place + 1));
        let cell = notation::parse_pons(&position, sign).map_err(|error| wrong(&error))?;
        position.play(cell).map_err(|error| wrong(&error))?;
    }
    Ok(position)
}
