//! Texts that people write, and those that programs keep: game records, rules, agents and limits,
//! experiment files, parameters, the states of tuning runs.

use collinear_agents::parameters;
use collinear_arena::tune::{Settings, Spsa, SpsaSettings, Tuning};
use collinear_arena::{RunSpec, experiment::Experiment};
use collinear_play::{TimeControl, parse_time};
use collinear_protocol::records::{self, Format, ReadOptions};
use collinear_rules::{Rules, notation};

use super::bytes;
use crate::{Run, Target};

const RECORDS: [&str; 9] = [
    "(;GM[511]FF[4]SZ[19]PB[a]PW[b]RE[B+];B[jj];W[kj][kk];B[ii][hh]C[a comment])",
    "(;FF[4]GM[4]SZ[15]PB[x]RE[W+T];B[hh](;W[ii];B[gg])(;W[ij]C[other \\] line]))",
    "Piskvorky 15x15, 11:11, 0\n8,8,1000\n9,9,2000\n1,1,0\na.zip\nb.zip\n1\n",
    "4455123 12\n44 0\n",
    "j10 k11 l9 a1 b2\n",
    "{[C6][a][b][1:0][2024.01.02][x];B(J,10);W(K,11)(L,9)}",
    "game,black,white,result,moves\nconnect6,a,b,1-0,\"j10 k11 l9\"\n",
    "{\"rules\":\"9x9,k=5,p=2,q=1\",\"moves\":\"e5 d4 f6\",\"result\":\"black\"}\n",
    "{\"format\":\"collinear\",\"game\":\"tictactoe\",\"moves\":[\"a1\",\"b2\"]}\n",
];

/// A tree of `RenLib`: h8; i8 with a comment, then i9; beside i8 j10 with a text on the board.
const RENLIB: &[u8] = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\
    \x00\x00\x78\x00\x79\x98Direct\x08two\x00\x00\x69\x40\x5a\x41\x00\x01A\x00";

const RECORD_WORDS: [&str; 16] = [
    "(;", ")", "B[", "W[", "SZ[", "AB[", "GM[511]", "RE[B+R]", "C[", "]", "\\", "\n", "{\"", "\":",
    "[]", "19x19",
];

const PARAMETERS: &str = "# by hand\nsearch.iir_depth = 4\nsearch.lmr_base = 0.7\n";

const RULES: [&str; 6] = [
    "19x19,k=6,p=2,q=1",
    "connect4",
    "7x6,k=4,gravity",
    "15x15,k=5,exact",
    "64x64,k=64,p=8,q=8",
    "1x1,k=1",
];

const SPECS: [&str; 8] = [
    "sequences:depth=2,width=8",
    "book:then=(sequences:depth=2)",
    "5ply_fevala",
    "sextant:level=3",
    "clock=60s+1s,nodes=100,depth=4,grace=1s",
    "1.5s",
    "500ms",
    "karplus:eval=custom,weights=1/2/3/4/5/6/7/8",
];

const FILES: [&str; 3] = [
    include_str!("../../../../experiments/karplus-1.toml"),
    include_str!("../../../../experiments/feval-regression.toml"),
    "game = \"connect6\"\ngames = 10\nagents = [\"random\", \"sequences@depth=1\"]\nformat = \"gauntlet\"\nopenings = \"random:3\"\nseed = 7\n",
];

pub(super) fn targets() -> Vec<Target> {
    vec![
        Target {
            name: "records",
            examples: [bytes(&RECORDS), vec![RENLIB.to_vec()]].concat(),
            words: &RECORD_WORDS,
            test_cases: 3000,
            start: records,
        },
        Target {
            name: "rules",
            examples: bytes(&RULES),
            words: &["x", ",k=", ",p=", ",q=", "gravity", "exact", "connect6", "×", "–"],
            test_cases: 5000,
            start: rules,
        },
        Target {
            name: "specs",
            examples: bytes(&SPECS),
            words: &[
                ":",
                ",",
                "=",
                "(",
                ")",
                "'",
                "depth=",
                "sextant",
                "ms",
                "s",
                "@",
                "book:then=",
            ],
            test_cases: 5000,
            start: specs,
        },
        Target {
            name: "toml",
            examples: bytes(&FILES),
            words: &["[", "]", "{", "}", "\"", "=", "games", "cells", "players", "study", "\n"],
            test_cases: 400,
            start: files,
        },
        Target {
            name: "tunings",
            examples: [bytes(&[PARAMETERS]), tunings()].concat(),
            words: &["search.", " = ", "\n", "null", "[", "]", "1e308", "-0.0", "\"c\"", "0.5"],
            test_cases: 1000,
            start: tuned,
        },
    ]
}

/// States of runs that have just begun.
fn tunings() -> Vec<Vec<u8>> {
    let registry = collinear_agents::registry();
    let parameter = collinear_arena::tune::parameter(&registry, "sequences", "c", None);
    let settings = Settings {
        agent: "sequences".to_owned(),
        pool: vec!["random".to_owned()],
        rules: "tictactoe".to_owned(),
        limits: "depth=1".to_owned(),
        opening: 1,
        parameters: parameter.into_iter().collect(),
        population: 3,
        generations: 2,
        games: 4,
        mutation: 0.2,
        seed: 1,
    };
    let genetic = Tuning::new(settings.clone(), &registry).ok();
    let spec = |values: &[f64]| Ok(format!("sequences:c={}", values[0]));
    let steps = Spsa::new(SpsaSettings { settings, steps: 3 }, &registry, &spec).ok();
    let texts = [
        genetic.and_then(|state| serde_json::to_vec(&state).ok()),
        steps.and_then(|state| serde_json::to_vec(&state).ok()),
    ];
    texts.into_iter().flatten().collect()
}

/// What is accepted has values that can be played.
fn tuned() -> Run {
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input);
        let _ = parameters::parse(&text);
        if let Ok(kept) = serde_json::from_str::<Tuning>(&text)
            && kept.check().is_ok()
        {
            let _ = (kept.progress(), kept.is_done(), kept.settings.spec(&kept.best().values));
        }
        if let Ok(kept) = serde_json::from_str::<Spsa>(&text)
            && let Ok(kept) = kept.read_back()
        {
            let _ = kept.games_per_step();
            if !kept.played().iter().all(|value| value.is_finite()) {
                return Err(format!("values that cannot be played: {:?}", kept.played()));
            }
        }
        Ok(())
    })
}

/// Whatever can be read can be written as JSON lines and read again with the same moves.
fn records() -> Run {
    Box::new(|input| {
        let Ok(text) = records::decode(input) else { return Ok(()) };
        let formats = Format::ALL.into_iter().map(Some).chain([None]);
        for format in formats {
            let options = ReadOptions { rules: None };
            let games = records::games(&text, format, &options).take(50);
            for game in games.map_while(Result::ok) {
                if let Ok(bytes) = records::to_renlib(&game) {
                    records::decode(&bytes).map_err(|error| format!("our own: {error}"))?;
                }
                let written = records::write(std::slice::from_ref(&game), Format::Jsonl)
                    .map_err(|error| format!("a game that was read cannot be written: {error}"))?;
                let again = records::games(&written, Some(Format::Jsonl), &options).next();
                match again {
                    Some(Ok(again)) if again.moves() == game.moves() => {}
                    Some(Ok(_)) => return Err(format!("other moves after writing: {written}")),
                    Some(Err(error)) => return Err(format!("{error}: {written}")),
                    None => return Err(format!("no game in what was written: {written}")),
                }
            }
        }
        Ok(())
    })
}

/// Rules come back from the text they show, and so do the names of their cells.
fn rules() -> Run {
    Box::new(|input| {
        let text = String::from_utf8_lossy(input);
        let Ok(rules) = text.parse::<Rules>() else { return Ok(()) };
        if rules.to_string().parse() != Ok(rules) {
            return Err(format!("{rules} does not come back"));
        }
        let Some(cell) = rules.cell(rules.width() - 1, rules.height() - 1) else {
            return Err(format!("{rules} has no last cell"));
        };
        let name = notation::name(&rules, cell);
        match notation::parse(&rules, &name) {
            Ok(same) if same == cell => Ok(()),
            other => Err(format!("{name} on {rules} becomes {other:?}")),
        }
    })
}

fn specs() -> Run {
    let registry = collinear_agents::registry();
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input);
        let _ = registry.parse(&text);
        let _ = parse_time(&text);
        if let Ok(control) = text.parse::<TimeControl>()
            && control.to_string().parse() != Ok(control)
        {
            return Err(format!("{control} does not come back"));
        }
        Ok(())
    })
}

fn files() -> Run {
    let registry = collinear_agents::registry();
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input);
        let _ = Experiment::parse("fuzz.toml", &text, &registry);
        let _ = RunSpec::from_toml("fuzz.toml", &text, &registry);
        Ok(())
    })
}
