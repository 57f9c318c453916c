//! The upper part of a proof: an AND/OR graph per question, whose edge is handed out as jobs.
//!
//! Numbers go up as in the search below: the least among the moves of the one who may choose, the
//! largest plus one for each other open child where all must be decided. A place whose job is out
//! counts as harder than it is in both numbers (virtual proofs and disproofs), so that the next
//! worker goes elsewhere. A job that came back open makes its place an inner one.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use collinear_rules::{Cell, Player, Position, Setup};

use super::learn::learn;
use super::{Answer, AnswerError, Found, Job, position_text};
use crate::ProveError;
use crate::board::bits;
use crate::certificate::{Certificate, Goal, Value};
use crate::check::check_part;
use crate::node::{Key, Node, Question};
use crate::prover::{Asked, Limits, NEVER, Progress, Prover, node_of};
use crate::search::Stopped;
use crate::table::{INFINITE, Numbers};

/// By how much each worker at a place makes it look harder.
const VIRTUAL: u32 = 4;

/// A place of the graph.
struct Place {
    node: Node,
    /// Found without a job, or by one.
    numbers: Numbers,
    /// None before it is opened.
    children: Vec<usize>,
    /// Jobs that are out.
    out: u32,
    /// The strategy of a job that decided it.
    strategy: Vec<u8>,
}

/// One question and its graph; the first place is the root.
struct Graph {
    question: Question,
    places: Vec<Place>,
    known: HashMap<Key, usize>,
}

/// The upper part of a proof.
pub struct Upper {
    position: Position,
    prover: Prover,
    graphs: Vec<Graph>,
    job_nodes: u64,
    /// Nodes that the jobs have spent.
    nodes: u64,
    /// Answers taken.
    answers: u64,
}

impl Upper {
    /// Prepares the proof of a position by jobs of at most this many nodes each; the table of this
    /// many bytes is for writing the certificate.
    pub fn new(position: &Position, memory: usize, job_nodes: u64) -> Result<Self, ProveError> {
        let prover = Prover::new(position, memory)?;
        let graphs = prover.questions.iter().map(|&question| {
            let mut graph = Graph { question, places: Vec::new(), known: HashMap::new() };
            graph.place(&prover, node_of(position, question.attacker));
            graph
        });
        let graphs = graphs.collect();
        let position = position.clone();
        Ok(Self { position, prover, graphs, job_nodes: job_nodes.max(1), nodes: 0, answers: 0 })
    }

    fn verdicts(&self) -> Vec<Option<bool>> {
        self.graphs.iter().map(|graph| graph.survey().numbers[0].verdict()).collect()
    }

    /// The value, once it is known.
    pub fn value(&self) -> Option<Value> {
        self.prover.value_of(&self.verdicts())
    }

    /// Nodes that the jobs have spent.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Answers taken so far.
    pub fn answers(&self) -> u64 {
        self.answers
    }

    /// The job that is most worth doing; none when the value is known or all jobs are out.
    pub fn next_job(&mut self) -> Option<Job> {
        loop {
            let (graph, place) = self.most_wanted()?;
            if self.is_over(graph, place) {
                self.search_here(graph, place);
                continue;
            }
            let graph = &mut self.graphs[graph];
            graph.places[place].out += 1;
            let Question { attacker, weak } = graph.question;
            let setup = setup(&graph.places[place].node, attacker);
            let rules = *self.position.rules();
            return Some(Job { rules, setup, attacker, weak, nodes: self.job_nodes });
        }
    }

    /// The graph and the place in it where a job is most worth doing.
    fn most_wanted(&self) -> Option<(usize, usize)> {
        let verdicts = self.verdicts();
        let mut open: Vec<usize> =
            (0..self.graphs.len()).filter(|&graph| self.prover.is_open(&verdicts, graph)).collect();
        // The questions take turns: the one with fewer jobs out, of equals the smaller graph.
        open.sort_by_key(|&g| (self.graphs[g].jobs_out(), self.graphs[g].places.len()));
        open.into_iter().find_map(|graph| Some((graph, self.graphs[graph].most_proving()?)))
    }

    /// Whether the defender has completed a row. A weak question goes on after it, but it is no
    /// position of the game, so nobody else can be asked.
    fn is_over(&self, graph: usize, place: usize) -> bool {
        let graph = &self.graphs[graph];
        graph.question.weak && self.prover.has_row(graph.places[place].node.defence)
    }

    /// Does what a job would: as many nodes, and the place becomes an inner one when they are too
    /// few. The table keeps what is found for the certificate.
    fn search_here(&mut self, graph: usize, place: usize) {
        let graph = &mut self.graphs[graph];
        let halt = AtomicBool::new(false);
        let mut search = self.prover.search(graph.question, (&halt, &NEVER));
        search.most = self.job_nodes;
        match search.solve(&graph.places[place].node) {
            Ok(wins) => graph.places[place].numbers = Numbers::decided(wins),
            Err(Stopped) => graph.open(&self.prover, place),
        }
    }

    /// A job was lost: somebody else may do it.
    pub fn give_back(&mut self, job: &Job) {
        if let Ok((graph, place)) = self.find(job) {
            let out = &mut self.graphs[graph].places[place].out;
            *out = out.saturating_sub(1);
        }
    }

    /// Takes an answer over; whether it was new. What it claims is checked first.
    pub fn report(&mut self, answer: &Answer) -> Result<bool, AnswerError> {
        let job = &answer.job;
        let (graph, index) = self.find(job)?;
        let graph = &mut self.graphs[graph];
        let place = &mut graph.places[index];
        place.out = place.out.saturating_sub(1);
        let opened = !place.children.is_empty();
        if place.numbers.verdict().is_some() || (opened && answer.found == Found::Open) {
            return Ok(false);
        }
        if let Some(part) = answer.part() {
            let root = Position::from_setup(job.rules, &job.setup)
                .map_err(|_| AnswerError::Foreign(job.to_string()))?;
            check_part(&root, 1, &part, None)?;
            // The strategy is kept with the stones as the job had them.
            place.node = node_of(&root, job.attacker);
        }
        match &answer.found {
            Found::Open => graph.open(&self.prover, index),
            Found::WinsWeak => place.numbers = Numbers::PROVED,
            Found::Wins(bytes) => {
                (place.numbers, place.strategy) = (Numbers::PROVED, bytes.clone());
            }
            Found::Holds(bytes) => {
                (place.numbers, place.strategy) = (Numbers::DISPROVED, bytes.clone());
            }
        }
        self.nodes += answer.nodes;
        self.answers += 1;
        Ok(true)
    }

    /// Writes the certificate of a value that is known, around the strategies of the jobs.
    pub fn certificate(&self, limits: &Limits<'_>) -> Result<Certificate, ProveError> {
        let Some(value) = self.value() else {
            return Err(ProveError::Stopped { nodes: self.nodes });
        };
        let halt = AtomicBool::new(false);
        for graph in &self.graphs {
            let numbers = graph.survey().numbers;
            for (place, numbers) in graph.places.iter().zip(numbers) {
                let Some(wins) = numbers.verdict() else { continue };
                let mut search = self.prover.search(graph.question, (&halt, &NEVER));
                if place.strategy.is_empty() {
                    let key = self.prover.key_of(graph.question, &place.node);
                    self.prover.remember(&key, numbers);
                } else {
                    let goal = if wins { Goal::Wins } else { Goal::Holds };
                    learn(&mut search, &place.node, goal, &place.strategy);
                }
            }
        }
        self.prover.certificate(value, limits)
    }

    /// The place of a job.
    fn find(&self, job: &Job) -> Result<(usize, usize), AnswerError> {
        let foreign = || AnswerError::Foreign(job.to_string());
        if job.rules != *self.position.rules() {
            return Err(foreign());
        }
        let position = Position::from_setup(job.rules, &job.setup).map_err(|_| foreign())?;
        let question = job.question();
        let graph = self.graphs.iter().position(|graph| graph.question == question);
        let graph = graph.ok_or_else(foreign)?;
        let key = self.prover.key_of(question, &node_of(&position, job.attacker));
        let place = self.graphs[graph].known.get(&key).copied().ok_or_else(foreign)?;
        Ok((graph, place))
    }

    /// How far the questions are, and the nodes that the jobs have spent.
    pub fn progress(&self) -> Progress {
        let asked = |graph: &Graph| {
            let Numbers { proof, disproof } = graph.survey().numbers[0];
            let Question { attacker, weak } = graph.question;
            Asked { attacker, weak, proof, disproof }
        };
        let questions = self.graphs.iter().map(asked).collect();
        Progress { nodes: self.nodes, questions, within: None }
    }

    /// What the first line of a file of answers says, so that files are not confused.
    pub fn title(&self) -> String {
        format!("collinear answers 1|{}", position_text(&self.position))
    }
}

/// What is known of each place of a graph with all jobs that are out.
struct Survey {
    numbers: Vec<Numbers>,
    /// Whether an undecided place without a job is here or below.
    free: Vec<bool>,
}

impl Graph {
    /// The place of a node, new or known.
    fn place(&mut self, prover: &Prover, node: Node) -> usize {
        let halt = AtomicBool::new(false);
        let seen = prover.search(self.question, (&halt, &NEVER)).look(&node);
        if let Some(&index) = self.known.get(&seen.key) {
            return index;
        }
        let index = self.places.len();
        self.known.insert(seen.key, index);
        let numbers = seen.numbers;
        let (children, strategy) = (Vec::new(), Vec::new());
        self.places.push(Place { node, numbers, children, out: 0, strategy });
        index
    }

    /// Makes a place an inner one.
    fn open(&mut self, prover: &Prover, index: usize) {
        let node = self.places[index].node;
        let halt = AtomicBool::new(false);
        let moves = prover.search(self.question, (&halt, &NEVER)).moves(&node);
        let mut children: Vec<usize> =
            bits(moves).map(|cell| self.place(prover, prover.after(&node, cell))).collect();
        children.sort_unstable();
        children.dedup();
        self.places[index].children = children;
    }

    fn jobs_out(&self) -> u32 {
        self.places.iter().map(|place| place.out).sum()
    }

    /// Goes through all places, those with most stones first: children before their parents.
    fn survey(&self) -> Survey {
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        let stones = |node: &Node| (node.attack | node.defence).count_ones();
        order.sort_by_key(|&index| Reverse(stones(&self.places[index].node)));
        let mut survey = Survey {
            numbers: self.places.iter().map(|place| place.numbers).collect(),
            free: vec![false; self.places.len()],
        };
        for index in order {
            let place = &self.places[index];
            if place.numbers.verdict().is_some() {
                continue;
            }
            if place.children.is_empty() {
                let harder =
                    |n: u32| n.saturating_mul(1 + VIRTUAL * place.out).clamp(1, INFINITE - 1);
                let Numbers { proof, disproof } = place.numbers;
                survey.numbers[index] =
                    Numbers { proof: harder(proof), disproof: harder(disproof) };
                survey.free[index] = place.out == 0;
            } else {
                let children: Vec<Numbers> =
                    place.children.iter().map(|&child| survey.numbers[child]).collect();
                survey.numbers[index] = joined(&children, place.node.turn.attacks);
                survey.free[index] = survey.numbers[index].verdict().is_none()
                    && place.children.iter().any(|&child| survey.free[child]);
            }
        }
        survey
    }

    /// The open place without a job that decides the root soonest, as far as is known.
    fn most_proving(&self) -> Option<usize> {
        let survey = self.survey();
        let mut at = survey.free[0].then_some(0)?;
        while !self.places[at].children.is_empty() {
            let place = &self.places[at];
            let chooser = |&child: &usize| {
                let numbers = survey.numbers[child];
                if place.node.turn.attacks { numbers.proof } else { numbers.disproof }
            };
            let free = place.children.iter().copied().filter(|&child| survey.free[child]);
            at = free.min_by_key(chooser)?;
        }
        Some(at)
    }
}

/// The numbers of a node by those of its children.
fn joined(children: &[Numbers], attacks: bool) -> Numbers {
    if children.iter().any(|child| child.verdict() == Some(attacks)) {
        return Numbers::decided(attacks);
    }
    let open = || children.iter().filter(|child| child.verdict().is_none());
    let others = (open().count() as u32).saturating_sub(1);
    if open().next().is_none() {
        return Numbers::decided(!attacks);
    }
    let least = |of: fn(&Numbers) -> u32| open().map(of).min().unwrap_or(1);
    let most = |of: fn(&Numbers) -> u32| {
        open().map(of).max().unwrap_or(1).saturating_add(others).min(INFINITE - 1)
    };
    if attacks {
        Numbers { proof: least(|n| n.proof), disproof: most(|n| n.disproof) }
    } else {
        Numbers { proof: most(|n| n.proof), disproof: least(|n| n.disproof) }
    }
}

/// The stones of a node as a position is set up.
fn setup(node: &Node, attacker: Player) -> Setup {
    let cells = |set: u64| -> Vec<Cell> {
        bits(set).map(|bit| Cell::new(bit.trailing_zeros() as usize)).collect()
    };
    let (attack, defence) = (cells(node.attack), cells(node.defence));
    let (black, white) =
        if attacker == Player::Black { (attack, defence) } else { (defence, attack) };
    let player = if node.turn.attacks { attacker } else { !attacker };
    Setup { black, white, to_move: Some((player, usize::from(node.turn.left))) }
}
