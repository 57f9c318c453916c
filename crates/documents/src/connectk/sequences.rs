//! Document 000's best agent: the utility of the board after each stone (§3.3, Sequences).
//!
//! A window without opposing stones scores its own stones squared; the board is worth
//! Σ own − c · Σ opposing with a defensive constant c. The urgent cases of [`tactics`] come first, and
//! cells are alike inside each of them. c = 1 and windows that count at most k − p stones (`cap`) are
//! the authors' program's; `tie-break` is ours.
//!
//! A stone changes only the windows through it: an own one with s stones gains (s+1)² − s², an
//! opposing one loses its s². Both are counts of windows on four lines, so no stone need be placed
//! to know what it is worth. `scan=full` reads the whole board again for every cell, as a plain
//! program would; with `marks=fresh` the two choose the same, and it is kept to test and measure
//! against.
//!
//! [`tactics`]: crate::connectk::tactics

use crate::search::{Appraise, Candidate, Score};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Player, Position, Rules};
use collinear_windows::Windows;

use crate::connectk::tactics::{Urgency, UrgentCases};
use crate::search::listed::{ANEW, DEPTH, Listed, PARALLEL, TIES, UNIT, WIDTH, search_of};

mod rescan;

const DEFENCE: OptionSpec = OptionSpec::float("c", 0.0..=20.0, 1.0)
    .help("defensive constant: how much the opponent's windows count against one's own");
const CAP: OptionSpec = OptionSpec::bool("cap", true)
    .help("windows with more than k−p stones count no more than those with k−p");
const TIE_BREAK: OptionSpec = OptionSpec::bool("tie-break", false)
    .help("window sums decide inside the urgent cases too, not the seed");
const SCAN: OptionSpec = OptionSpec::choice("scan", &["incremental", "full"], "incremental")
    .help("windows read: only those a stone changes, or all (slow; the same turn as marks=fresh)");

const MARKS: OptionSpec = OptionSpec::choice("marks", &["owned", "fresh"], "owned")
    .help("threats by marks that each window keeps as the document has it, or counted afresh");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "squares of stones in open windows, own minus c times opposing; urgent threats first",
    source: "document 000, §3.3 Sequences",
    options: &[DEFENCE, CAP, TIE_BREAK, MARKS, DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL, SCAN],
    takes_wins: true,
    ..AgentSpec::new("sequences", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let worth = Worth {
        defence: Defence::new(options.float(DEFENCE.name)),
        cap: options.bool(CAP.name).then(|| rules.k().saturating_sub(rules.p()).max(1)),
        tie_break: options.bool(TIE_BREAK.name),
    };
    let search = search_of(options);
    Ok(if options.text(SCAN.name) == "full" {
        Box::new(Listed::new(rescan::Rescan::new(worth), search, ODDS_SCALE, seed))
    } else {
        let tactics = match options.text(MARKS.name) {
            "owned" => UrgentCases::with_owned_marks(*rules),
            _ => UrgentCases::new(*rules),
        };
        Box::new(Listed::new(Sequences::new(tactics, worth), search, ODDS_SCALE, seed))
    })
}

/// The difference of sums that means odds of e to 1 in reports, a guess.
const ODDS_SCALE: f64 = 100.0 * UNIT_WORTH as f64;

/// One point of a window in utilities; `c` is exact to a thousandth.
const UNIT_WORTH: i64 = 1000;

/// The defensive constant c as a whole number.
#[derive(Clone, Copy)]
struct Defence(i64);

impl Defence {
    fn new(c: f64) -> Self {
        Self((c * UNIT_WORTH as f64).round() as i64)
    }

    /// Σ own − c · Σ opposing.
    fn utility(self, own: i64, opposing: i64) -> i64 {
        UNIT_WORTH * own - self.0 * opposing
    }
}

/// What a board is worth.
#[derive(Clone, Copy)]
struct Worth {
    defence: Defence,
    /// The most stones of a window that count.
    cap: Option<usize>,
    tie_break: bool,
}

impl Worth {
    /// The score of a window by its stones.
    fn squares(&self, k: usize) -> Vec<i32> {
        let counted = |stones: usize| stones.min(self.cap.unwrap_or(k)) as i32;
        (0..=k).map(|stones| counted(stones).pow(2)).collect()
    }

    fn utility(&self, verdict: Urgency, own: i64, opposing: i64) -> Score {
        let quiet = self.defence.utility(own, opposing);
        if self.tie_break { verdict.score(quiet) } else { verdict.flat(quiet) }
    }
}

/// The windows of a position, and what they are worth.
#[derive(Clone)]
pub(crate) struct Sequences {
    tactics: UrgentCases,
    /// Per colour the sum over its open windows.
    sums: [i64; 2],
    squares: Vec<i32>,
    worth: Worth,
}

impl Sequences {
    fn new(tactics: UrgentCases, worth: Worth) -> Self {
        let squares = worth.squares(tactics.windows.geometry().rules().k());
        Self { tactics, sums: [0; 2], squares, worth }
    }

    /// As the agent plays without options.
    pub(crate) fn standard(rules: Rules) -> Self {
        let worth = Worth {
            defence: Defence::new(1.0),
            cap: Some(rules.k().saturating_sub(rules.p()).max(1)),
            tie_break: false,
        };
        Self::new(UrgentCases::with_owned_marks(rules), worth)
    }

    /// Whether the opponent of the player to move threatens in the position taken over last.
    pub(crate) fn is_threatened(&mut self, position: &Position) -> bool {
        self.tactics.is_threatened(position)
    }

    /// The sums of the lines through a cell.
    fn lines_sum(&self, cell: Cell, player: Player) -> i64 {
        let windows = &self.tactics.windows;
        let lines = windows.geometry().lines_through(cell);
        lines.iter().map(|at| i64::from(windows.weigh(at.line, player, &self.squares))).sum()
    }

    /// Places or removes a stone and keeps the sums.
    fn change(&mut self, cell: Cell, act: impl FnOnce(&mut UrgentCases)) {
        for player in Player::BOTH {
            self.sums[player.index()] -= self.lines_sum(cell, player);
        }
        act(&mut self.tactics);
        for player in Player::BOTH {
            self.sums[player.index()] += self.lines_sum(cell, player);
        }
    }

    /// The sums of mover and opponent after a stone of the mover.
    fn sums_after(&mut self, cell: Cell, mover: Player) -> (i64, i64) {
        let (own, opposing) = (self.sums[mover.index()], self.sums[mover.opponent().index()]);
        if !self.tactics.windows.geometry().rules().overlines_win() {
            let before = [mover, mover.opponent()].map(|player| self.lines_sum(cell, player));
            self.tactics.windows.place(cell, mover);
            let after = [mover, mover.opponent()].map(|player| self.lines_sum(cell, player));
            self.tactics.windows.remove(cell, mover);
            return (own + after[0] - before[0], opposing + after[1] - before[1]);
        }
        let (gain, loss) = exchange(&self.tactics.windows, &self.squares, cell, mover);
        (own + gain, opposing - loss)
    }
}

/// What a stone adds to the own windows through its cell and takes from the opposing ones, where a
/// window scores `squares` by its stones.
pub(crate) fn exchange(
    windows: &Windows,
    squares: &[i32],
    cell: Cell,
    mover: Player,
) -> (i64, i64) {
    let geometry = windows.geometry();
    let k = geometry.rules().k();
    let (mut gain, mut loss) = (0, 0);
    for at in geometry.lines_through(cell) {
        let through = windows.windows_at(at);
        let own = windows.live(at.line, mover) & through;
        let opposing = windows.live(at.line, mover.opponent()) & through;
        let count = |word: u64| i64::from(word.count_ones());
        // Each further stone adds a step; words hold the windows with at least that many stones.
        let step = |stones: usize| i64::from(squares[stones] - squares[stones - 1]);
        gain += step(1) * count(own);
        for stones in 1..k {
            let mine = own & windows.at_least(at.line, mover, stones);
            let theirs = opposing & windows.at_least(at.line, mover.opponent(), stones);
            if mine | theirs == 0 {
                break;
            }
            gain += (step(stones + 1) - step(stones)) * count(mine);
            loss += step(stones) * count(theirs);
        }
    }
    (gain, loss)
}

impl Appraise for Sequences {
    fn load(&mut self, position: &Position) {
        self.tactics.set(position);
        let windows = &self.tactics.windows;
        for player in Player::BOTH {
            let lines = windows.geometry().lines();
            let sums = lines.map(|line| i64::from(windows.weigh(line, player, &self.squares)));
            self.sums[player.index()] = sums.sum();
        }
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.change(cell, |tactics| tactics.place(cell, player));
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        self.change(cell, |tactics| tactics.remove(cell, player));
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let stakes = self.tactics.stakes(position);
        let mover = position.to_move();
        for cell in position.legal_cells() {
            let verdict = self.tactics.verdict(&stakes, cell);
            let (own, opposing) = self.sums_after(cell, mover);
            list.push(Candidate { cell, utility: self.worth.utility(verdict, own, opposing) });
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn lists(appraiser: &mut impl Appraise, position: &Position) -> Vec<Candidate> {
        let mut list = Vec::new();
        appraiser.list(position, &mut list);
        list
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// Stone by stone, with stones taken back, beside the whole board read again for each cell.
        #[test]
        fn incremental_equals_full_rescan(
            game in prop::sample::select(vec![
                "9x9,k=6,p=2,q=1", "7x7,k=5", "7x7,k=5,exact", "8x6,k=4,p=3,q=2",
                "connect4", "6x6,k=4,p=2,q=1,gravity", "5x1,k=3",
            ]),
            seed in 0..u64::MAX,
            c in 0.0..5.0_f64,
            cap in prop::option::of(1..4_usize),
            tie_break in any::<bool>(),
        ) {
            let rules: Rules = game.parse().expect(game);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = Position::new(rules);
            let worth = Worth { defence: Defence::new(c), cap, tie_break };
            let mut fast = Sequences::new(UrgentCases::new(rules), worth);
            fast.load(&position);
            let mut full = rescan::Rescan::new(worth);
            while !position.is_over() {
                prop_assert_eq!(
                    lists(&mut fast, &position), lists(&mut full, &position), "{:?}", position
                );
                let (legal, player) = (position.legal_cells(), position.to_move());
                // Try one stone and take it back, then play another.
                let tried = *legal.choose(&mut random).expect("legal");
                fast.place(tried, player);
                fast.remove(tried, player);
                let cell = *legal.choose(&mut random).expect("legal");
                position.play(cell).expect("legal");
                fast.place(cell, player);
            }
        }
    }
}
