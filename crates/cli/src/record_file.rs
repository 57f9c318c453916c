//! Games out of a record file: one for the commands that look at a single game, or all.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::{Context, Result, bail};
use collinear_protocol::records::{self, Format, GameRecord, ReadOptions};
use collinear_rules::Rules;

/// Larger files must be split: the text is held in memory once.
const MAX_BYTES: u64 = 1 << 30;

/// Which game of which file.
#[derive(clap::Args)]
pub(crate) struct RecordArgs {
    /// Game record in any format that `collinear convert` reads, `-` for standard input
    #[arg(value_name = "RECORD")]
    pub(crate) file: String,
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
        let mut all = games(&self.file, self.game)?;
        let (shown, count) = (shown(&self.file), all.len());
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

/// All games of a file.
pub(crate) fn games(file: &str, rules: Option<Rules>) -> Result<Vec<GameRecord>> {
    let bytes = bytes(file).with_context(|| shown(file).to_owned())?;
    let text = records::decode(&bytes).with_context(|| shown(file).to_owned())?;
    let format = Path::new(file)
        .extension()
        .and_then(|extension| Format::from_extension(extension.to_str()?));
    let games = records::games(&text, format, &ReadOptions { rules });
    games.collect::<Result<_, _>>().with_context(|| shown(file).to_owned())
}

fn shown(file: &str) -> &str {
    if file == "-" { "standard input" } else { file }
}

fn bytes(file: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let source: Box<dyn Read> =
        if file == "-" { Box::new(io::stdin().lock()) } else { Box::new(File::open(file)?) };
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        bail!("more than 1 GB: split the file");
    }
    Ok(bytes)
}
