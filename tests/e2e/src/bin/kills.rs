//! `kills [--kills N] [--seed SEED]`: kills the browser so many times and says what the kills hit. It
//! fails if something was lost, came twice or is stuck, or if no kill hit anything.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::process::ExitCode;

use e2e::kills;

const USAGE: &str = "usage: kills [--kills N] [--seed SEED]";

#[tokio::main]
async fn main() -> ExitCode {
    let Some((kills, seed)) = read(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("note seed {seed}");
    let tally = kills::run(seed, kills).await;
    for line in tally.to_string().lines() {
        println!("note {line}");
    }
    if tally.under_way > 0 {
        ExitCode::SUCCESS
    } else {
        println!("never met: a kill while something was under way");
        ExitCode::FAILURE
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Option<(u64, u64)> {
    // Another one each time; it is said, so that it can be tried again.
    let any = u64::from(RandomState::new().build_hasher().finish() as u32);
    let (mut kills, mut seed) = (20, any);
    while let Some(word) = words.next() {
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--kills" => kills = number,
            "--seed" => seed = number,
            _ => return None,
        }
    }
    Some((kills, seed))
}
