//! Arrow columns of a table, declared once each.

use std::fmt::{Display, Write as _};

use arrow::array::{BinaryBuilder, BooleanBuilder, PrimitiveBuilder, StringBuilder};
use arrow::datatypes::ArrowPrimitiveType;

/// A builder of an Arrow column that takes values of type `V`.
pub trait AppendValue<V> {
    /// Appends the value that `value` returns, or null.
    fn append(&mut self, value: impl FnOnce() -> Option<V>);
}

impl<T: ArrowPrimitiveType> AppendValue<T::Native> for PrimitiveBuilder<T> {
    fn append(&mut self, value: impl FnOnce() -> Option<T::Native>) {
        self.append_option(value());
    }
}

impl AppendValue<bool> for BooleanBuilder {
    fn append(&mut self, value: impl FnOnce() -> Option<bool>) {
        self.append_option(value());
    }
}

impl<'v> AppendValue<&'v [u8]> for BinaryBuilder {
    fn append(&mut self, value: impl FnOnce() -> Option<&'v [u8]>) {
        self.append_option(value());
    }
}

/// Texts are written as they are displayed.
impl<V: Display> AppendValue<V> for StringBuilder {
    fn append(&mut self, value: impl FnOnce() -> Option<V>) {
        match value() {
            Some(value) => {
                // A builder accepts any text; the empty value ends the one that is written.
                let _ = write!(self, "{value}");
                self.append_value("");
            }
            None => self.append_null(),
        }
    }
}

/// Declares a struct of Arrow builders, one for each column of a table, with `fields`, `append` and
/// `finish`.
///
/// Each column has one line: `required` or `nullable`, its name, its builder, and the expression of
/// its value in terms of the arguments of `append`. A `?` on `None` in that expression makes the
/// value null.
#[macro_export]
macro_rules! columns {
    (@nullable required) => { false };
    (@nullable nullable) => { true };
    (
        $(#[$doc:meta])*
        $vis:vis struct $name:ident($($argument:ident: $of:ty),+) {
            $($null:ident $column:ident: $builder:ident = $value:expr;)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Default)]
        $vis struct $name {
            $($column: $builder,)+
        }

        impl $name {
            /// Returns the names and types of the columns, in their order.
            #[must_use]
            $vis fn fields() -> ::arrow::datatypes::Fields {
                let fields = [$((
                    stringify!($column),
                    ::arrow::array::Array::data_type(&$builder::default().finish()).clone(),
                    $crate::columns!(@nullable $null),
                )),+];
                let fields = fields.into_iter();
                fields
                    .map(|(name, kind, null)| ::arrow::datatypes::Field::new(name, kind, null))
                    .collect()
            }

            /// Appends a row.
            $vis fn append(&mut self, $($argument: $of),+) {
                $($crate::AppendValue::append(&mut self.$column, || Some($value));)+
            }

            /// Returns the columns in the order of [`fields`](Self::fields), and empties the
            /// builders.
            $vis fn finish(&mut self) -> Vec<::arrow::array::ArrayRef> {
                vec![$(::std::sync::Arc::new(self.$column.finish())),+]
            }
        }
    };
}
