//! KATE, the Connect Four player of document 004 (Enghoff, Harrison, McLean): alpha-beta with
//! iterative deepening and a time cut-off.
//!
//! A board that is not decided is worth its *chains*: the longest runs of cells that are free or
//! a player's own, of at least four. Each counts its own discs, squared, for its owner:
//!
//! ```text
//! . X X . X O O .     the run before the O's is five long and holds three X: 9 for X
//! [ . X X . X ]       the run after the X's is three long: nothing for O
//! ```
//!
//! A win is worth the largest integer divided by the ply it happens on, a loss the negative. In
//! the position itself, empty columns that have only empty neighbours are not looked at; deeper
//! down all columns are. The document leaves open what happens when that leaves none (the empty
//! board): all columns are tried then. Of equal columns the leftmost is kept.
//!
//! The document tells how the program grew: minimax, then alpha-beta, iterative deepening, the time
//! cut-off, the chains and the filter of the first ply. Each step can be switched off.

use std::time::Duration;

use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Games, Line, Meter, OptionSpec, Options,
    Report, Turn, Value,
};
use collinear_rules::{Cell, Geometry, LineId, Outcome, Player, Position, Rules};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::time("time", Some(Duration::from_secs(10)))
        .help("the most for one turn; the game's own limits count too"),
    OptionSpec::int("depth", 1..=MAX_DEPTH, MAX_DEPTH).help("the deepest iteration, in discs"),
    OptionSpec::choice("search", &["alphabeta", "minimax"], "alphabeta")
        .help("alpha-beta, or minimax without cut-offs: the same disc, more nodes"),
    OptionSpec::bool("deepen", true).help(
        "iterative deepening; without it the full depth at once, and if that is not \
         finished the best column looked at so far",
    ),
    OptionSpec::bool("chains", true)
        .help("undecided boards are worth their chains; without it nothing"),
    OptionSpec::bool("filter", true).help("leave out remote empty columns on the first ply"),
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "alpha-beta with iterative deepening; long chains of free and own cells are good",
    source: "document 004",
    options: OPTIONS,
    games: Games::Only(plays, "Connect Four on any board: gravity, one disc per turn"),
    takes_wins: true,
    ..AgentSpec::new("kate", build)
};

/// Nothing is random in it: the seed has no part.
fn build(_: &Rules, options: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    Ok(Box::new(Kate {
        time: options.time("time"),
        depth: options.int("depth") as u32,
        deepen: options.bool("deepen"),
        filter: options.bool("filter"),
        steps: Steps {
            prune: options.text("search") == "alphabeta",
            chains: options.bool("chains"),
        },
    }))
}

/// The best of these cells after a look a few discs ahead, for players that have run out of time
/// for anything better. On wide boards the look may be cut short: one disc ahead always is seen.
pub fn best_of(position: &Position, cells: &[Cell], meter: &Meter) -> Option<Cell> {
    let columns: Vec<usize> = cells.iter().map(|&cell| position.rules().column(cell)).collect();
    let steps = Steps { prune: true, chains: true };
    let look = |depth| Search::new(position, meter, steps).root(&columns, depth);
    [4, 1].into_iter().find_map(look).map(|(_, cell)| cell)
}

/// Whether it knows a game.
pub(crate) fn plays(rules: &Rules) -> bool {
    rules.gravity() && (rules.p(), rules.q()) == (1, 1) && rules.overlines_win()
}

struct Kate {
    time: Option<Duration>,
    depth: u32,
    deepen: bool,
    filter: bool,
    steps: Steps,
}

/// What a search may use.
#[derive(Clone, Copy)]
pub(crate) struct Steps {
    pub(crate) prune: bool,
    pub(crate) chains: bool,
}

impl Agent for Kate {
    /// The move of the last iteration that was finished; the first one always is.
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let time = [self.time, budget.time].into_iter().flatten().min();
        let turns_to_go = position.empty_count().div_ceil(2) as u32;
        let meter = Budget { time, ..budget.clone() }.start(turns_to_go);
        let deepest = self
            .depth
            .min(budget.depth.unwrap_or(u32::MAX).max(1))
            .min(position.empty_count() as u32);
        let columns = first_columns(position, self.filter);
        let mut search = Search::new(position, &meter, self.steps);
        let mut answer = None;
        for depth in if self.deepen { 1 } else { deepest }..=deepest {
            if depth > 1 && self.deepen && meter.is_spent(search.nodes) {
                break;
            }
            let Some((value, cell)) = search.root(&columns, depth) else { break };
            answer = Some(cell);
            on(&Report {
                depth,
                nodes: search.nodes,
                elapsed: meter.elapsed(),
                lines: vec![Line { value: shown(value), stones: vec![cell] }],
                note: None,
            });
            if is_decided(value) {
                break;
            }
        }
        // Without deepening nothing may be finished: then what was best so far must do.
        let answer = answer.or(search.unfinished).or(position.legal_cells().first().copied());
        answer.map(|cell| vec![cell]).ok_or(AgentError::GameOver)
    }
}

/// The columns of the first ply: not the empty ones that have only empty neighbours.
pub(crate) fn first_columns(position: &Position, filter: bool) -> Vec<usize> {
    let rules = position.rules();
    let is_empty =
        |column: usize| rules.cell(column, 0).is_none_or(|bottom| position.is_empty(bottom));
    let is_remote = |column: usize| {
        is_empty(column) && (column == 0 || is_empty(column - 1)) && is_empty(column + 1)
    };
    let with_room = |column: &usize| position.drop_cell(*column).is_some();
    let all: Vec<usize> = (0..rules.width()).filter(with_room).collect();
    let near: Vec<usize> = all.iter().copied().filter(|&column| !is_remote(column)).collect();
    if near.is_empty() || !filter { all } else { near }
}

/// A win before it is divided by its ply.
pub(crate) const MAX: i64 = i32::MAX as i64;

/// Deeper than any time allows, and shallow enough that no sum of chains is mistaken for a win.
const MAX_DEPTH: i64 = 64;

/// Every win is beyond.
const DECIDED: i64 = MAX / MAX_DEPTH - 1;

const fn is_decided(value: i64) -> bool {
    value.abs() > DECIDED
}

/// The ply of the win or loss that a value stands for.
pub(crate) fn decided_on(value: i64) -> Option<u32> {
    is_decided(value).then(|| (MAX / value.abs()) as u32)
}

/// The value for the player to move as others understand it; undecided ones are a picture of the
/// sum of chains, not a calibrated chance.
fn shown(value: i64) -> Value {
    /// A lead of four chains with three discs each, roughly.
    const LEAD: f64 = 36.0;
    if let Some(ply) = decided_on(value) {
        let ply = ply as u16;
        if value > 0 { Value::WinsIn(ply.div_ceil(2)) } else { Value::LosesIn(ply / 2) }
    } else {
        Value::Chance((1.0 / (1.0 + (-(value as f64) / LEAD).exp())) as f32)
    }
}

/// The clock is looked at this often.
const CLOCK_CHECK_NODES: u64 = 1024;

pub(crate) struct Search<'a> {
    position: Position,
    /// Every column, the middle first: good discs are there, and cut-offs come sooner.
    columns: Vec<usize>,
    chains: Chains,
    steps: Steps,
    meter: &'a Meter,
    pub(crate) nodes: u64,
    /// Boards of which replies were left out.
    pub(crate) cuts: u64,
    /// The columns of the latest iteration, in order.
    pub(crate) looked: Vec<Looked>,
    spent: bool,
    /// The best column of an iteration that ran out of time.
    unfinished: Option<Cell>,
}

/// A column of the position itself, looked at.
#[derive(Clone, Copy)]
pub(crate) struct Looked {
    pub(crate) cell: Cell,
    pub(crate) value: i64,
    /// Whether cut-offs left only this of the value: it is no more than that.
    pub(crate) is_bound: bool,
}

impl<'a> Search<'a> {
    pub(crate) fn new(position: &Position, meter: &'a Meter, steps: Steps) -> Self {
        let width = position.rules().width();
        let mut columns: Vec<usize> = (0..width).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(width));
        Self {
            position: position.clone(),
            columns,
            chains: Chains::new(position),
            steps,
            meter,
            nodes: 0,
            cuts: 0,
            looked: Vec::new(),
            spent: false,
            unfinished: None,
        }
    }

    /// The best of these columns, the leftmost of equals; nothing when time ran out.
    pub(crate) fn root(&mut self, columns: &[usize], depth: u32) -> Option<(i64, Cell)> {
        let mut best: Option<(i64, Cell)> = None;
        self.looked.clear();
        for &column in columns {
            let Some(cell) = self.position.drop_cell(column) else { continue };
            let alpha = best.map_or(-MAX - 1, |(value, _)| value);
            let floor = if self.steps.prune { alpha } else { -MAX - 1 };
            let cuts = self.cuts;
            let value = self.disc(cell, Window { alpha: floor, beta: MAX + 1 }, 1, depth);
            if self.spent {
                self.unfinished = best.map(|(_, cell)| cell);
                return None;
            }
            let is_bound = value <= alpha && self.cuts > cuts;
            self.looked.push(Looked { cell, value, is_bound });
            if best.is_none() || value > alpha {
                best = Some((value, cell));
            }
        }
        best
    }

    /// The value for the player to move of a disc on this cell at this ply. At most alpha: no less
    /// than the truth; at least beta: no more; exact between.
    fn disc(&mut self, cell: Cell, window: Window, ply: u32, depth: u32) -> i64 {
        self.nodes += 1;
        self.spent |= self.nodes.is_multiple_of(CLOCK_CHECK_NODES)
            && depth > 1
            && self.meter.is_spent(self.nodes);
        let mover = self.position.to_move();
        self.position.play_unchecked(cell);
        let before = self.chains.update(&self.position, cell);
        let value = match self.position.outcome() {
            Outcome::Won(_) => MAX / i64::from(ply),
            Outcome::Drawn => 0,
            Outcome::Ongoing if ply == depth || self.spent => {
                if self.steps.chains {
                    self.chains.lead(mover)
                } else {
                    0
                }
            }
            Outcome::Ongoing => {
                let below = Window { alpha: -window.beta, beta: -window.alpha };
                -self.best_reply(below, ply + 1, depth)
            }
        };
        self.chains.restore(&self.position, cell, before);
        self.position.undo();
        value
    }

    fn best_reply(&mut self, window: Window, ply: u32, depth: u32) -> i64 {
        let Window { mut alpha, beta } = window;
        let mut best = -MAX - 1;
        for at in 0..self.columns.len() {
            let Some(cell) = self.position.drop_cell(self.columns[at]) else { continue };
            best = best.max(self.disc(cell, Window { alpha, beta }, ply, depth));
            if self.steps.prune {
                alpha = alpha.max(best);
                if alpha >= beta {
                    let mut others = self.columns[at + 1..].iter();
                    let left_out = others.any(|&other| self.position.drop_cell(other).is_some());
                    self.cuts += u64::from(left_out);
                    break;
                }
            }
        }
        best
    }
}

/// Values up to alpha and from beta on need not be told apart.
#[derive(Clone, Copy)]
struct Window {
    alpha: i64,
    beta: i64,
}

/// The chains of every line, kept disc by disc: a disc changes its four lines alone.
struct Chains {
    /// Black's points minus White's.
    by_line: Vec<i64>,
    sum: i64,
}

impl Chains {
    fn new(position: &Position) -> Self {
        let lines = position.geometry().lines();
        let by_line: Vec<i64> = lines.map(|line| line_points(position, line)).collect();
        Self { sum: by_line.iter().sum(), by_line }
    }

    /// How far this player is ahead.
    const fn lead(&self, player: Player) -> i64 {
        match player {
            Player::Black => self.sum,
            Player::White => -self.sum,
        }
    }

    /// Counts the lines through a new disc again and returns what they were worth before.
    fn update(&mut self, position: &Position, cell: Cell) -> [i64; 4] {
        position.geometry().lines_through(cell).map(|at| {
            let points = line_points(position, at.line);
            let before = std::mem::replace(&mut self.by_line[at.line.index()], points);
            self.sum += points - before;
            before
        })
    }

    fn restore(&mut self, position: &Position, cell: Cell, before: [i64; 4]) {
        for (at, points) in position.geometry().lines_through(cell).iter().zip(before) {
            let now = std::mem::replace(&mut self.by_line[at.line.index()], points);
            self.sum += points - now;
        }
    }
}

/// Black's points on a line minus White's.
fn line_points(position: &Position, line: LineId) -> i64 {
    let geometry: &Geometry = position.geometry();
    let length = geometry.line_cells(line).len() as u32;
    let k = geometry.rules().k() as u32;
    let [black, white] = position.line(line);
    chain_points(black, white, length, k) - chain_points(white, black, length, k)
}

/// The chains of one player on one line: runs without a disc of the other, squared discs each.
fn chain_points(own: u64, other: u64, length: u32, k: u32) -> i64 {
    let (mut points, mut from) = (0, 0);
    while from < length && own >> from != 0 {
        let run = (other >> from).trailing_zeros().min(length - from);
        if run >= k {
            let discs = (own >> from & (u64::MAX >> (64 - run))).count_ones();
            points += i64::from(discs * discs);
        }
        from += run + 1;
    }
    points
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::SmallRng;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::testing::random_position;

    fn position(rules: &str, columns: &[usize]) -> Position {
        let mut position = Position::new(rules.parse().expect(rules));
        for &column in columns {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        position
    }

    fn kate(time: Option<Duration>, depth: u32) -> Kate {
        let steps = Steps { prune: true, chains: true };
        Kate { time, depth, deepen: true, filter: true, steps }
    }

    #[test]
    fn without_deepening_a_spent_budget_still_has_a_move() {
        let mut plain = Kate { deepen: false, ..kate(None, 12) };
        let budget = Budget::nodes(5000);
        let turn = plain.choose(&Position::new(Rules::CONNECT4), &budget, &mut |_| {});
        assert!(turn.is_ok());
    }

    /// The points of a line cell by cell, as the document tells it.
    fn plain_points(position: &Position, player: Player) -> i64 {
        let geometry = position.geometry();
        let k = position.rules().k();
        let mut points = 0;
        for line in geometry.lines() {
            let theirs = |cell: &Cell| position.at(*cell) == Some(player.opponent());
            for chain in geometry.line_cells(line).split(theirs).filter(|chain| chain.len() >= k) {
                let discs = chain.iter().filter(|cell| position.at(**cell) == Some(player)).count();
                points += (discs * discs) as i64;
            }
        }
        points
    }

    /// Minimax without cut-offs for the player to move.
    fn plain_value(position: &mut Position, cell: Cell, ply: u32, depth: u32) -> i64 {
        let mover = position.to_move();
        position.play_unchecked(cell);
        let value = match position.outcome() {
            Outcome::Won(_) => MAX / i64::from(ply),
            Outcome::Drawn => 0,
            Outcome::Ongoing if ply == depth => {
                plain_points(position, mover) - plain_points(position, !mover)
            }
            Outcome::Ongoing => {
                let replies = position.legal_cells().into_iter();
                -replies
                    .map(|reply| plain_value(position, reply, ply + 1, depth))
                    .max()
                    .expect("one")
            }
        };
        position.undo();
        value
    }

    #[test]
    fn alpha_beta_finds_the_value_and_the_leftmost_best_column_of_plain_minimax() {
        let mut rng = SmallRng::seed_from_u64(4);
        let meter = Budget::default().start(1);
        for text in ["connect4", "4x4,k=4,gravity", "9x7,k=4,gravity", "5x5,k=3,gravity"] {
            let rules: Rules = text.parse().expect(text);
            for depth in 1..=4 {
                for _ in 0..10 {
                    let mut position = random_position(rules, &mut rng);
                    let columns = first_columns(&position, true);
                    let find = |prune| {
                        let steps = Steps { prune, chains: true };
                        let mut search = Search::new(&position, &meter, steps);
                        (search.root(&columns, depth), search.nodes)
                    };
                    let ((found, nodes), (same, more)) = (find(true), find(false));
                    assert!(found == same && nodes <= more, "depth {depth}\n{position}");
                    let mut plain: Option<(i64, Cell)> = None;
                    for &column in &columns {
                        let cell = position.drop_cell(column).expect("room");
                        let value = plain_value(&mut position, cell, 1, depth);
                        if plain.is_none_or(|(best, _)| value > best) {
                            plain = Some((value, cell));
                        }
                    }
                    assert_eq!(found, plain, "depth {depth}\n{position}");
                }
            }
        }
    }

    #[test]
    fn the_figure_of_the_document_is_worth_nine_points() {
        // Three own discs in a chain of at least four are 9, the other's short chain nothing.
        //  . X X . X O O .
        assert_eq!(chain_points(0b0001_0110, 0b0110_0000, 8, 4), 9);
        assert_eq!(chain_points(0b0110_0000, 0b0001_0110, 8, 4), 0);
        // The chain may be longer than four and counts once.
        assert_eq!(chain_points(0b0000_0111, 0, 8, 4), 9);
    }

    #[test]
    fn chains_kept_disc_by_disc_are_those_counted_from_scratch() {
        let mut rng = SmallRng::seed_from_u64(16);
        for _ in 0..50 {
            let mut position = Position::new(Rules::CONNECT4);
            let mut chains = Chains::new(&position);
            let mut befores = Vec::new();
            while let Some(&cell) = position.legal_cells().choose(&mut rng) {
                position.play_unchecked(cell);
                befores.push(chains.update(&position, cell));
                for player in Player::BOTH {
                    let lead = plain_points(&position, player) - plain_points(&position, !player);
                    assert_eq!(chains.lead(player), lead, "{position}");
                }
            }
            while let Some(before) = befores.pop() {
                let &cell = position.history().last().expect("as many");
                chains.restore(&position, cell, before);
                position.undo();
            }
            assert!(chains.sum == 0 && chains.by_line.iter().all(|points| *points == 0));
        }
    }

    #[test]
    fn empty_columns_among_empty_ones_are_left_out_of_the_first_ply() {
        assert_eq!(first_columns(&position("connect4", &[]), true), [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(first_columns(&position("connect4", &[3]), true), [2, 3, 4]);
        assert_eq!(first_columns(&position("connect4", &[0, 5]), true), [0, 1, 4, 5, 6]);
        // A full column is not offered; its empty neighbours are.
        assert_eq!(first_columns(&position("4x4,k=4,gravity", &[0, 0, 0, 0]), true), [1]);
    }

    #[test]
    fn it_wins_at_once_and_sees_a_loss_coming() {
        let mut kate = kate(None, 6);
        let mut value = None;
        let mut ask = |position: &Position| {
            let on = &mut |report: &Report| value = Some(report.lines[0].value);
            let turn = kate.choose(position, &Budget::default(), on).expect("a turn");
            (position.rules().column(turn[0]), value.expect("reported"))
        };
        let mate = position("connect4", &[3, 0, 3, 0, 3, 0]);
        assert_eq!(ask(&mate), (3, Value::WinsIn(1)));
        let lost = position("connect4", &[2, 2, 3, 3, 4]);
        assert_eq!(ask(&lost).1, Value::LosesIn(1));
    }

    #[test]
    fn a_spent_budget_still_has_the_move_of_the_first_iteration() {
        let budget = Budget::nodes(0);
        budget.stop.stop();
        let mut depths = Vec::new();
        let mut kate = kate(Some(Duration::ZERO), 64);
        let on = &mut |report: &Report| depths.push(report.depth);
        assert!(kate.choose(&Position::new(Rules::CONNECT4), &budget, on).is_ok());
        assert_eq!(depths, [1]);
    }
}
