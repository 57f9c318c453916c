//! Messages quote what they were given, but not megabytes of it.

/// Signs of a text that a message shows.
const SHOWN: usize = 60;

/// The text, or its beginning and `…`.
pub(crate) fn short(text: &str) -> String {
    let mut signs = text.chars();
    let short: String = signs.by_ref().take(SHOWN).collect();
    if signs.next().is_some() { short + "…" } else { short }
}

/// The same in quotes, with everything unprintable escaped.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", short(text))
}
