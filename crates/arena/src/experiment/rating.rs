//! One rating of everybody from the games of all cells: how strong players are who never met, and, by the
//! anchors, what they would be in a list of other people.

use super::cells::PairingResult;
use super::findings::{Table, TableEntry};
use super::matches::percent;
use super::spec::Matches;
use crate::stats::{RatedGame, Ratings, Tally};

/// The table, best first, where the experiment wants one and there are games.
pub(super) fn table(matches: &Matches, results: &[PairingResult]) -> Option<Table> {
    if !matches.ratings && matches.players.iter().all(|player| player.anchor.is_none()) {
        return None;
    }
    let games: Vec<RatedGame> = results.iter().flat_map(|result| result.rated.clone()).collect();
    let mut tallies = vec![Tally::default(); matches.players.len()];
    for game in &games {
        tallies[game.black].add(game.half_points);
        tallies[game.white].add(2 - game.half_points);
    }
    let mut order: Vec<usize> =
        (0..matches.players.len()).filter(|&index| tallies[index].games() > 0).collect();
    // Who has not played says nothing about the scale.
    let anchor = |index: usize| matches.players[index].anchor;
    let anchors: Vec<(usize, f64)> =
        order.iter().filter_map(|&index| Some((index, anchor(index)?))).collect();
    let ratings = Ratings::anchored(matches.players.len(), &games, &anchors).players;
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let mut header: Vec<String> =
        ["player", "Elo", "±", "games", "score %"].map(str::to_owned).into();
    let mut caption = "All players rated together (Bradley–Terry with draws and the first move), \
                       95 % errors from pairs. "
        .to_owned();
    if anchors.is_empty() {
        caption.push_str("Elo above the mean of all.");
    } else {
        header.extend(["given".to_owned(), "off by".to_owned()]);
        caption.push_str(
            "The scale is that of the anchors: the mean of their ratings is the mean of what is \
             given for them. How far each anchor is off shows how well the games fit the list; \
             that is not in the errors.",
        );
    }
    let rows = order.iter().map(|&index| {
        let rating = ratings[index];
        let elo = if anchors.is_empty() {
            format!("{:+.0}", rating.elo)
        } else {
            format!("{:.0}", rating.elo)
        };
        let mut row = vec![
            TableEntry::head(matches.players[index].name.clone()),
            TableEntry::new(elo),
            TableEntry::new(format!("{:.0}", rating.error)),
            TableEntry::new(tallies[index].games().to_string()),
            TableEntry::new(percent(tallies[index].score())),
        ];
        if !anchors.is_empty() {
            let given = anchor(index);
            let off = given.map(|given| format!("{:+.0}", rating.elo - given));
            row.push(TableEntry::new(given.map(|given| format!("{given:.0}")).unwrap_or_default()));
            row.push(TableEntry::new(off.unwrap_or_default()));
        }
        row
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then_some(Table { caption, header, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Content, Experiment};
    use crate::game::{GameSummary, Side};
    use crate::testing::registry;
    use collinear_play::Reason;
    use collinear_rules::Player;

    const GAUNTLET: &str = "title = \"t\"\nquestion = \"q\"\ngame = \"tictactoe\"\ngames = 4\n\
        ratings = true\n[players.us]\nagent = \"dice\"\n[players.one]\nagent = \"dice:share=0.1\"\n\
        [players.two]\nagent = \"dice:share=0.2\"\n[[cells]]\nx = \"us\"\no = \"one\"\n\
        [[cells]]\nx = \"us\"\no = \"two\"\n";

    fn gauntlet() -> Matches {
        let experiment = Experiment::parse("g.toml", GAUNTLET, &registry()).expect("good");
        let Content::Matches(matches) = experiment.content else { panic!("matches") };
        matches
    }

    /// The first of a cell wins this many of its games, half of them as Black.
    fn result(matches: &Matches, cell: usize, wins: u64, games: u64) -> PairingResult {
        let game = |number: u64| {
            let black = (number % 2) as usize;
            let first_wins = number < wins;
            let winner = if first_wins == (black == 0) { Player::Black } else { Player::White };
            GameSummary {
                number,
                pair: number / 2,
                black,
                white: 1 - black,
                winner: Some(winner),
                reason: Reason::Row,
                key: number,
                sides: [Side::default(); 2],
            }
        };
        let games: Vec<GameSummary> = (0..games).map(game).collect();
        PairingResult::new(&matches.cells[cell], &games, cell)
    }

    fn column(table: &Table, name: &str) -> Vec<String> {
        let at = table.header.iter().position(|head| head == name).expect("a column");
        table.rows.iter().map(|row| row[at].text.clone()).collect()
    }

    #[test]
    fn players_who_never_met_are_on_one_scale() {
        let mut matches = gauntlet();
        // 75 % against one, 50 % against the other: 191 Elo lie between these two.
        let results = [result(&matches, 0, 300, 400), result(&matches, 1, 200, 400)];
        let free = table(&matches, &results).expect("asked for");
        assert_eq!(column(&free, "player").last().map(String::as_str), Some("one"));
        assert!(free.header.iter().all(|head| head != "given"));
        matches.anchor("one", 1500.0).expect("plays");
        let anchored = table(&matches, &results).expect("asked for");
        assert_eq!(column(&anchored, "player").last().map(String::as_str), Some("one"));
        let elo: Vec<f64> =
            column(&anchored, "Elo").iter().map(|text| text.parse().expect("a number")).collect();
        assert!((elo[0] - 1691.0).abs() < 3.0 && (elo[1] - 1691.0).abs() < 3.0, "{elo:?}");
        assert_eq!((elo[2], column(&anchored, "off by")[2].as_str()), (1500.0, "+0"));
        matches.anchor("two", 1900.0).expect("plays");
        let both = table(&matches, &results).expect("asked for");
        // The games put 191 between the anchors, the list 400: each is off by half of the rest.
        let off: f64 = column(&both, "off by")[2].parse().expect("a number");
        assert!((off - 104.5).abs() < 3.0, "{off}");
        let words = matches.anchor("three", 0.0).expect_err("nobody");
        assert!(words.contains("players: us, one, two"), "{words}");
        assert!(matches.anchor("us", f64::NAN).is_err());
    }

    #[test]
    fn only_who_wants_ratings_gets_them() {
        let mut matches = gauntlet();
        assert!(table(&matches, &[]).is_none(), "no games");
        matches.ratings = false;
        let results = [result(&matches, 0, 3, 4), result(&matches, 1, 2, 4)];
        assert!(table(&matches, &results).is_none());
    }
}
