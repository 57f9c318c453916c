//! Boards of many threads, evaluated in batches by somebody else: a graphics card, say.
//!
//! ```text
//! to the server, at once     width, height: a byte each
//! a question                 u32 boards; per board a byte per cell (EMPTY, OWN, OTHER), then 1 for
//!                            "one stone left", else 0
//! its answer                 per board f32: the value's logit, then a logit per cell
//! ```
//! Numbers are little-endian. The end of its input tells the server to go. If it fails, whoever
//! waits computes the rest himself.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// The most boards of one question.
const MAX_BATCH: usize = 256;

/// Somebody who evaluates; threads share him.
#[derive(Clone, Debug)]
pub struct Server {
    boards: Sender<Board>,
}

/// A board with its "one stone left", and where the answer goes.
#[derive(Debug)]
struct Board {
    cells: Vec<u8>,
    answer: SyncSender<Vec<f32>>,
}

impl Server {
    /// Talks to a server for boards of this size. `failed` hears why, should he fail.
    pub fn start(
        mut to: impl Write + Send + 'static,
        mut from: impl Read + Send + 'static,
        (width, height): (u8, u8),
        failed: impl FnOnce(io::Error) + Send + 'static,
    ) -> Self {
        let (boards, asked) = channel();
        thread::spawn(move || {
            let cells = usize::from(width) * usize::from(height);
            let served = to
                .write_all(&[width, height])
                .and_then(|()| answer_all(&asked, &mut to, &mut from, cells));
            if let Err(error) = served {
                failed(error);
            }
        });
        Self { boards }
    }

    /// The value's logit and those of the cells; `None` once the server has failed.
    pub(super) fn evaluate(&self, board: &[u8], one_left: bool) -> Option<Vec<f32>> {
        let (answer, answered) = sync_channel(1);
        let mut cells = board.to_vec();
        cells.push(u8::from(one_left));
        self.boards.send(Board { cells, answer }).ok()?;
        answered.recv().ok()
    }
}

/// Whatever has come together while the last question was answered makes the next one.
fn answer_all(
    asked: &Receiver<Board>,
    to: &mut impl Write,
    from: &mut impl Read,
    cells: usize,
) -> io::Result<()> {
    let mut batch = Vec::with_capacity(MAX_BATCH);
    let mut bytes = Vec::new();
    while let Ok(first) = asked.recv() {
        batch.clear();
        batch.push(first);
        batch.extend(asked.try_iter().take(MAX_BATCH - 1));
        bytes.clear();
        bytes.extend((batch.len() as u32).to_le_bytes());
        bytes.extend(batch.iter().flat_map(|board| &board.cells));
        to.write_all(&bytes)?;
        to.flush()?;
        let length = 4 * (1 + cells);
        bytes.resize(batch.len() * length, 0);
        from.read_exact(&mut bytes)?;
        for (board, answer) in batch.iter().zip(bytes.chunks_exact(length)) {
            let (numbers, _) = answer.as_chunks();
            let numbers: Vec<f32> = numbers.iter().map(|&four| f32::from_le_bytes(four)).collect();
            if numbers.iter().any(|number| !number.is_finite()) {
                return Err(io::Error::other("an answer is not a number"));
            }
            // Who asked may be gone.
            let _ = board.answer.send(numbers);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::super::{Evaluator, Net};
    use super::*;
    use collinear_rules::Rules;

    /// A server that computes like everyone else, and leaves after so many questions.
    fn serve(
        rules: Rules,
        net: Arc<Net>,
        questions: usize,
    ) -> (Server, Arc<Mutex<Option<String>>>) {
        let (mut asking, to) = std::io::pipe().expect("a pipe");
        let (from, mut answering) = std::io::pipe().expect("a pipe");
        let reason = Arc::new(Mutex::new(None));
        let told = reason.clone();
        let size = (rules.width() as u8, rules.height() as u8);
        let server = Server::start(to, from, size, move |error| {
            *told.lock().expect("whole") = Some(error.to_string());
        });
        thread::spawn(move || {
            let mut size = [0; 2];
            asking.read_exact(&mut size).expect("a size");
            let (width, height) = (usize::from(size[0]), usize::from(size[1]));
            let mut evaluator = Evaluator::new(net, width, height);
            let mut board = vec![0; width * height + 1];
            for _ in 0..questions {
                let mut count = [0; 4];
                if asking.read_exact(&mut count).is_err() {
                    break;
                }
                for _ in 0..u32::from_le_bytes(count) {
                    asking.read_exact(&mut board).expect("a board");
                    let (cells, one_left) = board.split_at(width * height);
                    let value = evaluator.evaluate(cells, one_left[0] == 1);
                    let numbers = std::iter::once(&value).chain(evaluator.policy());
                    let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
                    answering.write_all(&bytes).expect("somebody listens");
                }
            }
        });
        (server, reason)
    }

    fn board(cells: usize, seed: usize) -> Vec<u8> {
        (0..cells).map(|cell| ((cell * 7 + seed * 13) % 11).min(3) as u8 % 3).collect()
    }

    #[test]
    fn many_threads_get_the_answers_to_their_own_boards() {
        let rules = Rules::CONNECT6;
        let net = Net::for_rules(&rules).expect("shipped");
        let (server, reason) = serve(rules, net.clone(), usize::MAX);
        thread::scope(|scope| {
            for thread in 0..8 {
                let (server, net) = (server.clone(), net.clone());
                scope.spawn(move || {
                    let mut alone = Evaluator::new(net.clone(), 19, 19);
                    let mut served = Evaluator::new(net, 19, 19).served_by(server);
                    for number in 0..20 {
                        let board = board(361, thread * 100 + number);
                        let one_left = number % 2 == 1;
                        let here = alone.evaluate(&board, one_left).to_bits();
                        assert_eq!(served.evaluate(&board, one_left).to_bits(), here);
                        assert_eq!(served.policy(), alone.policy());
                    }
                });
            }
        });
        assert_eq!(*reason.lock().expect("whole"), None);
    }

    #[test]
    fn when_the_server_fails_the_rest_is_computed_here() {
        let rules = Rules::CONNECT6;
        let net = Net::for_rules(&rules).expect("shipped");
        let (server, reason) = serve(rules, net.clone(), 2);
        let mut alone = Evaluator::new(net.clone(), 19, 19);
        let mut served = Evaluator::new(net, 19, 19).served_by(server);
        for number in 0..5 {
            let board = board(361, number);
            let here = alone.evaluate(&board, false).to_bits();
            assert_eq!(served.evaluate(&board, false).to_bits(), here);
        }
        assert!(reason.lock().expect("whole").is_some());
    }
}
