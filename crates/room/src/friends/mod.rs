//! Two people at one game, each in a browser of their own: seats, names and consent.
//!
//! | what | who decides |
//! |---|---|
//! | a free seat | whoever takes it first; nobody can take it from them |
//! | the clock before the first stone, take-backs, a rematch, the chat | both: one asks, the other answers |
//! | a stone, a resignation | the player whose it is |
//! | everything else on the board | nobody while the game goes on: hints and analysis would be help |
//!
//! A seat belongs to a [`Person`], not to a connection: who comes back has it again. Everybody else
//! in the room watches. Pure logic; [`crate::Room`] carries out what was granted.

#[cfg(test)]
mod tests;

use collinear_rules::Player;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::convert::colour;
use crate::text::one_line;
use crate::wire::{AnsweredView, AskedView, ChatLine, FriendSeat, FriendsView, Timing, Wish};

/// How the names of rooms begin under which such games are stored; the secret of the link follows.
const PREFIX: &str = "friend-";
/// The longest name of a person.
const MAX_NAME: usize = 30;
/// The longest thing said.
const MAX_SAID: usize = 300;
/// How much of what was said is kept.
const MAX_LINES: usize = 100;
/// How a person's identity is written: so many hexadecimal digits.
const PERSON_DIGITS: usize = 32;

/// Somebody, whichever connection they come by: a secret that their browser keeps.
#[derive(Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Person(String);

/// It is a secret: logs do not show it.
impl std::fmt::Debug for Person {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Person(…)")
    }
}

impl Person {
    /// Reads an identity: 32 hexadecimal digits.
    pub fn read(text: &str) -> Option<Self> {
        let hex = text.bytes().all(|sign| sign.is_ascii_digit() || (b'a'..=b'f').contains(&sign));
        (text.len() == PERSON_DIGITS && hex).then(|| Self(text.to_owned()))
    }
}

/// Under which name the room of a link is stored; the secret is what its link carries.
pub fn room_id(secret: &str) -> String {
    format!("{PREFIX}{secret}")
}

/// The secret of a room's link, if the name is that of a room which has one.
pub fn room_secret(id: &str) -> Option<&str> {
    id.strip_prefix(PREFIX)
}

/// Why something is refused in such a room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum FriendRefusal {
    #[error("this game is not played by a link")]
    NoLink,
    #[error("you are watching: only the two players can do this")]
    Watching,
    #[error("your browser keeps no cookies of this page: you can watch, but not take a seat")]
    NoIdentity,
    #[error("somebody sits there already")]
    Taken,
    #[error("you have a seat already: leave it first")]
    Seated,
    #[error("write a name first")]
    Nameless,
    #[error("the game begins when both seats are taken and both players have agreed on the clock")]
    NotBegun,
    #[error("it is the other player's turn")]
    NotYourTurn,
    #[error("this can be done only before the first stone, or when the game is over")]
    Begun,
    #[error("the game is over: ask for a rematch")]
    Over,
    #[error("the game is not over yet")]
    NotOver,
    #[error("something was asked already: it has to be answered first")]
    Open,
    #[error("nothing was asked of you")]
    NothingAsked,
    #[error("you have no turn that could be taken back")]
    NoTurn,
    #[error("the chat is off: the other player has to agree to it")]
    NoChat,
    #[error("in a game by a link nobody has help, and moves are taken back only by consent")]
    NotHere,
}

type Done = Result<(), FriendRefusal>;

/// The two seats and what their players have agreed on.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Friends {
    /// Black's player and White's; before an opening has settled the colours, its opener and its
    /// chooser.
    seats: [Option<Sitter>; 2],
    asked: Option<Asked>,
    /// The last question, and whether it was granted.
    answered: Option<(Asked, bool)>,
    chat: bool,
    /// What was said is not kept on disk.
    #[serde(skip)]
    said: Vec<ChatLine>,
    /// Whether the game has ended; while it is looked back at, the board does not tell.
    over: bool,
}

/// A player.
#[derive(Clone, Debug, Deserialize, Serialize)]
struct Sitter {
    person: Person,
    name: String,
    /// The clock they have agreed to.
    clock: Timing,
}

/// A question: the seat that asks, and for what.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Asked {
    by: usize,
    wish: Wish,
}

/// What a wish depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    /// How time is kept.
    pub(crate) clock: Timing,
    /// Whether a stone was placed.
    pub(crate) begun: bool,
    /// Whether the asker has a turn that can be taken back.
    pub(crate) has_turn: bool,
}

impl Friends {
    /// Where somebody sits: 0 is Black's seat.
    pub(crate) fn seat_of(&self, person: Option<&Person>) -> Result<usize, FriendRefusal> {
        let sits = |seat: &Option<Sitter>| seat.as_ref().map(|sitter| &sitter.person) == person;
        person.and_then(|_| self.seats.iter().position(sits)).ok_or(FriendRefusal::Watching)
    }

    /// The players' names.
    pub(crate) fn names(&self) -> [Option<String>; 2] {
        self.seats.each_ref().map(|seat| seat.as_ref().map(|sitter| sitter.name.clone()))
    }

    /// Whether both sit and have agreed to this clock.
    pub(crate) fn agreed(&self, clock: Timing) -> bool {
        self.seats.iter().all(|seat| seat.as_ref().is_some_and(|sitter| sitter.clock == clock))
    }

    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// Somebody takes a free seat.
    pub(crate) fn sit(
        &mut self,
        person: Option<&Person>,
        player: Player,
        name: &str,
        clock: Timing,
    ) -> Done {
        let person = person.ok_or(FriendRefusal::NoIdentity)?;
        if self.seat_of(Some(person)).is_ok() {
            return Err(FriendRefusal::Seated);
        }
        let name = one_line(name, MAX_NAME);
        if name.is_empty() {
            return Err(FriendRefusal::Nameless);
        }
        let seat = &mut self.seats[player.index()];
        if seat.is_some() {
            return Err(FriendRefusal::Taken);
        }
        *seat = Some(Sitter { person: person.clone(), name, clock });
        Ok(())
    }

    /// A player leaves the seat, and with it everything that only they were asked or could answer.
    pub(crate) fn stand(&mut self, seat: usize, begun: bool) -> Done {
        if begun && !self.over {
            return Err(FriendRefusal::Begun);
        }
        self.seats[seat] = None;
        (self.asked, self.answered, self.chat) = (None, None, false);
        self.said.clear();
        Ok(())
    }

    /// A player asks for something. What needs no answer is granted at once and returned.
    pub(crate) fn ask(
        &mut self,
        seat: usize,
        wish: Wish,
        now: Stand,
    ) -> Result<Option<Wish>, FriendRefusal> {
        match wish {
            Wish::Clock { .. } if now.begun => return Err(FriendRefusal::Begun),
            Wish::TakeBack | Wish::Rematch if !self.agreed(now.clock) => {
                return Err(FriendRefusal::NotBegun);
            }
            Wish::TakeBack if self.over => return Err(FriendRefusal::Over),
            Wish::TakeBack if !now.has_turn => return Err(FriendRefusal::NoTurn),
            Wish::Rematch if !self.over => return Err(FriendRefusal::NotOver),
            _ => {}
        }
        // Another clock answers the one that was proposed.
        let counters = |asked: &Asked| {
            asked.by != seat
                && matches!((asked.wish, wish), (Wish::Clock { .. }, Wish::Clock { .. }))
        };
        if self.asked.is_some_and(|asked| !counters(&asked)) {
            return Err(FriendRefusal::Open);
        }
        self.answered = None;
        if self.needs_nobody(seat, wish) {
            self.asked = None;
            self.grant(wish);
            return Ok(Some(wish));
        }
        self.asked = Some(Asked { by: seat, wish });
        Ok(None)
    }

    /// Nobody sits opposite, or they have agreed to this very clock already.
    fn needs_nobody(&self, seat: usize, wish: Wish) -> bool {
        let Wish::Clock { timing } = wish else { return false };
        self.seats[1 - seat].as_ref().is_none_or(|other| other.clock == timing)
    }

    /// A player answers; what was granted is returned.
    pub(crate) fn answer(&mut self, seat: usize, yes: bool) -> Result<Option<Wish>, FriendRefusal> {
        let asked = self.asked.filter(|asked| asked.by != seat);
        let asked = asked.ok_or(FriendRefusal::NothingAsked)?;
        (self.asked, self.answered) = (None, Some((asked, yes)));
        if yes {
            self.grant(asked.wish);
        }
        Ok(yes.then_some(asked.wish))
    }

    /// A player takes the own question back.
    pub(crate) fn withdraw(&mut self, seat: usize) -> Done {
        let own = self.asked.take_if(|asked| asked.by == seat);
        own.map(drop).ok_or(FriendRefusal::NothingAsked)
    }

    fn grant(&mut self, wish: Wish) {
        match wish {
            Wish::Clock { timing } => {
                for sitter in self.seats.iter_mut().flatten() {
                    sitter.clock = timing;
                }
            }
            Wish::Chat => self.chat = true,
            Wish::TakeBack | Wish::Rematch => {}
        }
    }

    /// A player says something.
    pub(crate) fn say(&mut self, seat: usize, text: &str) -> Done {
        if !self.chat {
            return Err(FriendRefusal::NoChat);
        }
        let text = one_line(text, MAX_SAID);
        if let (false, Some(sitter)) = (text.is_empty(), &self.seats[seat]) {
            self.said.push(ChatLine { name: sitter.name.clone(), text });
            let old = self.said.len().saturating_sub(MAX_LINES);
            self.said.drain(..old);
        }
        Ok(())
    }

    /// A player switches the chat off, and what was said is gone.
    pub(crate) fn quiet(&mut self) {
        self.chat = false;
        self.said.clear();
        self.asked.take_if(|asked| asked.wish == Wish::Chat);
    }

    /// A stone was placed, or the game has ended: what was asked about the position before lapses.
    pub(crate) fn played(&mut self, over: bool) {
        self.answered = None;
        self.asked.take_if(|asked| asked.wish != Wish::Chat);
        self.over = over;
    }

    /// The players change seats: an opening has settled the colours.
    pub(crate) fn swap(&mut self) {
        self.seats.swap(0, 1);
        for asked in self.asked.iter_mut().chain(self.answered.iter_mut().map(|(asked, _)| asked)) {
            asked.by = 1 - asked.by;
        }
    }

    /// Another game begins.
    pub(crate) fn begin_again(&mut self, swapped: bool) {
        if swapped {
            self.swap();
        }
        (self.asked, self.answered, self.over) = (None, None, false);
    }

    /// The room as somebody sees it; `present` are all who are connected.
    pub(crate) fn view(
        &self,
        person: Option<&Person>,
        present: &[Option<Person>],
        clock: Timing,
    ) -> FriendsView {
        let side = |seat: usize| colour(Player::BOTH[seat]);
        let here = |person: &Person| present.iter().flatten().any(|other| other == person);
        let seat = |sitter: &Sitter| FriendSeat {
            name: sitter.name.clone(),
            here: here(&sitter.person),
            agrees: sitter.clock == clock,
        };
        let you = self.seat_of(person).ok();
        let watches = |person: &&Option<Person>| self.seat_of(person.as_ref()).is_err();
        FriendsView {
            seats: self.seats.each_ref().map(|sitter| sitter.as_ref().map(seat)),
            you: you.map(side),
            watching: present.iter().filter(watches).count() as u32,
            agreed: self.agreed(clock),
            over: self.over,
            asked: self.asked.map(|Asked { by, wish }| AskedView { by: side(by), wish }),
            answered: self.answered.map(|(Asked { by, wish }, yes)| AnsweredView {
                by: side(by),
                wish,
                yes,
            }),
            chat: (self.chat && you.is_some()).then(|| self.said.clone()),
        }
    }

    /// Whether a player is connected: the clock runs only then.
    pub(crate) fn somebody_is_here(&self, present: &[Option<Person>]) -> bool {
        present.iter().any(|person| self.seat_of(person.as_ref()).is_ok())
    }
}
