//! One game out of a record file, for the commands that look at a single game.

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
        let shown = if self.file == "-" { "standard input" } else { self.file.as_str() };
        let bytes = self.bytes().with_context(|| shown.to_owned())?;
        let text = records::decode(&bytes).with_context(|| shown.to_owned())?;
        let format = Path::new(&self.file)
            .extension()
            .and_then(|extension| Format::from_extension(extension.to_str()?));
        let mut count = 0;
        for game in records::games(&text, format, &ReadOptions { rules: self.game }) {
            let game = game.with_context(|| shown.to_owned())?;
            count += 1;
            if count == self.nth {
                return Ok(game);
            }
        }
        match count {
            0 => bail!("{shown}: there is no game in it"),
            1 => bail!("{shown}: there is one game in it: --nth {} is too many", self.nth),
            _ => bail!("{shown}: there are {count} games in it: --nth {} is too many", self.nth),
        }
    }

    fn bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let source: Box<dyn Read> = if self.file == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(&self.file)?)
        };
        source.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_BYTES {
            bail!("more than 1 GB: split the file");
        }
        Ok(bytes)
    }
}
