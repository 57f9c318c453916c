//! Experiment files: read, checked against the agents there are, complaints with their line.

use std::collections::BTreeMap;

use collinear_play::{Registry, SpecError, TimeControl};
use collinear_rules::Rules;
use collinear_rules::hash::fnv1a;
use serde::Deserialize;
use toml::Spanned;

use crate::adjudication::Adjudication;
use crate::opening::Openings;
use crate::plan::{Contestant, ContestantError, FirstMove, Pairings, Plan};
use crate::spec_file::{FileError, Source};

/// A question and how it is answered.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The file's name without ending.
    pub name: String,
    /// A headline.
    pub title: String,
    /// What it wants to know.
    pub question: String,
    /// Where it comes from.
    pub source: Option<String>,
    /// What it is run and reported with.
    pub group: Option<String>,
    /// Paragraphs for the report.
    pub notes: Option<String>,
    /// What is done.
    pub content: Content,
}

/// What an experiment does.
#[derive(Clone, Debug)]
pub enum Content {
    /// Plays matches.
    Matches(Matches),
    /// Runs code of its own.
    Study {
        /// The name of the code.
        study: String,
        /// What it is told.
        parameters: toml::Table,
    },
}

/// Matches between named players.
#[derive(Clone, Debug)]
pub struct Matches {
    /// Games per cell.
    pub games: u64,
    /// Games behind each printed value.
    pub printed_games: u64,
    /// Who moves first: with `Fixed`, X.
    pub first_move: FirstMove,
    /// Where games start.
    pub openings: Openings,
    /// Seed for all random choices.
    pub seed: u64,
    /// The players, in the order in which cells name them.
    pub players: Vec<Subject>,
    /// The matches.
    pub cells: Vec<Pairing>,
    /// Why other matches are left out: a sentence for each.
    pub skipped: Vec<String>,
    /// Whether all players are rated together.
    pub ratings: bool,
    /// The pictures.
    pub plots: Vec<PlotSpec>,
}

/// A player of an experiment.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name in tables.
    pub name: String,
    /// Who plays.
    pub contestant: Contestant,
    /// Where it stands on an axis.
    pub value: Option<f64>,
    /// The rating that somebody else gives it: all ratings are on that scale.
    pub anchor: Option<f64>,
}

/// One match: a `[[cells]]` of the file.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The game.
    pub rules: Rules,
    /// Index of X, whose score is shown.
    pub x: usize,
    /// Index of O.
    pub o: usize,
    /// X's points as a document prints them.
    pub printed: Option<f64>,
    /// What else a document prints about the match.
    pub printed_more: PrintedMore,
    /// Sets its games apart from those of an equal cell in another experiment.
    pub seed: u64,
    /// Which reading of a vague text the players follow; readings are compared with each other.
    pub reading: Option<String>,
}

/// What a document prints about a match beside the score.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PrintedMore {
    /// Games drawn.
    pub draws: Option<f64>,
    /// Turns of both players in all games.
    pub turns: Option<f64>,
    /// Microseconds per turn, on the document's machine.
    pub micros: Option<f64>,
}

/// A picture.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlotSpec {
    /// What is drawn.
    pub kind: PlotKind,
    /// The sentence below it.
    pub caption: Option<String>,
    /// What the players' values are: `plies`, `milliseconds per turn`.
    pub axis: Option<String>,
    /// Whether the values' axis is logarithmic.
    #[serde(default)]
    pub log: bool,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PlotKind {
    /// X's score by the difference of values, with a logistic fit.
    ScoreByDifference,
    /// X's score by X's value, a line for each O.
    ScoreByValue,
    /// Draws of cells whose players have equal values, by value.
    DrawsByValue,
    /// Time per turn by value, on a log scale, a line for each kind of player.
    TimeByValue,
    /// Ratings of all players by value.
    RatingByValue,
    /// A bar for each cell, with the printed value where there is one.
    ScoreBars,
    /// A bar for each cell: the score of whoever moved first.
    FirstMoveBars,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    title: String,
    question: String,
    source: Option<String>,
    group: Option<String>,
    notes: Option<String>,
    study: Option<Spanned<String>>,
    #[serde(default)]
    parameters: toml::Table,
    game: Option<Spanned<OneOrMany>>,
    games: Option<Spanned<u64>>,
    printed_games: Option<u64>,
    #[serde(default)]
    first_move: FirstMove,
    openings: Option<Spanned<String>>,
    limits: Option<Spanned<String>>,
    seed: Option<u64>,
    ratings: Option<Spanned<bool>>,
    #[serde(default)]
    players: BTreeMap<String, PlayerFile>,
    #[serde(default)]
    cells: Vec<Spanned<CellFile>>,
    #[serde(default)]
    plots: Vec<PlotSpec>,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a game such as \"connect4\", or a list of games")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerFile {
    agent: Spanned<String>,
    value: Option<f64>,
    anchor: Option<Spanned<f64>>,
    /// What to do where there is no such agent: with this, its cells are skipped with these words.
    optional: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CellFile {
    x: String,
    o: String,
    printed: Option<f64>,
    draws: Option<f64>,
    turns: Option<f64>,
    micros: Option<f64>,
    reading: Option<String>,
    #[serde(default)]
    seed: u64,
}

impl Experiment {
    /// Reads an experiment file.
    pub fn parse(name: &str, text: &str, registry: &Registry) -> Result<Self, FileError> {
        let source = Source { file: name, text };
        let file: File = source.read()?;
        let content = if let Some(study) = &file.study {
            if !file.cells.is_empty() || !file.players.is_empty() {
                return Err(source.error(&study.span(), "a study has no players and cells"));
            }
            Content::Study { study: study.get_ref().clone(), parameters: file.parameters.clone() }
        } else {
            Content::Matches(matches(&source, &file, registry)?)
        };
        let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
        Ok(Self {
            name: stem.strip_suffix(".toml").unwrap_or(stem).to_owned(),
            title: file.title,
            question: file.question,
            source: file.source,
            group: file.group,
            notes: file.notes,
            content,
        })
    }
}

fn matches(source: &Source<'_>, file: &File, registry: &Registry) -> Result<Matches, FileError> {
    let whole = 0..0;
    let games = match &file.games {
        Some(games) => source.games(games)?,
        None => return Err(source.error(&whole, "`games` is missing: games per cell")),
    };
    let all_rules = rules(source, file)?;
    let limits = source.limits(file.limits.as_ref())?;
    let openings = openings(source, file, &all_rules)?;
    if let Some(ratings) = file.ratings.as_ref().filter(|_| all_rules.len() > 1) {
        return Err(source.error(&ratings.span(), "ratings: these are for one game alone"));
    }
    for anchor in file.players.values().filter_map(|player| player.anchor.as_ref()) {
        if !is_rating(*anchor.get_ref()) {
            return Err(source.error(&anchor.span(), NO_RATING));
        }
    }
    let mut cast = Cast { source, file, registry, limits, players: Vec::new() };
    let (mut cells, mut skipped) = (Vec::new(), Vec::new());
    for rules in &all_rules {
        for cell in &file.cells {
            let CellFile { x, o, printed, draws, turns, micros, reading, seed } = cell.get_ref();
            match (cast.find(cell, x)?, cast.find(cell, o)?) {
                (Role::Player(x), Role::Player(o)) => cells.push(Pairing {
                    rules: *rules,
                    x,
                    o,
                    printed: *printed,
                    printed_more: PrintedMore { draws: *draws, turns: *turns, micros: *micros },
                    seed: *seed,
                    reading: reading.clone(),
                }),
                (Role::Absent(why), _) | (_, Role::Absent(why)) => {
                    skipped.push(format!("{x} – {o} is skipped: {why}"));
                }
            }
        }
    }
    if cells.is_empty() && skipped.is_empty() {
        return Err(source.error(&whole, "there are no [[cells]]: each names x and o"));
    }
    let matches = Matches {
        games,
        printed_games: file.printed_games.unwrap_or(games),
        first_move: file.first_move,
        openings,
        seed: file.seed.unwrap_or(1),
        players: cast.players,
        cells,
        skipped,
        ratings: file.ratings.as_ref().is_some_and(|ratings| *ratings.get_ref()),
        plots: file.plots.clone(),
    };
    for cell in &matches.cells {
        matches.plan(cell).check(games).map_err(|error| source.error(&whole, error.to_string()))?;
    }
    Ok(matches)
}

/// The games that are played, at least one.
fn rules(source: &Source<'_>, file: &File) -> Result<Vec<Rules>, FileError> {
    let Some(game) = &file.game else {
        return Err(source.error(&(0..0), "`game` is missing: a name such as \"connect4\""));
    };
    let names = match game.get_ref() {
        OneOrMany::One(name) => std::slice::from_ref(name),
        OneOrMany::Many(names) => &names[..],
    };
    names.iter().map(|name| source.rules(name, &game.span())).collect()
}

/// Where games start, which must be the same in all of them.
fn openings(source: &Source<'_>, file: &File, games: &[Rules]) -> Result<Openings, FileError> {
    let mut openings: Option<Openings> = None;
    for rules in games {
        let here = source.openings(rules, file.openings.as_ref())?;
        if openings.as_ref().is_some_and(|before| *before != here) {
            let place = file.openings.as_ref().map_or(0..0, Spanned::span);
            return Err(source.error(&place, "openings: these differ from game to game"));
        }
        openings = Some(here);
    }
    Ok(openings.unwrap_or_default())
}

/// The players that cells have named so far.
struct Cast<'a> {
    source: &'a Source<'a>,
    file: &'a File,
    registry: &'a Registry,
    limits: TimeControl,
    players: Vec<Subject>,
}

/// What a name in a cell stands for.
enum Role {
    /// Index of a player.
    Player(usize),
    /// An agent that this program does not have: why the cell is skipped.
    Absent(String),
}

impl Cast<'_> {
    fn find(&mut self, cell: &Spanned<CellFile>, name: &str) -> Result<Role, FileError> {
        if let Some(index) = self.players.iter().position(|player| player.name == name) {
            return Ok(Role::Player(index));
        }
        let Some(player) = self.file.players.get(name) else {
            let known: Vec<_> = self.file.players.keys().map(String::as_str).collect();
            let message = format!("there is no player {name:?}; players: {}", known.join(" "));
            return Err(self.source.error(&cell.span(), message));
        };
        match Contestant::parse(self.registry, player.agent.get_ref(), self.limits) {
            Ok(mut contestant) => {
                name.clone_into(&mut contestant.label);
                let anchor = player.anchor.as_ref().map(|anchor| *anchor.get_ref());
                let (name, value) = (name.to_owned(), player.value);
                let subject = Subject { name, contestant, value, anchor };
                self.players.push(subject);
                Ok(Role::Player(self.players.len() - 1))
            }
            Err(error) => {
                let unknown =
                    matches!(error, ContestantError::Agent(SpecError::UnknownAgent { .. }));
                match &player.optional {
                    Some(remedy) if unknown => {
                        Ok(Role::Absent(format!("no agent is called {name}: {remedy}")))
                    }
                    _ => Err(self.source.error(&player.agent.span(), error.to_string())),
                }
            }
        }
    }
}

/// Why an anchor is refused.
const NO_RATING: &str = "an anchor is a rating such as 2287, from -10000 to 10000";

fn is_rating(elo: f64) -> bool {
    (-10_000.0..=10_000.0).contains(&elo)
}

impl Matches {
    /// Gives a player the rating that others gave it, and asks for the ratings of all.
    pub fn anchor(&mut self, name: &str, elo: f64) -> Result<(), String> {
        if !is_rating(elo) {
            return Err(NO_RATING.to_owned());
        }
        if self.has_many_games() {
            return Err("ratings are for one game alone".to_owned());
        }
        let names: Vec<String> = self.players.iter().map(|player| player.name.clone()).collect();
        let Some(player) = self.players.iter_mut().find(|player| player.name == name) else {
            return Err(format!("nobody called {name:?} plays; players: {}", names.join(", ")));
        };
        player.anchor = Some(elo);
        self.ratings = true;
        Ok(())
    }

    /// The plan of one cell. Cells have seeds of their own, so that no two share their dice.
    pub fn plan(&self, cell: &Pairing) -> Plan {
        let [x, o] = [cell.x, cell.o].map(|index| self.players[index].contestant.clone());
        let words = format!("{} {} {} {:?}", cell.rules, x.label, o.label, self.first_move);
        Plan {
            rules: cell.rules,
            contestants: vec![x, o],
            format: Pairings::RoundRobin,
            first_move: self.first_move,
            openings: self.openings.clone(),
            opening_rule: None,
            adjudication: Adjudication::default(),
            seed: self.seed ^ cell.seed ^ fnv1a(words.as_bytes()),
        }
    }

    /// Whether cells are of several games.
    pub fn has_many_games(&self) -> bool {
        self.cells.iter().any(|cell| cell.rules != self.cells[0].rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::registry;

    #[test]
    fn cells_of_absent_engines_are_skipped_with_a_word() {
        let text =
            GOOD.replace("agent = \"dice:share=0.5\"", "agent = \"rival\"\noptional = \"add it\"");
        let experiment = Experiment::parse("good.toml", &text, &registry()).expect("parses");
        let Content::Matches(matches) = experiment.content else { panic!("matches") };
        assert!(!matches.skipped.is_empty());
        assert!(matches.skipped.iter().all(|why| why.contains("no agent is called b: add it")));
        let strict = text.replace("optional = \"add it\"", "");
        assert!(Experiment::parse("good.toml", &strict, &registry()).is_err());
    }

    const GOOD: &str = r#"
title = "Dice"
question = "Are dice fair?"
game = ["connect4", "tictactoe"]
games = 10
first-move = "fixed"

[players.a]
agent = "dice@depth=3"
value = 1
[players.b]
agent = "dice:share=0.5"

[[cells]]
x = "b"
o = "a"
printed = 498.5
[[cells]]
x = "a"
o = "a"

[[plots]]
kind = "score-bars"
"#;

    #[test]
    fn a_file_becomes_cells() {
        let experiment = Experiment::parse("x/dice.toml", GOOD, &registry()).expect("good");
        assert_eq!(experiment.name, "dice");
        let Content::Matches(matches) = experiment.content else { panic!("no matches") };
        assert_eq!(matches.cells.len(), 4);
        assert_eq!((matches.cells[0].x, matches.cells[0].o), (0, 1));
        assert_eq!(matches.players[1].contestant.control.depth, Some(3));
        assert_eq!(matches.players[1].value, Some(1.0));
        assert_eq!(matches.cells[0].printed, Some(498.5));
        let seeds = [0, 1, 2, 3].map(|n| matches.plan(&matches.cells[n]).seed);
        assert!(seeds.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn complaints_name_the_line_and_what_is_right() {
        for (from, to, line, words) in [
            ("games = 10", "games = 0", 5, "1 to 10000000"),
            ("games = 10", "gamess = 10", 5, "unknown field `gamess`"),
            ("games = 10", "", 1, "`games` is missing"),
            ("\"tictactoe\"", "\"go\"", 4, "neither a game"),
            ("\"fixed\"", "\"never\"", 6, "`alternating` or `fixed`"),
            ("dice@depth=3", "dise@depth=3", 9, "did you mean dice?"),
            ("dice@depth=3", "dice@speed=3", 9, "known are turn=TIME"),
            ("share=0.5", "share=5", 12, "0…1"),
            ("o = \"a\"\nprinted", "o = \"c\"\nprinted", 14, "players: a b"),
            ("score-bars", "pie", 23, "unknown variant `pie`"),
            ("value = 1", "value = [", 12, "expected"),
            ("value = 1", "anchor = 1e9", 10, "a rating such as 2287"),
            ("value = 1", "anchor = nan", 10, "a rating such as 2287"),
            ("games = 10", "games = 10\nratings = true", 6, "for one game alone"),
        ] {
            assert!(GOOD.contains(from), "{from}");
            let bad = GOOD.replacen(from, to, 1);
            let error = Experiment::parse("dice.toml", &bad, &registry()).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.message.contains(words), "{error}");
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
}
