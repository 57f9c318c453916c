//! `RenLib`, in which players of Renju exchange trees of variations with comments: read and written.
//!
//! ```text
//! FF 'RenLib' FF, version, 20 bytes in all
//! 00 00           the root                 node: the move and its flags, two bytes
//! 78 08 'h'…00    h8, with a comment       move: column 1 to 15 in the low half,
//! 79 80           i8, a sibling follows          row 0 to 14 from the top in the high one
//! ```
//!
//! Flags: 80 a sibling follows after this node's subtree, 40 no child, 20 an old comment, 10 a mark,
//! 08 a comment, 02 no stone, 01 two more bytes of flags of which the last bit announces a text on
//! the board. Texts end with a zero and have even length. The board is always 15×15. A file of one
//! position is one line that simply ends: its last stone may have no flag 40, and its stones may have
//! kept the flag 80 of the tree they were taken from.
//!
//! The file is binary: on its way in it becomes the SGF of the same tree.

use collinear_play::{GameRecord, Mark, NodeId, Notes, Sign, Tree};
use collinear_rules::{Cell, Fouls, Position, Rules, notation};

use super::code_page::decode_all;
use super::error::{Problem, RecordError, WriteError};
use super::{Format, sgf};

const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER_BYTES: usize = 20;
/// h8, with which files without a header begin.
const CENTRE: u8 = 0x78;
const SIDE: usize = 15;
/// Divides the one line of a title from the words below it.
const TITLE_END: char = '\u{8}';

mod flag {
    pub(super) const SIBLING: u8 = 0x80;
    pub(super) const LEAF: u8 = 0x40;
    pub(super) const OLD_COMMENT: u8 = 0x20;
    pub(super) const MARK: u8 = 0x10;
    pub(super) const COMMENT: u8 = 0x08;
    pub(super) const NO_STONE: u8 = 0x02;
    pub(super) const MORE: u8 = 0x01;
    pub(super) const TEXT: u8 = 0x01;
}

/// Where the nodes of a file begin; `None` for other files.
pub(super) fn nodes_of(bytes: &[u8]) -> Option<usize> {
    let is_old = || bytes[0] == CENTRE && bytes.len().is_multiple_of(2);
    match bytes {
        _ if bytes.starts_with(MAGIC) => Some(HEADER_BYTES),
        [_, flags, ..] if *flags < b'\t' && is_old() => Some(0),
        _ => None,
    }
}

/// The tree as SGF. Stones that no game allows, and what follows them, are named in a comment.
pub(super) fn to_sgf(bytes: &[u8], nodes: usize) -> Result<String, RecordError> {
    let reader = Reader {
        bytes,
        at: nodes,
        record: GameRecord::new(rules()),
        position: Position::new(rules()),
        path: vec![NodeId::ROOT],
        texts: Vec::new(),
        remarks: Vec::new(),
    };
    let record = reader.read()?;
    let mut out = String::new();
    sgf::write(&mut out, &record, sgf::Dialect::Ours, Position::new(rules())).map_err(
        |reason| error(0, Problem::Unexpected { found: reason, expected: "a tree".into() }),
    )?;
    Ok(out)
}

/// Trees show forbidden stones, too: they end their lines.
fn rules() -> Rules {
    let side = SIDE as u32;
    let rules = Rules::builder(side, side, 5).fouls(Fouls::Lose).build();
    rules.unwrap_or(Rules::RENJU)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    record: GameRecord,
    position: Position,
    /// The nodes from the root to where the position stands.
    path: Vec<NodeId>,
    /// All texts as they stand in the file: their encoding shows in the whole of them.
    texts: Vec<Vec<u8>>,
    /// What is to be said of nodes, in the order of the file.
    remarks: Vec<(NodeId, Remark)>,
}

/// Something that is said of a node; texts of the file by their number.
enum Remark {
    Comment(usize),
    Label(usize),
    LeftOut(String),
}

impl Reader<'_> {
    fn read(mut self) -> Result<GameRecord, RecordError> {
        self.read_nodes()?;
        let texts = decode_all(&self.texts);
        let tree = &mut self.record.tree;
        for (node, remark) in self.remarks {
            match remark {
                Remark::Comment(nth) => {
                    let comment = texts[nth].replace(TITLE_END, "\n").replace('\r', "");
                    tree.add_comment(node, comment.trim());
                }
                Remark::Label(nth) => {
                    if let (Some(cell), Some(notes)) = (tree.stone(node), tree.notes_mut(node)) {
                        notes.marks.push(Mark::new(cell, Sign::Label(texts[nth].clone())));
                    }
                }
                Remark::LeftOut(what) => {
                    tree.add_comment(node, &format!("Left out with what follows: {what}."));
                }
            }
        }
        Ok(self.record)
    }

    fn read_nodes(&mut self) -> Result<(), RecordError> {
        // Depth of the parent of the next node; none below a node that was left out.
        let mut depth = Some(0);
        let mut open: Vec<Option<usize>> = Vec::new();
        let (mut is_first, mut is_sibling, mut leaves) = (true, false, 0);
        loop {
            let start = self.at;
            let is_one_line = leaves == usize::from(is_sibling);
            let may_end = is_one_line || open.is_empty() && !is_sibling;
            if may_end && !is_first && start == self.bytes.len() {
                return Ok(());
            }
            let [cell, flags] = self.pair()?;
            let is_root = is_first && (cell == 0 || flags & flag::NO_STONE != 0);
            is_first = false;
            let here = match depth {
                _ if is_root => Some(0),
                None => None,
                Some(depth) => self.stone(start, depth, cell, flags)?,
            };
            self.notes(flags, here)?;
            if flags & flag::SIBLING != 0 && !is_root {
                open.push(depth);
            }
            is_sibling = flags & flag::LEAF != 0;
            leaves += usize::from(is_sibling);
            if !is_sibling {
                depth = here;
            } else if let Some(parent) = open.pop() {
                depth = parent;
            } else {
                return Ok(());
            }
            if open.len() > Tree::MAX_NODES {
                return Err(error(start, Problem::TooLarge("too many open variations")));
            }
        }
    }

    /// Adds a stone below the node at this depth; gives its own depth.
    fn stone(
        &mut self,
        start: usize,
        depth: usize,
        code: u8,
        flags: u8,
    ) -> Result<Option<usize>, RecordError> {
        while self.path.len() > depth + 1 {
            self.path.pop();
            self.position.undo();
        }
        let parent = self.path[depth];
        let cell = (flags & flag::NO_STONE == 0).then(|| cell_of(code)).flatten();
        let Some(cell) = cell else {
            self.leave_out(parent, "a pass");
            return Ok(None);
        };
        if let Err(reason) = self.position.play(cell) {
            let name = notation::name(&self.record.rules, cell);
            self.leave_out(parent, &format!("{name} ({reason})"));
            return Ok(None);
        }
        let added = self.record.tree.add(parent, cell);
        let many = || error(start, Problem::TooLarge("more than 4,000,000 stones"));
        self.path.push(added.ok_or_else(many)?);
        Ok(Some(depth + 1))
    }

    fn leave_out(&mut self, parent: NodeId, what: &str) {
        self.remarks.push((parent, Remark::LeftOut(what.to_owned())));
    }

    /// Reads what stands beside a node, and keeps it where there is one.
    fn notes(&mut self, flags: u8, here: Option<usize>) -> Result<(), RecordError> {
        let more = if flags & flag::MORE != 0 { self.pair()?[1] } else { 0 };
        let comment = match flags {
            _ if flags & flag::COMMENT != 0 => Some(self.text()?),
            _ if flags & flag::OLD_COMMENT != 0 => Some(self.old_text()?),
            _ => None,
        };
        let label = if more & flag::TEXT != 0 { Some(self.text()?) } else { None };
        let Some(node) = here.map(|depth| self.path[depth]) else { return Ok(()) };
        if let Some(comment) = comment {
            self.remarks.push((node, Remark::Comment(self.texts.len())));
            self.texts.push(comment);
        }
        if flags & flag::MARK != 0
            && let (Some(cell), Some(notes)) =
                (self.record.tree.stone(node), self.record.tree.notes_mut(node))
        {
            notes.marks.push(Mark::new(cell, Sign::Circle));
        }
        if let Some(label) = label {
            self.remarks.push((node, Remark::Label(self.texts.len())));
            self.texts.push(label);
        }
        Ok(())
    }

    fn pair(&mut self) -> Result<[u8; 2], RecordError> {
        let &[first, second] = self.bytes.get(self.at..self.at + 2).unwrap_or_default() else {
            let expected = "two more bytes: the file seems cut short".to_owned();
            return Err(error(self.at, Problem::Unexpected { found: "the end".into(), expected }));
        };
        self.at += 2;
        Ok([first, second])
    }

    /// Pairs up to the one with a zero.
    fn text(&mut self) -> Result<Vec<u8>, RecordError> {
        let mut text = Vec::new();
        loop {
            let pair = self.pair()?;
            match pair.iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend(&pair[..end]);
                    return Ok(text);
                }
                None => text.extend(pair),
            }
        }
    }

    /// Pairs up to the one whose last sign has its high bit set.
    fn old_text(&mut self) -> Result<Vec<u8>, RecordError> {
        let mut text = Vec::new();
        loop {
            for byte in self.pair()? {
                text.push(byte & 0x7f);
                if byte & 0x80 != 0 {
                    return Ok(text);
                }
            }
        }
    }
}

fn cell_of(code: u8) -> Option<Cell> {
    let (column, row) = (usize::from(code & 0xf), usize::from(code >> 4));
    rules().cell(column.checked_sub(1)?, (SIDE - 1).checked_sub(row)?)
}

fn code_of(rules: &Rules, cell: Cell) -> u8 {
    ((SIDE - 1 - rules.row(cell)) << 4 | (rules.column(cell) + 1)) as u8
}

fn error(at: usize, problem: Problem) -> RecordError {
    RecordError { format: Format::Renlib, line: 1, column: at + 1, problem }
}

/// The games of its readers.
pub(super) fn holds(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.q(), rules.gravity()) == (5, 1, 1, false)
        && (rules.width(), rules.height()) == (SIDE, SIDE)
}

/// Writes a game with its variations, comments, marks and texts on its own stones.
pub fn to_renlib(record: &GameRecord) -> Result<Vec<u8>, WriteError> {
    let cannot = |reason: &str| WriteError { format: Format::Renlib, reason: reason.to_owned() };
    let rules = &record.rules;
    if !holds(rules) {
        return Err(cannot("it knows five in a row on 15x15 only"));
    }
    if record.setup.is_some() {
        return Err(cannot("it has no place for set-up stones"));
    }
    let mut out = MAGIC.to_vec();
    out.extend([3, 4]);
    out.resize(HEADER_BYTES, 0xff);
    let tree = &record.tree;
    for node in tree.walk() {
        let stone = tree.stone(node);
        let comment = tree.comment(node).filter(|comment| !comment.is_empty());
        let (is_marked, label) = marks(tree.notes(node), stone);
        let flags = [
            (flag::SIBLING, tree.next_sibling(node).is_some()),
            (flag::LEAF, tree.first_child(node).is_none()),
            (flag::MARK, is_marked),
            (flag::COMMENT, comment.is_some()),
            (flag::MORE, label.is_some()),
        ];
        let flags = flags.into_iter().filter(|(_, is_set)| *is_set);
        let flags = flags.fold(0, |flags, (bit, _)| flags | bit);
        out.extend([stone.map_or(0, |cell| code_of(rules, cell)), flags]);
        if label.is_some() {
            out.extend([0, flag::TEXT]);
        }
        if let Some(comment) = comment {
            write_text(&mut out, &comment.replacen('\n', &TITLE_END.to_string(), 1));
        }
        if let Some(label) = label {
            write_text(&mut out, label);
        }
    }
    Ok(out)
}

/// Whether marks stand elsewhere than on the stone of their node, or in signs that become a circle.
pub(super) fn loses_marks(tree: &Tree) -> bool {
    tree.noted().any(|(node, notes)| {
        let kept = |mark: &Mark| matches!(mark.sign, Sign::Label(_) | Sign::Circle);
        notes.marks.iter().any(|mark| Some(mark.cell) != tree.stone(node) || !kept(mark))
    })
}

/// Whether a node's own stone is marked, and the text on it.
fn marks(notes: Option<&Notes>, stone: Option<Cell>) -> (bool, Option<&str>) {
    let own = notes.into_iter().flat_map(|notes| &notes.marks);
    let own = own.filter(|mark| Some(mark.cell) == stone);
    let (mut is_marked, mut label) = (false, None);
    for mark in own {
        match &mark.sign {
            Sign::Label(text) => label = Some(text.as_str()),
            Sign::Arrow(_) | Sign::Line(_) => {}
            _ => is_marked = true,
        }
    }
    (is_marked, label)
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend(text.bytes().filter(|&byte| byte != 0));
    out.push(0);
    if out.len() % 2 == 1 {
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::{ReadOptions, read};

    /// h8; i8 with a comment and a mark, then i9; and beside i8 j10 with a text on the board.
    const SAMPLE: [u8; 46] = *b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\
        \x00\x00\x78\x00\x79\x98Direct\x08two\x00\x00\x69\x40\x5a\x41\x00\x01A\x00";

    fn named(record: &GameRecord) -> Vec<String> {
        let names = |node| notation::names(&record.rules, &record.tree.stones_to(node));
        record.tree.walk().into_iter().map(names).collect()
    }

    #[test]
    fn a_tree_with_comments_is_read() {
        let games = read(&SAMPLE, None, &ReadOptions::default()).expect("a tree");
        let [record] = &games[..] else { panic!("one tree: {}", games.len()) };
        assert!(record.rules.is_renju());
        assert_eq!(named(record), ["", "h8", "h8 i8", "h8 i8 i9", "h8 j10"]);
        let nodes = record.tree.walk();
        assert_eq!(record.tree.comment(nodes[2]), Some("Direct\ntwo"));
        let marks = |at: usize| record.tree.notes(nodes[at]).map(|notes| notes.marks.clone());
        assert!(matches!(&marks(2).expect("marks")[..], [Mark { sign: Sign::Circle, .. }]));
        assert!(
            matches!(&marks(4).expect("marks")[..], [Mark { sign: Sign::Label(a), .. }] if a == "A")
        );
        assert_eq!(to_renlib(record).expect("fits"), SAMPLE);
    }

    #[test]
    fn what_no_game_allows_is_named() {
        // h8, then h8 again with i8 below it, and beside it i9.
        let bytes = [&SAMPLE[..20], b"\x00\x00\x78\x00\x78\x80\x79\x40\x69\x40"].concat();
        let record = &read(&bytes, None, &ReadOptions::default()).expect("a tree")[0];
        assert_eq!(named(record), ["", "h8", "h8 i9"]);
        let comment = record.tree.comment(record.tree.walk()[1]).expect("a comment");
        assert_eq!(comment, "Left out with what follows: h8 (the cell is occupied).");
    }

    /// A single position is kept as a line that simply ends.
    #[test]
    fn a_position_is_a_line_without_a_last_flag() {
        let bytes = [&SAMPLE[..20], b"\x78\x08Start\x00\x79\x00\x69\x00"].concat();
        let record = &read(&bytes, None, &ReadOptions::default()).expect("a position")[0];
        assert_eq!(named(record).last().map(String::as_str), Some("h8 i8 i9"));
        assert_eq!(record.tree.comment(record.tree.walk()[1]), Some("Start"));
        assert!(to_renlib(record).expect("fits").ends_with(b"\x79\x00\x69\x40"));
    }

    /// Positions that other programs took from a tree kept the flags they had there.
    #[test]
    fn a_position_taken_from_a_tree_ends_where_a_sibling_is_announced() {
        for stones in [&b"\x78\x80\x79\x80"[..], b"\x78\x04\x79\xc0", b"\x00\x00\x78\x80\x79\x80"] {
            let bytes = [&SAMPLE[..20], stones].concat();
            let record = &read(&bytes, None, &ReadOptions::default()).expect("a position")[0];
            assert_eq!(named(record).last().map(String::as_str), Some("h8 i8"), "{stones:x?}");
            let again = to_renlib(record).expect("fits");
            assert!(again.ends_with(b"\x78\x00\x79\x40"), "{again:x?}");
        }
    }

    #[test]
    fn comments_in_the_code_page_of_their_author_are_read() {
        // "Black wins" in GBK, twice.
        let words = b"\xba\xda\xb7\xbd\xb1\xd8\xca\xa4\x00\x00";
        let bytes = [&SAMPLE[..20], b"\x78\x08", words, b"\x79\x48", words].concat();
        let record = &read(&bytes, None, &ReadOptions::default()).expect("a tree")[0];
        let comments = record.tree.walk().into_iter().filter_map(|node| record.tree.comment(node));
        assert_eq!(comments.collect::<Vec<_>>(), ["黑方必胜"; 2]);
        // They are written as UTF-8, which is read as what it is.
        let again = &read(&to_renlib(record).expect("fits"), None, &ReadOptions::default());
        assert_eq!(again.as_ref().expect("a tree")[0].tree, record.tree);
    }

    #[test]
    fn files_that_are_cut_are_refused_and_others_left_alone() {
        // Behind the root and the stones of the first line the file is one of a position.
        for end in (20..SAMPLE.len()).filter(|end| ![22, 24, 38, 40].contains(end)) {
            let cut = read(&SAMPLE[..end], None, &ReadOptions::default()).expect_err("cut");
            assert!(cut.to_string().contains("cut short"), "{cut}");
        }
        let old = b"\x78\x00\x79\x40";
        assert_eq!(read(old, None, &ReadOptions::default()).expect("old")[0].moves().len(), 2);
        let connect6 = GameRecord::new(Rules::CONNECT6);
        assert!(to_renlib(&connect6).expect_err("another game").to_string().contains("15x15"));
    }
}
