//! Fitting the weights to games the engine plays against itself.
//!
//! [`play_games`] makes games by alpha-beta, [`play_net_games`] by the network search, [`GameFile`] keeps either
//! (as [`records`], each with a checksum), [`settle_games`] ends them where a win is proved.
//! [`learn`] turns them into weights: logistic regression of the evaluation on results mixed with
//! the scores of the search, and softmax regression of the policy on the stones the search chose.
//! [`labels`] are positions with a network's opinion, and [`evaluation`] learns the evaluation of line patterns from
//! them. [`positions`] turns games into what `train/` makes networks of. Everything follows from a seed.

mod combos;
pub mod evaluation;
mod games;
pub mod labels;
mod learn;
mod patterns;
mod play;
pub mod positions;
pub mod records;
mod settle;
mod turns;

pub use crate::puct::{NetPlay, play_net_games};
pub use combos::{learn_combos, suits_combos};
pub use games::{GameFile, SearchedGame, StoneThought};
pub use learn::{Learning, Progress};
pub use patterns::learn;
pub use play::{SelfPlay, opening, play_game, play_games};
pub use settle::{settle_games, settled_origin};
pub use turns::{FittedGame, FittedGames, SearchedTurn};
