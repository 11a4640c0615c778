// The scene of lodger: spawns and moves the actors of world.js, and reads their levels, frame by frame.

import { load, ms } from "./lodger.js";
import { FRAMES_PER_SECOND, MODULES, eyeAt, insideOf, people, placeOf } from "./world.js";

/** The number of frames that changes per second and tick times are averaged over. */
const COUNTED = 60;

export class Director {
  static async start() { return new Director(await load(new URL("lodger.wasm", import.meta.url))); }

  constructor(lodger) {
    this.lodger = lodger;
    this.people = people();
    this.settings = { budgetMs: 3, policy: "across-modules", hysteresis: false, walks: true };
    this.restart();
  }

  /** Restarts at the first frame with the present settings. */
  restart() {
    this.scene?.free();
    const { scene } = Object.assign(this, { scene: this.lodger.createScene(ms(this.settings.budgetMs)), frame: 0, counts: [], times: [], changes: [] });
    scene.trackChanges(true);
    this.eye = eyeAt(0);
    this.view = scene.addView([this.eye[0], 0, this.eye[1]]);
    this.modules = MODULES.map(({ name, unitCostNs, benefitValueNs, maxDistance, work }, index) => {
      const id = scene.addModule({ name, unitCostNs, benefitValueNs, maxDistance, importance: "angular" });
      const descs = this.people[index].map(({ radius }, key) => ({ work, radius, key: index * 1_000 + key }));
      return { id, actors: scene.spawn(id, descs), report: null };
    });
    this.apply();
    this.tick();
  }

  set(settings) {
    Object.assign(this.settings, settings);
    this.apply();
  }

  apply() {
    const { budgetMs, policy, hysteresis } = this.settings;
    this.scene.setBudget(ms(budgetMs));
    this.scene.setPolicy(policy);
    this.scene.setHysteresis(...(hysteresis ? [26, 8] : [0, 0]));
  }

  get seconds() { return this.frame / FRAMES_PER_SECOND; }

  moveEye(place) {
    this.settings.walks = false;
    this.eye = insideOf(place);
  }

  /** Advances by a frame. */
  next() {
    this.frame += 1;
    if (this.settings.walks) this.walk();
    this.tick();
  }

  /** Moves the eye towards its path, so that releasing it causes no jump. */
  walk() {
    const path = eyeAt(this.seconds);
    this.eye = this.eye.map((axis, index) => axis + (path[index] - axis) * 0.04);
  }

  tick() {
    this.modules.forEach(({ actors }, index) => {
      const column = actors.column("position");
      this.people[index].forEach((person, row) => {
        const [x, z] = placeOf(person, this.seconds);
        column[3 * row] = x;
        column[3 * row + 2] = z;
      });
      actors.send("position");
    });
    this.scene.setView(this.view, [this.eye[0], 0, this.eye[1]]);
    const start = performance.now();
    this.report = this.scene.tick();
    this.times = [...this.times, performance.now() - start].slice(-COUNTED);
    this.changes = this.scene.changes().filter(({ from }) => from !== null);
    this.counts = [...this.counts, this.changes.length].slice(-COUNTED);
    for (const module of this.modules) {
      module.report = this.scene.moduleReport(module.id);
      module.actors.readLevels();
    }
  }

  get changesPerSecond() {
    return this.counts.reduce((sum, count) => sum + count, 0) * FRAMES_PER_SECOND / this.counts.length;
  }

  /** Milliseconds of a tick, averaged, as browsers measure tenths at best. */
  get took() { return this.times.reduce((sum, time) => sum + time, 0) / this.times.length; }

  /** All actors: module, row, position and level. */
  *actors() {
    for (const [module, { actors }] of this.modules.entries()) {
      const [{ levels }, places] = [actors, actors.column("position")];
      for (let row = 0; row < levels.length; row += 1) yield { module, row, x: places[3 * row], z: places[3 * row + 2], level: levels[row] };
    }
  }

  why(module, row) { return this.scene.actorReport(this.modules[module].actors.handles[row]); }
}

/** The name of the actor with a key. */
export const nameOf = (key) => `${MODULES[Math.floor(key / 1_000)].name} ${(key % 1_000) + 1}`;
