//! Evaluates one board so often by one path of the network, for whoever counts instructions:
//! `evaluations portable 3`. The sum it prints is the same for every path.

use std::error::Error;

use collinear_engine::net::{Evaluator, Net, Path};
use collinear_rules::Rules;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let names: Vec<_> = Path::available().iter().map(|path| path.name()).collect();
    let name = arguments.next().unwrap_or_default();
    let path = Path::available().into_iter().find(|path| path.name() == name);
    let path = path.ok_or_else(|| format!("this machine's paths: {}", names.join(", ")))?;
    let count: u32 = arguments.next().unwrap_or_default().parse()?;
    let net = Net::for_rules(&Rules::CONNECT6).ok_or("no network")?;
    let mut evaluator = Evaluator::with_path(net, 9, 9, path);
    let board: Vec<u8> =
        (0..81_u8).map(|cell| if cell % 7 == 0 { 1 + cell / 7 % 2 } else { 0 }).collect();
    let sum: f32 = (0..count).map(|_| evaluator.evaluate(&board, false)).sum();
    println!("{sum}");
    Ok(())
}
