//! The engines the user has given names, in `engines.toml` of the configuration folder.
//!
//! ```toml
//! [engines.cloudict]
//! protocol = "cloudict"
//! command = ["/opt/cloudict/gameEngine"]
//! dir = "/opt/cloudict"
//! init = ["depth 4"]
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::PathBuf;

use anyhow::{Context, Result};
use collinear_play::{InputFileError, read_text_file};
use collinear_protocol::Protocol;
use collinear_protocol::host::EngineConfig;
use serde::{Deserialize, Serialize};

use crate::out_file;

/// The largest file that is read.
const MAX_BYTES: u64 = 1 << 20;

/// The whole file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EnginesFile {
    #[serde(default)]
    pub(crate) engines: BTreeMap<String, NamedEngine>,
}

/// One engine.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedEngine {
    /// What it speaks.
    #[serde(with = "protocol_name")]
    pub(crate) protocol: Protocol,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
    /// The folder it runs in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dir: Option<PathBuf>,
    /// Lines it is told after the greeting.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) init: Vec<String>,
}

impl NamedEngine {
    /// How it is run.
    pub(crate) fn config(&self) -> EngineConfig {
        EngineConfig {
            folder: self.dir.clone(),
            init: self.init.clone(),
            ..EngineConfig::from_words(&self.command, self.protocol)
        }
    }
}

impl EnginesFile {
    /// Where it is.
    pub(crate) fn path() -> Result<PathBuf> {
        let folders = directories::ProjectDirs::from("", "", "collinear")
            .context("no home folder is known, so there is no place for your engines")?;
        Ok(folders.config_dir().join("engines.toml"))
    }

    /// Reads it; none is an empty one.
    pub(crate) fn load() -> Result<Self> {
        let path = Self::path()?;
        let place = || format!("{}: correct or remove it", path.display());
        let text = match read_text_file(&path, MAX_BYTES) {
            Err(InputFileError::Io { error, .. }) if error.kind() == ErrorKind::NotFound => {
                return Ok(Self::default());
            }
            read => read.with_context(place)?,
        };
        toml::from_str(&text).with_context(place)
    }

    /// Writes it, whole or not at all.
    pub(crate) fn save(&self) -> Result<()> {
        let path = Self::path()?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).with_context(|| out_file::cannot_write(folder))?;
        }
        let text = toml::to_string(self).context("the engines cannot be written down")?;
        out_file::write(&path, text.as_bytes())
    }
}

mod protocol_name {
    use collinear_protocol::Protocol;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
    pub(super) fn serialize<S: Serializer>(value: &Protocol, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(value.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Protocol, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }
}
