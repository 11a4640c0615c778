// Prints the table of structs in lodger.js as assertions that rustc evaluates for wasm32, so that
// offsets in JavaScript equal the library's.

import { LAYOUT } from "../lodger.js";

// Rust's names of structs that are not the names of C in another case.
const NAMES = { lodger_report: "SceneReport", lodger_change: "LevelChangeRecord" };
const inRust = (name) => name.replace(/^lodger_/, "").split("_").map((word) => word[0].toUpperCase() + word.slice(1)).join("");
const rustName = (name) => NAMES[name] ?? inRust(name);
const RUST_TYPES = { pointer: "u32" };

const lines = Object.entries(LAYOUT).flatMap(([name, { bytes, fields }]) => {
  const struct = `lodger::abi::${rustName(name)}`;
  const all = Object.keys(fields).map((field) => `${field}: _`).join(", ");
  return [
    `const _: () = assert!(size_of::<${struct}>() == ${bytes}, "${name}");`,
    // A pattern without `..` names every field, so that none is missing from the table.
    `const _: fn(${struct}) = |${struct} { ${all} }| ();`,
    ...Object.entries(fields).flatMap(([field, [type, offset, count]]) => [
      `const _: () = assert!(core::mem::offset_of!(${struct}, ${field}) == ${offset}, "${name}.${field}");`,
      `const _: () = assert!(width(|it: &${struct}| &raw const it.${field}) == ${count} * size_of::<${RUST_TYPES[type] ?? type}>(), "${name}.${field}");`,
    ]),
  ];
});

console.log(["#![allow(dead_code)]", "const fn width<S, F>(_: fn(&S) -> *const F) -> usize { size_of::<F>() }", ...lines].join("\n"));
