//! Game records: reading and writing the files in which the games of the family travel.
//!
//! ```
//! use collinear_protocol::records::{self, Format, ReadOptions};
//!
//! let games = records::read(b"(;GM[511];B[JJ];W[KI];W[LJ])", None, &ReadOptions::default())?;
//! assert_eq!(games[0].moves().len(), 3);
//! assert_eq!(records::write(&games, Format::Moves)?, "j10 k9 l10\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`read`] returns all games of a file at once; [`decode`] and [`games`] walk over a large one.
//! Whatever a reader returns replays legally, variations included.

mod builder;
mod ccgc;
mod code_page;
mod csv;
mod cursor;
mod error;
mod jsonl;
mod moves;
mod plain;
mod pons;
mod psq;
mod renlib;
mod result;
mod sgf;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use collinear_play::{End, Notes, Thought};
use collinear_rules::{Rules, notation};

use builder::Boards;
use cursor::Cursor;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use code_page::lend_decoder;
pub use collinear_play::GameRecord;
pub use error::{Problem, RecordError, WriteError};
pub use renlib::to_renlib;

/// A way to write games down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// SGF `FF[4]`; read in every dialect, written as `GM[4]` or with our private properties.
    Sgf,
    /// The Connect6 SGF of Little Golem: `;W[j9l11]`.
    SgfLittleGolem,
    /// The Connect6 SGF of the Taiwanese editors: `GM[511]`, one stone per node.
    Sgf511,
    /// Piskvorky, the Gomocup manager.
    Psq,
    /// Pascal Pons' column strings for Connect Four: `4455`.
    Pons,
    /// The Chinese computer games championship: `{[C6]…;B(J,10);W(I,11)…}`.
    Ccgc,
    /// One game per line: `j10 k11 i11`.
    Moves,
    /// A table with the columns `game_id,moves,winner`.
    Csv,
    /// `RenLib`, trees of Renju players: binary, so [`decode`] reads it and [`to_renlib`] writes it.
    Renlib,
    /// The native form: one JSON object per line, nothing is lost.
    Jsonl,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 10] = [
        Self::Sgf,
        Self::SgfLittleGolem,
        Self::Sgf511,
        Self::Psq,
        Self::Pons,
        Self::Ccgc,
        Self::Moves,
        Self::Csv,
        Self::Renlib,
        Self::Jsonl,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sgf => "sgf",
            Self::SgfLittleGolem => "sgf-lg",
            Self::Sgf511 => "sgf-511",
            Self::Psq => "psq",
            Self::Pons => "pons",
            Self::Ccgc => "ccgc",
            Self::Moves => "moves",
            Self::Csv => "csv",
            Self::Renlib => "renlib",
            Self::Jsonl => "jsonl",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The usual extension of such a file.
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Sgf | Self::SgfLittleGolem | Self::Sgf511 => "sgf",
            Self::Psq => "psq",
            Self::Ccgc | Self::Pons | Self::Moves => "txt",
            Self::Csv => "csv",
            Self::Renlib => "lib",
            Self::Jsonl => "jsonl",
        }
    }

    /// The format that files with this extension have. `txt` says nothing: it may be anything.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "sgf" => Some(Self::Sgf),
            "psq" => Some(Self::Psq),
            "pons" | "c4" => Some(Self::Pons),
            "ccgc" => Some(Self::Ccgc),
            "moves" => Some(Self::Moves),
            "csv" => Some(Self::Csv),
            "lib" => Some(Self::Renlib),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }

    /// The format a text seems to have.
    pub fn guess(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let first_line = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
        let first_word = first_line.split([' ', '\t']).next().unwrap_or_default();
        let next = text.chars().skip(1).find(|c| !c.is_whitespace());
        match text.chars().next() {
            Some('(') => Self::Sgf,
            Some('{') if next == Some('[') => Self::Ccgc,
            Some('{') => Self::Jsonl,
            _ if text.starts_with("Piskvorky") => Self::Psq,
            _ if first_line.split(',').any(|column| column.trim() == "moves") => Self::Csv,
            _ if !first_word.is_empty() && first_word.bytes().all(|b| b.is_ascii_digit()) => {
                Self::Pons
            }
            _ => Self::Moves,
        }
    }

    /// Whether it can hold games of these rules: from the start, and with a stone at least.
    pub fn holds(self, rules: &Rules) -> bool {
        match self {
            Self::Sgf | Self::Moves | Self::Csv | Self::Jsonl => true,
            Self::SgfLittleGolem | Self::Sgf511 => sgf::is_connect6(rules),
            Self::Psq => psq::holds(rules),
            Self::Pons => rules.gravity() && notation::pons_name(rules.width() - 1).is_some(),
            Self::Ccgc => *rules == Rules::CONNECT6,
            Self::Renlib => renlib::holds(rules),
        }
    }

    /// What this format leaves out of a record that it can hold otherwise.
    pub fn losses(self, record: &GameRecord) -> Vec<&'static str> {
        let sgf = matches!(self, Self::Sgf | Self::SgfLittleGolem | Self::Sgf511 | Self::Renlib);
        match self {
            Self::Jsonl => return Vec::new(),
            Self::Sgf if record.unanswered.is_none() => return Vec::new(),
            Self::Sgf => return vec!["the time of the turn that ended in a fault"],
            _ => {}
        }
        let has = |what: &dyn Fn(&Notes) -> bool| record.tree.noted().any(|(_, notes)| what(notes));
        let says = |thought: &Thought| thought.nodes.is_some() || thought.value.is_some();
        let known = |key: &String| match self {
            Self::SgfLittleGolem | Self::Sgf511 => sgf::property_of(key).is_some(),
            Self::Ccgc => matches!(key.as_str(), "event" | "date" | "place"),
            Self::Csv => key == "game_id",
            Self::Pons => key == "score",
            _ => false,
        };
        let bare = matches!(self, Self::Moves | Self::Pons | Self::Renlib);
        let names = bare && record.players != [None, None];
        let result =
            bare && record.position().is_ok_and(|position| record.end != End::on_board(&position));
        let losses = [
            ("variations", !sgf && record.tree.has_variations()),
            ("comments", !sgf && has(&|notes| !notes.comment.is_empty())),
            ("marks", self != Self::Renlib && has(&|notes| !notes.marks.is_empty())),
            (
                "marks beside the last stone",
                self == Self::Renlib && renlib::loses_marks(&record.tree),
            ),
            ("times", self != Self::Psq && has(&|notes| notes.thought.time.is_some())),
            ("nodes, depths and values", self != Self::Sgf && has(&|notes| says(&notes.thought))),
            ("names", names),
            ("results", result),
            ("other metadata", !record.metadata.keys().all(known)),
        ];
        losses.into_iter().filter_map(|(what, lost)| lost.then_some(what)).collect()
    }
}

/// What a reader must be told because not every format says it.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The game, for records that do not name it. Without it: Connect6 for move lists, CSV and SGF
    /// without `GM`, Connect Four for Pons strings.
    pub rules: Option<Rules>,
}

/// Reads all games of a file. Without a format it is guessed from the text.
pub fn read(
    bytes: &[u8],
    format: Option<Format>,
    options: &ReadOptions,
) -> Result<Vec<GameRecord>, RecordError> {
    games(&decode(bytes)?, format, options).collect()
}

/// Turns bytes into text: UTF-8, or else Latin-1, which SGF has by default. A `RenLib` file becomes
/// the SGF of its tree.
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, RecordError> {
    if let Some(nodes) = renlib::nodes_of(bytes) {
        return renlib::to_sgf(bytes, nodes).map(Cow::Owned);
    }
    let is_control = |b: u8| b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0b | 0x0c);
    if let Some(at) = bytes.iter().position(|&b| is_control(b)) {
        let line_start = bytes[..at].iter().rposition(|&b| b == b'\n').map_or(0, |n| n + 1);
        let line = bytes[..at].split(|&b| b == b'\n').count();
        let column = at - line_start + 1;
        let problem = Problem::Binary(bytes[at]);
        return Err(RecordError { format: Format::Moves, line, column, problem });
    }
    Ok(match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    })
}

/// The games of a text, one after the other; ends after the first error.
pub fn games<'a>(text: &'a str, format: Option<Format>, options: &ReadOptions) -> Games<'a> {
    let format = format.unwrap_or_else(|| Format::guess(text));
    let rules = options.rules;
    let reader: Box<dyn Reader> = match format {
        Format::Sgf | Format::SgfLittleGolem | Format::Sgf511 | Format::Renlib => {
            Box::new(sgf::Reader(rules))
        }
        Format::Psq => Box::new(psq::Reader(rules)),
        Format::Pons => Box::new(pons::Reader(rules.unwrap_or(Rules::CONNECT4))),
        Format::Ccgc => Box::new(ccgc::Reader(rules.unwrap_or(Rules::CONNECT6))),
        Format::Moves => Box::new(moves::Reader(rules.unwrap_or_else(|| moves::usual(text)))),
        Format::Csv => Box::new(csv::Reader::new(rules)),
        Format::Jsonl => Box::new(jsonl::Reader),
    };
    Games { cursor: Cursor::new(text, format), boards: Boards::default(), reader, ended: false }
}

/// Iterates over the games of a text, see [`games`].
pub struct Games<'a> {
    cursor: Cursor<'a>,
    boards: Boards,
    reader: Box<dyn Reader>,
    ended: bool,
}

impl Iterator for Games<'_> {
    type Item = Result<GameRecord, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let mut game = self.reader.next(&mut self.cursor, &mut self.boards).transpose();
        if let Some(Ok(game)) = &mut game {
            plain::plain(game);
        }
        self.ended = !matches!(game, Some(Ok(_)));
        game
    }
}

/// One format's way to take the next game off a text.
trait Reader {
    fn next(&mut self, cursor: &mut Cursor<'_>, boards: &mut Boards) -> NextGame;
}

/// The next game of a text, nothing at its end.
type NextGame = Result<Option<GameRecord>, RecordError>;

/// Writes games one after the other.
pub fn write(records: &[GameRecord], format: Format) -> Result<String, WriteError> {
    let mut writer = Writer::new(format);
    let mut out = String::new();
    for record in records {
        writer.append(&mut out, record)?;
    }
    writer.finish(&mut out);
    Ok(out)
}

/// Writes a file game by game, for files that should not be kept in memory.
pub struct Writer {
    format: Format,
    written: usize,
    last_rules: Option<Rules>,
    boards: Boards,
}

impl Writer {
    /// A writer that has written nothing yet.
    pub fn new(format: Format) -> Self {
        Self { format, written: 0, last_rules: None, boards: Boards::default() }
    }

    /// Appends a game to `out`, which may have been emptied since the last call.
    pub fn append(&mut self, out: &mut String, record: &GameRecord) -> Result<(), WriteError> {
        let cannot = |reason: String| WriteError { format: self.format, reason };
        let start = match &record.setup {
            None => self.boards.position(record.rules),
            Some(_) => record.start().map_err(|error| cannot(error.to_string()))?,
        };
        let mut end = start.clone();
        for (nth, cell) in record.moves().into_iter().enumerate() {
            end.play(cell).map_err(|error| cannot(format!("move {}: {error}", nth + 1)))?;
        }
        let begins = self.written == 0;
        match self.format {
            Format::Sgf => sgf::write(out, record, sgf::Dialect::Ours, start),
            Format::SgfLittleGolem => sgf::write(out, record, sgf::Dialect::LittleGolem, start),
            Format::Sgf511 => sgf::write(out, record, sgf::Dialect::Taiwan, start),
            Format::Psq => psq::write(out, record),
            Format::Pons => pons::write(out, record, self.last_rules),
            Format::Ccgc => ccgc::write(out, record, start),
            Format::Moves => moves::write(out, record, self.last_rules),
            Format::Csv => csv::write(out, record, begins.then_some(csv::HEADER), self.written + 1),
            Format::Renlib => Err("it is a binary file with one tree".to_owned()),
            Format::Jsonl => jsonl::write(out, record),
        }
        .map_err(cannot)?;
        self.written += 1;
        self.last_rules = Some(record.rules);
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self, out: &mut String) {
        if self.format == Format::Csv && self.written == 0 {
            out.push_str(csv::HEADER);
        }
    }
}

fn no_setup(record: &GameRecord) -> Result<(), String> {
    match record.setup {
        None => Ok(()),
        Some(_) => Err("it has no place for set-up stones".to_owned()),
    }
}
