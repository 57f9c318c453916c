//! What is asked without a game: new games, links, puzzles, records, the list of stored games.

use std::sync::Arc;

use collinear_agents::playing;
use collinear_book::Book;
use collinear_play::{Game, OpeningRule, Registry, TimeControl};
use collinear_rules::{Cell, Position, Rules, Setup};

use crate::convert::{
    agent_info, cells_of, check_timing, control, levels, player, rules_name, rules_of, rules_view,
};
use crate::friends::{Friends, room_secret};
use crate::game::PageGame;
use crate::store::{MAX_GAMES, Store, StoreError};
use crate::wire::{
    AgentInfo, ExplainAsked, FormCheck, Invitation, NewGame, NewSetup, PresetInfo, RulesForm, Seat,
    Timing, ToLobby, ToPage,
};
use crate::work::{InRecord, Outcome, Posed, Work};
use crate::{backup, insight, link, openings, puzzles, record, seats};

/// The largest settings text.
pub(crate) const MAX_SETTINGS: usize = 65_536;
/// The file of a backup.
const BACKUP_FILE: &str = "collinear-backup.json";
/// What an agent may think when nobody said otherwise.
const DEFAULT_TIMING: Timing = Timing::Turn { ms: 1000 };

/// What all rooms share, and who answers where there is no room.
pub struct Lobby {
    /// All agents.
    pub registry: Registry,
    /// Opening statistics, at most one book per game.
    pub books: Arc<[Book]>,
}

/// From when on a game is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// From the start.
    Now,
    /// When something in it changes: a link or a replay that is only looked at leaves no trace.
    WhenChanged,
}

/// What the host is to do for the page.
pub enum Answer {
    /// Nothing more.
    Done,
    /// Tell it something.
    Tell(Box<ToPage>),
    /// Put a game on its board.
    Begin {
        /// The game.
        game: Box<PageGame>,
        /// When it is stored.
        keep: Keep,
        /// Why it is not what was asked for, if it is not.
        instead: Option<String>,
    },
    /// Make a room for a game by a link, and tell the page its secret.
    Invite(Box<PageGame>),
    /// Put a stored game on its board; where that is gone, the default one.
    Join(String),
    /// Have some work done first; [`Errand::conclude`] makes an answer of the outcome.
    Work(Box<Errand>),
}

/// What a page has to wait for.
pub enum Errand {
    /// A puzzle is to be opened.
    Puzzle {
        /// The name of a shipped one, or the link of a position that has to be proved.
        id: String,
        /// For everything random in its game.
        seed: u64,
    },
    /// The shipped puzzles are to be listed.
    Puzzles,
    /// A record is to be read.
    Read {
        /// Its text.
        text: String,
        /// Which of its games.
        index: Option<u32>,
        /// The game on the board.
        open: Option<Rules>,
        /// For everything random in its game.
        seed: u64,
    },
    /// An idea is to be explained.
    Explain(ExplainAsked),
    /// It is to be told how games went on from a position.
    Openings {
        /// The link that was asked about.
        link: String,
        /// Its position.
        position: Box<Position>,
        /// The games.
        games: Option<String>,
    },
    /// The network is to be asked about a position.
    Glance {
        /// The link that was asked about.
        link: String,
        /// Its position.
        position: Box<Position>,
    },
    /// Puzzles are to be found in a stored game.
    Find {
        /// Its name.
        id: String,
        /// Its rules.
        rules: Rules,
        /// Its stones.
        stones: Vec<Cell>,
    },
}

impl Lobby {
    /// The first message of every connection.
    pub fn hello(&self, store: &dyn Store) -> ToPage {
        Self::greeting(self.agents(), store.settings().ok().flatten(), None)
    }

    /// Everybody who can be chosen.
    pub fn agents(&self) -> Vec<AgentInfo> {
        self.registry.iter().map(agent_info).collect()
    }

    /// The same for a page that came by the link of a room: it is told of nothing else.
    pub fn welcome(invitation: Invitation) -> ToPage {
        Self::greeting(Vec::new(), None, Some(invitation))
    }

    fn greeting(
        agents: Vec<AgentInfo>,
        settings: Option<String>,
        invitation: Option<Invitation>,
    ) -> ToPage {
        ToPage::Hello {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            presets: Rules::PRESETS
                .iter()
                .map(|(name, rules)| PresetInfo {
                    name: (*name).to_owned(),
                    rules: rules_view(rules),
                })
                .collect(),
            agents,
            settings,
            invitation,
        }
    }

    /// The book of a game, if one was given.
    pub fn book(&self, rules: &Rules) -> Option<&Book> {
        self.books.iter().find(|book| book.rules() == rules)
    }

    /// Answers a page, or says why not. Everything random in a game that begins follows from the
    /// seed. Takes as long as the store does, and a large record a moment more.
    pub fn answer(&self, store: &dyn Store, asked: ToLobby, seed: u64) -> Result<Answer, String> {
        let begin = |game| Answer::Begin { game: Box::new(game), keep: Keep::Now, instead: None };
        match asked {
            ToLobby::Open { id, link } => self.open(store, id.as_deref(), link, seed),
            ToLobby::New { game } => new_game(&self.registry, game, seed).map(begin),
            ToLobby::Invite { game } => {
                invited(&self.registry, game, seed).map(|game| Answer::Invite(Box::new(game)))
            }
            ToLobby::Setup { setup, puzzle } => {
                let game = set_up(&setup, seed)?;
                if puzzle == Some(true) {
                    Ok(work(Errand::Puzzle { id: link::write(&game.model), seed }))
                } else {
                    Ok(begin(game))
                }
            }
            ToLobby::Puzzles => Ok(work(Errand::Puzzles)),
            ToLobby::Puzzle { id } => Ok(work(Errand::Puzzle { id, seed })),
            ToLobby::FindPuzzles { id } => {
                let game = store.load(&id).map_err(|error| error.to_string())?;
                let Some((rules, stones)) = game.and_then(|game| puzzles::stones(game.model))
                else {
                    let (game, lines) = (String::new(), Vec::new());
                    return Ok(tell(ToPage::FoundPuzzles { id, game, lines }));
                };
                Ok(work(Errand::Find { id, rules, stones }))
            }
            ToLobby::Explain { asked } => Ok(work(Errand::Explain(asked))),
            ToLobby::Openings { link, games } => {
                let position = Box::new(openings::position(&link)?);
                Ok(work(Errand::Openings { link, position, games }))
            }
            ToLobby::OwnOpenings { game } => self.own_openings(store, game),
            ToLobby::Glance { link } => {
                let position = Box::new(openings::position(&link)?);
                if insight::has_policy(position.rules()) && !position.is_over() {
                    return Ok(work(Errand::Glance { link, position }));
                }
                Ok(tell(ToPage::Glanced { link, policy: None }))
            }
            ToLobby::Check { form } => {
                let check = self.check(&form);
                Ok(tell(ToPage::Checked { form, check }))
            }
            ToLobby::Games => list(store, Ok(())),
            ToLobby::Forget { id } => list(store, store.forget(&id)),
            ToLobby::Remember { id } => list(store, store.remember(&id).map(drop)),
            ToLobby::Import { text, index, game } => {
                if let Some(linked) = link::pasted(&text) {
                    return Ok(begin(linked_game(linked, seed)));
                }
                let open = game.and_then(|game| game.parse().ok());
                Ok(work(Errand::Read { text, index, open, seed }))
            }
            ToLobby::Backup => Ok(tell(ToPage::Exported {
                name: BACKUP_FILE.to_owned(),
                text: backup::write(store).map_err(|error| error.to_string())?,
                losses: Vec::new(),
            })),
            ToLobby::RestoreBackup { text } => {
                let restored = backup::restore(store, &text)?;
                Ok(tell(ToPage::Restored { games: restored.games, settings: restored.settings }))
            }
            ToLobby::Settings { text } => {
                if text.len() > MAX_SETTINGS {
                    return Err("these settings are too large to keep".to_owned());
                }
                let kept = store.keep_settings(&text);
                kept.map(|()| Answer::Done).map_err(|error| error.to_string())
            }
        }
    }

    /// An empty board for two people: what everybody starts with.
    pub fn default_game(&self, seed: u64) -> PageGame {
        game_of_people(Game::new(Rules::CONNECT6), seed)
    }

    fn open(
        &self,
        store: &dyn Store,
        id: Option<&str>,
        link: Option<String>,
        seed: u64,
    ) -> Result<Answer, String> {
        let failed = |error: StoreError| error.to_string();
        // A game by a link is entered by its link alone.
        let known = id.filter(|id| {
            room_secret(id).is_none() && store.body(id).is_ok_and(|body| body.is_some())
        });
        let fresh = || Box::new(self.default_game(seed));
        let Some(wanted) = link else {
            let latest = match known {
                Some(id) => Some(id.to_owned()),
                None => store.latest_unfinished().map_err(failed)?,
            };
            let default = Answer::Begin { game: fresh(), keep: Keep::Now, instead: None };
            return Ok(latest.map_or(default, Answer::Join));
        };
        // A stored game that shows what the link says goes on.
        if let Some(id) = known
            && let Ok(Some(game)) = store.load(id)
            && link::write(&game.model) == wanted
        {
            return Ok(Answer::Join(id.to_owned()));
        }
        Ok(match link::read(&wanted) {
            Ok(linked) => Answer::Begin {
                game: Box::new(linked_game(linked, seed)),
                keep: Keep::WhenChanged,
                instead: None,
            },
            // A link that leads nowhere still leaves the person with a board.
            Err(error) => {
                Answer::Begin { game: fresh(), keep: Keep::Now, instead: Some(error.to_string()) }
            }
        })
    }

    fn own_openings(&self, store: &dyn Store, game: String) -> Result<Answer, String> {
        let rules: Rules =
            game.parse().map_err(|error: collinear_rules::ParseRulesError| error.to_string())?;
        let (text, count) = openings::own(store, &rules).map_err(|error| error.to_string())?;
        let book = self.book(&rules).map_or(0, Book::games);
        Ok(tell(ToPage::OwnOpenings { game, text, count, book }))
    }

    fn check(&self, form: &RulesForm) -> FormCheck {
        match rules_of(form) {
            Ok(rules) => FormCheck {
                rules: Some(rules_view(&rules)),
                problem: None,
                agents: playing(&self.registry, &rules).map(|spec| spec.name.to_owned()).collect(),
                levels: levels(&self.registry, &rules),
                openings: OpeningRule::Swap2.check(&rules).is_ok(),
            },
            Err(error) => FormCheck {
                rules: None,
                problem: Some(error.to_string()),
                agents: Vec::new(),
                levels: Vec::new(),
                openings: false,
            },
        }
    }
}

impl Errand {
    /// What has to be done.
    pub fn work(&self) -> Work {
        match self {
            Self::Puzzle { id, .. } => Work::Puzzle { id: id.clone(), linked: puzzles::linked(id) },
            Self::Puzzles => Work::Puzzles,
            Self::Find { rules, stones, .. } => {
                Work::FindPuzzles { rules: *rules, stones: stones.clone() }
            }
            Self::Read { text, index, open, .. } => {
                Work::Read { text: text.clone(), index: *index, open: *open }
            }
            Self::Explain(asked) => Work::Explain { asked: asked.clone() },
            Self::Openings { position, games, .. } => {
                Work::Openings { position: (**position).clone(), games: games.clone() }
            }
            Self::Glance { position, .. } => {
                Work::Policy { position: (**position).clone(), node: 0 }
            }
        }
    }

    /// What the page is told then: the puzzle on a board or why it is none; the steps of the idea.
    pub fn conclude(self, outcome: &Outcome) -> Result<Answer, String> {
        match (self, outcome) {
            (Self::Explain(asked), Outcome::Explained(explained)) => {
                Ok(tell(ToPage::Explained { asked, explained: explained.clone() }))
            }
            (Self::Explain(_), _) => Err("this could not be explained in time".to_owned()),
            (Self::Openings { link, .. }, Outcome::Openings(found)) => {
                Ok(tell(ToPage::Openings { link, openings: found.clone()? }))
            }
            (Self::Openings { .. }, _) => Err("the openings could not be read in time".to_owned()),
            (Self::Glance { link, .. }, outcome) => {
                let policy = match outcome {
                    Outcome::Policy(policy) => policy.clone(),
                    _ => None,
                };
                Ok(tell(ToPage::Glanced { link, policy }))
            }
            (Self::Puzzle { seed, .. }, Outcome::Puzzle(Ok(posed))) => Ok(on_board(posed, seed)),
            (Self::Puzzle { .. }, Outcome::Puzzle(Err(why))) => Err(why.clone()),
            (Self::Puzzle { .. }, _) => {
                Err("the solver did not finish in time: place more stones first".to_owned())
            }
            (Self::Find { id, rules, .. }, outcome) => {
                let lines = match outcome {
                    Outcome::FoundPuzzles(lines) => lines.clone(),
                    _ => Vec::new(),
                };
                Ok(tell(ToPage::FoundPuzzles { id, game: rules_name(&rules), lines }))
            }
            (Self::Puzzles, Outcome::Puzzles(puzzles)) => {
                Ok(tell(ToPage::Puzzles { puzzles: puzzles.clone() }))
            }
            (Self::Puzzles, _) => Err("the puzzles could not be listed".to_owned()),
            (Self::Read { seed, .. }, Outcome::Read(read)) => match read.clone()? {
                InRecord::Choices(titles) => Ok(tell(ToPage::Choices { titles })),
                InRecord::Game(record) => {
                    let game = Box::new(record::game(*record, default_control(), seed)?);
                    Ok(Answer::Begin { game, keep: Keep::Now, instead: None })
                }
            },
            (Self::Read { .. }, _) => Err("the record could not be read in time".to_owned()),
        }
    }
}

fn work(errand: Errand) -> Answer {
    Answer::Work(Box::new(errand))
}

fn on_board(posed: &Posed, seed: u64) -> Answer {
    let mut game = game_of_people(Game::from_position(posed.position.clone()), seed);
    game.puzzle = Some(posed.puzzle.clone());
    Answer::Begin { game: Box::new(game), keep: Keep::WhenChanged, instead: None }
}

fn tell(message: ToPage) -> Answer {
    Answer::Tell(Box::new(message))
}

/// What is in the store, after it was changed.
fn list(store: &dyn Store, changed: Result<(), StoreError>) -> Result<Answer, String> {
    let games = changed.and_then(|()| store.list()).map_err(|error| error.to_string())?;
    Ok(tell(ToPage::Stored { games, limit: MAX_GAMES }))
}

fn default_control() -> TimeControl {
    control(DEFAULT_TIMING)
}

fn game_of_people(model: Game, seed: u64) -> PageGame {
    PageGame::new(model.with_controls([default_control(); 2]), seed)
}

fn linked_game(linked: link::Linked, seed: u64) -> PageGame {
    let mut game = game_of_people(Game::from_position(linked.root), seed);
    for cell in linked.moves {
        if game.model.play(cell).is_err() {
            break;
        }
    }
    game
}

/// A position that somebody set up.
fn set_up(new: &NewSetup, seed: u64) -> Result<PageGame, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    let setup = Setup {
        black: cells_of(&rules, &new.black)?,
        white: cells_of(&rules, &new.white)?,
        to_move: Some((player(new.to_move), new.stones_left as usize)),
    };
    let root = Position::from_setup(rules, &setup).map_err(|error| error.to_string())?;
    Ok(game_of_people(Game::from_position(root), seed))
}

/// A game that two people will play by a link.
fn invited(registry: &Registry, game: NewGame, seed: u64) -> Result<PageGame, String> {
    let people = NewGame { black: Seat::Person, white: Seat::Person, ..game };
    let mut game = new_game(registry, people, seed)?;
    game.friends = Some(Friends::default());
    Ok(game)
}

fn new_game(registry: &Registry, new: NewGame, seed: u64) -> Result<PageGame, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    let seat = |wanted| seats::seat(registry, &rules, wanted).map_err(|error| error.to_string());
    let seats = [seat(new.black)?, seat(new.white)?];
    check_timing(new.timing).map_err(|error| error.to_string())?;
    let mut model = Game::new(rules).with_seats(seats).with_controls([control(new.timing); 2]);
    if let Some(rule) = new.opening_rule {
        model = model.with_opening_rule(rule.into()).map_err(|error| error.to_string())?;
    }
    Ok(PageGame::new(model, seed))
}
