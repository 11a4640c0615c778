//! The numbers of registers in gdb's protocol, by the target description. Registers are counted through all files in
//! order; a `regnum` sets the count.

use std::collections::HashMap;
use std::io::{Error, ErrorKind};

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::target::{RegSel, TargetError};

const MAX_FILES: usize = 32;

/// The number in gdb's protocol, and a byte offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RegisterLocation {
    pub(super) number: u32,
    pub(super) offset: usize,
}

#[derive(Debug, Default)]
pub(super) struct Description {
    numbers: HashMap<String, u32>,
}

impl Description {
    pub(super) fn read(
        mut file: impl FnMut(&str) -> Result<Vec<u8>, TargetError>,
    ) -> Result<Self, TargetError> {
        let mut description = Self::default();
        let mut next = 0;
        let includes = description.registers(&file("target.xml")?, &mut next)?;
        if includes.len() > MAX_FILES {
            return Err(TargetError::Gone(invalid("too many files in a description")));
        }
        for name in includes {
            description.registers(&file(&name)?, &mut next)?;
        }
        Ok(description)
    }

    /// Adds the registers of a file; returns the names of included files.
    fn registers(&mut self, xml: &[u8], next: &mut u32) -> Result<Vec<String>, Error> {
        let mut reader = Reader::from_str(std::str::from_utf8(xml).map_err(invalid)?);
        let mut includes = Vec::new();
        loop {
            match reader.read_event().map_err(invalid)? {
                Event::Eof => return Ok(includes),
                Event::Start(element) | Event::Empty(element) => match element.name().as_ref() {
                    "reg" => {
                        if let Some(number) = attribute(&element, "regnum")? {
                            *next = number.parse().map_err(invalid)?;
                        }
                        if let Some(name) = attribute(&element, "name")? {
                            self.numbers.insert(name, *next);
                        }
                        *next = next.wrapping_add(1);
                    }
                    "xi:include" => includes.extend(attribute(&element, "href")?),
                    _ => {}
                },
                _ => {}
            }
        }
    }

    /// Finds a register by its REGSEL number (Armv7-M ARM, C1.6.3).
    pub(super) fn place(&self, register: RegSel) -> Option<RegisterLocation> {
        let (name, offset) = match register {
            0..=12 => (format!("r{register}"), 0),
            13 => ("sp".to_owned(), 0),
            14 => ("lr".to_owned(), 0),
            15 => ("pc".to_owned(), 0),
            16 => ("xpsr".to_owned(), 0),
            // QEMU before 8.0 has only the stack pointer in use.
            17 => (self.first_of("msp"), 0),
            18 => (self.first_of("psp"), 0),
            33 => ("fpscr".to_owned(), 0),
            64..=95 => (format!("d{}", (register - 64) / 2), usize::from(register % 2) * 4),
            _ => return None,
        };
        let number = *self.numbers.get(&name)?;
        Some(RegisterLocation { number, offset })
    }

    fn first_of(&self, name: &str) -> String {
        if self.numbers.contains_key(name) { name } else { "sp" }.to_owned()
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Error> {
    let attribute = element.try_get_attribute(name).map_err(invalid)?;
    Ok(attribute.map(|attribute| attribute.value.into_owned()))
}

fn invalid(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
    Error::new(ErrorKind::InvalidData, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(files: &[(&str, &str)]) -> Result<Description, TargetError> {
        Description::read(|wanted| {
            let file = files.iter().find(|(name, _)| *name == wanted);
            file.map(|(_, xml)| xml.as_bytes().to_vec()).ok_or(TargetError::Refused)
        })
    }

    fn place(description: &Description, register: RegSel) -> Option<(u32, usize)> {
        description.place(register).map(|RegisterLocation { number, offset }| (number, offset))
    }

    #[test]
    fn registers_are_counted_through_all_files() {
        let target = r#"<target><xi:include href="core"/><xi:include href="fpu"/></target>"#;
        let core = r#"<feature><reg name="r0"/><reg name="sp"></reg><reg name="xpsr" regnum="25"/></feature>"#;
        let fpu = r#"<feature><reg name="d0" bitsize="64"/><reg name="fpscr"/></feature>"#;
        let description = read(&[("target.xml", target), ("core", core), ("fpu", fpu)]).unwrap();
        assert_eq!(place(&description, 0), Some((0, 0)));
        assert_eq!(place(&description, 16), Some((25, 0)));
        assert_eq!(place(&description, 64), Some((26, 0)));
        assert_eq!(place(&description, 65), Some((26, 4)));
        assert_eq!(place(&description, 33), Some((27, 0)));
    }

    #[test]
    fn msp_and_psp_are_sp_on_an_old_qemu() {
        let old = read(&[("target.xml", r#"<reg name="sp"/>"#)]).unwrap();
        assert_eq!([place(&old, 17), place(&old, 18)], [Some((0, 0)); 2]);
        let xml = r#"<t><reg name="sp"/><reg name="msp"/><reg name="psp"/></t>"#;
        let new = read(&[("target.xml", xml)]).unwrap();
        assert_eq!([place(&new, 17), place(&new, 18)], [Some((1, 0)), Some((2, 0))]);
    }

    #[test]
    fn a_missing_register_has_no_place() {
        let description = read(&[("target.xml", "<target/>")]).unwrap();
        assert_eq!((0..=255).find(|&register| description.place(register).is_some()), None);
    }

    #[test]
    fn a_bad_description_is_an_error() {
        assert!(read(&[]).is_err());
        assert!(read(&[("target.xml", r#"<reg name="r0" regnum="x"/>"#)]).is_err());
        assert!(read(&[("target.xml", r#"<xi:include href="missing"/>"#)]).is_err());
        let many = r#"<xi:include href="target.xml"/>"#.repeat(MAX_FILES + 1);
        assert!(read(&[("target.xml", &many)]).is_err());
    }
}
