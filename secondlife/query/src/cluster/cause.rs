//! What is told of an error that comes over the wire as a text.

/// What Ballista puts before the cause of an error.
const WRAPPERS: [&str; 4] =
    ["Execution error: ", " failed: ", " failed due to ", "runtime execution error: "];

/// How an error begins that was written down for programmers.
const WRITTEN: &str = "DataFusionError(";

/// The cause of an error, in one line.
pub(super) fn cause(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(told) = line.find(WRITTEN).and_then(|begin| innermost(line.get(begin..)?)) {
        return told;
    }
    let ends = WRAPPERS.iter().filter_map(|wrapper| Some(line.rfind(wrapper)? + wrapper.len()));
    let cause = ends.max().and_then(|end| line.get(end..)).filter(|cause| !cause.is_empty());
    cause.unwrap_or(&line).to_owned()
}

/// Whether an executor had not the memory that a plan needs.
pub(super) fn is_memory(text: &str) -> bool {
    text.contains("ResourcesExhausted(") || text.contains("Resources exhausted: ")
}

/// Of an error as it is written down for programmers, `DataFusionError(ArrowError(DivideByZero))`, what was wrong: its
/// last words in quotation marks, and where there are none, the name of the innermost.
fn innermost(written: &str) -> Option<String> {
    quoted(written).or_else(|| {
        let name = written.rsplit('(').next()?.trim_end_matches(')');
        Some(words(name)).filter(|words| !words.is_empty())
    })
}

/// The last text in quotation marks that is not empty.
fn quoted(cause: &str) -> Option<String> {
    let (mut last, mut text, mut letters) = (None, None::<String>, cause.chars());
    while let Some(letter) = letters.next() {
        match (letter, &mut text) {
            ('"', None) => text = Some(String::new()),
            ('"', Some(_)) => last = text.take().filter(|text| !text.is_empty()).or(last),
            ('\\', Some(text)) => text.extend(letters.next().map(unescaped)),
            (letter, Some(text)) => text.push(letter),
            (_, None) => {}
        }
    }
    last.map(|text: String| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn unescaped(letter: char) -> char {
    if matches!(letter, 'n' | 'r' | 't') { ' ' } else { letter }
}

/// A name of several words, which have capitals, as words.
fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_error_the_cause_is_told() {
        let job = "Execution error: Job 038 failed: Job failed due to stage 1 failed: Task failed due to runtime";
        let told = |debug: &str| cause(&format!("{job} execution error: {debug}\n\n"));
        assert_eq!(
            told("DataFusionError(Shared(External(ArrowError(DivideByZero))))"),
            "divide by zero"
        );
        let cast = r#"DataFusionError(ArrowError(CastError("Cannot cast string \"it failed: 1\" to Int8")))"#;
        assert_eq!(told(cast), r#"Cannot cast string "it failed: 1" to Int8"#);
        let parquet = r#"Parquet error: a "file" of 6 bytes"#;
        assert_eq!(told(parquet), parquet);
        assert_eq!(told("DataFusionError()"), "DataFusionError()");
        assert_eq!(cause("a\nb"), "a b");
        assert_eq!(cause("it failed: "), "it failed:");
    }

    #[test]
    fn too_little_memory_is_noticed() {
        assert!(is_memory(r#"DataFusionError(ResourcesExhausted("Failed to allocate"))"#));
        assert!(!is_memory("DataFusionError(ArrowError(DivideByZero))"));
    }
}
