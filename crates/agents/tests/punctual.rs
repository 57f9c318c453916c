//! Every agent answers in its time and when it is told to stop, whatever the game: random rules with
//! up to eight stones in a turn, every size, with and without gravity.
//!
//! The limits are far longer than an answer should take, so that a busy machine does not matter; a
//! loop that nobody measures takes minutes or for ever. `cargo test -p collinear-agents --test
//! punctual -- --ignored --nocapture` tries 2,000 rules, prints how late the answers came and allows
//! 50 ms.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use collinear_agents::registry;
use collinear_play::{AgentChoice, Budget, play_turn};
use collinear_rules::{Position, Rules, notation};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Later than this an answer does not come at all.
const NEVER: Duration = Duration::from_secs(20);
const TURN: Duration = Duration::from_millis(4);
/// How late an answer may be on a quiet machine, and how often one that is later is asked again.
const ALLOWED: Duration = Duration::from_millis(50);
const REPEATS: usize = 5;

/// What ends a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Time,
    Flag,
}

fn random_rules(random: &mut impl Rng) -> Rules {
    loop {
        let most = *[6, 10, 19, 64].choose(random).expect("sizes");
        let [width, height] = [0; 2].map(|_| random.random_range(1..=most));
        let k = random.random_range(1..=12.min(width.max(height)));
        let p = random.random_range(1..=8);
        let mut builder = Rules::builder(width, height, k).p(p).q(random.random_range(1..=p));
        if random.random_bool(0.3) {
            builder = builder.gravity();
        }
        if random.random_bool(0.2) {
            builder = builder.exact();
        }
        if let Ok(rules) = builder.build() {
            return rules;
        }
    }
}

/// Some stones near each other, where threats are; none if the game ends on the way.
fn crowded(rules: Rules, random: &mut impl Rng) -> Option<Position> {
    let mut position = Position::new(rules);
    let side = rules.k() / 2 + 2;
    let near = |at: usize, of: usize| at.abs_diff(of / 2) <= side;
    let wanted = random.random_range(0..=rules.cells().min(2 * side * side));
    let mut legal: Vec<_> = Vec::new();
    while position.stone_count() < wanted {
        legal.clear();
        legal.extend(position.legal_cells().into_iter().filter(|&cell| {
            near(rules.column(cell), rules.width()) && near(rules.row(cell), rules.height())
        }));
        let Some(&cell) = legal.choose(random) else { break };
        position.play_unchecked(cell);
        if position.is_over() {
            position.undo();
            break;
        }
    }
    (!position.is_over()).then_some(position)
}

/// How long after its end a turn was answered; an error says what happened instead.
fn lateness(choice: &AgentChoice, position: &Position, end: End) -> Result<Duration, String> {
    let (choice, position) = (choice.clone(), position.clone());
    let (send, receive) = mpsc::channel();
    let budget = match end {
        End::Time => Budget::time(TURN),
        End::Flag => Budget::default(),
    };
    let stop = budget.stop.clone();
    thread::spawn(move || {
        let mut agent = match choice.build(position.rules(), 1) {
            Ok(agent) => agent,
            Err(error) => return send.send(Err(error.to_string())),
        };
        let (began, waited) = (Instant::now(), waited_for_processor());
        let answer = agent.choose(&position, &budget, &mut |_| {});
        let (answered, waited) = (Instant::now(), waited_for_processor().saturating_sub(waited));
        let legal = answer
            .map_err(|error| error.to_string())
            .and_then(|turn| play_turn(&mut position.clone(), &turn).map_err(|e| e.to_string()));
        send.send(legal.map(|()| (began, answered, waited)))
    });
    if end == End::Flag {
        thread::sleep(TURN);
    }
    // A flag that is set before the agent was built counts from the first moment of its turn.
    let flagged = Instant::now();
    if end == End::Flag {
        stop.stop();
    }
    match receive.recv_timeout(NEVER) {
        Ok(told) => told.map(|(began, answered, waited)| {
            let ended = if end == End::Time { began + TURN } else { flagged.max(began) };
            // Without the wait for a processor it would not have taken longer than this in all.
            let own = answered.duration_since(began).saturating_sub(waited);
            answered.saturating_duration_since(ended).min(own)
        }),
        Err(mpsc::RecvTimeoutError::Timeout) => Err("no answer".to_owned()),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("it panicked".to_owned()),
    }
}

/// How long this thread was ready and had no processor; nothing where the system does not tell.
fn waited_for_processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

/// How late the answers of an agent were.
struct Answers {
    name: &'static str,
    late: Vec<Duration>,
    /// How many had to be asked again.
    repeated: usize,
}

/// Asks every agent that plays these games about a position of each. One that is later than allowed
/// is asked again, a few times: the same agent in the same position does the same work, so that a
/// late one is late every time and a busy machine is not.
fn ask_all(games: &[Rules], seed: u64, allowed: Duration) -> Vec<Answers> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let registry = registry();
    let mut all: Vec<Answers> = registry
        .iter()
        .map(|spec| Answers { name: spec.name, late: Vec::new(), repeated: 0 })
        .collect();
    for rules in games {
        let Some(position) = crowded(*rules, &mut random) else { continue };
        for (spec, answers) in registry.iter().zip(&mut all) {
            if spec.plays(rules).is_err() {
                continue;
            }
            let choice = registry.parse(spec.name).expect("its own name");
            for end in [End::Time, End::Flag] {
                let ask = || match lateness(&choice, &position, end) {
                    Ok(time) => time,
                    Err(what) => {
                        let moves = notation::names(rules, position.history());
                        panic!("{} on {rules} after {moves}, ended by {end:?}: {what}", spec.name)
                    }
                };
                let mut late = ask();
                answers.repeated += usize::from(late > allowed);
                for _ in 0..REPEATS {
                    if late > allowed {
                        late = late.min(ask());
                    }
                }
                if late > allowed {
                    println!("{} on {rules}, ended by {end:?}: {late:?}", spec.name);
                }
                answers.late.push(late);
            }
        }
    }
    all
}

#[test]
fn every_agent_answers_in_time_whatever_the_rules() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let mut games: Vec<Rules> =
        ["19x19,k=10,p=5,q=1", "19x19,k=12,p=8,q=1", "6x5,k=4,p=8,q=1,gravity"]
            .map(|text| text.parse().expect(text))
            .to_vec();
    games.extend((0..30).map(|_| random_rules(&mut random)));
    let all = ask_all(&games, 3, NEVER);
    let answers: usize = all.iter().map(|answers| answers.late.len()).sum();
    assert!(answers > 300, "{answers} answers are too few to mean anything");
}

#[test]
#[ignore = "takes minutes: 2,000 random rules"]
fn how_late_answers_come() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(18);
    let games: Vec<Rules> = (0..2000).map(|_| random_rules(&mut random)).collect();
    let mut all = ask_all(&games, 4, ALLOWED);
    let everybody = Answers {
        name: "all",
        late: all.iter().flat_map(|answers| answers.late.clone()).collect(),
        repeated: all.iter().map(|answers| answers.repeated).sum(),
    };
    all.push(everybody);
    println!(
        "{:<12} {:>8} {:>10} {:>10} {:>10} repeated",
        "", "answers", "median", "99 %", "worst"
    );
    for Answers { name, late, repeated } in &mut all {
        late.sort_unstable();
        if late.is_empty() {
            continue;
        }
        let part = |part: f64| format!("{:.2?}", late[((late.len() - 1) as f64 * part) as usize]);
        let [median, most, worst] = [0.5, 0.99, 1.0].map(part);
        println!("{name:<12} {:>8} {median:>10} {most:>10} {worst:>10} {repeated}", late.len());
    }
    let too_late = all.last().map_or(0, |all| all.late.iter().filter(|&&l| l > ALLOWED).count());
    assert_eq!(too_late, 0, "answers later than {ALLOWED:?}");
}
