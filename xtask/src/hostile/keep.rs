//! Keeps a failing case: its files, a script that runs it, what it said, and what it broke.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use super::case::{Case, Signal, Sink, Stdin};
use super::folder::lay;
use super::input::{Content, Input, Kind};
use super::invariant::Violation;
use super::process::Outcome;

/// The most bytes of an answer that are kept.
const KEPT: usize = 1 << 20;
/// Files of more bytes are made by the script again.
const COPIED: u64 = 64 << 20;

/// Writes a case to a folder of its own.
pub(super) fn keep(
    folder: &Path,
    case: &Case,
    outcome: &Outcome,
    violations: &[Violation],
) -> io::Result<()> {
    let inputs = folder.join("inputs");
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(&inputs)?;
    for input in case.inputs.iter().filter(|input| is_copied(input)) {
        lay(&inputs, input)?;
    }
    if let Stdin::Bytes(bytes) | Stdin::Slow(bytes, ..) = &case.stdin {
        fs::write(folder.join("stdin"), &**bytes)?;
    }
    fs::write(folder.join("run.sh"), script(case))?;
    fs::write(folder.join("stdout"), cut(&outcome.stdout))?;
    fs::write(folder.join("stderr"), cut(&outcome.stderr))?;
    let mut words = format!("{}\nended: {:?}, ", case.name, outcome.end);
    let _ = writeln!(words, "{:.2} s, {} MiB", outcome.seconds, outcome.peak >> 20);
    for violation in violations {
        let _ = writeln!(words, "{violation}");
    }
    fs::write(folder.join("violation.txt"), words)
}

fn is_copied(input: &Input) -> bool {
    match &input.kind {
        Kind::File(content) | Kind::Unreadable(content) => content.len() <= COPIED,
        _ => true,
    }
}

fn cut(bytes: &[u8]) -> &[u8] {
    bytes.get(..KEPT).unwrap_or(bytes)
}

/// A script that runs the case in a copy of its inputs; the program is its first argument.
fn script(case: &Case) -> Vec<u8> {
    let mut out = b"#!/bin/sh\n# sh run.sh PROGRAM: runs this case in a copy of its inputs.\n\
        program=$(realpath \"${1:?which program}\"); here=$(cd \"$(dirname \"$0\")\" && pwd)\n\
        work=$(mktemp -d); cp -a \"$here/inputs/.\" \"$work\"; cd \"$work\" || exit\n"
        .to_vec();
    for input in case.inputs.iter().filter(|input| !is_copied(input)) {
        if let Kind::File(content) = &input.kind {
            out.extend(remake(content).bytes());
            quote(&mut out, &input.path);
            out.push(b'\n');
        }
    }
    if case.denied.threads || case.denied.privileges {
        out.extend(
            b"# As another user, who may start no thread: setpriv --reuid=60100 --clear-groups\n",
        );
    }
    if let Some(kibibytes) = case.denied.disk {
        out.extend(
            format!(
                "# In a mount namespace, with: mount -t tmpfs -o size={kibibytes}k none disk\n"
            )
            .bytes(),
        );
    }
    out.extend(b"ulimit -c 0; ulimit -d 4000000\n");
    if let Some(bytes) = case.denied.file_bytes {
        out.extend(format!("ulimit -f {}\n", bytes / 512).bytes());
    }
    for (name, value) in &case.env {
        out.extend(format!("export {name}=").bytes());
        quote(&mut out, OsStr::new(value));
        out.push(b'\n');
    }
    command(&mut out, case);
    out.extend(b"echo \"exit code $?, in $work\"\n");
    out
}

fn command(out: &mut Vec<u8>, case: &Case) {
    out.extend(b"timeout ");
    if let Some((signal, after)) = case.signal {
        let name = match signal {
            Signal::Interrupt => "INT",
            Signal::Terminate => "TERM",
            Signal::HangUp => "HUP",
        };
        out.extend(format!("--preserve-status -s {name} {:.6} ", after.as_secs_f64()).bytes());
    } else {
        out.extend(b"60 ");
    }
    out.extend(b"\"$program\"");
    for word in case.arguments() {
        out.push(b' ');
        quote(out, word);
    }
    out.extend(match &case.stdin {
        Stdin::Null => &b" </dev/null"[..],
        Stdin::Closed => b" <&-",
        Stdin::Bytes(_) | Stdin::Slow(..) => b" <\"$here/stdin\"",
    });
    for (sink, name) in [(case.stdout, ""), (case.stderr, "2")] {
        match sink {
            Sink::Full => out.extend(format!(" {name}>/dev/full").bytes()),
            Sink::Closed => out.extend(format!(" {name}>&-").bytes()),
            Sink::Pipe | Sink::Leaving(_) => {}
        }
    }
    if let Sink::Leaving(count) = case.stdout {
        out.extend(format!(" | head -c {count}").bytes());
    }
    out.push(b'\n');
}

fn remake(content: &Content) -> String {
    match content {
        Content::Repeated(0, count) => format!("truncate -s {count} "),
        Content::Repeated(byte, count) => {
            format!("head -c {count} /dev/zero | tr '\\000' '\\{byte:03o}' > ")
        }
        Content::Noise(count) => format!("head -c {count} /dev/urandom > "),
        Content::Bytes(bytes) => format!("# {} bytes that are too many to keep: ", bytes.len()),
    }
}

/// A word as a shell reads it.
fn quote(out: &mut Vec<u8>, word: &OsStr) {
    out.push(b'\'');
    for &byte in word.as_bytes() {
        match byte {
            b'\'' => out.extend(b"'\\''"),
            byte => out.push(byte),
        }
    }
    out.push(b'\'');
}
