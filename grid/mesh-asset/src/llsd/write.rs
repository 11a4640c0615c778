//! Values to bytes.

use super::{Error, Problem, Value};

impl Value<'_> {
    /// The value as binary LLSD, without a header line.
    ///
    /// # Errors
    /// [`Problem::TooLong`] for a length or count of 2³² or more.
    ///
    /// # Examples
    /// ```
    /// use lodger_mesh_asset::llsd::Value;
    ///
    /// assert_eq!(Value::from("hi").to_bytes()?, b"s\0\0\0\x02hi");
    /// # Ok::<(), lodger_mesh_asset::llsd::Error>(())
    /// ```
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        let mut out = Vec::new();
        self.write(&mut out)?;
        Ok(out)
    }

    /// Appends the value to `out` as binary LLSD.
    ///
    /// # Errors
    /// [`Problem::TooLong`] for a length or count of 2³² or more.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Undef => out.push(b'!'),
            Self::Boolean(value) => out.push(if *value { b'1' } else { b'0' }),
            Self::Integer(value) => fixed(out, b'i', &value.to_be_bytes()),
            Self::Real(value) => fixed(out, b'r', &value.to_be_bytes()),
            Self::Date(value) => fixed(out, b'd', &value.to_le_bytes()),
            Self::Uuid(value) => fixed(out, b'u', value),
            Self::Binary(value) => sized(out, b'b', value)?,
            Self::String(value) => sized(out, b's', value.as_bytes())?,
            Self::Uri(value) => sized(out, b'l', value.as_bytes())?,
            Self::Array(items) => {
                length(out, b'[', items.len())?;
                for item in items {
                    item.write(out)?;
                }
                out.push(b']');
            }
            Self::Map(map) => {
                length(out, b'{', map.len())?;
                for (key, value) in map.iter() {
                    sized(out, b'k', key.as_bytes())?;
                    value.write(out)?;
                }
                out.push(b'}');
            }
        }
        Ok(())
    }
}

fn fixed(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    out.push(kind);
    out.extend_from_slice(bytes);
}

fn length(out: &mut Vec<u8>, kind: u8, length: usize) -> Result<(), Error> {
    let length = u32::try_from(length).map_err(|_| Error::new(out.len(), Problem::TooLong))?;
    fixed(out, kind, &length.to_be_bytes());
    Ok(())
}

fn sized(out: &mut Vec<u8>, kind: u8, bytes: &[u8]) -> Result<(), Error> {
    length(out, kind, bytes.len())?;
    out.extend_from_slice(bytes);
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::llsd::Map;

    fn any_value() -> impl Strategy<Value = Value<'static>> {
        let leaf = prop_oneof![
            Just(Value::Undef),
            any::<bool>().prop_map(Value::Boolean),
            any::<i32>().prop_map(Value::Integer),
            any::<f64>().prop_map(Value::Real),
            any::<f64>().prop_map(Value::Date),
            any::<[u8; 16]>().prop_map(Value::Uuid),
            any::<Vec<u8>>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
            any::<String>().prop_map(|uri| Value::Uri(Cow::Owned(uri))),
        ];
        leaf.prop_recursive(4, 40, 8, |inner| {
            let entry = (any::<String>(), inner.clone());
            prop_oneof![
                prop::collection::vec(inner, 0..8).prop_map(Value::Array),
                prop::collection::vec(entry, 0..8)
                    .prop_map(|entries| Value::Map(entries.into_iter().collect::<Map>())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_written_reads_the_same(value in any_value()) {
            let bytes = value.to_bytes().unwrap();
            let (again, end) = Value::read(&bytes, 1000).unwrap();
            prop_assert_eq!(&again, &value);
            prop_assert_eq!(end, bytes.len());
            prop_assert_eq!(again.to_bytes().unwrap(), bytes);
        }
    }

    #[test]
    fn reals_are_big_endian_and_dates_little() {
        let one = 1.0_f64.to_be_bytes();
        assert_eq!(Value::Real(1.0).to_bytes().unwrap()[1..], one);
        assert_eq!(Value::Date(1.0).to_bytes().unwrap()[1..], 1.0_f64.to_le_bytes());
        assert_eq!(Value::Integer(-2).to_bytes().unwrap(), b"i\xff\xff\xff\xfe");
    }
}
