//! What `collinear export --format jsonl` wrote before it wrote the native form: a line per game
//! with the columns of the file of results. Only read.

use std::time::Duration;

use collinear_play::{End, GameRecord, NodeId, Reason, Thought, Value};
use serde::Deserialize;

use super::builder::{Boards, Builder};
use super::error::Problem;
use super::jsonl::{stones, unexpected};
use super::result;

#[derive(Deserialize)]
struct Line {
    run: String,
    number: u64,
    rules: String,
    black: String,
    white: String,
    result: String,
    ending: String,
    words: Option<String>,
    opening: usize,
    moves: String,
    #[serde(default)]
    turns: Vec<Turn>,
}

/// Stones, microseconds, depth, nodes, chance.
#[derive(Deserialize)]
struct Turn(
    usize,
    u64,
    #[serde(default)] Option<u32>,
    #[serde(default)] Option<u64>,
    #[serde(default)] Option<f32>,
);

/// The game of such a line; nothing when it is none.
pub(super) fn read(line: &str, boards: &mut Boards) -> Option<Result<GameRecord, Problem>> {
    if !line.contains("\"run\"") || line.contains("\"collinear\"") {
        return None;
    }
    serde_json::from_str::<Line>(line).ok().map(|line| line.read(boards))
}

impl Line {
    fn read(self, boards: &mut Boards) -> Result<GameRecord, Problem> {
        let mut builder = Builder::new(self.rules.parse()?, boards);
        let mut nodes = vec![NodeId::ROOT];
        stones(&mut builder, &self.moves, &mut nodes)?;
        let record = &mut builder.record;
        record.players = [Some(self.black), Some(self.white)];
        record.opening = self.opening.min(nodes.len() - 1);
        let mut at = record.opening;
        for Turn(stones, micros, depth, seen, chance) in self.turns {
            at = at.saturating_add(stones);
            let thought = Thought {
                time: Some(Duration::from_micros(micros)),
                clock: None,
                nodes: seen,
                depth,
                value: chance.map(Value::Chance),
            };
            match nodes.get(at).filter(|_| stones > 0) {
                Some(&node) => {
                    if let Some(notes) = record.tree.notes_mut(node) {
                        notes.thought = thought;
                    }
                }
                None => record.unanswered = Some(thought),
            }
        }
        let end = result::parse(&self.result)
            .map_err(|()| unexpected(&self.result, "black, white or draw"))?;
        let reason = match self.ending.as_str() {
            "hang" => Reason::TimeForfeit,
            name => name.parse().map_err(|_| unexpected(name, "the reason of an end"))?,
        };
        record.end = end.map(|end| End { reason, detail: self.words, ..end });
        record.metadata.insert("run".to_owned(), self.run);
        record.metadata.insert("round".to_owned(), (self.number + 1).to_string());
        Ok(builder.finish())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ReadOptions, read as read_records};

    #[test]
    fn an_old_export_is_read_with_its_times() {
        let line = r#"{"black":"sequences","ending":"row","moves":"b2 b3 a1 c2 c3","number":0,"opening":1,"pair":0,"result":"black","rules":"3x3,k=3","run":"97bf","seeds":[1,2],"sides":[],"turns":[[1,1],[1,70,1,7,0.518],[1,0],[1,4,1,5,1.0]],"white":"random","words":null}"#;
        let games = read_records(line.as_bytes(), None, &ReadOptions::default()).expect("read");
        let turns = games[0].turns().expect("legal");
        assert_eq!((turns.len(), turns[1].thought.nodes), (4, Some(7)));
        assert_eq!(games[0].players[0].as_deref(), Some("sequences"));
        assert_eq!(games[0].metadata["round"], "1");
    }
}
