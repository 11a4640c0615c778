// Plays scripts of calls through lodger.js and compares the answers with those of the scheduler, bit for bit. It runs in
// Node and in browsers. A script is text, as the example `script` of lodger-testkit prints it: a line
// that begins with `>` is a call, a name and its numbers in hexadecimal; below it stand its status and the answers.

import { LodgerError, POLICIES } from "../lodger.js";

const LOADS = ["normal", "tight", "infeasible"];
const REASONS = ["forced", "forced-into-range", "unmanaged", "invisible", "quarantined", "overcommitted", "pinned", "share",
  "highest", "capped", "leftovers", "worth-highest", "worth-capped", "not-worth", "no-room"];
const COLUMNS = ["position", "worldPosition", "radius", "age", "speed", "benefit", "forced", "visible", "key", "priority", "inView"];
const NONE = 0xffff_ffff_ffff_ffffn;

const cell = new DataView(new ArrayBuffer(8));
const bits = (number) => { cell.setFloat64(0, number); return cell.getBigUint64(0); };
const floatBits = (number) => { cell.setFloat32(0, number); return BigInt(cell.getUint32(0)); };
const known = (number) => (number === null ? NONE : BigInt(number));
const index = (list, value) => { const at = list.indexOf(value); return at < 0 ? NONE : BigInt(at); };

/** The numbers of a call, one after the other. */
class Words {
  constructor(words) { this.words = words; this.next = 0; }
  big() { return BigInt(`0x${this.words[this.next++]}`); }
  number() { return Number(this.big()); }
  double() { cell.setBigUint64(0, this.big()); return cell.getFloat64(0); }
  float() { cell.setUint32(0, this.number()); return cell.getFloat32(0); }
  /** The same; what `absent` stands for is left out. */
  floatOr(absent) { const number = this.float(); return number === absent ? null : number; }
  bigOr(absent) { const number = this.big(); return number === absent ? null : Number(number); }
  list(take) { return Array.from({ length: this.number() }, () => take(this)); }
  floats() { return this.list((words) => words.float()); }
  doubleOr(absent) { const number = this.double(); return number === absent ? null : number; }
  matrix() { return Float64Array.from({ length: 16 }, () => this.double()); }
  place() { return [this.double(), this.double(), this.double()]; }

  rule() {
    return {
      importance: this.number() === 1 ? "angular" : "solid-angle", maxDistance: this.floatOr(-1),
      weightDistance: this.float(), weightAge: this.float(), weightSpeed: this.float(), bias: this.float(),
      maxAge: this.floatOr(-1), maxSpeed: this.floatOr(-1),
    };
  }

  cap() { const level = this.number(); return level === 255 ? null : level; }

  module(name) {
    const desc = {
      name, ...this.rule(), continuous: this.number() === 1, managed: this.number() === 1, unitCostNs: this.double(),
      benefitValueNs: this.bigOr(NONE), overhead: this.number(), lodCap: this.cap(),
    };
    const qualities = this.floats();
    return qualities.length > 0 ? { ...desc, qualities } : desc;
  }

  actor() {
    const work = this.list((words) => words.number());
    const qualities = this.floats();
    const desc = {
      work, key: this.big(), position: this.place(), radius: this.float(), age: this.float(), speed: this.float(),
      benefit: this.floatOr(-1), forced: this.floatOr(-1),
    };
    const [lowest, highest] = [this.number(), this.number()];
    if (qualities.length > 0) desc.qualities = qualities;
    if (lowest !== 0 || highest !== 255) Object.assign(desc, { lowest, highest });
    return { ...desc, visible: this.number() === 1 };
  }
}

/** A scene, and what the script calls by number; what never came has the handle 0. */
class Player {
  constructor(lodger, where, counts) {
    Object.assign(this, { where, counts, scene: lodger.createScene(NONE), modules: [], views: [], actors: [], tracked: false });
  }

  module(words) { return this.modules[words.number()] ?? 0; }
  view(words) { return this.views[words.number()] ?? 0n; }
  actor(words) { return this.actors[words.number()] ?? 0n; }
  handles(words) { return BigUint64Array.from(words.list(() => this.actor(words))); }

  /** Makes a call, and compares its status and what it answers with lines of the script. */
  play(line, expected) {
    const [name, ...rest] = line.split(" ");
    const answers = [];
    let status = 0;
    try {
      this.call(name, new Words(rest), answers);
    } catch (error) {
      if (!(error instanceof LodgerError)) throw error;
      status = error.status;
    }
    this.counts.calls += 1;
    const here = [String(status), ...answers];
    const lines = Math.max(here.length, expected.length);
    for (let row = 0; row < lines; row += 1) this.compare(`${this.where}, ${name}`, here[row], expected[row]);
    if (name === "tick") this.compare(`${this.where}, report again`, report(this.scene.report()), expected[1]);
  }

  compare(what, here = "no line", there = "no line") {
    this.counts.numbers += there.split(" ").length;
    if (here === there) return;
    this.counts.differ += 1;
    if (this.counts.first.length < 10) this.counts.first.push(`${what}: ${here}, not ${there}`);
  }

  call(name, words, answers) {
    const { scene } = this;
    switch (name) {
      case "budget": scene.setBudget(words.big()); break;
      case "policy": scene.setPolicy(POLICIES[words.number()]); break;
      case "hysteresis": scene.setHysteresis(words.number(), words.number()); break;
      case "max-upgrades": { const most = words.number(); scene.setMaxUpgrades(most === 0xffff_ffff ? Infinity : most); break; }
      case "search-moves": scene.setSearchMoves(words.number()); break;
      case "headroom": scene.setHeadroomTarget(words.double()); break;
      case "frame-done": scene.frameDone(); break;
      case "scale-costs": { const numerator = words.number(); scene.scaleCosts(numerator, words.number()); break; }
      case "own-cost": scene.setOwnCost(words.big()); break;
      case "own-time": scene.observeOwnTime(words.big()); break;
      case "cautious-start": scene.setCautiousStart(words.number() === 1); break;
      case "unmanaged-in-budget": scene.setUnmanagedInBudget(words.number() === 1); break;
      case "track-changes": this.tracked = words.number() === 1; scene.trackChanges(this.tracked); break;
      case "advance-ages": scene.advanceAges(words.float()); break;
      case "origin": scene.setOrigin(words.place()); break;
      case "add-view": this.views.push(scene.addView(words.place())); break;
      case "set-view": scene.setView(this.view(words), words.place()); break;
      case "zoom": scene.setViewZoom(this.view(words), words.double()); break;
      case "matrices": {
        const [view, ...matrices] = [this.view(words), words.matrix(), words.matrix()];
        scene.setViewMatrices(view, ...matrices, { referenceFov: words.doubleOr(-1), margin: words.doubleOr(-1) });
        break;
      }
      case "remove-view": scene.removeView(this.view(words)); break;
      case "add-module": this.modules.push(scene.addModule(words.module(`module ${this.modules.length}`))); break;
      case "rule": scene.setRule(this.module(words), words.rule()); break;
      case "unit-cost": scene.setUnitCost(this.module(words), words.double()); break;
      case "benefit-value": scene.setBenefitValue(this.module(words), words.number()); break;
      case "module-priority": scene.setModulePriority(this.module(words), words.double()); break;
      case "outside": scene.setOutside(this.module(words), words.double()); break;
      case "test-views": scene.testViews(this.module(words)); break;
      case "managed": scene.setManaged(this.module(words), words.number() === 1); break;
      case "lod-cap": scene.setLodCap(this.module(words), words.cap()); break;
      case "overhead": scene.setOverhead(this.module(words), words.number()); break;
      case "observe-time": {
        const [module, units, ns] = [this.module(words), words.big(), words.big()];
        scene.observeTime(module, ns, units === NONE ? undefined : units);
        break;
      }
      case "observe-share": {
        const [module, percent] = [this.module(words), words.big()];
        scene.observeTime(module, BigInt(this.planned(module)) / 100n * percent);
        break;
      }
      case "spawn": {
        const actors = scene.spawn(this.module(words), words.list(() => words.actor()));
        this.actors.push(...actors.handles);
        actors.free();
        break;
      }
      case "despawn": scene.despawn(this.handles(words)); break;
      case "set": scene.set(this.handles(words), ...this.column(words)); break;
      case "range": scene.setRange(this.actor(words), words.number(), words.number()); break;
      case "work": scene.setWork(this.actor(words), words.list(() => words.number())); break;
      case "qualities": scene.setQualities(this.actor(words), words.floats()); break;
      case "tick": this.tick(answers); break;
      case "certify": {
        const { value, upperBound } = scene.certify();
        answers.push(text("certificate", bits(value), bits(upperBound)));
        break;
      }
      default: throw new Error(`there is no call ${name}`);
    }
  }

  planned(module) {
    try {
      return this.scene.moduleReport(module).assignedNs;
    } catch (error) {
      if (!(error instanceof LodgerError)) throw error;
      return 0;
    }
  }

  /** A column's name and its values: as an array of its type or as plain numbers, by turns. */
  column(words) {
    const name = COLUMNS[words.number()];
    const take = { position: () => [words.float(), words.float(), words.float()], worldPosition: () => words.place(),
      visible: () => words.number(), inView: () => words.number(), key: () => words.big() }[name] ?? (() => words.float());
    const plain = words.list(take).flat();
    if (name === "key") return [name, BigUint64Array.from(plain)];
    if (this.counts.calls % 2 === 0) return [name, plain];
    const Type = { worldPosition: Float64Array, visible: Uint8Array, inView: Uint8Array }[name] ?? Float32Array;
    return [name, Type.from(plain)];
  }

  tick(answers) {
    const { scene } = this;
    this.counts.frames += 1;
    const plan = scene.tick();
    answers.push(report(plan), text("rounding", bits(plan.roundingM)));
    const reports = this.actors.map((actor) => this.reported(actor));
    answers.push(...this.levels(reports));
    if (this.tracked) answers.push(...scene.changes().map((change) => this.change(change)));
    for (const module of this.modules) {
      const plan = scene.moduleReport(module);
      answers.push(text("module", plan.actors, plan.assignedNs, plan.targetNs, plan.units, bits(plan.unitCostNs), plan.overhead));
      answers.push(text("module-report", plan.managed ? 1 : 0, bits(plan.benefit), bits(plan.rawUnitCostNs), plan.lodCap ?? 255));
    }
    reports.forEach((plan, number) => {
      if (plan === null) return;
      answers.push(text("actor", number, index(REASONS, plan.reason), plan.key, known(plan.shareNs), bits(plan.benefit),
        bits(plan.quality), bits(plan.level), plan.costNs, index(this.modules, plan.module)));
    });
  }

  /** The plan of an actor; null for an actor that does not exist. */
  reported(actor) {
    try {
      return this.scene.actorReport(actor);
    } catch (error) {
      if (!(error instanceof LodgerError) || error.code !== "no-such-actor") throw error;
      return null;
    }
  }

  /** Levels and LODs of all spawned actors, 0 for despawned ones, which are left out of the calls. */
  levels(reports) {
    const status = reports.includes(null) ? 4 : 0;
    const present = this.actors.filter((_, number) => reports[number] !== null);
    const batch = this.scene.batch(present);
    const decided = [...batch.readLevels()];
    const lods = [...this.scene.lods(present)];
    batch.free();
    this.counts.levels += present.length;
    const spread = (values) => reports.map((plan) => (plan === null ? 0 : values.shift()));
    return [text("levels", status, ...spread(decided)), text("lods", status, ...spread(lods).map(floatBits))];
  }

  change({ actor, key, module, from, to, fraction }) {
    return text("change", index(this.actors, actor), key, index(this.modules, module), known(from), to, fraction);
  }
}

function text(name, ...numbers) {
  return [name, ...numbers.map((number) => number.toString(16))].join(" ");
}

function report(plan) {
  const value = (number) => (number === null ? NONE : bits(number));
  const budget = plan.budgetNs === Infinity ? NONE : plan.budgetNs;
  return text("tick", index(LOADS, plan.load), budget, plan.assignedNs, plan.reservedNs, plan.overcommitNs, bits(plan.scale),
    bits(plan.headroom), value(plan.value), value(plan.upperBound), plan.actors, plan.quarantined,
    plan.changes, plan.switches);
}

/** Plays all scripts. `first` has the first differences in words. */
export function replay(lodger, log) {
  const counts = { scenes: 0, frames: 0, calls: 0, levels: 0, numbers: 0, differ: 0, first: [] };
  for (const scene of log.split(/^scene /m).slice(1)) {
    counts.scenes += 1;
    const [head, ...calls] = scene.trimEnd().split(/^> /m);
    const player = new Player(lodger, `seed ${head.trim()}`, counts);
    for (const call of calls) {
      const [line, ...expected] = call.trimEnd().split("\n");
      player.play(line, expected);
    }
    player.scene.free();
  }
  return counts;
}

export function summary(counts) {
  const { scenes, frames, calls, levels, numbers: compared, differ, first } = counts;
  const lines = [`${scenes} scenes, ${frames} frames, ${calls} calls, ${levels} levels, ${compared} numbers compared: ${differ} differ`];
  return [...lines, ...first].join("\n");
}
