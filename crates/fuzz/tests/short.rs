//! Every input that failed once, and a short seeded run of every target.

use std::fs;
use std::path::Path;

use collinear_fuzz::{all, panics, try_case};

#[test]
fn regressions_and_a_short_run_hold() -> Result<(), String> {
    panics::watch();
    let mut failures = Vec::new();
    for target in all() {
        let mut run = (target.start)();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(target.name);
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let input = fs::read(entry.path()).map_err(|error| error.to_string())?;
            if let Err(reason) = try_case(&mut run, &input) {
                failures.push(format!("{}: {reason}", entry.path().display()));
            }
        }
        for n in 0..target.test_cases {
            let input = target.case(1, n);
            if let Err(reason) = try_case(&mut run, &input) {
                let shown = String::from_utf8_lossy(&input[..input.len().min(300)]).into_owned();
                failures.push(format!("{} case {n}: {reason}: {shown:?}", target.name));
            }
        }
    }
    // The hook that counts panics would swallow the message of one of our own.
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
}
