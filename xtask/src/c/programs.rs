//! Programs in C and C++: compiled by every compiler that is there, run plainly, under valgrind and with sanitizers,
//! and their plans compared with Rust's, here and on another machine.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use super::prefix::Prefix;
use crate::boards::target_folder;
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::user_mode::Machine;

const WARNINGS: &str = "-Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L -O1 -g";
/// Each with its folder under `bindings/c`.
const IN_C: [(&str, &str); 4] = [
    ("examples", "frame_loop"),
    ("tests/c", "layout"),
    ("tests/c", "misuse"),
    ("tests/c", "plans"),
];
/// The wrong calls that valgrind looks at: some ten seconds.
const EXACT: &str = "3000 1 exact";
const SANITIZED: &str = "-std=c99 -fsanitize=address,undefined -fno-sanitize-recover=all";

/// Where the programs' sources are, and where they go.
pub(super) struct Programs {
    sources: PathBuf,
    built: PathBuf,
    libraries: PathBuf,
    native: String,
    scripts: PathBuf,
    /// What the scheduler says to the scripts.
    plans: String,
}

impl Programs {
    /// With scripts, and the text of their file.
    pub(super) fn new(
        steps: &Steps,
        prefix: &Prefix,
        (scripts, text): (PathBuf, String),
    ) -> Result<Self, Failure> {
        let plans = text.lines().filter(|line| !line.starts_with('>'));
        let plans = plans.flat_map(|line| [line, "\n"]).collect();
        let built = prefix.folder().join("programs");
        fs::create_dir_all(&built).map_err(unfit)?;
        Ok(Self {
            sources: steps.root().join("bindings/c"),
            built,
            libraries: prefix.folder().join("lib"),
            native: prefix.native().to_owned(),
            scripts,
            plans,
        })
    }

    /// Compiles all programs as C99 and as C++17, with warnings as errors; the programs that are run are gcc's.
    pub(super) fn compile_with_all(&self, steps: &mut Steps) -> Result<(), Failure> {
        for [c, cpp] in [["clang", "clang++"], ["gcc", "g++"]] {
            if c == "clang"
                && [c, cpp]
                    .iter()
                    .any(|it| steps.ask(&Command::new(it).args("--version")).is_none())
            {
                eprintln!("\nthere is no clang here: gcc alone compiles the programs");
                continue;
            }
            for (folder, name) in IN_C {
                let source = self.source(folder, name, "c");
                self.compile(steps, [cpp, "-x c++ -std=c++17 -fsyntax-only"], &source, [])?;
                let rest = self.with_static(&self.built.join(name), &self.libraries);
                self.compile(steps, [c, "-std=c99"], &source, rest)?;
            }
            let libraries = self.libraries.display();
            let to = self.built.join("frame_loop-cpp").display().to_string();
            let rest = ["-o".to_owned(), to, format!("-L{libraries}"), "-llodger".to_owned()];
            let rest = rest.into_iter().chain([format!("-Wl,-rpath,{libraries}")]);
            let source = self.source("examples", "frame_loop", "cpp");
            self.compile(steps, [cpp, "-std=c++17"], &source, rest)?;
        }
        Ok(())
    }

    /// What makes a program with the static library of a folder.
    fn with_static(&self, program: &Path, folder: &Path) -> Vec<String> {
        let library = folder.join("liblodger.a");
        let names = [program, &library].map(|path| path.display().to_string());
        let native = self.native.split_whitespace().map(str::to_owned);
        ["-o".to_owned()].into_iter().chain(names).chain(native).collect()
    }

    fn source(&self, folder: &str, name: &str, kind: &str) -> PathBuf {
        self.sources.join(folder).join(format!("{name}.{kind}"))
    }

    fn compile(
        &self,
        steps: &mut Steps,
        [compiler, options]: [&'static str; 2],
        source: &Path,
        rest: impl IntoIterator<Item = String>,
    ) -> Result<(), Failure> {
        let include = format!("-I{}", self.sources.join("include").display());
        let command = Command::new(compiler).args(options).args(WARNINGS).arg(include);
        let command = rest.into_iter().fold(command.arg(source.to_string_lossy()), Command::arg);
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        steps.run(&format!("{compiler} {name}"), &command)
    }

    fn program(&self, name: &'static str) -> Command {
        Command::at(name, self.built.join(name).as_os_str())
    }

    /// Runs the examples and the wrong calls, then under valgrind, which sees what the library itself does to memory.
    pub(super) fn run_plainly(&self, steps: &mut Steps, sequences: &str) -> Result<(), Failure> {
        steps.run("frame_loop.c", &self.program("frame_loop"))?;
        steps.run("frame_loop.cpp", &self.program("frame_loop-cpp"))?;
        steps.run("wrong calls", &self.program("misuse").args(sequences))?;
        let valgrind = "--quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,possible";
        for (name, args) in [("frame_loop", ""), ("frame_loop-cpp", ""), ("misuse", EXACT)] {
            let program = self.built.join(name);
            let run =
                Command::new("valgrind").args(valgrind).arg(program.to_string_lossy()).args(args);
            steps.run(&format!("valgrind {name}"), &run)?;
        }
        Ok(())
    }

    /// Runs the programs with gcc's sanitizers of addresses and of undefined behaviour, which see the program and what
    /// it has functions of memory do, but not the library: stable Rust instruments nothing. That of threads is left
    /// out: what it cannot see it takes for races.
    pub(super) fn run_sanitized(&self, steps: &mut Steps, sequences: &str) -> Result<(), Failure> {
        eprintln!(
            "\nASan and UBSan see the programs in C and functions of memory, such as memcpy; valgrind is what sees the\n\
             library, and a library with ASan is built by hand: tests/DEEP.md. No ThreadSanitizer: it would need a\n\
             standard library of Rust that is instrumented"
        );
        for (folder, name) in IN_C {
            let to = self.built.join(format!("{name}-sanitized"));
            let source = self.source(folder, name, "c");
            self.compile(
                steps,
                ["gcc", SANITIZED],
                &source,
                self.with_static(&to, &self.libraries),
            )?;
            let run = Command::at(name, to.as_os_str());
            let run = match name {
                "misuse" => run.args(sequences).arg("exact"),
                "plans" => run.arg(self.scripts.to_string_lossy()),
                _ => run,
            };
            let root = steps.root().to_owned();
            let failed = || Failure::Step {
                name: format!("{name}, sanitized"),
                command: to.display().to_string(),
            };
            let said = steps
                .work(&format!("{name}, sanitized"), || run.output(&root).ok_or_else(failed))?;
            eprint!("{}", if name == "misuse" { &said } else { "" });
        }
        Ok(())
    }

    /// Compares the plans in C with the scheduler's.
    pub(super) fn compare_plans(&self, steps: &mut Steps) -> Result<(), Failure> {
        let run = self.program("plans").arg(self.scripts.to_string_lossy());
        compare(steps, "plans.c here", &run, &self.plans)
    }

    /// Compares layout and plans on another machine with those of this one.
    pub(super) fn compare_on(&self, steps: &mut Steps, machine: &Machine) -> Result<(), Failure> {
        let target = machine.target;
        let build = "rustc --release --locked --package lodger-c --lib --crate-type staticlib";
        steps.run(&format!("build liblodger.a for {target}"), &machine.cargo(steps, build))?;
        let built = target_folder(steps)?.join(target).join("release");
        let layout =
            steps.ask(&self.program("layout")).ok_or_else(|| unfit("layout.c does not run"))?;
        let compiler =
            machine.compiler().ok_or_else(|| unfit(format!("{target} has no compiler of C")))?;
        let scripts = self.scripts.to_string_lossy().into_owned();
        for (name, args, expected) in
            [("layout", None, &*layout), ("plans", Some(scripts), &*self.plans)]
        {
            let to = self.built.join(format!("{name}-{target}"));
            let source = self.source("tests/c", name, "c");
            self.compile(steps, [compiler, "-std=c99"], &source, self.with_static(&to, &built))?;
            let run = args.into_iter().fold(machine.emulated(&to), Command::arg);
            compare(steps, &format!("{name}.c on {target}"), &run, expected)?;
        }
        Ok(())
    }
}

/// Compares what a program prints, line by line.
fn compare(steps: &mut Steps, name: &str, run: &Command, expected: &str) -> Result<(), Failure> {
    let root = steps.root().to_owned();
    steps.work(&format!("compare {name}"), || {
        eprintln!("{run}");
        let said = run.output(&root).ok_or_else(|| unfit(format!("`{run}` failed")))?;
        let differing =
            said.lines().zip(expected.lines()).position(|(said, expected)| said != expected);
        if let Some(line) = differing {
            let [said, expected] =
                [&*said, expected].map(|text| text.lines().nth(line).unwrap_or_default());
            return Err(unfit(format!("line {}:\n  {said}\n  {expected}", line + 1)));
        }
        if said.len() != expected.len() || said.is_empty() {
            return Err(unfit(format!("{} bytes, and not {}", said.len(), expected.len())));
        }
        eprintln!("{} lines, 0 differ", said.lines().count());
        Ok(())
    })
}

fn unfit(words: impl Display) -> Failure {
    Failure::Unfit(words.to_string())
}
