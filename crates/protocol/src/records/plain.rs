//! Texts of a record as they may be shown and written again: no control characters.
//!
//! Bytes that are not text are refused before a record is read, but a format with escapes can still
//! name them: in a terminal they would give commands, and in SGF nobody could read them back.

use collinear_play::{GameRecord, NodeId};

/// Replaces control characters by spaces; line breaks and tabs stay.
pub(super) fn plain(record: &mut GameRecord) {
    record.players.iter_mut().flatten().for_each(clean);
    if record.metadata.iter().any(|(key, value)| is_dirty(key) || is_dirty(value)) {
        let metadata = std::mem::take(&mut record.metadata);
        record.metadata = metadata
            .into_iter()
            .map(|(mut key, mut value)| {
                clean(&mut key);
                clean(&mut value);
                (key, value)
            })
            .collect();
    }
    if let Some(detail) = record.end.as_mut().and_then(|end| end.detail.as_mut()) {
        clean(detail);
    }
    let dirty = record.tree.noted().filter(|(_, notes)| is_dirty(&notes.comment));
    let dirty: Vec<NodeId> = dirty.map(|(node, _)| node).collect();
    for node in dirty {
        if let Some(notes) = record.tree.notes_mut(node) {
            clean(&mut notes.comment);
        }
    }
}

fn clean(text: &mut String) {
    if is_dirty(text) {
        *text = text.replace(is_unwanted, " ");
    }
}

fn is_dirty(text: &str) -> bool {
    text.contains(is_unwanted)
}

fn is_unwanted(sign: char) -> bool {
    sign.is_control() && !matches!(sign, '\n' | '\t')
}
