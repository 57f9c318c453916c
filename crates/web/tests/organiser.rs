//! Tournaments from a page: a Swiss one that is interrupted by the end of its server and goes on in
//! the next one, its report, and who may have programs run as engines.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use collinear_play::AgentSpec;
use collinear_web::{Access, Config, NewEngine, Server};
use common::{Page, config, start};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

fn tictactoe() -> Value {
    json!({"width": 3, "height": 3, "k": 3, "p": 1, "q": 1, "gravity": false, "exact": false})
}

/// A Swiss tournament of nine: one has a bye in every round.
fn swiss(rounds: u64) -> Value {
    json!({"type": "startMatch", "match": {
        "rules": tictactoe(), "format": "swiss", "rounds": rounds, "games": 2, "limits": "nodes=500",
        "players": ["random", "random", "random", "random", "slow:ms=200", "sequences:depth=1",
            "sequences:depth=2", "windows", "threats"],
        "openings": "random:1", "seed": 5, "atOnce": 2}})
}

/// Asks for a run until it is as wanted.
async fn until(page: &mut Page, run: &Value, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        page.say(json!({"type": "run", "id": run})).await;
        let view = page.hear("run").await["view"].clone();
        if wanted(&view) {
            return view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

async fn get(address: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_swiss_tournament_is_interrupted_resumed_and_reported() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = |name: &str| Some(folder.path().join(name));
    // As it goes without an interruption.
    let address = start(Config { results: results("calm.sqlite"), ..config() }).await;
    let mut page = Page::open(&address).await;
    page.say(swiss(3)).await;
    let calm = page.hear("matchStarted").await["run"].clone();
    let whole = until(&mut page, &calm, |view| view["run"]["finished"] == true).await;

    let broken = || Config { results: results("broken.sqlite"), ..config() };
    let server = Server::bind(broken()).await.expect("a server");
    let address = server.address().to_string();
    let (quit, told) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async { drop(told.await) }));
    let mut page = Page::open(&address).await;
    page.say(swiss(3)).await;
    let run = page.hear("matchStarted").await["run"].clone();
    assert_eq!(run, calm, "the same tournament has the same name");
    // Its boards can be seen.
    let boards = loop {
        page.say(json!({"type": "live", "run": run})).await;
        let boards = page.hear("live").await["boards"].clone();
        if boards.as_array().is_some_and(|boards| boards.iter().any(|b| b["last"].is_u64())) {
            break boards;
        }
    };
    assert_eq!(boards[0]["size"], json!([3, 3]), "{boards}");
    // The games under way are over when it is paused; another one cannot be paused.
    page.say(json!({"type": "pauseMatch", "run": run})).await;
    let paused = until(&mut page, &run, |view| view["run"]["playing"] == false).await;
    assert!(paused["run"]["finished"] == false && paused["run"]["games"] != 0, "{paused}");
    page.say(json!({"type": "pauseMatch", "run": run})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("over"));
    page.say(json!({"type": "resumeMatch", "run": run})).await;
    until(&mut page, &run, |view| view["run"]["games"] != paused["run"]["games"]).await;
    page.say(json!({"type": "resumeMatch", "run": run})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("already"));
    quit.send(()).expect("it listens");
    serving.await.expect("the server ends");

    let address = start(broken()).await;
    let mut page = Page::open(&address).await;
    let found = until(&mut page, &run, |_| true).await;
    assert!(found["run"]["finished"] == false && found["run"]["playing"] == false, "{found}");
    page.say(json!({"type": "resumeMatch", "run": run})).await;
    let done = until(&mut page, &run, |view| view["run"]["finished"] == true).await;
    for part in ["swiss", "games", "crosstable"] {
        assert_eq!(done[part], whole[part], "{part}");
    }
    assert_eq!(done["swiss"]["rounds"].as_array().map(Vec::len), Some(3));
    page.say(json!({"type": "resumeMatch", "run": run})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("finished"));

    let run = run.as_str().expect("a name");
    let report = get(&address, &format!("/runs/{run}/report.html")).await;
    for part in [
        "Swiss, 3 rounds",
        "Buchholz",
        "Round 3.",
        "collinear tournament cup.toml",
        "seed = 5",
        "<summary>1. ",
        "sandbox; default-src 'none'",
        "collinear-tournament-",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert_eq!(report.matches("<details>").count(), 24);
    assert!(!report.contains("<script") && !report.contains("src="), "it needs nothing else");
    assert!(get(&address, "/runs/nothing/report.html").await.starts_with("HTTP/1.1 404"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_page_may_not_have_played_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results.sqlite");
    let address = start(Config { results: Some(results.clone()), ..config() }).await;
    let mut page = Page::open(&address).await;
    for (key, value, words) in [
        ("limits", json!(""), "a limit is needed"),
        ("limits", json!("61s"), "60 seconds"),
        ("limits", json!("nodes=99999999999"), "nodes per turn"),
        ("limits", json!("soon"), "not part of a time control"),
        ("players", json!(["random"]), "2 players"),
        ("players", json!(["random", "nobody"]), "no agent"),
        ("players", json!(["random", "external:cmd=true"]), "no agent"),
        ("players", json!(["random", "sextant@nodes=99999999999"]), "nodes per turn"),
        ("openings", json!("random:40"), "20 stones"),
        ("openings", json!("/etc/passwd"), "line 1"),
        ("rounds", json!(2000), "rounds are out of range"),
        ("games", json!(0), "games of each two"),
    ] {
        let mut asked = swiss(2);
        asked["match"][key] = value.clone();
        page.say(asked).await;
        let text = page.hear("refused").await["text"].to_string();
        assert!(text.contains(words), "{key} = {value}: {text}");
    }
    // Runs of other builds and of experiments stay as they are.
    let spec = collinear_arena::RunSpec {
        limits: "nodes=5".parse().expect("limits"),
        ..collinear_arena::RunSpec::new(
            collinear_rules::Rules::TICTACTOE,
            vec!["random".to_owned(), "windows".to_owned()],
            4,
        )
    };
    let plan = spec.plan(&common::registry()).expect("a plan");
    let store = collinear_arena::Store::open(&results).expect("a store");
    for (build, name, words) in
        [("other", "match", "another build"), ("test", "karplus-1", "experiment run karplus-1")]
    {
        let run = store.begin(&plan, build, name, 4).expect("begun");
        page.say(json!({"type": "resumeMatch", "run": run})).await;
        let text = page.hear("refused").await["text"].to_string();
        assert!(text.contains(words), "{text}");
    }
    page.say(json!({"type": "resumeMatch", "run": "nothing"})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("not in the file"));
}

static ADDED: AtomicUsize = AtomicUsize::new(0);

fn add(engine: &NewEngine) -> Result<&'static AgentSpec, String> {
    ADDED.fetch_add(1, Ordering::SeqCst);
    if engine.command == "missing" {
        return Err("it could not be started".to_owned());
    }
    let random = collinear_agents::registry().get("random").expect("an agent");
    Ok(Box::leak(Box::new(AgentSpec { name: "guest", ..*random })))
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_owner_at_the_machine_has_programs_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = Some(folder.path().join("results.sqlite"));
    let config =
        || Config { add_engine: Some(Arc::new(add)), results: results.clone(), ..config() };
    let engine = |command: &str| {
        json!({"type": "addEngine", "engine": {"name": "guest", "protocol": "ugi",
            "command": command, "folder": "", "init": ""}})
    };
    let refused = async |page: &mut Page| {
        page.say(json!({"type": "runs"})).await;
        assert_eq!(page.hear("runs").await["limits"]["engines"], false);
        page.say(engine("guest")).await;
        let text = page.hear("refused").await["text"].to_string();
        assert!(text.contains("computer of the server"), "{text}");
    };
    // Everybody who reaches it is let in, other accounts of this machine too.
    refused(&mut Page::open(&start(config()).await).await).await;
    // The server's owner has switched it off.
    let access = Access::Token;
    let server = Server::bind(Config { access, add_engine: None, ..config() }).await;
    let (address, token) = serve(server.expect("a server"));
    refused(&mut Page::open_at(&address, &format!("/socket?{token}"), "").await.expect("in")).await;
    assert_eq!(ADDED.load(Ordering::SeqCst), 0, "nothing was run");

    let server = Server::bind(Config { access, ..config() }).await.expect("a server");
    let (address, token) = serve(server);
    assert!(Page::open_at(&address, "/socket", "").await.is_err(), "without the token");
    let path = format!("/socket?{token}");
    let mut page = Page::open_at(&address, &path, "").await.expect("with it");
    page.say(engine("missing")).await;
    assert!(page.hear("refused").await["text"].to_string().contains("could not be started"));
    page.say(engine("guest")).await;
    let added = page.hear("engineAdded").await;
    assert!(added["agents"].as_array().is_some_and(|all| all.iter().any(|a| a["name"] == "guest")));
    // It plays, and pages that come later know it.
    let mut asked = swiss(1);
    asked["match"]["players"] = json!(["guest", "random", "windows"]);
    page.say(asked).await;
    let run = page.hear("matchStarted").await["run"].clone();
    let done = until(&mut page, &run, |view| view["run"]["finished"] == true).await;
    assert!(done["run"]["labels"].to_string().contains("guest"));
    let mut later = Page::open_at(&address, &path, "").await.expect("with the token");
    assert!(later.hear("hello").await["agents"].to_string().contains("guest"));
}

/// Serves; the address, and the query with the token.
fn serve(server: Server) -> (String, String) {
    let address = server.address().to_string();
    let token =
        server.url().split_once('?').map_or_else(String::new, |(_, token)| token.to_owned());
    tokio::spawn(server.run(std::future::pending()));
    (address, token)
}
