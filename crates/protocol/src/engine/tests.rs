//! Sessions as transcripts, commands while thinking, and hostile hosts.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use collinear_play::{
    Agent, AgentError, Budget, Line, Report, Turn, Value, agent_fn, stone_by_stone,
};
use collinear_rules::hash::mix;
use collinear_rules::{Position, Rules};

use super::*;

/// Plays the first legal cells, row by row from the bottom left, and says what they are worth.
struct Valued(f32);

impl Agent for Valued {
    fn choose(
        &mut self,
        position: &Position,
        _: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let turn = first(position)?;
        let lines = vec![Line { value: Value::Chance(self.0), stones: turn.clone() }];
        on(&Report { depth: 1, nodes: 1, lines, ..Report::default() });
        Ok(turn)
    }
}

fn first(position: &Position) -> Result<Turn, AgentError> {
    stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())
}

fn options(rules: Rules) -> EngineOptions {
    let last_words = Duration::from_secs(30);
    EngineOptions { name: "Test".to_owned(), rules, budget: Budget::default(), last_words }
}

type Maker = fn(&Rules, &Demands) -> Result<Box<dyn Agent>, BuildError>;

const FIRST: Maker = |_, _| Ok(Box::new(Valued(0.25)));
/// Thinks until it is stopped.
const PATIENT: Maker = |_, _| {
    Ok(Box::new(agent_fn(|position, budget| {
        while !budget.stop.is_stopped() {
            thread::sleep(Duration::from_millis(1));
        }
        first(position)
    })))
};

/// What the engine says to a whole script.
pub(super) fn transcript(protocol: Protocol, script: &str) -> String {
    let mut output = Vec::new();
    let input = std::io::Cursor::new(script.to_owned().into_bytes());
    serve(protocol, input, &mut output, &options(protocol.usual_game()), &FIRST).expect("served");
    String::from_utf8(output).expect("text")
}

/// Checks a session written as `> line to the engine` and `< line it answers`.
fn session(protocol: Protocol, text: &str) {
    let lines = |mark: &str| -> String {
        let picked = text.lines().filter_map(|line| line.trim().strip_prefix(mark));
        picked.flat_map(|line| [line.trim(), "\n"]).collect()
    };
    let answers = lines("<").replace("VERSION", env!("CARGO_PKG_VERSION"));
    assert_eq!(transcript(protocol, &lines(">")), answers, "{protocol}");
}

#[test]
fn a_cloudict_session() {
    session(
        Protocol::Cloudict,
        "> name
         < name Test
         > new black
         < move JJ
         > move IKKK
         < move AABA
         > move LL
         < error: move \"LL\": the turn takes 2 stones and only 1 were named
         > move JJAB
         < error: move \"JJAB\": stone 1 of the turn, j10: the cell is occupied
         > move Z1AB
         < error: move \"Z1AB\": \"Z1\" is not a cell: expected two letters such as JJ
         > depth 3
         > depth x
         < error: depth \"x\": a number from 1 to 99 is needed
         > vcf
         > unvcf
         > engine
         < black: JJ AABA
         > opponent
         < white: IKKK
         > chains
         < black: 2: a1 b1
         < white: 1: i11
         > new white
         > black JJ
         > white IKKK
         > move JKJL
         < move AABA
         > new xxx
         > white AASS
         > black JJKK
         > next
         < move BACA
         > frobnicate
         < error: unknown command \"frobnicate\": try help
         > quit
         > name",
    );
}

#[test]
fn a_sau_session_counts_rows_from_the_top() {
    session(
        Protocol::Sau,
        "> name?
         < name Test
         > new black
         < move JJ@@
         > move IKKK
         < move ASBS
         > error
         > new white
         > move JJ@@
         < move ASBS
         > end black
         > name
         < error: unknown command \"name\"
         > quit",
    );
}

#[test]
fn a_gomocup_session() {
    session(
        Protocol::Gomocup,
        "> ABOUT
         < name=\"Test\", version=\"VERSION\", author=\"Collinear\"
         > TURN 1,1
         < ERROR START must come first
         > START
         < ERROR a board size such as 15, or 20,15, is missing
         > START 4
         < ERROR k = 5 does not fit on a 4x4 board: no line has 5 cells
         > start 15
         < OK
         > INFO timeout_turn 5000
         > INFO something new
         > BEGIN
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > TURN 7,7
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | b1
         < 1,14
         > TURN 7,7
         < ERROR stone 1 of the turn, h8: the cell is occupied
         > TAKEBACK 1,14
         < OK
         > TAKEBACK 3,3
         < ERROR there is no stone to take back
         > TAKEBACK 0,14
         < OK
         > BEGIN
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > BOARD
         > 7,7,2
         > DONE
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > BOARD
         > 7,7,1
         > 8,8,2
         > 5,5,3
         > 9,9,2
         > 6,6,2
         > DONE
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > BOARD
         > 7,7,5
         > DONE
         < ERROR field 5 is not supported
         > BOARD
         > 7,7
         > DONE
         < ERROR X,Y,FIELD or DONE expected
         > BOARD
         > ABOUT
         < ERROR a block of stones did not end with DONE
         < name=\"Test\", version=\"VERSION\", author=\"Collinear\"
         > RESTART
         < OK
         > RECTSTART 20,1
         < OK
         > SWAP2BOARD
         > DONE
         < ERROR the board is too small for swap2
         > RECTSTART 20,10
         < OK
         > PLAY 3,3
         < 3,3
         > HELLO
         < UNKNOWN HELLO
         > 3,3
         > DONE
         > INFO game connect 19 19 6 2 1
         > START 19
         < OK
         > TURN 9,9
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1 b1
         < 0,18 1,18
         > TURN 1,1 2,2
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | c1 d1
         < 2,18 3,18
         > END",
    );
}

#[test]
fn a_rule_that_is_not_known_is_refused_at_once_and_forgotten_at_start() {
    session(
        Protocol::Gomocup,
        "> START 15
         < OK
         > INFO rule 8
         < MESSAGE rule 8 is not supported
         > BEGIN
         < ERROR rule 8 is not supported
         > TURN 3,3
         < ERROR rule 8 is not supported
         > ABOUT
         < name=\"Test\", version=\"VERSION\", author=\"Collinear\"
         > INFO rule 1
         > BEGIN
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > INFO rule 9
         < MESSAGE rule 9 is not supported
         > START 15
         < OK
         > BEGIN
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > INFO rule 6
         > TURN 3,3
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | b1
         < 1,14
         > END",
    );
}

#[test]
fn renju_shows_its_forbidden_points() {
    // A double three at h8, as Rapfi has it.
    let black = ["5,7,1\n", "6,7,1\n", "7,5,1\n", "7,6,1\n"];
    let white = ["14,14,2\n", "12,14,2\n", "10,14,2\n", "8,14,2\n"];
    let in_turn = black.into_iter().zip(white).flat_map(|(one, other)| [one, other]);
    let stones: String = in_turn.collect();
    let script = format!("START 15\nINFO rule 4\nyxboard\n{stones}done\nyxshowforbid\n");
    assert_eq!(transcript(Protocol::Gomocup, &script), "OK\nFORBID 0707.\n");
    // A rule that comes behind the stones keeps them, in any order.
    let script = format!("START 15\nyxboard\n14,14,2\n{stones}done\nINFO rule 2\nyxshowforbid\n");
    assert!(transcript(Protocol::Gomocup, &script).contains("occupied"));
    let mixed = [black, white].concat().concat();
    let script = format!("START 15\nyxboard\n{mixed}done\nINFO rule 2\nyxshowforbid\n");
    assert_eq!(transcript(Protocol::Gomocup, &script), "OK\nFORBID 0707.\n");
}

#[test]
fn a_session_of_yixin_board() {
    // Rows from the top come first there, and so do names.
    session(
        Protocol::Gomocup,
        "> start 15 15
         < OK
         > INFO show_detail 1
         > yxboard
         > 3,3,2
         > done
         > yxnbest 2
         < MESSAGE REALTIME REFRESH
         < MESSAGE REALTIME BEST 0,14
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | a1
         < 0,14
         > turn 3,4
         < MESSAGE REALTIME REFRESH
         < MESSAGE REALTIME BEST 1,14
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | b1
         < 1,14
         > INFO show_detail 2
         > yxnbest
         < INFO PV 0
         < INFO NUMPV 1
         < INFO DEPTH 1
         < INFO SELDEPTH 1
         < INFO NODES 1
         < INFO TOTALNODES 1
         < INFO TOTALTIME 0
         < INFO SPEED 1000
         < INFO EVAL -220
         < INFO WINRATE 0.2500
         < INFO BESTLINE 2,14
         < INFO PV DONE
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | c1
         < 2,14
         > INFO show_detail 0
         > yxshowforbid
         < FORBID .
         > yxblock
         > 3,14
         > 4,14
         > done
         > yxblockundo
         > 3,14
         > done
         > yxsearchdefend
         < MESSAGE Depth 1 | Eval -220 | Chance 25.0 % | Nodes 1 | Speed 1000 | Time 0ms | d1
         < 3,14
         > yxblockreset
         > yxhashclear
         > yxshowhashusage
         < MESSAGE the use of the transposition table is not counted
         > yxhashdump
         > /tmp/a file
         < MESSAGE the transposition table is not kept in files
         > yxquerydatabaseall
         > 3,3
         > done
         > yxquerydatabaseone
         > 3,3
         > done
         < MESSAGE DATABASE ONE 0 0 0 0
         > yxquerydatabasetext
         > done
         < MESSAGE DATABASE TEXT \"\"
         > yxedittvddatabase 1 0 0 0
         > 3,3
         > done
         < MESSAGE there is no database
         > yxforbid add 3 3 0
         < MESSAGE cells cannot be closed to one colour
         > yxdraw
         < MESSAGE yxdraw has no effect
         > yxfrobnicate
         < UNKNOWN YXFROBNICATE
         > END",
    );
}

#[test]
fn excluded_cells_are_not_played() {
    let script = "START 15\nyxblock\n0,14\n1,14\ndone\nBEGIN\n";
    let said = transcript(Protocol::Gomocup, script);
    let last = said.lines().last().expect("an answer");
    assert!(last.contains(',') && !["0,14", "1,14"].contains(&last), "{said}");
    // On the next board every cell is free, also where the one before had more cells.
    let script = "START 6\nyxblock\n1,1\ndone\nRECTSTART 20,1\nBEGIN\n";
    let said = transcript(Protocol::Gomocup, script);
    assert!(said.lines().last().is_some_and(|line| line.ends_with(",0")), "{said}");
    let all = ["0,0", "1,0", "2,0", "3,0", "4,0", ""].join("\n");
    let script = format!("RECTSTART 5,1\nyxblock\n{all}done\nBEGIN\n");
    assert!(transcript(Protocol::Gomocup, &script).contains("ERROR every cell is excluded"));
}

#[test]
fn balanced_moves_are_put_on_the_board() {
    // The agent thinks nothing of any move, so the first that were looked at are as good as others.
    let said = transcript(
        Protocol::Gomocup,
        "START 15\nBOARD\n7,7,2\nDONE\nyxbalanceone 0\nyxbalancetwo\nyxbalanceone x\nyxshowforbid\n",
    );
    let moves: Vec<&str> = said.lines().filter(|line| line.contains(',')).collect();
    let [first, one, two] = moves[..] else { panic!("{said}") };
    assert_eq!(first, "0,14");
    assert_eq!((one.split(' ').count(), two.split(' ').count()), (1, 2));
    assert!(said.contains("ERROR expected a value such as 0"), "{said}");
}

#[test]
fn the_openings_are_decided_in_the_form_of_each_program() {
    let said = |script: &str| -> Vec<String> {
        let script = format!("START 15\n{script}END\n");
        let said = transcript(Protocol::Gomocup, &script);
        let tell = |line: &&str| *line != "OK" && !line.starts_with("MESSAGE Depth");
        said.lines().filter(tell).map(str::to_owned).collect()
    };
    let three = "7,0\n8,1\n10,0\n";
    // The agent thinks that whoever moves is behind.
    assert_eq!(said(&format!("SWAP2BOARD\n{three}DONE\n")), ["SWAP"]);
    assert_eq!(said("SWAP2BOARD\n7,0,1\n8,1,2\n10,0,1\nDONE\n"), ["SWAP"]);
    assert_eq!(said(&format!("SWAP2BOARD\n{three}3,3\n4,4\nDONE\n")), ["SWAP"]);
    assert!(said("SWAP2BOARD\n7,7\nDONE\n")[0].contains("0, 3 or 5 stones"));
    let opening = said("SWAP2BOARD\nDONE\n");
    assert_eq!(opening[0].split(' ').count(), 3, "{opening:?}");

    let board = "yxboard\n7,0,2\n8,1,1\n10,0,2\ndone\n";
    assert_eq!(said(&format!("{board}yxswap2step2\n")), ["MESSAGE SWAP2 SWAP1 YES"]);
    assert_eq!(said(&format!("{board}yxswap2step3\n")), ["MESSAGE SWAP2 SWAP2 YES"]);
    let moves = |lines: &[String], word: &str| {
        lines.iter().all(|line| line.starts_with(word) && line.split(' ').count() == 5)
    };
    let opening = said("yxswap2step1\n");
    assert!(opening.len() == 3 && moves(&opening, "MESSAGE SWAP2 MOVE"), "{opening:?}");
    let opening = said("yxsoosorvstep1\n");
    assert!(opening.len() == 3 && moves(&opening, "MESSAGE SOOSORV MOVE"), "{opening:?}");
    let four = format!("{three}3,3\n");
    assert_eq!(said(&format!("yxsoosorvstep2\n{three}done\n")), ["MESSAGE SOOSORV SWAP1 YES"]);
    assert_eq!(said(&format!("yxsoosorvstep3\n{three}done\n")), ["MESSAGE SOOSORV MOVE4 0 14 1"]);
    assert_eq!(said(&format!("yxsoosorvstep4 3\n{four}done\n")), ["MESSAGE SOOSORV SWAP2 YES"]);
    let fifths = said(&format!("yxsoosorvstep5 3\n{four}done\n"));
    assert_eq!(fifths.len(), 5);
    assert_eq!(fifths[0], "MESSAGE SOOSORV MOVE5 REFRESH");
    assert_eq!(fifths[1], "MESSAGE SOOSORV MOVE5 0 14");
    assert_eq!(fifths[4], "MESSAGE SOOSORV MOVE5 DONE");
    let picked = said(&format!("yxsoosorvstep6\n{four}2,2\n9,9\n2\ndone\n"));
    assert!(picked[0].starts_with("MESSAGE SOOSORV MOVE5C "), "{picked:?}");
    assert_eq!(said("yxsoosorvstep3\n7,7\ndone\n"), ["ERROR 3 stones are expected, not 1"]);
}

#[test]
fn near_to_even_two_stones_are_put() {
    let even: Maker = |_, _| Ok(Box::new(Valued(0.51)));
    let mut output = Vec::new();
    let script = &b"START 15\nSWAP2BOARD\n7,0\n8,1\n10,0\nDONE\nEND\n"[..];
    serve(Protocol::Gomocup, script, &mut output, &options(Rules::GOMOKU), &even).expect("served");
    let said = String::from_utf8(output).expect("text");
    let last = said.lines().last().expect("an answer");
    assert_eq!(last.matches(',').count(), 2, "{said}");
}

#[test]
fn a_ugi_session() {
    session(
        Protocol::Ugi,
        "> ugi
         < id name Test
         < id author Collinear
         < option name Rules type string default 19x19,k=6,p=2,q=1
         < option name Lines type spin default 1 min 1 max 100
         < option name Threads type spin default 0 min 0 max 1024
         < option name Memory type spin default 0 min 0 max 1048576
         < ugiok
         > isready
         < readyok
         > position startpos moves j10
         > go movetime 100
         < info depth 1 nodes 1 time 0 chance 0.250 pv a1 b1
         < bestmove a1 b1
         > setoption name Rules value connect4
         > position startpos moves d1 e1 d2 e2 d3 e3
         > query p1turn
         < response true
         > go nodes 5
         < info depth 1 nodes 1 time 0 chance 0.250 pv a1
         < bestmove a1
         > position startpos moves d1 e1 d2 e2 d3 e3 d4
         > query gameover
         < response true
         > query result
         < response p1win
         > go
         < error the game is over
         > position startpos moves d2
         < error move 1: the stone would not rest on another one: with gravity only the lowest empty cell of a column is legal
         > uginewgame tictactoe
         > position setup black a1 b1 white c1 tomove white 1
         > go
         < info depth 1 nodes 1 time 0 chance 0.250 pv a2
         < bestmove a2
         > setoption name Colour value 3
         < error no option \"Colour\"
         > go fast
         < error fast needs a number
         > stop
         > xyzzy
         < error unknown command \"xyzzy\"
         > quit
         > isready",
    );
}

/// A session that can be talked to.
struct Talk {
    to: PipeWriter,
    from: Receiver<String>,
}

impl Talk {
    fn open(protocol: Protocol, make: Maker) -> Self {
        let (input, to) = pipe().expect("a pipe");
        let (back, mut output) = pipe().expect("a pipe");
        thread::spawn(move || {
            serve(protocol, input, &mut output, &options(protocol.usual_game()), &make)
        });
        let (sender, from) = mpsc::channel();
        thread::spawn(move || read_all(back, &sender));
        Self { to, from }
    }

    fn say(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).and_then(|()| self.to.write_all(b"\n")).expect("it listens");
    }

    /// The next line that begins so.
    fn wait_for(&self, words: &str) -> String {
        loop {
            let line = self.from.recv_timeout(Duration::from_secs(30)).expect(words);
            if line.starts_with(words) {
                return line;
            }
        }
    }
}

fn read_all(back: PipeReader, sender: &mpsc::Sender<String>) {
    for line in BufReader::new(back).lines().map_while(Result::ok) {
        if sender.send(line).is_err() {
            return;
        }
    }
}

/// Is late with its first turn; says as its nodes how many milliseconds each turn was given.
struct Late(bool);

/// How late.
const LATE: Duration = Duration::from_millis(50);

impl Agent for Late {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let given = budget.time.expect("a limit");
        if !std::mem::replace(&mut self.0, true) {
            thread::sleep(given + LATE);
        }
        let turn = first(position)?;
        let lines = vec![Line { value: Value::Chance(0.5), stones: turn.clone() }];
        on(&Report { depth: 1, nodes: given.as_millis() as u64, lines, ..Report::default() });
        Ok(turn)
    }
}

#[test]
fn the_margin_of_a_turn_grows_with_the_lateness_of_those_before() {
    let mut host = Talk::open(Protocol::Gomocup, |_, _| Ok(Box::new(Late(false))));
    host.say(b"START 15\nINFO timeout_turn 400");
    let given = ["BEGIN", "TURN 7,7", "TURN 8,8"].map(|question| {
        host.say(question.as_bytes());
        let line = host.wait_for("MESSAGE");
        let (_, rest) = line.split_once("Nodes ").expect("its nodes");
        rest.split(' ').next().expect("a number").parse::<u64>().expect("a number")
    });
    // On a busy machine each may be less: the way to the agent took longer, or the answers did.
    assert!(given[0] <= 370 && given[1] <= 320 && given[2] <= 327, "{given:?}");
}

#[test]
fn commands_are_read_while_thinking() {
    let mut talk = Talk::open(Protocol::Ugi, PATIENT);
    talk.say(b"position startpos moves j10\ngo infinite\nisready");
    talk.wait_for("readyok");
    talk.say(b"query p1turn\nstop");
    talk.wait_for("bestmove a1 b1");
    talk.wait_for("response false");
    talk.say(b"go infinite\nquit");
    talk.wait_for("bestmove a1 b1");

    let mut talk = Talk::open(Protocol::Gomocup, PATIENT);
    talk.say(b"START 15\nBEGIN\nYXSTOP");
    talk.wait_for("0,14");
    talk.say(b"TURN 3,3\nEND");
    talk.wait_for("1,14");
}

#[test]
fn the_end_of_the_input_still_brings_the_turn() {
    for (protocol, script, answer) in [
        (Protocol::Ugi, &b"go infinite"[..], "bestmove a1"),
        (Protocol::Gomocup, b"START 15\nBEGIN", "0,14"),
        (Protocol::Cloudict, b"new white\nmove JJ\nmove KKLL", "move CADA"),
        (Protocol::Sau, b"new white\nmove JJ@@", "move ASBS"),
    ] {
        let mut talk = Talk::open(protocol, PATIENT);
        talk.say(script);
        let Talk { to, from } = talk;
        drop(to);
        let lines: Vec<String> = from.iter().collect();
        assert_eq!(lines.last().map(String::as_str), Some(answer), "{lines:?}");
    }
}

#[test]
fn the_end_of_the_input_ends_every_turn_that_waits() {
    let mut talk = Talk::open(Protocol::Ugi, PATIENT);
    talk.say(b"go movetime 1000000000\ngo infinite\nquery p1turn\ngo");
    let Talk { to, from } = talk;
    drop(to);
    let said = ["bestmove a1", "bestmove a1", "response true", "bestmove a1"];
    assert_eq!(from.iter().collect::<Vec<String>>(), said);
}

#[test]
fn an_agent_that_does_not_stop_does_not_hold_the_session() {
    let deaf: Maker = |_, _| {
        Ok(Box::new(agent_fn(|_, _| {
            loop {
                thread::park();
            }
        })))
    };
    for (protocol, script) in [
        (Protocol::Ugi, &b"go infinite\nquit\n"[..]),
        (Protocol::Gomocup, b"START 15\nBEGIN\nTURN 1,1\nINFO rule 1\n"),
        (Protocol::Cloudict, b"new white\nmove JJ\n"),
        (Protocol::Sau, b"new white\nmove JJ@@\nquit\n"),
    ] {
        let last_words = Duration::from_millis(1);
        let options = EngineOptions { last_words, ..options(protocol.usual_game()) };
        serve(protocol, script, &mut Vec::new(), &options, &deaf).expect("served");
    }
}

/// Seeded numbers for a mess.
struct Mess(u64);

impl Mess {
    fn below(&mut self, most: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 % most as u64) as usize
    }

    /// A line nobody should write: noise, known words in a wrong order, numbers out of range.
    fn line(&mut self, words: &[&str]) -> Vec<u8> {
        if self.below(300) == 0 {
            return vec![b'A'; 100_000];
        }
        let mut line = Vec::new();
        for _ in 0..=self.below(5) {
            match self.below(4) {
                0 => line.extend((0..self.below(12)).map(|_| self.below(256) as u8)),
                1 => line.extend(format!("{}", self.below(1 << 40) as i64 - (1 << 39)).bytes()),
                2 => line.extend(format!("{},{}", self.below(30), self.below(30)).bytes()),
                _ => line.extend(words[self.below(words.len())].bytes()),
            }
            line.push(b' ');
        }
        line.retain(|b| !matches!(b, b'\n' | b'\r'));
        line
    }
}

#[test]
fn a_thousand_hostile_lines_each() {
    let cases: [(Protocol, &str, &str, &[&str]); 4] = [
        (
            Protocol::Cloudict,
            "name",
            "name Test",
            &["new", "black", "white", "move", "JJ", "IKKK", "next", "depth", "print", "chains"],
        ),
        (
            Protocol::Sau,
            "name?",
            "name Test",
            &["new", "black", "white", "move", "JJ@@", "IKKK", "error", "end", "@@@@"],
        ),
        (
            Protocol::Gomocup,
            "ABOUT",
            "name=\"Test\"",
            &[
                "START",
                "20",
                "BEGIN",
                "TURN",
                "BOARD",
                "DONE",
                "INFO",
                "rule",
                "game",
                "connect",
                "RECTSTART",
                "TAKEBACK",
                "SWAP2BOARD",
                "YXNBEST",
                "time_left",
                "timeout_turn",
                "1",
            ],
        ),
        (
            Protocol::Ugi,
            "isready",
            "readyok",
            &[
                "ugi",
                "position",
                "startpos",
                "setup",
                "moves",
                "j10",
                "a1",
                "go",
                "nodes",
                "depth",
                "setoption",
                "name",
                "Rules",
                "value",
                "connect4",
                "64x64,k=5",
                "tomove",
                "black",
                "white",
                "query",
                "result",
                "uginewgame",
                "infinite",
            ],
        ),
    ];
    for (protocol, probe, answer, words) in cases {
        let mut talk = Talk::open(protocol, FIRST);
        let mut mess = Mess(2026);
        for _ in 0..1000 {
            let line = mess.line(words);
            talk.say(&line);
            talk.say(probe.as_bytes());
            talk.wait_for(answer);
        }
    }
}

#[test]
fn an_agent_that_cannot_be_made_is_an_error_not_an_end() {
    let refuse = |_: &Rules, _: &Demands| Err(BuildError::Other("no book".to_owned()));
    let mut output = Vec::new();
    let input = &b"new white\nmove JJ\nname\n"[..];
    serve(Protocol::Cloudict, input, &mut output, &options(Rules::CONNECT6), &refuse).expect("ok");
    assert_eq!(String::from_utf8_lossy(&output), "error: no book\nname Test\n");
    assert!(
        serve(
            Protocol::Sau,
            &b""[..],
            &mut output,
            &options("30x30,k=5".parse().expect("rules")),
            &FIRST
        )
        .is_err_and(|error| error.to_string().contains("26x26"))
    );
}
