//! The language of names and texts: STYLE's words, held by lists.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::Item;

use super::cycles::is_for_tests;

/// Words and phrases that no text contains. The field's terms are *the caller*, *an actor*, *expensive*, *billion*, *untrusted*.
const BANNED: [&str; 26] = [
    "anybody",
    "dear",
    "dearer",
    "dearest",
    "everybody",
    "nobody",
    "somebody",
    "stranger",
    "stranger's",
    "strangers",
    "those that",
    "those who",
    "thousand million",
    "who asks",
    "who does",
    "who gets",
    "who has",
    "who is",
    "who makes",
    "who owns",
    "who pays",
    "who reads",
    "who rises",
    "who wants",
    "whoever",
    "whom",
];

/// Words with which no sentence begins, unless it is a question: its subject is a noun.
const STARTS: [&str; 14] = [
    "Everybody",
    "How far",
    "How many",
    "How much",
    "Nobody",
    "So few",
    "So many",
    "So much",
    "Somebody",
    "That of",
    "Those",
    "What",
    "Where",
    "Whoever",
];

/// Parts of names that stand for another word: *upgrade*, *module view*, *quota*, *move*.
const PRIVATE: [&str; 22] = [
    "allowance",
    "asked",
    "bid",
    "bids",
    "book",
    "books",
    "cast",
    "crowd",
    "draft",
    "guess",
    "offer",
    "offers",
    "pot",
    "purse",
    "roster",
    "rosters",
    "seen",
    "shelf",
    "stranger",
    "told",
    "trials",
    "walk",
];

/// Names with such a part that are right, each with its origin.
const NAMES: [(&str, &str); 12] = [
    ("CastOptions", "arrow"),
    ("cast", "pointers of std, and a function of arrow"),
    ("cast_const", "std"),
    ("cast_lossless", "clippy"),
    ("cast_possible_truncation", "clippy"),
    ("cast_possible_wrap", "clippy"),
    ("cast_precision_loss", "clippy"),
    ("cast_sign_loss", "clippy"),
    ("cast_signed", "std"),
    ("cast_unsigned", "std"),
    ("cast_with_options", "arrow"),
    ("last_seen", "a field of Ballista's executors"),
];

/// Names of types that several packages define, by the reason.
const SHARED: [(&str, &[&str]); 3] = [
    (
        "the scene for firmware mirrors the scene for hosts",
        &[
            "Actor",
            "ActorId",
            "LadderTable",
            "LevelChange",
            "Module",
            "ModuleData",
            "ModuleId",
            "ModulePlan",
            "Plan",
            "Row",
            "Scene",
            "SceneError",
            "Slots",
            "TickOutcome",
        ],
    ),
    ("qualified by convention: arguments of a program, doc tests of a README", &["Cli", "Readme"]),
    ("a component of Bevy, which holds the value of core", &["Lod"]),
];

/// A text of a file: a comment, a string with a space, or a line of a page; and the code beside it.
struct Line {
    number: usize,
    text: String,
    code: String,
}

/// The errors of the words of files.
#[derive(Debug, Default)]
pub(super) struct WordErrors {
    errors: Vec<String>,
    /// The entries of [`NAMES`] that excuse a name.
    excused: BTreeSet<&'static str>,
}

impl WordErrors {
    /// Checks a file.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        let is_page = Path::new(name).extension().is_some_and(|extension| extension == "md");
        let lines = if is_page { page(text) } else { rust(text) };
        for Line { number, text, code } in lines {
            let at =
                |what: &str, word: &str| format!("{name}:{number}: {what} `{word}`: {text}{code}");
            self.errors.extend(banned(&text).map(|word| at("the word", word)));
            self.errors.extend(start(&text).map(|word| at("a sentence that begins with", word)));
            for word in private_names(&code) {
                match NAMES.iter().find(|(right, _)| *right == word) {
                    Some((right, _)) => drop(self.excused.insert(right)),
                    None => self.errors.push(at("the name", word)),
                }
            }
        }
    }

    /// Returns the errors of all files, and the entries of [`NAMES`] that excuse no name in them.
    pub(super) fn finish(self) -> Vec<String> {
        let needless = NAMES.iter().filter(|(name, _)| !self.excused.contains(name));
        let needless = needless.map(|(name, _)| format!("{name} of NAMES excuses no name"));
        self.errors.into_iter().chain(needless).collect()
    }
}

/// The lines of a page, without its blocks of code.
fn page(text: &str) -> Vec<Line> {
    let mut is_code = false;
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            lines.push(Line { number, text: line.to_owned(), code: String::new() });
        }
    }
    lines
}

/// The lines of a Rust file. Examples in comments are code.
fn rust(text: &str) -> Vec<Line> {
    let (mut is_code, mut is_string) = (false, false);
    let mut lines = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let comment = line.trim_start().strip_prefix("//").filter(|_| !is_string);
        if let Some(comment) = comment {
            let comment = comment.trim_start_matches(['/', '!']);
            if comment.trim_start().starts_with("```") {
                is_code = !is_code;
            } else if is_code {
                lines.push(Line { number, text: String::new(), code: comment.to_owned() });
            } else {
                lines.push(Line { number, text: comment.to_owned(), code: String::new() });
            }
        } else {
            is_code = false;
            let (text, code) = split(line, &mut is_string);
            lines.push(Line { number, text, code });
        }
    }
    lines
}

/// The strings and the comment of a line of code, and its other characters.
fn split(line: &str, is_string: &mut bool) -> (String, String) {
    let (mut text, mut code) = (String::new(), String::new());
    let mut string = String::new();
    let mut rest = line.chars().peekable();
    while let Some(next) = rest.next() {
        match next {
            '\\' if *is_string => drop(rest.next()),
            '"' if *is_string => {
                *is_string = false;
                if string.contains(' ') {
                    text += &string;
                    text.push('\n');
                }
                string.clear();
            }
            '"' => *is_string = true,
            _ if *is_string => string.push(next),
            // A character, not a lifetime.
            '\'' if rest.peek() == Some(&'"') => drop((rest.next(), rest.next())),
            '/' if rest.peek() == Some(&'/') => {
                text.extend(rest.by_ref().skip(1));
            }
            _ => code.push(next),
        }
    }
    if string.contains(' ') {
        text += &string;
    }
    (text, code)
}

fn banned(text: &str) -> impl Iterator<Item = &'static str> {
    let words: Vec<String> = text
        .split(|letter: char| !letter.is_alphanumeric() && letter != '\'')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let text = format!(" {} ", words.join(" "));
    BANNED.into_iter().filter(move |word| text.contains(&format!(" {word} ")))
}

fn start(text: &str) -> Option<&'static str> {
    let begins = |part: &str, word: &str| {
        let rest = part.trim_start().strip_prefix(word);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let parts =
        text.split(". ").flat_map(|part| part.split(": ")).flat_map(|part| part.split("; "));
    let mut parts = parts.filter(|part| !part.contains('?'));
    parts.find_map(|part| STARTS.into_iter().find(|word| begins(part, word)))
}

/// The names with a part of [`PRIVATE`], also those of [`NAMES`].
fn private_names(code: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| !letter.is_alphanumeric() && letter != '_';
    code.split(is_part).filter(|name| parts(name).any(|part| PRIVATE.contains(&part.as_str())))
}

/// The words of a name in any case, in lower case.
fn parts(name: &str) -> impl Iterator<Item = String> {
    let mut parts = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || was_lower && letter.is_uppercase() {
            parts.push(String::new());
        }
        if let Some(part) = parts.last_mut().filter(|_| letter != '_') {
            part.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase();
    }
    parts.into_iter()
}

/// The errors of names of types that several packages define, and the entries of [`SHARED`] that excuse no name.
pub(super) fn shared_types<'a>(files: impl Iterator<Item = (&'a str, syn::File)>) -> Vec<String> {
    let mut packages: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (package, file) in files {
        for name in types(&file.items) {
            packages.entry(name).or_default().insert(package);
        }
    }
    packages.retain(|_, packages| packages.len() > 1);
    let excused = SHARED.iter().flat_map(|(_, names)| names.iter());
    let needless: Vec<_> = excused
        .filter(|name| packages.remove(**name).is_none())
        .map(|name| format!("{name} of SHARED excuses no name of a type"))
        .collect();
    let errors =
        packages.iter().map(|(name, packages)| format!("{name} is a type of {packages:?}"));
    errors.chain(needless).collect()
}

fn types(items: &[Item]) -> Vec<String> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Mod(module) if !is_for_tests(&module.attrs) => {
                found.extend(module.content.iter().flat_map(|(_, items)| types(items)));
            }
            Item::Struct(item) => found.push(item.ident.to_string()),
            Item::Enum(item) => found.push(item.ident.to_string()),
            Item::Trait(item) => found.push(item.ident.to_string()),
            Item::Union(item) => found.push(item.ident.to_string()),
            Item::Type(item) => found.push(item.ident.to_string()),
            _ => {}
        }
    }
    found
}

#[test]
fn other_words_are_found() {
    let number = |name: &str, text: &str| {
        let mut errors = WordErrors::default();
        errors.add(name, text);
        errors.errors.len()
    };
    for (text, expected) in [
        ("// The caller lends memory; an actor that rises has more.", 0),
        ("// Memory for whoever is looked at.", 1),
        ("/// What a part answered. The default is what nobody answers.", 2),
        ("/// The costs: So many as there are.", 1),
        ("// Where is it?", 0),
        ("let cast = value.cast_signed(); let told = 1;", 1),
        ("/// ```\n/// let purse = Quota::default();\n/// ```", 1),
        ("let text = \"it is dear\"; // nobody", 2),
        ("let text = \"walk\"; let moved = 'a';", 0),
        ("struct LastSeen;", 1),
    ] {
        assert_eq!(number("file.rs", text), expected, "{text}");
    }
    assert_eq!(number("page.md", "Nobody rises.\n```\nnobody\n```\nWhat is it? A test."), 2);
}

#[test]
fn needless_entries_of_names_are_found() {
    let needless = |text: &str| {
        let mut errors = WordErrors::default();
        errors.add("file.rs", text);
        errors.finish()
    };
    // A name excuses its entry in code alone, not in a comment or as a part of another name.
    let found = needless("let x = y.cast_signed(); // CastOptions\nfn cast_signed_too() {}");
    assert_eq!(found.len(), NAMES.len(), "{found:?}");
    assert!(found[0].contains("the name `cast_signed_too`"), "{found:?}");
    assert!(found.contains(&"CastOptions of NAMES excuses no name".to_owned()), "{found:?}");
    assert!(!found.iter().any(|error| error.starts_with("cast_signed ")), "{found:?}");
}

#[test]
fn needless_entries_of_shared_types_are_found() {
    let file = |text: &str| syn::parse_file(text).expect("Rust");
    let files = [
        ("one", file("struct Cli; struct Lod; struct Other;")),
        ("two", file("enum Cli {} trait Other {}")),
    ];
    let found = shared_types(files.into_iter());
    assert_eq!(found[0], "Other is a type of {\"one\", \"two\"}");
    // All entries but `Cli`, also one that a single package defines.
    let entries: usize = SHARED.iter().map(|(_, names)| names.len()).sum();
    assert_eq!(found.len(), entries, "{found:?}");
    assert!(found.contains(&"Lod of SHARED excuses no name of a type".to_owned()), "{found:?}");
    assert!(!found.iter().any(|error| error.starts_with("Cli ")), "{found:?}");
}
