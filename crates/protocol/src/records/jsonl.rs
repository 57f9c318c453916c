//! The native form: one JSON object per line, nothing lost, version 2.
//!
//! ```text
//! {"collinear":2,"rules":"19x19,k=6,p=2,q=1","black":"A","white":"B","result":"black+resign",
//!  "moves":"j10 k11 i11","variations":[{"from":1,"moves":"k9 i9"}],
//!  "comments":{"0":"the start","2":"strong"},"turns":{"1":{"us":350000}},"meta":{"event":"Cup"}}
//! ```
//!
//! Nodes are numbered: 0 is the start, then the stones of `moves`, then those of each variation in
//! the order of the list. A variation continues `from` such a node. So the tree is flat: no depth
//! of nesting is special. `docs/records.md` describes every field.

use std::collections::{BTreeMap, HashMap};

use collinear_play::{GameRecord, Mark, NodeId, Thought};
use collinear_rules::{Cell, Player, Rules, Setup, notation};
use serde::{Deserialize, Serialize};

use super::builder::{Boards, Builder};
use super::cursor::{Cursor, Place, words};
use super::error::Problem;
use super::result;

const VERSION: u32 = 2;
/// The longest line: half a million stones with their comments.
const MAX_BYTES: usize = 64 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Game {
    collinear: u32,
    rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    black: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    white: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<String>,
    /// What happened, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    setup: Option<Start>,
    #[serde(default, skip_serializing_if = "is_zero")]
    opening: usize,
    moves: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    variations: Vec<Variation>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    comments: BTreeMap<u32, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    marks: BTreeMap<u32, Vec<Mark>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    turns: BTreeMap<u32, Thought>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unanswered: Option<Thought>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    chances: BTreeMap<u32, f32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    meta: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to_move: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    left: Option<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Variation {
    from: u32,
    moves: String,
}

const fn is_zero(number: &usize) -> bool {
    *number == 0
}

pub(super) struct Reader;

impl super::Reader for Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> super::NextGame {
        loop {
            let place = cursor.place();
            let Some(line) = cursor.line() else { return Ok(None) };
            if line.trim().is_empty() {
                continue;
            }
            if line.len() > MAX_BYTES {
                return Err(cursor.error(place, Problem::TooLarge("a line of over 64 MB")));
            }
            let game: Game = serde_json::from_str(line).map_err(|error| {
                let column = error.column().max(1);
                let found: String = line.chars().skip(column.saturating_sub(10)).take(20).collect();
                let reason = error.to_string();
                let reason = reason.split(" at line").next().unwrap_or("JSON");
                let expected = format!("a game as JSON ({reason})");
                cursor.unexpected_at(Place { column, ..place }, &found, &expected)
            })?;
            return game.read(boards).map(Some).map_err(|problem| cursor.error(place, problem));
        }
    }
}

impl Game {
    fn read(self, boards: &mut Boards) -> Result<GameRecord, Problem> {
        if self.collinear != VERSION {
            return Err(unexpected(&format!("version {}", self.collinear), "version 2"));
        }
        let rules: Rules = self.rules.parse()?;
        let mut builder = Builder::new(rules, boards);
        if let Some(setup) = &self.setup {
            builder.set_up(setup.read(&rules)?)?;
        }
        let mut nodes = vec![NodeId::ROOT];
        stones(&mut builder, &self.moves, &mut nodes)?;
        let played = nodes.len() - 1;
        if self.opening > played {
            let expected = format!("an opening of at most {played} stones");
            return Err(unexpected(&self.opening.to_string(), &expected));
        }
        builder.record.opening = self.opening;
        for variation in &self.variations {
            let from = node(&nodes, variation.from)?;
            leap(&mut builder, from)?;
            stones(&mut builder, &variation.moves, &mut nodes)?;
        }
        let tree = &mut builder.record.tree;
        for (number, text) in self.comments {
            tree.set_comment(node(&nodes, number)?, &text);
        }
        for (number, thought) in self.turns {
            if let Some(notes) = tree.notes_mut(node(&nodes, number)?) {
                notes.thought = thought;
            }
        }
        for (number, marks) in self.marks {
            if let Some(notes) = tree.notes_mut(node(&nodes, number)?) {
                notes.marks = marks;
            }
        }
        for (number, chance) in self.chances {
            if let Some(notes) = tree.notes_mut(node(&nodes, number)?) {
                notes.chance = Some(chance);
            }
        }
        builder.record.unanswered = self.unanswered;
        builder.record.players = [self.black, self.white];
        builder.record.metadata = self.meta;
        if let Some(word) = self.result {
            let end = result::parse(&word).map_err(|()| unexpected(&word, result::EXPECTED))?;
            builder.record.end = end.map(|mut end| {
                end.detail = self.detail;
                end
            });
        }
        Ok(builder.finish())
    }
}

impl Start {
    fn read(&self, rules: &Rules) -> Result<Setup, Problem> {
        let to_move = match self.to_move.as_deref() {
            None => None,
            Some(name) => {
                let player = Player::BOTH.into_iter().find(|player| player.name() == name);
                let player = player.ok_or_else(|| unexpected(name, "black or white to move"))?;
                Some((player, self.left.unwrap_or(rules.p())))
            }
        };
        Ok(Setup { black: cells(rules, &self.black)?, white: cells(rules, &self.white)?, to_move })
    }
}

fn cells(rules: &Rules, text: &str) -> Result<Vec<Cell>, Problem> {
    let cell = |(_, word)| {
        notation::parse(rules, word).map_err(|reason| Problem::Cell { number: 0, reason })
    };
    words(text).map(cell).collect()
}

fn stones(builder: &mut Builder, text: &str, nodes: &mut Vec<NodeId>) -> Result<(), Problem> {
    for (_, word) in words(text) {
        let cell = notation::parse(&builder.record.rules, word);
        builder.place_read(cell, word)?;
        nodes.push(builder.at());
    }
    Ok(())
}

fn node(nodes: &[NodeId], number: u32) -> Result<NodeId, Problem> {
    nodes.get(number as usize).copied().ok_or_else(|| {
        unexpected(&number.to_string(), &format!("a node from 0 to {}", nodes.len() - 1))
    })
}

/// Goes to any node by way of the root: the stones on the path are legal, they were read before.
fn leap(builder: &mut Builder, to: NodeId) -> Result<(), Problem> {
    let path = builder.record.tree.stones_to(to);
    builder.back_to(NodeId::ROOT);
    path.into_iter().try_for_each(|cell| builder.place(cell, ""))
}

fn unexpected(found: &str, expected: &str) -> Problem {
    Problem::Unexpected { found: super::error::found(found), expected: expected.to_owned() }
}

pub(super) fn write(out: &mut String, record: &GameRecord) -> Result<(), String> {
    let rules = &record.rules;
    let tree = &record.tree;
    let lines = tree.lines();
    let numbered = std::iter::once(NodeId::ROOT)
        .chain(lines.iter().flat_map(|(_, line)| line.iter().copied()));
    let numbers: HashMap<NodeId, u32> = numbered.zip(0..).collect();
    let names = |line: &[NodeId]| {
        let cells: Vec<Cell> = line.iter().filter_map(|&node| tree.stone(node)).collect();
        notation::names(rules, &cells)
    };
    let noted = || tree.noted().filter_map(|(node, notes)| Some((*numbers.get(&node)?, notes)));
    let [black, white] = record.players.clone();
    let game = Game {
        collinear: VERSION,
        rules: rules.to_string(),
        black,
        white,
        result: Some(result::text(record.end.as_ref())),
        detail: record.end.as_ref().and_then(|end| end.detail.clone()),
        setup: record.setup.as_ref().map(|setup| Start {
            black: notation::names(rules, &setup.black),
            white: notation::names(rules, &setup.white),
            to_move: setup.to_move.map(|(player, _)| player.name().to_owned()),
            left: setup.to_move.map(|(_, left)| left),
        }),
        opening: record.opening,
        moves: lines.first().map(|(_, line)| names(line)).unwrap_or_default(),
        variations: lines[1..]
            .iter()
            .map(|(from, line)| Variation {
                from: numbers.get(from).copied().unwrap_or(0),
                moves: names(line),
            })
            .collect(),
        comments: noted()
            .filter(|(_, notes)| !notes.comment.is_empty())
            .map(|(number, notes)| (number, notes.comment.clone()))
            .collect(),
        marks: noted()
            .filter(|(_, notes)| !notes.marks.is_empty())
            .map(|(number, notes)| (number, notes.marks.clone()))
            .collect(),
        turns: noted()
            .filter(|(_, notes)| !notes.thought.is_empty())
            .map(|(number, notes)| (number, notes.thought))
            .collect(),
        unanswered: record.unanswered,
        chances: noted().filter_map(|(number, notes)| Some((number, notes.chance?))).collect(),
        meta: record.metadata.clone(),
    };
    out.push_str(&serde_json::to_string(&game).map_err(|error| error.to_string())?);
    out.push('\n');
    Ok(())
}
