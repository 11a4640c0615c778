//! Damage that keeps most of a structure: unusual values, and operators on bytes and texts.

use crate::SplitMix64;

/// The start of a line that an untrusted text tries to add to the output.
pub const FORGED: &str = "FORGED";

pub const REALS: [f64; 18] = [
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

pub const NUMBERS: [&str; 32] = [
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

pub fn text_value(random: &mut SplitMix64) -> String {
    let text = random.pick(&TEXTS);
    // A long name is wrapped, possibly before the forged word.
    if random.one_in(6) && !text.contains(FORGED) {
        let times = random.spread(3000);
        return text.repeat(times);
    }
    text.to_owned()
}

/// An integer at or near the end of a type or count.
pub fn whole(random: &mut SplitMix64) -> u32 {
    let base = random.pick(&[0, 1, 2, 3, 255, 256, 65_535, 65_536, 1 << 20, 1 << 31, u32::MAX]);
    match random.index(4) {
        0 => base.wrapping_add(1),
        1 => base.wrapping_sub(1),
        _ => base,
    }
}

pub fn size(random: &mut SplitMix64) -> u64 {
    match random.index(4) {
        0 => u64::MAX - random.next_u64() % 1024,
        1 => 1 << random.between(0, 63),
        _ => u64::from(whole(random)),
    }
}

pub fn number(random: &mut SplitMix64) -> String {
    random.pick(&NUMBERS).to_owned()
}

pub fn byte(random: &mut SplitMix64) -> u8 {
    random.pick(&[0, 1, 4, 8, 0x7f, 0x80, 0xff])
}

pub fn path(random: &mut SplitMix64) -> Vec<u8> {
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
    let mut path = format!("{folder}{}{end}", text_value(random)).into_bytes();
    if random.one_in(8) {
        path.push(0xff);
    }
    path
}

pub fn long(bytes: usize) -> String {
    "n".repeat(bytes)
}

pub fn bytes(random: &mut SplitMix64, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 4) {
        let at = random.index(bytes.len());
        let run = random.spread(64).min(bytes.len() - at);
        match random.index(7) {
            0 => {
                let bit = random.index(8);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            1 => {
                let byte = byte(random);
                bytes.iter_mut().skip(at).take(1).for_each(|place| *place = byte);
            }
            2 => {
                let word = whole(random);
                let word = if random.one_in(2) { word.to_be_bytes() } else { word.to_le_bytes() };
                bytes.iter_mut().skip(at).zip(word).for_each(|(place, byte)| *place = byte);
            }
            3 => drop(bytes.drain(at..at + run)),
            4 => {
                let copy = bytes[at..at + run].to_vec();
                bytes.splice(at..at, copy);
            }
            5 if random.one_in(3) => bytes.truncate(at),
            _ => {
                let noise = random.noise(run);
                bytes.splice(at..at, noise);
            }
        }
    }
}

pub fn text(random: &mut SplitMix64, text: &str) -> String {
    let mut tokens = tokens(text);
    for _ in 0..random.between(1, 5) {
        if tokens.is_empty() {
            break;
        }
        let at = random.index(tokens.len());
        let run = random.spread(40).min(tokens.len() - at);
        match random.index(8) {
            0 => drop(tokens.drain(at..at + run)),
            1 => {
                let copy = tokens[at..at + run].to_vec();
                let times = if random.one_in(4) { random.spread(300) } else { 1 };
                let copies =
                    copy.iter().cycle().take(times * copy.len()).cloned().collect::<Vec<_>>();
                tokens.splice(at..at, copies);
            }
            2 => {
                let other = random.index(tokens.len());
                tokens.swap(at, other);
            }
            3 => tokens.truncate(at),
            _ => tokens[at] = replaced(random, &tokens[at]),
        }
    }
    tokens.concat()
}

fn replaced(random: &mut SplitMix64, token: &str) -> String {
    let is_number = token.bytes().any(|byte| byte.is_ascii_digit());
    let is_word = token.chars().all(|c| c.is_alphanumeric() || c == '_');
    match (is_number, is_word) {
        (true, _) => number(random),
        (_, true) => text_value(random),
        _ => (random.pick(&["[", "]", "{", "}", "<", ">", "\"", "=", "&x;", "\n", "\0", "'''"]))
            .repeat(random.between(1, 3)),
    }
}

fn tokens(text: &str) -> Vec<String> {
    let kind = |c: char| match c {
        '0'..='9' | '.' | '-' | '+' => 0,
        _ if c.is_alphanumeric() || c == '_' => 1,
        _ if c.is_whitespace() => 2,
        _ => 3,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 3;
    for c in text.chars() {
        let this = kind(c);
        match tokens.last_mut() {
            Some(token) if this == last && this != 3 => token.push(c),
            _ => tokens.push(c.to_string()),
        }
        last = this;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::{bytes, text, tokens};
    use crate::SplitMix64;

    #[test]
    fn a_text_is_its_tokens() {
        let scene = "work = [0, 20.5]\nname=\"ä b\"";
        assert_eq!(tokens(scene).concat(), scene);
        assert_eq!(tokens("a1 <b>"), ["a", "1", " ", "<", "b", ">"]);
    }

    #[test]
    fn any_input_can_be_damaged() {
        for number in 0..300 {
            let mut random = SplitMix64::of_case(1, "damage", number);
            let mut empty = Vec::new();
            bytes(&mut random, &mut empty);
            let mut some = vec![1, 2, 3];
            bytes(&mut random, &mut some);
            text(&mut random, "");
            text(&mut random, "[1, 2]");
        }
    }
}
