//! The opening book as an adviser (document 000, §3.3): plays what it recommends, and asks another
//! agent when it knows nothing.

use std::path::Path;

use collinear_book::{Book, Entry, Rule};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Line, OptionSpec, Options, Report, Turn,
    Value, play_turn, read_file,
};
use collinear_rules::{Position, Rules, notation};

const FILE: OptionSpec = OptionSpec::file("file").help(
    "the book, as `collinear book build` makes it; none means the one that comes with the program",
);
const THEN: OptionSpec = OptionSpec::agent("then", "sequences")
    .help("who plays outside the book, such as then=(sequences:depth=2)");
const RULE: OptionSpec = OptionSpec::choice("rule", &["paper", "bound"], "paper")
    .help("the document's recommendation, or the best lower confidence bound");
const ENOUGH: OptionSpec = OptionSpec::int("s", 1..=1_000_000, 4)
    .help("how often a turn must have been seen to be significant");

/// Books can ask books: so deep that the text fits, and no deeper.
const MAX_THEN: usize = 1000;
/// Larger files are not books.
const MAX_FILE: u64 = 1 << 28;

/// The books that come with the program.
const SHIPPED: [&[u8]; 1] = [include_bytes!("../books/connect6.book")];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "plays from an opening book, then lets another agent go on",
    source: "document 000, §3.3 Opening Book",
    options: &[FILE, THEN, RULE, ENOUGH],
    ..AgentSpec::new("book", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let enough = options.int(ENOUGH.name) as u32;
    let rule = match options.text(RULE.name) {
        "paper" => Rule::Paper { enough },
        _ => Rule::Bound { enough },
    };
    let then = options.text(THEN.name);
    if then.len() > MAX_THEN {
        return Err(BuildError::Other(format!("book:then: more than {MAX_THEN} letters")));
    }
    let then = crate::registry().parse(then)?.build(rules, seed)?;
    Ok(Box::new(Adviser { book: load(options.text(FILE.name), rules)?, rule, then }))
}

/// The named book; without a name the shipped one for these rules, if there is one.
fn load(file: &str, rules: &Rules) -> Result<Option<Book>, BuildError> {
    if file.is_empty() {
        return Ok(SHIPPED.iter().find_map(|bytes| Book::for_rules(bytes, rules).ok()));
    }
    let failed = |reason: String| BuildError::Other(format!("book:file={file}: {reason}"));
    let bytes = read_file(Path::new(file), MAX_FILE)
        .map_err(|error| BuildError::Other(format!("book:file: {error}")))?;
    Book::for_rules(&bytes, rules).map(Some).map_err(|error| failed(error.to_string()))
}

struct Adviser {
    book: Option<Book>,
    rule: Rule,
    then: Box<dyn Agent>,
}

impl Agent for Adviser {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let known = self.book.as_ref().and_then(|book| book.recommend(position, self.rule));
        match known {
            // A book is data from outside: its turns are checked like anybody's.
            Some(entry) if play_turn(&mut position.clone(), &entry.turn).is_ok() => {
                on(&report(position, &entry));
                Ok(entry.turn)
            }
            _ => self.then.choose(position, budget, on),
        }
    }

    fn new_game(&mut self) {
        self.then.new_game();
    }
}

fn report(position: &Position, entry: &Entry) -> Report {
    let names = notation::names(position.rules(), &entry.turn);
    Report {
        nodes: 1,
        lines: vec![Line {
            value: Value::Chance(entry.tally.score() as f32),
            stones: entry.turn.clone(),
        }],
        note: Some(format!("book: {names}, seen {} times", entry.tally.games())),
        ..Report::default()
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Cell, Player};

    use super::*;

    #[test]
    fn plays_the_book_and_then_asks() {
        let rules = Rules::CONNECT6;
        let mut book = Book::new(rules, 2);
        let opening =
            [(9, 9), (12, 12), (6, 6)].map(|(x, y)| rules.cell(x, y).expect("on the board"));
        for _ in 0..5 {
            book.add(&opening, Some(Player::White)).expect("legal");
        }
        let file = std::env::temp_dir().join(format!("collinear-{}.book", std::process::id()));
        std::fs::write(&file, book.to_bytes()).expect("a writable folder");
        let text = format!("book:then=random,file='{}'", file.display());
        let build = |rules: &Rules| crate::registry().parse(&text).expect("known").build(rules, 1);
        let mut agent = build(&rules).expect("an agent");
        let other = build(&Rules::GOMOKU).map(|_| ()).expect_err("another game").to_string();
        std::fs::remove_file(&file).expect("still there");

        let mut position = Position::from_moves(rules, &opening[..1]).expect("legal");
        let mut note = None;
        let turn = agent
            .choose(&position, &Budget::default(), &mut |r| note.clone_from(&r.note))
            .expect("a turn");
        assert!(note.is_some_and(|note| note.contains("seen 5 times")));
        play_turn(&mut position, &turn).expect("legal");
        assert_eq!(book.tally(&position).map(|tally| tally.games()), Some(5));
        assert_eq!(
            agent
                .choose(&position, &Budget::default(), &mut |_| {})
                .map(|turn: Vec<Cell>| turn.len()),
            Ok(2)
        );
        assert!(other.contains("is for 19x19,k=6,p=2,q=1, not for 15x15"), "{other}");
        let missing = crate::registry().parse("book:file=/nowhere.book").expect("known");
        assert!(missing.build(&rules, 1).is_err());
    }
}
