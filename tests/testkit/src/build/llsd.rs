//! Binary LLSD, possibly with false counts and lengths.

use super::damage;
use crate::SplitMix64;

#[derive(Clone, Debug)]
pub enum Node {
    Undef,
    Bool(bool),
    Integer(i32),
    Real(f64),
    Uuid([u8; 16]),
    /// Seconds since 1970.
    Date(f64),
    Text(Vec<u8>),
    Uri(Vec<u8>),
    Binary(Vec<u8>),
    Array(Vec<Node>),
    Map(Vec<(Vec<u8>, Node)>),
    /// Bytes that are no value.
    Raw(Vec<u8>),
    /// A value with a false count or length.
    Lie(u32, Box<Node>),
}

impl Node {
    pub fn map<const N: usize>(entries: [(&str, Self); N]) -> Self {
        Self::Map(entries.into_iter().map(|(key, node)| (key.into(), node)).collect())
    }

    pub fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Undef => out.push(b'!'),
            Self::Bool(value) => out.push(if *value { b'1' } else { b'0' }),
            Self::Integer(value) => tagged(out, b'i', &value.to_be_bytes()),
            Self::Real(value) => tagged(out, b'r', &value.to_be_bytes()),
            Self::Uuid(value) => tagged(out, b'u', value),
            Self::Date(value) => tagged(out, b'd', &value.to_le_bytes()),
            Self::Text(bytes) => counted(out, b's', bytes),
            Self::Uri(bytes) => counted(out, b'l', bytes),
            Self::Binary(bytes) => counted(out, b'b', bytes),
            Self::Array(items) => {
                tagged(out, b'[', &length(items.len()));
                for item in items {
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Map(entries) => {
                tagged(out, b'{', &length(entries.len()));
                for (key, value) in entries {
                    counted(out, b'k', key);
                    value.write(out);
                }
                out.push(b'}');
            }
            Self::Raw(bytes) => out.extend(bytes),
            Self::Lie(count, node) => {
                let start = out.len();
                node.write(out);
                if let Some(place) = out.get_mut(start + 1..start + 5) {
                    place.copy_from_slice(&count.to_be_bytes());
                }
            }
        }
    }

    pub fn damage(&mut self, random: &mut SplitMix64) {
        let deeper = match self {
            Self::Array(items) if !items.is_empty() && !random.one_in(4) => {
                let at = random.index(items.len());
                Some(&mut items[at])
            }
            Self::Map(entries) if !entries.is_empty() && !random.one_in(4) => {
                let at = random.index(entries.len());
                Some(&mut entries[at].1)
            }
            _ => None,
        };
        match deeper {
            Some(node) => node.damage(random),
            None => self.damage_here(random),
        }
    }

    fn damage_here(&mut self, random: &mut SplitMix64) {
        match random.index(7) {
            0 => *self = any(random, 3),
            1 => {
                let count = damage::whole(random);
                *self = Self::Lie(count, Box::new(self.clone()));
            }
            2 => *self = nested(random.spread(4096), self.clone()),
            3 => {
                let count = random.spread(64);
                *self = Self::Raw(random.noise(count));
            }
            _ => self.damage_content(random),
        }
    }

    fn damage_content(&mut self, random: &mut SplitMix64) {
        match self {
            Self::Integer(value) => *value = damage::whole(random).cast_signed(),
            Self::Real(value) | Self::Date(value) => *value = random.pick(&damage::REALS),
            Self::Text(bytes) | Self::Uri(bytes) | Self::Binary(bytes) => {
                damage::bytes(random, bytes);
            }
            Self::Array(items) if !items.is_empty() => {
                let copy = items[random.index(items.len())].clone();
                let times = random.spread(2000);
                items.extend(std::iter::repeat_n(copy, times));
            }
            Self::Map(entries) => {
                let at = random.index(entries.len() + 1);
                let key = match random.index(3) {
                    0 if !entries.is_empty() => entries[random.index(entries.len())].0.clone(),
                    _ => damage::text_value(random).into_bytes(),
                };
                entries.insert(at, (key, any(random, 2)));
            }
            _ => *self = any(random, 2),
        }
    }
}

/// A value of any kind and at most `depth` levels.
pub fn any(random: &mut SplitMix64, depth: usize) -> Node {
    let items = |random: &mut SplitMix64| random.spread(20);
    match random.index(if depth == 0 { 9 } else { 11 }) {
        0 => Node::Undef,
        1 => Node::Bool(random.one_in(2)),
        2 => Node::Integer(damage::whole(random).cast_signed()),
        3 => Node::Real(random.pick(&damage::REALS)),
        4 => Node::Uuid([7; 16]),
        5 => Node::Date(random.pick(&damage::REALS)),
        6 => Node::Uri(damage::text_value(random).into_bytes()),
        7 => Node::Binary({
            let count = random.spread(5000);
            random.noise(count)
        }),
        8 => Node::Text(damage::text_value(random).into_bytes()),
        9 => Node::Array((0..items(random)).map(|_| any(random, depth - 1)).collect()),
        _ => {
            let entry = |random: &mut SplitMix64| {
                (damage::text_value(random).into_bytes(), any(random, depth - 1))
            };
            Node::Map((0..items(random)).map(|_| entry(random)).collect())
        }
    }
}

pub fn nested(depth: usize, inner: Node) -> Node {
    (0..depth).fold(inner, |node, _| Node::Raw([&b"[\0\0\0\x01"[..], &node.bytes(), b"]"].concat()))
}

fn tagged(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    out.push(tag);
    out.extend(bytes);
}

fn counted(out: &mut Vec<u8>, tag: u8, bytes: &[u8]) {
    tagged(out, tag, &length(bytes.len()));
    out.extend(bytes);
}

fn length(count: usize) -> [u8; 4] {
    u32::try_from(count).unwrap_or(u32::MAX).to_be_bytes()
}
