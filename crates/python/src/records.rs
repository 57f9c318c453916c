//! Game records of every format, as Python reads them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use collinear_play::read_file;
use collinear_protocol::records::{self, Format, ReadOptions};
use collinear_rules::{Position, notation};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::board::Board;
use crate::errors::value_error;
use crate::game;

/// Larger files must be split: the text is held in memory once.
const MAX_BYTES: u64 = 1 << 30;

/// A recorded game.
#[pyclass(module = "collinear", frozen)]
pub(crate) struct Record {
    position: Position,
    /// The game: its name, or its long form.
    #[pyo3(get)]
    game: String,
    /// `"black"`, `"white"`, or `None`.
    #[pyo3(get)]
    winner: Option<&'static str>,
    /// The names of Black and of White, where the record has them.
    #[pyo3(get)]
    players: [Option<String>; 2],
    /// What else the record says.
    #[pyo3(get)]
    metadata: BTreeMap<String, String>,
}

#[pymethods]
impl Record {
    /// The stones as names with blanks between them.
    #[getter]
    fn moves_text(&self) -> String {
        notation::names(self.position.rules(), self.position.history())
    }

    /// The stones as cell numbers.
    #[getter]
    fn moves(&self) -> Vec<usize> {
        self.position.history().iter().map(|cell| cell.index()).collect()
    }

    /// The board at the end of the game.
    fn board(&self) -> Board {
        Board { position: self.position.clone() }
    }

    fn __repr__(&self) -> String {
        let (game, stones) = (&self.game, self.position.history().len());
        format!("Record({game:?}, {stones} stones, winner={:?})", self.winner.unwrap_or("none"))
    }
}

/// Reads every game of a file in any format `collinear convert` reads. `game` is for records that
/// do not name theirs; `format` for files whose name says nothing.
#[pyfunction]
#[pyo3(signature = (path, *, game=None, format=None))]
pub(crate) fn read_games(
    py: Python<'_>,
    path: PathBuf,
    game: Option<&Bound<'_, PyAny>>,
    format: Option<&str>,
) -> PyResult<Vec<Record>> {
    let rules = game.map(game::named).transpose()?;
    let format = match format {
        Some(name) => Some(Format::from_name(name).ok_or_else(|| {
            let known = Format::ALL.map(Format::name).join(", ");
            value_error(format!("{name:?} is not a format: {known}"))
        })?),
        None => Path::new(&path)
            .extension()
            .and_then(|extension| Format::from_extension(extension.to_str()?)),
    };
    let shown = path.display().to_string();
    let bytes =
        read_file(&path, MAX_BYTES).map_err(|error| PyOSError::new_err(error.to_string()))?;
    py.detach(|| {
        let games =
            records::read(&bytes, format, &ReadOptions { rules }).map_err(|e| e.to_string())?;
        let mut found = Vec::with_capacity(games.len());
        for record in games {
            let position = record.position().map_err(|error| error.to_string())?;
            found.push(Record {
                game: game::name(position.rules()),
                winner: record.winner().map(collinear_rules::Player::name),
                players: record.players.clone(),
                metadata: record.metadata.clone(),
                position,
            });
        }
        Ok(found)
    })
    .map_err(|error: String| value_error(format!("{shown}: {error}")))
}
