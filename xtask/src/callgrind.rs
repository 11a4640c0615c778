//! `cargo xtask callgrind`: counts the instructions of a tick per actor.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools;

/// Cases of `lodger bench`.
const COUNTED: &str = "memory_pass keep across_modules optimal keep_steady within_module_steady \
    across_modules_steady whole_budget_steady optimal_steady keep_angular keep_eight_ladders keep_priority keep_zoom \
    keep_frustum across_modules_frustum optimal_frustum keep_nothing keep_runs keep_scattered across_modules_nothing \
    across_modules_runs across_modules_scattered optimal_scattered";

const BUILD: &str = "build --release --locked --package lodger-cli";

const WITHIN: &str = "*bench::counted*";

/// The path of the ledger's loops in symbols.
const LEDGER: &str = "lodger_core::budget::kernels::";

const STORED: &str = "host-cli/benches/instructions.txt";
/// The largest accepted growth of a count.
const TOLERANCE: f64 = 0.05;
const RENEW: &str = "cargo xtask callgrind --bless";

/// An instruction that divides 8 (256 bits) or 16 (512 bits) numbers at once.
const PACKED: &str = "vdivps";

/// Instructions per actor.
#[derive(Clone, Debug, PartialEq)]
struct CallCount {
    name: String,
    instructions: f64,
}

pub(crate) fn run(steps: &mut Steps, bless: bool) -> Result<(), TaskError> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        eprintln!("\nnothing is counted here: the stored counts are those of Linux on x86_64");
        return Ok(());
    }
    #[cfg(target_arch = "x86_64")]
    if !std::arch::is_x86_feature_detected!("avx2") {
        eprintln!("\nnothing is counted here: the stored counts are those of AVX2");
        return Ok(());
    }
    let why = "whose callgrind counts instructions";
    tools::from_apt(steps, "valgrind", "valgrind", why, TaskError::NoProgram("valgrind"))?;
    let why = "whose objdump shows whether loops are vectors";
    tools::from_apt(steps, "objdump", "binutils", why, TaskError::NoProgram("objdump"))?;
    let build = steps.cargo(BUILD);
    steps.run("build lodger", &build)?;
    let program = steps.target_folder()?.join("release/lodger");
    let root = steps.root().to_owned();
    let counts = steps.work("callgrind", || count_all(&root, &program))?;
    let file = root.join(STORED);
    if bless {
        fs::write(&file, stored(&counts)).map_err(|error| TaskError::file(&file, &error))?;
    }
    let text = fs::read_to_string(&file).map_err(|error| TaskError::file(&file, &error))?;
    let before = parse(&text).ok_or_else(|| TaskError::Invalid(format!("{STORED} is garbled")))?;
    let (table, worse) = compare(&counts, &before);
    print!("\n{table}");
    if !worse.is_empty() {
        let worse = worse.join(", ");
        return Err(TaskError::Invalid(format!(
            "more instructions than stored: {worse}\n  if this is intended or the compiler changed:  {RENEW}"
        )));
    }
    steps.work("vectors", || vectors(&root, &program))?;
    let built = steps.ask(&build.args("--message-format=json"));
    steps.work("compiled once", || compiled_once(&root, &built.unwrap_or_default()))
}

fn count_all(root: &Path, program: &Path) -> Result<Vec<CallCount>, TaskError> {
    let folder =
        tempfile::tempdir().map_err(|error| TaskError::file(Path::new("a folder"), &error))?;
    let output = folder.path().join("counts");
    COUNTED.split_whitespace().map(|name| count(root, program, name, &output)).collect()
}

fn count(
    root: &Path,
    program: &Path,
    name: &str,
    output: &PathBuf,
) -> Result<CallCount, TaskError> {
    let command = Command::new("valgrind")
        .args("--quiet --tool=callgrind")
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(format!("--toggle-collect={WITHIN}"))
        .arg(program.to_string_lossy())
        .args("bench --instructions")
        .arg(name);
    let garbled = || TaskError::Invalid(format!("nothing was counted by\n  {command}"));
    let printed = command.output(root).ok_or_else(garbled)?;
    let decided: f64 = printed.trim().parse().ok().ok_or_else(garbled)?;
    let text = fs::read_to_string(output).map_err(|error| TaskError::file(output, &error))?;
    let counted = total(&text).filter(|counted| *counted > decided / 8.0).ok_or_else(garbled)?;
    let instructions = (counted / decided * 100.0).round() / 100.0;
    Ok(CallCount { name: name.to_owned(), instructions })
}

fn total(text: &str) -> Option<f64> {
    let sum = text.lines().find_map(|line| line.strip_prefix("totals:"))?;
    sum.trim().parse().ok()
}

fn vectors(root: &Path, program: &Path) -> Result<(), TaskError> {
    let objdump =
        Command::new("objdump").args("-d --no-show-raw-insn").arg(program.to_string_lossy());
    let unreadable = || TaskError::Invalid(format!("nothing was shown by\n  {objdump}"));
    let found = divisions(&objdump.output(root).ok_or_else(unreadable)?);
    if found == [0; 2] {
        let message =
            format!("no loop of a tick divides vectors: no `{PACKED}` of 256 bits or more");
        return Err(TaskError::Invalid(message));
    }
    eprintln!("divisions of 8 numbers at once: {}; of 16: {}", found[0], found[1]);
    Ok(())
}

/// Checks that only `lodger-scheduler` contains the ledger's loops. `built` are cargo's messages.
fn compiled_once(root: &Path, built: &str) -> Result<(), TaskError> {
    let library = rlib(built, "lodger_cli");
    let nm = Command::new("nm").args("--defined-only --demangle").arg(library.unwrap_or_default());
    let unreadable = || TaskError::Invalid(format!("no symbols were shown by\n  {nm}"));
    let symbols = nm.output(root).filter(|symbols| symbols.contains("lodger_cli"));
    match symbols.ok_or_else(unreadable)?.lines().find(|symbol| symbol.contains(LEDGER)) {
        None => Ok(()),
        Some(symbol) => Err(TaskError::Invalid(format!(
            "the library of lodger-cli compiles a part of the ledger again, as would every game: {symbol}"
        ))),
    }
}

fn rlib<'m>(messages: &'m str, name: &str) -> Option<&'m str> {
    // cargo leaves out the hash in the path of a package that it was told to build.
    let files = [format!("lib{name}-"), format!("lib{name}.")];
    let is_of_crate = |path: &&str| files.iter().any(|file| path.contains(file));
    messages.split('"').find(|path| path.ends_with("rlib") && is_of_crate(path))
}

/// Counts divisions of 8 and of 16 numbers.
fn divisions(assembly: &str) -> [usize; 2] {
    let divide = |register: &str| {
        let divides = |line: &&str| line.contains(PACKED) && line.contains(register);
        assembly.lines().filter(divides).count()
    };
    [divide("%ymm"), divide("%zmm")]
}

fn stored(counts: &[CallCount]) -> String {
    let mut text = format!(
        "# Instructions of a tick per actor, of 10 000 (x86_64, AVX2); counts of moving actors include the setter.\n\
         # `cargo xtask callgrind` compares them. To store new counts:  {RENEW}\n"
    );
    for CallCount { name, instructions } in counts {
        let _ = writeln!(text, "{name} {instructions:.2}");
    }
    text
}

fn parse(text: &str) -> Option<Vec<CallCount>> {
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let count = |line: &str| {
        let (name, instructions) = line.split_once(' ')?;
        Some(CallCount { name: name.to_owned(), instructions: instructions.trim().parse().ok()? })
    };
    lines.map(count).collect()
}

/// A table of counts, and the cases that exceed the tolerance.
fn compare(counts: &[CallCount], before: &[CallCount]) -> (String, Vec<String>) {
    let mut table = format!("{:26} {:>12} {:>8}\n", "instructions an actor", "counted", "stored");
    let mut worse = Vec::new();
    for CallCount { name, instructions } in counts {
        let stored = before.iter().find(|count| count.name == *name).map(|it| it.instructions);
        let shown = stored.map_or("none".to_owned(), |stored| format!("{stored:.2}"));
        let over = stored.map(|stored| instructions / stored - 1.0);
        let remark = match over {
            None => "  not stored",
            Some(over) if over > TOLERANCE => "  MORE",
            Some(over) if over < -TOLERANCE => "  fewer: worth storing",
            Some(_) => "",
        };
        let _ = writeln!(table, "{name:26} {instructions:12.2} {shown:>8}{remark}");
        if over.is_none_or(|over| over > TOLERANCE) {
            worse.push(format!("{name} {instructions:.2} of {shown}"));
        }
    }
    (table, worse)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(counts: &[(&str, f64)]) -> Vec<CallCount> {
        let count =
            |&(name, instructions): &(&str, f64)| CallCount { name: name.into(), instructions };
        counts.iter().map(count).collect()
    }

    #[test]
    fn the_sum_is_read() {
        assert_eq!(
            total("version: 1\nevents: Ir\nsummary: 9\n\n0 1\ntotals: 160000\n"),
            Some(160_000.0)
        );
        assert_eq!([total("totals: none"), total("")], [None, None]);
    }

    #[test]
    fn stored_counts_are_read_again() {
        let all = counts(&[("keep", 12.25), ("optimal", 40.5)]);
        assert_eq!(parse(&stored(&all)), Some(all));
        assert_eq!([parse("keep"), parse("keep many")], [None, None]);
    }

    #[test]
    fn more_than_a_twentieth_is_too_much() {
        let before = counts(&[("a", 10.0), ("b", 10.0), ("c", 10.0)]);
        let now = counts(&[("a", 10.4), ("b", 10.6), ("c", 9.0), ("d", 1.0)]);
        let (table, worse) = compare(&now, &before);
        assert_eq!(worse, ["b 10.60 of 10.00", "d 1.00 of none"]);
        let marked = |word: &str| table.matches(word).count();
        assert_eq!([marked("MORE"), marked("fewer"), marked("not stored")], [1, 1, 1]);
        assert!(compare(&before, &before).1.is_empty());
    }

    #[test]
    fn libraries_are_found_in_messages() {
        let messages = r#"{"filenames":["/t/libother-1.rlib","/t/liblodger_cli-2.rmeta","/t/liblodger_cli-2.rlib"]}"#;
        assert_eq!(rlib(messages, "lodger_cli"), Some("/t/liblodger_cli-2.rlib"));
        assert_eq!(rlib(messages, "lodger"), None);
        assert_eq!(
            rlib(r#"["/t/liblodger_cli.rlib"]"#, "lodger_cli"),
            Some("/t/liblodger_cli.rlib")
        );
    }

    #[test]
    fn divisions_are_counted_by_their_width() {
        let assembly = "  10:\tvdivps %ymm1,%ymm2,%ymm3\n  14:\tvdivps (%rax){1to16},%zmm2,%zmm3\n  \
                        18:\tvdivss %xmm1,%xmm2,%xmm3\n  1c:\tdivps %xmm1,%xmm2\n  20:\tvmulps %ymm0,%ymm1,%ymm2\n";
        assert_eq!(divisions(assembly), [1, 1]);
        assert_eq!(divisions("18:\tvdivps %xmm1,%xmm2,%xmm3\n"), [0, 0]);
    }
}
