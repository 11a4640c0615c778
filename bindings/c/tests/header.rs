//! The functions of `lodger.h` equal those of the crate, without a C compiler.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use syn::{FnArg, GenericArgument, Item, ItemFn, PathArguments, ReturnType, Type};

/// A function's parameters, and last its result.
type Functions = BTreeMap<String, Vec<String>>;

fn folder(of: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(of)
}

fn header() -> String {
    let text = fs::read_to_string(folder("include/lodger.h")).expect("the header is there");
    let mut parts = text.split("/*");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |code, part| code + part.split_once("*/").map_or("", |(_, rest)| rest))
}

fn typedefs(header: &str) -> BTreeMap<&str, &str> {
    let lines = header.lines().filter_map(|line| line.strip_prefix("typedef "));
    let lines = lines.filter_map(|line| line.trim().strip_suffix(';')?.split_once(' '));
    lines.map(|(what, name)| (name, what)).collect()
}

fn declared(header: &str) -> Functions {
    let typedefs = typedefs(header);
    let declarations = header.split("LODGER_API").skip(1);
    let declarations = declarations.filter_map(|text| text.split_once(';'));
    let function = |(text, _): (&str, &str)| {
        let (head, parameters) = text.split_once('(')?;
        let (parameters, _) = parameters.rsplit_once(')')?;
        let at = head.rfind("lodger_")?;
        let (result, name) = head.split_at(at);
        let mut types: Vec<_> = match parameters.trim() {
            "void" => Vec::new(),
            all => all.split(',').map(|one| c_type(one, &typedefs)).collect(),
        };
        types.push(c_type(&format!("{result} result"), &typedefs));
        Some((name.trim().to_owned(), types))
    };
    declarations
        .filter(|(text, _)| !text.trim_start().starts_with("__"))
        .filter_map(function)
        .collect()
}

fn c_type(parameter: &str, typedefs: &BTreeMap<&str, &str>) -> String {
    let (parameter, length) = match parameter.trim().split_once('[') {
        Some((before, length)) => (before, length.strip_suffix(']')),
        None => (parameter.trim(), None),
    };
    let is_constant = parameter.starts_with("const ");
    let is_pointer = parameter.contains('*') || length.is_some();
    let words = parameter.replace('*', " ");
    let mut words: Vec<_> = words.split_whitespace().filter(|word| *word != "const").collect();
    words.pop();
    let name = words.concat();
    let name = *typedefs.get(&*name).unwrap_or(&&*name);
    let plain = match name {
        "double" => "f64".to_owned(),
        "float" => "f32".to_owned(),
        "size_t" => "usize".to_owned(),
        "char" => "c_char".to_owned(),
        "void" => if is_pointer { "c_void" } else { "()" }.to_owned(),
        number if number.ends_with("_t") => {
            number.trim_end_matches("_t").replace("uint", "u").replace("int", "i")
        }
        "lodger_report" => "SceneReport".to_owned(),
        "lodger_change" => "LevelChangeRecord".to_owned(),
        of_ours => of_ours.trim_start_matches("lodger_").split('_').map(capital).collect(),
    };
    let plain = length.map_or(plain.clone(), |length| format!("[{plain}; {length}]"));
    match (is_pointer, is_constant) {
        (false, _) => plain,
        (true, true) => format!("*const {plain}"),
        (true, false) => format!("*mut {plain}"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder of the crate can be listed");
    let paths = entries.map(|entry| entry.expect("an entry can be read").path());
    let of_path = |path: PathBuf| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![fs::read_to_string(path).expect("a file of the crate can be read")]
        }
    };
    paths.flat_map(of_path).collect()
}

fn items() -> Vec<Item> {
    let parse = |text: &String| syn::parse_file(text).expect("the crate is Rust").items;
    sources(&folder("src")).iter().flat_map(parse).collect()
}

fn defined(items: &[Item]) -> Functions {
    let aliases: BTreeMap<_, _> = items
        .iter()
        .filter_map(|item| match item {
            Item::Type(alias) => Some((alias.ident.to_string(), rust_type(&alias.ty))),
            _ => None,
        })
        .chain([("Status".to_owned(), "i32".to_owned())])
        .collect();
    let exported = items.iter().filter_map(|item| match item {
        Item::Fn(function) if is_exported(function) => Some(function),
        _ => None,
    });
    let function = |function: &ItemFn| {
        let inputs = function.sig.inputs.iter().map(|input| match input {
            FnArg::Typed(input) => rust_type(&input.ty),
            FnArg::Receiver(_) => "self".to_owned(),
        });
        let result = match &function.sig.output {
            ReturnType::Default => "()".to_owned(),
            ReturnType::Type(_, result) => rust_type(result),
        };
        let types = inputs.chain([result]).map(|name| resolved(&name, &aliases)).collect();
        (function.sig.ident.to_string(), types)
    };
    exported.map(function).collect()
}

fn is_exported(function: &ItemFn) -> bool {
    let is_c = function.sig.abi.as_ref().and_then(|abi| abi.name.as_ref());
    let is_c = is_c.is_some_and(|name| name.value() == "C");
    let keeps_name = function.attrs.iter().any(|attribute| {
        attribute.path().is_ident("unsafe")
            && attribute.parse_args::<syn::Ident>().is_ok_and(|name| name == "no_mangle")
    });
    assert_eq!(is_c, keeps_name, "{}", function.sig.ident);
    is_c
}

fn resolved(name: &str, aliases: &BTreeMap<String, String>) -> String {
    let (pointer, plain) = name.rsplit_once(' ').map_or(("", name), |(pointer, plain)| {
        if pointer.starts_with('*') && !plain.ends_with(']') {
            (pointer, plain)
        } else {
            ("", name)
        }
    });
    let plain = aliases.get(plain).map_or(plain, String::as_str);
    format!("{pointer} {plain}").trim().to_owned()
}

/// Writes a type as C does: `In` and `Out` are pointers.
fn rust_type(of: &Type) -> String {
    match of {
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has an end");
            let name = last.ident.to_string();
            let PathArguments::AngleBracketed(arguments) = &last.arguments else { return name };
            let Some(GenericArgument::Type(inner)) = arguments.args.first() else { return name };
            match &*name {
                "In" => format!("*const {}", rust_type(inner)),
                "Out" => format!("*mut {}", rust_type(inner)),
                _ => name,
            }
        }
        Type::Ptr(pointer) => {
            let is_mut = matches!(pointer.mutability, syn::PointerMutability::Mut(_));
            let kind = if is_mut { "mut" } else { "const" };
            format!("*{kind} {}", rust_type(&pointer.elem))
        }
        Type::Array(array) => {
            let syn::Expr::Lit(length) = &array.len else { panic!("a length is a number") };
            let syn::Lit::Int(length) = &length.lit else { panic!("a length is a number") };
            format!("[{}; {length}]", rust_type(&array.elem))
        }
        _ => panic!("no function of the header has such a type"),
    }
}

/// A block's memory is bytes in Rust.
fn plain_memory(functions: Functions) -> Functions {
    let plain = |name: &String| name.replace("*mut u8", "*mut c_void");
    let is_memory = |name: &String| ["lodger_alloc", "lodger_free"].contains(&&**name);
    let of = |(name, types): (String, Vec<String>)| {
        let types = if is_memory(&name) { types.iter().map(plain).collect() } else { types };
        (name, types)
    };
    functions.into_iter().map(of).collect()
}

#[test]
fn the_functions_of_the_header_are_those_of_the_crate() {
    let (declared, defined) = (declared(&header()), plain_memory(defined(&items())));
    assert!(declared.len() > 40, "{declared:#?}");
    let names = |functions: &Functions| functions.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&declared), names(&defined));
    for (name, types) in &declared {
        assert_eq!(types, &defined[name], "{name}: the header, and the crate");
    }
}

#[test]
fn types_are_distinguished() {
    let of = |parameters: &str| {
        let text =
            format!("typedef uint32_t lodger_scene;\nLODGER_API void lodger_it({parameters});");
        declared(&text)["lodger_it"].clone()
    };
    assert_eq!(of("void"), ["()"]);
    let types =
        of("lodger_scene scene, const lodger_actor_desc *descs, size_t stride, double out[3]");
    assert_eq!(types, ["u32", "*const ActorDesc", "usize", "*mut [f64; 3]", "()"]);
    assert_ne!(of("const void *values"), of("void *values"));
    assert_ne!(of("float seconds"), of("double seconds"));
}
