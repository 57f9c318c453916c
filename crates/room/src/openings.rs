//! The explorer of openings: how the games of a source went on from a position. A source is a list of
//! games as a text, such as those that come with the page, the person's own games, or a book of the server.

use collinear_book::{
    Book, NAMED_OPENINGS, NamedOpening, OpeningGame, Tally, games_header, opening_name,
};
use collinear_play::{End, GameRecord, play_turn};
use collinear_rules::{Player, Position, Rules};

use crate::convert::{cells, colour, rules_name, rules_view};
use crate::link;
use crate::store::{Store, StoreError};
use crate::wire::{
    OpeningEntry, OpeningNamed, OpeningResults, OpeningStone, OpeningTurn, OpeningsView,
};

/// Turns that are listed.
const MAX_TURNS: usize = 30;
/// The latest games of a person that are looked at.
const MAX_OWN: usize = 200;
/// Turns of each that are kept.
const OWN_TURNS: u16 = 20;

/// The position of a link.
pub(crate) fn position(link: &str) -> Result<Position, String> {
    let linked = link::read(link).map_err(|error| error.to_string())?;
    let mut position = linked.root;
    for cell in linked.moves {
        position.play(cell).map_err(|error| error.to_string())?;
    }
    Ok(position)
}

/// What a book knows of a position.
pub(crate) fn view(book: &Book, position: &Position) -> OpeningsView {
    let rules = position.rules();
    let black = |tally: Tally| results(tally.of(position.to_move()));
    let turns = book.entries(position).into_iter().take(MAX_TURNS).map(|entry| {
        let mut after = position.clone();
        // A book is data from outside: of an illegal turn there is no name.
        let legal = play_turn(&mut after, &entry.turn).is_ok();
        OpeningTurn {
            cells: cells(&entry.turn),
            results: black(entry.tally),
            opening: opening_name(&after).filter(|_| legal).map(named),
        }
    });
    let whole = if position.history().len() < rules.q() { rules.q() } else { rules.p() };
    OpeningsView {
        rules: rules_view(rules),
        stones: stones(position),
        to_move: colour(position.to_move()),
        stones_left: position.stones_left() as u32,
        turn_stones: whole as u32,
        over: position.is_over(),
        opening: opening_name(position).map(named),
        games: book.games(),
        results: book.tally(position).map(black).unwrap_or_default(),
        turns: turns.collect(),
        names: if position.stone_count() == 0 { names(rules) } else { Vec::new() },
    }
}

fn names(rules: &Rules) -> Vec<OpeningEntry> {
    let entry = |opening: &NamedOpening| {
        let position = opening.on(rules)?;
        Some(OpeningEntry { opening: named(opening), cells: cells(position.history()) })
    };
    NAMED_OPENINGS.iter().filter_map(entry).collect()
}

/// Results as Black's, from those of Black.
fn results(tally: Tally) -> OpeningResults {
    OpeningResults { black: tally.wins, drawn: tally.ties, white: tally.losses }
}

fn named(opening: &NamedOpening) -> OpeningNamed {
    let NamedOpening { code, name, japanese, .. } = *opening;
    OpeningNamed { code: code.to_owned(), name: name.to_owned(), japanese: japanese.to_owned() }
}

fn stones(position: &Position) -> Vec<OpeningStone> {
    let stone = |cell: collinear_rules::Cell| {
        let player = position.at(cell).unwrap_or(Player::Black);
        OpeningStone { cell: cell.index() as u16, colour: colour(player) }
    };
    let played = position.history();
    let set_up = Player::BOTH.into_iter().flat_map(|player| position.stones(player));
    let set_up = set_up.filter(|cell| !played.contains(cell));
    set_up.chain(played.iter().copied()).map(stone).collect()
}

/// The finished games of a store as a list, and how many they are.
pub(crate) fn own(store: &dyn Store, rules: &Rules) -> Result<(String, u32), StoreError> {
    let name = rules_name(rules);
    let mut text = games_header(rules, "games of this store");
    let mut count = 0;
    let listed = store.list()?.into_iter().filter(|game| game.finished && game.rules == name);
    for game in listed.take(MAX_OWN) {
        // One that cannot be read is none; the list of games says so.
        let Ok(Some(game)) = store.load(&game.id) else { continue };
        if let Some(played) = played(&game.model.into_record()) {
            text += &played.line(rules, OWN_TURNS);
            text.push('\n');
            count += 1;
        }
    }
    Ok((text, count))
}

/// A game that began with an empty board and has a result.
fn played(record: &GameRecord) -> Option<OpeningGame> {
    let starts_empty = record.start().is_ok_and(|start| start.stone_count() == 0);
    let End { winner, .. } = record.outcome().filter(End::counts).filter(|_| starts_empty)?;
    Some(OpeningGame { moves: record.moves(), winner })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Colour;

    const GAMES: &str = "# game gomoku\nb h8h9i9g9\nw h8g8g9\n= h8i9h9\n";

    fn seen(link: &str) -> OpeningsView {
        view(&Book::of_games(GAMES).expect("a list"), &position(link).expect(link))
    }

    #[test]
    fn turns_come_with_results_and_names() {
        let start = seen("gomoku");
        let all = OpeningResults { black: 1, drawn: 1, white: 1 };
        assert_eq!((start.games, start.results, start.turns.len()), (3, all, 1));
        assert_eq!((start.to_move, start.stones_left, start.turn_stones), (Colour::Black, 1, 1));
        assert_eq!(start.names.len(), 26);
        // Two of the games are mirror images of each other up to here.
        let second = seen("gomoku/h8");
        assert_eq!(second.turns.len(), 2);
        assert_eq!(second.turns[0].results, OpeningResults { black: 1, drawn: 0, white: 1 });
        assert_eq!((second.to_move, second.opening), (Colour::White, None));
        let third = seen("gomoku/h8.h9");
        let named = third.turns[0].opening.as_ref().expect("a name");
        assert_eq!((named.code.as_str(), named.japanese.as_str()), ("D4", "花月"));
        assert_eq!(third.names, []);
        let kagetsu = seen("gomoku/h8.g8.g7");
        assert_eq!(kagetsu.opening.map(|opening| opening.name), Some("Kagetsu".to_owned()));
        assert_eq!(kagetsu.stones.len(), 3);
        assert_eq!(kagetsu.stones[1].colour, Colour::White);
        // Off the book there is a board, and nothing to tell.
        let off = seen("gomoku/h8.k11");
        assert_eq!((off.games, off.results, off.turns.len()), (3, OpeningResults::default(), 0));
        assert!(position("gomoku/h8.h8").is_err() && position("nothing").is_err());
    }

    #[test]
    fn the_rest_of_a_turn_is_told_in_the_middle_of_it() {
        let book = Book::of_games("# game connect6\nw j10k11i9\n").expect("a list");
        let at = |link: &str| view(&book, &position(link).expect(link));
        let whole = at("connect6/j10");
        assert_eq!((whole.stones_left, whole.turn_stones, whole.turns[0].cells.len()), (2, 2, 2));
        let half = at("connect6/j10.i11");
        assert_eq!((half.stones_left, half.turns[0].cells.len()), (1, 1));
        assert_eq!(half.turns[0].results.white, 1);
    }
}
