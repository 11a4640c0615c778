use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion_common::types::{logical_boolean, logical_string};
use datafusion_common::{Result, ScalarValue, plan_err};
use datafusion_expr::{
    Coercion, ColumnarValue, DocSection, Documentation, ReturnFieldArgs, ScalarFunctionArgs,
    ScalarUDFImpl, Signature, TypeSignature, TypeSignatureClass, Volatility,
};

use crate::arguments::{SqlArguments, find_rules, find_simulator};

#[derive(Debug)]
pub(crate) struct SqlFunction {
    pub(crate) name: &'static str,
    /// The result with its unit and source, and the cases in which it is null.
    pub(crate) about: &'static str,
    pub(crate) example: &'static str,
    pub(crate) arguments: &'static [Argument],
    pub(crate) result: fn() -> DataType,
    pub(crate) call: fn(&SqlArguments<'_>) -> Result<ArrayRef>,
}

#[derive(Debug)]
pub(crate) struct Argument {
    name: &'static str,
    kind: ArgumentType,
    about: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentType {
    Number,
    Flag,
    Word,
    Rules,
    Simulator,
    Blob,
    Parts,
}

impl Argument {
    pub(crate) const fn new(name: &'static str, kind: ArgumentType, about: &'static str) -> Self {
        Self { name, kind, about }
    }

    pub(crate) const fn number(name: &'static str, about: &'static str) -> Self {
        Self::new(name, ArgumentType::Number, about)
    }
}

impl ArgumentType {
    fn coercion(self) -> Coercion {
        Coercion::new_exact(match self {
            Self::Number => TypeSignatureClass::Numeric,
            Self::Flag => TypeSignatureClass::Native(logical_boolean()),
            Self::Word | Self::Rules | Self::Simulator => {
                TypeSignatureClass::Native(logical_string())
            }
            Self::Blob => TypeSignatureClass::Binary,
            Self::Parts => TypeSignatureClass::Any,
        })
    }
}

impl SqlFunction {
    fn optional(&self) -> (Option<&Argument>, &[Argument]) {
        match self.arguments.split_last() {
            Some((last, others)) if last.kind == ArgumentType::Rules => (Some(last), others),
            _ => (None, self.arguments),
        }
    }

    fn syntax(&self) -> String {
        let (optional, others) = self.optional();
        let names: Vec<_> = others.iter().map(|argument| argument.name).collect();
        let optional =
            optional.map_or_else(String::new, |argument| format!(" [, {}]", argument.name));
        format!("{}({}{optional})", self.name, names.join(", "))
    }

    fn signature(&self) -> Signature {
        let coercions = |arguments: &[Argument]| {
            arguments.iter().map(|argument| argument.kind.coercion()).collect()
        };
        match self.optional() {
            (None, all) => Signature::coercible(coercions(all), Volatility::Immutable),
            (Some(_), others) => {
                let both = [others, self.arguments].map(coercions).map(TypeSignature::Coercible);
                Signature::one_of(both.into(), Volatility::Immutable)
            }
        }
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

pub(crate) struct SqlFunctionUdf {
    function: &'static SqlFunction,
    signature: Signature,
    documentation: Documentation,
}

impl From<&'static SqlFunction> for SqlFunctionUdf {
    fn from(function: &'static SqlFunction) -> Self {
        Self { function, signature: function.signature(), documentation: function.documentation() }
    }
}

impl fmt::Debug for SqlFunctionUdf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SqlFunctionUdf").field(&self.function.name).finish()
    }
}

impl PartialEq for SqlFunctionUdf {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for SqlFunctionUdf {}

impl Hash for SqlFunctionUdf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for SqlFunctionUdf {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok((self.function.result)())
    }

    /// Rejects unknown rules and constants, and lists of other types, when a query is planned.
    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let values = args.arg_fields.iter().zip(args.scalar_arguments);
        for (argument, (field, value)) in self.function.arguments.iter().zip(values) {
            let text = value.and_then(ScalarValue::try_as_str).flatten();
            match (argument.kind, text) {
                (ArgumentType::Parts, _) => check_parts(field.data_type())?,
                (ArgumentType::Rules, Some(text)) => find_rules(text).map(drop)?,
                (ArgumentType::Simulator, Some(text)) => find_simulator(text).map(drop)?,
                _ => {}
            }
        }
        Ok(Arc::new(Field::new(self.function.name, (self.function.result)(), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(_));
        if args.args.iter().all(is_scalar) {
            let one = (self.function.call)(&SqlArguments::new(&args.args, 1))?;
            return ScalarValue::try_from_array(&one, 0).map(ColumnarValue::Scalar);
        }
        (self.function.call)(&SqlArguments::new(&args.args, args.number_rows))
            .map(ColumnarValue::Array)
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

fn check_parts(kind: &DataType) -> Result<()> {
    let is_part = |parts: &DataType| {
        let DataType::Struct(fields) = parts else { return false };
        fields.len() == 2 && fields.iter().all(|field| field.data_type().is_numeric())
    };
    match kind {
        DataType::Null => Ok(()),
        DataType::List(of) | DataType::LargeList(of) if is_part(of.data_type()) => Ok(()),
        _ => plan_err!(
            "linkset_cost takes a list of structs of a part's number and its cost, as of \
             array_agg(named_struct('part', part, 'cost', streaming))"
        ),
    }
}
