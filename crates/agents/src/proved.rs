//! Perfect play on small boards: the prover is asked for the value of each position and a stone that
//! keeps it.
//!
//! A proof that takes longer than a moment waits for an estimate of the flagship's, whose turn is
//! played when the budget is spent before anything is proved. In a lost position, too, the flagship
//! chooses. Without a limit the proof goes on until it is found.

use collinear_play::{Agent, AgentError, Budget, BuildError, Line, Meter, Report, Turn, Value};
use collinear_prove::{Advice, Limits, ProveError, Prover, is_quick, turns_of};
use collinear_rules::{Cell, Player, Position, Rules};

use crate::registry;

/// Bytes of the prover's table, which fills as it is needed.
const MEMORY: usize = 128 << 20;
/// The part of the time that is for proofs: the flagship may be asked after them.
const PROOF_TIME: f64 = 0.8;
/// Nodes of the first try: a moment.
const FIRST_NODES: u64 = 5000;
/// Nodes of an estimate.
const ESTIMATE_NODES: u64 = 2000;

/// Whether games of these rules are proved while somebody waits.
pub(crate) fn proves(rules: &Rules) -> bool {
    is_quick(rules)
}

/// The player for small boards.
pub(crate) struct Proved {
    prover: Prover,
    /// Nodes of all proofs before this turn.
    before: u64,
    otherwise: Box<dyn Agent>,
}

impl Proved {
    pub(crate) fn new(rules: &Rules, seed: u64) -> Result<Self, BuildError> {
        let prover = Prover::new(&Position::new(*rules), MEMORY)
            .map_err(|error| BuildError::Other(error.to_string()))?;
        let otherwise =
            registry().parse("sextant").map_err(|e| BuildError::Other(e.to_string()))?;
        Ok(Self { prover, before: 0, otherwise: otherwise.build(rules, seed)? })
    }

    /// What is known of a position within the budget and this many nodes; nothing when they are
    /// spent.
    fn ask(
        &mut self,
        position: &Position,
        meter: &Meter,
        nodes: u64,
    ) -> Result<Option<Advice>, AgentError> {
        let nodes = nodes.min(meter.max_nodes().saturating_sub(self.nodes()));
        if position.is_over() || nodes == 0 || meter.is_spent(0) {
            return Ok(None);
        }
        let stop = || meter.is_past(PROOF_TIME) || meter.is_spent(0);
        let most = self.prover.nodes().saturating_add(nodes);
        let limits = Limits { nodes: Some(most), stop: Some(&stop), ..Limits::default() };
        let found = self.prover.turn_to(position).and_then(|()| self.prover.advise(&limits));
        match found {
            Ok(advice) => Ok(Some(advice)),
            Err(ProveError::Stopped { .. }) => Ok(None),
            Err(error) => Err(AgentError::Engine(error.to_string())),
        }
    }

    /// Nodes of this turn.
    fn nodes(&self) -> u64 {
        self.prover.nodes() - self.before
    }

    /// The rest of a turn from a position on, as far as it is known, with the value of the position.
    fn turn(
        &mut self,
        position: &Position,
        meter: &Meter,
    ) -> Result<(Option<Value>, Turn), AgentError> {
        let mut position = position.clone();
        let mover = position.to_move();
        let (mut value, mut turn) = (None, Turn::new());
        while !position.is_over() && position.to_move() == mover {
            let Some(advice) = self.ask(&position, meter, u64::MAX)? else { break };
            value = value.or(Some(worth(&advice, &position, mover)));
            let Some(cell) = advice.cell else { break };
            position.play_unchecked(cell);
            turn.push(cell);
        }
        Ok((value, turn))
    }

    /// What a first stone of the turn is worth, with the stones that follow it.
    fn line(
        &mut self,
        position: &Position,
        cell: Cell,
        meter: &Meter,
    ) -> Result<Option<Line>, AgentError> {
        let mover = position.to_move();
        let mut after = position.clone();
        after.play_unchecked(cell);
        let mut stones = vec![cell];
        if after.is_over() {
            let won = after.outcome() == collinear_rules::Outcome::Won(mover);
            let value = if won { Value::WinsIn(1) } else { Value::Draw };
            return Ok(Some(Line { value, stones }));
        }
        let Some(advice) = self.ask(&after, meter, u64::MAX)? else { return Ok(None) };
        let value = match worth(&advice, &after, mover) {
            // The turn of the stone itself is one of them.
            Value::WinsIn(turns) if after.to_move() != mover => Value::WinsIn(turns + 1),
            value => value,
        };
        if after.to_move() == mover {
            stones.extend(self.turn(&after, meter)?.1);
        }
        Ok(Some(Line { value, stones }))
    }
}

/// What a position is worth to a player.
fn worth(advice: &Advice, position: &Position, player: Player) -> Value {
    let turns = |winner| {
        let stones = advice.stones.unwrap_or(0);
        turns_of(position, winner, stones).clamp(1, u32::from(u16::MAX)) as u16
    };
    match advice.value {
        collinear_prove::Value::Draw => Value::Draw,
        collinear_prove::Value::Won(winner) if winner == player => Value::WinsIn(turns(winner)),
        collinear_prove::Value::Won(winner) => Value::LosesIn(turns(winner)),
    }
}

impl Agent for Proved {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        if position.is_over() {
            return Err(AgentError::GameOver);
        }
        let meter = budget.start(position.empty_count().div_ceil(2 * position.rules().p()) as u32);
        self.before = self.prover.nodes();
        let mut estimate = None;
        if self.ask(position, &meter, FIRST_NODES)?.is_none() {
            // The proof takes a while: until then there is an estimate.
            estimate = Some(self.otherwise.choose(position, &part_of(budget), on)?);
        }
        let (value, mut turn) = self.turn(position, &meter)?;
        let Some(value) = value else {
            return estimate.ok_or_else(|| AgentError::Engine("nothing was chosen".to_owned()));
        };
        let mut after = position.clone();
        for &cell in &turn {
            after.play_unchecked(cell);
        }
        if !after.is_over() && after.to_move() == position.to_move() {
            // The position is lost, or time ran out within the turn.
            turn.extend(match estimate {
                Some(estimate) if turn.is_empty() => estimate,
                _ => self.otherwise.choose(&after, &part_of(budget), &mut |_| {})?,
            });
        }
        let mut lines = vec![Line { value, stones: turn.clone() }];
        let mut tell = |nodes: u64, lines: &[Line]| {
            on(&Report {
                depth: position.empty_count() as u32,
                nodes,
                elapsed: meter.elapsed(),
                lines: lines.to_vec(),
                note: None,
            });
        };
        tell(self.nodes(), &lines);
        if budget.lines > 1 {
            // The other stones, for whoever wants to see them, too.
            for cell in position.legal_cells() {
                if Some(&cell) == turn.first() {
                    continue;
                }
                let Some(line) = self.line(position, cell, &meter)? else { break };
                lines.push(line);
                lines[1..].sort_by(|a, b| b.value.rank().total_cmp(&a.value.rank()));
                lines.truncate(usize::from(budget.lines));
                tell(self.nodes(), &lines);
            }
        }
        Ok(turn)
    }
}

/// What the flagship gets of a budget.
fn part_of(budget: &Budget) -> Budget {
    Budget {
        time: budget.limit().map(|time| time / 8),
        clock: None,
        nodes: Some(
            budget.nodes.map_or(ESTIMATE_NODES, |nodes| (nodes / 8).clamp(1, ESTIMATE_NODES)),
        ),
        ..budget.clone()
    }
}

#[cfg(test)]
mod tests {
    use collinear_play::Agent;

    use super::*;

    /// The value for Black by trying everything.
    fn plain(position: &Position) -> i8 {
        match position.outcome() {
            collinear_rules::Outcome::Won(Player::Black) => return 1,
            collinear_rules::Outcome::Won(Player::White) => return -1,
            collinear_rules::Outcome::Drawn => return 0,
            collinear_rules::Outcome::Ongoing => {}
        }
        let black = position.to_move() == Player::Black;
        let after = |cell| {
            let mut after = position.clone();
            after.play_unchecked(cell);
            plain(&after)
        };
        let values = position.legal_cells().into_iter().map(after);
        if black { values.max().unwrap_or(0) } else { values.min().unwrap_or(0) }
    }

    fn agent(rules: &Rules) -> Box<dyn Agent> {
        registry().parse("perfect").expect("known").build(rules, 1).expect("plays")
    }

    /// Against stones at random nothing is ever given away.
    #[test]
    fn no_turn_gives_anything_away() {
        for game in ["3x3,k=3", "4x2,k=3,p=2,q=1", "3x3,k=3,p=2,q=1", "3x3,k=3,p=2,q=1,gravity"] {
            let rules: Rules = game.parse().expect(game);
            let random = registry().parse("random").expect("known");
            for seed in 0..6 {
                let mut position = Position::new(rules);
                let mut players = [agent(&rules), random.build(&rules, seed).expect("builds")];
                if seed % 2 == 1 {
                    players.swap(0, 1);
                }
                while !position.is_over() {
                    let mover = position.to_move();
                    let perfect = (mover == Player::Black) == (seed % 2 == 0);
                    let before = perfect.then(|| plain(&position));
                    let budget = Budget::default();
                    let turn = players[mover.index()].choose(&position, &budget, &mut |_| {});
                    for cell in turn.expect("a turn") {
                        position.play(cell).expect("legal");
                    }
                    if let Some(before) = before {
                        assert_eq!(plain(&position), before, "{game} {position}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_proved_is_said() {
        for (game, moves, value) in [
            ("3x3,k=3", "", Value::Draw),
            ("4x4,k=4", "", Value::Draw),
            ("4x3,k=3", "", Value::WinsIn(4)),
            ("3x3,k=3,p=2,q=1", "", Value::WinsIn(2)),
            ("3x3,k=3,p=2,q=1", "a1", Value::LosesIn(1)),
        ] {
            let rules: Rules = game.parse().expect(game);
            let mut position = Position::new(rules);
            for name in moves.split_whitespace() {
                let cell = collinear_rules::notation::parse(&rules, name).expect(name);
                position.play(cell).expect("legal");
            }
            let mut last = Report::default();
            let budget = Budget { lines: 3, ..Budget::default() };
            let turn = agent(&rules).choose(&position, &budget, &mut |told| last = told.clone());
            assert!(!turn.expect("a turn").is_empty());
            assert_eq!(last.lines.first().map(|line| line.value), Some(value), "{game} {last:?}");
            assert_eq!(last.lines.len(), 3, "{game}");
        }
    }

    /// With hardly any nodes there is a legal turn all the same.
    #[test]
    fn a_small_budget_still_gives_a_turn() {
        let rules: Rules = "5x5,k=4,p=2,q=1".parse().expect("rules");
        let mut position = Position::new(rules);
        position.play(Cell::new(12)).expect("legal");
        let turn = agent(&rules).choose(&position, &Budget::nodes(5), &mut |_| {}).expect("a turn");
        for cell in turn {
            position.play(cell).expect("legal");
        }
        assert_eq!(position.to_move(), Player::Black);
    }
}
