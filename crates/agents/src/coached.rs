//! A player who obeys a coach, as a beginner at the page may: each idea is shown to the coach before it is
//! played, and one that he warns of is given up for the next. The coach never says what to play; where
//! everything is warned of, the least bad idea is played. So a match against the same player without a
//! coach measures what the warnings are worth.

use collinear_engine::analysis::{Searched, TurnAnalysis, Watch, judged};
use collinear_engine::{Engine, Settings};
use collinear_play::{Agent, AgentError, Budget, Report, Turn, play_turn};
use collinear_rules::{Cell, Position, Rules};

/// Ideas of the pupil for one turn, the same one again among them.
const MAX_IDEAS: usize = 8;
/// The part of a turn's time that each question may take: there are few.
const SHARE: u32 = 12;
/// The coach's table, in MiB: his searches are short.
const MEMORY: usize = 8;

/// See the module.
pub(crate) struct Coached {
    pupil: Box<dyn Agent>,
    coach: Engine,
    watch: Watch,
    nodes: u64,
}

impl Coached {
    /// A pupil with a coach who warns of so much, and looks at this many positions (visits of the
    /// network search) before and after each idea.
    pub(crate) fn new(pupil: Box<dyn Agent>, rules: &Rules, watch: Watch, nodes: u64) -> Self {
        let settings = Settings { memory: MEMORY, ..Settings::default() };
        Self { pupil, coach: Engine::new(rules, settings, 0), watch, nodes }
    }

    /// What the coach knows of a position; nothing where he was stopped before he knew anything.
    fn look(&mut self, position: &Position, budget: &Budget) -> Option<Searched> {
        let budget = Budget { nodes: Some(self.nodes), lines: 0, ..budget.clone() };
        // As in a review: what was learnt before would make the second judgement another one.
        self.coach.clear();
        let thought = self.coach.think(position, &budget, &mut |_| {}).ok()?;
        Some(Searched::new(thought.turn, &thought.report))
    }

    /// An idea, judged.
    fn judge(
        &mut self,
        before: &Position,
        idea: &[Cell],
        then: &Searched,
        budget: &Budget,
    ) -> Option<TurnAnalysis> {
        let mut after = before.clone();
        play_turn(&mut after, idea).ok()?;
        let now = if after.is_over() { None } else { Some(self.look(&after, budget)?) };
        judged(before, idea, then.clone(), now)
    }
}

impl Agent for Coached {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let meter = budget.start(1);
        let part =
            Budget { time: budget.limit().map(|time| time / SHARE), clock: None, ..budget.clone() };
        let first = self.pupil.choose(position, &part, on)?;
        // Whoever asks for several lines analyses.
        let Some(then) = (budget.lines <= 1).then(|| self.look(position, &part)).flatten() else {
            return Ok(first);
        };
        let mut refused: Vec<(Turn, f32)> = Vec::new();
        let mut idea = first;
        for _ in 0..MAX_IDEAS {
            if !refused.iter().any(|(known, _)| *known == idea) {
                let Some(judged) = self.judge(position, &idea, &then, &part) else { break };
                if !self.watch.warns(&judged) {
                    return Ok(idea);
                }
                refused.push((idea.clone(), judged.after.chance()));
            }
            if meter.is_past(0.5) || budget.stop.is_stopped() {
                break;
            }
            idea = self.pupil.choose(position, &part, &mut |_| {})?;
        }
        let best = refused.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        Ok(best.map_or(idea, |(turn, _)| turn))
    }

    fn new_game(&mut self) {
        self.pupil.new_game();
        self.coach.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;
    use collinear_rules::notation;

    /// Plays anything, in the order of its list.
    struct Ideas(Vec<&'static str>, usize);

    impl Agent for Ideas {
        fn choose(
            &mut self,
            position: &Position,
            _: &Budget,
            _: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            let names = self.0[self.1 % self.0.len()];
            self.1 += 1;
            Ok(cells(position.rules(), names))
        }
    }

    fn cells(rules: &Rules, names: &str) -> Vec<Cell> {
        let at = |name| notation::parse(rules, name).expect(name);
        names.split_whitespace().map(at).collect()
    }

    fn chosen(rules: Rules, moves: &str, ideas: &[&'static str], watch: Watch) -> String {
        let position = Position::from_moves(rules, &cells(&rules, moves)).expect("legal");
        let pupil = Box::new(Ideas(ideas.to_vec(), 0));
        let mut coached = Coached::new(pupil, &rules, watch, 1_000);
        let turn = coached.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn");
        notation::names(&rules, &turn)
    }

    #[test]
    fn a_warned_idea_is_given_up_for_the_next() {
        let four = "h8 j10 i8 i9 g8 j8 d5 h10 f8";
        let chosen = |ideas: &[&'static str], watch| chosen(Rules::GOMOKU, four, ideas, watch);
        assert_eq!(chosen(&["o15", "o14", "e8"], Watch::Losses), "e8");
        assert_eq!(chosen(&["e8", "o15"], Watch::Losses), "e8");
        // Nothing else occurs to the pupil.
        assert_eq!(chosen(&["o15"], Watch::Mistakes), "o15");
        let two = "h10 g9 g11 i10 j10 e9 l11 k10 j12";
        let chosen =
            super::tests::chosen(Rules::CONNECT6, two, &["g10 a1", "g10 l10"], Watch::Losses);
        assert_eq!(chosen, "g10 l10");
    }

    #[test]
    fn the_same_seed_plays_the_same_coached_turns() {
        let registry = registry();
        for rules in [Rules::GOMOKU, Rules::CONNECT6] {
            let play = || {
                let spec = "sextant:level=1,coach=mistakes,coach-nodes=60";
                let mut agent = registry.parse(spec).expect(spec).build(&rules, 5).expect("builds");
                let mut position = Position::new(rules);
                for _ in 0..4 {
                    let turn = agent.choose(&position, &Budget::default(), &mut |_| {});
                    play_turn(&mut position, &turn.expect("a turn")).expect("legal");
                }
                position.history().to_vec()
            };
            assert_eq!(play(), play());
        }
    }
}
