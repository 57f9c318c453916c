//! `--ray ADDRESS`: a run on many machines. The cluster is Ray's business, and Ray speaks Python:
//! the very arguments go to the Python package, which plays shards of the run on the cluster.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use anyhow::{Context, Result};

use crate::failure::Failed;

/// The interpreter that has the package, set by the package's own command.
const PYTHON: &str = "COLLINEAR_PYTHON";

/// Starts the package with these arguments and waits for its end.
pub(crate) fn hand_over(given: &[OsString], address: &str) -> Result<()> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let status = Command::new(&python)
        .args(["-m", "collinear.cluster"])
        .args(without_ray(given))
        .args(["--address", address])
        .status()
        .with_context(|| {
            format!(
                "--ray needs Python with `pip install collinear[cluster]`: {} does not start",
                python.display()
            )
        })?;
    if !status.success() {
        return Err(
            Failed(format!("--ray {address}: the run on the cluster ended with {status}")).into()
        );
    }
    Ok(())
}

/// The arguments behind the program's name, without `--ray ADDRESS` and `--ray=ADDRESS`.
fn without_ray(given: &[OsString]) -> Vec<&OsStr> {
    let mut kept = Vec::new();
    let mut arguments = given.iter().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--ray" {
            arguments.next();
        } else if !argument.to_string_lossy().starts_with("--ray=") {
            kept.push(argument.as_os_str());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_is_taken_out_wherever_it_stands() {
        let kept = |text: &str| -> Vec<String> {
            let given: Vec<OsString> = text.split(' ').map(Into::into).collect();
            without_ray(&given).iter().map(|word| word.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(kept("collinear match a b --ray auto -n 4"), ["match", "a", "b", "-n", "4"]);
        assert_eq!(kept("collinear match --ray=ray://h:1 a b"), ["match", "a", "b"]);
    }
}
