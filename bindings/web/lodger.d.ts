// Types of lodger.js. What the calls mean in full is in lodger.h; the names are the same in camelCase.
// SPDX-License-Identifier: MIT OR Apache-2.0
/// <reference lib="esnext.disposable" />

/** How the budget is divided. The first four differ in who gets what shares leave over: nobody, the same module, any
 * actor, or any actor and out of all that is not spent. `optimal` buys the most benefit x quality. */
export type Policy = "keep" | "within-module" | "across-modules" | "whole-budget" | "optimal";
export const POLICIES: readonly Policy[];

export type Importance = "solid-angle" | "angular";

export type Load = "normal" | "tight" | "infeasible";

/** Why an actor has its level. */
export type Reason =
  | "forced" | "forced-into-range" | "unmanaged" | "invisible" | "quarantined" | "overcommitted" | "pinned" | "share"
  | "highest" | "capped" | "leftovers" | "worth-highest" | "worth-capped" | "not-worth" | "no-room";

/** What a call about actors can set:
 * - `position`: three 32-bit floats, metres from the scene's origin
 * - `worldPosition`: three 64-bit floats, metres in the world
 * - `radius` in metres, `age` in seconds, `speed` in metres per second
 * - `benefit`: given; below 0 it is computed from the four above
 * - `forced`: a level; below 0 the ledger chooses
 * - `visible`: 0 or 1
 * - `key`: yours; changes and reports carry it */
export type Column = "position" | "worldPosition" | "radius" | "age" | "speed" | "benefit" | "forced" | "visible" | "key";

/** The typed array that a column is sent as. */
export interface ColumnArrays {
  position: Float32Array;
  worldPosition: Float64Array;
  radius: Float32Array;
  age: Float32Array;
  speed: Float32Array;
  benefit: Float32Array;
  forced: Float32Array;
  visible: Uint8Array;
  key: BigUint64Array;
}

/** Where something is, in metres: x, y and z. */
export type Place = ArrayLike<number>;
export type ModuleId = number;
export type ViewId = bigint;
export type ActorId = bigint;
/** A batch, handles, or one handle. */
export type ActorList = Actors | BigUint64Array | Iterable<ActorId> | ActorId;

export type Status =
  | "ok" | "no-such-scene" | "no-such-view" | "no-such-module" | "no-such-actor" | "refused" | "invalid-argument"
  | "busy" | "panicked";

/** A call that was refused, or an instance that has ended (`panicked`). After a call about many actors, those that
 * could be served were served, and the text tells the first who was not. */
export class LodgerError extends Error {
  constructor(status: number, text: string, options?: { cause?: unknown });
  /** The lodger_status of lodger.h. */
  readonly status: number;
  readonly code: Status | "unknown";
}

/** Milliseconds as whole nanoseconds, which budgets, costs and reports are in. */
export function ms(milliseconds: number): number;

/** Loads lodger.wasm: from an address, a `Response`, its bytes or a compiled module; by itself the file beside
 * lodger.js. Every call makes an instance with a memory of its own.
 * @throws LodgerError where it is not lodger.wasm of this version, or the server does not have it */
export function load(source?: string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module): Promise<Lodger>;

/** An instance of lodger.wasm, which scenes are made in. */
export class Lodger {
  private constructor();
  /** All that its scenes hold. It grows and does not shrink. */
  readonly memory: WebAssembly.Memory;
  /** Whether a defect has stopped it. Every call then throws a LodgerError whose code is `panicked`. */
  readonly ended: boolean;
  /** A scene without views, modules and actors.
   * @param budgetNs nanoseconds a frame; `Infinity` is a budget without end */
  createScene(budgetNs: number | bigint): Scene;
  /** What a status means, in words. */
  statusText(status: number): string;
}

/** What a module's benefits are made of. */
export interface Rule {
  importance?: Importance;
  /** Metres at which importance is 0; without it there is none. */
  maxDistance?: number | null;
  /** The three weights are together 1. */
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
  /** Nanoseconds that a benefit of 1 may cost. */
  benefitValueNs: number;
  /** Of each level, 0 to 1, not decreasing; even steps if it is left out. */
  qualities?: ArrayLike<number>;
  /** Units that the module takes however few actors it has. */
  overhead?: number;
  /** The highest level that is not forced. */
  lodCap?: number | null;
  /** Whether levels between two are valid. */
  continuous?: boolean;
  /** `false`: all actors have their highest level. */
  managed?: boolean;
}

export interface ActorDesc {
  /** Units of work at level 0, 1 and so on; not decreasing, 1 to 256 of them. Actors that share an array are spawned
   * sooner. */
  work: ArrayLike<number>;
  /** Of each level, 0 to 1, not decreasing; those of the module if it is left out. */
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
  /** Given; computed if it is left out or below 0. */
  benefit?: number | null;
  /** A level; the ledger chooses if it is left out or below 0. */
  forced?: number | null;
  /** The levels that are valid: all. */
  lowest?: number;
  highest?: number;
  visible?: boolean;
}

/** What the last tick decided. Nanoseconds are numbers, exact up to 2^53 (104 days). */
export interface Report {
  load: Load;
  /** `Infinity` without end. */
  budgetNs: number;
  assignedNs: number;
  /** Of which: forced, unmanaged and constant. */
  fixedNs: number;
  /** By how much the least exceeds the budget; 0 if it is feasible. */
  overcommitNs: number;
  /** The factor on all targets, 0 to 1. */
  scale: number;
  /** The part of the budget that was kept free. */
  headroom: number;
  /** Benefit x quality of the plan, and what no plan exceeds; `null` if nobody asked. */
  value: number | null;
  upperBound: number | null;
  /** Metres, along an axis: the most that a place was moved since the tick before by being made a 32-bit float. */
  narrowing: number;
  actors: number;
  quarantined: number;
  /** How many `changes()` has. */
  changes: number;
  /** Levels that the ledger changed. */
  flips: number;
}

export interface ModuleReport {
  managed: boolean;
  actors: number;
  /** Of all actors and the overhead. */
  assignedNs: number;
  /** What its automatic actors may cost where there is enough. */
  targetNs: number;
  /** Of work, without the overhead. */
  units: number;
  /** Of all actors. */
  benefit: number;
  /** As it was planned with. */
  unitCostNs: number;
  /** By the measurements alone. */
  rawUnitCostNs: number;
  /** Units. */
  overhead: number;
  lodCap: number | null;
}

export interface ActorReport {
  reason: Reason;
  key: bigint;
  /** `null` where the policy knows no shares. */
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
  /** `null`: this was its first tick. */
  from: number | null;
  to: number;
  /** Of the way to the next level, in 1/65536. */
  fraction: number;
}

/** Views, modules and actors, and a budget for all of them. On an error the scene is as it was; see LodgerError.
 * What was decided by the last tick stands until the next one. Freed by `free`, by `using`, or some time after nobody
 * refers to it and its batches. */
export class Scene {
  private constructor();
  free(): void;
  [Symbol.dispose](): void;

  /** Nanoseconds a frame, or `Infinity`. */
  setBudget(ns: number | bigint): void;
  setPolicy(policy: Policy): void;
  /** How much better another plan has to be, in 1/256 of benefit and of budget. 0, 0: every frame by itself, the
   * default; 26, 8 suits a camera that moves and prices that are measured. */
  setStability(margin: number, reserve: number): void;
  /** How many actors a tick may raise at most; `Infinity` is the default. */
  setMaxRaises(most: number): void;
  /** How many levels the optimal policy may try out where its bound leaves something open. */
  setTrials(trials: number): void;
  /** In which part of all ticks the work may exceed the budget, 0 to 0.5; 0.001 is the default. */
  setHeadroomTarget(part: number): void;
  /** Whether modules that are not managed are paid for; they are by default. */
  setCountUnmanaged(count: boolean): void;
  /** Whether ticks list who changed, for `changes`. */
  trackChanges(track: boolean): void;
  /** Moves the origin that `position` is relative to, for eyes that are kilometres from it. Everybody stays where they
   * are in the world, to the precision of a 32-bit float. */
  setOrigin(origin: Place): void;
  origin(): [number, number, number];
  advanceAges(seconds: number): void;

  /** An eye in the world. An actor counts by the one that it matters most to. */
  addView(eye: Place): ViewId;
  setView(view: ViewId, eye: Place): void;
  removeView(view: ViewId): void;

  addModule(desc: ModuleDesc): ModuleId;
  /** Makes room for so many more actors. */
  reserve(module: ModuleId, actors: number): void;
  /** Its calibration begins again from this price. */
  setUnitCost(module: ModuleId, ns: number): void;
  setBenefitValue(module: ModuleId, ns: number): void;
  /** What is left out has the value of a new module. */
  setRule(module: ModuleId, rule: Rule): void;
  setManaged(module: ModuleId, managed: boolean): void;
  setLodCap(module: ModuleId, level: number | null): void;
  setOverhead(module: ModuleId, units: number): void;
  /** How long its work took: so many units, or those of the last plan, and its overhead. Once for each time that the
   * module has worked; unit cost and headroom follow. */
  measured(module: ModuleId, ns: number | bigint, units?: number | bigint): void;
  moduleReport(module: ModuleId): ModuleReport;

  /** All or none. */
  spawn(module: ModuleId, descs: readonly ActorDesc[]): Actors;
  /** `count` actors from one desc, for those whose columns are sent next. */
  spawnAlike(module: ModuleId, desc: ActorDesc, count: number): Actors;
  /** A batch of actors that are there already, of any modules. */
  batch(actors: Iterable<ActorId>): Actors;
  despawn(actors: ActorList): void;
  /** Sets a column: as many numbers as one actor has, for all of them, or as many for each. Arrays that lie in the
   * instance's memory are read in place, others are copied. */
  set<Name extends Column>(actors: ActorList, column: Name,
    values: ColumnArrays[Name] | ArrayLike<number | bigint | boolean> | number | bigint | boolean): void;
  setRange(actor: ActorId, lowest: number, highest: number): void;
  /** All levels of the new work are valid; its qualities are the module's, or even steps. */
  setWork(actor: ActorId, work: ArrayLike<number>): void;
  /** As many as there are levels; `null`: even steps. */
  setQualities(actor: ActorId, qualities: ArrayLike<number> | null): void;

  /** Decides a frame. */
  tick(): Report;
  /** The same report again. */
  report(): Report;
  /** Finds value and upper bound of the last plan where its policy did not. */
  certify(): { value: number; upperBound: number };
  /** Whole levels; 0 for whoever is not here or not decided yet. Into `out`, or into a new array. */
  levels(actors: ActorList, out?: Uint8Array): Uint8Array;
  /** Levels with their fractions. */
  lods(actors: ActorList, out?: Float32Array): Float32Array;
  /** Who has another level than before the last tick, newcomers included, if changes are tracked. */
  changes(): Change[];
  actorReport(actor: ActorId): ActorReport;
}

/** Actors of a scene whose columns are sent and read together.
 *
 * Its arrays show the memory of the instance, and any call that makes that memory grow detaches them: their length is
 * 0 from then on. So ask for `column(...)` where they are used, and do not keep them over a spawn; what is in them stays. */
export class Actors {
  private constructor();
  readonly scene: Scene;
  readonly length: number;
  readonly handles: BigUint64Array;
  /** What `readLevels` read. */
  readonly levels: Uint8Array;
  /** What `readLods` read. */
  readonly lods: Float32Array;
  /** A column to be filled in and sent. It begins as zeros: it is what you say, not what the scene knows. */
  column<Name extends Column>(name: Name): ColumnArrays[Name];
  /** Sends a column to the scene. */
  send(name: Column): void;
  /** Sets a column from an array of your own, or for all at once. */
  set<Name extends Column>(name: Name,
    values: ColumnArrays[Name] | ArrayLike<number | bigint | boolean> | number | bigint | boolean): void;
  /** Reads the whole levels that the last tick decided, in the order of `handles`. */
  readLevels(): Uint8Array;
  readLods(): Float32Array;
  /** Despawns all of them, and gives the columns back. If some were gone it throws, and has done both. */
  despawn(): void;
  /** Gives the columns back; the actors stay. A scene that is freed does this for all its batches. */
  free(): void;
  [Symbol.dispose](): void;
}

type StructLayout = { bytes: number; fields: Record<string, [type: string, offset: number, count: number]> };
/** The structs of lodger.h on wasm32, for tools. */
export const LAYOUT: Record<string, StructLayout>;
/** What the header's `_INIT` macros say, for tools. */
export const INIT: Record<string, Record<string, number | bigint | number[]>>;
