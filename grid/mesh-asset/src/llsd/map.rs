//! Maps that keep the order of the file.

use std::borrow::Cow;

use super::Value;

/// A map in the order of the file.
///
/// A key that occurs twice is kept twice; [`get`](Self::get) finds the first, as viewers do. Lookup
/// is linear: the maps of a mesh asset have at most a dozen keys.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Map<'a> {
    entries: Vec<(Cow<'a, str>, Value<'a>)>,
}

impl<'a> Map<'a> {
    /// A map without entries.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// The number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value of the first entry with that key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        self.iter().find_map(|(name, value)| (name == key).then_some(value))
    }

    /// Gives the first entry with that key a new value and its old place, or adds an entry at the end.
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: impl Into<Value<'a>>) {
        let key = key.into();
        let value = value.into();
        match self.entries.iter_mut().find(|(name, _)| *name == key) {
            Some((_, place)) => *place = value,
            None => self.push(key, value),
        }
    }

    /// The entries in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value<'a>)> {
        self.entries.iter().map(|(key, value)| (key.as_ref(), value))
    }

    /// Adds an entry without looking for its key.
    pub(crate) fn push(&mut self, key: Cow<'a, str>, value: Value<'a>) {
        self.entries.push((key, value));
    }

    /// The entries, without the map.
    pub(crate) fn into_entries(self) -> Vec<(Cow<'a, str>, Value<'a>)> {
        self.entries
    }
}

impl<'a, K: Into<Cow<'a, str>>, V: Into<Value<'a>>> FromIterator<(K, V)> for Map<'a> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insert_keeps_the_place_of_a_key() {
        let mut map: Map = [("b", 1), ("a", 2)].into_iter().collect();
        map.insert("b", 3);
        let keys: Vec<_> = map.iter().map(|(key, _)| key).collect();
        assert_eq!(keys, ["b", "a"]);
        assert_eq!(map.get("b").and_then(Value::as_integer), Some(3));
        assert_eq!(map.get("c"), None);
    }
}
