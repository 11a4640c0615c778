//! Flash, reset, run, halt, step, breakpoints, registers, semihosting, faults, RTT.

use probe_rs::rtt::{Rtt, ScanRegion};
use probe_rs::semihosting::SemihostingCommand;
use probe_rs::{
    BreakpointCause, Core, CoreStatus, HaltReason, MemoryInterface, RegisterId,
    VectorCatchCondition,
};

use crate::rig::{
    self, COUNT, ENTRY, EXITED, GIVE_UP, HARD_FAULT_HANDLER, Machine, STACK, STORES, changed,
    flash, register,
};

const BOTH: [Machine; 2] = [Machine::Microbit, Machine::Mps2An386];

const R0: u16 = 0;
const R1: u16 = 1;
const SP: u16 = 13;
const PC: u16 = 15;
const XPSR: u16 = 16;
const S0: u16 = 64;

fn debug(image: &[u8], body: impl Fn(&mut Core<'_>)) {
    for machine in BOTH {
        let emulation = machine.start();
        let mut session = machine.attach(&emulation);
        flash(&mut session, image);
        body(&mut session.core(0).unwrap());
    }
}

#[test]
fn a_flashed_program_runs_and_halts() {
    debug(&rig::counter(), |core| {
        assert_eq!([register(core, PC), register(core, SP)], [ENTRY, STACK]);
        let mut flashed = vec![0; rig::counter().len()];
        core.read(0, &mut flashed).unwrap();
        assert_eq!(flashed, rig::counter());

        core.write_word_32(COUNT.into(), 0).unwrap();
        core.run().unwrap();
        changed(core, COUNT);
        assert_eq!(core.status().unwrap(), CoreStatus::Running);

        core.halt(GIVE_UP).unwrap();
        assert_eq!(core.status().unwrap(), CoreStatus::Halted(HaltReason::Request));
        assert_eq!(register(core, R0), COUNT);
        let halted = core.read_word_32(COUNT.into()).unwrap();
        assert!(halted.abs_diff(register(core, R1)) <= 1);
        core.run().unwrap();
        assert!(changed(core, COUNT) > halted);
    });
}

#[test]
fn a_running_program_is_reset() {
    debug(&rig::counter(), |core| {
        core.run().unwrap();
        changed(core, COUNT);
        core.write_word_32((COUNT + 4).into(), 7).unwrap();
        core.reset().unwrap();
        changed(core, COUNT);
        assert_eq!(core.status().unwrap(), CoreStatus::Running);
        assert_eq!(core.read_word_32((COUNT + 4).into()).unwrap(), 7);
        assert_eq!(core.reset_and_halt(GIVE_UP).unwrap().pc, ENTRY.into());
    });
}

#[test]
fn breakpoints_stop_and_steps_step() {
    debug(&rig::counter(), |core| {
        core.set_hw_breakpoint(STORES.into()).unwrap();
        for _ in 0..3 {
            core.run().unwrap();
            core.wait_for_core_halted(GIVE_UP).unwrap();
            let reason = HaltReason::Breakpoint(BreakpointCause::Hardware);
            let unknown = HaltReason::Breakpoint(BreakpointCause::Unknown);
            let status = core.status().unwrap();
            assert!([reason, unknown].map(CoreStatus::Halted).contains(&status), "{status:?}");
            assert_eq!(register(core, PC), STORES);
            let count = core.read_word_32(COUNT.into()).unwrap();
            assert_eq!(register(core, R1), count + 1);
            assert_eq!(core.step().unwrap().pc, u64::from(STORES) + 2);
            assert_eq!(core.read_word_32(COUNT.into()).unwrap(), count + 1);
        }
        core.clear_hw_breakpoint(STORES.into()).unwrap();
        core.run().unwrap();
        let count = changed(core, COUNT);
        assert!(changed(core, COUNT) > count);
        assert_eq!(core.status().unwrap(), CoreStatus::Running);
    });
}

#[test]
fn registers_are_written() {
    debug(&rig::counter(), |core| {
        for number in 0..=12 {
            core.write_core_reg(RegisterId(number), 0x1111_1111 * u32::from(number)).unwrap();
        }
        core.write_core_reg(RegisterId(PC), ENTRY + 2).unwrap();
        for number in 0..=12 {
            assert_eq!(register(core, number), 0x1111_1111 * u32::from(number));
        }
        assert_eq!(register(core, PC), ENTRY + 2);
        assert_eq!(register(core, XPSR) & 1 << 24, 1 << 24);
    });
}

#[test]
fn an_fpu_computes_in_a_step() {
    const CPACR: u64 = 0xE000_ED88;
    const CODE: u32 = 0x2000_0200;
    let emulation = Machine::Mps2An386.start();
    let mut session = Machine::Mps2An386.attach(&emulation);
    flash(&mut session, &rig::counter());
    let mut core = session.core(0).unwrap();
    assert!(core.fpu_support().unwrap());
    core.write_word_32(CPACR, 0xF << 20).unwrap();
    core.write_word_32(CODE.into(), 0x1A20_EE30).unwrap(); // vadd.f32 s2, s0, s1
    core.write_core_reg(RegisterId(PC), CODE).unwrap();
    core.write_core_reg(RegisterId(S0), 1.5_f32.to_bits()).unwrap();
    core.write_core_reg(RegisterId(S0 + 1), 2.25_f32.to_bits()).unwrap();
    assert_eq!(register(&mut core, S0 + 1), 2.25_f32.to_bits());
    assert_eq!(core.step().unwrap().pc, u64::from(CODE) + 4);
    assert_eq!(register(&mut core, S0 + 2), 3.75_f32.to_bits());
}

#[test]
fn registers_of_devices_are_written() {
    /// VTOR, which Armv6-M cores of this kind lack; the others' tables are aligned to 128.
    const VTOR: u64 = 0xE000_ED08;
    const NVIC_IPR0: u64 = 0xE000_E400;
    const MPS2_TIMER0_RELOAD: u64 = 0x4000_0008;
    const NRF_TIMER1_CC0: u64 = 0x4000_9540;
    debug(&rig::counter(), |core| {
        for running in [false, true] {
            core.write_word_32(NVIC_IPR0, 0xC080_40C0).unwrap();
            assert_eq!(core.read_word_32(NVIC_IPR0).unwrap(), 0xC080_40C0);
            core.write_word_8(NVIC_IPR0 + 2, 0).unwrap();
            assert_eq!(core.read_word_32(NVIC_IPR0).unwrap(), 0xC000_40C0);
            if core.fpu_support().unwrap() {
                core.write_word_32(VTOR, 0x2000_0800).unwrap();
                assert_eq!(core.read_word_32(VTOR).unwrap(), 0x2000_0800);
                core.write_word_32(VTOR, 0).unwrap();
                core.write_word_32(MPS2_TIMER0_RELOAD, 0x1234_5678).unwrap();
                assert_eq!(core.read_word_32(MPS2_TIMER0_RELOAD).unwrap(), 0x1234_5678);
            } else {
                core.write_word_32(NRF_TIMER1_CC0, 0x1234).unwrap();
                assert_eq!(core.read_word_32(NRF_TIMER1_CC0).unwrap(), 0x1234);
            }
            if running {
                changed(core, COUNT);
            } else {
                assert_eq!([register(core, PC), register(core, R0)], [ENTRY, 0]);
                core.run().unwrap();
            }
        }
    });
}

#[test]
fn semihosting_reaches_the_debugger() {
    debug(&rig::exit(), |core| {
        core.run().unwrap();
        core.wait_for_core_halted(GIVE_UP).unwrap();
        let exit = BreakpointCause::Semihosting(SemihostingCommand::ExitSuccess);
        let halted = CoreStatus::Halted(HaltReason::Breakpoint(exit));
        assert_eq!(core.status().unwrap(), halted);
        core.run().unwrap();
        assert_eq!(core.halt(GIVE_UP).unwrap().pc, EXITED.into());
    });
}

#[test]
fn a_hard_fault_is_caught_with_its_frame() {
    const STACKED_PC: u32 = 0x18;
    debug(&rig::fault(), |core| {
        core.enable_vector_catch(VectorCatchCondition::HardFault).unwrap();
        core.run().unwrap();
        core.wait_for_core_halted(GIVE_UP).unwrap();
        assert_eq!(core.status().unwrap(), CoreStatus::Halted(HaltReason::Exception));
        assert_eq!(register(core, PC), HARD_FAULT_HANDLER);
        assert_eq!(register(core, XPSR) & 0x1FF, 3);
        let frame = register(core, SP);
        assert_eq!(core.read_word_32((frame + STACKED_PC).into()).unwrap(), ENTRY);
    });
}

#[test]
fn a_sleeping_core_is_halted_and_goes_on() {
    debug(&rig::sleep(), |core| {
        for _ in 0..2 {
            core.run().unwrap();
            let pc = core.halt(GIVE_UP).unwrap().pc;
            assert!((ENTRY.into()..=u64::from(ENTRY) + 2).contains(&pc), "{pc:#x}");
        }
        core.reset_and_halt(GIVE_UP).unwrap();
        assert_eq!(core.step().unwrap().pc, u64::from(ENTRY) + 2);
        assert_eq!(core.step().unwrap().pc, u64::from(ENTRY));
    });
}

#[test]
fn rtt_is_read_from_a_running_core() {
    const BLOCK: u32 = 0x2000_0400;
    const NAME: u32 = BLOCK + 0x80;
    const BUFFER: u32 = BLOCK + 0x90;
    const TEXT: &[u8] = b"no hardware was harmed";
    debug(&rig::counter(), |core| {
        let mut block = b"SEGGER RTT\0\0\0\0\0\0".to_vec();
        let (size, written) = (64, u32::try_from(TEXT.len()).unwrap());
        block.extend(
            [1, 0, NAME, BUFFER, size, written, 0, 0].into_iter().flat_map(u32::to_le_bytes),
        );
        core.write_8(BLOCK.into(), &block).unwrap();
        core.write_8(NAME.into(), b"log\0").unwrap();
        core.write_8(BUFFER.into(), TEXT).unwrap();
        core.run().unwrap();
        let mut rtt = Rtt::attach_region(core, &ScanRegion::Exact(BLOCK.into())).unwrap();
        let mut read = [0; 64];
        let length = rtt.up_channel(0).unwrap().read(core, &mut read).unwrap();
        assert_eq!(&read[..length], TEXT);
        assert_eq!(core.status().unwrap(), CoreStatus::Running);
        changed(core, COUNT);
    });
}

#[test]
fn missing_memory_is_an_error() {
    const HOLE: u64 = 0x3000_0000;
    let emulation = Machine::Mps2An386.start();
    let mut session = Machine::Mps2An386.attach(&emulation);
    flash(&mut session, &rig::counter());
    let mut core = session.core(0).unwrap();
    core.run().unwrap();
    assert!(core.read_word_32(HOLE).is_err());
    assert!(core.write_word_32(HOLE, 0).is_err());
    changed(&mut core, COUNT);
}
