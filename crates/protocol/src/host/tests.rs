//! Engines that behave and engines that do not, as shell scripts.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use collinear_play::{
    Budget, End, Game, OpeningRule, Reason, Referee, Registry, Side, Step, StopFlag, agent_fn,
    stone_by_stone,
};
use collinear_rules::{Player, notation};
use tempfile::TempDir;

use super::*;

/// A mock engine: greets in all four protocols, then does `then` when it is asked for a turn.
struct Mock {
    dir: TempDir,
}

impl Mock {
    fn new(then: &str) -> Self {
        Self::talkative("", then)
    }

    /// One that does `first` when it starts.
    fn talkative(first: &str, then: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let script = format!(
            "cd \"$(dirname \"$0\")\"\n\
             echo $$ >> started\n\
             {first}\n\
             turn() {{\n{then}\n}}\n\
             while read -r word rest; do\n\
               case \"$word\" in\n\
                 'name'|'name?') echo 'name mock';;\n\
                 ugi) echo ugiok;;\n\
                 isready) echo readyok;;\n\
                 START|RECTSTART) echo OK;;\n\
                 go|move|next|TURN|BEGIN|DONE) turn;;\n\
                 new) if [ \"$rest\" = black ]; then turn; fi;;\n\
                 quit|END) exit 0;;\n\
               esac\n\
               echo \"$word $rest\" >> heard\n\
             done\n"
        );
        fs::write(dir.path().join("mock.sh"), script).expect("written");
        Self { dir }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }

    fn config(&self, protocol: Protocol) -> EngineConfig {
        let command = format!("sh \"{}\"", self.path().join("mock.sh").display());
        EngineConfig {
            start: Duration::from_secs(20),
            turn: Duration::from_millis(400),
            grace: Duration::from_millis(400),
            ..EngineConfig::new(&command, protocol)
        }
    }

    fn start(&self, protocol: Protocol, rules: Rules) -> External {
        External::start(self.config(protocol), rules).expect("it greets")
    }

    fn heard(&self) -> String {
        fs::read_to_string(self.path().join("heard")).unwrap_or_default()
    }

    /// How often it was started.
    fn starts(&self) -> usize {
        fs::read_to_string(self.path().join("started")).unwrap_or_default().lines().count()
    }
}

/// White is the mock, Black plays from the top right; the end of the game.
fn game_against(mock: &mut dyn Agent, rules: Rules) -> End {
    let mut game = Game::new(rules);
    let mut from_the_end = agent_fn(|position, _| {
        stone_by_stone(position, |ahead| ahead.legal_cells().last().copied())
    });
    Referee::default().play(&mut game, [&mut from_the_end, mock], &mut |_| None)
}

#[test]
fn every_failure_loses_the_game_with_its_reason() {
    let cases = [
        ("echo 'move ?!?!'", "it answered \"move ?!?!\", expected a turn such as move IKKK"),
        (
            "echo 'hello there'",
            "no answer to \"move SS\" within 400.0ms, its last words: \"hello there\"",
        ),
        (
            "echo 'move SSAA'",
            "it answered \"move SSAA\": stone 1 of the turn, s19: the cell is occupied",
        ),
        ("echo 'move AAAA'", "stone 2 of the turn, a1: the cell is occupied"),
        ("echo 'move AZAB'", "outside the 19x19 board"),
        (
            "echo 'move AA'",
            "it answered \"move AA\": the turn takes 2 stones and only 1 were named",
        ),
        (":", "no answer to \"move SS\" within 400.0ms"),
        (
            "head -c 10000000 /dev/zero | tr '\\0' x",
            "it wrote more than 65536 bytes without a line end",
        ),
        (
            "echo 'out of luck' >&2; exit 3",
            "it ended instead of answering \"move SS\" (exit code 3); its error output: \"out of luck\"",
        ),
        ("echo 'error: I resign'", "it refused: \"error: I resign\""),
        ("kill -9 $$", "killed by SIGKILL"),
        ("exit 0", "it ended instead of answering \"move SS\" (exit code 0)"),
        ("exec >/dev/null; sleep 5", "it closed its output instead of answering \"move SS\""),
        ("yes hello", "no answer to \"move SS\" within 400.0ms, its last words: \"hello\""),
    ];
    for (then, reason) in cases {
        let mock = Mock::new(then);
        let mut engine = mock.start(Protocol::Cloudict, Rules::CONNECT6);
        let end = game_against(&mut engine, Rules::CONNECT6);
        assert_eq!(end.winner, Some(Player::Black), "{then}");
        assert!(end.reason.is_fault(), "{then}: {}", end.reason);
        let words = end.to_string();
        assert!(words.contains(reason), "{then}: {words}");
        assert!(words.len() < 1000, "{words}");
    }
}

#[test]
fn the_other_protocols_fail_in_their_own_words() {
    let cases = [
        (Protocol::Ugi, "echo 'bestmove zz9 a1'", "\"zz9\" is outside"),
        (Protocol::Ugi, "echo 'bestmove none'", "expected bestmove and cells"),
        (Protocol::Ugi, "echo bestmove", "only 0 were named"),
        (Protocol::Ugi, "echo 'error no'", "it refused: \"error no\""),
        (Protocol::Gomocup, "echo '7,x'", "expected a turn such as 7,7"),
        (Protocol::Gomocup, "echo '99,0'", "outside the 19x19 board"),
        (Protocol::Gomocup, "echo '3,3'", "the turn takes 2 stones and only 1 were named"),
        (Protocol::Gomocup, "echo 'ERROR no'", "it refused"),
        (Protocol::Sau, "echo 'move SAAA'", "s19: the cell is occupied"),
    ];
    for (protocol, then, reason) in cases {
        let mock = Mock::new(then);
        let mut engine = mock.start(protocol, Rules::CONNECT6);
        let words = game_against(&mut engine, Rules::CONNECT6).to_string();
        assert!(words.contains(reason), "{protocol} {then}: {words}");
    }
}

#[test]
fn a_hanging_engine_is_killed_with_its_children_and_started_again() {
    let mock = Mock::new(
        "if [ -e second ]; then echo 'move AABA'; return; fi\n\
         touch second; sleep 1000 & echo $! > child; wait",
    );
    let mut engine = mock.start(Protocol::Cloudict, Rules::CONNECT6);
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    let answer = engine.choose(&position, &Budget::default(), &mut |_| {});
    assert!(answer.is_err_and(|error| error.to_string().contains("no answer")));
    let child = fs::read_to_string(mock.path().join("child")).expect("it had a child");
    let child = nix::unistd::Pid::from_raw(child.trim().parse().expect("a number"));
    let deadline = Instant::now() + Duration::from_secs(10);
    // Orphans are reaped by whoever adopts them, which may take a moment.
    while is_running(child) {
        assert!(Instant::now() < deadline, "the child lives on");
        std::thread::sleep(Duration::from_millis(5));
    }
    engine.new_game();
    let again = engine.choose(&position, &Budget::default(), &mut |_| {});
    assert_eq!(again, Ok(vec![Cell::new(0), Cell::new(1)]));
}

/// Alive, and not just waiting to be reaped.
fn is_running(pid: nix::unistd::Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"));
    match stat {
        Ok(stat) => !stat.contains(") Z"),
        Err(_) if Path::new("/proc/self").exists() => false,
        Err(_) => nix::sys::signal::kill(pid, None).is_ok(),
    }
}

#[test]
fn openings_go_through_the_words_of_each_protocol() {
    let rules = Rules::CONNECT6;
    let names = ["j10", "i11", "k11", "j11", "j12"];
    let moves: Vec<Cell> =
        names.iter().map(|name| notation::parse(&rules, name).expect("a cell")).collect();
    let position = Position::from_moves(rules, &moves).expect("legal");
    let cases = [
        (Protocol::Cloudict, "echo 'move AABA'", "new white\nblack JJ\nwhite IKKK\nmove JKJL\n"),
        (
            Protocol::Gomocup,
            "echo '0,18 1,18'",
            "BOARD \n9,9,2 \n8,8,1 \n10,8,1 \n9,8,2 \n9,7,2 \nDONE",
        ),
        (
            Protocol::Ugi,
            "echo 'bestmove a1 b1'",
            "position startpos moves j10 i11 k11 j11 j12\ngo movetime 5000\n",
        ),
    ];
    for (protocol, then, words) in cases {
        let mock = Mock::new(then);
        let mut engine = mock.start(protocol, rules);
        let budget = Budget::time(Duration::from_secs(5));
        let turn = engine.choose(&position, &budget, &mut |_| {});
        assert_eq!(turn, Ok(vec![Cell::new(0), Cell::new(1)]), "{protocol}");
        drop(engine);
        assert!(mock.heard().contains(words), "{protocol}: {}", mock.heard());
    }
    let mock = Mock::new("echo 'move AABA'");
    let refusal =
        mock.start(Protocol::Sau, rules).choose(&position, &Budget::default(), &mut |_| {});
    assert!(refusal.is_err_and(|error| error.to_string().contains("no command to set up")));
}

#[test]
fn a_suggestion_is_taken() {
    let mock = Mock::new(
        "echo 'SUGGEST 0,18 1,18'; read -r word rest; [ \"$word\" = PLAY ] && echo \"$rest\"",
    );
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    let turn = mock.start(Protocol::Gomocup, Rules::CONNECT6).choose(
        &position,
        &Budget::default(),
        &mut |_| {},
    );
    assert_eq!(turn, Ok(vec![Cell::new(0), Cell::new(1)]));
}

#[test]
fn a_stopped_turn_tells_the_engine() {
    // The mock is asked, reads the word for stopping, and only then answers.
    let mock = Mock::new("read -r word; [ \"$word\" = stop ] && echo 'bestmove a1 b1'");
    let mut config = mock.config(Protocol::Ugi);
    config.turn = Duration::from_secs(60);
    let mut engine = External::start(config, Rules::CONNECT6).expect("it greets");
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    let stop = StopFlag::default();
    stop.stop();
    let budget = Budget { stop, ..Budget::default() };
    assert!(engine.choose(&position, &budget, &mut |_| {}).is_ok());
}

#[test]
fn what_cannot_be_started_is_refused_when_it_is_built() {
    let registry = Registry::new(vec![&EXTERNAL]);
    let refusal = |spec: &str| {
        let choice = registry.parse(spec).expect(spec);
        choice.build(&Rules::CONNECT6, 1).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refusal("external").contains("cmd=… is missing"));
    assert!(refusal("external:cmd=/no/such/engine").contains("could not be started"));
    assert!(refusal("external:cmd='sh -c \"exit 7\"'").contains("exit code 7"));
    assert!(refusal("external:cmd='sleep 60',start=50ms").contains("no answer to \"ugi\""));
    assert!(registry.parse("external:protocol=gtp").is_err());
}

#[test]
fn the_compliance_test_tells_good_from_bad() {
    let run = |then: &str| -> Vec<Check> {
        let mock = Mock::new(then);
        check_engine(&mock.config(Protocol::Ugi), Rules::TICTACTOE, 1, &mut |_| {})
    };
    let bad = run("echo bestmove a1");
    assert_eq!(bad.len(), 11);
    let verdict = |what: &str| {
        let check = bad.iter().find(|check| check.what.contains(what));
        check.map(|check| check.verdict.clone()).expect(what)
    };
    assert!(matches!(verdict("opens a game"), CheckResult::Pass(_)));
    assert!(
        matches!(verdict("practice"), CheckResult::Fail(reason) if reason.contains("occupied"))
    );
    assert!(matches!(verdict("ends when told to"), CheckResult::Pass(_)));
    assert!(matches!(verdict("input ends"), CheckResult::Pass(_)));
    let deaf = Mock::new(":");
    let config = EngineConfig {
        command: "sleep 60".to_owned(),
        start: Duration::from_millis(50),
        ..deaf.config(Protocol::Ugi)
    };
    let checks = check_engine(&config, Rules::TICTACTOE, 1, &mut |_| {});
    assert!(matches!(checks.as_slice(), [Check { verdict: CheckResult::Fail(_), .. }]));
}

/// What the real Cloudict prints when it starts, and engines of its family at any time.
const HELP: &str = "echo 'On help for GameEngine'
echo '            name        - print the name of the Game Engine.'
echo '            move XXXX   - tell the engine that the opponent take the move XXXX,'
echo '            new black   - start a new game and set the engine to Black player.'";

#[test]
fn honest_chatter_is_passed_over() {
    let cases = [
        (Protocol::Cloudict, "echo 'VCF time : 0.0'; echo 'move XXXX - or so'; echo 'move aaba'"),
        (Protocol::Sau, "echo 'thinking'; echo 'Move ASBS'"),
        (
            Protocol::Gomocup,
            "echo OK; echo 'MESSAGE 3,3 4,4'; echo 'DEBUG 1,1'; echo '0,18 1 , 18'",
        ),
        (Protocol::Gomocup, "echo 'ERROR what is INFO?'; echo UNKNOWN; echo '0,18 1,18 in 3 ms'"),
        (Protocol::Ugi, "echo 'bestmoves follow'; echo 'info nonsense'; echo 'bestmove a1 b1'"),
    ];
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    for (protocol, then) in cases {
        let mock = Mock::talkative(HELP, then);
        let mut engine = mock.start(protocol, Rules::CONNECT6);
        engine.new_game();
        let turn = engine.choose(&position, &Budget::default(), &mut |_| {});
        assert_eq!(turn, Ok(vec![Cell::new(0), Cell::new(1)]), "{protocol}: {then}");
    }
}

#[test]
fn what_came_before_the_question_answers_nothing() {
    let mock = Mock::new(
        "if [ -e second ]; then echo 'bestmove c1 d1'; return; fi\n\
         touch second; echo 'bestmove a1 b1'; echo 'bestmove a1 b1'",
    );
    let mut engine = mock.start(Protocol::Ugi, Rules::CONNECT6);
    engine.new_game();
    let mut position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    for turn in [[0, 1], [2, 3]] {
        let stones = engine.choose(&position, &Budget::default(), &mut |_| {});
        assert_eq!(stones, Ok(turn.map(Cell::new).to_vec()));
        for cell in turn.into_iter().chain([turn[0] + 300, turn[1] + 300]) {
            position.play(Cell::new(cell)).expect("legal");
        }
        // The second line of the first answer is on its way.
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn a_second_answer_is_not_heard_as_the_next() {
    // The line after the first answer is there a moment later than the answer.
    let mock = Mock::new(
        "if [ -e second ]; then echo 'move CADA'; return; fi\n\
         touch second; printf 'move AABA\\nmove KKLL\\n'",
    );
    let mut engine = mock.start(Protocol::Cloudict, Rules::CONNECT6);
    engine.new_game();
    let mut position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    let began = Instant::now();
    for turn in [[0, 1], [2, 3]] {
        let stones = engine.choose(&position, &Budget::default(), &mut |_| {});
        assert_eq!(stones, Ok(turn.map(Cell::new).to_vec()));
        for cell in turn.into_iter().chain([turn[0] + 300, turn[1] + 300]) {
            position.play(Cell::new(cell)).expect("legal");
        }
    }
    assert!(began.elapsed() >= super::link::PAUSE, "it is given the time to finish");
}

#[test]
fn one_process_plays_game_after_game() {
    for (protocol, then, word) in [
        (Protocol::Cloudict, "echo 'move AABA'", "new white"),
        (Protocol::Gomocup, "echo '0,18 1,18'", "START 19"),
        (Protocol::Ugi, "echo 'bestmove a1 b1'", "uginewgame"),
    ] {
        let mock = Mock::new(then);
        let mut engine = mock.start(protocol, Rules::CONNECT6);
        let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
        for game in 1..=3 {
            engine.new_game();
            assert!(engine.choose(&position, &Budget::default(), &mut |_| {}).is_ok());
            let told = |heard: String| heard.lines().filter(|line| line.trim() == word).count();
            // The mock writes down what it heard after it has answered.
            let deadline = Instant::now() + Duration::from_secs(10);
            while told(mock.heard()) < game && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(5));
            }
            assert_eq!(told(mock.heard()), game, "{protocol}: {}", mock.heard());
        }
        assert_eq!(mock.starts(), 1, "{protocol}");
    }
}

#[test]
fn an_engine_that_will_not_begin_again_is_started_again() {
    let mock =
        Mock::new("echo '0,18 1,18'; read -r line; echo 'ERROR no second game'; exec sleep 9");
    let mut engine = mock.start(Protocol::Gomocup, Rules::CONNECT6);
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    for _ in 0..2 {
        engine.new_game();
        assert!(engine.choose(&position, &Budget::default(), &mut |_| {}).is_ok());
    }
    assert_eq!(mock.starts(), 2);
}

#[test]
fn a_folder_first_lines_and_a_log() {
    let mock = Mock::new("pwd >> heard; echo 'move AABA'");
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let command = format!(
        "external:cmd='sh \"{}\"',protocol=cloudict,dir={},init='vcf; depth 4',log={}",
        mock.path().join("mock.sh").display(),
        folder.path().display(),
        log.display()
    );
    let registry = Registry::new(vec![&EXTERNAL]);
    let choice = registry.parse(&command).expect("a spec");
    let mut engine = choice.build(&Rules::CONNECT6, 1).expect("it starts");
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    let budget = Budget { depth: Some(7), ..Budget::default() };
    assert!(engine.choose(&position, &budget, &mut |_| {}).is_ok());
    drop(engine);
    let heard = mock.heard();
    let order: Vec<_> = ["name", "vcf", "depth 4", "depth 7", "new white", "move JJ"]
        .iter()
        .map(|line| heard.find(line).unwrap_or_else(|| panic!("{line} in {heard}")))
        .collect();
    assert!(order.is_sorted(), "{heard}");
    let log = fs::read_to_string(log).expect("a log");
    for part in ["> move JJ", "< name mock", "< move AABA", "> quit"] {
        assert!(log.contains(part), "{part} in {log}");
    }
}

#[test]
fn faults_have_the_names_they_have_in_process() {
    use collinear_play::ask;
    let hang = "exec sleep 9";
    let cases = [
        (Protocol::Cloudict, "exit 3", false, Reason::Crash),
        (Protocol::Cloudict, "kill -9 $$", true, Reason::Crash),
        (Protocol::Cloudict, "exec >/dev/null; sleep 5", false, Reason::Disconnect),
        (Protocol::Cloudict, hang, false, Reason::Silence),
        (Protocol::Cloudict, hang, true, Reason::TimeForfeit),
        (Protocol::Cloudict, "echo 'move ?!?!'", true, Reason::Misread),
        (Protocol::Cloudict, "echo 'move JJAA'", true, Reason::IllegalTurn),
        (Protocol::Cloudict, "echo 'move ZZAA'", true, Reason::IllegalTurn),
        (Protocol::Cloudict, "echo 'move AABACA'", true, Reason::IllegalTurn),
        (Protocol::Gomocup, "echo '3,x'", true, Reason::Misread),
        (Protocol::Gomocup, "echo '(7,8)'", true, Reason::Misread),
        (Protocol::Gomocup, "echo h8; echo MESSAGE wait", true, Reason::TimeForfeit),
        (Protocol::Gomocup, "echo '3,3 99,3'", true, Reason::IllegalTurn),
        (Protocol::Ugi, "echo 'bestmove j10 a1'", true, Reason::IllegalTurn),
        (Protocol::Ugi, "echo 'error I give up'", true, Reason::AgentError),
    ];
    let position = Position::from_moves(Rules::CONNECT6, &[Cell::new(180)]).expect("legal");
    for (protocol, then, timed, reason) in cases {
        let mock = Mock::new(then);
        let mut engine = mock.start(protocol, Rules::CONNECT6);
        engine.new_game();
        let limit = timed.then_some(Duration::from_millis(200));
        let budget = Budget { time: limit, ..Budget::default() };
        let fault = ask(&mut engine, &position, &budget, &mut |_| {}).turn.expect_err(then);
        assert_eq!(fault.reason(), reason, "{protocol} {then}: {fault}");
        assert!(!engine.reseed(1));
    }
}

/// An engine that does its part of Swap2: three stones, and with three on the board what `choice` says.
fn swap2_mock(choice: &str) -> Mock {
    Mock::talkative(
        &format!(
            "points=0; n=0\n\
             while read -r word rest; do\n\
               case \"$word\" in\n\
                 START) echo OK;;\n\
                 SWAP2BOARD) points=0;;\n\
                 DONE) case $points in\n\
                   0) echo '7,7 8,8 9,7';; 3) echo '{choice}';; *) echo SWAP;;\n\
                 esac;;\n\
                 END) exit 0;;\n\
                 [0-9]*) points=$((points+1));;\n\
               esac\n\
             done; exit 0"
        ),
        "",
    )
}

#[test]
fn engines_do_their_part_of_swap2() {
    let rules = Rules::GOMOKU;
    // With five stones on the board the opener says SWAP: it takes Black.
    for (choice, black, stones) in
        [("SWAP", Side::Chooser, 3), ("3,3", Side::Opener, 3), ("3,3 4,5", Side::Opener, 5)]
    {
        let mocks = [swap2_mock("SWAP"), swap2_mock(choice)];
        let mut agents = mocks
            .each_ref()
            .map(|mock| External::start(mock.config(Protocol::Gomocup), rules).expect("starts"));
        let mut game = Game::new(rules).with_opening_rule(OpeningRule::Swap2).expect("fits");
        while game.step().is_some() {
            let agent = &mut agents[game.acting().index()];
            game.ask_step(agent, StopFlag::default(), &mut |_| {}).expect("an answer");
        }
        assert_eq!((game.position().history().len(), game.black()), (stones, Some(black)));
    }
    // More points than may be named.
    let mock = swap2_mock("1,1 2,2 3,3");
    let mut agent = External::start(mock.config(Protocol::Gomocup), rules).expect("starts");
    let cells = [0, 40, 80].map(Cell::new);
    let position = Position::from_moves(rules, &cells).expect("legal");
    let step = Step::Choose { side: Side::Chooser, two_stones: true };
    let reply = agent.step(&position, step, &Budget::default()).expect("it is asked");
    assert!(reply.expect_err("garbage").to_string().contains("at most 2 points"));
}
