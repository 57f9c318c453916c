//! What an agent does in an opening: it takes the colour that it thinks is ahead, and puts stones so
//! that neither is.

use collinear_rules::{Cell, Player, Position};

use super::{Choice, Step};
use crate::{
    Agent, AgentError, Budget, Fault, IllegalTurn, Reason, Report, Value, Watchdog, balance, guard,
};

/// What is done at a step.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Act {
    /// Stones are put.
    Place(Vec<Cell>),
    /// A choice is made.
    Choose(Choice),
}

/// What an agent does at a step, and what it thinks of it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Reply {
    /// What it does.
    pub act: Act,
    /// Black's chance: before a choice, after stones.
    pub chance: Option<f32>,
}

/// With a chance so near to a half, neither colour is ahead.
const EVEN: f32 = 0.03;

/// What to choose where White, who is to move, has this chance: the colour that is ahead, or two
/// more stones where they are allowed and neither is.
pub fn preferred(white: f32, two_stones: bool) -> Choice {
    if two_stones && (white - 0.5).abs() < EVEN {
        Choice::TwoStones
    } else if white < 0.5 {
        Choice::Black
    } else {
        Choice::White
    }
}

/// Stones to choose from where so many are to be put and neither colour is to be ahead. Empty where
/// the board has no room for them.
pub fn candidates(position: &Position, stones: usize) -> Vec<Vec<Cell>> {
    match stones {
        0 => Vec::new(),
        1 => balance::next_stones(position),
        3 if position.stone_count() == 0 => triples(position),
        // Of three with some on the board already: whatever follows is near to them.
        more => {
            let mut pairs = balance::next_pairs(position, position.key());
            for pair in &mut pairs {
                pair.truncate(more);
            }
            pairs
        }
    }
}

/// Asks an agent what it does at this step of an opening.
pub fn reply(
    agent: &mut dyn Agent,
    position: &Position,
    step: Step,
    budget: &Budget,
    on: &mut dyn FnMut(&Report),
) -> Result<Reply, Fault> {
    if let Some(own) = guard(|| agent.step(position, step, budget))? {
        let own = own?;
        check(position, step, &own)?;
        return Ok(own);
    }
    let to_move = position.to_move();
    let of_black = |chance: f32| if to_move == Player::Black { chance } else { 1.0 - chance };
    match step {
        Step::Choose { two_stones, .. } => {
            let answer = Watchdog::default().ask(agent, position, budget, on);
            answer.turn?;
            let chance = answer.thought.value.map(Value::chance);
            // After the stones of an opening White is to move.
            let choice = preferred(chance.unwrap_or(0.5), two_stones);
            Ok(Reply { act: Act::Choose(choice), chance: chance.map(of_black) })
        }
        Step::Place { stones, .. } => {
            let all = candidates(position, stones);
            let found = balance::nearest(agent, position, &all, 0.5, budget, on)?;
            let chance = found.as_ref().map(|found| of_black(found.chance));
            // Asked to answer at once, any will do.
            let stones = found.map(|found| found.stones).or_else(|| all.first().cloned());
            let stones = stones.ok_or(AgentError::GameOver)?;
            legal(position, &stones)?;
            Ok(Reply { act: Act::Place(stones), chance })
        }
    }
}

/// Whether an agent's own way to do a step is what the step asks for.
fn check(position: &Position, step: Step, reply: &Reply) -> Result<(), Fault> {
    match (step, &reply.act) {
        (Step::Place { stones: due, .. }, Act::Place(stones)) if stones.len() == due => {
            Ok(legal(position, stones)?)
        }
        (Step::Choose { two_stones, .. }, Act::Choose(choice))
            if two_stones || *choice != Choice::TwoStones =>
        {
            Ok(())
        }
        _ => Err(Fault::Agent(AgentError::Fault {
            reason: Reason::IllegalTurn,
            words: format!("{:?} is not what the opening asks for", reply.act),
        })),
    }
}

/// Whether these stones, of both colours, can be put.
fn legal(position: &Position, stones: &[Cell]) -> Result<(), IllegalTurn> {
    let mut ahead = position.clone();
    for (at, &cell) in stones.iter().enumerate() {
        ahead.play(cell).map_err(|reason| IllegalTurn::Stone {
            number: at + 1,
            name: collinear_rules::notation::name(position.rules(), cell),
            reason,
        })?;
    }
    Ok(())
}

/// Three stones on the empty board: the first at the edge or between edge and centre, the others
/// near to it and apart. Nobody is far ahead in any of them, and the agent says where it is nearest
/// to even.
fn triples(position: &Position) -> Vec<Vec<Cell>> {
    const OTHERS: [[(i64, i64); 2]; 6] = [
        [(1, 1), (3, 0)],
        [(1, 0), (-2, 3)],
        [(0, 2), (4, 1)],
        [(1, 1), (-3, 2)],
        [(2, 1), (0, 4)],
        [(-1, 1), (3, 2)],
    ];
    let rules = position.rules();
    let (w, h) = (rules.width() as i64, rules.height() as i64);
    let cell = |x: i64, y: i64| {
        usize::try_from(x).ok().zip(usize::try_from(y).ok()).and_then(|(x, y)| rules.cell(x, y))
    };
    let starts = [(w / 2, 0), (w / 2 - 1, 1), (w / 2 - 2, 2), (w / 4, h / 4)];
    let of = |(x, y): (i64, i64)| {
        OTHERS.iter().filter_map(move |others| {
            let [second, third] = others.map(|(dx, dy)| cell(x + dx, y + dy));
            Some(vec![cell(x, y)?, second?, third?])
        })
    };
    starts.into_iter().flat_map(of).collect()
}
