//! `collinear.Board`: a game as python-chess users expect one: push, pop, ask.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use collinear_play::play_turn;
use collinear_rules::{Cell, IllegalMove, Player, Position, Rules, Setup, notation};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{Borrowed, intern};

use crate::drawing;
use crate::errors::{illegal, value_error};
use crate::game::{self, Numbers};
use crate::legal::LegalMoves;
use crate::planes::{self, PLANES};

/// The name of a shape, its stones, and the cells by which it becomes the next stronger.
type NamedShape = (&'static str, Vec<usize>, Vec<usize>);

/// A game in progress: the stones, whose turn it is, and the way back.
///
/// `Board("connect6")` starts a game by name or long form; `Board(19, 19, k=6, p=2, q=1)` by its
/// numbers. Moves are names such as `"j10"` or cell numbers, row by row from the bottom left.
///
/// >>> import collinear as cl
/// >>> b = cl.Board("connect6")
/// >>> b.push("j10"); b.push_turn("k11 i9")
/// >>> b.turn, b.stones_left, b.name(b.pop())
/// ('black', 2, 'i9')
/// >>> b.turn, b.stones_left
/// ('white', 1)
#[pyclass(module = "collinear", subclass)]
pub(crate) struct Board {
    pub(crate) position: Position,
}

/// What a pickled board holds: the moves, the stones of a set-up, and the turn after it.
type State = (Vec<usize>, Vec<usize>, Vec<usize>, String, usize);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (game, height=None, *, k=None, p=None, q=None, gravity=false, exact=false, moves=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of a Python constructor")]
    fn new(
        game: &Bound<'_, PyAny>,
        height: Option<u32>,
        k: Option<u32>,
        p: Option<u32>,
        q: Option<u32>,
        gravity: bool,
        exact: bool,
        moves: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let rules = game::rules(game, Numbers { height, k, p, q, gravity, exact })?;
        let mut board = Self { position: Position::new(rules) };
        if let Some(moves) = moves {
            board.push_all(moves)?;
        }
        Ok(board)
    }

    /// A board from stones instead of moves, for puzzles. Without `turn` their number decides whose
    /// turn it is.
    ///
    /// >>> import collinear as cl
    /// >>> cl.Board.from_stones("gomoku", black="h8 h9", white="a1", turn="white").turn
    /// 'white'
    #[staticmethod]
    #[pyo3(signature = (game, *, black, white, turn=None, stones_left=None))]
    fn from_stones(
        game: &Bound<'_, PyAny>,
        black: &Bound<'_, PyAny>,
        white: &Bound<'_, PyAny>,
        turn: Option<&str>,
        stones_left: Option<usize>,
    ) -> PyResult<Self> {
        let rules = game::named(game)?;
        let setup = Setup {
            black: game::cells(&rules, black)?,
            white: game::cells(&rules, white)?,
            to_move: turn
                .map(|turn| Ok::<_, PyErr>((player(turn)?, stones_left.unwrap_or(rules.p()))))
                .transpose()?,
        };
        Ok(Self { position: Position::from_setup(rules, &setup).map_err(value_error)? })
    }

    /// The game: its name, or its long form.
    #[getter]
    fn game(&self) -> String {
        game::name(self.rules())
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.rules().width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.rules().height()
    }

    /// Stones in a row that win.
    #[getter]
    fn k(&self) -> usize {
        self.rules().k()
    }

    /// Stones per turn.
    #[getter]
    fn p(&self) -> usize {
        self.rules().p()
    }

    /// Stones of the very first turn.
    #[getter]
    fn q(&self) -> usize {
        self.rules().q()
    }

    /// Whether stones fall to the lowest empty cell of their column.
    #[getter]
    fn gravity(&self) -> bool {
        self.rules().gravity()
    }

    /// Whether only rows of exactly `k` win.
    #[getter]
    fn exact(&self) -> bool {
        !self.rules().is_renju() && !self.rules().overlines_win()
    }

    /// What becomes of the stones that Renju forbids to Black: `"refused"` or `"lose"`; `None` in
    /// other games.
    #[getter]
    fn fouls(&self) -> Option<&'static str> {
        match self.rules().fouls() {
            collinear_rules::Fouls::None => None,
            collinear_rules::Fouls::Refused => Some("refused"),
            collinear_rules::Fouls::Lose => Some("lose"),
        }
    }

    /// Places one stone of the player to move.
    fn push(&mut self, r#move: &Bound<'_, PyAny>) -> PyResult<()> {
        let cell = game::cell(self.rules(), r#move)?;
        self.position
            .play(cell)
            .map_err(|reason| illegal(format!("{}: {reason}", notation::name(self.rules(), cell))))
    }

    /// Drops a stone into a column, counted from 0 at the left; for games with gravity.
    fn drop(&mut self, column: usize) -> PyResult<()> {
        if !self.rules().gravity() {
            return Err(illegal(format!("{} has no gravity: name a cell", self.game())));
        }
        let Some(cell) = self.position.drop_cell(column) else {
            return Err(illegal(format!("column {column} is full or outside the board")));
        };
        self.position.play(cell).map_err(illegal)
    }

    /// Places all stones left of this turn, or none of them.
    fn push_turn(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let cells = game::cells(self.rules(), moves)?;
        play_turn(&mut self.position, &cells).map_err(illegal)
    }

    /// Places any number of stones, one after the other; nothing changes when one is refused.
    fn push_all(&mut self, moves: &Bound<'_, PyAny>) -> PyResult<()> {
        let cells = game::cells(self.rules(), moves)?;
        for (placed, &cell) in cells.iter().enumerate() {
            if let Err(reason) = self.position.play(cell) {
                for _ in 0..placed {
                    self.position.undo();
                }
                let name = notation::name(self.rules(), cell);
                return Err(illegal(format!("stone {}, {name}: {reason}", placed + 1)));
            }
        }
        Ok(())
    }

    /// Takes the last stone back and returns its cell.
    fn pop(&mut self) -> PyResult<usize> {
        self.position
            .undo()
            .map(Cell::index)
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no stone has been played"))
    }

    /// A board with the same game and history that goes its own way.
    fn copy(&self) -> Self {
        Self { position: self.position.clone() }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    /// The cells where a stone may go now, as a live view.
    #[getter]
    fn legal_moves(slf: Bound<'_, Self>) -> LegalMoves {
        LegalMoves { board: slf.unbind() }
    }

    /// The stones played so far, as cell numbers.
    #[getter]
    fn moves(&self) -> Vec<usize> {
        indices(self.position.history())
    }

    /// The stones played so far, as names with blanks between them.
    #[getter]
    fn moves_text(&self) -> String {
        notation::names(self.rules(), self.position.history())
    }

    /// Whose turn it is: `"black"` or `"white"`.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> Borrowed<'py, 'py, PyString> {
        colour(py, self.position.to_move())
    }

    /// Stones the player to move still places in this turn.
    #[getter]
    fn stones_left(&self) -> usize {
        self.position.stones_left()
    }

    /// Whether nobody is to move any more.
    #[getter]
    fn is_over(&self) -> bool {
        self.position.is_over()
    }

    /// How the game ended; `None` while it goes on.
    fn outcome(&self) -> Option<Outcome> {
        let winner = match self.position.outcome() {
            collinear_rules::Outcome::Ongoing => return None,
            collinear_rules::Outcome::Drawn => None,
            collinear_rules::Outcome::Won(player) => Some(player.name()),
        };
        Some(Outcome { winner, cells: indices(&self.position.winning_cells()) })
    }

    /// The cells that Renju forbids to Black, who is to move; none in other games.
    #[getter]
    fn forbidden(&self) -> Vec<usize> {
        indices(&self.position.forbidden())
    }

    /// What one colour's lines are called in five in a row, strongest first: name, stones, and the
    /// cells by which each becomes the next stronger. Empty in other games.
    fn shapes(&self, colour: &str) -> PyResult<Vec<NamedShape>> {
        let found = collinear_windows::shapes(&self.position, player(colour)?);
        let named = |shape: &collinear_windows::FoundShape| {
            (shape.shape.name(), indices(&shape.stones), indices(&shape.keys))
        };
        Ok(found.iter().map(named).collect())
    }

    /// A number of 64 bits for the stones, the side to move and its stones left.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// The same number for all reflections and rotations of a position.
    #[getter]
    fn canonical_key(&self) -> u64 {
        self.position.canonical_key()
    }

    /// The name of a cell: `name(180)` is `"j10"` in Connect6.
    fn name(&self, cell: &Bound<'_, PyAny>) -> PyResult<String> {
        let rules = self.rules();
        Ok(notation::name(rules, game::cell(rules, cell)?))
    }

    /// The number of a cell: `cell("j10")` is 180 in Connect6.
    fn cell(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(game::cell(self.rules(), name)?.index())
    }

    /// The cells of one colour, row by row.
    fn stones(&self, colour: &str) -> PyResult<Vec<usize>> {
        Ok(self.position.stones(player(colour)?).map(Cell::index).collect())
    }

    /// The colour of the stone on a cell, or `None`.
    fn __getitem__<'py>(
        &self,
        cell: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Borrowed<'py, 'py, PyString>>> {
        let py = cell.py();
        let cell = game::cell(self.rules(), cell)?;
        Ok(self.position.at(cell).map(|player| colour(py, player)))
    }

    /// The number of actions of the environments: cells, or columns where stones fall.
    #[getter]
    fn num_actions(&self) -> usize {
        planes::action_count(self.rules())
    }

    /// The legal actions, in order.
    fn legal_actions(&self) -> Vec<usize> {
        let cells = self.position.legal_cells();
        cells.into_iter().map(|cell| planes::action_of(self.rules(), cell)).collect()
    }

    /// Places the stone of an action: a cell, or a column where stones fall.
    fn push_action(&mut self, action: i64) -> PyResult<()> {
        let refused = |reason| illegal(format!("action {action}: {reason}"));
        let none =
            if self.rules().gravity() { IllegalMove::Floating } else { IllegalMove::Outside };
        let cell = planes::cell_of(&self.position, action).ok_or_else(|| refused(none))?;
        self.position.play(cell).map_err(refused)
    }

    /// Which actions are legal, as an array of truth values.
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![false; self.num_actions()];
        for action in self.legal_actions() {
            mask[action] = true;
        }
        PyArray1::from_vec(py, mask)
    }

    /// Own stones, opposing stones and stones left of the turn as seen by a colour, by default
    /// the one to move: an array of bytes, `(3, height, width)`, row 0 at the bottom.
    #[pyo3(signature = (colour=None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        colour: Option<&str>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let player = colour.map_or(Ok(self.position.to_move()), player)?;
        let rules = self.rules();
        let mut planes = vec![0; PLANES * rules.cells()];
        planes::fill(&self.position, player, &mut planes);
        PyArray1::from_vec(py, planes).reshape([PLANES, rules.height(), rules.width()])
    }

    /// The board as a picture: an SVG document `size` pixels wide. `marks` names cells to point out.
    #[pyo3(signature = (size=480, marks=None))]
    fn svg(&self, size: u32, marks: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        let marks = marks.map(|marks| game::cells(self.rules(), marks)).transpose()?;
        Ok(drawing::svg(&self.position, size, &marks.unwrap_or_default()))
    }

    fn _repr_svg_(&self) -> String {
        drawing::svg(&self.position, DEFAULT_SIZE, &[])
    }

    fn __str__(&self) -> String {
        self.position.to_string()
    }

    fn __repr__(&self) -> String {
        let (game, outcome) = (self.game(), self.position.outcome());
        let state = match outcome {
            collinear_rules::Outcome::Won(player) => format!("{player} has won"),
            collinear_rules::Outcome::Drawn => "drawn".to_owned(),
            collinear_rules::Outcome::Ongoing => {
                let (turn, left) = (self.position.to_move(), self.position.stones_left());
                format!("{turn} to move, {left} {}", if left == 1 { "stone" } else { "stones" })
            }
        };
        format!("{game}: {state}\n{}", self.position.to_string().trim_end())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.borrow().position == self.position)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.rules(), self.position.key()).hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,), State) {
        let board = slf.borrow();
        let mut start = board.position.clone();
        while start.undo().is_some() {}
        let stones = |player| start.stones(player).map(Cell::index).collect();
        let state = (
            board.moves(),
            stones(Player::Black),
            stones(Player::White),
            start.to_move().name().to_owned(),
            start.stones_left(),
        );
        (slf.get_type().into_any(), (board.rules().to_string(),), state)
    }

    fn __setstate__(&mut self, state: State) -> PyResult<()> {
        let (moves, black, white, turn, left) = state;
        let rules = *self.rules();
        let cells =
            |indices: Vec<usize>| -> Vec<Cell> { indices.into_iter().map(Cell::new).collect() };
        let (black, white) = (cells(black), cells(white));
        self.position = if black.is_empty() && white.is_empty() {
            Position::new(rules)
        } else {
            let setup = Setup { black, white, to_move: Some((player(&turn)?, left)) };
            Position::from_setup(rules, &setup).map_err(value_error)?
        };
        for index in moves {
            self.position.play(Cell::new(index)).map_err(illegal)?;
        }
        Ok(())
    }
}

impl Board {
    fn rules(&self) -> &Rules {
        self.position.rules()
    }
}

/// The width of a picture unless another is asked for.
const DEFAULT_SIZE: u32 = 480;

/// How a game ended.
#[pyclass(module = "collinear", frozen, get_all)]
#[derive(Clone)]
pub(crate) struct Outcome {
    /// `"black"`, `"white"`, or `None` for a draw.
    winner: Option<&'static str>,
    /// The cells of the winning rows.
    cells: Vec<usize>,
}

#[pymethods]
impl Outcome {
    fn __repr__(&self) -> String {
        let winner = self.winner.map_or_else(|| "None".to_owned(), |name| format!("'{name}'"));
        format!("Outcome(winner={winner}, cells={:?})", self.cells)
    }
}

/// The word for a player, made once.
pub(crate) fn colour(py: Python<'_>, player: Player) -> Borrowed<'_, '_, PyString> {
    match player {
        Player::Black => intern!(py, "black").as_borrowed(),
        Player::White => intern!(py, "white").as_borrowed(),
    }
}

/// The player of a word.
pub(crate) fn player(word: &str) -> PyResult<Player> {
    Player::BOTH
        .into_iter()
        .find(|player| player.name() == word)
        .ok_or_else(|| value_error(format!("{word:?} is not a colour: black or white")))
}

fn indices(cells: &[Cell]) -> Vec<usize> {
    cells.iter().map(|cell| cell.index()).collect()
}
