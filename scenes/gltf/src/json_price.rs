//! What is made of the JSON of a glTF file, before it is made.

use std::cell::OnceCell;

use crate::blocks::BLOCK;
use crate::error::BufferError;
use crate::loose::{Index, Text};
use crate::raw::{
    Accessor, Buffer, BufferView, Mesh, Node, NodeExtensions, Primitive, SceneNodes, Skin, Sparse,
};

/// Work for each byte of JSON, in units: some 10 ns.
pub(crate) const WORK: u64 = 4;
/// A list that grows to twice its length has the old one beside it while it is copied.
const GROWTH: u64 = 3;
/// The list that begins with one element has room for four.
const FIRST: u64 = 4;
/// What a node has in lists of a fixed length.
const FIXED: [&[u8]; 3] = [b"translation", b"rotation", b"scale"];
/// Levels up to this are told apart.
const DEEPEST: u32 = 127;
/// A node of a map from bytes to indices, of which an object of attributes may make two.
const MAP: u64 = 96;

/// What the elements of one of the file's lists may take, in bytes.
#[derive(Clone, Copy, Default)]
struct Prices {
    /// Each element, with what is found out about it.
    element: u64,
    /// Each object in an element, and each list.
    object: u64,
    list: u64,
    /// Each further value in an object, and in a list.
    entry: u64,
    value: u64,
}

const fn size<T>() -> u64 {
    size_of::<T>() as u64
}

const INDICES: Prices = Prices {
    element: 0,
    object: 0,
    list: FIRST * size::<Index>(),
    entry: 0,
    value: GROWTH * size::<Index>(),
};
const NODES: Prices = Prices {
    element: size::<Node<'_>>(),
    object: size::<NodeExtensions>() + 64,
    list: 64,
    ..INDICES
};
const MESHES: Prices = Prices {
    element: size::<Mesh<'_>>(),
    object: FIRST * size::<Primitive>() + 2 * MAP,
    list: FIRST * size::<Primitive>(),
    entry: MAP / 4,
    value: 0,
};
const ACCESSORS: Prices =
    Prices { element: size::<Accessor>(), object: size::<Sparse>(), list: 0, entry: 0, value: 0 };
const VIEWS: Prices = Prices { element: size::<BufferView>(), ..ZERO };
const BUFFERS: Prices = Prices {
    element: GROWTH * size::<Buffer<'_>>() + 2 * size::<OnceCell<Result<Vec<u8>, BufferError>>>(),
    ..ZERO
};
const SKINS: Prices = Prices { element: GROWTH * size::<Skin>(), ..INDICES };
const SCENES: Prices = Prices { element: GROWTH * size::<SceneNodes>(), ..INDICES };
const EXTENSIONS: Prices = Prices { element: GROWTH * size::<Text<'_>>(), ..ZERO };
const ZERO: Prices = Prices { element: 0, object: 0, list: 0, entry: 0, value: 0 };
/// What may be any of them.
const ANY: Prices = Prices { element: 1024, object: 1024, list: 1024, entry: MAP / 4, value: 1024 };

/// The bytes at most of what is kept of a file's JSON, and of its copies while it is read.
pub(crate) fn price(json: &[u8]) -> u64 {
    let mut count = Count {
        prices: ANY,
        depth: 0,
        lists: 0,
        key: &[],
        inner: &[],
        is_fixed: false,
        elements: 0,
        sum: 0,
        longest: 0,
    };
    let mut rest = json;
    while let Some((&byte, behind)) = rest.split_first() {
        rest = behind;
        match byte {
            b'"' => rest = count.string(rest),
            b'{' => count.open(false),
            b'[' => count.open(true),
            b'}' | b']' => count.close(),
            b',' => count.comma(),
            _ => {}
        }
    }
    // A mistake is told with the text at which it is, and with the keys that lead there.
    count.sum.saturating_add(4 * count.longest)
}

/// How far was counted.
struct Count<'a> {
    /// Those of the list of the file that is read.
    prices: Prices,
    depth: u32,
    /// Which of the levels are lists, by bits.
    lists: u128,
    /// The last text of the outermost object.
    key: &'a [u8],
    /// The last text of an element.
    inner: &'a [u8],
    /// Whether this is in a list that is no longer than it may be, of which no list is made.
    is_fixed: bool,
    /// How many elements the list of the file has so far.
    elements: usize,
    sum: u64,
    longest: u64,
}

impl<'a> Count<'a> {
    fn is_list(&self) -> bool {
        self.depth > DEEPEST || self.lists & (1 << self.depth) != 0
    }

    fn open(&mut self, list: bool) {
        match self.depth {
            0 | 2 => {}
            1 => {
                let is_keyed = !self.is_list();
                self.prices = if is_keyed { of(self.key) } else { ANY };
                self.elements = 0;
                self.element();
            }
            3 if list && self.is_in_node() && FIXED.contains(&self.inner) => self.is_fixed = true,
            _ => self.pay(if list { self.prices.list } else { self.prices.object }),
        }
        self.depth = self.depth.saturating_add(1);
        if self.depth <= DEEPEST {
            let bit = 1 << self.depth;
            self.lists = if list { self.lists | bit } else { self.lists & !bit };
        }
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.is_fixed &= self.depth > 3;
    }

    /// Whether this is between the keys of a node.
    fn is_in_node(&self) -> bool {
        self.key == b"nodes" && !self.is_list()
    }

    /// An element, of which the first ones are in a block that grows.
    fn element(&mut self) {
        let grown = if self.elements < BLOCK { GROWTH } else { 1 };
        self.pay(grown * self.prices.element);
        self.elements += 1;
    }

    fn comma(&mut self) {
        match self.depth {
            0 | 1 => {}
            2 => self.element(),
            4 if self.is_fixed => {}
            _ => self.pay(if self.is_list() { self.prices.value } else { self.prices.entry }),
        }
    }

    /// Skips a text, whose beginning was read.
    fn string(&mut self, text: &'a [u8]) -> &'a [u8] {
        let (mut end, mut has_escapes) = (0, false);
        while let Some(&byte) = text.get(end) {
            match byte {
                b'"' => break,
                b'\\' => {
                    has_escapes = true;
                    end += 2;
                }
                _ => end += 1,
            }
        }
        let (inside, behind) = text.split_at(end.min(text.len()));
        let length = inside.len() as u64;
        self.longest = self.longest.max(length);
        if has_escapes || self.is_list() {
            self.pay(GROWTH * length);
        }
        match self.depth {
            1 => self.key = inside,
            3 => self.inner = inside,
            _ => {}
        }
        behind.get(1..).unwrap_or_default()
    }

    fn pay(&mut self, bytes: u64) {
        self.sum = self.sum.saturating_add(bytes);
    }
}

/// The prices of a list of the file.
fn of(key: &[u8]) -> Prices {
    match key {
        b"nodes" => NODES,
        b"meshes" => MESHES,
        b"accessors" => ACCESSORS,
        b"bufferViews" => VIEWS,
        b"buffers" => BUFFERS,
        b"skins" => SKINS,
        b"scenes" => SCENES,
        b"extensionsRequired" => EXTENSIONS,
        key if key.contains(&b'\\') => ANY,
        _ => ZERO,
    }
}
