//! Files of parameters: the numbers of Sextant's searches, as `collinear tune --spsa` writes them and
//! `sextant:params=FILE` reads them. A line is `name = value`; `#` begins a comment. What a file does
//! not name keeps the release's value.

use std::fmt::Write as _;
use std::path::Path;

use collinear_engine::{ParamError, Params};
use collinear_play::read_text_file;
use thiserror::Error;

/// The largest file: many times what all parameters need.
const MAX_BYTES: u64 = 1 << 20;

/// Why a file holds no parameters.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ParametersError {
    /// The file cannot be read.
    #[error("{0}")]
    File(String),
    /// A line is not `name = value`.
    #[error("line {line}: {text:?} is not `name = value`")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What it says, the beginning of it.
        text: String,
    },
    /// A parameter cannot be set so.
    #[error("line {line}: {error}")]
    Value {
        /// The line, from 1.
        line: usize,
        /// Why not.
        error: ParamError,
    },
    /// A parameter is named twice.
    #[error("line {line}: {name} is set a second time")]
    Twice {
        /// The line, from 1.
        line: usize,
        /// The parameter.
        name: String,
    },
}

/// The parameters in a file.
pub fn read(path: &str) -> Result<Params, ParametersError> {
    let text = read_text_file(Path::new(path), MAX_BYTES)
        .map_err(|error| ParametersError::File(error.to_string()))?;
    parse(&text)
}

/// The parameters in the text of a file.
pub fn parse(text: &str) -> Result<Params, ParametersError> {
    let mut params = Params::default();
    let mut seen = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let content = text.split('#').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let pair = content.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        let Some((name, value)) = pair.and_then(|(name, value)| Some((name, value.parse().ok()?)))
        else {
            return Err(ParametersError::Line { line, text: content.chars().take(60).collect() });
        };
        params.set(name, value).map_err(|error| ParametersError::Value { line, error })?;
        if seen.contains(&name) {
            return Err(ParametersError::Twice { line, name: name.to_owned() });
        }
        seen.push(name);
    }
    Ok(params)
}

/// The text of a file with these values, below a comment.
pub fn show(comment: &str, values: &[(&str, f64)]) -> String {
    let mut text = String::new();
    for line in comment.lines() {
        let _ = writeln!(text, "# {line}");
    }
    for (name, value) in values {
        let _ = writeln!(text, "{name} = {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let specs = Params::specs();
        let values: Vec<(&str, f64)> =
            specs.iter().map(|spec| (spec.name, spec.range[1])).collect();
        let read = parse(&show("All at\ntheir largest.", &values)).expect("our own");
        for (name, value) in values {
            assert_eq!(read.get(name), Some(value));
        }
        assert_eq!(parse("\n# nothing\n").expect("nothing"), Params::default());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let said =
            |text: &str| parse(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(
            said("\nsearch.iir_depth 4"),
            "line 2: \"search.iir_depth 4\" is not `name = value`"
        );
        assert!(said("search.iir_depth = four").starts_with("line 1: "));
        assert!(said("search.iir_deep = 4").contains("not a parameter"));
        assert!(said("search.iir_depth = 4.5").contains("a whole number of stones"));
        assert!(said("search.iir_depth = 400").contains("out of range: from 1 to 40 stones"));
        assert!(said("search.iir_depth = 4\nsearch.iir_depth = 5").contains("a second time"));
        assert!(matches!(read("/nowhere/at/all"), Err(ParametersError::File(_))));
    }
}
