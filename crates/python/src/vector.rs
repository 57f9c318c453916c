//! Many games at once, for learning: one call places a stone in each of them.
//!
//! The arrays are made once and written in place. A stone changes two bytes of its game's planes;
//! the planes of the two players change places when the turn passes, so that plane 0 always holds
//! the stones of the player to move.
//!
//! ```text
//! observations[game] = [own stones, opposing stones, stones left of the turn], each height × width
//! ```

use std::sync::Arc;

use collinear_rules::{Geometry, IllegalMove, Outcome, Player, Position};
use numpy::{
    AllowTypeChange, PyArray1, PyArray2, PyArray4, PyArrayLike1, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::errors::{illegal, value_error};
use crate::game;
use crate::planes::{self, PLANES, action_count, action_of, cell_of};

/// More games than memory should hold.
const MAX_GAMES: usize = 1 << 20;

/// A batch of games of one kind that start anew as soon as they end.
///
/// `step(actions)` places one stone in every game and returns `observations, rewards, terminated`:
/// the very arrays of before, written anew. An action is a cell, or a column where stones fall.
/// Where a game ends, its rewards are those of the game that ended, and its observation is the
/// first one of the next game.
///
/// >>> from collinear.env import VectorEnv
/// >>> env = VectorEnv("connect6", 4, seed=1)
/// >>> env.observations.shape, env.masks.shape
/// ((4, 3, 19, 19), (4, 361))
/// >>> observations, rewards, terminated = env.step(env.sample())
/// >>> int(observations[0].sum()), bool(terminated.any())
/// (723, False)
#[pyclass(module = "collinear.env")]
pub(crate) struct VectorEnv {
    games: Vec<Table>,
    geometry: Arc<Geometry>,
    pool: Option<ThreadPool>,
    observations: Py<PyArray4<u8>>,
    masks: Py<PyArray2<bool>>,
    rewards: Py<PyArray2<f32>>,
    terminated: Py<PyArray1<bool>>,
    players: Py<PyArray1<u8>>,
    actions: Py<PyArray1<i64>>,
}

/// One game and its own source of random moves: results do not depend on the number of threads.
struct Table {
    position: Position,
    random: Xoshiro256PlusPlus,
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, *, seed=0, threads=1))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyAny>,
        num_envs: usize,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let rules = game::named(game)?;
        if !(1..=MAX_GAMES).contains(&num_envs) {
            return Err(value_error(format!(
                "{num_envs} games are out of range: 1 to {MAX_GAMES}"
            )));
        }
        let pool = (threads > 1)
            .then(|| ThreadPoolBuilder::new().num_threads(threads).build())
            .transpose()
            .map_err(value_error)?;
        let geometry = Arc::new(Geometry::new(rules));
        let mut env = Self {
            games: Vec::new(),
            pool,
            observations: PyArray4::zeros(
                py,
                [num_envs, PLANES, rules.height(), rules.width()],
                false,
            )
            .unbind(),
            masks: PyArray2::zeros(py, [num_envs, action_count(&rules)], false).unbind(),
            rewards: PyArray2::zeros(py, [num_envs, 2], false).unbind(),
            terminated: PyArray1::zeros(py, num_envs, false).unbind(),
            players: PyArray1::zeros(py, num_envs, false).unbind(),
            actions: PyArray1::zeros(py, num_envs, false).unbind(),
            geometry,
        };
        env.reset(py, Some(seed))?;
        Ok(env)
    }

    /// Starts every game anew; a seed also starts the random moves of `sample` anew.
    #[pyo3(signature = (seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<u64>) -> PyResult<Py<PyArray4<u8>>> {
        let count = self.terminated.bind(py).len();
        if let Some(seed) = seed {
            self.games = (0..count as u64)
                .map(|index| Table {
                    position: Position::with_geometry(Arc::clone(&self.geometry)),
                    random: Xoshiro256PlusPlus::seed_from_u64(seed ^ (index << 32)),
                })
                .collect();
        }
        self.each(py, None, &|table, view, _| {
            table.position = Position::with_geometry(Arc::clone(table.position.geometry()));
            view.show_start(&table.position);
            view.rewards.fill(0.0);
            *view.terminated = false;
        })?;
        Ok(self.observations.clone_ref(py))
    }

    /// Places a stone in every game. When one of the actions is illegal nothing changes at all.
    #[expect(clippy::type_complexity, reason = "three arrays of three types")]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyArrayLike1<'_, i64, AllowTypeChange>,
    ) -> PyResult<(Py<PyArray4<u8>>, Py<PyArray2<f32>>, Py<PyArray1<bool>>)> {
        let actions = actions.as_slice()?.to_vec();
        self.check(&actions)?;
        self.each(py, Some(&actions), &|table, view, action| view.step(table, action))?;
        Ok((
            self.observations.clone_ref(py),
            self.rewards.clone_ref(py),
            self.terminated.clone_ref(py),
        ))
    }

    /// A random legal action for every game.
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let array = self.actions.clone_ref(py);
        let mut actions = array.bind(py).readwrite();
        for (table, action) in self.games.iter_mut().zip(actions.as_slice_mut()?) {
            let count = table.position.legal_count();
            let cell = table.position.nth_legal(table.random.random_range(0..count));
            *action = cell.map_or(0, |cell| action_of(table.position.rules(), cell) as i64);
        }
        drop(actions);
        Ok(array)
    }

    /// The board of one game, as a copy.
    fn board(&self, index: usize) -> PyResult<crate::board::Board> {
        let table = self.games.get(index).ok_or_else(|| {
            pyo3::exceptions::PyIndexError::new_err(format!("there is no game {index}"))
        })?;
        Ok(crate::board::Board { position: table.position.clone() })
    }

    /// Games in the batch.
    #[getter]
    fn num_envs(&self) -> usize {
        self.games.len()
    }

    /// Actions there are: cells, or columns where stones fall.
    #[getter]
    fn num_actions(&self) -> usize {
        action_count(self.geometry.rules())
    }

    /// Own stones, opposing stones and stones left of the turn: `(games, 3, height, width)`, bytes.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray4<u8>> {
        self.observations.clone_ref(py)
    }

    /// Which actions are legal: `(games, actions)`.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.masks.clone_ref(py)
    }

    /// What the last stone earned Black and White: `(games, 2)`, 1 for a win and -1 for a loss.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray2<f32>> {
        self.rewards.clone_ref(py)
    }

    /// Which games the last stone ended.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Who is to move: 0 for Black, 1 for White.
    #[getter]
    fn players(&self, py: Python<'_>) -> Py<PyArray1<u8>> {
        self.players.clone_ref(py)
    }
}

impl VectorEnv {
    fn check(&self, actions: &[i64]) -> PyResult<()> {
        if actions.len() != self.games.len() {
            let (given, wanted) = (actions.len(), self.games.len());
            return Err(value_error(format!("{given} actions for {wanted} games")));
        }
        for (index, (table, &action)) in self.games.iter().zip(actions).enumerate() {
            let verdict = match cell_of(&table.position, action) {
                Some(cell) => table.position.check(cell),
                None if table.position.rules().gravity() => Err(IllegalMove::Floating),
                None => Err(IllegalMove::Outside),
            };
            verdict
                .map_err(|reason| illegal(format!("game {index}, action {action}: {reason}")))?;
        }
        Ok(())
    }

    /// Does something to every game and its rows of the arrays, without the interpreter's lock.
    fn each(
        &mut self,
        py: Python<'_>,
        actions: Option<&[i64]>,
        work: &(dyn Fn(&mut Table, &mut View<'_>, i64) + Sync),
    ) -> PyResult<()> {
        let mut observations = self.observations.bind(py).readwrite();
        let mut masks = self.masks.bind(py).readwrite();
        let mut rewards = self.rewards.bind(py).readwrite();
        let mut terminated = self.terminated.bind(py).readwrite();
        let mut players = self.players.bind(py).readwrite();
        let rows = Rows {
            observations: observations.as_slice_mut()?,
            masks: masks.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terminated: terminated.as_slice_mut()?,
            players: players.as_slice_mut()?,
            actions: actions.unwrap_or_default(),
            cells: self.geometry.rules().cells(),
            choices: action_count(self.geometry.rules()),
        };
        let (games, pool) = (&mut self.games, &self.pool);
        py.detach(|| match pool {
            Some(pool) => {
                let part = games.len().div_ceil(pool.current_num_threads()).max(1);
                pool.install(|| rows.split(games, part, work));
            }
            None => rows.walk(games, work),
        });
        Ok(())
    }
}

/// The arrays' rows of a range of games.
struct Rows<'a> {
    observations: &'a mut [u8],
    masks: &'a mut [bool],
    rewards: &'a mut [f32],
    terminated: &'a mut [bool],
    players: &'a mut [u8],
    /// Empty where no stone is placed.
    actions: &'a [i64],
    cells: usize,
    choices: usize,
}

type Work<'a> = &'a (dyn Fn(&mut Table, &mut View<'_>, i64) + Sync);

impl Rows<'_> {
    /// Halves the range until a part is small enough for one thread.
    fn split(self, games: &mut [Table], part: usize, work: Work<'_>) {
        if games.len() <= part {
            return self.walk(games, work);
        }
        let middle = games.len().div_ceil(2);
        let Rows { cells, choices, .. } = self;
        let (games, more_games) = games.split_at_mut(middle);
        let (observations, more_observations) =
            self.observations.split_at_mut(middle * PLANES * cells);
        let (masks, more_masks) = self.masks.split_at_mut(middle * choices);
        let (rewards, more_rewards) = self.rewards.split_at_mut(middle * 2);
        let (terminated, more_terminated) = self.terminated.split_at_mut(middle);
        let (players, more_players) = self.players.split_at_mut(middle);
        let (actions, more_actions) = self.actions.split_at(middle.min(self.actions.len()));
        let left =
            Rows { observations, masks, rewards, terminated, players, actions, cells, choices };
        let right = Rows {
            observations: more_observations,
            masks: more_masks,
            rewards: more_rewards,
            terminated: more_terminated,
            players: more_players,
            actions: more_actions,
            cells,
            choices,
        };
        rayon::join(|| left.split(games, part, work), || right.split(more_games, part, work));
    }

    fn walk(self, games: &mut [Table], work: Work<'_>) {
        let rows = games
            .iter_mut()
            .zip(self.observations.chunks_exact_mut(PLANES * self.cells))
            .zip(self.masks.chunks_exact_mut(self.choices))
            .zip(self.rewards.chunks_exact_mut(2))
            .zip(self.terminated.iter_mut().zip(self.players.iter_mut()))
            .enumerate();
        for (index, ((((table, planes), mask), rewards), (terminated, player))) in rows {
            let mut view = View { planes, mask, rewards, terminated, player };
            work(table, &mut view, self.actions.get(index).copied().unwrap_or_default());
        }
    }
}

/// One game's rows.
struct View<'a> {
    planes: &'a mut [u8],
    mask: &'a mut [bool],
    rewards: &'a mut [f32],
    terminated: &'a mut bool,
    player: &'a mut u8,
}

impl View<'_> {
    /// Plays an action that was checked before.
    fn step(&mut self, table: &mut Table, action: i64) {
        let position = &mut table.position;
        let Some(cell) = cell_of(position, action) else { return };
        let mover = position.to_move();
        position.play_unchecked(cell);
        if *self.terminated {
            self.rewards.fill(0.0);
            *self.terminated = false;
        }
        if position.is_over() {
            if let Outcome::Won(winner) = position.outcome() {
                self.rewards[winner.index()] = 1.0;
                self.rewards[winner.opponent().index()] = -1.0;
            }
            *self.terminated = true;
            *position = Position::with_geometry(Arc::clone(position.geometry()));
            self.show_start(position);
            return;
        }
        let rules = position.rules();
        let (own, rest) = self.planes.split_at_mut(rules.cells());
        let (other, left) = rest.split_at_mut(rules.cells());
        own[cell.index()] = 1;
        if rules.gravity() {
            let column = rules.column(cell);
            self.mask[column] = rules.row(cell) + 1 < rules.height();
        } else {
            self.mask[cell.index()] = false;
        }
        if position.to_move() != mover {
            own.swap_with_slice(other);
            *self.player = position.to_move() as u8;
        }
        let now = position.stones_left() as u8;
        if left[0] != now {
            left.fill(now);
        }
    }

    /// The rows of a game that begins.
    fn show_start(&mut self, position: &Position) {
        planes::fill(position, Player::Black, self.planes);
        self.mask.fill(true);
        *self.player = Player::Black as u8;
    }
}
