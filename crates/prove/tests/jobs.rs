//! Job-level search finds what the search in one piece finds, in whatever order answers come, with
//! jobs lost, answers repeated and the whole thing begun again from its answers.

use collinear_prove::{
    Answer, AnswerError, Found, Job, Limits, Prover, Upper, Value, check, do_job, parse_position,
    position_text,
};
use collinear_rules::{Position, Rules, notation};
use proptest::prelude::*;

const MEMORY: usize = 1 << 20;

fn position(game: &str, moves: &str) -> Position {
    let rules: Rules = game.parse().expect(game);
    let mut position = Position::new(rules);
    for name in moves.split_whitespace() {
        position.play(notation::parse(&rules, name).expect(name)).expect(name);
    }
    position
}

fn answer(job: &Job) -> Answer {
    do_job(job, MEMORY, &|| false).expect("a job of ours")
}

const GAMES: [(&str, &str); 8] = [
    ("3x3,k=3", ""),
    ("5x4,k=4", ""),
    ("5x5,k=4", "c3 a1"),
    ("4x4,k=3,p=2,q=1", ""),
    ("5x4,k=4,p=2,q=1", ""),
    ("4x4,k=4,gravity", ""),
    ("4x4,k=3,p=2,q=1,gravity", ""),
    ("5x3,k=3,exact", ""),
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn jobs_in_any_order_find_the_value(
        game in prop::sample::select(GAMES.to_vec()),
        job_nodes in 1..200_u64,
        workers in 1..6_usize,
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0..8_u8), 20..60),
    ) {
        let position = position(game.0, game.1);
        let expected = Prover::new(&position, MEMORY).and_then(|p| p.value(&Limits::default()));
        let mut upper = Upper::new(&position, MEMORY, job_nodes).expect("small");
        let mut out: Vec<Job> = Vec::new();
        let mut kept: Vec<String> = Vec::new();
        let mut choices = choices.iter().cycle();
        while upper.value().is_none() {
            while out.len() < workers {
                let Some(job) = upper.next_job() else { break };
                prop_assert_eq!(job.to_string().parse::<Job>().expect("ours"), job.clone());
                out.push(job);
            }
            let (choice, event) = choices.next().expect("it cycles");
            let job = out.swap_remove(choice.index(out.len()));
            if *event == 0 {
                upper.give_back(&job);
                continue;
            }
            let answer = answer(&job);
            let text = answer.to_string();
            prop_assert_eq!(&text.parse::<Answer>().expect("ours"), &answer);
            upper.report(&answer).expect("holds");
            kept.push(text);
            if *event == 1 {
                // A second worker did the same job.
                prop_assert!(!upper.report(&answer).expect("holds"), "{}", answer);
            }
            if *event == 2 {
                // Everybody was killed; what is left are the answers.
                upper = Upper::new(&position, MEMORY, job_nodes).expect("small");
                out.clear();
                for text in &kept {
                    upper.report(&text.parse().expect("ours")).expect("holds");
                }
            }
        }
        let certificate = upper.certificate(&Limits::default()).expect("known");
        prop_assert_eq!(certificate.value, expected.expect("no limit"));
        prop_assert_eq!(check(&certificate).expect("holds").value, certificate.value);
    }
}

#[test]
fn a_row_of_the_defender_in_a_weak_question_is_no_job() {
    let position = position("7x4,k=4", "");
    let mut upper = Upper::new(&position, 16 << 20, 300).expect("small");
    while upper.value().is_none() {
        let job = upper.next_job().expect("one is open");
        upper.report(&answer(&job)).expect("holds");
    }
    let certificate = upper.certificate(&Limits::default()).expect("known");
    assert_eq!(check(&certificate).expect("holds").value, Value::Draw);
}

#[test]
fn positions_are_read_back() {
    for (game, moves) in [("5x5,k=4", ""), ("5x5,k=4,p=2,q=1", "c3 a1 b2 e5")] {
        let position = position(game, moves);
        let text = position_text(&position);
        assert_eq!(parse_position(&text).map(|back| position_text(&back)), Some(text));
    }
    for noise in ["", "5x5", "5x5,k=4;c3;c3;white 1", "5x5,k=4;;;red 1", "5x5,k=4;;;black"] {
        assert!(parse_position(noise).is_none(), "{noise}");
    }
}

#[test]
fn answers_that_do_not_hold_are_refused() {
    let place = position("4x3,k=3", "");
    let mut upper = Upper::new(&place, MEMORY, 10_000).expect("small");
    let job = upper.next_job().expect("open");
    let genuine = answer(&job);
    let Found::Wins(bytes) = &genuine.found else { panic!("{genuine}") };
    let mut cut = genuine.clone();
    cut.found = Found::Wins(bytes[..bytes.len() - 1].to_vec());
    assert!(matches!(upper.report(&cut), Err(AnswerError::Refused(_))));
    let mut opposite = genuine.clone();
    opposite.found = Found::Holds(bytes.clone());
    assert!(matches!(upper.report(&opposite), Err(AnswerError::Refused(_))));
    let foreign = Upper::new(&position("3x3,k=3", ""), MEMORY, 10).expect("small").next_job();
    let foreign = answer(&foreign.expect("open"));
    assert!(matches!(upper.report(&foreign), Err(AnswerError::Foreign(_))));
    assert!(matches!("noise".parse::<Answer>(), Err(AnswerError::Text(_))));
    assert!(upper.value().is_none());
    assert!(upper.report(&genuine).expect("holds") && upper.value().is_some());
}
