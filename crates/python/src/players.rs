//! Who can play: our agents, engine processes, and agents written in Python.
//!
//! A Python agent is registered under a name (`collinear.register`) and lives in the package's own
//! table together with its row of the registry. All rows share one build function: which agent is
//! meant stands in the row's only option.

use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Games, OptionSpec, Options, Registry, Report,
    Turn,
};
use collinear_protocol::host::EXTERNAL;
use collinear_rules::{Position, Rules};
use pyo3::prelude::*;

use crate::agent::Limit;
use crate::board::Board;
use crate::game;

/// Every agent Python may name.
pub(crate) fn registry(py: Python<'_>) -> PyResult<Registry> {
    let (ours, rows) = (collinear_agents::registry(), rows(py)?);
    Ok(Registry::new(ours.iter().chain([&EXTERNAL]).chain(rows).collect()))
}

/// The agents of the page: ours and the registered ones, but no commands that a stranger could type.
pub(crate) fn page_registry(py: Python<'_>) -> PyResult<Registry> {
    let (ours, rows) = (collinear_agents::registry(), rows(py)?);
    Ok(Registry::new(ours.iter().chain(rows).collect()))
}

/// The package's table of registered agents.
const TABLE: &str = "collinear._players";

fn rows(py: Python<'_>) -> PyResult<Vec<&'static AgentSpec>> {
    let rows: Vec<Py<Row>> = py.import(TABLE)?.call_method0("rows")?.extract()?;
    Ok(rows.iter().map(|row| row.get().spec).collect())
}

/// The row of a registered agent. Rows live as long as the program, as those of our agents do: a
/// name that is registered again keeps its row.
#[pyclass(module = "collinear._native", frozen)]
pub(crate) struct Row {
    spec: &'static AgentSpec,
}

#[pymethods]
impl Row {
    #[new]
    fn new(name: String, summary: String) -> Self {
        let name: &'static str = name.leak();
        let options = Vec::leak(vec![
            OptionSpec::text("agent", name).help("the name it was registered under"),
        ]);
        Self {
            spec: Box::leak(Box::new(AgentSpec {
                name,
                summary: summary.leak(),
                source: "yours",
                options,
                aliases: None,
                games: Games::All,
                takes_wins: false,
                build,
            })),
        }
    }
}

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let name = options.text("agent");
    Python::attach(|py| -> PyResult<Box<dyn Agent>> {
        let player = py.import(TABLE)?.call_method1("make", (name, game::name(rules), seed))?;
        Ok(Box::new(PythonAgent { player: player.unbind() }))
    })
    .map_err(|error| BuildError::Other(format!("{name:?}: {error}")))
}

/// An agent whose `choose` is Python's.
struct PythonAgent {
    player: Py<PyAny>,
}

impl Agent for PythonAgent {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        Python::attach(|py| -> PyResult<Turn> {
            let board = Py::new(py, Board { position: position.clone() })?;
            let limit = Py::new(py, Limit::of(budget))?;
            let turn = py.import(TABLE)?.call_method1("choose", (&self.player, board, limit))?;
            game::cells(position.rules(), &turn)
        })
        .map_err(|error| AgentError::Engine(error.to_string()))
    }

    fn new_game(&mut self) {
        Python::attach(|py| {
            // An agent that cannot forget shows it when it is asked to choose.
            let _ =
                py.import(TABLE).and_then(|table| table.call_method1("new_game", (&self.player,)));
        });
    }
}
