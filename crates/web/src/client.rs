//! A connected page as rooms know it: its number and the way to it.

use axum::extract::ws::Utf8Bytes;
use collinear_room::wire::ToPage;
use collinear_room::{ClientId, Person};
use tokio::sync::mpsc;

/// One connected page.
#[derive(Clone, Debug)]
pub(crate) struct Client {
    /// Unique in this server.
    pub(crate) id: ClientId,
    /// Whose browser it is, if that browser keeps cookies.
    pub(crate) person: Option<Person>,
    /// Where its messages go. A page too slow to read them is dropped by its socket.
    pub(crate) out: mpsc::Sender<Utf8Bytes>,
}

impl Client {
    /// Tells the page something; one whose outbox is full is dropped by its own loop.
    pub(crate) fn tell(&self, message: &ToPage) {
        self.tell_text(text(message));
    }

    /// The same with a message that is a text already.
    pub(crate) fn tell_text(&self, text: Utf8Bytes) {
        let _ = self.out.try_send(text);
    }
}

/// A message as text.
pub(crate) fn text(message: &ToPage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}
