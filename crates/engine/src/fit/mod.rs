//! Fitting the weights to games the engine plays against itself.
//!
//! [`play_games`] makes the games, [`GameFile`] keeps them in about two bytes per stone,
//! [`learn`] turns them into weights: logistic regression of the evaluation on results mixed with
//! the scores of the search, and softmax regression of the policy on the stones the search chose.
//! Everything follows from a seed.
//!
//! Networks learn from games of the network search: [`play_net_games`] makes them, [`SearchedFile`] keeps
//! them, [`settle_games`] ends them where a win is proved, [`positions`] turns either kind of game into
//! what `train/` reads.

mod combos;
mod games;
mod learn;
mod patterns;
mod play;
pub mod positions;
mod searched;
mod settle;

pub use crate::puct::{NetPlay, play_net_games};
pub use combos::{learn_combos, suits_combos};
pub use games::{FittedGame, GameFile, GameFileError, SearchedTurn};
pub use learn::{Learning, Progress};
pub use patterns::learn;
pub use play::{SelfPlay, opening, play_game, play_games};
pub use searched::{
    SearchedFile, SearchedGame, StoneThought, header as searched_header, is_searched,
};
pub use settle::settle_games;
