//! Long lists that grow without being copied.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

/// The elements of a block.
pub(crate) const BLOCK: usize = 4096;

/// A long list, in blocks of which only the last one grows.
#[derive(Debug)]
pub struct Blocks<T>(Vec<Vec<T>>);

impl<T> Default for Blocks<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Blocks<T> {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * BLOCK + last.len())
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index / BLOCK)?.get(index % BLOCK)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    fn push(&mut self, element: T) {
        match self.0.last_mut() {
            Some(last) if last.len() < BLOCK => last.push(element),
            _ => self.0.push(vec![element]),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Blocks<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(BlocksVisitor(PhantomData))
    }
}

struct BlocksVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for BlocksVisitor<T> {
    type Value = Blocks<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Blocks::default();
        while let Some(element) = seq.next_element()? {
            blocks.push(element);
        }
        Ok(blocks)
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, Blocks};

    #[test]
    fn every_element_is_where_it_was_put() {
        let mut blocks = Blocks::default();
        for count in 0..3 * BLOCK {
            assert_eq!((blocks.len(), blocks.get(count)), (count, None));
            blocks.push(count);
            assert_eq!(blocks.get(count), Some(&count));
        }
        assert!(blocks.iter().copied().eq(0..3 * BLOCK));
    }
}
