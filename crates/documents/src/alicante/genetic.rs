//! Document 001's genetic candidate search, connected (§4: there it was written and never used).
//!
//! An individual is a turn: one cell for each stone left, drawn from the cells near stones. Its
//! fitness is the evaluation of the board after it. Each generation the two fittest are crossed at
//! one point again and again, children mutate by a cell drawn anew, and the best turn ever seen is
//! kept. A win is fitter than everything, so one among the candidates is found when it is drawn.
//!
//! `strict` is the algorithm of the listing: the first turns are samples without repetition, every
//! crossing of the two fittest has two children, and the fittest of the last generation is played,
//! whatever was seen before. Its fitness is the evaluation alone, which knows no wins: a row that is
//! there counts as its chains do.
//!
//! The document meant it as a source of candidates for its minimax and never got that far:
//! `alicante:candidates=genetic` is that, the cells of the fittest turns.

use crate::search::{Candidate, Score};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Line, Meter, OptionSpec, Options, Report,
    Turn,
};
use collinear_rules::{Cell, Outcome, Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::alicante::candidates::Near;
use crate::alicante::evaluation::{Evaluation, POINT};
use crate::alicante::{DIRECTIONS, EVALUATION, WEIGHTS, evaluation_of, look_of};
use crate::search::listed::{turns_to_go, value};

const POPULATION: OptionSpec =
    OptionSpec::int("population", 2..=100_000, 50).help("turns in a generation");
const GENERATIONS: OptionSpec =
    OptionSpec::int("generations", 1..=1_000_000, 50).help("how many generations");
const MUTATION: OptionSpec = OptionSpec::float("mutation", 0.0..=1.0, 0.1)
    .help("chance that a child gets one of its cells anew");
const WIDTH: OptionSpec = OptionSpec::int("width", 1..=4096, 4)
    .help("how many offensive and how many defensive cells to draw from");

const STRICT: OptionSpec = OptionSpec::bool("strict", false)
    .help("as listed: two children of each crossing, and the best of the last generation alone");

const OPTIONS: &[OptionSpec] = &[
    POPULATION,
    GENERATIONS,
    MUTATION,
    STRICT,
    WIDTH,
    DIRECTIONS,
    EVALUATION,
    WEIGHTS[0],
    WEIGHTS[1],
    WEIGHTS[2],
    WEIGHTS[3],
    WEIGHTS[4],
    WEIGHTS[5],
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "breeds turns of near cells, fitness by alicante's evaluation",
    source: "document 001, §4",
    options: OPTIONS,
    ..AgentSpec::new("genetic", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let geometry = Position::new(*rules).geometry().clone();
    Ok(Box::new(Breeder {
        evaluation: evaluation_of(geometry, options),
        population: options.int(POPULATION.name) as usize,
        generations: options.int(GENERATIONS.name) as u32,
        mutation: options.float(MUTATION.name),
        strict: options.bool(STRICT.name),
        near: near_of(options, seed),
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
    }))
}

fn near_of(options: &Options, seed: u64) -> Near {
    Near { width: options.int(WIDTH.name) as usize, look: look_of(options), seed }
}

/// The value that means odds of e to 1 in reports, a guess.
const ODDS_SCALE: f64 = 250.0 * POINT as f64;

/// The genetic search with its settings.
#[derive(Clone)]
pub(crate) struct Breeder {
    evaluation: Evaluation,
    population: usize,
    generations: u32,
    mutation: f64,
    strict: bool,
    near: Near,
    random: Xoshiro256PlusPlus,
}

#[derive(Clone)]
struct Individual {
    genes: Vec<Cell>,
    turn: Turn,
    fitness: Score,
}

impl Agent for Breeder {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let pool: Vec<Cell> = self.near.candidates(position).iter().map(|c| c.cell).collect();
        if position.is_over() || pool.is_empty() {
            return Err(AgentError::GameOver);
        }
        let meter = budget.start(turns_to_go(position));
        let mut nodes = 0;
        let mut generations = 0;
        let people = self.evolve(position, &pool, &meter, &mut nodes, &mut |best, now, nodes| {
            generations = now;
            on(&report(position, best, now, nodes, &meter));
        });
        let best = people.first().ok_or(AgentError::GameOver)?;
        on(&report(position, best, generations, nodes, &meter));
        Ok(best.turn.clone())
    }
}

impl Breeder {
    /// With the document's numbers.
    pub(crate) fn standard(rules: Rules, options: &Options, seed: u64) -> Self {
        Self {
            evaluation: evaluation_of(Position::new(rules).geometry().clone(), options),
            population: 50,
            generations: 50,
            mutation: 0.1,
            strict: false,
            near: near_of(options, seed),
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// The cells of the fittest turns, at most `most` and enough for a turn, scored by the order
    /// in which they come.
    pub(crate) fn candidates(&mut self, position: &Position, most: usize) -> Vec<Candidate> {
        let near = self.near.candidates(position);
        let pool: Vec<Cell> = near.iter().map(|c| c.cell).collect();
        // The same position gives the same cells, whatever was searched before.
        self.random = Xoshiro256PlusPlus::seed_from_u64(position.key());
        let meter = Budget::default().start(1);
        let people = self.evolve(position, &pool, &meter, &mut 0, &mut |_, _, _| {});
        let mut found: Vec<Candidate> = Vec::new();
        for cell in people.iter().flat_map(|one| one.turn.iter().copied()).chain(pool) {
            if found.len() >= most.max(position.stones_left()) {
                break;
            }
            // With gravity a turn's second disc may rest on its first: no candidate yet.
            if position.check(cell).is_ok() && found.iter().all(|c| c.cell != cell) {
                found.push(Candidate { cell, utility: Score::of(-(found.len() as i64)) });
            }
        }
        found
    }

    /// Breeds turns and returns the best one ever seen, then the last generation, fittest first.
    fn evolve(
        &mut self,
        position: &Position,
        pool: &[Cell],
        meter: &Meter,
        nodes: &mut u64,
        on: &mut dyn FnMut(&Individual, u32, u64),
    ) -> Vec<Individual> {
        if pool.is_empty() {
            return Vec::new();
        }
        let stones = position.stones_left();
        self.evaluation.load(position, position.to_move());
        if self.strict && pool.len() >= stones {
            return self.evolve_as_listed(position, pool, meter, nodes, on);
        }
        // A turn may have more stones than there are cells to draw from (columns with gravity).
        let likeliest = pool.iter().cycle().take(stones).copied().collect();
        let mut best = self.born(position, likeliest);
        let mut people = Vec::new();
        for generation in 0..self.generations {
            let parents = parents(&people);
            let mut children = Vec::with_capacity(self.population);
            while children.len() < self.population && !meter.is_spent(*nodes) {
                let genes = match &parents {
                    None => {
                        (0..stones).map(|_| pool[self.random.random_range(0..pool.len())]).collect()
                    }
                    Some([mother, father]) => self.child(mother, father, pool),
                };
                *nodes += 1;
                children.push(self.born(position, genes));
            }
            people = children;
            people.sort_by_key(|one| std::cmp::Reverse(one.fitness));
            if let Some(fittest) = people.first().filter(|one| one.fitness > best.fitness) {
                best = fittest.clone();
                on(&best, generation + 1, *nodes);
            }
            if meter.is_spent(*nodes) || best.fitness.decided().is_some() {
                break;
            }
        }
        people.insert(0, best);
        people
    }

    /// The same as the document lists it: the last generation, fittest first.
    fn evolve_as_listed(
        &mut self,
        position: &Position,
        pool: &[Cell],
        meter: &Meter,
        nodes: &mut u64,
        on: &mut dyn FnMut(&Individual, u32, u64),
    ) -> Vec<Individual> {
        let stones = position.stones_left();
        let mut people: Vec<Individual> = Vec::with_capacity(self.population);
        // Two are parents, however little time there is.
        while people.len() < self.population && (people.len() < 2 || !meter.is_spent(*nodes)) {
            let genes = pool.choose_multiple(&mut self.random, stones).copied().collect();
            people.push(self.born(position, genes));
            *nodes += 1;
        }
        for generation in 0..self.generations {
            people.sort_by_key(|one| std::cmp::Reverse(one.fitness));
            on(&people[0], generation, *nodes);
            let [mother, father] = [0, 1].map(|at| people[at].genes.clone());
            let mut children = Vec::with_capacity(self.population + 1);
            while children.len() < self.population {
                if meter.is_spent(*nodes) {
                    return people;
                }
                for (first, second) in [(&mother, &father), (&father, &mother)] {
                    let mut genes = [&first[..1], &second[1..]].concat();
                    self.mutate(&mut genes, pool);
                    *nodes += 1;
                    children.push(self.born(position, genes));
                }
            }
            people = children;
        }
        people.sort_by_key(|one| std::cmp::Reverse(one.fitness));
        people
    }

    /// Perhaps draws one cell anew.
    fn mutate(&mut self, genes: &mut [Cell], pool: &[Cell]) {
        if self.random.random_bool(self.mutation) {
            let at = self.random.random_range(0..genes.len());
            genes[at] = pool.choose(&mut self.random).copied().unwrap_or(genes[at]);
        }
    }

    /// Crosses at one point and perhaps draws one cell anew.
    fn child(&mut self, mother: &[Cell], father: &[Cell], pool: &[Cell]) -> Vec<Cell> {
        let point = if mother.len() > 1 { self.random.random_range(1..mother.len()) } else { 1 };
        let (first, second) =
            if self.random.random_bool(0.5) { (mother, father) } else { (father, mother) };
        let mut genes = [&first[..point], &second[point..]].concat();
        self.mutate(&mut genes, pool);
        genes
    }

    /// Plays the genes and evaluates the board. A gene whose cell is taken (or hangs in the air)
    /// stands for the nearest cell it can mean: the same column with gravity, the next empty one
    /// otherwise.
    fn born(&mut self, position: &Position, genes: Vec<Cell>) -> Individual {
        let player = position.to_move();
        let mut ahead = position.clone();
        let mut turn = Turn::new();
        for &gene in &genes {
            let legal = || ahead.legal_cells();
            let rules = ahead.rules();
            let cell = if ahead.check(gene).is_ok() {
                Some(gene)
            } else if let Some(dropped) = ahead.drop_cell(rules.column(gene))
                && rules.gravity()
            {
                Some(dropped)
            } else {
                let legal = legal();
                legal.iter().copied().find(|&cell| cell > gene).or(legal.first().copied())
            };
            let Some(cell) = cell else { break };
            ahead.play_unchecked(cell);
            turn.push(cell);
            if ahead.is_over() {
                break;
            }
        }
        let stones: Vec<_> = turn.iter().map(|&cell| (cell, player)).collect();
        let fitness = match ahead.outcome() {
            Outcome::Won(_) if !self.strict => Score::win(turn.len()),
            Outcome::Drawn if !self.strict => Score::EVEN,
            _ => {
                for &cell in &turn {
                    self.evaluation.place(cell, player);
                }
                let fitness = self.evaluation.value(&ahead, player, &stones);
                for &cell in turn.iter().rev() {
                    self.evaluation.remove(cell, player);
                }
                fitness
            }
        };
        Individual { genes, turn, fitness }
    }
}

/// The genes of the two fittest of a sorted generation.
fn parents(people: &[Individual]) -> Option<[Vec<Cell>; 2]> {
    match people {
        [first, second, ..] => Some([first.genes.clone(), second.genes.clone()]),
        _ => None,
    }
}

fn report(
    position: &Position,
    best: &Individual,
    generation: u32,
    nodes: u64,
    meter: &Meter,
) -> Report {
    Report {
        depth: best.turn.len() as u32,
        nodes,
        elapsed: meter.elapsed(),
        lines: vec![Line {
            value: value(position, best.fitness, ODDS_SCALE),
            stones: best.turn.clone(),
        }],
        note: Some(format!("generation {generation}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alicante::candidates::Look;

    #[test]
    fn breeding_finds_the_fittest_pair_of_a_small_pool() {
        // Four own stones in a row: the two ends that complete six are among 32 candidates.
        let rules = Rules::CONNECT6;
        let cells: Vec<Cell> = [
            (9, 9),
            (0, 0),
            (0, 4),
            (10, 9),
            (11, 9),
            (0, 8),
            (0, 12),
            (12, 9),
            (18, 18),
            (18, 0),
            (16, 0),
        ]
        .iter()
        .map(|&(x, y)| rules.cell(x, y).expect("on the board"))
        .collect();
        let mut position = Position::from_moves(rules, &cells).expect("legal");
        let choice = crate::registry().parse("genetic:mutation=0.3,width=16").expect("known");
        let mut agent = choice.build(&rules, 5).expect("an agent");
        for cell in agent.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn") {
            position.play(cell).expect("legal");
        }
        assert!(position.is_over(), "{position}");
    }

    #[test]
    fn as_listed_a_turn_comes_from_the_candidates() {
        let rules = Rules::CONNECT6;
        let position = Position::from_moves(rules, &[Cell::new(180)]).expect("legal");
        let choice = crate::registry().parse("genetic:strict,mutation=0").expect("known");
        let near = Near { width: 4, look: Look::Four, seed: 0 }.candidates(&position);
        for seed in 0..5 {
            let mut agent = choice.build(&rules, seed).expect("an agent");
            let mut nodes = 0;
            let turn = agent
                .choose(&position, &Budget::default(), &mut |report| nodes = report.nodes)
                .expect("a turn");
            assert_eq!(nodes, 50 + 50 * 50);
            assert!(turn.iter().all(|cell| near.iter().any(|near| near.cell == *cell)));
        }
    }
}
