//! Compiles and runs the programs in `bindings/c` against an installed liblodger, for `cargo xtask c --test`.
//!
//! ```text
//! c-programs here PREFIX SCRIPTS NATIVE_LIBRARIES
//! c-programs other PREFIX SCRIPTS NATIVE_LIBRARIES LIBLODGER_A COMPILER EMULATOR...
//! ```
//!
//! `PREFIX` contains `include` and `lib`, `SCRIPTS` is a file of scripts with the scheduler's answers, and
//! `NATIVE_LIBRARIES` are linker options in one argument. `here` checks all programs; `other` compares the programs
//! that depend on the data layout with the ones that `here` built.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const WARNINGS: &str = "-Wall -Wextra -Wpedantic -Werror -D_POSIX_C_SOURCE=200809L -O1 -g";
const PROGRAMS: [(&str, &str); 4] = [
    ("examples", "frame_loop"),
    ("tests/c", "layout"),
    ("tests/c", "misuse"),
    ("tests/c", "plans"),
];
/// Numbers of invalid calls: plain, with sanitizers, and with valgrind, which takes ten seconds.
const MISUSE: &str = "10000 1";
const MISUSE_SANITIZED: &str = "10000 2 exact";
const MISUSE_VALGRIND: &str = "3000 1 exact";
const SANITIZERS: &str = "-std=c99 -fsanitize=address,undefined -fno-sanitize-recover=all";
const VALGRIND: &str =
    "--quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite,possible";

fn main() -> Result<()> {
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [mode, prefix, scripts, native, rest @ ..] = &args[..] else {
        return Err("usage: c-programs (here | other) PREFIX SCRIPTS NATIVE_LIBRARIES ...".into());
    };
    let programs = Programs::new(Path::new(prefix), Path::new(scripts), &native.to_string_lossy())?;
    match (mode.to_str(), rest) {
        (Some("here"), []) => programs.check_here(),
        (Some("other"), [library, compiler, emulator @ ..]) => {
            programs.compare_on_other(Path::new(library), compiler, emulator)
        }
        _ => Err(
            "`here` takes no more arguments, `other` takes a library, a compiler and an emulator"
                .into(),
        ),
    }
}

struct Programs<'a> {
    sources: PathBuf,
    built: PathBuf,
    libraries: PathBuf,
    native: Vec<String>,
    scripts: &'a Path,
    answers: String,
}

impl<'a> Programs<'a> {
    fn new(prefix: &Path, scripts: &'a Path, native: &str) -> Result<Self> {
        let text = fs::read_to_string(scripts)?;
        let answers = text.lines().filter(|line| !line.starts_with('>'));
        let built = prefix.join("programs");
        fs::create_dir_all(&built)?;
        Ok(Self {
            sources: Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("bindings").join("c"),
            built,
            libraries: prefix.join("lib"),
            native: native.split_whitespace().map(str::to_owned).collect(),
            scripts,
            answers: answers.flat_map(|line| [line, "\n"]).collect(),
        })
    }

    fn check_here(&self) -> Result<()> {
        // The programs that run are gcc's, which is last.
        for [c, cpp] in [["clang", "clang++"], ["gcc", "g++"]] {
            if c == "clang" && ![c, cpp].iter().all(is_installed) {
                println!("clang is not installed: only gcc compiles the programs");
                continue;
            }
            self.compile_all(c, cpp)?;
        }
        run(self.program("frame_loop"))?;
        run(self.program("frame_loop-cpp"))?;
        run(with_args(self.program("misuse"), MISUSE))?;
        // valgrind sees the accesses of the library itself.
        for (name, args) in
            [("frame_loop", ""), ("frame_loop-cpp", ""), ("misuse", MISUSE_VALGRIND)]
        {
            let mut valgrind = with_args(Command::new("valgrind"), VALGRIND);
            valgrind.arg(self.built.join(name));
            run(with_args(valgrind, args))?;
        }
        self.check_sanitized()?;
        self.compare_answers(self.program("plans"))
    }

    fn compile_all(&self, c: &str, cpp: &str) -> Result<()> {
        for (folder, name) in PROGRAMS {
            let source = self.source(folder, name);
            run(self.compiler(cpp, "-x c++ -std=c++17 -fsyntax-only", &source))?;
            let compile = self.compiler(c, "-std=c99", &source);
            run(self.link(compile, name, &self.libraries.join("liblodger.a")))?;
        }
        let source = self.source("examples", "frame_loop").with_extension("cpp");
        let mut shared = self.compiler(cpp, "-std=c++17", &source);
        shared.arg("-o").arg(self.built.join("frame_loop-cpp"));
        shared.arg(joined("-L", &self.libraries)).arg("-llodger");
        shared.arg(joined("-Wl,-rpath,", &self.libraries));
        run(shared)
    }

    /// Runs the programs with gcc's sanitizers, which do not see the library, because stable Rust does not instrument
    /// it. So the thread sanitizer would report false races.
    fn check_sanitized(&self) -> Result<()> {
        for (folder, name) in PROGRAMS {
            let sanitized = format!("{name}-sanitized");
            let compile = self.compiler("gcc", SANITIZERS, &self.source(folder, name));
            run(self.link(compile, &sanitized, &self.libraries.join("liblodger.a")))?;
            let program = self.program(&sanitized);
            match name {
                "misuse" => run(with_args(program, MISUSE_SANITIZED))?,
                "plans" => self.compare_answers(program)?,
                _ => run(program)?,
            }
        }
        Ok(())
    }

    /// Compares data layout and plans of another machine with this machine's.
    fn compare_on_other(
        &self,
        library: &Path,
        compiler: &OsStr,
        emulator: &[OsString],
    ) -> Result<()> {
        let [emulator, options @ ..] = emulator else { return Err("no emulator".into()) };
        let build = |name: &str| -> Result<Command> {
            let program = format!("{name}-other");
            let compile = self.compiler(compiler, "-std=c99", &self.source("tests/c", name));
            run(self.link(compile, &program, library))?;
            let mut emulated = Command::new(emulator);
            emulated.args(options).arg(self.built.join(program));
            Ok(emulated)
        };
        compare(build("layout")?, &output(self.program("layout"))?)?;
        self.compare_answers(build("plans")?)
    }

    fn compare_answers(&self, mut program: Command) -> Result<()> {
        program.arg(self.scripts);
        compare(program, &self.answers)
    }

    fn source(&self, folder: &str, name: &str) -> PathBuf {
        self.sources.join(folder).join(name).with_extension("c")
    }

    fn program(&self, name: &str) -> Command {
        Command::new(self.built.join(name))
    }

    fn compiler(&self, compiler: impl AsRef<OsStr>, options: &str, source: &Path) -> Command {
        let mut command = with_args(with_args(Command::new(compiler), options), WARNINGS);
        command.arg(joined("-I", &self.sources.join("include"))).arg(source);
        command
    }

    fn link(&self, mut compile: Command, program: &str, library: &Path) -> Command {
        compile.arg("-o").arg(self.built.join(program)).arg(library).args(&self.native);
        compile
    }
}

fn joined(option: &str, path: &Path) -> OsString {
    let mut joined = OsString::from(option);
    joined.push(path);
    joined
}

fn with_args(mut command: Command, args: &str) -> Command {
    command.args(args.split_whitespace());
    command
}

fn is_installed(program: &&str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn run(mut command: Command) -> Result<()> {
    eprintln!("{}", shown(&command));
    let status = command.status().map_err(|error| format!("{}: {error}", shown(&command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", shown(&command)).into()) }
}

fn output(mut command: Command) -> Result<String> {
    eprintln!("{}", shown(&command));
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", shown(&command), output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn shown(command: &Command) -> String {
    let all = [command.get_program()].into_iter().chain(command.get_args());
    all.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

fn compare(program: Command, expected: &str) -> Result<()> {
    let name = shown(&program);
    let printed = output(program)?;
    let differs = |(printed, expected): &(&str, &str)| printed != expected;
    let lines = printed.lines().zip(expected.lines());
    if let Some((line, (printed, expected))) = lines.enumerate().find(|(_, pair)| differs(pair)) {
        return Err(format!("{name}\nline {}:\n  {printed}\n  {expected}", line + 1).into());
    }
    if printed.len() != expected.len() || printed.is_empty() {
        return Err(
            format!("{name}: {} bytes in place of {}", printed.len(), expected.len()).into()
        );
    }
    println!("{} lines, 0 differ", printed.lines().count());
    Ok(())
}
