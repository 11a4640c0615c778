//! Small programs for tests, made here: what runs on a board is built by another compiler run.

use lodger_board_table::NAME_SECTION;
use object::write::{Object, StandardSegment, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};

/// The address of the only string in `.defmt`, which names it on the wire.
const STRING: u64 = 1;

/// A program that says nothing about itself.
pub(crate) fn elf_without_anything() -> Vec<u8> {
    empty().write().expect("an ELF")
}

/// A program for a board that does not log.
pub(crate) fn elf_for(board: &str) -> Vec<u8> {
    named(board).write().expect("an ELF")
}

/// A program for a board with a control block at 0x40 that can log "seven is {}" as a warning.
pub(crate) fn elf_that_logs(board: &str) -> Vec<u8> {
    let mut elf = named(board);
    let data = elf.add_section(Vec::new(), b".data".to_vec(), SectionKind::Data);
    elf.set_section_data(data, vec![0; 0x100], 4);
    elf.add_symbol(symbol("_SEGGER_RTT", 0x40, SymbolSection::Section(data)));
    let strings = elf.add_section(Vec::new(), b".defmt".to_vec(), SectionKind::Other);
    elf.set_section_data(strings, vec![0; 16], 1);
    let text = r#"{"package":"app","tag":"defmt_warn","data":"seven is {=u8}","disambiguator":"1","crate_name":"app"}"#;
    elf.add_symbol(symbol(text, STRING, SymbolSection::Section(strings)));
    for marker in ["_defmt_version_ = 4", "_defmt_encoding_ = rzcobs"] {
        elf.add_symbol(symbol(marker, 0, SymbolSection::Absolute));
    }
    elf.write().expect("an ELF")
}

/// What that program puts on the wire for a number that is not 0.
pub(crate) fn frame_of(number: u8) -> Vec<u8> {
    let [low, high] = 1_u16.to_le_bytes();
    let message = [low, high, number];
    // rzCOBS backwards: a last byte whose set bits stand for zeros, from the least significant.
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
