//! Sessions of the engine protocols: the first byte says which, the rest is what the host says.

use std::io::Cursor;
use std::time::Duration;

use collinear_play::Budget;
use collinear_protocol::Protocol;
use collinear_protocol::engine::{EngineOptions, serve};

use super::bytes;
use crate::{Run, Target};

pub(super) fn target() -> Target {
    Target {
        name: "protocols",
        examples: bytes(&[
            "0name\nnew black\nmove JJKK\nnext\nprint\nquit\n",
            "1new white\nmove JJ\nmove KKLL\nend\nquit\n",
            "2START 15\nBEGIN\nTURN 7,7\nBOARD\n8,8,1\n9,9,2\nDONE\nTAKEBACK 8,8\nINFO timeout_turn 10\nRECTSTART 20,1\nSWAP2BOARD\nDONE\nYXBOARD\n1,1,1\nDONE\nYXNBEST 2\nEND\n",
            "3ugi\nisready\nsetoption name game value 9x9,k=5\nposition startpos moves e5 d4\ngo nodes 20\nstop\nquit\n",
        ]),
        words: &[
            "\n",
            "new black\n",
            "move ",
            "JJ",
            "START ",
            "TURN ",
            "BOARD\n",
            "DONE\n",
            "INFO ",
            "go ",
            "position startpos moves ",
            "RECTSTART ",
            "stop\n",
            "quit\n",
            ",",
            "vcf\n",
            "depth ",
        ],
        test_cases: 300,
        start,
    }
}

/// Enough for everything that a script of a case asks for.
const LAST_WORDS: Duration = Duration::from_secs(30);

fn start() -> Run {
    let registry = collinear_agents::registry();
    Box::new(move |input| {
        let Some((&which, script)) = input.split_first() else { return Ok(()) };
        let protocol = Protocol::ALL[usize::from(which) % Protocol::ALL.len()];
        let budget = Budget { nodes: Some(20), ..Budget::default() };
        let rules = protocol.usual_game();
        let options =
            EngineOptions { name: "Fuzz".to_owned(), rules, budget, last_words: LAST_WORDS };
        let random = registry.parse("random").map_err(|error| error.to_string())?;
        let make = |rules: &_, _: &_| random.build(rules, 1);
        let mut output = Vec::new();
        serve(protocol, Cursor::new(script.to_vec()), &mut output, &options, &make)
            .map_err(|error| format!("{}: {error}", protocol.name()))?;
        String::from_utf8(output).map(drop).map_err(|error| error.to_string())
    })
}
