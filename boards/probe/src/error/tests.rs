use super::*;

pub(super) fn probe(serial: &str) -> ProbeInfo {
    ProbeInfo {
        selector: format!("0d28:0204:{serial}").parse().expect("a selector"),
        kind: "CMSIS-DAP".to_owned(),
        serial: Some(serial.to_owned()),
        accessible: true,
    }
}

/// An error of each kind that somebody can do something about.
pub(super) fn all() -> Vec<Error> {
    let (selector, path) = (|| probe("a1").selector, || PathBuf::from("app"));
    let (name, why) = (|| "microbit-v1".to_owned(), || "it is so".to_owned());
    let unknown = lodger_board_table::named("toaster").expect_err("no board");
    vec![
        Error::NoProbe,
        Error::SeveralProbes(vec![probe("a1"), probe("b2")]),
        Error::BadSelector("x".parse::<Selector>().expect_err("no selector")),
        Error::ProbeNotFound(selector()),
        Error::ProbeNotOpened { probe: selector(), why: why().into() },
        Error::NothingChosen,
        Error::UnknownBoard(unknown),
        Error::NoChip(name()),
        Error::UnknownChip { chip: name(), alike: Vec::new() },
        Error::ChipDescription { path: path(), why: why().into() },
        Error::AnotherBoard { program: path(), built_for: name(), asked: name() },
        Error::NotAttached { probe: selector(), chip: name(), why: why().into() },
        Error::NotHeld { probe: selector(), chip: name(), why: why().into() },
        Error::Locked { probe: selector(), chip: name(), why: why().into() },
        Error::AnotherCore { probe: selector(), chip: name(), found: "Cortex-M4" },
        Error::DoesNotFit { program: path(), chip: name(), address: 0 },
        Error::AnotherProgram { program: path(), probe: selector() },
        Error::Unreadable { path: path(), why: io::Error::other(why()) },
        Error::NoProgram { path: path(), why: BadProgram::NoElf(why().into()) },
        Error::StrangeDefmt { path: path(), why: why().into() },
        Error::NoRtt(path()),
        Error::SilentRtt { probe: selector(), address: Some(0x2000_0000) },
        Error::SilentRtt { probe: selector(), address: None },
        Error::NoAnswer { probe: selector(), why: "does not answer" },
        Error::EndedEarly { probe: selector(), how: why() },
        Error::NotFlashed { probe: selector(), why: why().into() },
        Error::Gone { probe: selector(), flashing: false, why: why().into() },
        Error::Gone { probe: selector(), flashing: true, why: why().into() },
        Error::Probe { what: "reset the chip", why: why().into() },
        Error::Panicked,
    ]
}

#[test]
fn a_broken_pipe_is_of_the_probe() {
    let pipe = io::Error::other("the pipe is broken.");
    assert!(is_of_the_probe(&probe_rs::probe::DebugProbeError::Usb(pipe)));
    assert!(!is_of_the_probe(&io::Error::other("x")));
}

#[test]
fn why_a_chip_does_not_open_is_told_apart() {
    use probe_rs::architecture::arm::ArmError;

    let attaching = |error| Error::attaching(&probe("a1").selector, "nRF52840_xxAA", error);
    let missing = || "erase_all".to_owned();
    for error in [
        probe_rs::Error::Arm(ArmError::MissingPermissions(missing())),
        probe_rs::Error::MissingPermissions(missing()),
    ] {
        let error = attaching(error);
        assert!(matches!(error, Error::Locked { .. }), "{error}");
        assert!(error.help().is_some_and(|help| help.contains("--allow-erase-all")), "{error}");
    }
    let timeout = "Timeout while attaching to target under reset. This can happen".to_owned();
    let held = attaching(probe_rs::Error::Other(timeout));
    assert!(matches!(held, Error::NotHeld { .. }), "{held}");
    let other = attaching(probe_rs::Error::Arm(ArmError::NoArmTarget));
    assert!(matches!(other, Error::NotAttached { .. }), "{other}");
}

#[test]
fn a_cause_is_kept() {
    let error = Error::during("reset the chip", &probe("a1").selector, io::Error::other("x"));
    assert!(error.source().is_some_and(<dyn StdError>::is::<io::Error>));
    assert_eq!(error.to_string(), "reset the chip: x");
}

/// What a Black Magic Probe says, in the words of probe-rs.
#[derive(Debug)]
struct Said(&'static str);

impl std::fmt::Display for Said {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl StdError for Said {}
impl probe_rs::probe::ProbeError for Said {}

#[test]
fn a_probe_that_answers_is_not_gone() {
    let error = |said| probe_rs::probe::DebugProbeError::ProbeSpecific(Said(said).into());
    for answer in [
        "Remote error with result 0000000000000003",
        "Remote parameter error with result 0000000000000001",
        "Remote command unsupported with result 0000000000000000",
    ] {
        let error = Error::during("ask", &probe("a1").selector, error(answer));
        assert!(
            matches!(&error, Error::Probe { why, .. } if chain(&**why).contains(answer)),
            "{error}"
        );
    }
    let error = Error::during("ask", &probe("a1").selector, error("Probe error broken pipe"));
    assert!(matches!(error, Error::Gone { .. }));
    assert!(error.to_string().contains("broken pipe"), "{error}");
}
