//! A game that two people play by a link: who sits where, what they have agreed on, what one asks of
//! the other.

use crate::json::tagged_enum;
use serde::Serialize;
use ts_rs::TS;

use super::{Colour, Timing};

tagged_enum! {
tag = "type";
/// What somebody in the room does besides playing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FriendDeed {
    /// Takes a free seat, and agrees to a clock.
    Sit {
        /// Whose stones; before the colours are settled Black stands for who puts the first stones.
        colour: Colour,
        /// What to be called.
        name: String,
        /// The clock agreed to: the one that the page showed.
        clock: Timing,
    },
    /// Leaves the seat; not while a game goes on.
    Stand,
    /// Asks the other player for something.
    Ask {
        /// What.
        wish: Wish,
    },
    /// Answers what the other player has asked.
    Answer {
        /// Whether it is granted.
        yes: bool,
    },
    /// Takes the own question back.
    Withdraw,
    /// Says something to the other player, when the chat is on.
    Say {
        /// What.
        text: String,
    },
    /// Switches the chat off.
    Quiet,
}
}

tagged_enum! {
tag = "type";
/// What needs the consent of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Another clock, before the first stone.
    Clock {
        /// How time is to be kept.
        timing: Timing,
    },
    /// To take back the asker's last turn, and what was answered.
    TakeBack,
    /// Another game with the colours swapped, after this one is over.
    Rematch,
    /// To write to each other.
    Chat,
}
}

/// The room as one of those in it sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FriendsView {
    /// Black's player and White's.
    pub seats: [Option<FriendSeat>; 2],
    /// Where the page's own player sits; nowhere when it watches.
    pub you: Option<Colour>,
    /// How many watch.
    pub watching: u32,
    /// Whether both sit and have agreed on the clock: stones may be placed.
    pub agreed: bool,
    /// Whether the game is over: it may be looked through, and played again.
    pub over: bool,
    /// What one has asked and the other has not answered.
    pub asked: Option<AskedView>,
    /// What was answered last, until something else happens.
    pub answered: Option<AnsweredView>,
    /// What was said, when the chat is on.
    pub chat: Option<Vec<ChatLine>>,
}

/// A player of the room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct FriendSeat {
    /// What they are called.
    pub name: String,
    /// Whether they are connected.
    pub here: bool,
    /// Whether they have agreed to the clock of the game.
    pub agrees: bool,
}

/// A question that waits for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct AskedView {
    /// Who asks.
    pub by: Colour,
    /// For what.
    pub wish: Wish,
}

/// A question that was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
pub struct AnsweredView {
    /// Who had asked.
    pub by: Colour,
    /// For what.
    pub wish: Wish,
    /// Whether it was granted.
    pub yes: bool,
}

/// Something that a player said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct ChatLine {
    /// Who said it.
    pub name: String,
    /// The words.
    pub text: String,
}

/// What a page is told that came by the link of a room.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct Invitation {
    /// Whether the page is of the server's owner, who can leave the room for the rest of the program.
    pub owner: bool,
    /// Addresses of the room that other machines can open; the owner alone is told.
    pub links: Vec<InviteLink>,
}

/// An address to be sent, or to be read by the camera of a phone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
pub struct InviteLink {
    /// The address.
    pub url: String,
    /// The side of its QR code in modules, without the margin.
    pub size: u32,
    /// The dark modules as the path of an SVG, a unit for each module.
    pub path: String,
}
