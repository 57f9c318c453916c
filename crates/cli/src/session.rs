//! A game between people and agents, without a screen: what may be done now, doing it, and taking
//! it back. Front ends show it and ask.

use anyhow::{Result, bail};
use collinear_play::{Agent, Report, StopFlag, TimeControl, play_turn};
use collinear_rules::{Cell, IllegalMove, Player, Position, Rules};

/// Who sits on one side.
pub(crate) enum Side {
    /// Somebody at the keyboard.
    Human,
    /// An agent.
    Agent(Box<dyn Agent>),
}

/// A game in progress.
pub(crate) struct Session {
    position: Position,
    sides: [Side; 2],
    control: TimeControl,
    stop: StopFlag,
}

impl Session {
    /// A new game. Agents think within `control`; `stop` ends their turn early.
    pub(crate) fn new(
        rules: Rules,
        mut sides: [Side; 2],
        control: TimeControl,
        stop: StopFlag,
    ) -> Self {
        for side in &mut sides {
            if let Side::Agent(agent) = side {
                agent.new_game();
            }
        }
        Self { position: Position::new(rules), sides, control, stop }
    }

    /// The board.
    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    /// Whether a person is to place the next stone.
    pub(crate) fn is_human_to_move(&self) -> bool {
        self.is_human(self.position.to_move())
    }

    /// Whether a person plays this side.
    pub(crate) fn is_human(&self, player: Player) -> bool {
        matches!(self.sides[player.index()], Side::Human)
    }

    /// Places one stone of a person.
    pub(crate) fn place(&mut self, cell: Cell) -> Result<(), IllegalMove> {
        self.position.play(cell)
    }

    /// Lets the agent to move play its turn.
    pub(crate) fn agent_turn(&mut self, on: &mut dyn FnMut(&Report)) -> Result<Vec<Cell>> {
        let Side::Agent(agent) = &mut self.sides[self.position.to_move().index()] else {
            bail!("it is a person's turn");
        };
        let budget = self.control.budget(None, self.stop.child());
        let turn = agent.choose(&self.position, &budget, on)?;
        play_turn(&mut self.position, &turn)?;
        Ok(turn)
    }

    /// Takes stones back until a person is to move where he was before his last stone; false when
    /// there is none.
    pub(crate) fn take_back(&mut self) -> bool {
        let before = self.position.clone();
        while self.position.undo().is_some() {
            if self.is_human_to_move() {
                return true;
            }
        }
        self.position = before;
        false
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::notation;

    use super::*;

    #[test]
    fn people_and_agents_take_turns_and_turns_can_be_taken_back() {
        let rules = Rules::CONNECT6;
        let choice = collinear_agents::registry().parse("adjacent").expect("known");
        let agent = Side::Agent(choice.build(&rules, 1).expect("an agent"));
        let sides = [Side::Human, agent];
        let mut session = Session::new(rules, sides, TimeControl::default(), StopFlag::default());
        assert!(!session.take_back());
        session.place(notation::parse(&rules, "j10").expect("a cell")).expect("legal");
        assert!(!session.is_human_to_move());
        assert_eq!(session.agent_turn(&mut |_| {}).expect("a turn").len(), 2);
        assert!(session.is_human_to_move());
        session.place(notation::parse(&rules, "a1").expect("a cell")).expect("legal");
        // The stone just placed, then the agent's turn and the first stone.
        assert!(session.take_back());
        assert_eq!(session.position().stone_count(), 3);
        assert!(session.take_back());
        assert_eq!(session.position().stone_count(), 0);
    }
}
