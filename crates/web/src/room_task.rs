//! The task of a room: gives it one event after the other and does what it asks for.

use std::collections::HashMap;
use std::sync::Arc;

use collinear_play::instant::Instant;
use collinear_room::work::JobNumber;
use collinear_room::{Effect, Event, Room, Row};
use tokio::sync::mpsc;

use crate::client::{self, Client};
use crate::host::Host;
use crate::pool::Ticket;

/// What a room's task is told.
#[derive(Debug)]
pub(crate) enum Message {
    /// A client comes.
    Join(Client),
    /// Anything else.
    Event(Event),
}

/// See the module.
pub(crate) struct RoomTask {
    id: String,
    room: Room,
    host: Arc<Host>,
    /// Where jobs report to.
    mailbox: mpsc::Sender<Message>,
    clients: Vec<Client>,
    /// The jobs under way; dropping a ticket cancels its job.
    jobs: HashMap<JobNumber, Ticket>,
}

impl RoomTask {
    pub(crate) fn new(
        id: String,
        room: Room,
        host: Arc<Host>,
        mailbox: mpsc::Sender<Message>,
    ) -> Self {
        Self { id, room, host, mailbox, clients: Vec::new(), jobs: HashMap::new() }
    }

    /// Reads messages until the last client has left and nothing is to be read any more.
    pub(crate) async fn run(mut self, mut mailbox: mpsc::Receiver<Message>) {
        loop {
            let message = tokio::select! {
                message = mailbox.recv() => message,
                () = sleep_until(self.room.next_wake()) => None,
            };
            let event = match message {
                Some(Message::Join(client)) => {
                    let (id, person) = (client.id, client.person.clone());
                    self.clients.push(client);
                    Event::Join(id, person)
                }
                Some(Message::Event(event)) => {
                    if let Event::Leave(gone) = &event {
                        self.clients.retain(|client| client.id != *gone);
                    }
                    event
                }
                None => Event::Time,
            };
            for effect in self.room.step(event, Instant::now()) {
                self.apply(effect).await;
            }
            if self.room.is_empty() && self.host.close(&self.id, &mailbox) {
                return;
            }
        }
    }

    async fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Save(row) => self.save(row).await,
            Effect::Tell(wanted, message) => {
                if let Some(client) = self.clients.iter().find(|client| client.id == wanted) {
                    client.tell(&message);
                }
            }
            Effect::TellAll(message) => {
                let text = client::text(&message);
                for client in &self.clients {
                    client.tell_text(text.clone());
                }
            }
            Effect::Start(job) => {
                let number = job.number;
                let news = move |news| Message::Event(Event::Job(number, news));
                let ticket = self.host.pool.submit(job.work, self.mailbox.clone(), news);
                // Tickets of jobs that have ended cost nothing, but they would add up.
                self.jobs.retain(|_, ticket| !ticket.is_done());
                self.jobs.insert(number, ticket);
            }
            Effect::Cancel(number) => drop(self.jobs.remove(&number)),
            Effect::Log(line) => (self.host.log)(&line),
        }
    }

    async fn save(&self, row: Row) {
        let saved = self.host.ask_store(move |store| store.save(&row)).await;
        if let Err(error) = saved {
            let text = client::text(&Room::not_saved(&error));
            for client in &self.clients {
                client.tell_text(text.clone());
            }
        }
    }
}

async fn sleep_until(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when.into()).await,
        None => std::future::pending().await,
    }
}
