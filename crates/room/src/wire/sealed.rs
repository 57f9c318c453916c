//! What only passes through a room: the worker that found it writes it, the page reads it, and nobody
//! between them looks inside. A room that runs in a browser then needs no code for its parts, which
//! would be loaded before the first stone.

use std::fmt;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::{self, Value};

/// A `T` as JSON.
pub struct Sealed<T>(Value, PhantomData<fn() -> T>);

impl<T: Serialize> Sealed<T> {
    /// Seals it. Messages can always be written: one that cannot would be `null`.
    pub fn new(value: &T) -> Self {
        // By way of a text: a value of its own would show the digits that a short number lacks.
        let text = serde_json::to_string(value).unwrap_or_default();
        Self(json::value(&text).unwrap_or_default(), PhantomData)
    }
}

impl<T: DeserializeOwned> Sealed<T> {
    /// What is inside.
    pub fn open(&self) -> Result<T, serde_json::Error> {
        json::open(self.0.clone())
    }
}

impl<T> Clone for Sealed<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone(), PhantomData)
    }
}

impl<T> PartialEq for Sealed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl<T> Serialize for Sealed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T> Deserialize<'de> for Sealed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Deserialize::deserialize(deserializer)?, PhantomData))
    }
}
