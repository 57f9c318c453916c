//! The program `collinear`; everything it does is in the library beside it.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    collinear::main(std::env::args_os(), &collinear::Carrier::this_program())
}
