//! A function of this crate as `DataFusion` wants one.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::types::{logical_boolean, logical_string};
use datafusion_common::{Result, ScalarValue};
use datafusion_expr::{
    Coercion, ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs,
    ScalarUDFImpl, Signature, TypeSignature, TypeSignatureClass, Volatility,
};

use crate::arguments::Arguments;
use crate::rules;

/// What there is to be said of a function: its name, its arguments, and how it is computed.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// What it gives, with units, source, and when it is null.
    pub(crate) about: &'static str,
    pub(crate) example: &'static str,
    pub(crate) arguments: &'static [Argument],
    /// Whether the last argument may be left out.
    pub(crate) last_is_optional: bool,
    pub(crate) result: fn() -> DataType,
    pub(crate) call: fn(&Arguments<'_>) -> Result<ArrayRef>,
}

/// An argument of a function.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) about: &'static str,
}

/// What an argument may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any number, whole or not.
    Number,
    /// A boolean.
    Flag,
    /// A text.
    Word,
    /// The name of rules.
    Rules,
    /// The constants of simulator resource cost.
    Simulator,
    /// Bytes.
    Blob,
}

impl Argument {
    pub(crate) const fn new(name: &'static str, kind: Kind, about: &'static str) -> Self {
        Self { name, kind, about }
    }
}

impl Kind {
    fn coercion(self) -> Coercion {
        Coercion::new_exact(match self {
            Self::Number => TypeSignatureClass::Numeric,
            Self::Flag => TypeSignatureClass::Native(logical_boolean()),
            Self::Word | Self::Rules | Self::Simulator => {
                TypeSignatureClass::Native(logical_string())
            }
            Self::Blob => TypeSignatureClass::Binary,
        })
    }
}

impl Function {
    /// How it is called.
    fn syntax(&self) -> String {
        let (last, others) = self
            .arguments
            .split_last()
            .map_or((None, &[][..]), |(last, others)| (Some(last), others));
        let mut names: Vec<_> = others.iter().map(|argument| argument.name).collect();
        match last {
            Some(last) if self.last_is_optional => {
                format!("{}({} [, {}])", self.name, names.join(", "), last.name)
            }
            last => {
                names.extend(last.map(|last| last.name));
                format!("{}({})", self.name, names.join(", "))
            }
        }
    }

    fn signature(&self) -> Signature {
        let coercions: Vec<_> =
            self.arguments.iter().map(|argument| argument.kind.coercion()).collect();
        if !self.last_is_optional {
            return Signature::coercible(coercions, Volatility::Immutable);
        }
        let without = coercions.iter().take(coercions.len().saturating_sub(1)).cloned().collect();
        let both = [without, coercions].map(TypeSignature::Coercible);
        Signature::one_of(both.into(), Volatility::Immutable)
    }

    fn documentation(&self) -> Documentation {
        let section = DocSection { include: true, label: "Mesh costs", description: None };
        let mut builder = Documentation::builder(section, self.about, self.syntax())
            .with_sql_example(self.example);
        for argument in self.arguments {
            builder = builder.with_argument(argument.name, argument.about);
        }
        builder.build()
    }
}

/// A function, registered.
pub(crate) struct Registered {
    function: &'static Function,
    signature: Signature,
    documentation: Documentation,
}

impl From<&'static Function> for Registered {
    fn from(function: &'static Function) -> Self {
        Self { function, signature: function.signature(), documentation: function.documentation() }
    }
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Registered").field(&self.function.name).finish()
    }
}

/// No two functions have the same name.
impl PartialEq for Registered {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Registered {}

impl Hash for Registered {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Registered {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok((self.function.result)())
    }

    /// Refuses unknown rules and constants where a plan is made.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        for (argument, value) in self.function.arguments.iter().zip(args.scalar_arguments) {
            let Some(Some(Some(text))) = value.map(ScalarValue::try_as_str) else { continue };
            match argument.kind {
                Kind::Rules => {
                    rules::named(text)?;
                }
                Kind::Simulator => {
                    rules::simulator(text)?;
                }
                Kind::Number | Kind::Flag | Kind::Word | Kind::Blob => {}
            }
        }
        Ok(Arc::new(Field::new(self.function.name, (self.function.result)(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(_));
        if args.args.iter().all(is_scalar) {
            let one = (self.function.call)(&Arguments::new(&args.args, 1))?;
            return ScalarValue::try_from_array(&one, 0).map(ColumnarValue::Scalar);
        }
        (self.function.call)(&Arguments::new(&args.args, args.number_rows))
            .map(ColumnarValue::Array)
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
