//! Comma-separated values, for spreadsheets and other programs.

use crate::standings::Standings;

/// Rows as lines; fields are quoted where they must be (RFC 4180).
pub fn csv(rows: &[Vec<String>]) -> String {
    let field = |text: &String| {
        if text.contains([',', '"', '\n']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    let mut out = String::new();
    for row in rows {
        out.push_str(&row.iter().map(field).collect::<Vec<_>>().join(","));
        out.push('\n');
    }
    out
}

/// The final table of a run, best first: ratings, cost of turns, and the score against everybody.
pub fn standings_csv(standings: &Standings) -> String {
    let order = standings.ranking();
    let mut header: Vec<String> =
        ["place", "name", "elo", "error", "games", "score", "ms per turn", "nodes per turn"]
            .map(str::to_owned)
            .into();
    header.extend(order.iter().map(|&other| standings.players[other].label.clone()));
    let mut rows = vec![header];
    for (place, &index) in order.iter().enumerate() {
        let player = &standings.players[index];
        let mut row = vec![
            (place + 1).to_string(),
            player.label.clone(),
            format!("{:.1}", player.rating.elo),
            format!("{:.1}", player.rating.error),
            player.tally.games().to_string(),
            format!("{:.4}", player.tally.score()),
            format!("{:.4}", player.millis_a_turn()),
            format!("{:.1}", player.nodes_a_turn()),
        ];
        row.extend(order.iter().map(|&other| {
            let tally = standings.crosstable.between(index, other);
            if tally.games() == 0 { String::new() } else { format!("{:.4}", tally.score()) }
        }));
        rows.push(row);
    }
    csv(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::Reason;
    use collinear_rules::Player;

    use crate::game::{GameSummary, Side};

    #[test]
    fn what_must_be_quoted_is_quoted() {
        let rows = [vec!["a,b".into(), "say \"hi\"".into()], vec!["1".into(), "2".into()]];
        assert_eq!(csv(&rows), "\"a,b\",\"say \"\"hi\"\"\"\n1,2\n");
    }

    #[test]
    fn the_best_stand_first() {
        let game = |number: u64| GameSummary {
            number,
            pair: number / 2,
            black: (number % 2) as usize,
            white: 1 - (number % 2) as usize,
            winner: Some(if number.is_multiple_of(2) { Player::White } else { Player::Black }),
            reason: Reason::Row,
            key: number,
            sides: [Side::default(); 2],
        };
        let games: Vec<_> = (0..4).map(game).collect();
        let text =
            standings_csv(&Standings::new(&["weak".to_owned(), "strong".to_owned()], &games));
        let lines: Vec<_> = text.lines().collect();
        assert!(lines[0].ends_with(",strong,weak"), "{text}");
        assert!(lines[1].starts_with("1,strong,") && lines[1].ends_with(",,1.0000"), "{text}");
        assert!(lines[2].starts_with("2,weak,") && lines[2].ends_with(",0.0000,"), "{text}");
    }
}
