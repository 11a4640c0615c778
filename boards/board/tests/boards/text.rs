//! Programs that log plain text or unreadable defmt.

use std::io::Write as _;

use tempfile::NamedTempFile;

use crate::bench::{Board, Kind, Outcome, lodger};

/// The nRF51's RAM, with the control block at its start.
const RAM: u32 = 0x2000_0000;
/// The size of vectors, code and literals.
const CODE: u32 = 0x68;
/// A program that copies the bytes after it to the start of RAM, and exits with 0.
#[rustfmt::skip]
const INSTRUCTIONS: [u16; 12] = [
    0x4805, 0x4906, 0x4A06,         // ldr r0, =CODE; ldr r1, =RAM; ldr r2, =length
    0x3A04, 0x5883, 0x508B, 0xD1FB, // subs r2, 4; ldr r3, [r0, r2]; str r3, [r1, r2]; bne -10
    0x2018, 0x4904, 0xBEAB, 0xE7FE, // movs r0, 0x18; ldr r1, =0x20026; bkpt 0xab; b .
    0xBF00,
];

/// A program that writes text through RTT and exits, with a section of this name.
fn program(says: &str, section: &str) -> NamedTempFile {
    let mut said = says.as_bytes().to_vec();
    said.resize((said.len() + 1).next_multiple_of(4), 0);
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).expect("a size");
    let channel = [0, RAM + 48, size(&said), size(says.as_bytes()), 0, 0];
    let counts = [1, 0];
    let block = [&b"SEGGER RTT\0\0\0\0\0\0"[..], &words(&counts), &words(&channel), &said].concat();
    let vectors = [vec![RAM + 0x4000, 0x41], vec![0x55; 14]].concat();
    let code: Vec<u8> = INSTRUCTIONS.into_iter().flat_map(u16::to_le_bytes).collect();
    let literals = [CODE, RAM, size(&block), 0x2_0026];
    let image = [words(&vectors), code, words(&literals), block].concat();
    let mut file = NamedTempFile::new().expect("a file");
    file.write_all(&elf(&image, section)).expect("a file");
    file
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An ELF with an image at address 0, a control block at the start of RAM, and an empty section of this name.
fn elf(image: &[u8], section: &str) -> Vec<u8> {
    const FILE: u32 = 52;
    const SEGMENT: u32 = 32;
    const SYMBOL: u32 = 16;
    const NAMES: &str =
        "\0_SEGGER_RTT\0_defmt_version_ = 4\0_defmt_encoding_ = rzcobs\0.symtab\0.strtab\0";
    let strings = format!("{NAMES}{section}\0");
    let strings = format!("{strings:\0<0$}", strings.len().next_multiple_of(4));
    let name = |of: &str| u32::try_from(strings.find(of).expect("a name")).expect("a place");
    let length = |text: &str| u32::try_from(text.len()).expect("a length");
    let loaded = u32::try_from(image.len()).expect("a length");
    let symbols = FILE + SEGMENT + loaded;
    let texts = symbols + 4 * SYMBOL;
    let sections = texts + length(&strings);

    let identity = *b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0";
    // An executable for an Arm, of version 1, with ABI 5.
    let header = [2 | 40 << 16, 1, 0x41, FILE, sections, 0x0500_0000];
    // Sizes of header, segments and sections; one segment; four sections, the third has their names.
    let sizes = [FILE | SEGMENT << 16, 1 | 40 << 16, 4 | 2 << 16];
    let segment = [1, FILE + SEGMENT, 0, 0, loaded, loaded, 5, 4];
    // Global objects at absolute addresses. The symbols of defmt are read independently of its section.
    let symbol = |of: &str, place| [name(of), place, 0, 0x11 | 0xFFF1 << 16];
    let defmt = ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"].map(|of| symbol(of, 0));
    let symbol = [[0; 4], symbol("_SEGGER_RTT", RAM), defmt[0], defmt[1]];
    let section_headers = [
        [0; 10],
        [name(".symtab"), 2, 0, 0, symbols, 4 * SYMBOL, 2, 1, 4, SYMBOL],
        [name(".strtab"), 3, 0, 0, texts, length(&strings), 0, 0, 1, 0],
        [name(section), 1, 0, 0, texts, 0, 0, 0, 1, 0],
    ];
    let parts: [&[u8]; 7] = [
        &identity,
        &words(&header),
        &words(&sizes),
        &words(&segment),
        image,
        &words(symbol.as_flattened()),
        strings.as_bytes(),
    ];
    [parts.concat(), words(section_headers.as_flattened())].concat()
}

fn on_a_microbit(command: &str, program: &NamedTempFile, options: &[&str]) -> Outcome {
    let board = Board::new(Kind::Microbit);
    let (path, probe) = (program.path().display().to_string(), board.probe());
    let arguments = [command, &path, "--board", "microbit-v1", "--probe", &probe];
    lodger(&[&arguments, options].concat())
}

#[test]
fn plain_text_is_shown_line_by_line() {
    let program = program("hello\r\n  from \x1b[31mhere\nno end", ".other");
    let outcome = on_a_microbit("run", &program, &["--json"]).exited(0);
    let log = outcome.events("log");
    let texts: Vec<_> = log.iter().map(|line| line["text"].as_str().expect("a text")).collect();
    assert_eq!(texts, ["hello", "  from \x1b[31mhere", "no end"]);
    for line in log {
        for key in ["level", "time", "file", "line", "module"] {
            assert!(line[key].is_null(), "{line}");
        }
    }
    assert!(!outcome.stderr.contains("defmt"), "{}", outcome.stderr);
    let outcome = on_a_microbit("run", &program, &[]).exited(0);
    outcome.says(&["Flashed", "\nhello\n  from ␛[31mhere\nno end\n"]);
}

#[test]
fn defmt_without_its_linker_script_is_reported_and_runs_without_a_log() {
    let program = program("\x07\x03", ".defmt.info.1");
    let outcome = on_a_microbit("run", &program, &["--json"]).exited(0);
    let outcome = outcome.complains(&["linked without its linker script", "-Tdefmt.x"]);
    assert_eq!(outcome.stderr.matches("linker script").count(), 1, "{}", outcome.stderr);
    assert!(outcome.events("log").is_empty() && outcome.events("lost").is_empty());
    assert_eq!(outcome.events("exit")[0]["code"], 0);
    on_a_microbit("flash", &program, &[]).exited(0).complains(&["without its linker script"]);
}

#[test]
fn a_program_without_log_lines_is_reported() {
    // Linked with the script of defmt: a section for its strings, and none in it.
    let program = program("", ".defmt");
    let outcome = on_a_microbit("run", &program, &["--json"]).exited(0);
    let outcome = outcome.complains(&["has no lines in it", "build it with DEFMT_LOG=info"]);
    assert!(outcome.events("log").is_empty());
    let outcome = on_a_microbit("flash", &program, &[]).exited(0);
    assert!(!outcome.stderr.contains("DEFMT_LOG"), "{}", outcome.stderr);
}
