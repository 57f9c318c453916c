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
mod asked;
mod coach;
mod explain;
mod friends;
mod game;
mod opening;
mod openings;
mod parity;
mod sealed;
mod told;

pub use analysis::{
    BookTurn, BookView, ColumnScore, ColumnsView, EngineLine, NamedShape, Outlook, Overlay,
    PolicyCell, PolicyView, Purpose, ReviewView, SearchView, ShapeLine, ShapeName, ShapesView,
    SideReview, ThreatSide, ThreatWindow, ThreatsView, TurnGrade, TurnReview, WinBranch,
    WinDefence, WinSource, WinView, Worth,
};
pub use arena::{
    ArenaLimits, LiveBoard, MatchFormat, MeetingView, NewEngine, NewMatch, ReportFile, ReportInfo,
    RunGame, RunInfo, RunPlayer, RunPoint, RunScore, RunView, SwissPlaceView, SwissRoundView,
    SwissView,
};
pub use asked::{Shown, ToArena, ToGame, ToLobby, ToServer};
pub use coach::{
    CoachDeed, CoachLevel, CoachSays, CoachView, CoachWarning, DangerView, MistakeKind, TriedView,
};
pub use explain::{
    ChainStep, ColumnSearch, ColumnStep, DefenceStep, DepthStep, ExplainAsked, Explained, LookStep,
    ProgramSteps, PromotionStep, ProofStep, ProofThen, RemoteStep, TileStep, TreeStep, WindowSeen,
    WindowStep,
};
pub use friends::{
    AnsweredView, AskedView, ChatLine, FriendDeed, FriendSeat, FriendsView, Invitation, InviteLink,
    Wish,
};
pub use game::{
    AgentInfo, BoardView, ClockView, Colour, Ending, FormCheck, FormatInfo, Fouls, GameInfo,
    GameView, Level, NewGame, NewSetup, NodeView, OptionInfo, OptionKind, PresetInfo, PuzzleInfo,
    PuzzleProgress, PuzzleWords, ReplayView, RulesForm, RulesView, Seat, StoredGame, Timing,
};
pub use opening::{OpeningChoice, OpeningDeed, OpeningRule, OpeningSide, OpeningStep, OpeningView};
pub use openings::{
    OpeningEntry, OpeningNamed, OpeningResults, OpeningStone, OpeningTurn, OpeningsView,
};
pub use parity::{FillingView, ParityThreat, ParityView};
pub use sealed::Sealed;
pub use told::ToPage;
