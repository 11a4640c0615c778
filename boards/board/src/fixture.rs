//! Small ELF files for tests, without a compiler for boards.

use lodger_wire::boards::NAME_SECTION;
use object::write::{Object, StandardSegment, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

/// The address of the first string in `.defmt`, its name in a frame.
const STRING: u64 = 1;

pub(crate) fn elf_without_anything() -> Vec<u8> {
    empty().write().expect("an ELF")
}

pub(crate) fn elf_for(board: &str) -> Vec<u8> {
    named(board).write().expect("an ELF")
}

/// A program with a control block at 0x40 that can log "seven is {}" as a warning.
pub(crate) fn elf_that_logs(board: &str) -> Vec<u8> {
    elf_with_lines(board, &["defmt_warn"])
}

/// As [`elf_that_logs`], with a line for each tag of defmt.
pub(crate) fn elf_with_lines(board: &str, tags: &[&str]) -> Vec<u8> {
    let mut elf = with_control_block(board);
    let strings = elf.add_section(Vec::new(), b".defmt".to_vec(), SectionKind::Other);
    elf.set_section_data(strings, vec![0; 16], 1);
    for (tag, place) in tags.iter().zip(STRING..) {
        elf.add_symbol(symbol(&statement(tag), place, SymbolSection::Section(strings)));
    }
    for marker in ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"] {
        elf.add_symbol(symbol(marker, 0, SymbolSection::Absolute));
    }
    elf.write().expect("an ELF")
}

/// A program with a control block at 0x40, linked without defmt's script: separate sections of strings, and no
/// version.
pub(crate) fn elf_without_script(board: &str) -> Vec<u8> {
    let mut elf = with_control_block(board);
    let name = b".defmt.warn.1".to_vec();
    let strings = elf.add_section(Vec::new(), name, SectionKind::ReadOnlyData);
    elf.set_section_data(strings, vec![0], 1);
    elf.add_symbol(symbol(&statement("defmt_warn"), 0, SymbolSection::Section(strings)));
    elf.write().expect("an ELF")
}

pub(crate) fn frame_of(number: u8) -> Vec<u8> {
    let [low, high] = 1_u16.to_le_bytes();
    let message = [low, high, number];
    // rzCOBS: the set bits of the last byte are zeros, from the least significant.
    let zeros = message
        .iter()
        .enumerate()
        .fold(0x78, |zeros, (place, &byte)| zeros | (u8::from(byte == 0) << place));
    let rest = message.into_iter().filter(|&byte| byte != 0);
    rest.chain([zeros, 0]).collect()
}

fn empty() -> Object<'static> {
    Object::new(BinaryFormat::Elf, Architecture::Arm, Endianness::Little)
}

fn named(board: &str) -> Object<'static> {
    let mut elf = empty();
    let segment = elf.segment_name(StandardSegment::Data).to_vec();
    let name = elf.add_section(segment, NAME_SECTION.as_bytes().to_vec(), SectionKind::Other);
    elf.set_section_data(name, board.as_bytes().to_vec(), 1);
    elf
}

fn with_control_block(board: &str) -> Object<'static> {
    let mut elf = named(board);
    let data = elf.add_section(Vec::new(), b".data".to_vec(), SectionKind::Data);
    elf.set_section_data(data, vec![0; 0x100], 4);
    elf.add_symbol(symbol("_SEGGER_RTT", 0x40, SymbolSection::Section(data)));
    elf
}

fn statement(tag: &str) -> String {
    format!(
        r#"{{"package":"app","tag":"{tag}","data":"seven is {{=u8}}","disambiguator":"1","crate_name":"app"}}"#
    )
}

fn symbol(name: &str, value: u64, section: SymbolSection) -> Symbol {
    Symbol {
        name: name.as_bytes().to_vec(),
        value,
        size: 1,
        kind: SymbolKind::Data,
        scope: SymbolScope::Linkage,
        weak: false,
        section,
        flags: SymbolFlags::None,
    }
}
