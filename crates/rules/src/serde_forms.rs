//! How the words of the game look in files and messages: rules as their text, players by name,
//! cells by index. Only with the feature `serde`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Cell, Player, Position, Rules, Setup};

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Player {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Player {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        Self::BOTH
            .into_iter()
            .find(|player| player.name() == name)
            .ok_or_else(|| D::Error::unknown_variant(&name, &["black", "white"]))
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u16(self.index() as u16)
    }
}

impl<'de> Deserialize<'de> for Cell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u16::deserialize(deserializer).map(|index| Self::new(usize::from(index)))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SetupForm {
    #[serde(default)]
    black: Vec<Cell>,
    #[serde(default)]
    white: Vec<Cell>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    to_move: Option<(Player, usize)>,
}

impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { black, white, to_move } = self.clone();
        SetupForm { black, white, to_move }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SetupForm { black, white, to_move } = SetupForm::deserialize(deserializer)?;
        Ok(Self { black, white, to_move })
    }
}

/// A position as its root and the moves that led to it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionForm {
    rules: Rules,
    /// The stones before the first move.
    root: Setup,
    moves: Vec<Cell>,
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut root = self.clone();
        while root.undo().is_some() {}
        let [black, white] = Player::BOTH.map(|player| root.stones(player).collect());
        let to_move = Some((root.to_move(), root.stones_left()));
        let root = Setup { black, white, to_move };
        PositionForm { rules: *self.rules(), root, moves: self.history().to_vec() }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let PositionForm { rules, root, moves } = PositionForm::deserialize(deserializer)?;
        let mut position = Self::from_setup(rules, &root).map_err(D::Error::custom)?;
        for cell in moves {
            position.play(cell).map_err(D::Error::custom)?;
        }
        Ok(position)
    }
}
