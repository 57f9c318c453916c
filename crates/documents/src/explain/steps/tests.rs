//! Tests of the steps: against the agent, against a textbook's minimax, and the figures of the document.

use collinear_play::Report;
use collinear_rules::{Outcome, Rules};
use rand::SeedableRng;
use rand::rngs::SmallRng;

use super::*;
use crate::testing::random_position;

fn position(game: &str, columns: &[usize]) -> Position {
    let mut position = Position::new(game.parse::<Rules>().expect(game));
    for &column in columns {
        position.play(position.drop_cell(column).expect("room")).expect("legal");
    }
    position
}

fn steps(position: &Position, plies: u32) -> KateSteps {
    KateSteps::of(position, StepsOptions { plies }).expect("steps")
}

/// Positions of several boards with a depth for each.
fn positions() -> Vec<(Position, u32)> {
    let mut rng = SmallRng::seed_from_u64(4);
    let games =
        [("connect4", 4), ("4x4,k=4,gravity", 6), ("9x7,k=4,gravity", 3), ("5x5,k=3,gravity", 4)];
    let of = |(game, plies): (&str, u32)| {
        let rules: Rules = game.parse().expect(game);
        (0..8).map(|_| (random_position(rules, &mut rng), plies)).collect::<Vec<_>>()
    };
    games.into_iter().flat_map(of).collect()
}

/// What the agent reports: depth, nodes so far and its move.
fn played(spec: &str, position: &Position) -> Vec<(u32, u64, String)> {
    let spec = crate::registry().parse(spec).expect(spec);
    let mut agent = spec.build(position.rules(), 1).expect("an agent");
    let mut told = Vec::new();
    let on = &mut |report: &Report| {
        let cell = notation::name(position.rules(), report.lines[0].stones[0]);
        told.push((report.depth, report.nodes, cell));
    };
    agent.choose(position, &Budget::default(), on).expect("a turn");
    told
}

#[test]
fn nodes_and_moves_are_those_of_the_agent() {
    for (position, plies) in positions() {
        let told = steps(&position, plies);
        let once = |search: &ColumnSearch| vec![(told.plies, search.nodes, search.cell.clone())];
        let deeper = |found: &[DepthSearch]| {
            let row = |found: &DepthSearch| (found.depth, found.nodes_so_far, found.cell.clone());
            found.iter().map(row).collect::<Vec<_>>()
        };
        for (options, found) in [
            ("search=minimax,deepen=false,chains=false,filter=false", once(&told.minimax)),
            ("deepen=false,chains=false,filter=false", once(&told.alpha_beta)),
            ("chains=false,filter=false", deeper(&told.deepening)),
            ("deepen=false,filter=false", once(&told.with_chains)),
            ("deepen=false", once(&told.first_ply.search)),
            ("deepen=true", deeper(&told.whole)),
        ] {
            let spec = format!("kate:{options},depth={plies}");
            assert_eq!(played(&spec, &position), found, "{spec}\n{position}");
        }
    }
}

/// Minimax as a textbook has it: the value of a disc for its player, and the discs looked at.
fn textbook(position: &mut Position, cell: Cell, ply: u32, plies: u32) -> (i64, u64) {
    position.play_unchecked(cell);
    let (mut value, mut nodes) = (0, 1);
    match position.outcome() {
        Outcome::Won(_) => value = i64::from(i32::MAX) / i64::from(ply),
        Outcome::Ongoing if ply < plies => {
            let replies = position.legal_cells();
            let below = replies.iter().map(|&reply| textbook(position, reply, ply + 1, plies));
            let below: Vec<_> = below.collect();
            value = -below.iter().map(|found| found.0).max().expect("a reply");
            nodes += below.iter().map(|found| found.1).sum::<u64>();
        }
        _ => {}
    }
    position.undo();
    (value, nodes)
}

#[test]
fn minimax_is_the_textbook_one_and_alpha_beta_agrees() {
    for (mut position, plies) in positions() {
        let told = steps(&position, plies);
        let (minimax, alpha_beta) = (&told.minimax, &told.alpha_beta);
        let mut nodes = 0;
        for found in &minimax.columns {
            let cell = notation::parse(position.rules(), &found.cell).expect("a cell");
            let (value, looked) = textbook(&mut position, cell, 1, told.plies);
            assert!(found.value == value && !found.at_most, "{found:?}\n{position}");
            nodes += looked;
        }
        assert_eq!((minimax.nodes, minimax.cuts), (nodes, 0));
        assert_eq!((&minimax.cell, minimax.value), (&alpha_beta.cell, alpha_beta.value));
        assert!(alpha_beta.nodes <= nodes && (alpha_beta.nodes == nodes) == (alpha_beta.cuts == 0));
        for (exact, found) in minimax.columns.iter().zip(&alpha_beta.columns) {
            assert_eq!(exact.cell, found.cell);
            assert!(found.value == exact.value || found.at_most && found.value > exact.value);
        }
    }
}

#[test]
fn deepening_ends_with_the_move_of_the_full_depth() {
    for (position, plies) in positions() {
        let told = steps(&position, plies);
        for (search, found) in
            [(&told.alpha_beta, &told.deepening), (&told.first_ply.search, &told.whole)]
        {
            let last = found.last().expect("depth 1");
            assert_eq!(last.value, search.value, "{position}");
            // A win or a loss ends it sooner; then another column may be as good.
            assert!(last.decided_on.is_some() || last.depth == told.plies);
            assert!(last.depth < told.plies || last.cell == search.cell);
        }
    }
}

#[test]
fn the_documents_figure_is_worth_nine_points() {
    // .XXXOOO: a chain of four cells with three discs, and one of three cells, which is too short.
    let told = steps(&position("7x3,k=4,gravity", &[1, 4, 2, 5, 3, 6]), 1).chains;
    let [chain] = &told.chains[..] else { panic!("one chain") };
    assert_eq!((chain.player, chain.discs, chain.points), (Player::Black, 3, 9));
    assert_eq!(chain.cells, ["a1", "b1", "c1", "d1"]);
    assert_eq!((told.own, told.opposing, told.value, told.too_short), (9, 0, 9, 1));
}

#[test]
fn chains_sum_up_to_what_the_search_counts() {
    for (mut position, _) in positions() {
        // The search counts after a disc, for its player.
        let told = steps(&position, 1).with_chains;
        for found in told.columns.iter().filter(|found| found.decided_on.is_none()) {
            position
                .play(notation::parse(position.rules(), &found.cell).expect("a cell"))
                .expect("legal");
            if !position.is_over() {
                assert_eq!(PositionChains::of(&position).value, -found.value, "{position}");
            }
            position.undo();
        }
    }
}

#[test]
fn a_nearer_win_is_worth_more() {
    // Three in a column with room on top win at once.
    let told = steps(&position("connect4", &[3, 0, 3, 0, 3, 1]), 3);
    assert_eq!(told.wins, [2_147_483_647, 1_073_741_823, 715_827_882]);
    let (best, won) = (&told.minimax, |ply: usize| told.wins[ply - 1]);
    assert_eq!((&*best.cell, best.value), ("d4", won(1)));
    assert!(told.deepening.len() == 1 && told.deepening[0].decided_on == Some(1));
    let lost = steps(&position("connect4", &[3, 0, 3, 0, 3]), 2).minimax;
    let elsewhere = lost.columns.iter().filter(|found| found.cell != "d4");
    assert!(elsewhere.clone().all(|found| (found.value, found.decided_on) == (-won(2), Some(2))));
    assert_eq!((elsewhere.count(), &*lost.cell), (6, "d4"));
}

#[test]
fn remote_columns_are_left_out_of_the_first_ply_alone() {
    let told = steps(&position("connect4", &[3]), 4);
    let named = |left: &RemoteColumn| (left.column.clone(), left.neighbours.concat());
    let left: Vec<_> = told.first_ply.left_out.iter().map(named).collect();
    let expected = [("a", "b"), ("b", "ac"), ("f", "eg"), ("g", "f")];
    assert_eq!(left, expected.map(|(column, beside)| (column.to_owned(), beside.to_owned())));
    assert_eq!(told.first_ply.search.columns.len(), 3);
    let nodes = told.with_chains.nodes as i64;
    assert_eq!(told.first_ply.saved, nodes - told.first_ply.search.nodes as i64);
    assert!(told.first_ply.saved > 0 && !told.first_ply.all_remote);
    let empty = steps(&position("connect4", &[]), 2).first_ply;
    assert!(empty.all_remote && empty.left_out.is_empty() && empty.search.columns.len() == 7);
}

#[test]
fn what_has_no_steps_is_refused() {
    let of = |position: &Position, plies| KateSteps::of(position, StepsOptions { plies });
    let connect4 = Position::new(Rules::CONNECT4);
    assert_eq!(of(&connect4, 7), Err(StepsError::TooLarge));
    assert_eq!(of(&connect4, 0).map(|told| told.plies), Ok(1));
    assert_eq!(of(&Position::new(Rules::GOMOKU), 1), Err(StepsError::OtherGame));
    let over = position("connect4", &[0, 1, 0, 1, 0, 1, 0]);
    assert_eq!(of(&over, 1), Err(StepsError::GameOver));
    // Plies beyond the last empty cell are not looked at.
    let nearly = position("4x1,k=4,gravity", &[0, 1]);
    assert_eq!(of(&nearly, 8).map(|told| told.plies), Ok(2));
}
