//! What tuning finds, how it resumes, and what it refuses.

use collinear_play::{Agent, AgentSpec, OptionSpec, Options, agent_fn};
use collinear_rules::{Cell, Rules};

use super::*;

const SKILL: OptionSpec = OptionSpec::float("skill", 0.0..=1.0, 0.1).help("");

/// Plays the first legal cell that makes a row, as far as its skill lets it look, and a random
/// one otherwise: more skill is better, up to the whole board.
static SPEC: AgentSpec =
    AgentSpec { summary: "", source: "", options: &[SKILL], ..AgentSpec::new("gambler", build) };

#[expect(clippy::unnecessary_wraps, reason = "as `Build` has it")]
fn build(_: &Rules, o: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let (skill, mut random) = (o.float("skill"), Xoshiro256PlusPlus::seed_from_u64(seed));
    Ok(Box::new(agent_fn(move |position, _| {
        let legal = position.legal_cells();
        let wins = |&cell: &Cell| {
            let mut next = position.clone();
            next.play(cell).is_ok() && !next.winning_rows().is_empty()
        };
        let win = legal.iter().copied().find(wins);
        let cell = win.filter(|_| random.random_bool(skill));
        let any = legal[random.random_range(0..legal.len())];
        Ok(vec![cell.unwrap_or(any)])
    })))
}

fn settings() -> Settings {
    let registry = Registry::new(vec![&SPEC]);
    Settings {
        agent: "gambler".to_owned(),
        pool: vec!["gambler:skill=0.5".to_owned()],
        rules: "4x4,k=3".to_owned(),
        limits: String::new(),
        opening: 0,
        parameters: vec![parameter(&registry, "gambler", "skill", None).expect("a number")],
        population: 8,
        generations: 6,
        games: 60,
        mutation: 0.2,
        seed: 3,
    }
}

#[test]
fn a_clear_improvement_is_found_and_proved() {
    let registry = Registry::new(vec![&SPEC]);
    let mut tuning = Tuning::new(settings(), &registry).expect("settings");
    let stop = StopFlag::default();
    tuning.run(&registry, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents");
    assert!(tuning.is_done());
    assert!(tuning.best().values[0] > 0.6, "{:?}", tuning.best());
    let (tally, estimate) =
        tuning.verdict(&registry, 200, &stop).expect("agents").expect("not stopped");
    assert_eq!(tally.games(), 200);
    assert!(estimate.interval.low > 0.0, "{estimate:?}");
}

#[test]
fn a_run_continues_where_it_stopped_with_the_same_result() {
    let registry = Registry::new(vec![&SPEC]);
    let stop = StopFlag::default();
    let settings = Settings { generations: 3, games: 8, ..settings() };
    let mut whole = Tuning::new(settings, &registry).expect("settings");
    let mut kept = Vec::new();
    whole
        .run(&registry, &stop, &mut |state| {
            kept.push(serde_json::to_string(state).expect("plain data"));
            Ok::<(), TuneError>(())
        })
        .expect("agents");
    let mut resumed: Tuning = serde_json::from_str(&kept[11]).expect("as written");
    assert!(resumed.progress().0 > 0 && !resumed.is_done());
    resumed.check().expect("fits");
    let mut broken = resumed.clone();
    broken.individuals[0].values.clear();
    assert!(broken.check().is_err());
    resumed.run(&registry, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents");
    assert_eq!(resumed, whole);
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let registry = Registry::new(vec![&SPEC]);
    let refusal =
        |name, range| parameter(&registry, "gambler", name, range).unwrap_err().to_string();
    assert!(refusal("luck", None).contains("it has skill"));
    assert!(refusal("skill", Some((0.5, 2.0))).contains("within 0..1"));
    let empty = Settings { pool: Vec::new(), ..settings() };
    assert!(Tuning::new(empty, &registry).is_err());
}

fn spsa_settings() -> SpsaSettings {
    let pool = vec!["gambler:skill=0.5".to_owned()];
    SpsaSettings { settings: Settings { pool, games: 20, ..settings() }, steps: 40 }
}

#[expect(clippy::unnecessary_wraps, reason = "players of other agents are files, which may fail")]
fn gambler(values: &[f64]) -> Result<String, TuneError> {
    Ok(format!("gambler:skill={}", values[0]))
}

#[test]
fn spsa_climbs() {
    let registry = Registry::new(vec![&SPEC]);
    let mut spsa = Spsa::new(spsa_settings(), &registry, &gambler).expect("sound settings");
    let before = spsa.played()[0];
    let stop = StopFlag::default();
    spsa.run(&registry, &gambler, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents play");
    assert!(spsa.is_done() && spsa.played()[0] > before + 0.3, "{spsa:?}");
    let games = spsa.results.iter().sum::<u64>();
    assert_eq!((games, spsa.games_per_step()), (40 * 20, 60));
}

#[test]
fn spsa_goes_on_from_what_was_written_down_as_if_it_had_not_stopped() {
    let registry = Registry::new(vec![&SPEC]);
    let settings = SpsaSettings { steps: 6, ..spsa_settings() };
    let stop = StopFlag::default();
    let mut whole = Spsa::new(settings.clone(), &registry, &gambler).expect("sound settings");
    let mut written = Vec::new();
    let mut keep = |spsa: &Spsa| {
        written.push(serde_json::to_string(spsa).expect("serializable"));
        Ok::<(), TuneError>(())
    };
    whole.run(&registry, &gambler, &stop, &mut keep).expect("agents play");
    for text in written {
        let kept: Spsa = serde_json::from_str(&text).expect("our own");
        let mut kept = kept.read_back().expect("a state of ours");
        kept.run(&registry, &gambler, &stop, &mut |_| Ok::<(), TuneError>(()))
            .expect("agents play");
        assert_eq!(kept, whole);
    }
    // Stopped before a step is over, nothing of it stays.
    let mut stopped = Spsa::new(settings, &registry, &gambler).expect("sound settings");
    let before = stopped.clone();
    stop.stop();
    stopped.run(&registry, &gambler, &stop, &mut |_| Ok::<(), TuneError>(())).expect("agents play");
    assert_eq!(stopped, before);
}

#[test]
fn a_state_of_spsa_that_is_not_ours_is_refused() {
    let registry = Registry::new(vec![&SPEC]);
    let spsa = Spsa::new(spsa_settings(), &registry, &gambler).expect("sound settings");
    for strange in [
        Spsa { values: Vec::new(), ..spsa.clone() },
        Spsa { values: vec![7.0], ..spsa.clone() },
        Spsa { values: vec![f64::NAN], ..spsa.clone() },
        Spsa { done: 41, ..spsa.clone() },
    ] {
        assert!(strange.read_back().is_err());
    }
    let empty = SpsaSettings { steps: 0, ..spsa_settings() };
    assert!(matches!(Spsa::new(empty, &registry, &gambler), Err(TuneError::Settings(_))));
}
