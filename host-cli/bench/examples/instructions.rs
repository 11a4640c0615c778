//! A contender by its name decides for 10 000 actors, so that somebody counts its instructions: what is to be
//! counted happens within `counted`. It prints for how many actors that was. `cargo xtask callgrind` runs it.

use std::env;
use std::error::Error;

use lodger_bench::contest::{Contender, Contest};
use lodger_bench::policy::PolicyName;

const ACTORS: u32 = 10_000;
const FRAMES: u32 = 16;

fn main() -> Result<(), Box<dyn Error>> {
    let wanted = env::args().nth(1).unwrap_or_default();
    let all = Contender::of(&PolicyName::ALL, true);
    let named = all.into_iter().find(|contender| contender.name() == wanted);
    let contender = named.ok_or_else(|| format!("nobody is called `{wanted}`"))?;
    let mut contest = Contest::new(ACTORS, vec![contender])?;
    contest.run(contender, FRAMES);
    counted(&mut contest, contender);
    println!("{}", ACTORS * FRAMES);
    Ok(())
}

/// What is counted, and nothing else.
#[inline(never)]
fn counted(contest: &mut Contest, contender: Contender) {
    contest.run(contender, FRAMES);
}
