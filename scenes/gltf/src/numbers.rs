//! Arrays of a fixed length.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

/// Exactly `N` numbers: the array of serde lets surplus ones pass.
#[derive(Clone, Copy, Debug)]
pub struct Numbers<T, const N: usize>(pub [T; N]);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Deserialize<'de> for Numbers<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(NumbersVisitor(PhantomData))
    }
}

struct NumbersVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Copy + Default, const N: usize> Visitor<'de>
    for NumbersVisitor<T, N>
{
    type Value = Numbers<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {N} numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [T::default(); N];
        for (index, number) in numbers.iter_mut().enumerate() {
            *number = seq.next_element()?.ok_or_else(|| de::Error::invalid_length(index, &self))?;
        }
        match seq.next_element::<de::IgnoredAny>()? {
            None => Ok(Numbers(numbers)),
            Some(_) => Err(de::Error::invalid_length(N + 1, &self)),
        }
    }
}
