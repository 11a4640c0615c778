// Types of lodger.js. lodger.h documents the calls in full; the names are the same in camelCase.
// SPDX-License-Identifier: MIT OR Apache-2.0
/// <reference lib="esnext.disposable" />

/** The first four policies differ in the use of leftover budget: none, within a module, across modules, or all of the
 * budget that is not spent. `optimal` maximises benefit x quality. */
export type Policy = "keep" | "within-module" | "across-modules" | "whole-budget" | "optimal";
export const POLICIES: readonly Policy[];

export type Importance = "solid-angle" | "angular";

export type Load = "normal" | "tight" | "infeasible";

/** The reason for an actor's level. */
export type Reason =
  | "forced" | "forced-into-range" | "unmanaged" | "invisible" | "quarantined" | "overcommitted" | "pinned" | "share"
  | "highest" | "capped" | "leftovers" | "worth-highest" | "worth-capped" | "not-worth" | "no-room";

/** The columns of actors:
 * - `position`: three 32-bit floats, metres from the scene's origin
 * - `worldPosition`: three 64-bit floats, metres in the world
 * - `radius` in metres, `age` in seconds, `speed` in metres per second
 * - `benefit`: overriding; below 0 it is computed from the four above
 * - `forced`: a level; below 0 automatic
 * - `priority`: a factor of the benefit, 0 to 65 535/4096, rounded to 1/4096; 1 at first
 * - `visible`: 0 or 1
 * - `key`: of the caller; in changes and reports
 * - `inView`: 0 or 1, as the page's own culling found it. Once set for an actor, no frustum is tested for its module until
 *   `testViews`; its other actors are in view. */
export type Column = "position" | "worldPosition" | "radius" | "age" | "speed" | "benefit" | "forced" | "visible" | "key" | "priority"
  | "inView";

/** The typed array of a column. */
export interface ColumnArrays {
  position: Float32Array;
  worldPosition: Float64Array;
  radius: Float32Array;
  age: Float32Array;
  speed: Float32Array;
  benefit: Float32Array;
  forced: Float32Array;
  priority: Float32Array;
  visible: Uint8Array;
  inView: Uint8Array;
  key: BigUint64Array;
}

/** A position in metres: x, y and z. */
export type Place = ArrayLike<number>;
export type ModuleId = number;
export type ViewId = bigint;
export type ActorId = bigint;
/** A batch, handles, or one handle. */
export type ActorList = Actors | BigUint64Array | Iterable<ActorId> | ActorId;

export type Status =
  | "ok" | "no-such-scene" | "no-such-view" | "no-such-module" | "no-such-actor" | "invalid-value" | "invalid-argument"
  | "busy" | "panicked";

/** The error of a failed call, or of an ended instance (`panicked`). A call with many actors applies to all valid ones,
 * and the message names the first invalid one. */
export class LodgerError extends Error {
  constructor(status: number, text: string, options?: { cause?: unknown });
  /** The lodger_status of lodger.h. */
  readonly status: number;
  readonly code: Status | "unknown";
}

/** Converts milliseconds to whole nanoseconds, the unit of budgets, costs and reports. */
export function ms(milliseconds: number): number;

/** Loads lodger.wasm from an address, a `Response`, its bytes or a compiled module; by default the file beside
 * lodger.js. Every call makes an instance with its own memory.
 * @throws LodgerError if it is not lodger.wasm of this version, or the server does not have it */
export function load(source?: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<Lodger>;

/** An instance of lodger.wasm, which creates scenes. */
export class Lodger {
  private constructor();
  /** The memory of its scenes, which never shrinks. */
  readonly memory: WebAssembly.Memory;
  /** Whether a panic ended it. Every call then throws a LodgerError with the code `panicked`. */
  readonly ended: boolean;
  /** Creates an empty scene.
   * @param budgetNs nanoseconds a frame; `Infinity` is unlimited */
  createScene(budgetNs: number | bigint): Scene;
  /** The text of a status. */
  statusText(status: number): string;
}

/** The benefit rule of a module. */
export interface Rule {
  importance?: Importance;
  /** Metres at which importance is 0; no limit by default. */
  maxDistance?: number | null;
  /** The sum of the three weights is 1. */
  weightDistance?: number;
  weightAge?: number;
  weightSpeed?: number;
  bias?: number;
  /** Seconds at which importance is 0; needed if age has a weight. */
  maxAge?: number | null;
  /** Metres per second at which importance is 1; needed if speed has a weight. */
  maxSpeed?: number | null;
}

export interface ModuleDesc extends Rule {
  name?: string;
  /** Nanoseconds of one unit of work; measured times change it. */
  unitCostNs: number;
  /** The cost in nanoseconds that a benefit of 1 is worth. Only the policy `optimal`, set before, decides without it. */
  benefitValueNs?: number | null;
  /** Of each level, 0 to 1, not decreasing; even steps by default. */
  qualities?: ArrayLike<number>;
  /** Qualities for any number of levels n, of t = level / (n - 1), without `qualities`: t, 1 - (1 - t)^2, or 0 below the
   * highest level; `linear` by default. */
  qualityCurve?: "linear" | "diminishing" | "all-or-nothing";
  /** Constant units, without actors. */
  overhead?: number;
  /** The highest level that is not forced. */
  lodCap?: number | null;
  /** Whether fractional levels are valid. */
  continuous?: boolean;
  /** `false`: all actors have their highest level. */
  managed?: boolean;
}

export interface ActorDesc {
  /** Units of work at level 0, 1 and so on; not decreasing, 1 to 256 of them. Actors that share an array
   * spawn faster. */
  work: ArrayLike<number>;
  /** Of each level, 0 to 1, not decreasing; of the module by default. */
  qualities?: ArrayLike<number>;
  key?: number | bigint;
  /** Metres in the world: 0, 0, 0. */
  position?: Place;
  /** Metres: 1. */
  radius?: number;
  /** Seconds: 0. */
  age?: number;
  /** Metres per second: 0. */
  speed?: number;
  /** Overriding; computed by default or below 0. */
  benefit?: number | null;
  /** A forced level; automatic by default or below 0. */
  forced?: number | null;
  /** The valid levels; all by default. */
  lowest?: number;
  highest?: number;
  visible?: boolean;
}

/** The plan of the last tick. Nanoseconds are numbers, exact up to 2^53 (104 days). */
export interface Report {
  load: Load;
  /** `Infinity` if unlimited. */
  budgetNs: number;
  assignedNs: number;
  /** Its forced, unmanaged and constant part. */
  reservedNs: number;
  /** The excess of the minimum over the budget. */
  overcommitNs: number;
  /** The factor on all targets, 0 to 1. */
  scale: number;
  /** The share of the budget that is kept free. */
  headroom: number;
  /** Benefit x quality of the plan, and its upper bound; `null` if not computed. */
  value: number | null;
  upperBound: number | null;
  /** The largest rounding error of a position since the previous tick, in metres along an axis. */
  roundingM: number;
  actors: number;
  quarantined: number;
  /** The number of `changes()`. */
  changes: number;
  /** The number of automatic level changes. */
  switches: number;
}

export interface ModuleReport {
  managed: boolean;
  actors: number;
  /** Of all actors and the overhead. */
  assignedNs: number;
  /** The target of its automatic actors. */
  targetNs: number;
  /** Of work, without the overhead. */
  units: number;
  /** Of all actors. */
  benefit: number;
  /** Of the plan. */
  unitCostNs: number;
  /** Of the measurements alone. */
  rawUnitCostNs: number;
  /** Units. */
  overhead: number;
  lodCap: number | null;
}

export interface ActorReport {
  reason: Reason;
  key: bigint;
  /** `null` if the policy has no shares. */
  shareNs: number | null;
  benefit: number;
  quality: number;
  /** With its fraction. */
  level: number;
  costNs: number;
  module: ModuleId;
}

export interface Change {
  actor: ActorId;
  key: bigint;
  module: ModuleId;
  /** `null` at its first tick. */
  from: number | null;
  to: number;
  /** Of the step to the next level, in 1/65536. */
  fraction: number;
}

/** Views, modules and actors with one budget. A failed call leaves the scene unchanged; see LodgerError. A plan stays
 * until the next tick. Freed by `free`, by `using`, or some time after the last reference to it and its batches. */
export class Scene {
  private constructor();
  free(): void;
  [Symbol.dispose](): void;

  /** Nanoseconds a frame, or `Infinity`. */
  setBudget(ns: number | bigint): void;
  setPolicy(policy: Policy): void;
  /** Sets the hysteresis, in 1/256 of benefit and of budget. 0, 0 is off, the default; 26, 8 suits a moving camera and
   * measured costs. */
  setHysteresis(margin: number, deadBand: number): void;
  /** Sets the most actors that a tick may upgrade; `Infinity` by default. */
  setMaxUpgrades(most: number): void;
  /** Sets the number of search moves of the optimal policy, 512 by default, at most 65536. */
  setSearchMoves(moves: number): void;
  /** Sets the share of ticks whose work may exceed the budget, 0 to 0.5; 0.001 by default. */
  setHeadroomTarget(part: number): void;
  /** Ends a frame, whose measured time the headroom follows, for pages that do not tick in each frame. After the first call,
   * ticks no longer end frames; before the first tick it does nothing. */
  frameDone(): void;
  /** Multiplies all unit costs, their measurements and the own cost, after a change of the processor's clock. */
  scaleCosts(numerator: number, denominator: number): void;
  /** Sets the time of a tick itself, in nanoseconds below 4.29 s, which every budget pays first; 0 by default. */
  setOwnCost(ns: number | bigint): void;
  /** Records the measured time of a tick itself, in nanoseconds, which the own cost follows. */
  observeOwnTime(ns: number | bigint): void;
  /** Sets whether a module upgrades at most a sixteenth of its actors, or one if that is more, in a tick, by one level each,
   * until its first measured time. */
  setCautiousStart(cautious: boolean): void;
  /** Sets whether unmanaged modules count in the budget; true by default. */
  setUnmanagedInBudget(count: boolean): void;
  /** Sets whether ticks list changes, for `changes`. */
  trackChanges(track: boolean): void;
  /** Moves the origin of `position`, for eyes that are kilometres from it. Positions in the world stay, up to the
   * rounding error of a 32-bit float. */
  setOrigin(origin: Place): void;
  origin(): [number, number, number];
  advanceAges(seconds: number): void;

  /** Adds an eye in the world. The view with the largest benefit counts. */
  addView(eye: Place): ViewId;
  /** Moves the eye. The zoom and the frustum stay. */
  setView(view: ViewId, eye: Place): void;
  /** The magnification, 1/64 to 64; 1 at first. At zoom z, an actor at z times a distance has the importance that it has at
   * this distance without a zoom. */
  setViewZoom(view: ViewId, zoom: number): void;
  /** A camera in the world: its view matrix and a perspective projection, each 16 numbers in columns. Replaces the eye, the
   * zoom and the frustum. */
  setViewMatrices(view: ViewId, viewMatrix: ArrayLike<number>, projection: ArrayLike<number>, options?: {
    /** The vertical field of view of zoom 1, in degrees, between 0 and 180; without it the zoom is 1. */
    referenceFov?: number | null;
    /** Degrees by which the sides of the frustum are turned outwards for actors that were inside, for example 2; without it
     * there is no frustum. */
    margin?: number | null;
  }): void;
  removeView(view: ViewId): void;

  addModule(desc: ModuleDesc): ModuleId;
  /** Reserves memory for more actors. */
  reserve(module: ModuleId, actors: number): void;
  /** Restarts the calibration from this cost. */
  setUnitCost(module: ModuleId, ns: number): void;
  setBenefitValue(module: ModuleId, ns: number): void;
  /** Missing values have the defaults of a new module. */
  setRule(module: ModuleId, rule: Rule): void;
  /** A factor of the benefits of all its actors, beside their own: 0 to 65 535/4096, rounded to 1/4096; 1 at first. */
  setModulePriority(module: ModuleId, priority: number): void;
  /** The factor of a benefit at a view whose frustum does not contain the actor, or of an actor that is not `inView`: 0 to 1,
   * rounded to 1/4096; 1 at first. */
  setOutside(module: ModuleId, factor: number): void;
  /** Forgets the column `inView` of the module's actors, and tests the frusta of views again. */
  testViews(module: ModuleId): void;
  setManaged(module: ModuleId, managed: boolean): void;
  setLodCap(module: ModuleId, level: number | null): void;
  setOverhead(module: ModuleId, units: number): void;
  /** Records the measured time of units, by default the units of the last plan, with the overhead. Updates unit cost
   * and headroom. Call it once for each run of the module's work. */
  observeTime(module: ModuleId, ns: number | bigint, units?: number | bigint): void;
  moduleReport(module: ModuleId): ModuleReport;

  /** All or none. */
  spawn(module: ModuleId, descs: readonly ActorDesc[]): Actors;
  /** Spawns `count` actors from one desc, whose columns are sent next. */
  spawnAlike(module: ModuleId, desc: ActorDesc, count: number): Actors;
  /** A batch of existing actors, of any modules. */
  batch(actors: Iterable<ActorId>): Actors;
  despawn(actors: ActorList): void;
  /** Sets a column: the numbers of one actor for all of them, or of each. Arrays in the instance's memory are read in
   * place, others are copied. */
  set<Name extends Column>(actors: ActorList, column: Name,
    values: ColumnArrays[Name] | ArrayLike<number | bigint | boolean> | number | bigint | boolean): void;
  setRange(actor: ActorId, lowest: number, highest: number): void;
  /** Resets the range to all levels, and qualities to the module's or even steps. */
  setWork(actor: ActorId, work: ArrayLike<number>): void;
  /** One for each level; `null`: even steps. */
  setQualities(actor: ActorId, qualities: ArrayLike<number> | null): void;

  /** Decides the levels of a frame. */
  tick(): Report;
  /** The report of the last tick. */
  report(): Report;
  /** Computes value and upper bound of the last plan. */
  certify(): { value: number; upperBound: number };
  /** Whole levels, in `out` or a new array; 0 for an actor that does not exist or has no plan. */
  levels(actors: ActorList, out?: Uint8Array): Uint8Array;
  /** Levels with their fractions. */
  lods(actors: ActorList, out?: Float32Array): Float32Array;
  /** The level changes of the last tick, including new actors, if changes are tracked. */
  changes(): Change[];
  actorReport(actor: ActorId): ActorReport;
}

/** Actors of a scene whose columns are sent and read together.
 *
 * Its arrays are views of the instance's memory, and any call that grows that memory detaches them: their length is 0
 * from then on. So call `column(...)` where you use it, and do not keep it over a spawn; its contents stay. */
export class Actors {
  private constructor();
  readonly scene: Scene;
  readonly length: number;
  readonly handles: BigUint64Array;
  /** The result of `readLevels`. */
  readonly levels: Uint8Array;
  /** The result of `readLods`. */
  readonly lods: Float32Array;
  /** A column to fill and send. It begins with zeros: it holds the values to send, not the values of the scene. */
  column<Name extends Column>(name: Name): ColumnArrays[Name];
  /** Sends a column to the scene. */
  send(name: Column): void;
  /** Sets a column from your own array, or for all actors at once. */
  set<Name extends Column>(name: Name,
    values: ColumnArrays[Name] | ArrayLike<number | bigint | boolean> | number | bigint | boolean): void;
  /** Reads the whole levels of the last plan, in the order of `handles`. */
  readLevels(): Uint8Array;
  readLods(): Float32Array;
  /** Despawns all actors and frees the columns. Throws afterwards if some did not exist. */
  despawn(): void;
  /** Frees the columns; the actors stay. Freeing a scene frees the columns of all its batches. */
  free(): void;
  [Symbol.dispose](): void;
}

type StructLayout = { bytes: number; fields: Record<string, [type: string, offset: number, count: number]> };
/** The structs of lodger.h on wasm32, for tools. */
export const LAYOUT: Record<string, StructLayout>;
/** The values of the header's `_INIT` macros, for tools. */
export const INIT: Record<string, Record<string, number | bigint | number[]>>;
