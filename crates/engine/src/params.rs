//! The numbers of the searchers: each with a name, a unit and a range, so that games can tune them.
//!
//! Every searcher has a file of its own (`search/params.rs`, `puct/params.rs`, `tactics/params.rs`,
//! `proof/params.rs`) that declares its numbers with `parameters!`. A search holds a copy of them;
//! constants in their place were no faster.

use thiserror::Error;

pub use crate::proof::ProofParams;
pub use crate::puct::PuctParams;
pub use crate::search::SearchParams;
pub use crate::tactics::TacticsParams;

/// What is known about a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ParamSpec {
    /// Its name: the searcher, a point, and the number.
    pub name: &'static str,
    /// What it does.
    pub help: &'static str,
    /// What it counts.
    pub unit: &'static str,
    /// The least value and the largest.
    pub range: [f64; 2],
    /// The value of the release.
    pub default: f64,
    /// Whether it has no fractions.
    pub is_whole: bool,
}

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ParamError {
    /// There is none of this name.
    #[error("{name:?} is not a parameter; `collinear tune sextant --list` shows all")]
    Unknown {
        /// The name given.
        name: String,
    },
    /// The value is out of range.
    #[error("{name} = {value} is out of range: from {low} to {high} {unit}")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// The least value.
        low: f64,
        /// The largest value.
        high: f64,
        /// What it counts.
        unit: &'static str,
    },
    /// The value has a fraction where whole numbers are wanted.
    #[error("{name} = {value}: a whole number of {unit} is needed")]
    NotWhole {
        /// The parameter.
        name: &'static str,
        /// The value given.
        value: f64,
        /// What it counts.
        unit: &'static str,
    },
}

/// A type that parameters have.
pub(crate) trait Number: Copy {
    const IS_WHOLE: bool;
    fn to_f64(self) -> f64;
    fn from_f64(value: f64) -> Self;
}

macro_rules! numbers {
    ($($type:ty, $is_whole:literal;)*) => {$(
        impl Number for $type {
            const IS_WHOLE: bool = $is_whole;
            #[allow(clippy::cast_lossless)]
            fn to_f64(self) -> f64 {
                // Through text, a fraction of the narrower type stays what a person wrote.
                if $is_whole { self as f64 } else { self.to_string().parse().unwrap_or(self as f64) }
            }
            fn from_f64(value: f64) -> Self {
                value as $type
            }
        }
    )*};
}

numbers! { i32, true; u8, true; u16, true; u32, true; u64, true; usize, true; f32, false; f64, false; }

/// Declares the parameters of a searcher: `/// help`, `name: type = default, low..high, "unit";`.
macro_rules! parameters {
    (
        $(#[$outer:meta])*
        $name:ident, $prefix:literal:
        $(#[doc = $help:literal] $field:ident: $type:ty = $default:expr, $low:literal..$high:literal, $unit:literal;)*
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $(#[doc = $help] pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: $default,)* }
            }
        }

        impl $name {
            /// What is known about each.
            pub(crate) fn specs() -> Vec<$crate::params::ParamSpec> {
                use $crate::params::Number;
                let defaults = Self::default();
                vec![$($crate::params::ParamSpec {
                    name: concat!($prefix, ".", stringify!($field)),
                    help: $help.trim_ascii(),
                    unit: $unit,
                    range: [f64::from($low), f64::from($high)],
                    default: defaults.$field.to_f64(),
                    is_whole: <$type as Number>::IS_WHOLE,
                },)*]
            }

            /// The value of one.
            pub(crate) fn get(&self, name: &str) -> Option<f64> {
                use $crate::params::Number;
                match name {
                    $(concat!($prefix, ".", stringify!($field)) => Some(self.$field.to_f64()),)*
                    _ => None,
                }
            }

            /// Sets one that there is to a value within its range.
            pub(crate) fn put(&mut self, name: &str, value: f64) {
                use $crate::params::Number;
                match name {
                    $(concat!($prefix, ".", stringify!($field)) => {
                        self.$field = <$type>::from_f64(value);
                    })*
                    _ => {}
                }
            }
        }
    };
}
pub(crate) use parameters;

/// The numbers of all searchers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Params {
    /// Of alpha-beta.
    pub search: SearchParams,
    /// Of the network search.
    pub puct: PuctParams,
    /// Of what both ask about threats.
    pub tactics: TacticsParams,
    /// Of the search for wins by continuous threats.
    pub proof: ProofParams,
}

impl Params {
    /// What is known about every parameter.
    pub fn specs() -> Vec<ParamSpec> {
        [SearchParams::specs(), PuctParams::specs(), TacticsParams::specs(), ProofParams::specs()]
            .concat()
    }

    /// The value of a parameter.
    pub fn get(&self, name: &str) -> Option<f64> {
        let Self { search, puct, tactics, proof } = self;
        search.get(name).or(puct.get(name)).or(tactics.get(name)).or(proof.get(name))
    }

    /// Sets a parameter by its name.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ParamError> {
        let Some(spec) = Self::specs().into_iter().find(|spec| spec.name == name) else {
            return Err(ParamError::Unknown { name: name.to_owned() });
        };
        let ParamSpec { name, unit, range: [low, high], is_whole, .. } = spec;
        if !(low..=high).contains(&value) {
            return Err(ParamError::OutOfRange { name, value, low, high, unit });
        }
        if is_whole && value.fract() != 0.0 {
            return Err(ParamError::NotWhole { name, value, unit });
        }
        self.search.put(name, value);
        self.puct.put(name, value);
        self.tactics.put(name, value);
        self.proof.put(name, value);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_defaults_within_their_range() {
        let specs = Params::specs();
        let defaults = Params::default();
        for (at, spec) in specs.iter().enumerate() {
            let [low, high] = spec.range;
            assert!(low < high && (low..=high).contains(&spec.default), "{spec:?}");
            assert!(!spec.help.is_empty() && !spec.unit.is_empty(), "{spec:?}");
            assert!(specs[..at].iter().all(|other| other.name != spec.name), "{spec:?}");
            assert_eq!(defaults.get(spec.name), Some(spec.default), "{spec:?}");
        }
    }

    #[test]
    fn what_is_set_is_got_and_nothing_else_changes() {
        let specs = Params::specs();
        for spec in &specs {
            for value in spec.range {
                let mut params = Params::default();
                assert_eq!(params.set(spec.name, value), Ok(()), "{spec:?}");
                for other in &specs {
                    let wanted = if other.name == spec.name { value } else { other.default };
                    assert_eq!(params.get(other.name), Some(wanted), "{spec:?} {other:?}");
                }
            }
            let [low, high] = spec.range;
            for value in [low - 1.0, high + 1.0, f64::NAN] {
                let refused = Params::default().set(spec.name, value);
                assert!(matches!(refused, Err(ParamError::OutOfRange { .. })), "{spec:?}");
            }
        }
        let whole = specs.iter().find(|spec| spec.is_whole).expect("there are some");
        let refused = Params::default().set(whole.name, whole.range[0] + 0.5);
        assert!(matches!(refused, Err(ParamError::NotWhole { .. })));
        let unknown = Params::default().set("search.magic", 1.0);
        assert_eq!(unknown, Err(ParamError::Unknown { name: "search.magic".to_owned() }));
    }
}
