//! What can be said about a position without searching: threats, the shapes of its lines, and where
//! the network would play.

use std::sync::{Arc, Mutex, PoisonError};

use collinear_book::Book;
use collinear_engine::net::Net;
use collinear_engine::{Engine, Settings};
use collinear_play::StopFlag;
use collinear_rules::{Cell, DIRECTIONS, Direction, Overline, Player, Position, Rules};
use collinear_shapes::{Connection, Connections, LineRules, TableBase, ThreatCounter, Windows};

use crate::convert::{cells, colour};
use crate::wire::{
    BookTurn, BookView, PolicyCell, PolicyView, ShapeLine, ShapesView, ThreatSide, ThreatWindow,
    ThreatsView,
};

/// More defences than anybody reads.
const MAX_DEFENCES: usize = 24;
/// Steps of counting threats: plenty for turns of up to five stones, a second's work for longer ones.
const MAX_STEPS: u32 = 5000;
/// More windows than can be drawn apart.
const MAX_WINDOWS: usize = 200;
/// Tables hold lines of so many cells, 20 MB for Connect6; longer ones are worked out.
const TABLE_LINE: usize = 19;
/// Turns of the book that are listed.
const MAX_BOOK_TURNS: usize = 12;
/// Cells that the network likes less are not drawn.
const MIN_SHARE: f32 = 0.002;
/// Different games whose tables are kept.
const MAX_TABLES: usize = 3;

/// What both sides threaten; none when it was stopped.
pub(crate) fn threats(position: &Position, node: u32, stop: &StopFlag) -> Option<ThreatsView> {
    let windows = Windows::of(position);
    let told = |player| (!stop.is_stopped()).then(|| side(position, &windows, player));
    let [Some(black), Some(white)] = Player::BOTH.map(told) else { return None };
    Some(ThreatsView { node, sides: [black, white] })
}

fn side(position: &Position, windows: &Windows, player: Player) -> ThreatSide {
    let mut counter = ThreatCounter::with_steps(MAX_STEPS);
    let exact = counter.count(windows, player);
    let at_least = counter.gave_up();
    let geometry = position.geometry();
    ThreatSide {
        exact: exact as u32,
        at_least,
        unstoppable: exact > position.rules().p(),
        wins_now: !position.is_over()
            && position.to_move() == player
            && windows.can_win(player, position.stones_left()),
        windows: windows
            .threats(player)
            .take(MAX_WINDOWS)
            .map(|window| {
                let all = geometry.window_cells(window);
                let empty: Vec<Cell> =
                    all.iter().copied().filter(|cell| position.is_empty(*cell)).collect();
                ThreatWindow {
                    from: all[0].index() as u16,
                    to: all[all.len() - 1].index() as u16,
                    empty: cells(&empty),
                }
            })
            .collect(),
        defences: counter
            .defences(windows, player, MAX_DEFENCES)
            .iter()
            .map(|defence| cells(defence))
            .collect(),
    }
}

/// What the book knows of a position.
pub(crate) fn book(book: &Book, position: &Position, node: u32) -> BookView {
    let turns = book.entries(position).into_iter().take(MAX_BOOK_TURNS).map(|entry| BookTurn {
        cells: cells(&entry.turn),
        games: entry.tally.games(),
        score: entry.tally.score(),
    });
    BookView { node, turns: turns.collect() }
}

/// Whether a shipped network was trained for this game.
pub(crate) fn has_policy(rules: &Rules) -> bool {
    Net::for_rules(rules).is_some()
}

/// An engine that is only asked for the network's first thoughts: it needs no memory for a search.
pub(crate) fn glancer(rules: &Rules) -> Engine {
    Engine::new(rules, Settings { memory: 1, ..Settings::default() }, 0)
}

/// What the network alone thinks of a position; none where there is no network or it was stopped.
pub(crate) fn policy(
    engine: &mut Engine,
    position: &Position,
    node: u32,
    stop: &StopFlag,
) -> Option<PolicyView> {
    if stop.is_stopped() {
        return None;
    }
    let (chance, shares) = engine.glance(position)?;
    let chance = if position.to_move() == Player::Black { chance } else { 1.0 - chance };
    let mut cells: Vec<PolicyCell> = (0..)
        .zip(shares)
        .filter(|(_, share)| *share >= MIN_SHARE)
        .map(|(cell, share)| PolicyCell { cell, share })
        .collect();
    cells.sort_by(|a, b| b.share.total_cmp(&a.share));
    Some(PolicyView { node, chance: chance as f32, cells })
}

/// Whether lines have types in this game: they are those of free boards where longer rows win.
pub(crate) fn has_shapes(rules: &Rules) -> bool {
    !rules.gravity() && rules.overline() == Overline::Wins && line_rules(rules).is_some()
}

fn line_rules(rules: &Rules) -> Option<LineRules> {
    LineRules::new(rules.k(), rules.p()).ok().filter(|_| {
        // Beyond, the table would be larger than a page is worth.
        rules.k() <= TABLE_LINE
    })
}

/// The table-bases of the games that are looked at.
#[derive(Default)]
pub(crate) struct Tables(Mutex<Vec<(Rules, Arc<TableBase>)>>);

impl Tables {
    fn of(&self, rules: &Rules) -> Option<Arc<TableBase>> {
        let mut tables = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = tables.iter().find(|(known, _)| known == rules) {
            return Some(Arc::clone(table));
        }
        let longest = rules.width().max(rules.height()).min(TABLE_LINE);
        let table = Arc::new(TableBase::new(line_rules(rules)?, longest.max(rules.k())).ok()?);
        if tables.len() >= MAX_TABLES {
            tables.remove(0);
        }
        tables.push((*rules, Arc::clone(&table)));
        Some(table)
    }

    /// The shapes of the lines through a cell.
    pub(crate) fn shapes(&self, position: &Position, cell: Cell, node: u32) -> Option<ShapesView> {
        let rules = position.rules();
        if cell.index() >= rules.cells() || !has_shapes(rules) {
            return None;
        }
        let connections = Connections::of(position, self.of(rules)?);
        let mut lines = Vec::new();
        for player in Player::BOTH {
            let becomes = connections.cell_types(cell, player);
            for (at, direction) in DIRECTIONS.into_iter().enumerate() {
                let through = &position.geometry().lines_through(cell)[at];
                let Some(connection) = connections.through(through, player) else { continue };
                if connection.shape.stones() == 0 {
                    continue;
                }
                let all = connection_cells(position, &connection);
                lines.push(ShapeLine {
                    colour: colour(player),
                    direction: arrow(direction).to_owned(),
                    drawing: all
                        .iter()
                        .map(|cell| if position.is_empty(*cell) { '.' } else { 'X' })
                        .collect(),
                    cells: cells(&all),
                    kind: connections.type_of(&connection).to_string(),
                    becomes: position.is_empty(cell).then(|| becomes[at].to_string()),
                });
            }
        }
        Some(ShapesView { cell: cell.index() as u16, node, lines })
    }
}

fn connection_cells(position: &Position, connection: &Connection) -> Vec<Cell> {
    let line = position.geometry().line_cells(connection.line);
    let head = usize::from(connection.head);
    line[head..head + connection.shape.length()].to_vec()
}

const fn arrow(direction: Direction) -> &'static str {
    match direction {
        Direction::East => "→",
        Direction::North => "↑",
        Direction::NorthEast => "↗",
        Direction::SouthEast => "↘",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Setup, notation};

    /// A live four of Black: `..XXXX..` from h10 to k10, open on both sides.
    fn live_four() -> Position {
        let rules = Rules::CONNECT6;
        let black = ["h10", "i10", "j10", "k10"]
            .map(|name| notation::parse(&rules, name).expect(name))
            .to_vec();
        Position::from_setup(rules, &Setup { black, ..Setup::default() }).expect("a position")
    }

    #[test]
    fn a_live_four_takes_two_stones_to_stop() {
        let view = threats(&live_four(), 7, &StopFlag::default()).expect("not stopped");
        assert_eq!((view.sides[0].exact, view.sides[1].exact), (2, 0));
        assert!(!view.sides[0].unstoppable && !view.sides[0].defences.is_empty());
        assert_eq!(view.sides[0].windows.len(), 3);
    }

    #[test]
    fn the_network_is_told_of_in_order_and_from_blacks_side() {
        assert!(has_policy(&Rules::GOMOKU) && !has_policy(&Rules::CONNECT4));
        let mut position = live_four();
        let mut engine = glancer(position.rules());
        let mut seen = Vec::new();
        while seen.len() < 2 {
            let (chance, shares) = engine.glance(&position).expect("a network");
            let view = policy(&mut engine, &position, 3, &StopFlag::default()).expect("a network");
            let black = position.to_move() == Player::Black;
            assert!(
                (f64::from(view.chance) - if black { chance } else { 1.0 - chance }).abs() < 1e-6
            );
            assert!(view.cells.is_sorted_by(|a, b| a.share >= b.share));
            for PolicyCell { cell, share } in &view.cells {
                assert!(position.is_empty(Cell::new(usize::from(*cell))));
                assert!((shares[usize::from(*cell)] - share).abs() < 1e-6);
            }
            if !seen.contains(&position.to_move()) {
                seen.push(position.to_move());
            }
            position.play(Cell::new(seen.len())).expect("free");
        }
        let stop = StopFlag::default();
        stop.stop();
        assert!(policy(&mut engine, &position, 3, &stop).is_none());
    }

    #[test]
    fn turns_of_many_stones_are_given_up_in_time() {
        let rules: Rules = "15x15,k=4,p=64,q=30".parse().expect("a game");
        // No two of them on a line within four cells.
        let apart = |at: &usize| (at % 15 + 2 * (at / 15)).is_multiple_of(5);
        let black = (0..225).filter(apart).take(30).map(Cell::new).collect();
        let setup = Setup { black, ..Setup::default() };
        let position = Position::from_setup(rules, &setup).expect("a position");
        let begun = std::time::Instant::now();
        let view = threats(&position, 0, &StopFlag::default()).expect("not stopped");
        assert!(view.sides[0].at_least && view.sides[0].exact > 0, "{}", view.sides[0].exact);
        assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
        let stop = StopFlag::default();
        stop.stop();
        assert!(threats(&position, 0, &stop).is_none());
    }

    #[test]
    fn the_line_of_a_live_four_is_l4() {
        let position = live_four();
        let tables = Tables::default();
        let cell = notation::parse(position.rules(), "j10").expect("a cell");
        let shapes = tables.shapes(&position, cell, 0).expect("shapes");
        let row = shapes.lines.iter().find(|line| line.direction == "→").expect("the row");
        assert_eq!((row.kind.as_str(), row.drawing.as_str()), ("L4", ".......XXXX........"));
        assert_eq!(row.becomes, None);
        assert!(tables.shapes(&Position::new(Rules::CONNECT4), cell, 0).is_none());
    }
}
