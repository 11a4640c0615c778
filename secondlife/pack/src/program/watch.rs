//! How far the work has come.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use lodger_pack::Step;
use lodger_terminal::{Progress, plain};

/// The steps beside the forms of objects: choosing, physics, writing.
const OTHERS: usize = 3;

/// A bar that moves with the work on a model.
pub(super) struct Watch {
    progress: Progress,
    /// The numbers of forms of an object that are measured and made, by its name.
    measured: Mutex<HashMap<String, (usize, usize)>>,
}

impl Watch {
    /// A bar before the first step.
    pub(super) fn new() -> Self {
        let progress = Progress::new(OTHERS, true);
        progress.say("reading".to_owned());
        Self { progress, measured: Mutex::default() }
    }

    /// Something begins, or has come further. Threads may tell of it in any order.
    pub(super) fn see(&self, step: Step<'_>) {
        let what = match step {
            Step::Simplify(object, done, all) => return self.simplified(object, done, all),
            Step::Choose => "choosing levels",
            Step::Physics => "making physics shapes",
            Step::Shape(object) => {
                return self.tried(format!("making physics shapes of {}", plain(object)));
            }
            Step::Encode => "writing assets",
            Step::Draw(pictures, all) => {
                return self.tried(format!("drawing the report, picture {pictures} of {all}"));
            }
        };
        self.progress.done();
        self.progress.say(what.to_owned());
    }

    fn simplified(&self, object: &str, done: usize, all: usize) {
        let mut measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        let (before, made) = measured.entry(object.to_owned()).or_default();
        self.progress.more(all.saturating_sub(*made));
        *made = all.max(*made);
        (*before..done).for_each(|_| self.progress.done());
        *before = done.max(*before);
        if *before == all {
            // Some were tried that are none.
            (all..*made).for_each(|_| self.progress.done());
            *made = all;
        }
        let forms = format!("simplifying {}, form {before} of {all}", plain(object));
        self.progress.say(forms);
    }

    /// One more of steps whose number is not known before.
    fn tried(&self, what: String) {
        self.progress.more(1);
        self.progress.done();
        self.progress.say(what);
    }
}
