//! Addresses and bits of the debug registers (Armv7-M ARM, B3.2 and C1.6).

pub(super) const CPUID: u32 = 0xE000_ED00;
pub(super) const VTOR: u32 = 0xE000_ED08;

pub(super) const AIRCR: u32 = 0xE000_ED0C;
pub(super) const AIRCR_VECTKEY: u32 = 0x05FA;
pub(super) const AIRCR_SYSRESETREQ: u32 = 1 << 2;

pub(super) const DFSR: u32 = 0xE000_ED30;
pub(super) const DFSR_HALTED: u32 = 1 << 0;
pub(super) const DFSR_BKPT: u32 = 1 << 1;
pub(super) const DFSR_VCATCH: u32 = 1 << 3;

pub(super) const DHCSR: u32 = 0xE000_EDF0;
pub(super) const DHCSR_DBGKEY: u32 = 0xA05F;
/// `C_DEBUGEN`, `C_HALT`, `C_STEP` and `C_MASKINTS`.
pub(super) const DHCSR_CONTROL: u32 = 0b1111;
pub(super) const DHCSR_C_DEBUGEN: u32 = 1 << 0;
pub(super) const DHCSR_C_HALT: u32 = 1 << 1;
pub(super) const DHCSR_C_STEP: u32 = 1 << 2;
pub(super) const DHCSR_S_REGRDY: u32 = 1 << 16;
pub(super) const DHCSR_S_HALT: u32 = 1 << 17;
pub(super) const DHCSR_S_RETIRE_ST: u32 = 1 << 24;
pub(super) const DHCSR_S_RESET_ST: u32 = 1 << 25;

pub(super) const DCRSR: u32 = 0xE000_EDF4;
pub(super) const DCRSR_REGWNR: u32 = 1 << 16;
pub(super) const DCRDR: u32 = 0xE000_EDF8;

pub(super) const DEMCR: u32 = 0xE000_EDFC;
pub(super) const DEMCR_VC_CORERESET: u32 = 1 << 0;
pub(super) const DEMCR_VC_HARDERR: u32 = 1 << 10;

/// FPB of Armv7-M, BPU of Armv6-M: the same address and layout.
pub(super) const FP_CTRL: u32 = 0xE000_2000;
pub(super) const FP_CTRL_ENABLE: u32 = 1 << 0;
pub(super) const FP_CTRL_KEY: u32 = 1 << 1;
pub(super) const FP_COMP0: u32 = 0xE000_2008;
const FP_END: u32 = FP_COMP0 + 4 * 8;

/// The exception number in xPSR.
pub(super) const IPSR: u32 = 0x1FF;
/// The exception number of `HardFault`, also its index in the vector table.
pub(super) const HARD_FAULT: u32 = 3;

pub(super) fn within(address: u32, length: usize) -> bool {
    last(address, length).is_some_and(|last| {
        (address & !3..=last).step_by(4).any(|word| {
            matches!(word, AIRCR | DFSR | DHCSR | DCRSR | DCRDR | DEMCR | FP_CTRL..FP_END)
        })
    })
}

pub(super) fn last(address: u32, length: usize) -> Option<u32> {
    address.checked_add(u32::try_from(length.checked_sub(1)?).ok()?)
}
