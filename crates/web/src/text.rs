//! Texts from outside as they may be stored, shown and written into records again.

/// A text on one line: control characters, which would drive a terminal or break a record, become
/// spaces, and what is longer than `most` characters is cut.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let plain = text.chars().map(|sign| if sign.is_control() { ' ' } else { sign });
    plain.collect::<String>().trim().chars().take(most).collect()
}

/// The same for a text of several lines.
pub(crate) fn lines(text: &str, most: usize) -> String {
    let plain = text.replace("\r\n", "\n").replace('\r', "\n");
    let plain = plain
        .chars()
        .map(|sign| if sign.is_control() && sign != '\n' { ' ' } else { sign })
        .collect::<String>();
    plain.trim().chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_become_spaces() {
        assert_eq!(one_line(" a\u{7}b\nc\u{9b}d ", 99), "a b c d");
        assert_eq!(lines("a\r\nb\u{1b}c\n", 99), "a\nb c");
        assert_eq!(one_line("abc", 2), "ab");
    }
}
