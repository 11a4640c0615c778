//! Damage that keeps most of a structure.

use super::hard;
use super::random::Random;

/// Makes one to four things wrong with bytes.
pub(super) fn bytes(random: &mut Random, bytes: &mut Vec<u8>) {
    for _ in 0..random.between(1, 4) {
        let at = random.below(bytes.len());
        let run = random.spread(64).min(bytes.len() - at);
        match random.below(7) {
            0 => {
                let bit = random.below(8);
                bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << bit);
            }
            1 => {
                let byte = hard::byte(random);
                bytes.iter_mut().skip(at).take(1).for_each(|place| *place = byte);
            }
            2 => {
                let word = hard::whole(random);
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

/// Makes one to five things wrong with a text of words, numbers and marks.
pub(super) fn text(random: &mut Random, text: &str) -> String {
    let mut tokens = tokens(text);
    for _ in 0..random.between(1, 5) {
        if tokens.is_empty() {
            break;
        }
        let at = random.below(tokens.len());
        let run = random.spread(40).min(tokens.len() - at);
        match random.below(8) {
            0 => drop(tokens.drain(at..at + run)),
            1 => {
                let copy = tokens[at..at + run].to_vec();
                let times = if random.one_in(4) { random.spread(300) } else { 1 };
                let copies =
                    copy.iter().cycle().take(times * copy.len()).cloned().collect::<Vec<_>>();
                tokens.splice(at..at, copies);
            }
            2 => {
                let other = random.below(tokens.len());
                tokens.swap(at, other);
            }
            3 => tokens.truncate(at),
            _ => tokens[at] = replaced(random, &tokens[at]),
        }
    }
    tokens.concat()
}

fn replaced(random: &mut Random, token: &str) -> String {
    let is_number = token.bytes().any(|byte| byte.is_ascii_digit());
    let is_word = token.chars().all(|c| c.is_alphanumeric() || c == '_');
    match (is_number, is_word) {
        (true, _) => hard::number(random),
        (_, true) => hard::text(random),
        _ => (random.pick(&["[", "]", "{", "}", "<", ">", "\"", "=", "&x;", "\n", "\0", "'''"]))
            .repeat(random.between(1, 3)),
    }
}

/// The words, numbers and marks of a text; together they are the text.
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
    use crate::hostile::random::Random;

    #[test]
    fn a_text_is_its_tokens() {
        let scene = "work = [0, 20.5]\nname=\"ä b\"";
        assert_eq!(tokens(scene).concat(), scene);
        assert_eq!(tokens("a1 <b>"), ["a", "1", " ", "<", "b", ">"]);
    }

    #[test]
    fn anything_can_be_damaged() {
        for number in 0..300 {
            let mut random = Random::of_case(1, "damage", number);
            let mut empty = Vec::new();
            bytes(&mut random, &mut empty);
            let mut some = vec![1, 2, 3];
            bytes(&mut random, &mut some);
            text(&mut random, "");
            text(&mut random, "[1, 2]");
        }
    }
}
