//! `collinear gomocup`: the engine as Gomocup's managers and GUIs start it, which give no arguments.
//!
//! They know an engine by a name that begins with `pbrain-`: under such a name the program is this
//! command at once.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::Result;
use collinear_protocol::Protocol;

use super::engine::{Player, play};

/// Play under a Gomocup manager or a Gomoku GUI; the same as `engine --protocol gomocup`
#[derive(clap::Args)]
#[command(
    after_help = "Under a name that begins with pbrain- the program does this without being told:
  cp collinear pbrain-collinear"
)]
pub(crate) struct Args {
    #[command(flatten)]
    player: Player,
}

pub(crate) fn run(args: Args) -> Result<()> {
    play(Protocol::Gomocup, &args.player)
}

/// What the names of Gomocup's engines begin with.
const PREFIX: &str = "pbrain-";

/// The arguments as they are meant: the program's name may say the command.
pub(crate) fn meant(mut given: Vec<OsString>) -> Vec<OsString> {
    let name = given.first().and_then(|path| Path::new(path).file_name()).and_then(OsStr::to_str);
    if name.is_some_and(|name| name.to_ascii_lowercase().starts_with(PREFIX)) {
        given.insert(1, "gomocup".into());
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_brain_says_the_command() {
        let count = |words: &[&str]| meant(words.iter().map(OsString::from).collect()).len();
        assert_eq!(count(&["/gui/pbrain-collinear"]), 2);
        assert_eq!(count(&["PBRAIN-Collinear64.exe", "--time", "1s"]), 4);
        assert_eq!(count(&["/pbrain-folder/collinear"]), 1);
        assert_eq!(count(&[]), 0);
    }
}
