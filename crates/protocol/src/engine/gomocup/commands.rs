//! Every command that Piskvork, the Gomocup judge, c-gomoku-cli, Yixin-Board and gomoku-calculator
//! send, with what they are answered: one row per command, each on an empty board of 15 by 15.
//!
//! Lines of one side are parted by `|`. What is said while thinking is left out: the sessions in
//! `engine/tests.rs` have it.

use crate::Protocol;
use crate::engine::tests::transcript;

/// The agent plays the first legal cell from the bottom left, a1, which is `0,14`.
const GAME: &[(&str, &str)] = &[
    ("ABOUT", r#"name="Test", version="VERSION", author="Collinear""#),
    ("START 20|BEGIN", "OK|0,19"),
    // Yixin-Board names both sides.
    ("START 15 15|BEGIN", "OK|0,14"),
    ("start 15", "OK"),
    ("START 5|START 64", "OK|OK"),
    ("START 65", "ERROR a board of 65x65 is out of range: each side takes 1 to 64 cells"),
    ("RECTSTART 20,10|BEGIN", "OK|0,9"),
    ("TURN 7,7|RESTART|TURN 7,7", "0,14|OK|0,14"),
    ("BEGIN|TURN 7,7", "0,14|1,14"),
    // Nobody may pass in these rules.
    ("TURN -1,-1", "ERROR -1,-1 is outside the 15x15 board"),
    ("TURN 7,7|TURN 0,14", "0,14|ERROR stone 1 of the turn, a1: the cell is occupied"),
    ("BOARD|7,7,2|DONE", "0,14"),
    ("BOARD|DONE", "0,14"),
    ("BOARD|7,7,1|8,8,2|9,9,1|10,10,2|DONE", "0,14"),
    // In any order.
    ("BOARD|8,8,2|10,10,2|7,7,1|9,9,1|DONE|TURN 3,3", "0,14|1,14"),
    // A stone of a finished row in a continuous game does not count.
    ("BOARD|7,7,2|5,5,3|DONE|TURN 5,5", "0,14|1,14"),
    ("TURN 7,7|TAKEBACK 0,14|TAKEBACK 7,7|BEGIN", "0,14|OK|OK|0,14"),
    // Any stone, not only the last one.
    ("TURN 7,7|TAKEBACK 7,7|TURN 8,8", "0,14|OK|1,14"),
    ("PLAY 3,3|TURN 4,4", "3,3|0,14"),
    ("SWAP2BOARD|7,0|8,1|10,0|DONE", "SWAP"),
    ("SWAP2BOARD|7,0,1|8,1,2|10,0,1|DONE", "SWAP"),
    ("SWAP2BOARD|7,0|8,1|10,0|3,3|4,4|DONE", "SWAP"),
    ("HELLO", "UNKNOWN HELLO"),
    // The lines that belong to an unknown command are not answered one by one.
    ("HELLO|3,3|4,4|DONE|BEGIN", "UNKNOWN HELLO|0,14"),
    ("END|BEGIN", ""),
];

/// INFO has no answer; what cannot be played is refused with a word, and again at the next turn.
const INFO: &[(&str, &str)] = &[
    ("INFO timeout_turn 1000|INFO timeout_match 10000|INFO time_left 9000|BEGIN", "0,14"),
    ("INFO timeout_turn 0|INFO timeout_match 0|INFO time_left 2147483647|BEGIN", "0,14"),
    ("INFO time_left -5|BEGIN", "0,14"),
    // Yixin-Board's "no limit".
    ("INFO timeout_turn 2000000|INFO timeout_match 100000000|INFO max_node -1|BEGIN", "0,14"),
    ("INFO max_memory 0|INFO max_memory 350000000|INFO hash_size 65536|BEGIN", "0,14"),
    ("INFO max_depth 225|INFO max_depth -1|INFO max_node 1000|INFO thread_num 2|BEGIN", "0,14"),
    ("INFO game_type 1|INFO folder C:\\a folder|INFO evaluate 3,4|BEGIN", "0,14"),
    ("INFO time_increment 0|INFO start_depth 2|INFO caution_factor 3|BEGIN", "0,14"),
    ("INFO thread_split_depth 8|INFO pondering 0|INFO vcthread 0|BEGIN", "0,14"),
    ("INFO checkmate 0|INFO nbestsym 1|INFO usedatabase 1|INFO database_readonly 0|BEGIN", "0,14"),
    ("INFO swapable 1|INFO strength 100|INFO max_moves 225|INFO draw_result 0|BEGIN", "0,14"),
    ("INFO evaluator_draw_ratio 1|INFO search_type alphabeta|INFO|INFO rubbish|BEGIN", "0,14"),
    ("info RULE 0|BEGIN", "0,14"),
    ("INFO rule 1|BEGIN", "0,14"),
    ("INFO rule 2|BEGIN", "0,14"),
    ("INFO rule 4|BEGIN", "0,14"),
    ("INFO rule 5|BEGIN", "0,14"),
    ("INFO rule 6|BEGIN", "0,14"),
    ("INFO rule 8|BEGIN", "MESSAGE rule 8 is not supported|ERROR rule 8 is not supported"),
    ("INFO rule 9|INFO rule 1|BEGIN", "MESSAGE rule 9 is not supported|0,14"),
    ("INFO rule 8|START 15|BEGIN", "MESSAGE rule 8 is not supported|OK|0,14"),
    // Lines that begin with INFO come only where they were asked for: Piskvork and Yixin-Board take
    // them for mistakes or turns.
    ("INFO show_detail 1|BEGIN", "MESSAGE REALTIME REFRESH|MESSAGE REALTIME BEST 0,14|0,14"),
];

const YIXIN: &[(&str, &str)] = &[
    ("yxboard|7,7,2|8,8,1|done|yxnbest 1", "0,14"),
    ("yxboard|7,7,2|done|yxnbest|TURN 3,3", "0,14|1,14"),
    ("yxnbest 0", "ERROR expected a number of lines from 1 to 100"),
    ("yxsearchdefend|TURN 3,3", "0,14|1,14"),
    ("yxstop", ""),
    ("STOP", ""),
    ("yxshowforbid", "FORBID ."),
    ("INFO rule 4|yxshowforbid", "FORBID ."),
    ("yxblock|0,14|1,14|done|BEGIN", "2,14"),
    ("yxblock|0,14|1,14|done|yxblockundo|0,14|done|BEGIN", "0,14"),
    ("yxblock|0,14|done|yxblockreset|BEGIN", "0,14"),
    ("yxblockpath|3,3|done", "MESSAGE lines of play cannot be excluded, only cells"),
    ("yxblockpathundo|3,3|done", "MESSAGE lines of play cannot be excluded, only cells"),
    ("yxblockpathreset", "MESSAGE yxblockpathreset has no effect"),
    ("yxforbid add 3 3 0", "MESSAGE cells cannot be closed to one colour"),
    ("yxhashclear|BEGIN", "0,14"),
    ("yxshowhashusage", "MESSAGE the use of the transposition table is not counted"),
    ("yxhashdump|C:\\a file", "MESSAGE the transposition table is not kept in files"),
    ("yxhashload|C:\\a file", "MESSAGE the transposition table is not kept in files"),
    ("yxdraw", "MESSAGE yxdraw has no effect"),
    ("yxresign", "MESSAGE yxresign has no effect"),
    ("yxprintfeature", "MESSAGE yxprintfeature has no effect"),
    ("RELOADCONFIG a file|BENCH", "MESSAGE reloadconfig has no effect|MESSAGE bench has no effect"),
    (
        "LOADMODEL a|EXPORTMODEL b",
        "MESSAGE loadmodel has no effect|MESSAGE exportmodel has no effect",
    ),
    ("TRACESEARCH", "MESSAGE tracesearch has no effect"),
];

/// There is no database: each question is answered so in its own form.
const DATABASES: &[(&str, &str)] = &[
    ("yxquerydatabaseall|3,3|done", ""),
    ("yxquerydatabaseallt|3,3|done", ""),
    ("yxquerydatabaseone|3,3|done", "MESSAGE DATABASE ONE 0 0 0 0"),
    ("yxquerydatabasetext|3,3|done", "MESSAGE DATABASE TEXT \"\""),
    ("yxedittvddatabase 1 0 0 0|3,3|done", "MESSAGE there is no database"),
    ("yxeditlabeldatabase 3,3 a|3,3|done", "MESSAGE there is no database"),
    ("yxedittextdatabase \"a\"|3,3|done", "MESSAGE there is no database"),
    ("yxdeletedatabaseone|3,3|done", "MESSAGE there is no database"),
    ("yxdeletedatabaseall wl|3,3|done", "MESSAGE there is no database"),
    ("yxsetbestmovedatabase|3,3|done", "MESSAGE there is no database"),
    ("yxclearbestmovedatabase|3,3|done", "MESSAGE there is no database"),
    ("yxsetdatabase|C:\\a file", "MESSAGE there is no database"),
    ("yxsavedatabase|C:\\a file", "MESSAGE there is no database"),
    ("yxdbtotxt|C:\\a file", "MESSAGE there is no database"),
    ("yxdbtotxtall|C:\\a file", "MESSAGE there is no database"),
    ("yxtxttodb|C:\\a file", "MESSAGE there is no database"),
    ("yxlibtodb|C:\\a file", "MESSAGE there is no database"),
    ("yxdbtolib|C:\\a file", "MESSAGE there is no database"),
    ("yxdbsplit|C:\\a file", "MESSAGE there is no database"),
    ("yxdbmerge|C:\\a file", "MESSAGE there is no database"),
    ("yxdbcheck", "MESSAGE yxdbcheck has no effect"),
    ("yxdbfix", "MESSAGE yxdbfix has no effect"),
    ("yxdbtopos", "MESSAGE yxdbtopos has no effect"),
];

/// Checks rows; behind each comes a command that nobody knows, whose answer shows that the session goes
/// on, in step.
fn check(rows: &[(&str, &str)]) {
    for (sent, expected) in rows {
        let script = format!("START 15|{sent}|WHAT|");
        for end in ["\n", "\r\n"] {
            let said = transcript(Protocol::Gomocup, &script.replace('|', end));
            let said: Vec<&str> =
                said.lines().filter(|line| !line.starts_with("MESSAGE Depth")).collect();
            let goes_on = (!sent.starts_with("END")).then_some("UNKNOWN WHAT");
            let expected = expected.replace("VERSION", env!("CARGO_PKG_VERSION"));
            let expected = expected.split('|').filter(|line| !line.is_empty());
            let wanted: Vec<&str> = ["OK"].into_iter().chain(expected).chain(goes_on).collect();
            assert_eq!(said, wanted, "{sent}");
        }
    }
}

#[test]
fn of_the_game() {
    check(GAME);
}

#[test]
fn of_info() {
    check(INFO);
}

#[test]
fn of_yixin_board() {
    check(YIXIN);
}

#[test]
fn of_databases() {
    check(DATABASES);
}

#[test]
fn after_yxshowinfo_unknown_commands_are_passed_over() {
    let script = "START 15\nyxshowinfo\nyxfrobnicate\n3,3\ndone\nBEGIN\n";
    let said = transcript(Protocol::Gomocup, script);
    let mut lines = said.lines().filter(|line| !line.starts_with("MESSAGE Depth"));
    assert_eq!((lines.next(), lines.next()), (Some("OK"), Some("MESSAGE Test")));
    for key in ["MAX_THREAD_NUM", "MAX_HASH_SIZE"] {
        let line = lines.next().expect("a line");
        let number = line.strip_prefix(&format!("MESSAGE INFO {key} ")).expect(key);
        assert!(number.parse::<u32>().is_ok_and(|number| number > 0), "{line}");
    }
    assert_eq!(lines.collect::<Vec<_>>(), ["0,14"]);
}
