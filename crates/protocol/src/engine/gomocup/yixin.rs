//! What Yixin-Board and gomoku-calculator send beyond Gomocup: analysis, excluded cells, balanced
//! moves, opening rules, tables and databases. Nobody wrote it down; this is what the programs do.

use collinear_play::balance;
use collinear_rules::Cell;

use super::block::Block;
use super::opening::{Decision, Form, MAX_FIFTHS};
use super::thinking::{Names, chance_of};
use super::{Gomocup, Outcome, Purpose};
use crate::engine::desk::Desk;
use crate::engine::driver::{Flow, Task};

/// What GUIs may offer as table size, as a power of two of kilobytes: 1 GB.
const MAX_HASH_SIZE: u32 = 20;
/// The most lines `YXNBEST` may ask for.
const MAX_LINES: u16 = 100;
/// Without a database every question about one has the same answer.
const NO_DATABASE: &str = "MESSAGE there is no database";
const NO_TABLE_FILE: &str = "MESSAGE the transposition table is not kept in files";

/// `XXYY`: how Yixin writes points in a row.
fn two_digits(desk: &Desk<'_>) -> impl Fn(Cell) -> String {
    let rules = desk.rules();
    move |cell| format!("{:02}{:02}", rules.column(cell), rules.height() - 1 - rules.row(cell))
}

impl Gomocup {
    /// Acts on a command; none when it is not one of Yixin's.
    pub(super) fn yixin(&mut self, word: &str, rest: &str, desk: &mut Desk<'_>) -> Option<Outcome> {
        Some(match word {
            "YXSHOWINFO" => {
                self.names = Names::RowFirst;
                desk.say(&format!("MESSAGE {}", desk.options.name));
                let threads = std::thread::available_parallelism().map_or(1, usize::from);
                desk.say(&format!("MESSAGE INFO MAX_THREAD_NUM {threads}"));
                desk.say(&format!("MESSAGE INFO MAX_HASH_SIZE {MAX_HASH_SIZE}"));
                Ok(Flow::Next)
            }
            "YXBOARD" => self.begin_block(Block::Position),
            // Nobody thinks.
            "YXSTOP" | "STOP" => Ok(Flow::Next),
            "YXNBEST" => self.best_lines(rest, desk),
            "YXSEARCHDEFEND" => {
                let all = u16::try_from(desk.position.legal_count()).unwrap_or(MAX_LINES);
                self.think_about(Purpose::Play, all, desk)
            }
            "YXBALANCEONE" => self.balance(rest, 1, desk),
            "YXBALANCETWO" => self.balance(rest, 2, desk),
            "YXBLOCK" => self.begin_block(Block::Exclude),
            "YXBLOCKUNDO" => self.begin_block(Block::Allow),
            "YXBLOCKRESET" => {
                self.excluded.clear();
                Ok(Flow::Next)
            }
            "YXSHOWFORBID" => {
                let points: String =
                    desk.position.forbidden().into_iter().map(two_digits(desk)).collect();
                desk.say(&format!("FORBID {points}."));
                Ok(Flow::Next)
            }
            "YXHASHCLEAR" => {
                desk.forget();
                Ok(Flow::Next)
            }
            "YXSWAP2STEP1" => {
                let rules = desk.rules();
                desk.new_game(rules);
                self.decide(Decision::Open, Form::Yixin, desk)
            }
            "YXSWAP2STEP2" => self.decide(Decision::Choose, Form::Yixin, desk),
            "YXSWAP2STEP3" => self.decide(Decision::ChooseLast, Form::Yixin, desk),
            _ => return self.soosorv(word, rest, desk).or_else(|| self.elsewhere(word, desk)),
        })
    }

    fn best_lines(&mut self, rest: &str, desk: &Desk<'_>) -> Outcome {
        let lines = match rest {
            "" => Some(1),
            text => text.parse::<u16>().ok().filter(|n| (1..=MAX_LINES).contains(n)),
        };
        let lines = lines.ok_or("expected a number of lines from 1 to 100")?;
        self.think_about(Purpose::Play, lines, desk)
    }

    /// One or two stones after which the player to move has this value.
    fn balance(&mut self, rest: &str, stones: usize, desk: &Desk<'_>) -> Outcome {
        let value = if rest.is_empty() { Some(0.0) } else { rest.parse::<f64>().ok() };
        let target = chance_of(value.ok_or("expected a value such as 0")?);
        let mut candidates = match stones {
            1 => balance::next_stones(&desk.position),
            _ => balance::next_pairs(&desk.position, desk.position.key()),
        };
        candidates.retain(|stones| !stones.iter().any(|cell| self.excluded.contains(cell)));
        self.ask(Purpose::Place, Task::Nearest { candidates, target }, 1, desk)
    }

    /// `yxsoosorvstep1` to `step6`.
    fn soosorv(&mut self, word: &str, rest: &str, desk: &mut Desk<'_>) -> Option<Outcome> {
        let step: u8 = word.strip_prefix("YXSOOSORVSTEP")?.parse().ok()?;
        let fifths = rest.parse().unwrap_or(1).clamp(1, MAX_FIFTHS);
        let decision = match step {
            1 => {
                let rules = desk.rules();
                desk.new_game(rules);
                return Some(self.decide(Decision::SoosorvOpen, Form::Yixin, desk));
            }
            2 => Decision::SoosorvSwap { step: 1, fifths: 1 },
            3 => Decision::SoosorvFourth,
            4 => Decision::SoosorvSwap { step: 2, fifths },
            5 => Decision::SoosorvFifths(fifths),
            6 => Decision::SoosorvPick(Vec::new()),
            _ => return None,
        };
        Some(self.begin_block(Block::Soosorv(decision)))
    }

    /// Things we do not have: answered or passed over in the form that the programs expect, lines
    /// that belong to them included.
    fn elsewhere(&mut self, word: &str, desk: &mut Desk<'_>) -> Option<Outcome> {
        match word {
            "YXSHOWHASHUSAGE" => {
                desk.say("MESSAGE the use of the transposition table is not counted");
            }
            "YXHASHDUMP" | "YXHASHLOAD" => self.next_line = Some(NO_TABLE_FILE),
            "YXSETDATABASE" | "YXSAVEDATABASE" | "YXDBTOTXT" | "YXDBTOTXTALL" | "YXTXTTODB"
            | "YXLIBTODB" | "YXDBTOLIB" | "YXDBSPLIT" | "YXDBMERGE" => {
                self.next_line = Some(NO_DATABASE);
            }
            // Asked after every stone: without a database there is nothing to say.
            "YXQUERYDATABASEALL" | "YXQUERYDATABASEALLT" => {
                return Some(self.begin_block(Block::Elsewhere("")));
            }
            "YXQUERYDATABASEONE" => {
                return Some(self.begin_block(Block::Elsewhere("MESSAGE DATABASE ONE 0 0 0 0")));
            }
            "YXQUERYDATABASETEXT" => {
                return Some(self.begin_block(Block::Elsewhere("MESSAGE DATABASE TEXT \"\"")));
            }
            "YXEDITTVDDATABASE"
            | "YXEDITLABELDATABASE"
            | "YXEDITTEXTDATABASE"
            | "YXDELETEDATABASEONE"
            | "YXDELETEDATABASEALL"
            | "YXSETBESTMOVEDATABASE"
            | "YXCLEARBESTMOVEDATABASE" => {
                return Some(self.begin_block(Block::Elsewhere(NO_DATABASE)));
            }
            "YXBLOCKPATH" | "YXBLOCKPATHUNDO" => {
                let words = "MESSAGE lines of play cannot be excluded, only cells";
                return Some(self.begin_block(Block::Elsewhere(words)));
            }
            "YXFORBID" => desk.say("MESSAGE cells cannot be closed to one colour"),
            "YXDRAW" | "YXRESIGN" | "YXPRINTFEATURE" | "YXDBCHECK" | "YXDBFIX" | "YXDBTOPOS"
            | "YXBLOCKPATHRESET" | "RELOADCONFIG" | "LOADMODEL" | "EXPORTMODEL" | "TRACESEARCH"
            | "BENCH" => desk.say(&format!("MESSAGE {} has no effect", word.to_lowercase())),
            "TRACEBOARD" => {
                for line in desk.position.to_string().lines() {
                    desk.say(&format!("MESSAGE {line}"));
                }
            }
            _ => return None,
        }
        Some(Ok(Flow::Next))
    }

    /// The end of a block of Soosorv.
    pub(super) fn soosorv_done(
        &mut self,
        decision: Decision,
        mut cells: Vec<Cell>,
        desk: &mut Desk<'_>,
    ) -> Outcome {
        let decision = match decision {
            Decision::SoosorvPick(_) if cells.len() > 4 => {
                Decision::SoosorvPick(cells.split_off(4))
            }
            Decision::SoosorvPick(_) => return Err("four stones and those to pick from".to_owned()),
            other => other,
        };
        let lie = match decision {
            Decision::SoosorvSwap { step: 1, .. } | Decision::SoosorvFourth => 3,
            _ => 4,
        };
        if cells.len() != lie {
            return Err(format!("{lie} stones are expected, not {}", cells.len()));
        }
        Self::set_up(&cells, desk)?;
        self.decide(decision, Form::Yixin, desk)
    }
}
