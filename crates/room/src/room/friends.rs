//! A game by a link in its room: who may do what, and what consent brings about.

use collinear_play::{Game, NodeId, Side};
use collinear_rules::Player;
use collinear_rules::typed::ColumnNumbers;

use super::{Change, ClientId, Effect, Room};
use crate::convert::{check_timing, control, player, timing};
use crate::friends::{FriendRefusal, Stand};
use crate::game::{PageGame, Refusal};
use crate::store::Row;
use crate::wire::{FriendDeed, GameView, ToGame, ToPage, Wish};

/// Whether a message is something that a player does in the game itself.
pub(super) const fn moves(asked: &ToGame) -> bool {
    matches!(
        asked,
        ToGame::Play { .. } | ToGame::Type { .. } | ToGame::Choose { .. } | ToGame::Resign
    )
}

impl Room {
    /// Whether whoever asks may do so: in a game by a link each player has the own stones only, and
    /// those who watch have none. Everything that is not named here is refused there.
    pub(super) fn permit(&self, client: ClientId, asked: &ToGame) -> Result<(), Refusal> {
        let Some(friends) = &self.game.friends else { return Ok(()) };
        let seat = || friends.seat_of(self.clients.person(client));
        match asked {
            ToGame::Friend { .. } | ToGame::Sync { .. } | ToGame::Export { .. } => Ok(()),
            ToGame::Play { .. } | ToGame::Type { .. } | ToGame::Choose { .. } | ToGame::Resign => {
                let seat = seat()?;
                if friends.is_over() {
                    return Err(FriendRefusal::Over.into());
                }
                if !friends.agreed(timing(&self.game.model)) {
                    return Err(FriendRefusal::NotBegun.into());
                }
                match asked {
                    ToGame::Resign => Ok(()),
                    ToGame::Type { text, .. } => self.may_type(seat, text),
                    _ => Ok(acts(&self.game.model, seat)?),
                }
            }
            // After the game both look through it together.
            ToGame::Goto { .. } if friends.is_over() => Ok(seat().map(drop)?),
            _ => Err(FriendRefusal::NotHere.into()),
        }
    }

    /// Several stones may be typed, and all of them must be of one's own turn.
    fn may_type(&self, seat: usize, text: &str) -> Result<(), Refusal> {
        let mut trial = self.game.model.clone();
        for cell in trial.typed(text, ColumnNumbers::FromOne)? {
            acts(&trial, seat)?;
            trial.play(cell)?;
        }
        Ok(())
    }

    /// Gives up: in a game by a link for oneself, whoever is to move.
    pub(super) fn resign(&mut self, client: ClientId) -> Result<(), Refusal> {
        let Some(friends) = &self.game.friends else { return self.game.resign() };
        let seat = friends.seat_of(self.clients.person(client))?;
        Ok(self.game.model.resign(Player::BOTH[seat])?)
    }

    /// Does what somebody in the room does besides playing.
    pub(super) fn friend(&mut self, client: ClientId, deed: FriendDeed) -> Result<(), Refusal> {
        let clock = timing(&self.game.model);
        let begun = self.game.model.tree().len() > 1;
        let person = self.clients.person(client);
        let friends = self.game.friends.as_mut().ok_or(FriendRefusal::NoLink)?;
        if let FriendDeed::Sit { colour, name, clock } = &deed {
            friends.sit(person, player(*colour), name, *clock)?;
            self.seats_changed();
            return Ok(());
        }
        let seat = friends.seat_of(person)?;
        let granted = match deed {
            FriendDeed::Sit { .. } => None,
            FriendDeed::Stand => {
                friends.stand(seat, begun)?;
                self.seats_changed();
                None
            }
            FriendDeed::Ask { wish } => {
                if let Wish::Clock { timing } = wish {
                    check_timing(timing)?;
                }
                let has_turn = self.game.model.step().is_none()
                    && self.game.clone().take_back(Player::BOTH[seat]).is_ok();
                let now = Stand { clock, begun, has_turn };
                let friends = self.game.friends.as_mut().ok_or(FriendRefusal::NoLink)?;
                friends.ask(seat, wish, now)?.map(|wish| (seat, wish))
            }
            FriendDeed::Answer { yes } => friends.answer(seat, yes)?.map(|wish| (1 - seat, wish)),
            FriendDeed::Withdraw => {
                friends.withdraw(seat)?;
                None
            }
            FriendDeed::Say { text } => {
                friends.say(seat, &text)?;
                None
            }
            FriendDeed::Quiet => {
                friends.quiet();
                None
            }
        };
        match granted {
            Some((asker, wish)) => self.carry_out(asker, wish),
            None => Ok(()),
        }
    }

    /// Does what one has asked and the other has granted.
    fn carry_out(&mut self, asker: usize, wish: Wish) -> Result<(), Refusal> {
        match wish {
            Wish::Clock { timing } => {
                let model = self.game.model.clone();
                self.game.model = model.with_controls([control(timing); 2]);
                // The pages are told the clock with the game.
                self.change = Change::Replaced;
            }
            Wish::TakeBack => self.game.take_back(Player::BOTH[asker])?,
            Wish::Rematch => self.rematch()?,
            Wish::Chat => {}
        }
        Ok(())
    }

    /// Keeps the game that is over, and begins the same again with the colours swapped.
    fn rematch(&mut self) -> Result<(), Refusal> {
        let old = &self.game.model;
        // Who chose a colour in the opening puts the first stones of the next one.
        let swapped = old.black() != Some(Side::Chooser);
        let mut model = Game::new(*old.rules()).with_controls([*old.control(Player::Black); 2]);
        if let Some(dialogue) = old.dialogue() {
            model = model.with_opening_rule(dialogue.rule())?;
        }
        let tip = self.game.model.tree().tip(NodeId::ROOT);
        self.game.model.go_to(tip)?;
        let friends = self.game.friends.take();
        // Its own name: the seed is as good as a random number, and every game has another one.
        match Row::of(&format!("{:016x}", self.game.seed), &self.game) {
            Ok(row) => self.clients.effects.push(Effect::Save(row)),
            Err(error) => self.clients.tell_all(Self::not_saved(&error)),
        }
        self.game = PageGame::new(model, next(self.game.seed));
        self.game.friends = friends;
        if let Some(friends) = &mut self.game.friends {
            friends.begin_again(swapped);
            self.game.model.names = friends.names();
        }
        self.change = Change::Replaced;
        Ok(())
    }

    /// Somebody sat down or stood up. A game that is over keeps the names of those who played it.
    fn seats_changed(&mut self) {
        if let Some(friends) = self.game.friends.as_ref().filter(|friends| !friends.is_over()) {
            self.game.model.names = friends.names();
        }
        let GameView { seats, info, .. } = self.view();
        self.clients.tell_all(ToPage::Seats { seats, info });
        self.changed();
    }

    /// An opening has settled the colours: the players sit where the game has put their names.
    pub(super) fn friends_follow_colours(&mut self) {
        if self.game.model.black() == Some(Side::Chooser)
            && let Some(friends) = &mut self.game.friends
        {
            friends.swap();
        }
    }

    /// The game has gone on, or ended.
    pub(super) fn friends_played(&mut self) {
        let over = self.game.model.is_over();
        let Some(friends) = &mut self.game.friends else { return };
        friends.played(over);
        if over {
            // What was played in the end is the game; what was taken back is a variation of it. The
            // node is in the tree.
            let _ = self.game.model.promote(self.game.model.node());
        }
    }

    /// Who is here concerns everybody else.
    pub(super) fn friends_come_or_go(&mut self) {
        if self.game.friends.is_some() {
            self.change = self.change.max(Change::Kept);
        }
    }

    /// Tells each page how the room is for it.
    pub(super) fn tell_friends(&mut self) {
        let Some(friends) = &self.game.friends else { return };
        let (clock, present) = (timing(&self.game.model), self.clients.people());
        let views: Vec<_> = self
            .clients
            .all()
            .into_iter()
            .map(|client| (client, friends.view(self.clients.person(client), present, clock)))
            .collect();
        for (client, friends) in views {
            self.clients.tell(client, ToPage::Friends { friends });
        }
    }

    /// Whether somebody is here who plays: clocks stand still otherwise.
    pub(super) fn somebody_plays(&self) -> bool {
        let present = self.clients.people();
        match &self.game.friends {
            Some(friends) => friends.somebody_is_here(present),
            None => !present.is_empty(),
        }
    }
}

/// Whether it is the turn of this seat.
fn acts(game: &Game, seat: usize) -> Result<(), FriendRefusal> {
    let acts = game.acting().index() == seat;
    acts.then_some(()).ok_or(FriendRefusal::NotYourTurn)
}

/// The seed of the next game: a step of splitmix (Steele, Lea, Flood 2014).
const fn next(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
