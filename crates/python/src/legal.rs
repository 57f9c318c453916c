//! `Board.legal_moves`: where a stone may go now, as a live view that lists nothing unless asked.

use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};

use crate::board::Board;
use crate::game;

/// The cells where a stone may go now, in order. A live view of its board: counting, picking one
/// and asking whether a move is among them cost next to nothing.
///
/// >>> import collinear as cl
/// >>> b = cl.Board("tictactoe")
/// >>> len(b.legal_moves), "b2" in b.legal_moves, b.legal_moves[0]
/// (9, True, 0)
/// >>> b.push("a1"); list(b.legal_moves)
/// [1, 2, 3, 4, 5, 6, 7, 8]
#[pyclass(module = "collinear", frozen, sequence)]
pub(crate) struct LegalMoves {
    pub(crate) board: Py<Board>,
}

#[pymethods]
impl LegalMoves {
    fn __len__(&self, py: Python<'_>) -> usize {
        self.board.borrow(py).position.legal_count()
    }

    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let py = index.py();
        let position = &self.board.borrow(py).position;
        if let Ok(slice) = index.cast::<PySlice>() {
            let cells = position.legal_cells();
            let asked = slice.indices(cells.len() as isize)?;
            let places = (0..asked.slicelength as isize).map(|n| asked.start + n * asked.step);
            let picked = places.filter_map(|place| cells.get(usize::try_from(place).ok()?));
            return Ok(
                PyList::new(py, picked.map(|cell| cell.index()).collect::<Vec<_>>())?.into_any()
            );
        }
        let index: isize = index.extract()?;
        let place = if index < 0 { index + position.legal_count() as isize } else { index };
        let cell = usize::try_from(place).ok().and_then(|place| position.nth_legal(place));
        match cell {
            Some(cell) => Ok(cell.index().into_pyobject(py)?.into_any()),
            None => Err(PyIndexError::new_err("the index is beyond the last legal move")),
        }
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> bool {
        let board = self.board.borrow(value.py());
        game::cell(board.position.rules(), value)
            .is_ok_and(|cell| board.position.check(cell).is_ok())
    }

    fn __iter__(&self, py: Python<'_>) -> LegalMovesIterator {
        let mut cells = self.board.borrow(py).position.legal_cells();
        cells.reverse();
        LegalMovesIterator(cells)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let position = &self.board.borrow(py).position;
        let names = collinear_rules::notation::names(position.rules(), &position.legal_cells());
        format!("<LegalMoves {names}>")
    }
}

/// Goes through legal moves as they were when it began.
#[pyclass(module = "collinear._native")]
pub(crate) struct LegalMovesIterator(Vec<collinear_rules::Cell>);

#[pymethods]
impl LegalMovesIterator {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<usize> {
        self.0.pop().map(collinear_rules::Cell::index)
    }
}
