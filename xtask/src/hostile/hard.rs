//! Numbers, texts and paths that readers stumble over.

use super::random::Random;

/// What a line of a stranger's begins with, where he tries to write a line of his own.
pub(super) const FORGED: &str = "FORGED";

/// Reals at the ends of what there is.
pub(super) const REALS: [f64; 18] = [
    0.0,
    -0.0,
    5e-324,
    1e-300,
    1e-30,
    1e-7,
    0.1,
    1.0,
    -1.0,
    63.999,
    65_536.0,
    1e9,
    1e30,
    1e300,
    f64::MAX,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Numbers as they are written, right and wrong.
pub(super) const NUMBERS: [&str; 32] = [
    "0",
    "-0",
    "0.0",
    "5e-324",
    "1e-323",
    "1e-300",
    "1e-45",
    "1e-9",
    "0.01",
    "1",
    "-1",
    "2",
    "64",
    "255",
    "256",
    "65535",
    "65536",
    "1e6",
    "2147483647",
    "2147483648",
    "4294967296",
    "1e19",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1.7976931348623157e308",
    "1e309",
    "inf",
    "-inf",
    "nan",
    "0x10",
    "",
];

const TEXTS: [&str; 28] = [
    "",
    "plain",
    "a\nFORGED",
    "a\r\nFORGED",
    "a\u{85}FORGED",
    "a\u{2028}FORGED",
    "\u{61c}mark",
    "\u{202e}txet",
    "\u{2066}apart\u{2069}",
    "\u{1b}[31mred",
    "\u{9b}31mred",
    "\u{7}\u{8}\u{7f}",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "＝1+1",
    "\u{a0}\u{200b}=1+1",
    "'quoted'",
    "\"double\"",
    "a,b;c",
    "a: \u{feff}b",
    "<b>&amp;</b>",
    "e\u{301}\u{301}\u{301}",
    "\u{1f469}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\u{200f}right\u{200e}",
    "../../etc/passwd",
];

/// A text: odd, or long, or both.
pub(super) fn text(random: &mut Random) -> String {
    let text = random.pick(&TEXTS);
    // A long name is wrapped, and may be so before that word.
    if random.one_in(6) && !text.contains(FORGED) {
        let times = random.spread(3000);
        return text.repeat(times);
    }
    text.to_owned()
}

/// The whole numbers at which types and counts end, or near them.
pub(super) fn whole(random: &mut Random) -> u32 {
    let base = random.pick(&[0, 1, 2, 3, 255, 256, 65_535, 65_536, 1 << 20, 1 << 31, u32::MAX]);
    match random.below(4) {
        0 => base.wrapping_add(1),
        1 => base.wrapping_sub(1),
        _ => base,
    }
}

/// A size: any, also one that no disk has.
pub(super) fn size(random: &mut Random) -> u64 {
    match random.below(4) {
        0 => u64::MAX - random.next() % 1024,
        1 => 1 << random.between(0, 63),
        _ => u64::from(whole(random)),
    }
}

/// A number as it is written.
pub(super) fn number(random: &mut Random) -> String {
    (random.pick(&NUMBERS)).to_owned()
}

/// A byte: mostly one of the ends.
pub(super) fn byte(random: &mut Random) -> u8 {
    random.pick(&[0, 1, 4, 8, 0x7f, 0x80, 0xff])
}

/// A path in an archive.
pub(super) fn path(random: &mut Random) -> Vec<u8> {
    let folder = random.pick(&[
        "objects/",
        "assets/",
        "landdata/",
        "inventory/",
        "regions/a/objects/",
        "/",
        "../",
    ]);
    let end = random.pick(&[".xml", "_object.xml", "_mesh.llmesh", "", "/"]);
    let mut path = format!("{folder}{}{end}", text(random)).into_bytes();
    if random.one_in(8) {
        path.push(0xff);
    }
    path
}

/// The longest names that readers meet: up to so many bytes, without one that asks for care.
pub(super) fn long(bytes: usize) -> String {
    "n".repeat(bytes)
}
