//! Positions for training, every one of the same length, so that a trainer maps the file into memory
//! and reads nothing twice.
//!
//! ```text
//! "SXP1", width u8, height u8, k u8, p u8, overline u8 (0 wins, 1 does not), zeros up to 16 bytes;
//! then for each position
//!   own stones, opponent's stones: a bit per cell, row by row, lowest bit first, whole bytes each
//!   one_left u8, teaches u8, result i8 (1 won, 0 drawn, −1 lost by the player to move), zero u8,
//!   value i16 (±32,767), game u16 (the lower bits of its number: positions of a game stay together),
//!   24 times (cell u16, weight u16): where to play; unused ones have weight 0
//! ```

use collinear_rules::{Player, Position, Rules};

use super::games::{GameFile, SearchedGame, StoneThought};

/// Looks kept per position.
const LOOKS: usize = 24;

/// The first bytes of a file.
pub fn header(rules: &Rules) -> Vec<u8> {
    let mut bytes = b"SXP1".to_vec();
    bytes.extend([rules.width(), rules.height(), rules.k(), rules.p()].map(|number| number as u8));
    bytes.push(u8::from(!rules.overlines_win()));
    bytes.resize(16, 0);
    bytes
}

/// Bytes of a position.
pub fn length(rules: &Rules) -> usize {
    2 * rules.cells().div_ceil(8) + 8 + 4 * LOOKS
}

/// The positions of games.
pub fn of_games(file: &GameFile, out: &mut Vec<u8>) {
    for game in &file.games {
        write_game(&file.rules, game, out);
    }
}

fn write_game(rules: &Rules, game: &SearchedGame, out: &mut Vec<u8>) {
    let mut position = Position::new(*rules);
    for (at, &cell) in game.stones.iter().enumerate() {
        if let Some(thought) = at.checked_sub(game.opening).and_then(|at| game.thoughts.get(at)) {
            write_position(&position, game, thought, out);
        }
        // The reader replayed every game.
        let _ = position.play(cell);
    }
}

fn write_position(
    position: &Position,
    game: &SearchedGame,
    thought: &StoneThought,
    out: &mut Vec<u8>,
) {
    let player = position.to_move();
    for colour in [player, !player] {
        let start = out.len();
        out.resize(start + position.rules().cells().div_ceil(8), 0);
        for cell in position.stones(colour) {
            out[start + cell.index() / 8] |= 1 << (cell.index() % 8);
        }
    }
    let one_left = position.stones_left() == 1 && position.rules().p() > 1;
    let result = game.winner.map_or(0, |winner: Player| if winner == player { 1_i8 } else { -1 });
    out.extend([u8::from(one_left), u8::from(thought.teaches), result as u8, 0]);
    out.extend(thought.value.to_le_bytes());
    out.extend((game.number as u16).to_le_bytes());
    let mut looks = thought.looks.clone();
    looks.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
    for at in 0..LOOKS {
        let (cell, weight) = looks.get(at).map_or((0, 0), |&(cell, weight)| (cell.index(), weight));
        out.extend((cell as u16).to_le_bytes());
        out.extend(weight.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Cell;

    #[test]
    fn a_position_is_written_as_the_table_says() {
        let rules = Rules::CONNECT6;
        let thought = |cell: usize| StoneThought {
            value: 77,
            teaches: true,
            looks: vec![(Cell::new(cell), 65_535)],
        };
        let game = SearchedGame {
            number: 65_538,
            stones: [180, 9, 360].map(Cell::new).to_vec(),
            opening: 1,
            winner: Some(Player::Black),
            thoughts: vec![thought(9), thought(360)],
        };
        let mut bytes = Vec::new();
        write_game(&rules, &game, &mut bytes);
        let bits = 361_usize.div_ceil(8);
        let length = length(&rules);
        assert_eq!(bytes.len(), 2 * length);
        let second = &bytes[length..];
        // White to move has cell 9, Black has cell 180.
        assert_eq!((second[1], second[bits + 22]), (1 << 1, 1 << 4));
        assert_eq!(&second[2 * bits..2 * bits + 8], [1, 1, 255, 0, 77, 0, 2, 0]);
        assert_eq!(&second[2 * bits + 8..2 * bits + 12], [104, 1, 255, 255]);
        assert_eq!(header(&rules).len(), 16);
    }
}
