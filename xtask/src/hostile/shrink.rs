//! Makes a failing case smaller while it still fails.

use std::sync::Arc;
use std::time::Instant;

use super::case::{Case, Sized, Word};
use super::input::{Content, Kind};

/// How long shrinking may go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) tries: u32,
    pub(super) until: Instant,
}

/// A smaller case for which `fails` still says yes: a smaller number that it is made of, fewer inputs,
/// fewer words, fewer bytes. What is known of a case's answer stays true of it: a case with exit codes of its
/// own keeps its words and inputs, as they say what is right.
pub(super) fn shrink(case: Case, budget: Budget, fails: &mut dyn FnMut(&Case) -> bool) -> Case {
    let mut trial = Trial { budget, fails };
    let case = number(case, &mut trial);
    if case.codes.is_some() || !case.objects.is_empty() {
        return case;
    }
    let case = inputs(case, &mut trial);
    let case = words(case, &mut trial);
    bytes(case, &mut trial)
}

/// What tries cases while there is something left of the budget.
struct Trial<'f> {
    budget: Budget,
    fails: &'f mut dyn FnMut(&Case) -> bool,
}

impl Trial<'_> {
    fn is_over(&self) -> bool {
        self.budget.tries == 0 || Instant::now() >= self.budget.until
    }

    fn fails(&mut self, case: &Case) -> bool {
        if self.is_over() {
            return false;
        }
        self.budget.tries -= 1;
        (self.fails)(case)
    }
}

/// Halves the number that a case is made of, then takes quarters of it away.
fn number(mut case: Case, trial: &mut Trial<'_>) -> Case {
    for part in [2, 4] {
        while let Some(Sized { number, make }) = case.sized {
            let smaller = remade(&case, number - number / part, make);
            if number < part || !trial.fails(&smaller) {
                break;
            }
            case = smaller;
        }
    }
    case
}

/// The same case of another number.
fn remade(case: &Case, number: usize, make: fn(usize) -> Case) -> Case {
    let mut other = make(number);
    other.name.clone_from(&case.name);
    other.sized = Some(Sized { number, make });
    other
}

fn inputs(mut case: Case, trial: &mut Trial<'_>) -> Case {
    let mut at = 0;
    while at < case.inputs.len() && !trial.is_over() {
        let mut smaller = case.clone();
        let gone = smaller.inputs.remove(at).path;
        smaller.words.retain(|word| !matches!(word, Word::Path(path) if *path == gone));
        smaller.good.retain(|path| *path != gone);
        if trial.fails(&smaller) {
            case = smaller;
        } else {
            at += 1;
        }
    }
    case
}

fn words(mut case: Case, trial: &mut Trial<'_>) -> Case {
    let mut at = 1;
    while at < case.words.len() && !trial.is_over() {
        let mut smaller = case.clone();
        smaller.words.remove(at);
        if trial.fails(&smaller) {
            case = smaller;
        } else {
            at += 1;
        }
    }
    case
}

/// Takes runs of bytes away, from halves to single ones.
fn bytes(mut case: Case, trial: &mut Trial<'_>) -> Case {
    for input in 0..case.inputs.len() {
        let Kind::File(Content::Bytes(bytes)) = &case.inputs[input].kind else { continue };
        let mut bytes = Arc::clone(bytes);
        let mut run = bytes.len().div_ceil(2);
        while run > 0 && !trial.is_over() {
            let mut at = 0;
            while at < bytes.len() && !trial.is_over() {
                let mut fewer = bytes.to_vec();
                fewer.drain(at..bytes.len().min(at + run));
                let fewer = Arc::new(fewer);
                let mut smaller = case.clone();
                smaller.inputs[input].kind = Kind::File(Content::Bytes(Arc::clone(&fewer)));
                if trial.fails(&smaller) {
                    (case, bytes) = (smaller, fewer);
                } else {
                    at += run;
                }
            }
            run /= 2;
        }
    }
    case
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{Budget, shrink};
    use crate::hostile::case::{Case, Sized};
    use crate::hostile::input::{Content, Kind};

    fn budget(tries: u32) -> Budget {
        Budget { tries, until: Instant::now() + Duration::from_mins(10) }
    }

    fn content(case: &Case) -> Vec<u8> {
        match case.inputs.first().map(|input| &input.kind) {
            Some(Kind::File(Content::Bytes(bytes))) => bytes.to_vec(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn only_what_matters_is_left() {
        let case = Case::of("cost").file("other", "abc").file("bad", "aaaaXaaaaYaa").flag("--all");
        let mut fails = |case: &Case| {
            case.inputs.iter().any(|input| {
                matches!(&input.kind, Kind::File(Content::Bytes(bytes))
                if bytes.contains(&b'X') && bytes.contains(&b'Y'))
            })
        };
        let small = shrink(case, budget(10_000), &mut fails);
        assert_eq!(content(&small), b"XY");
        assert_eq!((small.inputs.len(), small.words.len()), (1, 1));
    }

    #[test]
    fn the_number_that_it_is_made_of_is_halved() {
        let make = |count: usize| Case::of("cost").file("bad", vec![b'x'; count]);
        let mut case = make(1000);
        case.sized = Some(Sized { number: 1000, make });
        let mut fails = |case: &Case| content(case).len() > 90 && case.sized.is_some();
        let small = shrink(case, budget(20), &mut fails);
        assert!((91..=125).contains(&content(&small).len()));
    }

    #[test]
    fn no_more_is_tried_than_is_allowed() {
        let mut tries = 0;
        let case = Case::of("cost").file("bad", vec![0; 4096]);
        shrink(case, budget(7), &mut |_| {
            tries += 1;
            false
        });
        assert_eq!(tries, 7);
    }
}
