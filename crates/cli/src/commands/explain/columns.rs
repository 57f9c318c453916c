//! `collinear explain columns`: odd and even threats column by column, and what zugzwang says.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use collinear_connect4::{Parity, Threat};
use collinear_rules::{Player, Position, Rules, notation};
use serde::Serialize;

/// What is told of a position.
#[derive(Serialize)]
pub(super) struct Told {
    /// The rows from the top, as they are drawn.
    board: Vec<String>,
    to_move: &'static str,
    /// Who gets the top row and every second one below it.
    answers: &'static str,
    answer_rows: Vec<usize>,
    other_rows: Vec<usize>,
    threats: Vec<ToldThreat>,
    /// The end if no other threat arises.
    filling: Option<ToldFilling>,
    /// What is proved of the score for the player to move.
    least: Option<i8>,
    most: Option<i8>,
}

#[derive(Serialize)]
struct ToldThreat {
    column: String,
    cell: String,
    player: &'static str,
    odd: bool,
    serves: bool,
    playable: bool,
}

#[derive(Serialize)]
struct ToldFilling {
    winner: Option<&'static str>,
    cell: Option<String>,
    zugzwang: bool,
    stones: usize,
    certain: bool,
}

/// The position after columns, as Pascal Pons writes them, or after cells.
pub(super) fn position(game: Rules, moves: &str) -> Result<Position> {
    if moves.contains(|sign: char| !sign.is_ascii_digit()) {
        return super::position(game, moves);
    }
    let mut position = Position::new(game);
    for (at, sign) in moves.chars().enumerate() {
        let cell = notation::parse_pons(&position, sign)?;
        if let Err(illegal) = position.play(cell) {
            bail!("stone {} of {moves:?}: {illegal}", at + 1);
        }
    }
    Ok(position)
}

impl Told {
    pub(super) fn of(position: &Position) -> Result<Self> {
        let rules = position.rules();
        let parity = Parity::of(position)?;
        let name = |cell| notation::name(rules, cell);
        let (answer_rows, other_rows) =
            (1..=rules.height()).partition(|row| (rules.height() - row).is_multiple_of(2));
        let threat = |threat: &Threat| ToldThreat {
            column: notation::column_name(rules.column(threat.cell)),
            cell: name(threat.cell),
            player: threat.player.name(),
            odd: threat.odd,
            serves: threat.serves,
            playable: threat.playable,
        };
        Ok(Self {
            board: board(position, &parity.threats),
            to_move: position.to_move().name(),
            answers: parity.answers.name(),
            answer_rows,
            other_rows,
            threats: parity.threats.iter().map(threat).collect(),
            filling: parity.filling.map(|filling| ToldFilling {
                winner: filling.wins.map(|(player, _)| player.name()),
                cell: filling.wins.map(|(_, cell)| name(cell)),
                zugzwang: filling.zugzwang,
                stones: filling.stones,
                certain: filling.certain,
            }),
            least: parity.bounds.map(|bounds| bounds.least.get()),
            most: parity.bounds.map(|bounds| bounds.most.get()),
        })
    }

    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for row in &self.board {
            let _ = writeln!(out, "{row}");
        }
        let rows =
            |rows: &[usize]| rows.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let other =
            if self.answers == Player::Black.name() { Player::White } else { Player::Black };
        let _ = writeln!(
            out,
            "{} to move. While columns fill in pairs, rows {} fall to {} and rows {} to {other}.",
            self.to_move,
            rows(&self.answer_rows),
            self.answers,
            rows(&self.other_rows),
        );
        if self.threats.is_empty() {
            out.push_str("nobody has an open threat\n");
        }
        for threat in &self.threats {
            let _ = writeln!(
                out,
                "{:>3}  {:<4} {}, {} row: {} {}{}",
                threat.column,
                threat.cell,
                threat.player,
                if threat.odd { "odd" } else { "even" },
                if threat.serves { "serves" } else { "does not serve" },
                threat.player,
                if threat.playable { ", can be played now" } else { "" },
            );
        }
        if let Some(proved) = self.proved() {
            let _ = writeln!(out, "proved: {proved}");
        }
        if let Some(filling) = self.filling.as_ref().filter(|_| !self.threats.is_empty()) {
            let when = if filling.certain {
                "no other threat can arise"
            } else {
                "if no other threat arises"
            };
            let _ = writeln!(out, "{when}: {}", filling.text());
        }
        out
    }

    /// What is certain of the game itself.
    fn proved(&self) -> Option<String> {
        let (least, most) = (self.least?, self.most?);
        let waiter = if self.to_move == Player::Black.name() { "white" } else { "black" };
        match (least, most) {
            (1.., _) => Some(format!("{} wins", self.to_move)),
            (_, ..0) => Some(format!("{waiter} wins")),
            (0, 0) => Some("a draw".to_owned()),
            (_, 0) => Some(format!("{} cannot win", self.to_move)),
            (0, _) => Some(format!("{waiter} cannot win")),
            _ => None,
        }
    }
}

impl ToldFilling {
    fn text(&self) -> String {
        let (Some(winner), Some(cell)) = (self.winner, &self.cell) else {
            return "the board fills up, a draw".to_owned();
        };
        let loser = if winner == Player::Black.name() { "white" } else { "black" };
        if self.zugzwang {
            format!(
                "{loser} runs out of other moves and must play below {cell}; {winner} wins there with stone {}",
                self.stones
            )
        } else {
            format!("{winner} wins at {cell} with stone {}", self.stones)
        }
    }
}

/// The board with threats: `x` of Black, `o` of White, `*` of both; capital letters are stones.
pub(super) fn board(position: &Position, threats: &[Threat]) -> Vec<String> {
    let rules = position.rules();
    let sign = |x: usize, y: usize| {
        let cell = rules.cell(x, y)?;
        let of = |player| threats.iter().any(|t| t.cell == cell && t.player == player);
        Some(match position.at(cell) {
            Some(Player::Black) => 'X',
            Some(Player::White) => 'O',
            None if of(Player::Black) && of(Player::White) => '*',
            None if of(Player::Black) => 'x',
            None if of(Player::White) => 'o',
            None => '.',
        })
    };
    let row = |y: usize| {
        let cells: String =
            (0..rules.width()).filter_map(|x| sign(x, y)).flat_map(|c| [c, ' ']).collect();
        format!("{:>2} {}", y + 1, cells.trim_end())
    };
    let letters: Vec<String> = (0..rules.width()).map(notation::column_name).collect();
    (0..rules.height()).rev().map(row).chain([format!("   {}", letters.join(" "))]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_cells_name_the_same_position() {
        let by_column = position(Rules::CONNECT4, "4455").expect("legal");
        let by_cell = position(Rules::CONNECT4, "d1 d2 e1 e2").expect("legal");
        assert_eq!(by_column, by_cell);
        assert!(position(Rules::CONNECT4, "9").is_err());
        assert!(position(Rules::CONNECT4, "44444444").is_err());
    }

    #[test]
    fn the_text_names_threats_rows_and_what_is_proved() {
        // Black has three in the bottom row with both ends open: white stops one.
        let told = Told::of(&position(Rules::CONNECT4, "334455").expect("legal")).expect("gravity");
        let text = told.text();
        assert!(text.contains("rows 2, 4, 6 fall to white and rows 1, 3, 5 to black"), "{text}");
        assert!(text.contains("b1   black, odd row: serves black, can be played now"), "{text}");
        assert!(text.contains("proved: black wins"), "{text}");
        assert!(text.contains(" 1 . x X X X x ."), "{text}");
        assert!(Told::of(&Position::new(Rules::GOMOKU)).is_err());
    }
}
