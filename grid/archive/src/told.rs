//! Errors that are told one by one, up to a limit.

use crate::error::Error;
use crate::problem::Problem;

/// Errors that are told one by one, and how many others there were.
#[derive(Debug)]
pub(crate) struct Told {
    errors: Vec<Error>,
    most: usize,
    others: usize,
}

impl Told {
    /// None so far, and so many at most.
    pub(crate) fn new(most: usize) -> Self {
        Self { errors: Vec::new(), most, others: 0 }
    }

    /// One more.
    pub(crate) fn add(&mut self, error: Error) {
        if self.errors.len() < self.most {
            self.errors.push(error);
        } else {
            self.others += 1;
        }
    }

    /// All of them, and one that says how many there are besides.
    pub(crate) fn finish(mut self) -> Vec<Error> {
        if self.others > 0 {
            self.errors.push(Problem::More { errors: self.others }.into());
        }
        self.errors
    }
}
