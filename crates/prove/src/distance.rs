//! After how many stones a win is complete, with the winner hurrying and the loser delaying.
//!
//! "Does the attacker complete a row within so many stones?" is asked of one number after the other, in
//! the same search: a window that lacks more cells than its player has stones left in time is dead,
//! and everything that is known of live windows holds for the others. The last no and the first yes are the
//! two halves of the proof: the winner wins in so many stones, and the loser holds for one less.

use crate::ProveError;
use crate::certificate::{Certificate, Goal, Part, Reason, Value};
use crate::node::{Node, Question};
use crate::prover::{Limits, Prover};

impl Prover {
    /// Adds to the certificate of a win how many stones it takes; a draw stays as it is.
    ///
    /// ```
    /// use collinear_prove::{Limits, Prover, check};
    /// use collinear_rules::{Position, Rules};
    ///
    /// let rules: Rules = "4x3,k=3".parse()?;
    /// let prover = Prover::new(&Position::new(rules), 1 << 20)?;
    /// let limits = Limits::default();
    /// let certificate = prover.with_distance(prover.run(&limits)?, &limits)?;
    /// assert_eq!(check(&certificate)?.stones, Some(7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_distance(
        &self,
        mut certificate: Certificate,
        limits: &Limits<'_>,
    ) -> Result<Certificate, ProveError> {
        let Value::Won(winner) = certificate.value else { return Ok(certificate) };
        let question = Question { attacker: winner, weak: false };
        let within = |rest| Node { rest, ..self.root(winner) };
        let mut too_few = 0;
        for stones in 1..=self.position().empty_count() as u8 {
            // Stones of the loser complete nothing.
            if self.stones_in_time(&within(stones)) == self.stones_in_time(&within(too_few)) {
                continue;
            }
            match self.decide(question, &within(stones), limits) {
                Ok(false) => too_few = stones,
                Err(_) => {
                    let (at_least, nodes) = (u32::from(stones), self.nodes());
                    return Err(ProveError::StoppedAt { at_least, nodes });
                }
                Ok(true) => {
                    let show = |rest, player, goal| {
                        let bytes = self.strategy_from(&within(rest), question, goal, limits)?;
                        Ok::<_, ProveError>(Part { player, goal, reason: Reason::Strong(bytes) })
                    };
                    certificate.stones = Some(u32::from(stones));
                    certificate.parts = vec![
                        show(stones, winner, Goal::Wins)?,
                        show(too_few, !winner, Goal::Holds)?,
                    ];
                    return Ok(certificate);
                }
            }
        }
        // The win was proved, so the board cannot be full before it.
        Err(ProveError::DamagedState)
    }
}
