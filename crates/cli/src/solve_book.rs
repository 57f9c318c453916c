//! Making a Connect Four book: threads take chunks, every finished chunk is on disk at once, and a
//! run that was stopped goes on where it was.
//!
//! ```text
//! OUT.part   one line of text that says which book this is
//!            then, in the order they were finished: chunk number, scores, checksum
//! ```

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use collinear_connect4::{Book, BookMaker, SolveError, Solver};
use collinear_rules::Rules;
use indicatif::{ProgressBar, ProgressStyle};

use crate::whole_file::WholeFile;

/// What book to make, and how.
pub(crate) struct Plan<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) depth: usize,
    pub(crate) out: &'a Path,
    pub(crate) threads: usize,
    /// Bytes of each thread's table.
    pub(crate) memory: usize,
    /// Set from outside to stop; what is done is kept.
    pub(crate) stop: &'a AtomicBool,
}

/// Positions a chunk, at most: some seconds of work on positions that share much of their search.
const MOST_A_CHUNK: usize = 512;
/// Chunks there should be, so that every thread has work to the end.
const CHUNKS: usize = 256;

/// Makes the book, or goes on making it.
pub(crate) fn make(plan: &Plan<'_>) -> Result<Book> {
    let started = Instant::now();
    let maker = BookMaker::new(plan.rules, plan.depth)?;
    let mut part_name = plan.out.as_os_str().to_owned();
    part_name.push(".part");
    let part_path = PathBuf::from(part_name);
    let header = format!(
        "collinear book 1: {} depth {} positions {} list {:016x}\n",
        plan.rules,
        plan.depth,
        maker.len(),
        maker.fingerprint()
    );
    let part = Part::open(&part_path, &header, maker.len())
        .with_context(|| part_path.display().to_string())?;

    let done = part.scores.iter().filter(|scores| scores.is_some()).count();
    let bar = ProgressBar::new(part.scores.len() as u64).with_position(done as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:24} {pos}/{len} chunks, {elapsed} gone, {eta} left")
    {
        bar.set_style(style);
    }
    bar.reset_eta();
    let todo: Vec<usize> =
        (0..part.scores.len()).filter(|&chunk| part.scores[chunk].is_none()).collect();
    let part = Mutex::new(part);
    let next = AtomicUsize::new(0);
    let nodes = Mutex::new(0_u64);
    std::thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..plan.threads.max(1))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    let stop = || plan.stop.load(Ordering::Relaxed);
                    let mut solver = Solver::without_book(plan.rules)?.memory(plan.memory);
                    while let Some(&chunk) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let solved =
                            match maker.solve(&mut solver, range(chunk, maker.len()), &stop) {
                                Err(SolveError::Stopped { .. }) => return Ok(()),
                                solved => solved?,
                            };
                        *lock(&nodes) += solved.nodes;
                        lock(&part).append(chunk, solved.scores)?;
                        bar.inc(1);
                    }
                    Ok(())
                })
            })
            .collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    bar.finish_and_clear();

    let part = part.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let Some(scores) = part.scores.iter().cloned().collect::<Option<Vec<_>>>() else {
        let done = part.scores.iter().flatten().count();
        bail!(
            "stopped with {done} of {} chunks done; the same command goes on from {}",
            part.scores.len(),
            part_path.display()
        );
    };
    let book = maker.finish(&scores.concat())?;
    let mut file = WholeFile::create(plan.out).with_context(|| plan.out.display().to_string())?;
    file.write_all(book.as_bytes())?;
    file.commit()?;
    let nodes = *lock(&nodes);
    eprintln!(
        "{} positions, {} bytes, {nodes} nodes in this run, {:.0} s",
        book.len(),
        book.as_bytes().len(),
        started.elapsed().as_secs_f64()
    );
    // The book holds everything now.
    std::fs::remove_file(&part_path).with_context(|| part_path.display().to_string())?;
    Ok(book)
}

/// Positions a chunk.
fn chunk_size(positions: usize) -> usize {
    (positions / CHUNKS).clamp(1, MOST_A_CHUNK)
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

impl Part {
    /// Opens or begins the file. What a crash left half-written at its end is cut off.
    fn open(path: &Path, header: &str, positions: usize) -> Result<Self> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut scores = vec![None; positions.div_ceil(chunk_size(positions))];
        if bytes.is_empty() {
            file.write_all(header.as_bytes())?;
            file.sync_data()?;
            return Ok(Self { file, scores });
        }
        let Some(mut rest) = bytes.strip_prefix(header.as_bytes()) else {
            bail!("this is the beginning of another book; remove it or choose another --out");
        };
        while let Some((chunk, found, after)) = read_record(rest, positions) {
            scores[chunk] = Some(found);
            rest = after;
        }
        let sound = (bytes.len() - rest.len()) as u64;
        file.set_len(sound)?;
        file.seek(SeekFrom::Start(sound))?;
        Ok(Self { file, scores })
    }

    fn append(&mut self, chunk: usize, scores: Vec<i8>) -> Result<()> {
        let mut record = (chunk as u32).to_le_bytes().to_vec();
        record.extend(scores.iter().map(|&score| score as u8));
        record.extend(sum(&record).to_le_bytes());
        self.file.write_all(&record)?;
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
    (sum(record) == u64::from_le_bytes(*found))
        .then(|| (chunk, record[4..].iter().map(|&byte| byte as i8).collect(), rest))
}

/// FNV-1a.
fn sum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
