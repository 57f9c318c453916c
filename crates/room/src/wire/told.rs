//! What a page is told.

use serde::Serialize;
use ts_rs::TS;

use super::{
    AgentInfo, ArenaLimits, BoardView, BookView, CoachView, ColumnsView, DangerView, ExplainAsked,
    Explained, FormCheck, FriendsView, GameInfo, GameView, Invitation, LiveBoard, NodeView,
    OpeningsView, ParityView, PolicyView, PresetInfo, PuzzleInfo, PuzzleProgress, PuzzleWords,
    ReportInfo, ReviewView, RulesForm, RunInfo, RunView, Sealed, SearchView, Seat, ShapesView,
    StoredGame, ThreatsView, TriedView, WinView,
};

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
        /// What there is to know for a page that came by the link of a room.
        invitation: Option<Invitation>,
    },
    /// The answer to [`ToLobby::Invite`](super::ToLobby::Invite).
    Invited {
        /// The secret of the room's link.
        room: String,
    },
    /// Another game is shown from now on.
    Game {
        /// The game.
        game: Box<GameView>,
    },
    /// With the colours of an opening the seats of the game have changed.
    Seats {
        /// Black's seat and White's.
        seats: [Seat; 2],
        /// What is known from a record, the players' names among it.
        info: Vec<GameInfo>,
    },
    /// Who is in the room of a game by a link, and what they want of each other.
    Friends {
        /// The room.
        friends: FriendsView,
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
    /// The answer to [`ToLobby::Check`](super::ToLobby::Check).
    Checked {
        /// The numbers that were asked about.
        form: RulesForm,
        /// What was found.
        check: FormCheck,
    },
    /// The answer to [`ToLobby::Explain`](super::ToLobby::Explain).
    Explained {
        /// What was asked.
        asked: ExplainAsked,
        /// Its steps.
        #[ts(as = "Explained")]
        explained: Sealed<Explained>,
    },
    /// The answer to [`ToLobby::Openings`](super::ToLobby::Openings).
    Openings {
        /// The position that was asked about.
        link: String,
        /// How games went on.
        #[ts(as = "OpeningsView")]
        openings: Sealed<OpeningsView>,
    },
    /// The answer to [`ToLobby::OwnOpenings`](super::ToLobby::OwnOpenings).
    OwnOpenings {
        /// The name of what is played.
        game: String,
        /// The games, a line for each.
        text: String,
        /// How many they are.
        count: u32,
        /// Games in the server's book.
        book: u32,
    },
    /// The answer to [`ToLobby::Glance`](super::ToLobby::Glance).
    Glanced {
        /// The position that was asked about.
        link: String,
        /// What the network thinks; nothing where it has not learned the game.
        #[ts(as = "Option<PolicyView>")]
        policy: Option<Sealed<PolicyView>>,
    },
    /// What both sides threaten.
    Threats {
        /// The threats.
        #[ts(as = "ThreatsView")]
        threats: Sealed<ThreatsView>,
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
        #[ts(as = "PolicyView")]
        policy: Sealed<PolicyView>,
    },
    /// What the rows of open threats say.
    Parity {
        /// The threats.
        #[ts(as = "ParityView")]
        parity: Sealed<ParityView>,
    },
    /// The answer to [`ToGame::Shapes`](super::ToGame::Shapes).
    Shapes {
        /// The shapes.
        #[ts(as = "ShapesView")]
        shapes: Sealed<ShapesView>,
    },
    /// The answer to [`ToGame::Win`](super::ToGame::Win).
    Win {
        /// How it goes on.
        #[ts(as = "WinView")]
        win: Sealed<WinView>,
    },
    /// What the coach of the game says.
    Coach {
        /// The coach.
        coach: CoachView,
    },
    /// What the opponent threatens.
    Danger {
        /// The threats.
        #[ts(as = "DangerView")]
        danger: Sealed<DangerView>,
    },
    /// The answer to [`ToGame::Try`](super::ToGame::Try).
    Tried {
        /// What came of it.
        #[ts(as = "TriedView")]
        tried: Sealed<TriedView>,
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
        #[ts(as = "ReviewView")]
        review: Sealed<ReviewView>,
    },
    /// The games of a record, to choose from.
    Choices {
        /// One line for each.
        titles: Vec<String>,
    },
    /// The answer to [`ToGame::Export`](super::ToGame::Export).
    Exported {
        /// A file name.
        name: String,
        /// The record.
        text: String,
        /// What the format leaves out.
        losses: Vec<String>,
    },
    /// The answer to [`ToArena::Runs`](super::ToArena::Runs).
    Runs {
        /// Latest first.
        runs: Vec<RunInfo>,
        /// What was made of them, latest first.
        reports: Vec<ReportInfo>,
        /// What this page may ask for.
        limits: ArenaLimits,
    },
    /// The answer to [`ToArena::Run`](super::ToArena::Run).
    Run {
        /// The run.
        view: RunView,
    },
    /// The answer to [`ToLobby::Puzzles`](super::ToLobby::Puzzles).
    Puzzles {
        /// All of them.
        #[ts(as = "Vec<PuzzleInfo>")]
        puzzles: Sealed<Vec<PuzzleInfo>>,
    },
    /// The answer to [`ToLobby::FindPuzzles`](super::ToLobby::FindPuzzles).
    FoundPuzzles {
        /// The stored game.
        id: String,
        /// The name of what was played.
        game: String,
        /// The puzzles as the lines of a set, not rated.
        lines: Vec<String>,
    },
    /// What the solver says to the last turn of a puzzle, or a hint.
    PuzzleState {
        /// How it stands.
        state: PuzzleProgress,
        /// For the person.
        words: PuzzleWords,
    },
    /// The answer to [`ToArena::StartMatch`](super::ToArena::StartMatch).
    MatchStarted {
        /// Its run.
        run: String,
    },
    /// The answer to [`ToArena::Live`](super::ToArena::Live).
    Live {
        /// The run.
        run: String,
        /// By number.
        boards: Vec<LiveBoard>,
    },
    /// The answer to [`ToArena::AddEngine`](super::ToArena::AddEngine).
    EngineAdded {
        /// Its name.
        name: String,
        /// Everybody who can be chosen now.
        agents: Vec<AgentInfo>,
    },
    /// The answer to [`ToLobby::Games`](super::ToLobby::Games).
    Stored {
        /// All of them, newest first.
        games: Vec<StoredGame>,
        /// How many without comments are kept; the oldest make room.
        limit: u32,
    },
    /// The answer to [`ToGame::Sync`](super::ToGame::Sync).
    Synced {
        /// The number of the question.
        number: u32,
    },
    /// The answer to [`ToLobby::RestoreBackup`](super::ToLobby::RestoreBackup).
    Restored {
        /// Games that were not there before.
        games: u32,
        /// The settings that are kept now, if the file had any.
        settings: Option<String>,
    },
    /// Something was refused; the text is for the person.
    Refused {
        /// Why, and what to do.
        text: String,
    },
}

impl ToPage {
    /// The names of the messages that belong to the game on the board: between two games such a
    /// message may be of the one that is gone.
    pub const OF_A_GAME: [&str; 17] = [
        "seats", "friends", "tree", "board", "search", "threats", "columns", "book", "policy",
        "shapes", "parity", "reviewed", "review", "win", "coach", "danger", "tried",
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_messages_of_a_game_exist() {
        let declaration = ToPage::decl();
        for name in ToPage::OF_A_GAME {
            assert!(declaration.contains(&format!("\"type\": \"{name}\"")), "{name}");
        }
    }
}
