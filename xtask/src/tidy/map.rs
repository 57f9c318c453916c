//! What ARCHITECTURE.md draws: the table of crates and the crates that may hold unsafe code.
//!
//! ```text
//! | `engine` | rules shapes play | what it knows | what it must not know |
//! - ✓ … unsafe: `connect4`
//! ```

/// The map of the crates.
pub(super) struct Map {
    rows: Vec<(String, Vec<String>)>,
    may_be_unsafe: Vec<String>,
}

impl Map {
    pub(super) fn parse(text: &str) -> Self {
        let row = |line: &str| {
            let mut cells = line.trim().strip_prefix('|')?.split('|').map(str::trim);
            let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
            let uses = cells.next()?;
            // The table of dependencies has two columns, this one four.
            cells.nth(1)?;
            let uses = uses.split([' ', ',']).filter(|word| !word.is_empty() && *word != "–");
            Some((name.to_owned(), uses.map(ToOwned::to_owned).collect()))
        };
        let unsafe_line = text.lines().find_map(|line| line.split_once("unsafe: "));
        let may_be_unsafe = unsafe_line.map_or_else(Vec::new, |(_, names)| {
            names.split('`').skip(1).step_by(2).map(ToOwned::to_owned).collect()
        });
        Self { rows: text.lines().filter_map(row).collect(), may_be_unsafe }
    }

    /// The crates a crate uses, if it is drawn.
    pub(super) fn uses(&self, name: &str) -> Option<Vec<&str>> {
        let (_, uses) = self.rows.iter().find(|(row, _)| row == name)?;
        Some(uses.iter().map(String::as_str).collect())
    }

    /// Every crate that is drawn.
    pub(super) fn crates(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn may_be_unsafe(&self, name: &str) -> bool {
        self.may_be_unsafe.iter().any(|known| known == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_crates_are_told_from_rows_of_dependencies() {
        let map = Map::parse(
            "| crate | uses | knows | not |\n|---|---|---|---|\n| `rules` | – | a | b |\n\
             | `play` | rules | a | b |\n| `serde` | reason |\n- ✓ unsafe: `connect4`, `engine`\n",
        );
        assert_eq!(map.crates().collect::<Vec<_>>(), ["rules", "play"]);
        assert_eq!(map.uses("rules"), Some(vec![]));
        assert_eq!(map.uses("play"), Some(vec!["rules"]));
        assert_eq!(map.uses("serde"), None);
        assert!(map.may_be_unsafe("engine") && !map.may_be_unsafe("play"));
    }
}
