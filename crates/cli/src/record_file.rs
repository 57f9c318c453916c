//! Files of game records, for every command that reads them; and which game of one, for those that look
//! at a single game.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_play::read_file;
use collinear_protocol::records::{self, Format, GameRecord, ReadOptions};
use collinear_rules::Rules;

/// Larger files must be split: the text is held in memory once.
const MAX_BYTES: u64 = 1 << 30;

/// Which game of which file.
#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    /// Game record in any format that `collinear convert` reads, `-` for standard input
    #[arg(value_name = "RECORD")]
    pub(crate) file: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) nth: usize,
    /// Rules of the game, for records that do not name them
    #[arg(long)]
    pub(crate) game: Option<Rules>,
}

impl RecordArgs {
    /// Reads the game.
    pub(crate) fn read(&self) -> Result<GameRecord> {
        if self.nth == 0 {
            bail!("--nth 0: games are counted from 1");
        }
        let file = RecordFile::read(&self.file)?;
        let mut all = file.games(self.game).collect::<Result<Vec<_>>>()?;
        let (shown, count) = (file.shown(), all.len());
        if self.nth <= count {
            return Ok(all.swap_remove(self.nth - 1));
        }
        match count {
            0 => bail!("{shown}: there is no game in it"),
            1 => bail!("{shown}: there is one game in it: --nth {} is too many", self.nth),
            _ => bail!("{shown}: there are {count} games in it: --nth {} is too many", self.nth),
        }
    }
}

/// A file of game records, or standard input, read and decoded.
pub(crate) struct RecordFile {
    shown: String,
    text: String,
    format: Option<Format>,
}

impl RecordFile {
    /// Reads it; `-` is standard input.
    pub(crate) fn read(file: &Path) -> Result<Self> {
        let from_pipe = file == Path::new("-");
        let shown =
            if from_pipe { "standard input".to_owned() } else { file.display().to_string() };
        let bytes = if from_pipe { piped()? } else { read_file(file, MAX_BYTES)? };
        let text = records::decode(&bytes).with_context(|| shown.clone())?.into_owned();
        Ok(Self { shown, text, format: format_of(file) })
    }

    /// The same, read as this format whatever its name says.
    pub(crate) fn with_format(self, format: Option<Format>) -> Self {
        Self { format: format.or(self.format), ..self }
    }

    /// Its name, for messages.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    /// The games, as they are read; `rules` are those of games that do not name theirs.
    pub(crate) fn games(
        &self,
        rules: Option<Rules>,
    ) -> impl Iterator<Item = Result<GameRecord>> + '_ {
        let games = records::games(&self.text, self.format, &ReadOptions { rules });
        games.map(|game| game.with_context(|| self.shown.clone()))
    }
}

/// The format that a file's name speaks of.
pub(crate) fn format_of(file: &Path) -> Option<Format> {
    Format::from_extension(file.extension()?.to_str()?)
}

fn piped() -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(MAX_BYTES + 1).read_to_end(&mut bytes).context("standard input")?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("standard input: more than 1 GiB: split it");
    }
    Ok(bytes)
}
