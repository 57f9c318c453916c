//! Sessions of the engine protocols: the first byte says which, the rest is what the host says.
//!
//! One target plays the whole session, the other ends the input after every line of it and in the
//! middle of lines: a session always ends, and what it answers never becomes less when the host says
//! more.

use std::io::Cursor;
use std::time::Duration;

use collinear_play::{AgentChoice, Budget};
use collinear_protocol::Protocol;
use collinear_protocol::engine::{EngineOptions, serve};

use super::bytes;
use crate::{Run, Target};

const EXAMPLES: &[&str] = &[
    "0name\nnew black\nmove JJKK\nnext\nprint\nquit\n",
    "1new white\nmove JJ\nmove KKLL\nend\nquit\n",
    "2START 15\nBEGIN\nTURN 7,7\nBOARD\n8,8,1\n9,9,2\nDONE\nTAKEBACK 8,8\nINFO timeout_turn 10\nRECTSTART 20,1\nSWAP2BOARD\nDONE\nYXBOARD\n1,1,1\nDONE\nYXNBEST 2\nEND\n",
    "2start 6 6\nyxblock\n1,1\ndone\nyxbalanceone 5\nyxbalancetwo\nyxsearchdefend\nyxswap2step1\nyxquerydatabaseall\n1,1\ndone\nyxhashdump\n/tmp/x\nINFO rule 8\nBEGIN\n",
    "2START 15\nyxsoosorvstep4 3\n7,7\n7,8\n8,8\n3,3\ndone\nSWAP2BOARD\n7,7,1\n8,8,2\n9,9,1\nDONE\nINFO show_detail 3\nINFO hash_size 99\nTURN 1,1\n",
    "3ugi\nisready\nsetoption name game value 9x9,k=5\nposition startpos moves e5 d4\ngo nodes 20\ngo infinite\nstop\nquit\n",
];

const WORDS: &[&str] = &[
    "\n",
    "new black\n",
    "move ",
    "JJ",
    "START ",
    "TURN ",
    "BOARD\n",
    "DONE\n",
    "INFO ",
    "rule ",
    "go ",
    "go infinite\n",
    "position startpos moves ",
    "RECTSTART ",
    "TAKEBACK ",
    "YXNBEST ",
    "YXBLOCK\n",
    "YXSWAP2STEP",
    "YXSOOSORVSTEP",
    "stop\n",
    "quit\n",
    ",",
    "vcf\n",
    "depth ",
];

pub(super) fn targets() -> [Target; 2] {
    let target = |name, test_cases, start| Target {
        name,
        examples: bytes(EXAMPLES),
        words: WORDS,
        test_cases,
        start,
    };
    [target("protocols", 300, whole), target("ends", 20, ends)]
}

/// Enough for everything that a script of a case asks for.
const LAST_WORDS: Duration = Duration::from_secs(30);
/// Of a long session only so much is ended everywhere.
const MAX_BYTES: usize = 600;

fn whole() -> Run {
    let random = player();
    Box::new(move |input| said(&random, input).map(drop))
}

fn ends() -> Run {
    let random = player();
    Box::new(move |input| {
        let input = &input[..input.len().min(MAX_BYTES)];
        let lines = (1..=input.len()).filter(|&end| matches!(input[end - 1], b'\n' | b'\r'));
        let (mut answers, mut begun) = (0, 0);
        for end in lines {
            let now = said(&random, &input[..end])?;
            if now < answers {
                return Err(format!("{now} answers after {end} bytes, {answers} before"));
            }
            answers = now;
            // A line that breaks off may be taken for another one.
            said(&random, &input[..begun + (end - begun) / 2])?;
            begun = end;
        }
        Ok(())
    })
}

fn player() -> Result<AgentChoice, String> {
    collinear_agents::registry().parse("random").map_err(|error| error.to_string())
}

/// How many lines a session says that are more than remarks.
fn said(player: &Result<AgentChoice, String>, input: &[u8]) -> Result<usize, String> {
    let player = player.as_ref().map_err(Clone::clone)?;
    let Some((&which, script)) = input.split_first() else { return Ok(0) };
    let protocol = Protocol::ALL[usize::from(which) % Protocol::ALL.len()];
    let budget = Budget { nodes: Some(20), ..Budget::default() };
    let rules = protocol.usual_game();
    let name = "Fuzz".to_owned();
    let options = EngineOptions { name, rules, budget, last_words: LAST_WORDS };
    let make = |rules: &_, _: &_| player.build(rules, 1);
    let mut output = Vec::new();
    serve(protocol, Cursor::new(script.to_vec()), &mut output, &options, &make)
        .map_err(|error| format!("{}: {error}", protocol.name()))?;
    let text = String::from_utf8(output).map_err(|error| error.to_string())?;
    let remark = |line: &&str| ["MESSAGE", "INFO", "info"].iter().any(|w| line.starts_with(w));
    Ok(text.lines().filter(|line| !remark(line)).count())
}
