//! Experiments: a question, the games that answer it, a table and pictures.
//!
//! To add one, write `experiments/NAME.toml` and add a line to the table of embedded files in
//! `crates/cli/src/experiments.rs`. The file is a question and cells, each a match:
//!
//! ```toml
//! title = "Does looking deeper win?"
//! question = "How does the score depend on the difference in plies?"
//! source = "document 003, experiment 1"   # optional
//! group = "karplus"                       # optional: run and reported together
//! game = "connect4"                       # or a list of games
//! games = 1000                            # a cell
//! first-move = "fixed"                    # or "alternating", the default
//! limits = "100ms"                        # optional, for all players
//! openings = "random:4"                   # optional
//! ratings = true                          # optional: one table of ratings from all cells
//!
//! [players.random]
//! agent = "random"                        # agent:options@limits
//! value = 0                               # where it stands on an axis: plies, milliseconds, …
//! anchor = 1837                           # optional: its rating elsewhere; all are on that scale
//! [players.1ply]
//! agent = "karplus:plies=1"
//! value = 1
//!
//! [[cells]]                               # X, O and, where there is one, X's printed points
//! x = "1ply"
//! o = "random"
//! printed = 832.5
//! draws = 12                              # and, where printed: draws, all turns, µs per turn
//! turns = 17000
//! micros = 31
//! seed = 3                                # optional: other games than the same cell elsewhere
//! reading = "c = 7"                       # optional: how a vague text is read in this cell
//!
//! [[plots]]
//! kind = "score-by-difference"            # see `PlotKind`
//! ```
//!
//! An experiment that is more than matches has `study = "name"` and `[parameters]` instead of
//! players and cells; the code of that name produces [`Findings`] itself.

mod cells;
mod drawing;
mod findings;
mod matches;
mod printed;
mod rating;
mod spec;

pub use cells::{PairingProgress, PairingResult, PairingRunner};
pub use findings::{EntryMark, Findings, Plot, Section, Table, TableEntry};
pub use matches::match_findings;
pub use spec::{Content, Experiment, Matches, Pairing, PlotKind, PlotSpec, PrintedMore, Subject};
