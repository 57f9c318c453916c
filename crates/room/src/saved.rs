//! A game as it lies on disk. Nothing here is a message: what a page is told may change without
//! making stored games unreadable.

use std::time::Duration;

use collinear_engine::analysis::Watch;
use collinear_play::{Dialogue, End, Game, GameRecord, NodeId, Seat, TimeControl};
use collinear_rules::Player;
use serde::{Deserialize, Serialize};

use crate::friends::Friends;
use crate::game::{PageGame, ReplayOf};
use crate::json;
use crate::store::StoreError;

/// The version that is written.
const VERSION: u32 = 2;

#[derive(Deserialize, Serialize)]
struct Saved {
    version: u32,
    /// The game with all its variations; its end stands below, with its node.
    record: GameRecord,
    seats: [Seat; 2],
    controls: [TimeControl; 2],
    /// What is left on the clocks.
    left: [Option<Duration>; 2],
    node: NodeId,
    live: bool,
    ended: Option<(NodeId, End)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dialogue: Option<Dialogue>,
    paused: bool,
    pace_ms: u32,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replay: Option<(String, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    friends: Option<Friends>,
    /// How much the coach says, by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    coach: Option<String>,
}

/// The text of a game.
pub(crate) fn write(page: &PageGame) -> Result<String, StoreError> {
    let game = &page.model;
    let mut record = game.record();
    record.end = None;
    // Names that follow from the seats are not written twice.
    record.players.clone_from(&game.names);
    let saved = Saved {
        version: VERSION,
        record,
        seats: game.seats.clone(),
        controls: Player::BOTH.map(|player| *game.control(player)),
        left: Player::BOTH.map(|player| game.left(player)),
        node: game.node(),
        live: game.is_live(),
        ended: game.declared_end().cloned(),
        dialogue: game.dialogue().cloned(),
        paused: page.paused,
        pace_ms: page.pace_ms,
        seed: page.seed,
        replay: page.replay.as_ref().map(|from| (from.run.clone(), from.number)),
        friends: page.friends.clone(),
        coach: page.coach.map(|watch| watch.name().to_owned()),
    };
    serde_json::to_string(&saved).map_err(|error| StoreError::Damaged(error.to_string()))
}

/// Reads a game.
pub(crate) fn read(text: &str) -> Result<PageGame, StoreError> {
    #[derive(Deserialize)]
    struct Version {
        #[serde(default)]
        version: u32,
    }
    let damaged = |error: serde_json::Error| StoreError::Damaged(error.to_string());
    let Version { version } = json::read(text).map_err(damaged)?;
    match version {
        VERSION => json::read::<Saved>(text).map_err(damaged)?.game(),
        other => Err(StoreError::Damaged(format!(
            "it has version {other}, and this program reads version {VERSION}"
        ))),
    }
}

impl Saved {
    fn game(self) -> Result<PageGame, StoreError> {
        let damaged = |what: String| StoreError::Damaged(what);
        if self.record.tree.len() > Game::MAX_NODES {
            return Err(damaged(format!("it has more than {} moves", Game::MAX_NODES)));
        }
        let mut game = Game::from_record(self.record)
            .map_err(|error| damaged(error.to_string()))?
            .with_seats(self.seats)
            .with_controls(self.controls);
        let refused = |error: collinear_play::Refusal| StoreError::Damaged(error.to_string());
        if let Some(dialogue) = self.dialogue {
            game = game.with_dialogue(dialogue).map_err(refused)?;
        }
        if let Some((node, end)) = self.ended {
            game.go_to(node).map_err(refused)?;
            // Where the stones show an end, they are right.
            let _ = game.adjudicate(end);
        }
        game.go_to(self.node).map_err(refused)?;
        if self.live && !game.is_live() {
            game.go_on();
        }
        game.set_left(self.left);
        let mut page = PageGame::new(game, self.seed);
        page.paused = self.paused;
        page.pace_ms = self.pace_ms;
        page.replay = self.replay.map(|(run, number)| ReplayOf { run, number });
        page.friends = self.friends;
        page.coach = self.coach.as_deref().and_then(Watch::named);
        Ok(page)
    }
}
