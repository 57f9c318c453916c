//! The pages in a room, and the move tree as they know it.

use super::{ClientId, Effect};
use crate::friends::Person;
use crate::wire::{NodeView, ToPage};

/// Everybody who looks at a game, and what is to be done for them.
#[derive(Default)]
pub(super) struct Clients {
    all: Vec<ClientId>,
    /// Whose browser each of them is, as far as that is known.
    people: Vec<Option<Person>>,
    /// The nodes as the pages know them.
    sent: Vec<NodeView>,
    /// In order: what is saved before it is told is on disk before it is seen.
    pub(super) effects: Vec<Effect>,
}

impl Clients {
    pub(super) const fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn join(&mut self, client: ClientId, person: Option<Person>) {
        self.all.push(client);
        self.people.push(person);
    }

    pub(super) fn leave(&mut self, client: ClientId) {
        if let Some(at) = self.all.iter().position(|known| *known == client) {
            self.all.remove(at);
            self.people.remove(at);
        }
    }

    /// All who are here.
    pub(super) fn all(&self) -> Vec<ClientId> {
        self.all.clone()
    }

    /// Whose browsers are here, one for each page.
    pub(super) fn people(&self) -> &[Option<Person>] {
        &self.people
    }

    /// Whose browser a page is.
    pub(super) fn person(&self, client: ClientId) -> Option<&Person> {
        let at = self.all.iter().position(|known| *known == client)?;
        self.people[at].as_ref()
    }

    /// Tells one page, if it is still here.
    pub(super) fn tell(&mut self, client: ClientId, message: ToPage) {
        if self.all.contains(&client) {
            self.effects.push(Effect::Tell(client, message));
        }
    }

    /// Tells all pages.
    pub(super) fn tell_all(&mut self, message: ToPage) {
        if !self.is_empty() {
            self.effects.push(Effect::TellAll(message));
        }
    }

    /// Tells one page the whole tree as the others know it.
    pub(super) fn tell_tree(&mut self, client: ClientId) {
        let nodes = self.sent.clone();
        self.tell(client, ToPage::Tree { from: 0, nodes });
    }

    /// Tells all pages a whole tree: that of another game.
    pub(super) fn show_whole_tree(&mut self, nodes: Vec<NodeView>) {
        self.tell_all(ToPage::Tree { from: 0, nodes: nodes.clone() });
        self.sent = nodes;
    }

    /// Tells all pages what has changed in the tree.
    pub(super) fn show_tree(&mut self, nodes: Vec<NodeView>) {
        let same = nodes.iter().zip(&self.sent).take_while(|(new, old)| new == old).count();
        if same < nodes.len() || same < self.sent.len() {
            self.tell_all(ToPage::Tree { from: same as u32, nodes: nodes[same..].to_vec() });
            self.sent = nodes;
        }
    }
}
