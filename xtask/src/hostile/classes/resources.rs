//! Files of a GiB: zeros, noise and brackets, once each for every command.

use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::input::{Content, Kind};

pub(super) const CLASS: Class = Class { name: "resources", known: &KNOWN, random: None };

const GIB: usize = 1 << 30;

const KNOWN: [Known; 12] = [
    Known::heavy("a GiB of zeros, priced", GIB, |n| zeros(n, "cost")),
    Known::heavy("a GiB of zeros, linted", GIB, |n| zeros(n, "lint")),
    Known::heavy("a GiB of zeros, linked", GIB, |n| zeros(n, "linkset")),
    Known::heavy("a GiB of zeros, planned", GIB, |n| zeros(n, "schedule")),
    Known::heavy("a GiB of noise, priced", GIB, |n| noise(n, "cost")),
    Known::heavy("a GiB of noise, linted", GIB, |n| noise(n, "lint")),
    Known::heavy("a GiB of noise, linked", GIB, |n| noise(n, "linkset")),
    Known::heavy("a GiB of noise, planned", GIB, |n| noise(n, "schedule")),
    Known::heavy("a GiB of [, priced", GIB, |n| brackets(n, "cost")),
    Known::heavy("a GiB of [, linted", GIB, |n| brackets(n, "lint")),
    Known::heavy("a GiB of [, linked", GIB, |n| brackets(n, "linkset")),
    Known::heavy("a GiB of [, planned", GIB, |n| brackets(n, "schedule")),
];

fn of(command: &'static str, content: Content) -> Case {
    Case::of(command).input("bad", Kind::File(content)).path("bad").format("json")
}

fn zeros(count: usize, command: &'static str) -> Case {
    of(command, Content::Repeated(0, count))
}

fn noise(count: usize, command: &'static str) -> Case {
    of(command, Content::Noise(count))
}

fn brackets(count: usize, command: &'static str) -> Case {
    of(command, Content::Repeated(b'[', count))
}
