//! Programs, assembled by hand. All of them begin with a vector table at 0, where the flash is.

/// Where the code of a program begins, and the core after a reset.
pub(crate) const ENTRY: u32 = 0x40;
/// Where the `HardFault` handler of every program is: `b .`
pub(crate) const HARD_FAULT_HANDLER: u32 = 0x3C;
/// What [`counter`] counts.
pub(crate) const COUNT: u32 = 0x2000_0100;
/// The initial stack pointer.
pub(crate) const STACK: u32 = 0x2000_1000;

/// UDF #0
const UDF: u16 = 0xDE00;

/// Counts in RAM, for ever.
pub(crate) fn counter() -> Vec<u8> {
    let count = COUNT.to_le_bytes();
    program(&[
        0x4802, // 40  ldr r0, =COUNT
        0x6801, // 42  ldr r1, [r0]
        0x3101, // 44  adds r1, #1
        0x6001, // 46  str r1, [r0]
        0xE7FB, // 48  b 42
        0xBF00, // 4a  nop
        u16::from_le_bytes([count[0], count[1]]),
        u16::from_le_bytes([count[2], count[3]]),
    ])
}

/// Where [`counter`] stores what it counted.
pub(crate) const STORES: u32 = 0x46;

/// Exits through semihosting, successfully, and then does nothing.
pub(crate) fn exit() -> Vec<u8> {
    program(&[
        0x2018, // 40  movs r0, #SYS_EXIT
        0x4901, // 42  ldr r1, =ADP_Stopped_ApplicationExit
        0xBEAB, // 44  bkpt #0xAB
        0xE7FE, // 46  b 46
        0x0026, 0x0002,
    ])
}

/// Where [`exit`] is, when it has exited.
pub(crate) const EXITED: u32 = 0x46;

/// Faults at its first instruction.
pub(crate) fn fault() -> Vec<u8> {
    program(&[UDF])
}

/// Faults at its first instruction, and again in the handler.
pub(crate) fn lockup() -> Vec<u8> {
    let mut image = fault();
    image[HARD_FAULT_HANDLER as usize..][..2].copy_from_slice(&UDF.to_le_bytes());
    image
}

/// Sleeps, for ever.
pub(crate) fn sleep() -> Vec<u8> {
    program(&[
        0xBF30, // 40  wfi
        0xE7FD, // 42  b 40
    ])
}

fn program(code: &[u16]) -> Vec<u8> {
    const VECTORS: usize = 15;
    let mut vectors = [HARD_FAULT_HANDLER | 1; VECTORS];
    vectors[0] = STACK;
    vectors[1] = ENTRY | 1;
    let handler = [0xE7FE, 0xBF00]; // 3c  b 3c; nop
    let code = handler.iter().chain(code);
    vectors
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .chain(code.flat_map(|code| code.to_le_bytes()))
        .collect()
}
