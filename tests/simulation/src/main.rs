//! `simulation [--seeds N] [--from SEED]`: plays seeds on all cores and says what they came to. It
//! fails if something did not hold, or a thing that must be met was not.
//! `simulation --tabs CLICKS CRASHES`: tries every order of the steps of two tabs.
//! `simulation --tell SEED`: tells everything that happens in one.

use std::process::ExitCode;

use mimalloc::MiMalloc;
use simulation::interleaved::{Bounds, Explored, explore};
use simulation::schedule;
use simulation::seeds::{Tally, threads};

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const USAGE: &str =
    "usage: simulation [--seeds N] [--from SEED] | --tabs CLICKS CRASHES | --tell SEED";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, seed] = words.as_slice()
        && word == "--tell"
        && let Ok(seed) = seed.parse()
    {
        return tell(seed);
    }
    if let [word, clicks, crashes] = words.as_slice()
        && word == "--tabs"
        && let (Ok(clicks), Ok(crashes)) = (clicks.parse(), crashes.parse())
    {
        return tabs(Bounds { clicks, crashes });
    }
    let Some((seeds, from)) = read(words) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    #[expect(clippy::disallowed_methods, reason = "how long it takes is told, and decides nothing")]
    let began = std::time::Instant::now();
    let tally = Tally::on_all_cores(&(from..from.saturating_add(seeds)));
    let seconds = began.elapsed().as_secs_f64();
    print!("{}", tally.coverage);
    for (_, failure) in &tally.failures {
        println!("{failure}");
    }
    let missing = tally.coverage.missing(tally.seeds);
    for (of, what) in &missing {
        println!("never met: {of}: {what}");
    }
    #[expect(clippy::cast_precision_loss, reason = "a rate for the eye")]
    let rate = tally.seeds as f64 / seconds / threads() as f64;
    println!(
        "note {} seeds, {} steps, {} failures, {} never met; {seconds:.1} s, {rate:.0} schedules a \
         second per core; the longest is seed {} with {} steps",
        tally.seeds,
        tally.steps,
        tally.failures.len(),
        missing.len(),
        tally.longest.1,
        tally.longest.0
    );
    if tally.failures.is_empty() && missing.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn tabs(bounds: Bounds) -> ExitCode {
    match explore(bounds) {
        Ok(Explored { states, moves, violation: None }) => {
            println!("note two tabs, {bounds:?}: {states} states, {moves} moves, 0 failures");
            ExitCode::SUCCESS
        }
        Ok(Explored { violation: Some((path, violation)), .. }) => {
            println!("{path:?}: {violation}");
            ExitCode::FAILURE
        }
        Err(violation) => {
            println!("{violation}");
            ExitCode::FAILURE
        }
    }
}

fn tell(seed: u64) -> ExitCode {
    match schedule::tell(seed).violation {
        None => ExitCode::SUCCESS,
        Some(violation) => {
            println!("{violation}");
            ExitCode::FAILURE
        }
    }
}

fn read(words: Vec<String>) -> Option<(u64, u64)> {
    let (mut seeds, mut from) = (1000, 0);
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let number = words.next()?.parse().ok()?;
        match word.as_str() {
            "--seeds" => seeds = number,
            "--from" => from = number,
            _ => return None,
        }
    }
    Some((seeds, from))
}
