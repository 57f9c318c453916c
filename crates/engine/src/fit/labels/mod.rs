//! Positions with the value that a network gives them, as records of a file (see [`super::records`]).
//!
//! ```text
//! "SXLABEL1", origin; then for each run of stones a record
//!   number u64, kind u8 (0 wandered, 1 a game), winner u8 (0 black, 1 white, 2 nobody or unknown),
//!   opening stones u16, stones u16, cells u16 each, labels u16, for each label:
//!     stones of the run on the board u16, stones beside it u8, cells u16 each, value i16
//! ```
//! A value is the mover's logit in 1/256. A label's position is the beginning of the run and then the stones
//! beside it. About ten bytes per label.

mod make;

use collinear_rules::{Cell, Player, Position, Rules};

use super::records::{FileKind, Origin, Reader, Records, RecordsError, header_bytes, record_bytes};

pub use make::{LabelMaker, Labelling};

/// A run of stones with labelled positions on it and beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledRun {
    /// Which one; it follows from the seed and this number alone.
    pub number: u64,
    /// Whether it is a game of alpha-beta: others wander about.
    pub is_game: bool,
    /// Who won the game, or was proved to.
    pub winner: Option<Player>,
    /// Stones that nobody searched for: of a game its opening, else all.
    pub opening: usize,
    /// The stones.
    pub stones: Vec<Cell>,
    /// The labelled positions.
    pub labels: Vec<Label>,
}

/// A position and what the network thinks of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Stones of the run that are on the board.
    pub prefix: usize,
    /// Stones beside the run that follow them.
    pub beside: Vec<Cell>,
    /// The logit of the player to move, in 1/256.
    pub value: i16,
}

impl LabelledRun {
    /// As a record, to be appended to a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = self.number.to_le_bytes().to_vec();
        body.push(u8::from(self.is_game));
        body.push(self.winner.map_or(2, |player| player.index() as u8));
        let short = |body: &mut Vec<u8>, number: usize| body.extend((number as u16).to_le_bytes());
        short(&mut body, self.opening);
        short(&mut body, self.stones.len());
        self.stones.iter().for_each(|cell| short(&mut body, cell.index()));
        short(&mut body, self.labels.len());
        for label in &self.labels {
            short(&mut body, label.prefix);
            body.push(label.beside.len() as u8);
            label.beside.iter().for_each(|cell| short(&mut body, cell.index()));
            body.extend(label.value.to_le_bytes());
        }
        record_bytes(&body)
    }

    fn from_body(body: &[u8], rules: &Rules) -> Option<Self> {
        let mut reader = Reader(body);
        let number = reader.number()?;
        let [kind, winner] = reader.take()?;
        let cell =
            |reader: &mut Reader<'_>| reader.short().map(|index| Cell::new(usize::from(index)));
        let opening = usize::from(reader.short()?);
        let stones = reader.short()?;
        let stones = (0..stones).map(|_| cell(&mut reader)).collect::<Option<Vec<_>>>()?;
        let labels = reader.short()?;
        let mut label = || {
            let prefix = usize::from(reader.short()?);
            let count = reader.byte()?;
            let beside = (0..count).map(|_| cell(&mut reader)).collect::<Option<Vec<_>>>()?;
            let value = i16::from_le_bytes(reader.take()?);
            let prefixed = stones.get(..prefix)?;
            let is_new = |(at, cell): (usize, &Cell)| {
                cell.index() < rules.cells()
                    && !prefixed.contains(cell)
                    && !beside[..at].contains(cell)
            };
            let makes_sense = beside.iter().enumerate().all(is_new);
            makes_sense.then_some(Label { prefix, beside, value })
        };
        let labels = (0..labels).map(|_| label()).collect::<Option<_>>()?;
        let makes_sense = reader.0.is_empty()
            && kind <= 1
            && winner <= 2
            && opening <= stones.len()
            && Position::from_moves(*rules, &stones).is_ok();
        let winner = Player::BOTH.get(usize::from(winner)).copied();
        makes_sense.then_some(Self { number, is_game: kind == 1, winner, opening, stones, labels })
    }
}

/// The labels of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelFile {
    /// How they were made.
    pub origin: Origin,
    /// The rules.
    pub rules: Rules,
    /// The runs, as they stand in the file: by their numbers, from 0 on.
    pub runs: Vec<LabelledRun>,
    /// Bytes up to the end of the last whole run.
    pub whole: usize,
}

impl LabelFile {
    /// What such files hold.
    pub const KIND: FileKind = FileKind { magic: b"SXLABEL1", name: "labelled positions" };

    /// The first bytes of a file.
    pub fn header(origin: &Origin) -> Vec<u8> {
        header_bytes(Self::KIND, origin)
    }

    /// Reads every whole run and replays it.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, RecordsError> {
        let records = Records::from_bytes(bytes, Self::KIND)?;
        let rules = records.origin.rules()?;
        let run = |(at, body): (usize, &&[u8])| {
            LabelledRun::from_body(body, &rules)
                .filter(|run| run.number == at as u64)
                .ok_or(RecordsError::Senseless(at + 1))
        };
        let runs = records.bodies.iter().enumerate().map(run).collect::<Result<_, _>>()?;
        Ok(Self { origin: records.origin, rules, runs, whole: records.whole })
    }

    /// Labels in all.
    pub fn label_count(&self) -> usize {
        self.runs.iter().map(|run| run.labels.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(number: u64) -> LabelledRun {
        let cells = |cells: &[usize]| cells.iter().copied().map(Cell::new).collect::<Vec<_>>();
        LabelledRun {
            number,
            is_game: number == 1,
            winner: Some(Player::White),
            opening: 1,
            stones: cells(&[112, 113, 98]),
            labels: vec![
                Label { prefix: 3, beside: vec![], value: -300 },
                Label { prefix: 2, beside: cells(&[7, 9]), value: 12 },
            ],
        }
    }

    fn file(runs: &[LabelledRun]) -> Vec<u8> {
        let mut bytes = LabelFile::header(&Origin::new(&Rules::GOMOKU, "a test"));
        bytes.extend(runs.iter().flat_map(LabelledRun::to_bytes));
        bytes
    }

    #[test]
    fn bytes_and_back_and_one_flipped_bit() {
        let bytes = file(&[run(0), run(1)]);
        let read = LabelFile::from_bytes(&bytes).expect("whole");
        assert_eq!((read.runs, read.whole), (vec![run(0), run(1)], bytes.len()));
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(LabelFile::from_bytes(&changed).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let mut occupied = run(0);
        occupied.labels[1].beside[0] = occupied.stones[0];
        let mut long = run(0);
        long.labels[0].prefix = 4;
        let mut beside = run(0);
        beside.labels[1].beside[1] = Cell::new(225);
        for run in [occupied, long, beside, run(1)] {
            assert_eq!(LabelFile::from_bytes(&file(&[run])), Err(RecordsError::Senseless(1)));
        }
    }
}
