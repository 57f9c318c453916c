//! Where reports are kept: a folder per report, beside the results they are made from.
//!
//! ```text
//! results.sqlite
//! reports/karplus-1/report.html      everything in one page
//!                   report.json      what is here: read by programs, written last
//!                   data.csv  karplus-1-1.svg  …
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::html::{Page, findings_page};
use crate::WholeFile;
use crate::experiment::Findings;

/// The page of a report.
pub const PAGE: &str = "report.html";
/// The data of a report.
pub const DATA: &str = "data.csv";
/// The file in which a report says what it is.
const CARD: &str = "report.json";

/// The folder of all reports.
#[derive(Clone, Debug)]
pub struct ReportStore(PathBuf);

/// What a report says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The folder's name.
    pub name: String,
    /// A headline.
    pub title: String,
    /// What was asked, or what was played.
    pub question: String,
    /// The command that makes it again.
    pub command: String,
    /// When it was made, in seconds since 1970.
    pub made: u64,
    /// What it is a report of: the same again may take its place. Empty in older ones.
    #[serde(default)]
    pub run: String,
    /// Everything else in the folder.
    pub files: Vec<CardFile>,
}

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardFile {
    /// Its name in the folder.
    pub name: String,
    /// What it shows.
    pub caption: String,
}

/// A report to be kept.
#[derive(Clone, Debug, Default)]
pub struct Report {
    card: Card,
    texts: Vec<String>,
}

/// Why a report cannot be kept.
#[derive(Debug, Error)]
#[error("{} cannot be written: {reason}", path.display())]
pub struct ReportError {
    /// The file or folder.
    pub path: PathBuf,
    /// Why not.
    pub reason: io::Error,
}

impl Report {
    /// A report of that name, still empty. Of the name only what suits a folder remains.
    pub fn new(name: &str, title: &str, question: &str, command: &str) -> Self {
        let card = Card {
            name: folder_name(name),
            title: title.to_owned(),
            question: question.to_owned(),
            command: command.to_owned(),
            ..Card::default()
        };
        Self { card, texts: Vec::new() }
    }

    /// The report of one experiment: page, data and pictures.
    pub fn of(page: &Page, findings: &Findings) -> Self {
        let Findings { name, title, question, command, .. } = findings;
        let html = findings_page(page, std::slice::from_ref(findings));
        let mut report = Self::new(name, title, question, command)
            .with(PAGE, "Everything in one page.", html)
            .with(DATA, "The data behind it.", findings.csv());
        for plot in findings.plots() {
            report = report.with(&format!("{}.svg", plot.name), &plot.caption, plot.svg.clone());
        }
        report
    }

    /// With the name of what it is a report of.
    #[must_use]
    pub fn of_run(mut self, run: &str) -> Self {
        run.clone_into(&mut self.card.run);
        self
    }

    /// With a file.
    #[must_use]
    pub fn with(mut self, name: &str, caption: &str, text: String) -> Self {
        self.card.files.push(CardFile { name: name.to_owned(), caption: caption.to_owned() });
        self.texts.push(text);
        self
    }
}

impl ReportStore {
    /// The reports of a file of results.
    pub fn beside(results: &Path) -> Self {
        Self(results.with_file_name("reports"))
    }

    /// Any folder.
    pub const fn at(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// Where a report of that name goes.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.0.join(folder_name(name))
    }

    /// Whether a report of that name and run would take the place of something else than an
    /// earlier report of the same run.
    pub fn is_taken(&self, name: &str, run: &str) -> bool {
        let folder = self.folder(name);
        let is_its_own = || {
            let text = fs::read_to_string(folder.join(CARD)).ok()?;
            let card: Card = serde_json::from_str(&text).ok()?;
            Some(card.run == run)
        };
        // A draft is left behind by a kill.
        let is_kept = |entry: io::Result<fs::DirEntry>| {
            entry.map_or(true, |entry| !WholeFile::is_draft(&entry.path()))
        };
        match fs::read_dir(&folder) {
            Ok(mut inside) => inside.any(is_kept) && is_its_own() != Some(true),
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        }
    }

    /// Keeps a report in place of an earlier one of its name. Returns where its page is.
    pub fn keep(&self, report: &Report) -> Result<PathBuf, ReportError> {
        let folder = self.0.join(&report.card.name);
        let told = |path: &Path| {
            let path = path.to_owned();
            move |reason| ReportError { path, reason }
        };
        fs::create_dir_all(&folder).map_err(told(&folder))?;
        let save = |name: &str, text: &str| {
            let file = folder.join(name);
            WholeFile::write(&file, text.as_bytes()).map_err(told(&file))
        };
        let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let card = Card { made, ..report.card.clone() };
        let text = |card: &Card| serde_json::to_string_pretty(card).expect("a card is plain data");
        // Whoever is killed in between finds that the folder is its own.
        save(CARD, &text(&Card { files: Vec::new(), ..card.clone() }))?;
        for (file, text) in report.card.files.iter().zip(&report.texts) {
            save(&file.name, text)?;
        }
        save(CARD, &text(&card))?;
        Ok(folder.join(PAGE))
    }

    /// All reports there are, the latest first. Folders that say nothing about themselves are
    /// passed over.
    pub fn cards(&self) -> Vec<Card> {
        let Ok(folders) = fs::read_dir(&self.0) else { return Vec::new() };
        let mut cards: Vec<Card> = folders
            .flatten()
            .filter_map(|entry| {
                let text = fs::read_to_string(entry.path().join(CARD)).ok()?;
                let card: Card = serde_json::from_str(&text).ok()?;
                (entry.file_name() == card.name.as_str()).then_some(card)
            })
            .collect();
        cards.sort_by(|a, b| b.made.cmp(&a.made).then_with(|| a.name.cmp(&b.name)));
        cards
    }

    /// A file of a report, if there is one of that name: nothing else can be read this way.
    pub fn read(&self, report: &str, file: &str) -> Option<String> {
        let card = self.cards().into_iter().find(|card| card.name == report)?;
        let file = card.files.into_iter().find(|known| {
            known.name == file && Path::new(file).components().count() == 1 && !file.contains("..")
        })?;
        fs::read_to_string(self.0.join(report).join(file.name)).ok()
    }
}

fn folder_name(name: &str) -> String {
    let suits = |c: char| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' };
    name.chars().map(suits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_kept_listed_and_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let reports = ReportStore::beside(&folder.path().join("results.sqlite"));
        assert!(reports.cards().is_empty());
        let report =
            Report::new("my idea", "Mine", "Why?", "run it").with(PAGE, "page", "<p>".to_owned());
        let page = reports.keep(&report).expect("kept");
        assert_eq!(page, folder.path().join("reports/my_idea/report.html"));
        reports.keep(&report.with(DATA, "data", "a,b".to_owned())).expect("kept again");
        fs::create_dir(folder.path().join("reports/strange")).expect("made");
        let cards = reports.cards();
        assert_eq!((cards.len(), cards[0].title.as_str(), cards[0].files.len()), (1, "Mine", 2));
        assert_eq!(reports.read("my_idea", DATA).as_deref(), Some("a,b"));
        assert_eq!(reports.read("my_idea", "../../results.sqlite"), None);
        assert_eq!(reports.read("..", PAGE), None);
    }

    #[test]
    fn a_report_that_was_cut_off_is_in_nobodys_way_but_anothers() {
        let folder = tempfile::tempdir().expect("a folder");
        let reports = ReportStore::at(folder.path().join("reports"));
        let mine = reports.folder("mine");
        fs::create_dir_all(&mine).expect("made");
        fs::write(mine.join("card.json.1-0.part"), "{").expect("written");
        assert!(!reports.is_taken("mine", "1"), "killed while the first file was written");
        // Killed, or out of room, behind the first file: a folder stands in the way of the second.
        fs::create_dir(mine.join(PAGE)).expect("made");
        let report = Report::new("mine", "", "", "").of_run("1").with(PAGE, "", String::new());
        reports.keep(&report).expect_err("cannot be written");
        assert!(!reports.is_taken("mine", "1"));
        assert!(reports.is_taken("mine", "2"));
    }

    #[test]
    fn a_card_cannot_open_other_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let reports = ReportStore::at(folder.path().join("reports"));
        let secret = folder.path().join("secret");
        fs::write(&secret, "s").expect("written");
        for name in ["../../secret", &secret.to_string_lossy(), ".."] {
            let mut report = Report::new("x", "", "", "").with(PAGE, "", String::new());
            report.card.files.push(CardFile { name: name.to_owned(), caption: String::new() });
            reports.keep(&report).expect("kept");
            assert_eq!(reports.cards()[0].files.len(), 2);
            assert_eq!(reports.read("x", name), None);
            assert!(reports.read("x", PAGE).is_some());
        }
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("reports"), "a file").expect("written");
        let reports = ReportStore::beside(&folder.path().join("results.sqlite"));
        let error = reports.keep(&Report::new("x", "", "", "")).expect_err("refused").to_string();
        assert!(error.contains("reports") && error.contains("cannot be written"), "{error}");
    }
}
