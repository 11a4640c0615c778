//! Notes of which each is made once.

use std::collections::HashSet;

use crate::note::Note;

/// Notes in the making.
#[derive(Debug, Default)]
pub(super) struct Notes {
    list: Vec<Note>,
    seen: HashSet<(&'static str, String)>,
}

impl Notes {
    /// A note, unless there is one with this code about the same already.
    pub(super) fn once(&mut self, code: &'static str, about: &str, text: impl Into<String>) {
        if self.seen.insert((code, about.to_owned())) {
            self.list.push(Note { code, about: about.to_owned(), text: text.into() });
        }
    }

    pub(super) fn into_list(self) -> Vec<Note> {
        self.list
    }
}
