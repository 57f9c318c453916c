//! The pages at a table, and the move tree as they know it.

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::socket;
use crate::wire::{NodeView, ToPage};

/// One page at the table.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    /// Its number, unique in this server.
    pub(crate) number: u64,
    /// Where its messages go. A page too slow to read them is dropped by its socket.
    pub(crate) out: mpsc::Sender<Utf8Bytes>,
}

/// Everybody who looks at a game.
#[derive(Default)]
pub(super) struct Audience {
    guests: Vec<Guest>,
    /// The nodes as the pages know them.
    sent: Vec<NodeView>,
}

impl Audience {
    pub(super) const fn is_empty(&self) -> bool {
        self.guests.is_empty()
    }

    pub(super) fn join(&mut self, guest: Guest) {
        self.guests.push(guest);
    }

    pub(super) fn leave(&mut self, number: u64) {
        self.guests.retain(|guest| guest.number != number);
    }

    /// Tells one page.
    pub(super) fn tell(&self, number: u64, message: &ToPage) {
        if let Some(guest) = self.guests.iter().find(|guest| guest.number == number) {
            socket::send(&guest.out, message);
        }
    }

    /// Tells all pages.
    pub(super) fn tell_all(&self, message: &ToPage) {
        let text = socket::text(message);
        for guest in &self.guests {
            socket::send_text(&guest.out, text.clone());
        }
    }

    /// Tells one page the whole tree as the others know it.
    pub(super) fn tell_tree(&self, number: u64) {
        self.tell(number, &ToPage::Tree { from: 0, nodes: self.sent.clone() });
    }

    /// Tells all pages what has changed in the tree.
    pub(super) fn show_tree(&mut self, nodes: Vec<NodeView>) {
        let same = nodes.iter().zip(&self.sent).take_while(|(new, old)| new == old).count();
        if same < nodes.len() || same < self.sent.len() {
            self.tell_all(&ToPage::Tree { from: same as u32, nodes: nodes[same..].to_vec() });
            self.sent = nodes;
        }
    }
}
