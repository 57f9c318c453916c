//! A game whose colours are not settled yet: what can be done while its [`Dialogue`] goes on.
//!
//! Until then the opener has Black's seat and the chooser White's. With the last choice everybody
//! sits down where the choice says, with name and clock, and the stones so far are the opening.

use collinear_rules::typed::{self, ColumnNumbers, TypedError};
use collinear_rules::{Cell, Player};

use super::{Game, Refusal};
use crate::dialogue::{
    Act, Choice, Dialogue, DialogueError, OpeningRule, Reply, Side, Step, reply,
};
use crate::{Agent, Fault, NodeId, Report, StopFlag, Thought};

impl Game {
    /// The same on an empty board with an opening rule.
    pub fn with_opening_rule(mut self, rule: OpeningRule) -> Result<Self, Refusal> {
        rule.check(self.rules())?;
        if self.root.stone_count() > 0 || self.tree.len() > 1 {
            return Err(DialogueError::Fixed.into());
        }
        self.dialogue = Some(Dialogue::new(rule));
        Ok(self)
    }

    /// The same with an opening that was under way or settled when the game was written down.
    pub fn with_dialogue(mut self, dialogue: Dialogue) -> Result<Self, Refusal> {
        dialogue.rule().check(self.rules())?;
        if self.root.stone_count() > 0 || !dialogue.is_possible(self.stones_at_tip()) {
            return Err(DialogueError::Fixed.into());
        }
        self.dialogue = Some(dialogue);
        Ok(self)
    }

    /// The opening in which the colours are or were settled, if there is one.
    pub const fn dialogue(&self) -> Option<&Dialogue> {
        self.dialogue.as_ref()
    }

    /// Who plays Black, where an opening has settled it.
    pub fn black(&self) -> Option<Side> {
        self.dialogue.as_ref()?.black()
    }

    /// What is to be done before the colours are settled; none without an opening rule and
    /// afterwards.
    pub fn step(&self) -> Option<Step> {
        let dialogue = self.dialogue.as_ref()?;
        // Settled games are asked most often and are longest.
        if dialogue.black().is_some() { None } else { dialogue.step(self.stones_at_tip()) }
    }

    /// The stones that a typed text names: those of this turn, or what an opening still wants.
    pub fn typed(&self, text: &str, numbers: ColumnNumbers) -> Result<Vec<Cell>, TypedError> {
        match self.step() {
            Some(Step::Place { stones, .. }) => typed::opening(&self.position, text, stones),
            _ => typed::stones_numbered(&self.position, text, numbers),
        }
    }

    fn stones_at_tip(&self) -> usize {
        self.tree.stones_to(self.tree.tip(NodeId::ROOT)).len()
    }

    /// Whose seat acts: while colours are not settled that of the side whose step it is, and then
    /// that of the player to move.
    pub fn acting(&self) -> Player {
        self.step().map_or_else(|| self.position.to_move(), |step| step.side().seat())
    }

    /// The side whose step it is chooses.
    pub fn choose(&mut self, choice: Choice) -> Result<(), Refusal> {
        self.choose_as(choice, None)
    }

    fn choose_as(&mut self, choice: Choice, chance: Option<f32>) -> Result<(), Refusal> {
        if self.is_over() {
            return Err(Refusal::Over);
        }
        let (tip, stones) = (self.tree.tip(NodeId::ROOT), self.stones_at_tip());
        let dialogue = self.dialogue.as_mut().ok_or(DialogueError::Settled)?;
        dialogue.choose(stones, choice, chance)?;
        let (black, rule) = (dialogue.black(), dialogue.rule());
        if self.node != tip {
            self.show(tip);
        }
        self.live = true;
        self.undone = None;
        let Some(black) = black else { return Ok(()) };
        self.opening = stones;
        self.metadata.insert(OPENING_RULE.to_owned(), rule.name().to_owned());
        if black == Side::Chooser {
            self.seats.swap(0, 1);
            self.names.swap(0, 1);
            self.controls.swap(0, 1);
            self.left.swap(0, 1);
        }
        Ok(())
    }

    /// Does what an agent wants done at the step under way.
    pub fn act(&mut self, reply: &Reply) -> Result<(), Refusal> {
        match &reply.act {
            Act::Choose(choice) => self.choose_as(*choice, reply.chance),
            Act::Place(stones) => {
                let due = match self.step() {
                    Some(Step::Place { stones, .. }) => stones,
                    Some(Step::Choose { .. }) => return Err(DialogueError::ChoiceFirst.into()),
                    None => return Err(DialogueError::Settled.into()),
                };
                if stones.len() != due {
                    return Err(DialogueError::StonesFirst(due).into());
                }
                let before = self.clone();
                for &cell in stones {
                    if let Err(refusal) = self.play(cell) {
                        *self = before;
                        return Err(refusal);
                    }
                }
                if let Some(dialogue) = &mut self.dialogue {
                    dialogue.heard(reply.chance);
                }
                Ok(())
            }
        }
    }

    /// Asks an agent for the step under way and does what it says; its clock is charged. After a
    /// fault the game stands where it stood.
    pub fn ask_step(
        &mut self,
        agent: &mut dyn Agent,
        stop: StopFlag,
        on: &mut dyn FnMut(&Report),
    ) -> Result<(), Fault> {
        let Some(step) = self.step() else { return Ok(()) };
        let budget = self.budget(stop);
        let started = crate::instant::Instant::now();
        let said = reply(agent, &self.position, step, &budget, on);
        let time = started.elapsed();
        self.charge(step.side().seat(), time);
        let done = said.and_then(|reply| {
            let late = budget.limit().and_then(|limit| time.checked_sub(limit));
            if let Some(over) = late.filter(|over| *over > budget.grace) {
                return Err(Fault::Late { over });
            }
            self.act(&reply)
                .map_err(|refusal| Fault::Agent(crate::AgentError::Engine(refusal.to_string())))
        });
        if done.is_err() {
            self.unanswered = Some(Thought::timed(time));
        }
        done
    }

    /// Whether a stone may follow the node shown.
    pub(super) fn check_opening(&self) -> Result<(), DialogueError> {
        let at_tip = self.node == self.tree.tip(NodeId::ROOT);
        match self.step() {
            Some(Step::Choose { .. }) => Err(DialogueError::ChoiceFirst),
            Some(Step::Place { .. }) if !at_tip => Err(DialogueError::Fixed),
            None if self.is_fixed(self.position.history().len() + 1) => Err(DialogueError::Fixed),
            _ => Ok(()),
        }
    }

    /// A stone was placed at this step: with the last one due it is done.
    pub(super) fn note_step(&mut self, step: Step) {
        let stones = self.position.history().len();
        if let (Step::Place { side, stones: 1 }, Some(dialogue)) = (step, &mut self.dialogue) {
            dialogue.placed(side, stones, None);
        }
    }

    /// Whether the stone of that number, from 1, belongs to an opening with a rule.
    pub(super) fn is_fixed(&self, number: usize) -> bool {
        self.dialogue.is_some() && (self.step().is_some() || number <= self.opening)
    }

    /// Whether the stone shown can be taken back: a person has placed it, and its step is under way.
    pub(super) fn can_undo_in_opening(&self) -> bool {
        let placing = matches!(self.step(), Some(Step::Place { .. }));
        let fixed = self.dialogue.as_ref().map_or(0, Dialogue::fixed_stones);
        placing
            && self.node == self.tree.tip(NodeId::ROOT)
            && self.position.history().len() > fixed
            && self.seat_to_move().is_person()
    }

    /// Takes back the last stone of the step under way.
    pub(super) fn undo_in_opening(&mut self) -> Result<(), Refusal> {
        let last = self.node;
        let before = self.tree.parent(last).filter(|_| self.can_undo_in_opening());
        let before = before.ok_or(Refusal::NothingToUndo)?;
        self.tree.remove(last);
        self.show(before);
        self.live = true;
        Ok(())
    }
}

/// The key of a record under which the rule is written.
const OPENING_RULE: &str = "opening-rule";
