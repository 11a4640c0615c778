//! Saves a failed case: its files, a script that runs it, its outputs, and the broken promises.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::promises::InvariantViolation;
use crate::run::{Case, CaseInput, FileBytes, InputKind, RunOutput, Sink, Stdin, add_input};

const KEPT: usize = 1 << 20;
/// The largest file that is copied; the script makes larger ones again.
const COPIED: u64 = 64 << 20;

pub(crate) fn save_case(
    folder: &Path,
    output: &RunOutput,
    violations: &[InvariantViolation],
) -> io::Result<()> {
    let (case, inputs) = (&output.case, folder.join("inputs"));
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(&inputs)?;
    for input in case.inputs.iter().filter(|input| is_copied(input)) {
        add_input(&inputs, input)?;
    }
    if let Stdin::Bytes(bytes) | Stdin::Slow(bytes, ..) = &case.stdin {
        fs::write(folder.join("stdin"), &**bytes)?;
    }
    fs::write(folder.join("run.sh"), script(case))?;
    fs::write(folder.join("stdout"), cut(&output.stdout))?;
    fs::write(folder.join("stderr"), cut(&output.stderr))?;
    let mut text = format!("{}\nended: {:?}, ", case.name, output.end);
    let _ = writeln!(text, "{:.2} s, {} MiB", output.seconds, output.peak >> 20);
    for violation in violations {
        let _ = writeln!(text, "{violation}");
    }
    fs::write(folder.join("violation.txt"), text)
}

fn is_copied(input: &CaseInput) -> bool {
    match &input.kind {
        InputKind::File(bytes) | InputKind::Unreadable(bytes) => bytes.is_at_most(COPIED),
        _ => true,
    }
}

fn cut(text: &str) -> &[u8] {
    text.as_bytes().get(..KEPT).unwrap_or(text.as_bytes())
}

/// Makes a script that runs the case in a copy of its inputs; the program is the first argument.
fn script(case: &Case) -> Vec<u8> {
    let mut out = b"#!/bin/sh\n# sh run.sh PROGRAM: runs this case in a copy of its inputs.\n\
        program=$(realpath \"${1:?which program}\"); here=$(cd \"$(dirname \"$0\")\" && pwd)\n\
        work=$(mktemp -d); cp -a \"$here/inputs/.\" \"$work\"; cd \"$work\" || exit\n"
        .to_vec();
    for input in case.inputs.iter().filter(|input| !is_copied(input)) {
        if let InputKind::File(bytes) = &input.kind {
            out.extend(remake(bytes).bytes());
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
    if let Some((name, after)) = case.signal {
        out.extend(format!("--preserve-status -s {name} {:.6} ", after.as_secs_f64()).bytes());
    } else {
        out.extend(b"60 ");
    }
    out.extend(b"\"$program\"");
    for word in &case.args {
        out.push(b' ');
        quote(out, word);
    }
    out.extend(match &case.stdin {
        Stdin::Null => &b" </dev/null"[..],
        Stdin::Closed => b" <&-",
        Stdin::Bytes(_) | Stdin::Slow(..) => b" <\"$here/stdin\"",
        Stdin::File(_) => b"",
    });
    if let Stdin::File(name) = case.stdin {
        out.extend(b" <");
        quote(out, OsStr::new(name));
    }
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

fn remake(content: &FileBytes) -> String {
    match content {
        FileBytes::Repeated(0, count) => format!("truncate -s {count} "),
        FileBytes::Repeated(byte, count) => {
            format!("head -c {count} /dev/zero | tr '\\000' '\\{byte:03o}' > ")
        }
        FileBytes::Noise(count) => format!("head -c {count} /dev/urandom > "),
        FileBytes::Bytes(bytes) => format!("# {} bytes that are too many to keep: ", bytes.len()),
    }
}

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
