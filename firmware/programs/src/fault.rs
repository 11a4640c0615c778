//! Faults of a processor as text.
//!
//! Source: ARMv7-M Architecture Reference Manual B3.2.15 to B3.2.18; ARMv8-M's for the stack limit. A Cortex-M0 only has
//! stacked registers.

use core::fmt;

/// A fault: the registers, and the reason as far as the processor knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaultRecord {
    /// The stacked registers; `None` if the stack was full.
    pub registers: Option<StackedRegisters>,
    pub is_overflow: bool,
    /// The fault status; `None` if the processor has no such registers.
    pub status: Option<FaultStatus>,
}

/// Two registers that a fault saves on the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackedRegisters {
    /// The address of the failed instruction, or of one soon after it.
    pub at: u32,
    /// The return address of the function, unless LR had another value.
    pub caller: u32,
}

/// The fault status registers: CFSR, HFSR, MMFAR and BFAR. An address is valid if a bit of CFSR says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FaultStatus {
    pub configurable: u32,
    pub hard: u32,
    pub memory_address: u32,
    pub bus_address: u32,
}

/// Bits of CFSR.
const REASONS: [(u32, &str); 15] = [
    (0, "no instructions may be read here"),
    (1, "memory that is protected"),
    (3, "protected memory, leaving an exception"),
    (4, "protected memory, entering an exception"),
    (5, "protected memory, keeping floats"),
    (8, "no instructions can be read here"),
    (9, "an address where nothing is"),
    (10, "an address where nothing is, some instructions before"),
    (11, "no memory at the stack, leaving an exception"),
    (12, "no memory at the stack, entering an exception"),
    (13, "no memory to keep floats in"),
    (16, "an instruction that is none"),
    (17, "an instruction of another instruction set"),
    (18, "a return to nowhere"),
    (19, "no coprocessor, or it is off"),
];
const UNALIGNED: (u32, &str) = (24, "an address that is not aligned");
const DIVISION: (u32, &str) = (25, "a division by zero");
/// The stack reached its limit, on a core with a stack limit register.
const LIMIT: u32 = 1 << 20;
/// Bits of CFSR that say whether an address is known.
const MEMORY_ADDRESS_IS_KNOWN: u32 = 1 << 7;
const BUS_ADDRESS_IS_KNOWN: u32 = 1 << 15;
/// Bits of HFSR.
const VECTOR: (u32, &str) = (1, "the table of vectors cannot be read");
const DEBUG: (u32, &str) = (31, "a breakpoint, and no debugger");

impl fmt::Display for FaultRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HardFault")?;
        if let Some(StackedRegisters { at, caller }) = self.registers {
            write!(f, " at {at:#010x}, called from {caller:#010x}")?;
        }
        let is_at_limit = self.status.is_some_and(|status| status.configurable & LIMIT != 0);
        if self.is_overflow || is_at_limit {
            f.write_str(": the stack overflowed")?;
        }
        self.status.map_or(Ok(()), |status| status.fmt(f))
    }
}

impl fmt::Display for FaultStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_cfsr = REASONS.iter().chain([&UNALIGNED, &DIVISION]);
        let of_cfsr = of_cfsr.map(|reason| (self.configurable, reason));
        let of_hfsr = [&VECTOR, &DEBUG].map(|reason| (self.hard, reason));
        for (register, &(bit, reason)) in of_cfsr.chain(of_hfsr) {
            if register >> bit & 1 != 0 {
                write!(f, ": {reason}")?;
            }
        }
        let addresses = [
            (MEMORY_ADDRESS_IS_KNOWN, self.memory_address),
            (BUS_ADDRESS_IS_KNOWN, self.bus_address),
        ];
        for (is_known, address) in addresses {
            if self.configurable & is_known != 0 {
                write!(f, ": {address:#010x}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTERS: Option<StackedRegisters> =
        Some(StackedRegisters { at: 0x1a2, caller: 0x2000_0001 });

    fn line(
        registers: Option<StackedRegisters>,
        is_overflow: bool,
        status: Option<FaultStatus>,
    ) -> String {
        FaultRecord { registers, is_overflow, status }.to_string()
    }

    #[test]
    fn without_status_registers_only_addresses_are_shown() {
        assert_eq!(line(REGISTERS, false, None), "HardFault at 0x000001a2, called from 0x20000001");
    }

    #[test]
    fn every_reason_is_shown_and_an_address_if_it_is_known() {
        let status = |configurable| {
            Some(FaultStatus { configurable, bus_address: 0xffff_fff0, ..FaultStatus::default() })
        };
        let precise = line(REGISTERS, false, status(1 << 9 | 1 << 15));
        assert!(precise.ends_with(": an address where nothing is: 0xfffffff0"), "{precise}");
        let imprecise = line(REGISTERS, false, status(1 << 10));
        assert!(imprecise.ends_with("some instructions before"), "{imprecise}");
        let both = line(REGISTERS, false, status(1 << 16 | 1 << 25));
        assert!(both.ends_with(": an instruction that is none: a division by zero"), "{both}");
        let known = (0_u32..32).filter(|bit| line(None, false, status(1 << bit)) != "HardFault");
        // 2, 6, 14 and bits above 25 are reserved; 7 and 15 are the address bits.
        let expected = [0, 1, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 24, 25];
        assert_eq!(known.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_reasons_of_a_hard_fault_itself_are_shown() {
        let hard = |bit| Some(FaultStatus { hard: 1_u32 << bit, ..FaultStatus::default() });
        assert_eq!(line(None, false, hard(1)), "HardFault: the table of vectors cannot be read");
        assert_eq!(line(None, false, hard(31)), "HardFault: a breakpoint, and no debugger");
        // An escalated fault is shown by its own status.
        assert_eq!(line(None, false, hard(30)), "HardFault");
    }

    #[test]
    fn a_stack_overflow_is_shown_once() {
        assert_eq!(line(None, true, None), "HardFault: the stack overflowed");
        let limit = Some(FaultStatus { configurable: 1 << 20, ..FaultStatus::default() });
        for is_overflow in [false, true] {
            assert_eq!(line(None, is_overflow, limit), "HardFault: the stack overflowed");
        }
    }
}
