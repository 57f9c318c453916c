//! The table of all agents. A new agent is a file beside this one and a line here.

use collinear_play::Registry;

use crate::{karplus, kate, perfect, random, sextant};

/// Every agent of this crate.
pub fn registry() -> Registry {
    Registry::new(vec![&karplus::Spec, &kate::Spec, &perfect::Spec, &random::Spec, &sextant::Spec])
}
