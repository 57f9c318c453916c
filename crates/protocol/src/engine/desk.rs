//! What every session has, whatever its protocol: the position, the agent, the output.
//!
//! A position, not a `collinear_play::Game`: hosts set positions and take back single stones at will,
//! and the clocks, the end and the record of the game are theirs.

use std::io::{self, Write};
use std::time::Duration;

use collinear_play::{Agent, AgentError, Budget, BuildError, Fault, StopFlag, guard};
use collinear_rules::{Outcome, Position, Rules};

use super::{AgentMaker, Demands, EngineOptions};

pub(super) struct Desk<'a> {
    pub(super) position: Position,
    pub(super) options: &'a EngineOptions,
    demands: Demands,
    make: &'a AgentMaker<'a>,
    agent: Option<Box<dyn Agent>>,
    /// The agent must hear of a new game before its next turn.
    new_game: bool,
    /// How late the last turns were, at worst.
    lateness: Duration,
    out: &'a mut dyn Write,
    failure: Option<io::Error>,
}

impl<'a> Desk<'a> {
    pub(super) fn new(
        options: &'a EngineOptions,
        make: &'a AgentMaker<'a>,
        out: &'a mut dyn Write,
    ) -> Self {
        Self {
            position: Position::new(options.rules),
            options,
            demands: Demands::default(),
            make,
            agent: None,
            new_game: true,
            lateness: Duration::ZERO,
            out,
            failure: None,
        }
    }

    pub(super) fn rules(&self) -> Rules {
        *self.position.rules()
    }

    /// Says a line, at once: hosts wait for it.
    pub(super) fn say(&mut self, line: &str) {
        if self.failure.is_none() {
            let said = writeln!(self.out, "{line}").and_then(|()| self.out.flush());
            self.failure = said.err();
        }
    }

    /// Whether everything that was said could be said; the session ends when nobody listens.
    pub(super) fn listened(&mut self) -> io::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Clears the board for a game of these rules.
    pub(super) fn new_game(&mut self, rules: Rules) {
        self.set_position(Position::new(rules));
        self.new_game = true;
    }

    /// Replaces the position; an agent for other rules is let go.
    pub(super) fn set_position(&mut self, position: Position) {
        if position.rules() != self.position.rules() {
            self.agent = None;
        }
        self.position = position;
    }

    pub(super) fn set_demands(&mut self, demands: Demands) {
        if demands != self.demands {
            self.demands = demands;
            self.agent = None;
        }
    }

    pub(super) const fn demands(&self) -> Demands {
        self.demands
    }

    /// The agent, ready for a turn.
    pub(super) fn take_agent(&mut self) -> Result<Box<dyn Agent>, Fault> {
        let broken = |error: BuildError| AgentError::Engine(error.to_string());
        let mut agent = match self.agent.take() {
            Some(agent) => agent,
            None => guard(|| (self.make)(self.position.rules(), &self.demands))?.map_err(broken)?,
        };
        if self.new_game {
            guard(|| agent.new_game())?;
            self.new_game = false;
        }
        Ok(agent)
    }

    pub(super) fn give_back(&mut self, agent: Box<dyn Agent>) {
        self.agent = Some(agent);
    }

    /// How much later than they should turns are said on this machine, as it is just now.
    pub(super) const fn lateness(&self) -> Duration {
        self.lateness
    }

    /// A turn was said so late. What is long past counts for less and less.
    pub(super) fn heard_late(&mut self, late: Duration) {
        self.lateness = late.max(self.lateness * 7 / 8);
    }

    /// The agent forgets what it learned in this game.
    pub(super) const fn forget(&mut self) {
        self.new_game = true;
    }

    /// The limits of a turn when the host set none.
    pub(super) fn usual_budget(&self) -> Budget {
        Budget { stop: StopFlag::default(), ..self.options.budget.clone() }
    }

    /// `black wins` or `a draw`, when the game is over.
    pub(super) fn outcome_words(&self) -> Option<String> {
        match self.position.outcome() {
            Outcome::Ongoing => None,
            Outcome::Won(player) => Some(format!("{player} wins")),
            Outcome::Drawn => Some("a draw".to_owned()),
        }
    }
}
