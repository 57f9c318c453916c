//! Making a book over hours: threads take chunks, every finished chunk is on disk at once, and a
//! run that was stopped goes on where it was.
//!
//! ```text
//! OUT.part   one line of text that says which book this is
//!            then, in the order they were finished: chunk number, scores, checksum
//! ```

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use thiserror::Error;

use super::{Book, BookMaker, MakeError};
use crate::solver::{SolveError, Solver};

/// What book to make, and how.
pub struct Plan<'a> {
    /// The game.
    pub rules: &'a Rules,
    /// Stones on the board in every position of the book.
    pub depth: usize,
    /// The file of finished chunks.
    pub part: &'a Path,
    /// Forget the chunks of an earlier run.
    pub fresh: bool,
    /// How many threads solve.
    pub threads: usize,
    /// Bytes of each thread's table.
    pub memory: usize,
    /// Asked whether to stop; what is done is kept.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Hears how many chunks are done, of how many.
    pub on: &'a (dyn Fn(usize, usize) + Sync),
}

/// A finished book.
pub struct Made {
    /// The book. When it is safe on disk the file of chunks is of no more use.
    pub book: Book,
    /// Positions searched in this run.
    pub nodes: u64,
}

/// Why there is no book yet.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// No book can be made of this.
    #[error(transparent)]
    Make(#[from] MakeError),
    /// A position cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The file of finished chunks belongs to another book.
    #[error("{} is the beginning of another book; remove it or choose another --out", path.display())]
    OtherBook {
        /// The file.
        path: PathBuf,
    },
    /// The file of finished chunks was changed.
    #[error(
        "{} is damaged at byte {at}: restore it from a copy, or --fresh begins again",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the chunk begins that cannot be read.
        at: usize,
    },
    /// The file of finished chunks cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Somebody stopped it.
    #[error(
        "stopped: {done} of {chunks} chunks are done; the same command goes on from {}",
        path.display()
    )]
    Stopped {
        /// Chunks that are finished.
        done: usize,
        /// All chunks.
        chunks: usize,
        /// Where they are kept.
        path: PathBuf,
    },
}

/// The most positions of a chunk: some seconds of work on positions that share much of their search.
const MAX_CHUNK: usize = 512;
/// Chunks there should be, so that every thread has work to the end.
const CHUNKS: usize = 256;

/// Makes the book, or goes on making it.
pub fn make(plan: &Plan<'_>) -> Result<Made, RunError> {
    let maker = BookMaker::new(plan.rules, plan.depth)?;
    let told = |error| RunError::Io { path: plan.part.to_owned(), error };
    let header = format!(
        "collinear book 1: {} depth {} positions {} list {:016x}\n",
        plan.rules,
        plan.depth,
        maker.len(),
        maker.fingerprint()
    );
    if plan.fresh && plan.part.exists() {
        fs::remove_file(plan.part).map_err(told)?;
    }
    let part = Part::open(plan.part, &header, maker.len()).map_err(told)?;
    let part = match part {
        Opened::Ours(part) => part,
        Opened::Other => return Err(RunError::OtherBook { path: plan.part.to_owned() }),
        Opened::Damaged { at } => {
            return Err(RunError::Damaged { path: plan.part.to_owned(), at });
        }
    };

    let chunks = part.scores.len();
    let todo: Vec<usize> = (0..chunks).filter(|&chunk| part.scores[chunk].is_none()).collect();
    let done = AtomicUsize::new(chunks - todo.len());
    (plan.on)(chunks - todo.len(), chunks);
    let part = Mutex::new(part);
    let (next, nodes) = (AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| -> Result<(), RunError> {
        let work = || -> Result<(), RunError> {
            let solver = Solver::without_book(plan.rules).map_err(MakeError::from)?;
            let mut solver = solver.memory(plan.memory);
            while let Some(&chunk) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                let solved = match maker.solve(&mut solver, range(chunk, maker.len()), plan.stop) {
                    Err(SolveError::Stopped { .. }) => return Ok(()),
                    solved => solved?,
                };
                nodes.fetch_add(solved.nodes, Ordering::Relaxed);
                lock(&part).append(chunk, solved.scores).map_err(told)?;
                (plan.on)(done.fetch_add(1, Ordering::Relaxed) + 1, chunks);
            }
            Ok(())
        };
        // Where the system has no thread to spare, those that there are solve, or this one.
        let begin = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
        let workers: Vec<_> = (0..plan.threads.max(1)).filter_map(begin).collect();
        if workers.is_empty() {
            return work();
        }
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;

    let part = part.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(scores) = part.scores.iter().cloned().collect::<Option<Vec<_>>>() else {
        let done = part.scores.iter().flatten().count();
        return Err(RunError::Stopped { done, chunks, path: plan.part.to_owned() });
    };
    let book = maker.finish(&scores.concat())?;
    Ok(Made { book, nodes: nodes.into_inner() })
}

/// Positions of a chunk.
fn chunk_size(positions: usize) -> usize {
    (positions / CHUNKS).clamp(1, MAX_CHUNK)
}

/// The positions of a chunk.
fn range(chunk: usize, positions: usize) -> std::ops::Range<usize> {
    let size = chunk_size(positions);
    chunk * size..((chunk + 1) * size).min(positions)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The file of finished chunks.
struct Part {
    file: File,
    scores: Vec<Option<Vec<i8>>>,
}

/// What was found in a file of finished chunks.
enum Opened {
    Ours(Part),
    /// It belongs to another book.
    Other,
    /// A chunk in the middle cannot be read.
    Damaged {
        at: usize,
    },
}

impl Part {
    /// Opens or begins the file. What a crash left half-written at its end, less than a chunk, is cut
    /// off.
    fn open(path: &Path, header: &str, positions: usize) -> io::Result<Opened> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(io::Error::other("this is not a plain file"));
        }
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut scores = vec![None; positions.div_ceil(chunk_size(positions))];
        if bytes.is_empty() {
            file.write_all(header.as_bytes())?;
            file.sync_data()?;
            return Ok(Opened::Ours(Self { file, scores }));
        }
        let Some(mut rest) = bytes.strip_prefix(header.as_bytes()) else {
            return Ok(Opened::Other);
        };
        while let Some((chunk, found, after)) = read_record(rest, positions) {
            scores[chunk] = Some(found);
            rest = after;
        }
        let sound = bytes.len() - rest.len();
        let longest = size_of::<u32>() + chunk_size(positions) + size_of::<u64>();
        if rest.len() > longest {
            return Ok(Opened::Damaged { at: sound });
        }
        file.set_len(sound as u64)?;
        file.seek(SeekFrom::Start(sound as u64))?;
        Ok(Opened::Ours(Self { file, scores }))
    }

    fn append(&mut self, chunk: usize, scores: Vec<i8>) -> io::Result<()> {
        let mut record = (chunk as u32).to_le_bytes().to_vec();
        record.extend(scores.iter().map(|&score| score as u8));
        record.extend(fnv1a(&record).to_le_bytes());
        self.file.write_all(&record)?;
        self.file.sync_data()?;
        self.scores[chunk] = Some(scores);
        Ok(())
    }
}

/// The first record and what follows it, if it is whole.
fn read_record(bytes: &[u8], positions: usize) -> Option<(usize, Vec<i8>, &[u8])> {
    let chunk = u32::from_le_bytes(*bytes.first_chunk()?) as usize;
    if chunk >= positions.div_ceil(chunk_size(positions)) {
        return None;
    }
    let length = size_of::<u32>() + range(chunk, positions).len();
    let (record, rest) = bytes.split_at_checked(length)?;
    let (found, rest) = rest.split_first_chunk()?;
    (fnv1a(record) == u64::from_le_bytes(*found))
        .then(|| (chunk, record[4..].iter().map(|&byte| byte as i8).collect(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(part: &Path, stop: &(dyn Fn() -> bool + Sync)) -> Result<Made, RunError> {
        let rules: Rules = "5x4,k=4,gravity".parse().expect("a game");
        make(&Plan {
            rules: &rules,
            depth: 6,
            part,
            fresh: false,
            threads: 1,
            memory: 1 << 16,
            stop,
            on: &|_, _| (),
        })
    }

    #[test]
    fn chunks_that_were_changed_are_refused_and_only_a_torn_one_is_cut() {
        let folder = std::env::temp_dir().join(format!("collinear-part-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let part = folder.join("book.part");
        let whole = book(&part, &|| false).expect("a book").book;
        let bytes = fs::read(&part).expect("read");
        let header = bytes.iter().position(|&byte| byte == b'\n').expect("a line") + 1;
        // In the middle of a chunk that others follow.
        let mut changed = bytes.clone();
        changed[header + 6] ^= 1;
        fs::write(&part, &changed).expect("written");
        let refused = book(&part, &|| false).err().expect("refused").to_string();
        assert!(refused.contains(&format!("damaged at byte {header}")), "{refused}");
        assert_eq!(fs::read(&part).expect("read"), changed, "it is left as it is");
        fs::write(&part, &bytes[..bytes.len() - 3]).expect("written");
        let made = book(&part, &|| false).expect("a book");
        assert_eq!(made.book.as_bytes(), whole.as_bytes());
        fs::remove_dir_all(&folder).expect("removed");
    }
}
