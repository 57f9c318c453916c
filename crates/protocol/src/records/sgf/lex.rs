//! The grammar below the tree: a node is properties, a property is a name and bracketed values.

use std::borrow::Cow;

use super::super::cursor::{Cursor, Place};
use super::super::error::{Problem, RecordError};

/// A property with its values, as written between the brackets.
pub(super) struct Property<'a> {
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) values: Vec<(Place, &'a str)>,
}

impl<'a> Property<'a> {
    /// The first value; the grammar guarantees one.
    pub(super) fn first(&self) -> &'a str {
        self.values.first().map_or("", |(_, value)| value)
    }
}

/// A board has at most 64×64 set-up stones; nothing sensible has more values in one node.
const MAX_VALUES: usize = 5000;

/// Reads the properties after a `;`.
pub(super) fn node<'a>(cursor: &mut Cursor<'a>) -> Result<Vec<Property<'a>>, RecordError> {
    let mut properties = Vec::new();
    let mut values = 0;
    loop {
        cursor.skip_blank();
        let place = cursor.place();
        let name = cursor.take_while(|c| c.is_ascii_alphabetic());
        if name.is_empty() {
            return Ok(properties);
        }
        // Before FF[4] names could be padded with small letters: `SiZe` is SZ.
        let name: String = name.chars().filter(char::is_ascii_uppercase).take(64).collect();
        let mut property = Property { name, place, values: Vec::new() };
        cursor.skip_blank();
        loop {
            property.values.push(value(cursor)?);
            values += 1;
            if values > MAX_VALUES {
                return Err(cursor.error(place, Problem::TooLarge("over 5,000 values in a node")));
            }
            cursor.skip_blank();
            if cursor.peek() != Some('[') {
                break;
            }
        }
        properties.push(property);
    }
}

fn value<'a>(cursor: &mut Cursor<'a>) -> Result<(Place, &'a str), RecordError> {
    let open = cursor.place();
    cursor.expect('[')?;
    let place = cursor.place();
    let text = cursor.rest();
    loop {
        let left = cursor.rest().len();
        match cursor.bump() {
            Some(']') => return Ok((place, &text[..text.len() - left])),
            Some('\\') => {
                cursor.bump();
            }
            Some(_) => {}
            None => {
                let expected = "']' for the '[' that opens here: the file seems cut short";
                return Err(cursor.unexpected_at(open, "", expected));
            }
        }
    }
}

/// The text a value stands for: escapes resolved, soft line breaks removed.
pub(super) fn unescape(value: &str) -> Cow<'_, str> {
    if !value.contains(['\\', '\r']) {
        return Cow::Borrowed(value);
    }
    let mut text = String::with_capacity(value.len());
    let mut signs = value.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => match signs.next() {
                Some('\r') => drop(signs.next_if_eq(&'\n')),
                Some('\n') | None => {}
                Some(escaped) => text.push(escaped),
            },
            '\r' => {
                signs.next_if_eq(&'\n');
                text.push('\n');
            }
            other => text.push(other),
        }
    }
    Cow::Owned(text)
}

/// Writes a text value; `:` is escaped so that it can be half of a composed one.
pub(super) fn escape(out: &mut String, text: &str) {
    for sign in text.chars() {
        if matches!(sign, ']' | '\\' | ':') {
            out.push('\\');
        }
        // A carriage return would come back as a line break.
        out.push(if sign == '\r' { '\n' } else { sign });
    }
}

/// Splits a composed value at its first `:` that is not escaped.
pub(super) fn composed(value: &str) -> Option<(Cow<'_, str>, Cow<'_, str>)> {
    let mut escaped = false;
    for (at, sign) in value.char_indices() {
        match sign {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            ':' => return Some((unescape(&value[..at]), unescape(&value[at + 1..]))),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_survive() {
        for text in ["a]b", r"back\slash", "k:v", "two\nlines", "", r"\]", "é[x]"] {
            let mut written = String::new();
            escape(&mut written, text);
            assert_eq!(unescape(&written), text);
        }
        assert_eq!(unescape("soft\\\nbreak"), "softbreak");
        assert_eq!(
            composed(r"a\:b:c").map(|(k, v)| (k.into(), v.into())),
            Some(("a:b".to_owned(), "c".to_owned()))
        );
    }
}
