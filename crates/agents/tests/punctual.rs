//! Every agent answers in its time and when it is told to stop, whatever the game: random rules with
//! up to eight stones in a turn, every size, with and without gravity.
//!
//! The limits are far longer than an answer should take, so that a busy machine does not matter; a
//! loop that nobody measures takes minutes or for ever. `cargo test -p collinear-agents --test
//! punctual -- --ignored --nocapture` tries 2,000 rules and prints how late the answers came.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use collinear_agents::registry;
use collinear_play::{AgentChoice, Budget, play_turn};
use collinear_rules::{Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Later than this an answer does not come at all.
const NEVER: Duration = Duration::from_secs(20);
const TURN: Duration = Duration::from_millis(4);

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
        let began = Instant::now();
        let answer = agent.choose(&position, &budget, &mut |_| {});
        let late = began.elapsed().saturating_sub(TURN);
        let legal = answer
            .map_err(|error| error.to_string())
            .and_then(|turn| play_turn(&mut position.clone(), &turn).map_err(|e| e.to_string()));
        send.send(legal.map(|()| late))
    });
    if end == End::Flag {
        thread::sleep(TURN);
        stop.stop();
    }
    match receive.recv_timeout(NEVER) {
        Ok(answer) => answer,
        Err(mpsc::RecvTimeoutError::Timeout) => Err("no answer".to_owned()),
        Err(mpsc::RecvTimeoutError::Disconnected) => Err("it panicked".to_owned()),
    }
}

/// Asks every agent that plays these games about a position of each; gives how late they were.
fn ask_all(games: &[Rules], seed: u64) -> Vec<Duration> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut late = Vec::new();
    for rules in games {
        let Some(position) = crowded(*rules, &mut random) else { continue };
        for spec in registry().iter() {
            if spec.plays(rules).is_err() {
                continue;
            }
            let choice = registry().parse(spec.name).expect("its own name");
            for end in [End::Time, End::Flag] {
                match lateness(&choice, &position, end) {
                    Ok(time) => late.push(time),
                    Err(what) => {
                        panic!("{} on {rules}, ended by {end:?}: {what}\n{position:?}", spec.name)
                    }
                }
            }
        }
    }
    late
}

#[test]
fn every_agent_answers_in_time_whatever_the_rules() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
    let mut games: Vec<Rules> =
        ["19x19,k=10,p=5,q=1", "19x19,k=12,p=8,q=1", "6x5,k=4,p=8,q=1,gravity"]
            .map(|text| text.parse().expect(text))
            .to_vec();
    games.extend((0..30).map(|_| random_rules(&mut random)));
    let late = ask_all(&games, 3);
    assert!(late.len() > 300, "{} answers are too few to mean anything", late.len());
}

#[test]
#[ignore = "takes minutes: 2,000 random rules"]
fn how_late_answers_come() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(18);
    let games: Vec<Rules> = (0..2000).map(|_| random_rules(&mut random)).collect();
    let mut late = ask_all(&games, 4);
    late.sort_unstable();
    let part = |part: f64| late[((late.len() - 1) as f64 * part) as usize];
    println!(
        "{} answers: median {:?}, 99 % {:?}, worst {:?} after their time",
        late.len(),
        part(0.5),
        part(0.99),
        part(1.0)
    );
}
