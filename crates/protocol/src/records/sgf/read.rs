//! Reading: the tree with a stack of our own, every stone checked as it comes.

use std::borrow::Cow;

use collinear_play::{End, NodeId, Reason, Tree};
use collinear_rules::{Fouls, Player, Rules, Setup};

use super::super::builder::{Boards, Builder};
use super::super::cursor::Cursor;
use super::super::error::{Problem, RecordError};
use super::lex::{self, Property};
use super::{Dialect, PREFIX, PROPERTIES, notes, point};

/// Reads games of these rules, or of those that the text names.
pub(crate) struct Reader(pub(crate) Option<Rules>);

impl super::super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::super::NextGame {
        cursor.skip_blank();
        if cursor.peek().is_none() {
            return Ok(None);
        }
        cursor.expect('(')?;
        cursor.skip_blank();
        cursor.expect(';')?;
        let root = lex::node(cursor)?;
        let (rules, dialect) = game_of(cursor, &root, self.0)?;
        let mut game = Game { builder: Builder::new(rules, boards), dialect };
        game.root(cursor, &root)?;
        game.moves(cursor, &root)?;
        let mut open: Vec<NodeId> = vec![NodeId::ROOT];
        while let Some(&last) = open.last() {
            cursor.skip_blank();
            if cursor.eat(';') {
                let node = lex::node(cursor)?;
                game.moves(cursor, &node)?;
            } else if cursor.eat('(') {
                if open.len() > Tree::MAX_NODES {
                    let problem = Problem::TooLarge("variations nested 4,000,000 deep");
                    return Err(cursor.error(cursor.place(), problem));
                }
                open.push(game.builder.at());
            } else if cursor.eat(')') {
                game.builder.back_to(last);
                open.pop();
            } else {
                let expected = match cursor.peek() {
                    None => "')': the file seems cut short",
                    Some(_) => "';' for a node, '(' for a variation or ')'",
                };
                return Err(cursor.unexpected(expected));
            }
        }
        let record = game.builder.finish();
        let stones = record.tree.main_line().count() - 1;
        if record.opening > stones {
            let found = record.opening.to_string();
            let expected = format!("an opening XOP of at most {stones} stones");
            return Err(cursor.unexpected_at(cursor.place(), &found, &expected));
        }
        Ok(Some(record))
    }
}

/// The rules and the way points are written, from the root node.
fn game_of(
    cursor: &Cursor<'_>,
    root: &[Property<'_>],
    given: Option<Rules>,
) -> Result<(Rules, Dialect), RecordError> {
    let find = |name: &str| root.iter().find(|property| property.name == name);
    if let Some(property) = find("XRU") {
        let rules = lex::unescape(property.first()).parse();
        let rules = rules.map_err(|error| cursor.error(property.place, Problem::Rules(error)))?;
        return Ok((rules, Dialect::Ours));
    }
    let size = match find("SZ") {
        None => None,
        Some(property) => Some(size(property.first()).ok_or_else(|| {
            let expected = "a board size such as SZ[19] or SZ[20:15]";
            cursor.unexpected_at(property.place, property.first(), expected)
        })?),
    };
    let game = find("GM");
    // Files of Renju and Gomoku often say their board only.
    let is_fifteen = given.is_none() && size == Some((15, 15));
    let (usual, k, p, dialect) = match game.map(|property| property.first().trim()) {
        Some("4") => (15, 5, 1, Dialect::Ours),
        Some("511") => (19, 6, 2, Dialect::Taiwan),
        None if is_fifteen => (15, 5, 1, Dialect::Ours),
        None if given.is_none_or(|rules| rules.p() == 2) => (19, 6, 2, Dialect::LittleGolem),
        _ if given.is_some() => (19, 6, 2, Dialect::Ours),
        other => {
            let place = game.map_or(cursor.place(), |property| property.place);
            let expected = "GM[4] (Gomoku), GM[511] (Connect6), our XRU property, or the game named when reading";
            return Err(cursor.unexpected_at(place, other.unwrap_or(""), expected));
        }
    };
    if let Some(rules) = given {
        return Ok((rules, dialect));
    }
    let (width, height) = size.unwrap_or((usual, usual));
    let mut rules = Rules::builder(width, height, k).p(p);
    if k == 5 {
        // The numbers are those of Gomocup's managers; a record may end with a foul.
        match find("RU").map(|property| property.first().trim().to_ascii_lowercase()).as_deref() {
            Some("1" | "standard") => rules = rules.exact(),
            Some("4" | "renju") => rules = rules.fouls(Fouls::Lose),
            _ => {}
        }
    }
    let rules = rules.build();
    let place = find("SZ").map_or(cursor.place(), |property| property.place);
    let rules = rules.map_err(|error| cursor.error(place, Problem::Rules(error.into())))?;
    Ok((rules, dialect))
}

fn size(value: &str) -> Option<(u32, u32)> {
    let (width, height) = value.split_once(':').unwrap_or((value, value));
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

struct Game {
    builder: Builder,
    dialect: Dialect,
}

impl Game {
    /// What only the root says: names, result, metadata, set-up stones.
    fn root(&mut self, cursor: &Cursor<'_>, root: &[Property<'_>]) -> Result<(), RecordError> {
        let mut setup = Setup::default();
        let (mut player, mut left, mut exact) = (None, None, None);
        for property in root {
            let text = lex::unescape(property.first());
            let record = &mut self.builder.record;
            match property.name.as_str() {
                "PB" if !text.is_empty() => record.players[0] = Some(text.into_owned()),
                "PW" if !text.is_empty() => record.players[1] = Some(text.into_owned()),
                "RE" => record.end = result(&text),
                "XRE" => exact = Some(property.first()),
                "XOP" => {
                    record.opening = text.trim().parse().map_err(|_| {
                        cursor.unexpected_at(property.place, &text, "a number of stones")
                    })?;
                }
                "AB" => setup.black.extend(self.points(cursor, property)?),
                "AW" => setup.white.extend(self.points(cursor, property)?),
                "PL" => player = Some(side(cursor, property)?),
                "XSL" => {
                    let number = text.trim().parse::<usize>();
                    left = Some(number.map_err(|_| {
                        cursor.unexpected_at(property.place, &text, "a number of stones")
                    })?);
                }
                "XMD" => {
                    for (place, value) in &property.values {
                        let (key, text) = lex::composed(value).ok_or_else(|| {
                            cursor.unexpected_at(*place, value, "metadata as XMD[key:value]")
                        })?;
                        record.metadata.insert(key.into_owned(), text.into_owned());
                    }
                }
                // The format itself, and what `moves` reads.
                "FF" | "GM" | "SZ" | "CA" | "AP" | "ST" | "XRU" | "B" | "W" | "C" | "" => {}
                name if notes::is_known(name) => {}
                name => {
                    let known = PROPERTIES.iter().find(|(_, property)| *property == name);
                    let key =
                        known.map_or_else(|| format!("{PREFIX}{name}"), |(key, _)| (*key).into());
                    record.metadata.insert(key, text.into_owned());
                }
            }
        }
        if let (Some(end), Some(exact)) = (&mut self.builder.record.end, exact) {
            let (name, detail) = lex::composed(exact)
                .map_or_else(|| (lex::unescape(exact), None), |(name, text)| (name, Some(text)));
            // A reason of a later version is left as `RE` says it.
            end.reason = name.parse().unwrap_or(end.reason);
            end.detail = detail.map(Cow::into_owned);
        }
        if !setup.black.is_empty() || !setup.white.is_empty() || player.is_some() {
            let full_turn = self.builder.record.rules.p();
            setup.to_move = player.map(|player| (player, left.unwrap_or(full_turn)));
            let place = root.first().map_or(cursor.place(), |property| property.place);
            self.builder.set_up(setup).map_err(|problem| cursor.error(place, problem))?;
        }
        Ok(())
    }

    fn points(
        &self,
        cursor: &Cursor<'_>,
        property: &Property<'_>,
    ) -> Result<Vec<collinear_rules::Cell>, RecordError> {
        let mut cells = Vec::new();
        for (place, value) in &property.values {
            let points = point::parse(&self.builder.record.rules, self.dialect, value);
            let points = points.map_err(|error| {
                cursor.unexpected_at(*place, value, &format!("a set-up stone: {error}"))
            })?;
            cells.extend(points);
        }
        Ok(cells)
    }

    /// The stones of a node, its comment and its time.
    fn moves(&mut self, cursor: &Cursor<'_>, node: &[Property<'_>]) -> Result<(), RecordError> {
        for property in node {
            let player = match property.name.as_str() {
                "B" => Player::Black,
                "W" => Player::White,
                "AB" | "AW" | "AE" if self.builder.at() != NodeId::ROOT => {
                    let expected = "moves: set-up stones are read in the first node only";
                    return Err(cursor.unexpected_at(property.place, &property.name, expected));
                }
                _ => continue,
            };
            for (place, value) in &property.values {
                self.stones(player, value).map_err(|problem| cursor.error(*place, problem))?;
            }
        }
        let at = self.builder.at();
        // Marks take their colours when they are there, wherever in the node these are named.
        let (colours, others): (Vec<&Property<'_>>, Vec<&Property<'_>>) =
            node.iter().partition(|property| property.name == notes::COLOURS);
        for property in others.into_iter().chain(colours) {
            match property.name.as_str() {
                "C" => self.builder.comment(&lex::unescape(property.first())),
                name if notes::is_known(name) => {
                    let rules = self.builder.record.rules;
                    if let Some(notes) = self.builder.record.tree.notes_mut(at) {
                        notes::read(notes, property, &rules, self.dialect).map_err(|expected| {
                            cursor.unexpected_at(property.place, property.first(), expected)
                        })?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn stones(&mut self, player: Player, value: &str) -> Result<(), Problem> {
        let number = self.builder.number();
        let cells = point::parse(&self.builder.record.rules, self.dialect, value);
        let cells = cells.map_err(|reason| Problem::Cell { number, reason })?;
        for (nth, cell) in cells.into_iter().enumerate() {
            // A turn written at once may hold more than the stone that won.
            if nth > 0 && self.builder.position().is_over() {
                break;
            }
            self.builder.place_as(player, cell, value)?;
        }
        Ok(())
    }
}

fn side(cursor: &Cursor<'_>, property: &Property<'_>) -> Result<Player, RecordError> {
    match property.first().trim() {
        "B" | "b" | "black" | "Black" => Ok(Player::Black),
        "W" | "w" | "white" | "White" => Ok(Player::White),
        other => Err(cursor.unexpected_at(property.place, other, "PL[B] or PL[W]")),
    }
}

fn result(text: &str) -> Option<End> {
    let text = text.trim();
    let (who, how) = text.split_once('+').unwrap_or((text, ""));
    let reason = match how.chars().next() {
        Some('R' | 'r') => Reason::Resignation,
        Some('T' | 't') => Reason::TimeForfeit,
        Some('F' | 'f') => Reason::Forfeit,
        _ => Reason::Unstated,
    };
    match who {
        "B" | "b" | "Black" | "black" => Some(End::won(Player::Black, reason)),
        "W" | "w" | "White" | "white" => Some(End::won(Player::White, reason)),
        "0" | "Draw" | "draw" | "Jigo" => Some(End::drawn(Reason::Unstated)),
        "Void" | "void" => Some(End::called_off()),
        _ => None,
    }
}
