//! The games that measure the individuals of a generation.

use std::sync::Arc;

use collinear_play::{Game, Referee, Registry, StopFlag, TimeControl};
use collinear_rules::{Geometry, Rules};
use rayon::prelude::*;

use super::{Settings, TuneError};
use crate::opening::Openings;
use crate::seed::{Purpose, derive};
use crate::stats::Sample;

/// A whole number of pairs, at least one.
pub(super) const fn even(games: u64) -> u64 {
    games.saturating_add(games % 2) + if games == 0 { 2 } else { 0 }
}

/// Plays individuals against the pool of opponents.
pub(super) struct Table<'a> {
    settings: &'a Settings,
    registry: &'a Registry,
    pub(super) rules: Rules,
    geometry: Arc<Geometry>,
    control: TimeControl,
}

#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) results: [u64; 3],
    pub(super) pairs: Sample,
}

impl<'a> Table<'a> {
    pub(super) fn new(settings: &'a Settings, registry: &'a Registry) -> Result<Self, TuneError> {
        let wrong = |error: String| TuneError::Settings(error);
        let rules: Rules = settings.rules.parse().map_err(|e| wrong(format!("{e}")))?;
        let control = settings.limits.parse().map_err(|e| wrong(format!("{e}")))?;
        let geometry = Arc::new(Geometry::new(rules));
        Openings::Random(settings.opening).check(&geometry).or_else(|error| {
            if settings.opening == 0 { Ok(()) } else { Err(wrong(error.to_string())) }
        })?;
        Ok(Self { settings, registry, rules, geometry, control })
    }

    /// All games of one individual in one generation; none when stopped.
    pub(super) fn play(
        &self,
        spec: &str,
        generation: u64,
        stop: &StopFlag,
    ) -> Result<Option<Played>, TuneError> {
        let pairs = even(self.settings.games) / 2;
        let results: Result<Vec<Option<[u8; 2]>>, TuneError> = (0..pairs)
            .into_par_iter()
            .map(|pair| {
                let place = generation << 32 | pair;
                let pool = &self.settings.pool;
                let opponent = &pool[pair as usize % pool.len()];
                let first = self.game([spec, opponent], place, stop)?;
                let second = self.game([opponent, spec], place, stop)?;
                Ok(first.zip(second).map(|(black, white)| [black, 2 - white]))
            })
            .collect();
        let mut played = Played { results: [0; 3], pairs: Sample::NO_PAIRS };
        for pair in results? {
            let Some(points) = pair else { return Ok(None) };
            for half_points in points {
                played.results[2 - usize::from(half_points)] += 1;
            }
            played.pairs.add(points.iter().sum());
        }
        Ok(Some(played))
    }

    /// Black's half points; none when stopped.
    fn game(&self, specs: [&str; 2], place: u64, stop: &StopFlag) -> Result<Option<u8>, TuneError> {
        let seed = |purpose| derive(self.settings.seed, place, purpose);
        let openings = match self.settings.opening {
            0 => Openings::Empty,
            stones => Openings::Random(stones),
        };
        let start = openings.start(&self.geometry, place, seed(Purpose::Opening));
        let build = |spec: &str, purpose| -> Result<_, TuneError> {
            Ok(self.registry.parse(spec)?.build(&self.rules, seed(purpose))?)
        };
        let mut black = build(specs[0], Purpose::Black)?;
        let mut white = build(specs[1], Purpose::White)?;
        let mut referee =
            Referee { stop_dead_draws: true, stop: stop.child(), ..Referee::default() };
        let mut game = Game::from_position(start).with_controls([self.control; 2]);
        let end = referee.play(&mut game, [&mut *black, &mut *white], &mut |_| None);
        Ok(end.black_half_points())
    }
}
