//! The start screen: which game, against whom, and who opens.

use collinear_agents::levels;
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
        let levels = levels(&self.registry, &self.rules()).into_iter().filter_map(|level| {
            let choice = self.registry.parse(&level.spec).ok()?;
            let label = format!("level {}, {}", level.number, level.name.to_lowercase());
            Some(Opponent { label, chair: Chair(Some(choice)) })
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
