//! The start screen: which game, against whom, and who opens.

use collinear_play::Registry;
use collinear_rules::{Player, Rules};
use ratatui::crossterm::event::KeyCode;

use super::Chair;

/// A line of the start screen.
pub(crate) struct Opponent {
    pub(crate) label: String,
    pub(crate) chair: Chair,
}

/// What was chosen so far.
pub(crate) struct Menu {
    pub(crate) games: Vec<Rules>,
    pub(crate) game: usize,
    pub(crate) opponents: Vec<Opponent>,
    pub(crate) opponent: usize,
    /// The colour of the person at the keyboard.
    pub(crate) colour: Player,
    registry: Registry,
}

/// What a key on the start screen leads to.
#[derive(Debug)]
pub(crate) enum Chosen {
    /// Still choosing.
    Nothing,
    /// The game may begin.
    Game(Rules, [Chair; 2]),
    /// Away.
    Quit,
}

/// Players by strength, for boards without gravity and for those with.
const LEVELS: [(&str, &str); 10] = [
    ("level 1, beginner", "sextant:level=1"),
    ("level 3", "sextant:level=3"),
    ("level 5, club player", "sextant:level=5"),
    ("level 7", "sextant:level=7"),
    ("level 10, full strength", "sextant"),
    ("level 1, any column", "random"),
    ("level 2, sees 2 plies", "2ply_fevala"),
    ("level 3, sees 4 plies", "4ply_fevalb"),
    ("level 4, sees 6 plies", "6ply_fevalc"),
    ("level 5, never errs", "perfect"),
];
/// Where the levels for boards with gravity begin.
const GRAVITY_LEVELS: usize = 5;

impl Menu {
    /// The start screen for a game and, after Tab, for the others.
    pub(crate) fn new(rules: Rules, registry: Registry) -> Self {
        let presets = Rules::PRESETS.map(|(_, rules)| rules);
        let others = presets.into_iter().filter(|&preset| preset != rules);
        let mut menu = Self {
            games: [rules].into_iter().chain(others).collect(),
            game: 0,
            opponents: Vec::new(),
            opponent: 1,
            colour: Player::Black,
            registry,
        };
        menu.list_opponents();
        menu
    }

    /// The game under the cursor.
    pub(crate) fn rules(&self) -> Rules {
        self.games[self.game]
    }

    fn list_opponents(&mut self) {
        let rules = self.rules();
        let levels =
            if rules.gravity() { &LEVELS[GRAVITY_LEVELS..] } else { &LEVELS[..GRAVITY_LEVELS] };
        let levels = levels.iter().filter_map(|&(label, spec)| {
            let choice = self.registry.parse(spec).ok()?;
            choice.spec.plays(&rules).ok()?;
            Some(Opponent { label: label.to_owned(), chair: Chair(Some(choice)) })
        });
        let person = Opponent { label: "another person".to_owned(), chair: Chair(None) };
        self.opponents = [person].into_iter().chain(levels).collect();
        self.opponent = self.opponent.min(self.opponents.len() - 1);
    }

    pub(crate) fn on_key(&mut self, key: KeyCode) -> Chosen {
        match key {
            KeyCode::Up | KeyCode::Char('k') => self.opponent = self.opponent.saturating_sub(1),
            KeyCode::Down | KeyCode::Char('j') => {
                self.opponent = (self.opponent + 1).min(self.opponents.len() - 1);
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Char('c') => self.colour = !self.colour,
            KeyCode::Tab => {
                self.game = (self.game + 1) % self.games.len();
                self.list_opponents();
            }
            KeyCode::Enter | KeyCode::Char(' ') => {
                let other = self.opponents[self.opponent].chair.clone();
                let chairs = match self.colour {
                    Player::Black => [Chair(None), other],
                    Player::White => [other, Chair(None)],
                };
                return Chosen::Game(self.rules(), chairs);
            }
            KeyCode::Esc | KeyCode::Char('q') => return Chosen::Quit,
            _ => {}
        }
        Chosen::Nothing
    }
}
