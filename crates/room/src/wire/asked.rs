//! What a page asks: of the lobby, of the arena, of the game on its board. The three are told apart by
//! their names alone, so every message is one flat object: `{"type": "play", "ply": 4, "cell": 180}`.

use serde::Deserialize;
use serde::de::Error as _;
use ts_rs::TS;

use crate::json::{self, tagged_enum};

use super::{
    CoachDeed, ExplainAsked, FriendDeed, NewEngine, NewGame, NewMatch, NewSetup, Overlay,
    RulesForm, RunInfo, Sealed,
};

/// A message of a page.
#[derive(Clone, Debug, TS)]
#[ts(untagged)]
pub enum ToServer {
    /// Answered without a game.
    Lobby(ToLobby),
    /// Answered by whoever keeps the results of matches; nobody else looks inside.
    Arena(#[ts(as = "ToArena")] Sealed<ToArena>),
    /// Answered by the room of the game on the page's board.
    Game(ToGame),
}

/// What becomes of the position on the board when a message is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Until then the page shows an old one.
    Changes,
    /// It stays, or the page has drawn what is expected.
    Stays,
}

impl ToServer {
    /// Reads a message.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct Kind {
            r#type: String,
        }
        let Kind { r#type: kind } = json::read(text)?;
        let is_of = |kinds: &[(&str, Shown)]| kinds.iter().any(|(name, _)| *name == kind);
        if is_of(&ToGame::KINDS) {
            json::read(text).map(Self::Game)
        } else if is_of(&ToLobby::KINDS) {
            json::read(text).map(Self::Lobby)
        } else if is_of(&ToArena::KINDS) {
            json::read(text).map(Self::Arena)
        } else {
            Err(serde_json::Error::custom(format!("there is no message {kind:?}")))
        }
    }

    /// The names of the messages after which the board shows another position.
    pub fn changing() -> impl Iterator<Item = &'static str> {
        let all = ToLobby::KINDS.into_iter().chain(ToArena::KINDS).chain(ToGame::KINDS);
        all.filter(|(_, shown)| *shown == Shown::Changes).map(|(name, _)| name)
    }
}

tagged_enum! {
tag = "type";
/// What a page asks without a game, or to have another one on its board.
#[derive(Clone, Debug)]
pub enum ToLobby {
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
    /// Makes a room for a game between two people, which each of them enters by its link.
    Invite {
        /// What is played; the seats are for people.
        game: NewGame,
    },
    /// Opens a position that somebody set up, as a game between two people or as a puzzle.
    Setup {
        /// The stones.
        setup: NewSetup,
        /// Whether it is to be solved: it must have a proved win.
        #[ts(optional)]
        puzzle: Option<bool>,
    },
    /// Opens a game of a record, or a link of the page. With several games and no `index` the answer
    /// is their list.
    Import {
        /// The text of the file; of a `RenLib` file, a character for each byte.
        text: String,
        /// Which of its games.
        #[ts(optional)]
        index: Option<u32>,
        /// The game on the board: moves that do not name theirs are read in it.
        #[ts(optional)]
        game: Option<String>,
    },
    /// Opens a puzzle.
    Puzzle {
        /// Which: the name of a shipped one, or the link of a position with a proved win.
        id: String,
    },
    /// Asks for the puzzles that come with the program.
    Puzzles,
    /// Asks for the puzzles in a stored game.
    FindPuzzles {
        /// Which game.
        id: String,
    },
    /// Asks for an idea of the source documents, step by step.
    Explain {
        /// Which.
        asked: ExplainAsked,
    },
    /// Asks how games went on from a position.
    Openings {
        /// The position, as it stands in an address: `renju/h8.h9`.
        link: String,
        /// A list of games; without it the server's own book.
        #[ts(optional)]
        games: Option<String>,
    },
    /// Asks for the person's own finished games as such a list.
    OwnOpenings {
        /// The name of what is played.
        game: String,
    },
    /// Asks where the network would play in a position.
    Glance {
        /// The position.
        link: String,
    },
    /// Asks whether numbers make a game, and who plays it.
    Check {
        /// The numbers of the form.
        form: RulesForm,
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
    /// Asks for all games and the settings as one file.
    Backup,
    /// Puts back what such a file has; games that are there already stay as they are.
    RestoreBackup {
        /// The text of the file, or of a part of it.
        text: String,
    },
    /// Keeps the page's settings: a text the server does not look into.
    Settings {
        /// The text.
        text: String,
    },
}
}

impl ToLobby {
    /// The names of all of them, and what each does to the board. A test holds them to the type.
    pub const KINDS: [(&str, Shown); 19] = [
        ("open", Shown::Changes),
        ("new", Shown::Changes),
        ("invite", Shown::Stays),
        ("setup", Shown::Changes),
        ("import", Shown::Changes),
        ("puzzle", Shown::Changes),
        ("puzzles", Shown::Stays),
        ("findPuzzles", Shown::Stays),
        ("explain", Shown::Stays),
        ("openings", Shown::Stays),
        ("ownOpenings", Shown::Stays),
        ("glance", Shown::Stays),
        ("check", Shown::Stays),
        ("games", Shown::Stays),
        ("forget", Shown::Stays),
        ("remember", Shown::Stays),
        ("backup", Shown::Stays),
        ("restoreBackup", Shown::Stays),
        ("settings", Shown::Stays),
    ];
}

tagged_enum! {
tag = "type";
/// What a page asks about matches and tournaments.
#[derive(Clone, Debug)]
pub enum ToArena {
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
        r#match: NewMatch,
    },
    /// Asks for the boards of the games that are being played.
    Live {
        /// The run.
        run: String,
    },
    /// Stops a match that is being played here at once: the games under way begin anew when it goes on.
    StopMatch {
        /// The run.
        run: String,
    },
    /// Begins no more games of it; those under way are played to their end.
    PauseMatch {
        /// The run.
        run: String,
    },
    /// Goes on with a match that was paused, stopped or cut off.
    ResumeMatch {
        /// The run.
        run: String,
    },
    /// Gives a program of this computer a name, as an agent. Only from the computer itself.
    AddEngine {
        /// What is run.
        engine: NewEngine,
    },
}
}

impl ToArena {
    /// The names of all of them, and what each does to the board. A test holds them to the type.
    pub const KINDS: [(&str, Shown); 9] = [
        ("runs", Shown::Stays),
        ("run", Shown::Stays),
        ("replay", Shown::Changes),
        ("startMatch", Shown::Stays),
        ("live", Shown::Stays),
        ("stopMatch", Shown::Stays),
        ("pauseMatch", Shown::Stays),
        ("resumeMatch", Shown::Stays),
        ("addEngine", Shown::Stays),
    ];
}

tagged_enum! {
tag = "type";
/// What a page asks of the game on its board.
#[derive(Clone, Debug)]
pub enum ToGame {
    /// Asks for a hint to the puzzle on the board: first where to look, then for a stone of a winning turn.
    PuzzleHint,
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
    /// Takes a colour in an opening, or two more stones.
    Choose {
        /// What.
        choice: super::OpeningChoice,
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
    /// Asks for stones that make the position as even as possible; the answer is that of a hint.
    Balance {
        /// One, or two: an own one and the answer.
        stones: u8,
    },
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
    /// Asks how a win goes on: a proof to play against. Nothing changes on the board.
    Win {
        /// Where it begins.
        node: u32,
        /// Who is to win.
        winner: super::Colour,
        /// The stones played since.
        stones: Vec<u16>,
    },
    /// Asks something of the coach.
    Coach {
        /// What.
        deed: CoachDeed,
    },
    /// Tries a turn at a mistake of the game that was reviewed. Nothing changes on the board.
    Try {
        /// The node before the mistake.
        node: u32,
        /// The stones.
        stones: Vec<u16>,
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
    /// Does something besides playing in a game by a link.
    Friend {
        /// What.
        deed: FriendDeed,
    },
    /// Asks to be told when everything asked before is done: what the page knows is then true.
    Sync {
        /// Comes back with the answer.
        number: u32,
    },
}
}

impl ToGame {
    /// The names of all of them, and what each does to the board. A test holds them to the type.
    pub const KINDS: [(&str, Shown); 28] = [
        ("puzzleHint", Shown::Stays),
        ("play", Shown::Stays),
        ("type", Shown::Changes),
        ("choose", Shown::Changes),
        ("retract", Shown::Changes),
        ("undo", Shown::Changes),
        ("redo", Shown::Changes),
        ("resign", Shown::Stays),
        ("goto", Shown::Changes),
        ("continue", Shown::Changes),
        ("pause", Shown::Stays),
        ("pace", Shown::Stays),
        ("hint", Shown::Stays),
        ("balance", Shown::Stays),
        ("analyse", Shown::Stays),
        ("overlays", Shown::Stays),
        ("shapes", Shown::Stays),
        ("review", Shown::Stays),
        ("win", Shown::Stays),
        ("coach", Shown::Stays),
        ("try", Shown::Stays),
        ("export", Shown::Stays),
        ("comment", Shown::Stays),
        ("prune", Shown::Changes),
        ("restore", Shown::Changes),
        ("promote", Shown::Changes),
        ("friend", Shown::Stays),
        ("sync", Shown::Stays),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in a generated declaration: `{ "type": "play", … }`.
    fn names(declaration: &str) -> Vec<String> {
        let tagged = declaration.split("\"type\": \"").skip(1);
        tagged.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    }

    #[test]
    fn every_message_has_its_kind() {
        let kinds = |kinds: &[(&str, Shown)]| -> Vec<String> {
            kinds.iter().map(|(name, _)| (*name).to_owned()).collect()
        };
        assert_eq!(names(&ToLobby::decl()), kinds(&ToLobby::KINDS));
        assert_eq!(names(&ToArena::decl()), kinds(&ToArena::KINDS));
        assert_eq!(names(&ToGame::decl()), kinds(&ToGame::KINDS));
    }

    #[test]
    fn messages_are_told_apart_by_their_names() {
        let read = |text: &str| ToServer::read(text).map_err(|error| error.to_string());
        let play = r#"{"type": "play", "ply": 0, "cell": 3}"#;
        assert!(matches!(read(play), Ok(ToServer::Game(ToGame::Play { ply: 0, cell: 3 }))));
        assert!(matches!(read(r#"{"type":"games"}"#), Ok(ToServer::Lobby(ToLobby::Games))));
        let Ok(ToServer::Arena(asked)) = read(r#"{"type":"runs"}"#) else {
            panic!("not the arena")
        };
        assert!(matches!(asked.open(), Ok(ToArena::Runs)));
        assert!(read(r#"{"type":"fly"}"#).is_err_and(|why| why.contains("no message \"fly\"")));
        assert!(read(r#"{"type":"play","ply":-1,"cell":3}"#).is_err());
        assert!(read("[]").is_err());
    }
}
