//! Every message between page and server, defined once here and generated to TypeScript
//! (`page/src/wire.ts`; a test fails when that file is stale).
//!
//! ```text
//! page ── ToServer ──▶ server        one WebSocket a page, JSON texts
//! page ◀── ToPage ──── server
//! ```
//!
//! Cells travel as their index (row × width + column, row 0 at the bottom), times in milliseconds.

mod analysis;
mod arena;
mod game;

pub use analysis::{
    BookTurn, BookView, ColumnScore, ColumnsView, EngineLine, Overlay, PolicyCell, PolicyView,
    Purpose, ReviewView, SearchView, ShapeLine, ShapesView, SideReview, ThreatSide, ThreatWindow,
    ThreatsView, TurnGrade, TurnReview, Worth,
};
pub use arena::{
    NewMatch, ReportFile, ReportInfo, RunGame, RunInfo, RunPlayer, RunPoint, RunScore, RunView,
};
pub use game::{
    AgentInfo, BoardView, ClockView, Colour, Ending, FormCheck, FormatInfo, GameInfo, GameView,
    Level, NewGame, NewSetup, NodeView, OptionInfo, OptionKind, PresetInfo, PuzzleInfo,
    PuzzleProgress, ReplayView, RulesForm, RulesView, Seat, StoredGame, Timing,
};

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a page asks for.
#[derive(Clone, Debug, Deserialize, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToServer {
    /// Opens the stored game `id`, unless `link` names another position: then that one, as a new
    /// game. With neither: the game played last, or a fresh one.
    Open {
        /// A stored game.
        #[ts(optional)]
        id: Option<String>,
        /// A game and its moves as they stand in the address: `connect6/j10.k11`.
        #[ts(optional)]
        link: Option<String>,
    },
    /// Begins a game.
    New {
        /// Who plays what.
        game: NewGame,
    },
    /// Opens a position that somebody set up, as a game between two people.
    Setup {
        /// The stones.
        setup: NewSetup,
    },
    /// Asks for the puzzles that come with the program.
    Puzzles,
    /// Opens a puzzle.
    Puzzle {
        /// Which.
        id: String,
    },
    /// Asks for a stone of a winning turn of the puzzle on the board.
    PuzzleHint,
    /// Asks whether numbers make a game, and who plays it.
    Check {
        /// The numbers of the form.
        form: RulesForm,
    },
    /// Places a stone. `ply` is the number of stones the page believes to be on the path.
    Play {
        /// Stones before this one.
        ply: u32,
        /// Where.
        cell: u16,
    },
    /// Places stones given as text: `j10 k11`, or columns in a game with gravity.
    Type {
        /// Stones before the first of these.
        ply: u32,
        /// The text.
        text: String,
    },
    /// Takes back the last stone of a turn that is not complete.
    Retract,
    /// Takes back the last turn (against an agent: the agent's and one's own). While an earlier
    /// position is shown: steps back by a turn. Nothing is deleted.
    Undo,
    /// Plays again what was taken back, or steps forward by a turn.
    Redo,
    /// Gives the game up.
    Resign,
    /// Shows another position of the tree.
    Goto {
        /// Its node.
        node: u32,
    },
    /// Goes on playing from the position shown.
    Continue,
    /// Holds agents back, or lets them go on.
    Pause {
        /// Whether to hold.
        paused: bool,
    },
    /// The least time between two turns of agents.
    Pace {
        /// Milliseconds.
        ms: u32,
    },
    /// Asks what to play.
    Hint,
    /// Switches the analysis of the position shown on or off.
    Analyse {
        /// On or off.
        on: bool,
        /// How many lines.
        lines: u8,
    },
    /// Switches what is shown besides the stones.
    Overlays {
        /// What is shown from now on.
        shown: Vec<Overlay>,
    },
    /// Asks for the shapes of the lines through a cell.
    Shapes {
        /// The cell.
        cell: u16,
    },
    /// Reviews the whole line shown, or stops doing so.
    Review {
        /// Start or stop.
        on: bool,
        /// How hard each position is looked at, from 1 to 3; 1 unless given.
        #[ts(optional)]
        effort: Option<u8>,
    },
    /// Opens a game of a record. With several games and no `index` the answer is their list.
    Import {
        /// The text of the file.
        text: String,
        /// Which of its games.
        #[ts(optional)]
        index: Option<u32>,
    },
    /// Asks for the game as a record.
    Export {
        /// The name of the format.
        format: String,
        /// Whether to write what the last review found into it, as comments and variations.
        #[ts(optional)]
        review: Option<bool>,
    },
    /// Writes a comment on a move; an empty one removes it.
    Comment {
        /// The move.
        node: u32,
        /// The text.
        text: String,
    },
    /// Removes a move and everything that follows it.
    Prune {
        /// The move.
        node: u32,
    },
    /// Brings back what was removed last, as long as nothing was played since.
    Restore,
    /// Makes the line through a move the main line.
    Promote {
        /// The move.
        node: u32,
    },
    /// Asks for the matches, tournaments and experiments played on this machine.
    Runs,
    /// Asks for one of them in detail. There is no answer while it is as the page knows it.
    Run {
        /// Which.
        id: String,
        /// What the page knows of it.
        #[ts(optional)]
        known: Option<RunInfo>,
    },
    /// Opens one of its games.
    Replay {
        /// The run.
        run: String,
        /// The game's number.
        number: u32,
    },
    /// Starts a match or a tournament; it is watched as any run.
    StartMatch {
        /// Who plays what.
        #[serde(rename = "match")]
        new: NewMatch,
    },
    /// Stops a match that a page has started.
    StopMatch {
        /// The run.
        run: String,
    },
    /// Asks for the list of stored games.
    Games,
    /// Forgets a stored game.
    Forget {
        /// Which.
        id: String,
    },
    /// Brings back the stored game that was forgotten last.
    Remember {
        /// Which.
        id: String,
    },
    /// Asks to be told when everything asked before is done: what the page knows is then true.
    Sync {
        /// Comes back with the answer.
        number: u32,
    },
    /// Keeps the page's settings: a text the server does not look into.
    Settings {
        /// The text.
        text: String,
    },
}

/// What the server tells a page.
#[derive(Clone, Debug, Serialize, TS)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ToPage {
    /// The first message of every connection.
    Hello {
        /// Version of the program.
        version: String,
        /// The games with a name.
        presets: Vec<PresetInfo>,
        /// All agents.
        agents: Vec<AgentInfo>,
        /// The page's settings as it stored them last.
        settings: Option<String>,
    },
    /// Another game is shown from now on.
    Game {
        /// The game.
        game: Box<GameView>,
    },
    /// The nodes of the move tree from index `from` on; what the page has beyond is dropped.
    Tree {
        /// The first index that changes.
        from: u32,
        /// The nodes from there.
        nodes: Vec<NodeView>,
    },
    /// The position shown.
    Board {
        /// The position.
        board: BoardView,
    },
    /// News of a search.
    Search {
        /// The search.
        search: SearchView,
    },
    /// The answer to [`ToServer::Check`].
    Checked {
        /// The numbers that were asked about.
        form: RulesForm,
        /// What was found.
        check: FormCheck,
    },
    /// What both sides threaten.
    Threats {
        /// The threats.
        threats: ThreatsView,
    },
    /// The exact scores of the columns.
    Columns {
        /// The scores.
        columns: ColumnsView,
    },
    /// What was played in this position before.
    Book {
        /// The statistics.
        book: BookView,
    },
    /// Where the network would play.
    Policy {
        /// What it thinks.
        policy: PolicyView,
    },
    /// The answer to [`ToServer::Shapes`].
    Shapes {
        /// The shapes.
        shapes: ShapesView,
    },
    /// How far a review is; it is over when both are equal.
    Reviewed {
        /// Positions evaluated.
        done: u32,
        /// Positions to evaluate.
        of: u32,
    },
    /// What a review found.
    Review {
        /// The review.
        review: ReviewView,
    },
    /// The games of a record, to choose from.
    Choices {
        /// One line for each.
        titles: Vec<String>,
    },
    /// The answer to [`ToServer::Export`].
    Exported {
        /// A file name.
        name: String,
        /// The record.
        text: String,
        /// What the format leaves out.
        losses: Vec<String>,
    },
    /// The answer to [`ToServer::Runs`].
    Runs {
        /// Latest first.
        runs: Vec<RunInfo>,
        /// What was made of them, latest first.
        reports: Vec<ReportInfo>,
    },
    /// The answer to [`ToServer::Run`].
    Run {
        /// The run.
        view: RunView,
    },
    /// The answer to [`ToServer::Puzzles`].
    Puzzles {
        /// All of them.
        puzzles: Vec<PuzzleInfo>,
    },
    /// What the solver says to the last turn of a puzzle, or a hint.
    PuzzleState {
        /// How it stands.
        state: PuzzleProgress,
        /// For the person.
        words: String,
    },
    /// The answer to [`ToServer::StartMatch`].
    MatchStarted {
        /// Its run.
        run: String,
    },
    /// The answer to [`ToServer::Games`].
    Stored {
        /// All of them, newest first.
        games: Vec<StoredGame>,
        /// How many without comments are kept; the oldest make room.
        limit: u32,
    },
    /// The answer to [`ToServer::Sync`].
    Synced {
        /// The number of the question.
        number: u32,
    },
    /// Something was refused; the text is for the person.
    Refused {
        /// Why, and what to do.
        text: String,
    },
}
