//! Openings in a room: a person chooses a colour, an agent is asked for its step.

use collinear_play::dialogue::Reply;
use collinear_play::{Fault, Step};

use super::Room;
use crate::game::Refusal;
use crate::wire::{GameView, OpeningChoice, ToPage};
use crate::work::{JobNumber, Search, Work, Yields};

impl Room {
    /// A person takes a colour, or wants to put two more stones.
    pub(super) fn choose(&mut self, choice: OpeningChoice) -> Result<(), Refusal> {
        if let Some((player, _)) = self.game.agent_to_move() {
            return Err(Refusal::NotYours(self.game.name(player)));
        }
        self.game.model.choose(choice.into())?;
        self.friends_follow_colours();
        self.colours_settled();
        Ok(())
    }

    /// What an agent does at a step of an opening.
    pub(super) fn step_found(&mut self, number: JobNumber, reply: Result<Reply, Fault>) {
        let Some(search) = self.searches.take_turn(number) else { return };
        self.clients.tell_all(ToPage::Search { search });
        match reply.map(|reply| self.game.model.act(&reply)) {
            Ok(Ok(())) => {
                self.colours_settled();
                self.pace.turn_began = self.now;
                self.changed();
            }
            Ok(Err(refusal)) => {
                self.clients.tell_all(ToPage::Refused { text: refusal.to_string() });
            }
            Err(fault) => self.forfeit(&fault),
        }
    }

    /// The work of an agent at a step.
    pub(super) fn step_work(search: Search, step: Step) -> Work {
        Work::Open { search: Search { yields: Yields::Never, ..search }, step }
    }

    /// With the colours the seats may have changed, which the pages were told once.
    fn colours_settled(&mut self) {
        if self.game.model.black().is_some() {
            let GameView { seats, info, .. } = self.view();
            self.clients.tell_all(ToPage::Seats { seats, info });
        }
    }
}
