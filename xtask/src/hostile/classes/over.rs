//! What is done to a file of any of the first classes.

use crate::hostile::case::Case;
use crate::hostile::random::Random;

/// A command over a bad file of mesh assets or archives, in any of its ways and mostly beside good files.
pub(super) fn over(random: &mut Random, name: &str, file: &str, bytes: Vec<u8>) -> Case {
    let lint = random.one_in(4);
    let mut case = Case::of(if lint { "lint" } else { "cost" });
    name.clone_into(&mut case.name);
    let several = !random.one_in(3);
    if several && random.one_in(2) {
        case = case.beside_good().file(file, bytes);
    } else {
        case = case.file(file, bytes);
        case = if several { case.beside_good() } else { case };
    }
    case.threads = random.one_in(8);
    if lint {
        return case.format(random.pick(&["table", "json"]));
    }
    match random.below(8) {
        0 if !several => case = case.option("--sweep", "0.1..64"),
        1 if !several => case = case.option("--target", "2"),
        2 => case = case.flag("--parts"),
        3 => case = case.flag("--all"),
        4 if !several => case = case.option("--shape", random.pick(&["prim", "none"])),
        5 if !several => case = case.flag("--physical"),
        _ => {}
    }
    case.format(random.pick(&["table", "json", "csv"]))
}
