//! `collinear prove` where a board is too large to be searched through: a win by relevance zones.

use std::time::{Duration, Instant};

use anyhow::Result;
use collinear_agents::{ZoneLimits, ZoneSearch};
use collinear_play::{Budget, StopFlag};
use collinear_prove::Certificate;
use collinear_rules::Position;

use super::{Args, spinner};
use crate::failure::{Failed, Interrupted};
use crate::report;

/// Looks for a win of either player; the certificate and the nodes of all searches for threats.
pub(super) fn run(position: &Position, args: &Args, stop: &StopFlag) -> Result<(Certificate, u64)> {
    let bar = spinner()?;
    bar.enable_steady_tick(Duration::from_millis(200));
    let meter = Budget { nodes: args.nodes, stop: stop.clone(), ..Budget::default() }.start(1);
    let limits = ZoneLimits { quiet: args.quiet, proof_nodes: args.proof_nodes, meter: &meter };
    let mut search = ZoneSearch::new(position.rules());
    let started = Instant::now();
    let deeper = |quiet: u16, nodes: u64| {
        let done = match quiet {
            0 => "by threats alone".to_owned(),
            1 => "with one quiet turn".to_owned(),
            more => format!("with {more} quiet turns after each other"),
        };
        bar.set_message(format!("{nodes} nodes; a win {done}?"));
    };
    let found = search.find(position, limits, &deeper);
    bar.finish_and_clear();
    let seconds = started.elapsed().as_secs_f64();
    match found? {
        Some(found) => {
            report::note(format_args!(
                "won {}: {} places of the attacker, a zone of {} cells, {seconds:.1} s",
                match found.quiet {
                    0 => "by threats alone".to_owned(),
                    1 => "with a quiet turn".to_owned(),
                    more => format!("with {more} quiet turns after each other"),
                },
                found.win.places,
                found.win.zone.len(),
            ));
            Ok((found.win.certificate, search.nodes()))
        }
        None if stop.is_stopped() => Err(Interrupted.into()),
        None => Err(Failed(format!(
            "no win was found with {} quiet turns after each other and {} nodes ({seconds:.1} s); that shows nothing about the value: allow more with --quiet, --proof-nodes or --nodes",
            args.quiet,
            search.nodes()
        ))
        .into()),
    }
}
