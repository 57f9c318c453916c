//! The end of a game in one word: `black`, `white+resign`, `draw+move-limit`, `void`, `unknown`.
//!
//! The words `resign`, `time` and `forfeit` are older than [`Reason`]'s names and stay; every other
//! reason is written by its name. A win or a draw without a reason is what the stones show.

use collinear_play::{End, Reason};
use collinear_rules::Player;

/// What a result may look like, for messages.
pub(super) const EXPECTED: &str = "black, white, draw, void or unknown; after a winner or a draw a \
    reason such as +resign, +time, +forfeit or +crash";

/// The word for an end.
pub(super) fn text(end: Option<&End>) -> String {
    let Some(end) = end else { return "unknown".to_owned() };
    let who = match end.winner {
        Some(player) => player.name(),
        None if !end.counts() => return "void".to_owned(),
        None => "draw",
    };
    match end.reason {
        Reason::Row | Reason::FullBoard | Reason::Unstated => who.to_owned(),
        Reason::Resignation => format!("{who}+resign"),
        Reason::TimeForfeit => format!("{who}+time"),
        reason => format!("{who}+{}", reason.name()),
    }
}

/// The end that a word means; nothing for no result at all, an error for no such word.
pub(super) fn parse(text: &str) -> Result<Option<End>, ()> {
    let (who, how) = text.split_once('+').unwrap_or((text, ""));
    let reason = match how {
        "" => Reason::Unstated,
        "resign" => Reason::Resignation,
        "time" => Reason::TimeForfeit,
        name => name.parse().map_err(|_| ())?,
    };
    match who {
        "black" => Ok(Some(End::won(Player::Black, reason))),
        "white" => Ok(Some(End::won(Player::White, reason))),
        // A word of the earlier form never had a reason behind a draw.
        "draw" if !matches!(how, "resign" | "time" | "forfeit") => Ok(Some(End::drawn(reason))),
        "void" if how.is_empty() => Ok(Some(End::called_off())),
        "unknown" if how.is_empty() => Ok(None),
        _ => Err(()),
    }
}

/// A win for no stated reason.
pub(super) const fn won(player: Player) -> End {
    End::won(player, Reason::Unstated)
}

/// A draw for no stated reason.
pub(super) const DRAWN: End = End::drawn(Reason::Unstated);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_keep_their_words() {
        for word in [
            "black",
            "white+resign",
            "black+time",
            "white+forfeit",
            "black+crash",
            "draw",
            "draw+move-limit",
            "void",
            "unknown",
        ] {
            assert_eq!(parse(word).map(|end| text(end.as_ref())), Ok(word.to_owned()));
        }
        for word in ["draw+time", "Black", "black+luck", "void+time", ""] {
            assert!(parse(word).is_err(), "{word}");
        }
    }
}
