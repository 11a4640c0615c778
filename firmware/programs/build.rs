//! Writes the linker scripts of the selected board from its row in boards.toml.

use std::path::Path;
use std::{env, fs};

use boards::{Architecture, BoardEntry, BoardMemory, NAME_SECTION};

// Included, because a dependency on lodger-wire would compile lodger-core for the host in each build for a board.
#[path = "../../boards/wire/src/boards.rs"]
#[allow(dead_code, unreachable_pub, reason = "a public module of lodger-wire")]
mod boards;

/// The programs that log through defmt, and so need its linker script; with RTT all programs do.
const LOGGING: [&str; 13] = [
    "app",
    "conform",
    "decide",
    "embassy",
    "energy",
    "faults",
    "instructions",
    "overflow",
    "panics",
    "plain",
    "rtic",
    "ticks",
    "view_ticks",
];
const INTERRUPTS: [&str; 4] = ["PORT0_ALL", "PORT1_ALL", "TIMER0", "TIMER1"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The attribute of embedded-test uses it.
    println!("cargo::rustc-check-cfg=cfg(rust_analyzer)");
    println!("cargo::rustc-check-cfg=cfg(has_fault_status)");
    if variable("CARGO_CFG_TARGET_OS") != "none" {
        return;
    }
    let board = chosen();
    println!("cargo::rustc-env=LODGER_BOARD={}", board.name);
    let target = variable("TARGET");
    assert!(target == board.target, "{} is built for {}, not {target}", board.name, board.target);
    // The smallest cores have no fault status registers.
    if board.architecture() == Architecture::CortexM && board.target != "thumbv6m-none-eabi" {
        println!("cargo::rustc-cfg=has_fault_status");
    }
    let is_on = |feature| env::var_os(format!("CARGO_FEATURE_{feature}")).is_some();
    assert!(!(is_on("UART") && is_on("RTT")), "choose one way to the host: uart or rtt");
    let out = variable("OUT_DIR");
    let write = |name, text: String| fs::write(Path::new(&out).join(name), text).expect("OUT_DIR");
    write("memory.x", memory(board));
    write("board.x", board_script(board));
    if is_on("EXAMPLES") {
        write(
            "device.x",
            INTERRUPTS.map(|name| format!("PROVIDE({name} = DefaultHandler);\n")).concat(),
        );
    }
    println!("cargo::rustc-link-search={out}");
    let scripts = match board.architecture() {
        // The script of cortex-m-rt includes memory.x.
        Architecture::CortexM => ["--nmagic", "-Tlink.x", "-Tboard.x"].as_slice(),
        Architecture::RiscV32 => &["--nmagic", "-Tmemory.x", "-Tlink.x", "-Tboard.x"],
    };
    for arg in scripts {
        println!("cargo::rustc-link-arg-bins={arg}");
        println!("cargo::rustc-link-arg-tests={arg}");
    }
    for script in ["defmt.x", "embedded-test.x"] {
        println!("cargo::rustc-link-arg-tests=-T{script}");
    }
    if is_on("RTT") {
        println!("cargo::rustc-link-arg-bins=-Tdefmt.x");
        return;
    }
    for program in LOGGING {
        println!("cargo::rustc-link-arg-bin={program}=-Tdefmt.x");
    }
}

fn chosen() -> &'static BoardEntry {
    let boards = boards::all();
    let feature = |board: &BoardEntry| board.name.to_uppercase().replace('-', "_");
    let is_on =
        |board: &&BoardEntry| env::var_os(format!("CARGO_FEATURE_{}", feature(board))).is_some();
    let names: Vec<_> = boards.iter().map(|board| board.name.as_str()).collect();
    let on: Vec<_> = boards.iter().filter(is_on).collect();
    assert!(on.len() == 1, "choose one board by its feature: {}", names.join(", "));
    on[0]
}

fn memory(board: &BoardEntry) -> String {
    let BoardEntry { start_block, boot2, flash, ram, .. } = board;
    let boot2 = boot2.map_or_else(String::new, |memory| region("BOOT2", memory));
    let flash = region("FLASH", *flash);
    match board.architecture() {
        Architecture::CortexM => {
            let start_block = if *start_block { START_BLOCK } else { "" };
            format!("MEMORY\n{{\n{boot2}{flash}{}{start_block}", below(*ram))
        }
        Architecture::RiscV32 => {
            let places = RISC_V_PLACES.map(alias).concat();
            format!("MEMORY\n{{\n{flash}{}}}\n{places}", region("RAM", *ram))
        }
    }
}

fn region(name: &str, BoardMemory { origin, length }: BoardMemory) -> String {
    format!("  {name} : ORIGIN = {origin:#x}, LENGTH = {length:#x}\n")
}

const STACK: u32 = 0x400;

/// Places the stack of a Cortex-M below the static data of a program, so that an overflow is a fault. Static data ends at
/// the end of memory; the linker computes its size, plus alignment.
fn below(ram: BoardMemory) -> String {
    let (bottom, top) = (ram.origin, ram.end());
    let held = "((SIZEOF(.data) + SIZEOF(.bss) + SIZEOF(.uninit) + 63) & ~31)";
    format!(
        "  RAM : ORIGIN = {top:#x} - {held}, LENGTH = {held}\n}}\n\
         _stack_end = {bottom:#x};\n_stack_start = ORIGIN(RAM);\n"
    )
}

const RISC_V_PLACES: [(&str, &str); 6] = [
    ("TEXT", "FLASH"),
    ("RODATA", "FLASH"),
    ("DATA", "RAM"),
    ("BSS", "RAM"),
    ("HEAP", "RAM"),
    ("STACK", "RAM"),
];

fn alias((region, memory): (&str, &str)) -> String {
    format!("REGION_ALIAS(\"REGION_{region}\", {memory});\n")
}

/// Places the image definition within the first 4 KiB, before the program.
const START_BLOCK: &str = "\
SECTIONS { .start_block : ALIGN(4) { KEEP(*(.start_block)); } > FLASH } INSERT AFTER .vector_table;
_stext = ALIGN(ADDR(.start_block) + SIZEOF(.start_block), ALIGNOF(.text));
ASSERT(SIZEOF(.start_block) > 0, \"the program has no definition for the boot loader\");
";

/// Stores the name of the board in a section that is not loaded, for tools that have only the program. The link fails if
/// another memory.x, such as a HAL's, was found first and moves the stack.
fn board_script(board @ BoardEntry { name, boot2, ram, .. }: &BoardEntry) -> String {
    let top = ram.end();
    let bytes: Vec<_> = name.bytes().map(|byte| format!("BYTE({byte:#x});")).collect();
    let bytes = bytes.join(" ");
    let boot2 = boot2.map_or("", |_| {
        "SECTIONS { .boot2 ORIGIN(BOOT2) : { KEEP(*(.boot2)); } > BOOT2 } INSERT BEFORE .text;\n"
    });
    let (last, particular) = match board.architecture() {
        Architecture::CortexM => {
            let particular = format!(
                "ASSERT(ORIGIN(RAM) == _stack_start && ORIGIN(RAM) + LENGTH(RAM) == {top:#x}, {ANOTHER});\n\
                 ASSERT(_stack_start >= _stack_end + {STACK:#x}, \"no room is left for a stack\");\n"
            );
            (".uninit", particular)
        }
        // Nothing unwinds on a board; cortex-m-rt omits the tables itself.
        Architecture::RiscV32 => {
            let particular = format!(
                "SECTIONS {{ /DISCARD/ : {{ *(.eh_frame .eh_frame.*) }} }}\n\
                 ASSERT(_stack_start == {top:#x}, {ANOTHER});\n"
            );
            (".bss", particular)
        }
    };
    format!(
        "SECTIONS {{ {NAME_SECTION} 0 (INFO) : {{ {bytes} }} }} INSERT AFTER {last};\n{boot2}{particular}"
    )
}

const ANOTHER: &str = "\"another memory.x than that of the board was linked\"";

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
