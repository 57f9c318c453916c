//! Games and moves as Python writes them: `"connect6"`, `(19, 19, k=6)`, `"j10"`, `180`.

use collinear_rules::{Cell, Rules, notation};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::board::Board;
use crate::errors::{illegal, value_error};

/// The numbers of a game that is given by its board.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    pub(crate) height: Option<u32>,
    pub(crate) k: Option<u32>,
    pub(crate) p: Option<u32>,
    pub(crate) q: Option<u32>,
    pub(crate) gravity: bool,
    pub(crate) exact: bool,
}

impl Numbers {
    const fn is_empty(&self) -> bool {
        self.height.is_none()
            && self.k.is_none()
            && self.p.is_none()
            && self.q.is_none()
            && !self.gravity
            && !self.exact
    }
}

/// The rules of `game`: a name or long form, another board, or a width with the other numbers.
pub(crate) fn rules(game: &Bound<'_, PyAny>, numbers: Numbers) -> PyResult<Rules> {
    if let Ok(width) = game.extract::<u32>() {
        let k = numbers.k.ok_or_else(|| value_error("k is missing: Board(19, 19, k=6)"))?;
        let mut builder = Rules::builder(width, numbers.height.unwrap_or(width), k);
        builder.p = numbers.p.unwrap_or(1);
        builder.q = numbers.q.unwrap_or(1);
        builder.gravity = numbers.gravity;
        if numbers.exact {
            builder = builder.exact();
        }
        return builder.build().map_err(value_error);
    }
    if !numbers.is_empty() {
        return Err(value_error(
            "height, k, p, q, gravity and exact go with a width: Board(19, 19, k=6)",
        ));
    }
    named(game)
}

/// The rules of a name, a long form or a board.
pub(crate) fn named(game: &Bound<'_, PyAny>) -> PyResult<Rules> {
    if let Ok(board) = game.cast::<Board>() {
        return Ok(*board.try_borrow()?.position.rules());
    }
    let text = game.cast::<PyString>().map_err(|_| {
        PyTypeError::new_err("a game is a name such as \"connect6\", a long form such as \"9x9,k=5,p=2\", or a board")
    })?;
    text.to_str()?.parse().map_err(value_error)
}

/// The name of a game: a preset's, or the long form.
pub(crate) fn name(rules: &Rules) -> String {
    rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned)
}

/// A cell as a name (`"j10"`) or a number (row by row from the bottom left).
#[inline]
pub(crate) fn cell(rules: &Rules, value: &Bound<'_, PyAny>) -> PyResult<Cell> {
    if let Ok(text) = value.cast::<PyString>() {
        return notation::parse(rules, text.to_str()?).map_err(illegal);
    }
    let outside =
        || illegal(format!("cell {value} is outside the board: 0 to {}", rules.cells() - 1));
    let number: i64 = value.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{value} is not a move: write a name such as \"j10\" or a cell number"
        ))
    })?;
    usize::try_from(number)
        .ok()
        .filter(|&index| index < rules.cells())
        .map(Cell::new)
        .ok_or_else(outside)
}

/// Several cells: a text with blanks between them, or any iterable of names and numbers.
pub(crate) fn cells(rules: &Rules, value: &Bound<'_, PyAny>) -> PyResult<Vec<Cell>> {
    if let Ok(text) = value.cast::<PyString>() {
        return text
            .to_str()?
            .split_whitespace()
            .map(|name| notation::parse(rules, name).map_err(illegal))
            .collect();
    }
    value.try_iter()?.map(|item| cell(rules, &item?)).collect()
}
