// Plays logs of scenes through lodger.js and compares what it answers with what the scheduler answered elsewhere, bit
// for bit. It runs in Node and in browsers. A log is a line of JSON: {seed, calls: [[method, arguments, status, answer]]}.

import { LodgerError } from "../lodger.js";

const number = (told) => (told === null ? null : Number(told));
const numbers = (told) => (told == null ? told : told.map(number));

/** A JSON value in which numbers that JSON has not are strings. */
const unpacked = (desc) => Object.fromEntries(Object.entries(desc).map(([field, value]) =>
  [field, field === "key" ? BigInt(value) : Array.isArray(value) ? numbers(value)
    : typeof value === "string" && field !== "name" && field !== "importance" ? Number(value) : value]));

const same = (left, right) => Object.is(left, right);

/** A scene, and what the log calls by number. */
class Player {
  constructor(lodger, seed, counts) {
    Object.assign(this, { lodger, seed, counts, scene: null, modules: [], views: [], actors: [], tracked: false });
  }

  play(calls) {
    for (const [index, [method, args, status, told]] of calls.entries()) {
      this.where = `seed ${this.seed}, call ${index} (${method})`;
      let answered = 0;
      try {
        this.call(method, args, told);
      } catch (error) {
        if (!(error instanceof LodgerError)) throw error;
        answered = error.status;
      }
      this.compare("status", answered, status ?? 0);
      this.counts.calls += 1;
    }
    this.scene.free();
  }

  compare(what, here, there) {
    this.counts.numbers += 1;
    if (same(here, there)) return;
    this.counts.differ += 1;
    if (this.counts.first.length < 10) this.counts.first.push(`${this.where}: ${what} is ${String(here)}, not ${String(there)}`);
  }

  call(method, args, told) {
    const { scene } = this;
    const handles = (indices) => BigUint64Array.from(indices, (index) => this.actors[index]);
    const [first, second, third] = args;
    switch (method) {
      case "createScene": this.scene = this.lodger.createScene(BigInt(first)); break;
      case "setBudget": scene.setBudget(BigInt(first)); break;
      case "setOrigin": scene.setOrigin(numbers(first)); break;
      case "setMaxRaises":
      case "setHeadroomTarget":
      case "advanceAges": scene[method](number(first)); break;
      case "trackChanges": scene.trackChanges(first); this.tracked = first; break;
      case "addView": this.views.push(scene.addView(numbers(first))); break;
      case "setView": scene.setView(this.views[first], numbers(second)); break;
      case "removeView": scene.removeView(this.views[first]); break;
      case "addModule": this.modules.push(scene.addModule(unpacked(first))); break;
      case "setRule": scene.setRule(this.modules[first], unpacked(second)); break;
      case "setUnitCost": scene.setUnitCost(this.modules[first], number(second)); break;
      case "measured": scene.measured(this.modules[first], second, third ?? undefined); break;
      case "setBenefitValue":
      case "setManaged":
      case "setLodCap":
      case "setOverhead": scene[method](this.modules[first], second); break;
      case "spawn": {
        const actors = scene.spawn(this.modules[first], second.map(unpacked));
        this.actors.push(...actors.handles);
        actors.free();
        break;
      }
      case "despawn": scene.despawn(handles(first)); break;
      case "set": scene.set(handles(first), second, second === "key" ? BigUint64Array.from(third, BigInt) : this.column(second, third)); break;
      case "setRange": scene.setRange(this.actors[first], second, third); break;
      case "setWork": scene.setWork(this.actors[first], second); break;
      case "setQualities": scene.setQualities(this.actors[first], numbers(second)); break;
      case "tick": this.tick(told); break;
      case "certify": this.fields("certificate", scene.certify(), told); break;
      default: scene[method](...args);
    }
  }

  /** Sent as an array of its type, or as plain numbers, by turns. */
  column(name, told) {
    const plain = numbers(told);
    if (this.counts.calls % 2 === 0) return plain;
    return name === "worldPosition" ? Float64Array.from(plain) : name === "visible" ? Uint8Array.from(plain) : Float32Array.from(plain);
  }

  fields(what, here, there) {
    for (const [field, value] of Object.entries(there)) {
      const told = typeof value === "string" && typeof here[field] !== "string" ? Number(value) : value;
      this.compare(`${what}.${field}`, here[field], told);
    }
  }

  tick(told) {
    const { scene } = this;
    this.counts.frames += 1;
    this.fields("report", scene.tick(), told.report);
    this.fields("report again", scene.report(), told.report);
    this.levels(told);
    if (this.tracked) this.changes(scene.changes(), told.changes);
    this.modules.forEach((module, index) => {
      if (told.modules[index] !== null) this.fields(`module ${index}`, scene.moduleReport(module), told.modules[index]);
    });
    told.actors.forEach((actor, row) => {
      const [reason, key, share, benefit, quality, level, cost, module] = told.plans[row];
      const here = scene.actorReport(this.actors[actor]);
      const there = { reason, key: BigInt(key), shareNs: share, benefit, quality, level, costNs: cost, module: this.modules[module] };
      this.fields(`actor ${actor}`, here, there);
    });
  }

  levels(told) {
    const handles = told.actors.map((index) => this.actors[index]);
    const batch = this.scene.batch(handles);
    const levels = batch.readLevels();
    const lods = this.scene.lods(handles);
    told.levels.forEach((level, row) => {
      this.counts.levels += 1;
      this.compare(`level of actor ${told.actors[row]}`, levels[row], level);
      this.compare(`lod of actor ${told.actors[row]}`, lods[row], told.lods[row]);
    });
    batch.free();
  }

  changes(here, there) {
    this.compare("changes", here.length, there.length);
    there.forEach(([actor, key, module, from, to, fraction], row) => {
      const expected = { actor: this.actors[actor], key: BigInt(key), module: this.modules[module], from, to, fraction };
      // Who changed and is gone by now has no number.
      if (actor === null) delete expected.actor;
      this.fields(`change ${row}`, here[row] ?? {}, expected);
    });
  }
}

/** Plays all logs. `first` has the first differences in words. */
export function replay(lodger, text) {
  const counts = { scenes: 0, frames: 0, calls: 0, levels: 0, numbers: 0, differ: 0, first: [] };
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { seed, calls } = JSON.parse(line);
    counts.scenes += 1;
    new Player(lodger, seed, counts).play(calls);
  }
  return counts;
}

export function summary(counts) {
  const { scenes, frames, calls, levels, numbers: compared, differ, first } = counts;
  const lines = [`${scenes} scenes, ${frames} frames, ${calls} calls, ${levels} levels, ${compared} numbers compared: ${differ} differ`];
  return [...lines, ...first].join("\n");
}
