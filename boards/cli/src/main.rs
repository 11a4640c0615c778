//! The program lodger-board: flash, run, watch and question boards through debug probes.

fn main() {}
