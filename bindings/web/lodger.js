// lodger in the browser and in Node: levels of detail within a budget. One file without dependencies; lodger.d.ts
// documents the types, and lodger.h the calls.
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Engine        an instance of lodger.wasm: calls, its memory, and the end of both after a trap
// Scene         views, modules and actors
// Actors        a batch of a scene's actors, with columns that live in the instance's memory
//
// The instance's memory may grow in any call, which detaches every typed array over it. So nothing here keeps one:
// `Engine.view` and `Block.array` create it on each access.

const ABI_VERSION = 1;
const POINTER_BYTES = 4;
const ALIGNMENT = 16;

const STATUSES = ["ok", "no-such-scene", "no-such-view", "no-such-module", "no-such-actor", "invalid-value",
  "invalid-argument", "busy", "panicked"];
const NO_SUCH_SCENE = 1;
const INVALID_VALUE = 5;
const INVALID_ARGUMENT = 6;
const PANICKED = 8;

export const POLICIES = Object.freeze(["keep", "within-module", "across-modules", "whole-budget", "optimal"]);
const IMPORTANCES = ["solid-angle", "angular"];
const LOADS = ["normal", "tight", "infeasible"];
const REASONS = ["forced", "forced-into-range", "unmanaged", "invisible", "quarantined", "overcommitted", "pinned",
  "share", "highest", "capped", "leftovers", "worth-highest", "worth-capped", "not-worth", "no-room"];

/** The columns of `set`: lodger_column, the type of its array, and the number of values of an actor. */
const COLUMNS = {
  position: [0, Float32Array, 3],
  worldPosition: [1, Float64Array, 3],
  radius: [2, Float32Array, 1],
  age: [3, Float32Array, 1],
  speed: [4, Float32Array, 1],
  benefit: [5, Float32Array, 1],
  forced: [6, Float32Array, 1],
  visible: [7, Uint8Array, 1],
  key: [8, BigUint64Array, 1],
  priority: [9, Float32Array, 1],
  inView: [10, Uint8Array, 1],
};

const UNLIMITED = 2n ** 64n - 1n;
const NONE = 255;
const NO_LIMIT = -1;
const UNMANAGED = 2;
const CONTINUOUS = 1;
const NO_BENEFIT_VALUE = 4;
const CURVES = { linear: 0, diminishing: 8, "all-or-nothing": 16 };
const INVISIBLE = 1;

/**
 * The structs of lodger.h on wasm32: bytes, and the type, offset and count of each field. `INIT` has the defaults of the
 * header's macros. A test compares both with the header.
 */
export const LAYOUT = {
  lodger_module_desc: { bytes: 72, fields: {
    size: ["u32", 0, 1], flags: ["u32", 4, 1], name: ["pointer", 8, 1], qualities: ["pointer", 12, 1],
    levels: ["u32", 16, 1], overhead: ["u32", 20, 1], unit_cost_ns: ["f64", 24, 1],
    benefit_value_ns: ["u32", 32, 1], importance: ["u32", 36, 1], max_distance: ["f32", 40, 1],
    weight_distance: ["f32", 44, 1], weight_age: ["f32", 48, 1], weight_speed: ["f32", 52, 1], bias: ["f32", 56, 1],
    max_age: ["f32", 60, 1], max_speed: ["f32", 64, 1], lod_cap: ["u32", 68, 1] } },
  lodger_actor_desc: { bytes: 80, fields: {
    size: ["u32", 0, 1], flags: ["u32", 4, 1], work: ["pointer", 8, 1], qualities: ["pointer", 12, 1],
    levels: ["u32", 16, 1], reserved: ["u32", 20, 1], key: ["u64", 24, 1], position: ["f64", 32, 3],
    radius: ["f32", 56, 1], age: ["f32", 60, 1], speed: ["f32", 64, 1], benefit: ["f32", 68, 1],
    forced: ["f32", 72, 1], lowest: ["u8", 76, 1], highest: ["u8", 77, 1], reserved2: ["u8", 78, 2] } },
  lodger_report: { bytes: 112, fields: {
    size: ["u32", 0, 1], load: ["u32", 4, 1], budget_ns: ["u64", 8, 1], assigned_ns: ["u64", 16, 1],
    reserved_ns: ["u64", 24, 1], overcommit_ns: ["u64", 32, 1], scale: ["f64", 40, 1], headroom: ["f64", 48, 1],
    value: ["f64", 56, 1], upper_bound: ["f64", 64, 1], rounding_m: ["f64", 72, 1], actors: ["u64", 80, 1],
    quarantined: ["u64", 88, 1], changes: ["u64", 96, 1], switches: ["u64", 104, 1] } },
  lodger_module_report: { bytes: 72, fields: {
    size: ["u32", 0, 1], managed: ["u32", 4, 1], actors: ["u64", 8, 1], assigned_ns: ["u64", 16, 1],
    target_ns: ["u64", 24, 1], units: ["u64", 32, 1], benefit: ["f64", 40, 1], unit_cost_ns: ["f64", 48, 1],
    raw_unit_cost_ns: ["f64", 56, 1], overhead: ["u32", 64, 1], lod_cap: ["u32", 68, 1] } },
  lodger_actor_report: { bytes: 56, fields: {
    size: ["u32", 0, 1], reason: ["u32", 4, 1], key: ["u64", 8, 1], share_ns: ["u64", 16, 1],
    benefit: ["f64", 24, 1], quality: ["f64", 32, 1], level: ["f64", 40, 1], cost_ns: ["u32", 48, 1],
    module: ["u32", 52, 1] } },
  lodger_change: { bytes: 32, fields: {
    actor: ["u64", 0, 1], key: ["u64", 8, 1], module: ["u32", 16, 1], from: ["i16", 20, 1], to: ["u8", 22, 1],
    reserved: ["u8", 23, 1], fraction: ["u16", 24, 1], reserved2: ["u16", 26, 3] } },
};

/** The defaults of a desc. */
export const INIT = {
  lodger_module_desc: { size: 72, flags: 0, name: 0, qualities: 0, levels: 0, overhead: 0, unit_cost_ns: 1,
    benefit_value_ns: 1_000_000, importance: 0, max_distance: NO_LIMIT, weight_distance: 1, weight_age: 0,
    weight_speed: 0, bias: 0, max_age: NO_LIMIT, max_speed: NO_LIMIT, lod_cap: NONE },
  lodger_actor_desc: { size: 80, flags: 0, work: 0, qualities: 0, levels: 0, reserved: 0, key: 0n,
    position: [0, 0, 0], radius: 1, age: 0, speed: 0, benefit: -1, forced: -1, lowest: 0, highest: NONE,
    reserved2: [0, 0] },
};

const TYPES = {
  u8: { bytes: 1, read: "getUint8", write: "setUint8" },
  u16: { bytes: 2, read: "getUint16", write: "setUint16" },
  i16: { bytes: 2, read: "getInt16", write: "setInt16" },
  u32: { bytes: 4, read: "getUint32", write: "setUint32" },
  pointer: { bytes: POINTER_BYTES, read: "getUint32", write: "setUint32" },
  u64: { bytes: 8, read: "getBigUint64", write: "setBigUint64" },
  f32: { bytes: 4, read: "getFloat32", write: "setFloat32" },
  f64: { bytes: 8, read: "getFloat64", write: "setFloat64" },
};

/** The error of a failed call, or of an ended instance. */
export class LodgerError extends Error {
  constructor(status, text, options) {
    super(text, options);
    this.name = "LodgerError";
    this.status = status;
    this.code = STATUSES[status] ?? "unknown";
  }
}

/** Converts milliseconds to whole nanoseconds, the unit of budgets, costs and reports. */
export const ms = (milliseconds) => Math.round(milliseconds * 1e6);

const invalid = (text) => new LodgerError(INVALID_ARGUMENT, text);

function integer(value, most, what) {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw invalid(`${what} is ${String(value)}: it must be a whole number from 0 to ${most}`);
}
const u8 = (value, what) => integer(value, 0xff, what);
const u32 = (value, what) => integer(value, 0xffff_ffff, what);

function u64(value, what) {
  if (typeof value === "bigint" && value >= 0n && value <= UNLIMITED) return value;
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw invalid(`${what} is ${String(value)}: it must be a whole number from 0 to 2^64 - 1, above 2^53 as a bigint`);
}
/** Nanoseconds; Infinity is an unlimited budget. */
const nanoseconds = (value, what) => (value === Infinity ? UNLIMITED : u64(value, what));

function number(value, what) {
  if (typeof value === "number") return value;
  throw invalid(`${what} is ${String(value)}: it must be a number`);
}

function handle(value, what) {
  if (typeof value === "bigint" && value >= 0n && value <= UNLIMITED) return value;
  throw invalid(`${what} is ${String(value)}: it must be a bigint that this scene has given`);
}

function word(words, value, what) {
  const index = words.indexOf(value);
  if (index >= 0) return index;
  throw invalid(`${what} is ${String(value)}: it must be one of ${words.join(", ")}`);
}

/** The numbers of an array, checked to fit `Type`: a typed array would wrap and cut silently. */
function numbers(values, Type, what) {
  if (values instanceof Type) return values;
  if (typeof values?.length !== "number") throw invalid(`${what} must be an array or a ${Type.name}`);
  const check = CHECKS.get(Type);
  return Type.from(values, (value, index) => check(value, `${what}[${index}]`));
}
const CHECKS = new Map([
  [Uint8Array, (value, what) => u8(typeof value === "boolean" ? Number(value) : value, what)],
  [Uint32Array, u32], [BigUint64Array, u64], [Float32Array, number], [Float64Array, number],
]);

const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

/** Conversions of report fields, by their names in C; other u64 become numbers, exact up to 2^53. */
const SHOWN = {
  actor: (value) => value,
  key: (value) => value,
  load: (value) => LOADS[value],
  reason: (value) => REASONS[value],
  managed: (value) => value !== 0,
  budget_ns: (value) => (value === UNLIMITED ? Infinity : Number(value)),
  share_ns: (value) => (value === UNLIMITED ? null : Number(value)),
  lod_cap: (value) => (value === NONE ? null : value),
  from: (value) => (value < 0 ? null : value),
  value: (value) => (value < 0 ? null : value),
  upper_bound: (value) => (value < 0 ? null : value),
};

/** The fields of each struct that is read, with their offsets; computed once. */
const READERS = new Map(Object.entries(LAYOUT).map(([name, { fields }]) => [name,
  Object.entries(fields).filter(([field]) => field !== "size" && !/^reserved[0-9]*$/.test(field)).map(([field, [type, offset]]) =>
    [camel(field), TYPES[type].read, offset, SHOWN[field] ?? (type === "u64" ? Number : (value) => value)])]));

/** Reads a struct of the instance's memory into an object. */
function read(view, name, at) {
  const fields = {};
  for (const [field, get, offset, show] of READERS.get(name)) fields[field] = show(view[get](at + offset, true));
  return fields;
}

/** Writes a struct: `values` by their names in C, and defaults from `INIT`. */
function write(view, name, at, values) {
  for (const [field, [type, offset, count]] of Object.entries(LAYOUT[name].fields)) {
    const { bytes, write: put } = TYPES[type];
    const value = values[field] ?? INIT[name][field];
    for (let index = 0; index < count; index++) view[put](at + offset + index * bytes, count > 1 ? value[index] : value, true);
  }
}

/** Rejects unknown fields, so that a typing error does not become a default. */
function known(desc, fields, what) {
  if (desc === null || typeof desc !== "object") throw invalid(`${what} must be an object`);
  const other = Object.keys(desc).find((field) => !fields.has(field));
  if (other !== undefined) throw invalid(`${what} has no field ${other}; there are ${[...fields].join(", ")}`);
}

/** An instance of lodger.wasm. */
class Engine {
  #exports;
  #ended = null;
  #view;
  #room = { at: 0, bytes: 0, used: 0 };

  constructor({ exports }) {
    if (!(exports.memory instanceof WebAssembly.Memory && exports.lodger_abi_version && exports.lodger_alloc)) {
      throw invalid("this WebAssembly is not lodger's");
    }
    this.#exports = exports;
    this.memory = exports.memory;
    this.#view = new DataView(this.memory.buffer);
    const version = this.call("lodger_abi_version");
    if (version !== ABI_VERSION) throw invalid(`this is ABI ${ABI_VERSION}, but lodger.wasm has ${version}: take both from one build`);
  }

  get ended() { return this.#ended !== null; }

  /** The whole memory; valid until the next call. */
  get view() {
    if (this.#view.buffer !== this.memory.buffer) this.#view = new DataView(this.memory.buffer);
    return this.#view;
  }

  /** Calls an export. A trap leaves the instance in an invalid state: it is not used again. */
  call(name, ...args) {
    if (this.#ended !== null) throw this.#end();
    try {
      return this.#exports[name](...args);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) throw invalid(`${name}: ${error.message}`);
      this.#ended = error;
      throw this.#end();
    }
  }

  #end() {
    const text = `lodger.wasm has stopped (${this.#ended.message}): this instance and its scenes are lost; load another`;
    return new LodgerError(PANICKED, text, { cause: this.#ended });
  }

  /** Calls an export that returns a status. */
  check(name, ...args) {
    const status = this.call(name, ...args);
    if (status !== 0) throw new LodgerError(status, this.#lastError() || this.statusText(status));
  }

  #lastError(capacity = 512) {
    const at = this.begin(capacity);
    const length = this.call("lodger_last_error", at, capacity);
    if (length >= capacity) return this.#lastError(length + 1);
    return new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, length));
  }

  statusText(status) {
    const bytes = new Uint8Array(this.memory.buffer, this.call("lodger_status_text", status));
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  alloc(bytes) {
    const at = this.call("lodger_alloc", bytes);
    if (at === 0) throw new LodgerError(INVALID_VALUE, `there is no memory for ${bytes} bytes more`);
    return at >>> 0;
  }

  free(at, bytes) { this.call("lodger_free", at, bytes); }

  /** Reserves memory for the inputs and outputs of one call, until the next `begin`; `cut` takes parts of it. */
  begin(bytes) {
    const room = this.#room;
    if (bytes > room.bytes) {
      const wanted = Math.max(bytes, 2 * room.bytes, 4096);
      const at = this.alloc(wanted);
      if (room.bytes > 0) this.free(room.at, room.bytes);
      Object.assign(room, { at, bytes: wanted });
    }
    room.used = 0;
    return room.at;
  }

  cut(bytes) {
    const at = this.#room.at + this.#room.used;
    this.#room.used += padded(bytes);
    return at;
  }

  /** The addresses of arrays: in place if they are in this memory, else of copies; `more` bytes are left to `cut`. */
  pass(arrays, more = 0) {
    // Read before memory grows, which detaches the arrays but moves nothing.
    const places = arrays.map((array) => (this.owns(array) ? array.byteOffset : null));
    const copied = arrays.reduce((sum, array, index) => sum + (places[index] === null ? padded(array.byteLength) : 0), 0);
    this.begin(copied + more);
    return arrays.map((array, index) => {
      if (places[index] !== null) return places[index];
      const at = this.cut(array.byteLength);
      new array.constructor(this.memory.buffer, at, array.length).set(array);
      return at;
    });
  }

  /** Whether an array shows this memory; throws for an array that the growth of the memory detached. */
  owns(array) {
    if (array.length === 0 && isDetached(array.buffer)) {
      throw invalid("this array was detached when memory grew: ask for it again, each time that it is used");
    }
    return array.buffer === this.memory.buffer;
  }
}

const padded = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

function isDetached(buffer) {
  try {
    return new Uint8Array(buffer).length < 0;
  } catch {
    return true;
  }
}

/** A block of the instance's memory, shown by a typed array. */
class Block {
  #engine;
  #Type;
  #at;
  #array = null;

  constructor(state, Type, length) {
    this.#engine = state.engine;
    this.#Type = Type;
    this.length = length;
    this.bytes = length * Type.BYTES_PER_ELEMENT;
    this.#at = this.bytes > 0 ? state.engine.alloc(this.bytes) : ALIGNMENT;
    this.array.fill(Type === BigUint64Array ? 0n : 0);
    state.blocks.add(this);
  }

  get array() {
    if (this.#at === 0) throw new LodgerError(NO_SUCH_SCENE, "this memory was given back");
    const { buffer } = this.#engine.memory;
    if (this.#array?.buffer !== buffer) this.#array = new this.#Type(buffer, this.#at, this.length);
    return this.#array;
  }

  free() {
    if (this.#at !== 0 && this.bytes > 0 && !this.#engine.ended) this.#engine.free(this.#at, this.bytes);
    this.#at = 0;
    this.#array = null;
  }
}

/** Frees a scene, unless its instance has ended. */
function release(state) {
  const { engine, scene, blocks } = state;
  state.scene = 0;
  for (const block of blocks) block.free();
  blocks.clear();
  if (scene !== 0 && !engine.ended) engine.check("lodger_scene_destroy", scene);
}

/** Frees scenes without references. The next call reports an error. */
const forgotten = new FinalizationRegistry((state) => {
  try {
    release(state);
  } catch (error) {
    if (!(error instanceof LodgerError)) throw error;
  }
});
const dispose = Symbol.dispose ?? Symbol.for("Symbol.dispose");

/** Actors of a scene whose columns are sent and read together. */
export class Actors {
  #scene;
  #state;
  #handles;
  #columns = new Map();

  constructor(scene, state, length) {
    this.#scene = scene;
    this.#state = state;
    this.#handles = new Block(state, BigUint64Array, length);
    this.length = length;
  }

  get scene() { return this.#scene; }
  get handles() { return this.#handles.array; }
  get levels() { return this.#block("levels", Uint8Array, 1).array; }
  get lods() { return this.#block("lods", Float32Array, 1).array; }

  column(name) {
    const [, Type, each] = column(name);
    return this.#block(name, Type, each).array;
  }

  #block(name, Type, each) {
    let block = this.#columns.get(name);
    if (block === undefined) {
      block = new Block(this.#state, Type, each * this.length);
      this.#columns.set(name, block);
    }
    return block;
  }

  send(name) { this.#scene.set(this, name, this.column(name)); }
  set(name, values) { this.#scene.set(this, name, values); }
  readLevels() { return this.#scene.levels(this, this.levels); }
  readLods() { return this.#scene.lods(this, this.lods); }

  despawn() {
    try {
      this.#scene.despawn(this);
    } finally {
      this.free();
    }
  }

  free() {
    for (const block of [this.#handles, ...this.#columns.values()]) {
      this.#state.blocks.delete(block);
      block.free();
    }
  }

  [dispose]() { this.free(); }
}

function column(name) {
  if (Object.hasOwn(COLUMNS, name)) return COLUMNS[name];
  throw invalid(`there is no column ${String(name)}; there are ${Object.keys(COLUMNS).join(", ")}`);
}

const RULE_FIELDS = ["importance", "maxDistance", "weightDistance", "weightAge", "weightSpeed", "bias", "maxAge", "maxSpeed"];
const MODULE_FIELDS = new Set(["name", "qualities", "overhead", "unitCostNs", "benefitValueNs", "lodCap", "continuous", "managed", "qualityCurve", ...RULE_FIELDS]);
const ACTOR_FIELDS = new Set(["work", "qualities", "key", "position", "radius", "age", "speed", "benefit", "forced", "lowest", "highest", "visible"]);

/** The benefit rule in a module's desc. */
function rule(desc, what) {
  const or = (field, absent) => (desc[field] == null ? absent : number(desc[field], `${what}.${field}`));
  return {
    importance: desc.importance === undefined ? undefined : word(IMPORTANCES, desc.importance, `${what}.importance`),
    max_distance: or("maxDistance", NO_LIMIT), max_age: or("maxAge", NO_LIMIT), max_speed: or("maxSpeed", NO_LIMIT),
    weight_distance: or("weightDistance"), weight_age: or("weightAge"), weight_speed: or("weightSpeed"), bias: or("bias"),
  };
}

/** The fields of an actor's desc by their C names, without its arrays. */
function actor(desc, what) {
  const or = (field, absent) => (desc[field] == null ? absent : number(desc[field], `${what}.${field}`));
  const position = desc.position === undefined ? undefined : place(desc.position, `${what}.position`);
  return {
    flags: desc.visible === false ? INVISIBLE : 0,
    key: desc.key === undefined ? undefined : u64(desc.key, `${what}.key`),
    position, radius: or("radius"), age: or("age"), speed: or("speed"),
    benefit: or("benefit"), forced: or("forced"),
    lowest: desc.lowest === undefined ? undefined : u8(desc.lowest, `${what}.lowest`),
    highest: desc.highest === undefined ? undefined : u8(desc.highest, `${what}.highest`),
  };
}

/** The flag of a curve from the level to the quality. */
function curve(name, qualities) {
  const words = Object.keys(CURVES);
  if (!words.includes(name)) throw invalid(`module.qualityCurve is ${String(name)}: it must be one of ${words.join(", ")}`);
  if (name === "linear" || !(qualities?.length > 0)) return CURVES[name];
  throw invalid("a module has qualities and a curve");
}

/** Negative angles mean that there is none in lodger.h. */
function angle(value, what) {
  if (number(value, what) < 0) throw invalid(`${what} is ${value}: it must be at least 0 degrees`);
  return value;
}

function matrix(values, what) {
  const array = numbers(values, Float64Array, what);
  if (array.length === 16) return array;
  throw invalid(`${what} must be 16 numbers, in columns`);
}

function place(values, what) {
  const array = numbers(values, Float64Array, what);
  if (array.length === 3) return array;
  throw invalid(`${what} must be three numbers, in metres`);
}

/** Arrays of descs; a shared array is passed once for each of its types. */
class Shared {
  #found = new Map([[Uint32Array, new Map()], [Float32Array, new Map()]]);
  #arrays = [];
  #places = [];

  note(values, Type, what) {
    const found = this.#found.get(Type);
    if (values == null || found.has(values)) return;
    const array = numbers(values, Type, what);
    found.set(values, this.#arrays.length);
    this.#arrays.push(array);
  }

  passTo(engine, more) {
    this.#places = engine.pass(this.#arrays, more);
  }

  /** The address and length of an array that was noted as that type. */
  of(values, Type) {
    if (values == null) return [0, 0];
    const index = this.#found.get(Type).get(values);
    return [this.#places[index], this.#arrays[index].length];
  }
}

/** Views, modules and actors with one budget. */
export class Scene {
  #state;

  constructor(engine, budgetNs) {
    const at = engine.begin(POINTER_BYTES);
    engine.check("lodger_scene_create", nanoseconds(budgetNs, "the budget"), at);
    this.#state = { engine, scene: engine.view.getUint32(at, true), blocks: new Set() };
    forgotten.register(this, this.#state, this.#state);
  }

  get #engine() { return this.#state.engine; }
  #check(name, ...args) { this.#engine.check(name, this.#state.scene, ...args); }

  /** Calls an export that writes a struct, and reads the struct. */
  #read(struct, call) {
    const at = this.#engine.begin(LAYOUT[struct].bytes);
    this.#engine.view.setUint32(at, LAYOUT[struct].bytes, true);
    call(at);
    return read(this.#engine.view, struct, at);
  }

  free() {
    forgotten.unregister(this.#state);
    release(this.#state);
  }

  [dispose]() { this.free(); }

  setBudget(ns) { this.#check("lodger_scene_set_budget", nanoseconds(ns, "the budget")); }
  setPolicy(policy) { this.#check("lodger_scene_set_policy", word(POLICIES, policy, "the policy")); }
  setHysteresis(margin, deadBand) { this.#check("lodger_scene_set_hysteresis", u8(margin, "the margin"), u8(deadBand, "the dead band")); }
  setMaxUpgrades(most) { this.#check("lodger_scene_set_max_upgrades", most === Infinity ? 0xffff_ffff : u32(most, "upgrades")); }
  setSearchMoves(moves) { this.#check("lodger_scene_set_search_moves", u32(moves, "moves")); }
  setHeadroomTarget(part) { this.#check("lodger_scene_set_headroom_target", number(part, "the part")); }
  frameDone() { this.#check("lodger_scene_frame_done"); }
  scaleCosts(numerator, denominator) { this.#check("lodger_scene_scale_costs", u32(numerator, "the numerator"), u32(denominator, "the denominator")); }
  setOwnCost(ns) { this.#check("lodger_scene_set_own_cost", u64(ns, "nanoseconds")); }
  observeOwnTime(ns) { this.#check("lodger_scene_observe_own_time", u64(ns, "nanoseconds")); }
  setCautiousStart(cautious) { this.#check("lodger_scene_set_cautious_start", cautious ? 1 : 0); }
  setUnmanagedInBudget(count) { this.#check("lodger_scene_set_unmanaged_in_budget", count ? 1 : 0); }
  trackChanges(track) { this.#check("lodger_scene_track_changes", track ? 1 : 0); }
  advanceAges(seconds) { this.#check("lodger_scene_advance_ages", number(seconds, "seconds")); }

  setOrigin(origin) { this.#withPlace(origin, "the origin", (at) => this.#check("lodger_scene_set_origin", at)); }

  origin() {
    const at = this.#engine.begin(24);
    this.#check("lodger_scene_origin", at);
    return [0, 8, 16].map((offset) => this.#engine.view.getFloat64(at + offset, true));
  }

  #withPlace(values, what, call) {
    const [at] = this.#engine.pass([place(values, what)], ALIGNMENT);
    return call(at);
  }

  addView(eye) {
    return this.#withPlace(eye, "the eye", (at) => {
      const out = this.#engine.cut(8);
      this.#check("lodger_view_add", at, out);
      return this.#engine.view.getBigUint64(out, true);
    });
  }

  setView(view, eye) { this.#withPlace(eye, "the eye", (at) => this.#check("lodger_view_set", handle(view, "the view"), at)); }
  setViewZoom(view, zoom) { this.#check("lodger_view_set_zoom", handle(view, "the view"), number(zoom, "the zoom")); }

  setViewMatrices(view, viewMatrix, projection, { referenceFov = null, margin = null } = {}) {
    const own = handle(view, "the view");
    const or = (value, what) => (value === null ? -1 : angle(value, what));
    const [reference, degrees] = [or(referenceFov, "referenceFov"), or(margin, "margin")];
    const [at, from] = this.#engine.pass([matrix(viewMatrix, "the view matrix"), matrix(projection, "the projection")]);
    this.#check("lodger_view_set_matrices", own, at, from, reference, degrees);
  }

  removeView(view) { this.#check("lodger_view_remove", handle(view, "the view")); }

  addModule(desc) {
    known(desc, MODULE_FIELDS, "a module");
    const name = new TextEncoder().encode(desc.name ?? "");
    if (name.includes(0)) throw invalid("a module's name holds a NUL");
    const named = Uint8Array.of(...name, 0);
    const qualities = numbers(desc.qualities ?? [], Float32Array, "a module's qualities");
    const { bytes } = LAYOUT.lodger_module_desc;
    const [nameAt, qualitiesAt] = this.#engine.pass([named, qualities], padded(bytes) + ALIGNMENT);
    const [at, out] = [this.#engine.cut(bytes), this.#engine.cut(POINTER_BYTES)];
    write(this.#engine.view, "lodger_module_desc", at, {
      ...rule(desc, "module"),
      flags: (desc.continuous ? CONTINUOUS : 0) | (desc.managed === false ? UNMANAGED : 0)
        | (desc.benefitValueNs == null ? NO_BENEFIT_VALUE : 0) | curve(desc.qualityCurve ?? "linear", desc.qualities),
      name: desc.name === undefined ? 0 : nameAt,
      qualities: qualities.length > 0 ? qualitiesAt : 0,
      levels: qualities.length,
      overhead: u32(desc.overhead ?? 0, "module.overhead"),
      unit_cost_ns: number(desc.unitCostNs, "module.unitCostNs"),
      benefit_value_ns: desc.benefitValueNs == null ? 0 : u32(desc.benefitValueNs, "module.benefitValueNs"),
      lod_cap: desc.lodCap == null ? NONE : u32(desc.lodCap, "module.lodCap"),
    });
    this.#check("lodger_module_add", at, out);
    return this.#engine.view.getUint32(out, true);
  }

  reserve(module, actors) { this.#check("lodger_module_reserve", u32(module, "the module"), u32(actors, "actors")); }
  setUnitCost(module, ns) { this.#check("lodger_module_set_unit_cost", u32(module, "the module"), number(ns, "the unit cost")); }
  setBenefitValue(module, ns) { this.#check("lodger_module_set_benefit_value", u32(module, "the module"), u32(ns, "the benefit value")); }
  setModulePriority(module, priority) { this.#check("lodger_module_set_priority", u32(module, "the module"), number(priority, "the priority")); }
  setOutside(module, factor) { this.#check("lodger_module_set_outside", u32(module, "the module"), number(factor, "the factor")); }
  testViews(module) { this.#check("lodger_module_test_views", u32(module, "the module")); }
  setManaged(module, managed) { this.#check("lodger_module_set_managed", u32(module, "the module"), managed ? 1 : 0); }
  setLodCap(module, level) { this.#check("lodger_module_set_lod_cap", u32(module, "the module"), level == null ? NONE : u32(level, "the cap")); }
  setOverhead(module, units) { this.#check("lodger_module_set_overhead", u32(module, "the module"), u32(units, "the overhead")); }

  setRule(module, terms) {
    known(terms, new Set(RULE_FIELDS), "a rule");
    const at = this.#engine.begin(LAYOUT.lodger_module_desc.bytes);
    write(this.#engine.view, "lodger_module_desc", at, rule(terms, "rule"));
    this.#check("lodger_module_set_rule", u32(module, "the module"), at);
  }

  observeTime(module, ns, units) {
    const done = units === undefined ? UNLIMITED : u64(units, "units");
    this.#check("lodger_module_observe_time", u32(module, "the module"), done, u64(ns, "nanoseconds"));
  }

  moduleReport(module) {
    return this.#read("lodger_module_report", (at) => this.#check("lodger_module_report_of", u32(module, "the module"), at));
  }

  spawn(module, descs) { return this.#spawn(module, descs, LAYOUT.lodger_actor_desc.bytes, descs.length); }
  spawnAlike(module, desc, count) { return this.#spawn(module, [desc], 0, u32(count, "the count")); }

  #spawn(module, descs, stride, count) {
    const owner = u32(module, "the module");
    const shared = new Shared();
    const values = descs.map((desc, index) => {
      const what = `actor ${index}`;
      known(desc, ACTOR_FIELDS, what);
      shared.note(desc.work, Uint32Array, `${what}.work`);
      shared.note(desc.qualities, Float32Array, `${what}.qualities`);
      return actor(desc, what);
    });
    const actors = new Actors(this, this.#state, count);
    try {
      const { bytes } = LAYOUT.lodger_actor_desc;
      shared.passTo(this.#engine, padded(bytes * descs.length));
      const at = this.#engine.cut(bytes * descs.length);
      descs.forEach((desc, index) => {
        const [work, levels] = shared.of(desc.work, Uint32Array);
        const [qualities, described] = shared.of(desc.qualities, Float32Array);
        if (qualities !== 0 && described !== levels) throw invalid(`actor ${index} has ${levels} levels, but ${described} qualities`);
        write(this.#engine.view, "lodger_actor_desc", at + index * bytes, { ...values[index], work, levels, qualities });
      });
      this.#check("lodger_actors_spawn", owner, at, stride, count, actors.handles.byteOffset);
    } catch (error) {
      actors.free();
      throw error;
    }
    return actors;
  }

  batch(handles) {
    const given = this.#handles(handles);
    // The batch may grow the memory, which detaches handles in it.
    const listed = this.#engine.owns(given) ? given.slice() : given;
    const actors = new Actors(this, this.#state, listed.length);
    try {
      actors.handles.set(listed);
    } catch (error) {
      actors.free();
      throw error;
    }
    return actors;
  }

  /** The handles of one actor, several, or a batch. */
  #handles(actors) {
    if (actors instanceof Actors) return actors.handles;
    if (actors instanceof BigUint64Array) return actors;
    if (typeof actors !== "bigint" && typeof actors?.[Symbol.iterator] !== "function") {
      throw invalid("actors are a batch, handles or one handle");
    }
    const listed = typeof actors === "bigint" ? [actors] : [...actors];
    return BigUint64Array.from(listed, (value) => handle(value, "an actor"));
  }

  despawn(actors) {
    const handles = this.#handles(actors);
    const { length } = handles;
    const [at] = this.#engine.pass([handles]);
    this.#check("lodger_actors_despawn", at, length);
  }

  set(actors, name, values) {
    const [code, Type, each] = column(name);
    const array = numbers(typeof values === "object" ? values : [values], Type, name);
    const handles = this.#handles(actors);
    const [count, length] = [handles.length, array.length];
    const [at, from] = this.#engine.pass([handles, array]);
    if (length !== each && length !== each * count) {
      throw invalid(`${name} has ${length} numbers: it must be ${each} for all ${count} actors, or ${each} for each`);
    }
    const stride = length === each * count ? each * Type.BYTES_PER_ELEMENT : 0;
    this.#check("lodger_actors_set", at, count, code, from, stride);
  }

  setRange(actor, lowest, highest) {
    this.#check("lodger_actor_set_range", handle(actor, "the actor"), u8(lowest, "the lowest"), u8(highest, "the highest"));
  }

  setWork(actor, work) { this.#setTable("lodger_actor_set_work", actor, numbers(work, Uint32Array, "work")); }
  setQualities(actor, qualities) { this.#setTable("lodger_actor_set_qualities", actor, numbers(qualities ?? [], Float32Array, "qualities")); }

  #setTable(name, actor, table) {
    const { length } = table;
    const [at] = this.#engine.pass([table]);
    this.#check(name, handle(actor, "the actor"), length > 0 ? at : 0, length);
  }

  tick() { return this.#read("lodger_report", (at) => this.#check("lodger_tick", at)); }
  report() { return this.#read("lodger_report", (at) => this.#check("lodger_scene_report", at)); }

  certify() {
    const at = this.#engine.begin(16);
    this.#check("lodger_scene_certify", at, at + 8);
    return { value: this.#engine.view.getFloat64(at, true), upperBound: this.#engine.view.getFloat64(at + 8, true) };
  }

  levels(actors, out) { return this.#decided("lodger_actors_levels", Uint8Array, actors, out); }
  lods(actors, out) { return this.#decided("lodger_actors_lods", Float32Array, actors, out); }

  #decided(name, Type, actors, out) {
    const handles = this.#handles(actors);
    const { length } = handles;
    if (out !== undefined && !(out instanceof Type && out.length === length)) {
      throw invalid(`what is decided for ${length} actors goes into a ${Type.name} of that length`);
    }
    const bytes = Type.BYTES_PER_ELEMENT;
    const inPlace = out !== undefined && this.#engine.owns(out) ? out.byteOffset : null;
    const [at] = this.#engine.pass([handles], padded(length * bytes));
    const to = inPlace ?? this.#engine.cut(length * bytes);
    this.#check(name, at, length, to, bytes);
    const values = new Type(this.#engine.memory.buffer, to, length);
    if (inPlace !== null) return values;
    if (out === undefined) return values.slice();
    out.set(values);
    return out;
  }

  changes() {
    const { bytes } = LAYOUT.lodger_change;
    const counted = (capacity) => {
      const at = this.#engine.begin(capacity * bytes + ALIGNMENT);
      const count = at + capacity * bytes;
      this.#check("lodger_changes", at, capacity, count);
      return [at, this.#engine.view.getUint32(count, true)];
    };
    let [at, count] = counted(64);
    if (count > 64) [at, count] = counted(count);
    const { view } = this.#engine;
    return Array.from({ length: count }, (_, index) => read(view, "lodger_change", at + index * bytes));
  }

  actorReport(actor) {
    return this.#read("lodger_actor_report", (at) => this.#check("lodger_actor_report_of", handle(actor, "the actor"), at));
  }
}

/** An instance of lodger.wasm, which creates scenes. */
export class Lodger {
  #engine;

  constructor(instance) { this.#engine = new Engine(instance); }

  get memory() { return this.#engine.memory; }
  get ended() { return this.#engine.ended; }
  createScene(budgetNs) { return new Scene(this.#engine, budgetNs); }
  statusText(status) { return this.#engine.statusText(integer(status, 0x7fff_ffff, "the status")); }
}

/** The bytes of a `file:` address, which Node's fetch does not read. */
async function fileBytes(url) {
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ "node:fs/promises");
  return readFile(url);
}

async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (ArrayBuffer.isView(source) || source instanceof ArrayBuffer) return WebAssembly.compile(source);
  if (typeof source === "string" || source instanceof URL) {
    const url = new URL(source, globalThis.document?.baseURI ?? globalThis.location?.href ?? import.meta.url);
    if (url.protocol === "file:" && globalThis.process?.versions?.node) return WebAssembly.compile(await fileBytes(url));
    return compiled(await fetch(url));
  }
  if (!(typeof Response === "function" && source instanceof Response)) {
    throw invalid("lodger.wasm is loaded from an address, a Response, bytes or a WebAssembly.Module");
  }
  if (!source.ok) throw new LodgerError(INVALID_VALUE, `${source.url} answers ${source.status} ${source.statusText}`.trim());
  // Streaming compilation needs the MIME type of the server; otherwise the file is read as a whole.
  const named = source.headers.get("content-type")?.split(";")[0].trim() === "application/wasm";
  return named ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/** Loads lodger.wasm, by default the file beside this one. */
export async function load(source = new URL("lodger.wasm", import.meta.url)) {
  const module = await compiled(await source);
  return new Lodger(await WebAssembly.instantiate(module, {}));
}
