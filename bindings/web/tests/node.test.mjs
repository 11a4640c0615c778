// lodger.js in Node, over the lodger.wasm of the folder LODGER_WEB.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { INIT, LAYOUT, LodgerError, POLICIES, load, ms } from "../lodger.js";
import { serve } from "../serve.mjs";
import { readHeader } from "./header.js";
import { replay, summary } from "./replay.js";

const folder = pathToFileURL(`${process.env.LODGER_WEB}/`);
const wasm = await readFile(new URL("lodger.wasm", folder));
const compiled = await WebAssembly.compile(wasm);
const headerFile = fileURLToPath(new URL("../../c/include/lodger.h", import.meta.url));
const header = readHeader(await readFile(headerFile, "utf8"));
const source = await readFile(fileURLToPath(new URL("../lodger.js", import.meta.url)), "utf8");

const rejected = (code, text) => (error) => {
  assert.ok(error instanceof LodgerError, String(error));
  assert.equal(error.code, code, error.message);
  assert.match(error.message, text);
  return true;
};
const CLOTH = { name: "cloth", unitCostNs: 500, benefitValueNs: 3_000_000 };
const WORK = [0, 400, 2_000];

async function smallScene(budget = ms(2)) {
  const scene = (await load(compiled)).createScene(budget);
  const cloth = scene.addModule(CLOTH);
  const eye = scene.addView([0, 0, 0]);
  return { scene, cloth, eye };
}

test("random scenes are decided as on the machine that wrote the scripts", async () => {
  const lodger = await load(compiled);
  const counts = replay(lodger, await readFile(new URL("scripts.txt", folder), "utf8"));
  console.log(summary(counts));
  assert.ok(counts.scenes >= 100 && counts.levels > 10_000, "the scripts are too short to tell anything");
  assert.equal(counts.differ, 0, summary(counts));
});

test("a script that is wrong by the last bit is noticed", async () => {
  const [, script] = (await readFile(new URL("scripts.txt", folder), "utf8")).split(/^(?=scene )/m);
  const wrong = script.replace(/^(tick \w+ \w+ \w+ )(\w+)/m, (_, head, word) => head + (BigInt(`0x${word}`) ^ 1n).toString(16));
  assert.notEqual(wrong, script);
  const counts = replay(await load(compiled), wrong);
  assert.ok(counts.differ >= 2, summary(counts));
});

test("the table of structs is the header's", () => {
  const layout = Object.fromEntries(Object.keys(LAYOUT).map((name) => [name, header.structs[name]]));
  assert.deepEqual(LAYOUT, layout);
  assert.equal(Object.keys(header.structs).length, Object.keys(LAYOUT).length);
});

test("what descs have by themselves is what the header's macros say", () => {
  const words = { NULL: 0, LODGER_NO_LIMIT: -1, LODGER_NO_CAP: 255, LODGER_ALL_LEVELS: 255, ...header.enumerators };
  for (const [name, values] of Object.entries(INIT)) {
    const macro = header.inits[name].replaceAll(/\(uint32_t\)sizeof\(\w+\)/g, LAYOUT[name].bytes);
    const flat = macro.replaceAll(/[{}]/g, "").split(",").map((word) => word.trim());
    const there = flat.map((word) => words[word] ?? Number.parseFloat(word));
    assert.deepEqual(Object.values(values).flat().map(Number), there, name);
  }
});

test("every function of the header is called, and the module imports nothing", () => {
  const exported = WebAssembly.Module.exports(compiled).filter(({ kind }) => kind === "function");
  const names = exported.map(({ name }) => name).filter((name) => name.startsWith("lodger_"));
  assert.deepEqual(names.sort(), [...header.functions].sort());
  for (const name of names) assert.ok(source.includes(`"${name}"`), `${name} is never called`);
  assert.deepEqual(WebAssembly.Module.imports(compiled), []);
});

test("words stand at the numbers that the header gives them", async () => {
  const lodger = await load(compiled);
  const policies = ["KEEP", "WITHIN_MODULE", "ACROSS_MODULES", "WHOLE_BUDGET", "OPTIMAL"];
  assert.deepEqual(policies.map((name) => header.enumerators[`LODGER_${name}`]), POLICIES.map((_, index) => index));
  assert.equal(lodger.statusText(header.enumerators.LODGER_BUSY), "another thread uses this scene");
  assert.equal(new LodgerError(header.enumerators.LODGER_NO_SUCH_ACTOR, "").code, "no-such-actor");
});

test("a budget is divided, and changes are listed", async () => {
  const { scene, cloth, eye } = await smallScene();
  scene.trackChanges(true);
  const capes = scene.spawn(cloth, [{ work: WORK, position: [2, 0, 0], key: 7 }, { work: WORK, position: [0, 9, 0], key: 2n ** 60n }]);
  const report = scene.tick();
  assert.deepEqual([...capes.readLevels()], [2, 1]);
  assert.deepEqual(scene.changes().map(({ key, from, to }) => [key, from, to]), [[7n, null, 2], [2n ** 60n, null, 1]]);
  assert.ok(report.assignedNs <= report.budgetNs && report.budgetNs === 2_000_000);
  scene.setView(eye, [0, 8, 0]);
  capes.set("position", [0, 0, 0, 0, 9, 0]);
  scene.tick();
  assert.deepEqual([...capes.readLevels()], [1, 2]);
  assert.equal(scene.actorReport(capes.handles[1]).reason, "highest");
  assert.equal(scene.moduleReport(cloth).lodCap, null);
});

test("columns in memory outlive its growth", async () => {
  const { scene, cloth } = await smallScene();
  const few = scene.spawnAlike(cloth, { work: WORK }, 2);
  few.column("worldPosition").set([1, 0, 0, 400, 0, 0]);
  const stale = few.column("worldPosition");
  const before = scene.tick();
  scene.spawnAlike(cloth, { work: WORK, position: [1e6, 0, 0] }, 100_000);
  assert.equal(stale.length, 0, "memory did not grow, so this proves nothing");
  assert.throws(() => few.set("worldPosition", stale), rejected("invalid-argument", /detached/));
  assert.deepEqual([...few.column("worldPosition")], [1, 0, 0, 400, 0, 0]);
  few.send("worldPosition");
  few.send("worldPosition");
  const report = scene.tick();
  assert.equal(report.actors, before.actors + 100_000);
  assert.equal(few.readLevels().length, 2);
  assert.ok(few.levels[0] > few.levels[1]);
});

test("a column is sent from memory, from an array and from one value alike", async () => {
  const decided = [];
  for (const how of ["memory", "typed", "plain"]) {
    const { scene, cloth } = await smallScene();
    const actors = scene.spawnAlike(cloth, { work: WORK }, 50);
    const places = Float32Array.from({ length: 150 }, (_, index) => (index % 3 === 0 ? index / 7 : 0));
    if (how === "memory") {
      actors.column("position").set(places);
      actors.send("position");
    } else {
      actors.set("position", how === "typed" ? places : [...places]);
    }
    actors.set("radius", 0.5);
    actors.set("visible", true);
    actors.set("key", Array.from({ length: 50 }, (_, index) => BigInt(index)));
    decided.push([scene.tick(), [...actors.readLevels()], [...actors.readLods()], scene.actorReport(actors.handles[9]).key]);
  }
  assert.deepEqual(decided[0], decided[1]);
  assert.deepEqual(decided[0], decided[2]);
  assert.ok(new Set(decided[0][1]).size > 1);
});

test("priorities, zoom and frustum change benefits", async () => {
  const { scene, cloth, eye } = await smallScene(Infinity);
  const capes = scene.spawn(cloth, [{ work: WORK, position: [0, 0, -8] }, { work: WORK, position: [0, 0, 8] }]);
  const benefits = () => {
    scene.tick();
    return [...capes.handles].map((cape) => scene.actorReport(cape).benefit);
  };
  const [plain] = benefits();
  capes.set("priority", [0.5, 1]);
  assert.deepEqual(benefits(), [Math.floor(plain * 32768) / 65536, plain]);
  capes.set("priority", 1);
  scene.setModulePriority(cloth, 0);
  assert.deepEqual(benefits(), [0, 0]);
  scene.setModulePriority(cloth, 1);
  scene.setViewZoom(eye, 2);
  assert.ok(benefits()[0] > plain);
  const view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const projection = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -0.2, 0];
  scene.setOutside(cloth, 0);
  scene.setViewMatrices(eye, view, projection, { margin: 2 });
  assert.deepEqual(benefits(), [plain, 0]);
  scene.setViewMatrices(eye, view, projection, { referenceFov: 60 });
  assert.ok(benefits()[1] > 0 && benefits()[1] < plain);
  const wrong = (call, code, text) => assert.throws(call, rejected(code, text));
  wrong(() => capes.set("priority", 16), "invalid-value", /priority/);
  wrong(() => scene.setOutside(cloth, 2), "invalid-value", /outside/);
  wrong(() => scene.setViewMatrices(eye, view, view), "invalid-value", /orthographic/);
  wrong(() => scene.setViewMatrices(eye, view, projection, { margin: -1 }), "invalid-argument", /margin/);
  wrong(() => scene.setViewMatrices(eye, [1], projection), "invalid-argument", /16 numbers/);
});

test("a module without a benefit value, and with a curve, is for the optimal policy", async () => {
  const { scene } = await smallScene(Infinity);
  const desc = { name: "hair", unitCostNs: 500, qualityCurve: "diminishing" };
  assert.throws(() => scene.addModule(desc), rejected("invalid-value", /hair/));
  assert.throws(() => scene.addModule({ ...desc, qualityCurve: "best" }), rejected("invalid-argument", /linear, diminishing/));
  assert.throws(() => scene.addModule({ ...desc, qualities: [0, 1] }), rejected("invalid-argument", /a curve/));
});

test("a scene with an origin says where it is and what places lose", async () => {
  const { scene, cloth } = await smallScene();
  const [actor] = scene.spawn(cloth, [{ work: WORK, position: [4_000_000.123, 0, 0] }]).handles;
  assert.ok(scene.tick().roundingM > 0.1);
  scene.setOrigin([4_000_000, 0, 0]);
  scene.set(actor, "worldPosition", [4_000_000.123, 0, 0]);
  assert.ok(scene.tick().roundingM < 1e-6);
  assert.deepEqual(scene.origin(), [4_000_000, 0, 0]);
});

test("mistakes are rejected with a message, and change nothing", async () => {
  const { scene, cloth, eye } = await smallScene();
  const actors = scene.spawn(cloth, [{ work: WORK }]);
  const [actor] = actors.handles;
  const wrong = (call, code, text) => assert.throws(call, rejected(code, text));
  wrong(() => scene.setBudget(-1), "invalid-argument", /the budget is -1/);
  wrong(() => scene.setBudget(0.5), "invalid-argument", /whole number/);
  wrong(() => scene.setPolicy("best"), "invalid-argument", /keep, within-module/);
  wrong(() => scene.setHysteresis(256, 0), "invalid-argument", /the margin is 256/);
  wrong(() => scene.addModule({ unitCostNs: 1, benefitValueNs: 1, colour: 3 }), "invalid-argument", /no field colour/);
  wrong(() => scene.addModule({ benefitValueNs: 1 }), "invalid-argument", /unitCostNs/);
  wrong(() => scene.addModule({ ...CLOTH, name: "a\0b" }), "invalid-argument", /NUL/);
  wrong(() => scene.addModule({ ...CLOTH, weightDistance: 3 }), "invalid-value", /weights/i);
  wrong(() => scene.spawn(cloth, [{ work: WORK }, { work: [3, 2] }]), "invalid-value", /./);
  wrong(() => scene.spawn(cloth, [{ work: WORK, qualities: [1] }]), "invalid-argument", /1 qualities/);
  wrong(() => scene.spawn(cloth, [{ work: [-1] }]), "invalid-argument", /actor 0.work\[0\] is -1/);
  wrong(() => scene.spawn(77, [{ work: WORK }]), "no-such-module", /module/);
  wrong(() => scene.set(actors, "colour", 1), "invalid-argument", /no column colour/);
  wrong(() => scene.set(actors, "position", [1, 2]), "invalid-argument", /2 numbers/);
  wrong(() => scene.set(actor, "radius", -1), "invalid-value", /element 0/);
  wrong(() => scene.set(5, "radius", 1), "invalid-argument", /./);
  wrong(() => scene.setRange(5, 0, 1), "invalid-argument", /bigint/);
  wrong(() => scene.setRange(12345n, 0, 1), "no-such-actor", /actor/);
  wrong(() => scene.setView(eye, [1, 2]), "invalid-argument", /three numbers/);
  wrong(() => scene.setView(eye, [NaN, 0, 0]), "invalid-value", /position/i);
  wrong(() => scene.removeView(99n), "no-such-view", /view/);
  wrong(() => scene.levels(actors, new Uint8Array(2)), "invalid-argument", /length/);
  wrong(() => scene.changes(), "invalid-value", /tracked/);
});

test("a stale handle is an error, and the others are served", async () => {
  const { scene, cloth } = await smallScene(Infinity);
  const actors = scene.spawnAlike(cloth, { work: WORK }, 3);
  const [, middle] = actors.handles;
  scene.despawn(middle);
  assert.throws(() => actors.set("forced", 1), rejected("no-such-actor", /element 1/));
  assert.equal(scene.tick().budgetNs, Infinity);
  assert.throws(() => actors.readLevels(), rejected("no-such-actor", /element 1/));
  assert.deepEqual([...actors.levels], [1, 0, 1]);
});

test("a scene that is freed is gone, with its columns", async () => {
  const { scene, cloth } = await smallScene();
  const actors = scene.spawnAlike(cloth, { work: WORK }, 4);
  scene.free();
  scene.free();
  assert.throws(() => scene.tick(), rejected("no-such-scene", /scene/));
  assert.throws(() => actors.handles, rejected("no-such-scene", /given back/));
  const { scene: other } = await smallScene();
  other[Symbol.dispose]();
  assert.throws(() => other.tick(), rejected("no-such-scene", /scene/));
});

test("memory of scenes and batches comes back", async () => {
  const lodger = await load(compiled);
  const round = () => {
    const scene = lodger.createScene(ms(1));
    const module = scene.addModule(CLOTH);
    for (let index = 0; index < 4; index += 1) {
      const actors = scene.spawnAlike(module, { work: WORK }, 2_000);
      actors.column("worldPosition").fill(index);
      actors.send("worldPosition");
      scene.tick();
      actors.readLods();
      if (index % 2 === 0) actors.despawn();
    }
    scene.free();
  };
  for (let index = 0; index < 5; index += 1) round();
  const settled = lodger.memory.buffer.byteLength;
  for (let index = 0; index < 60; index += 1) round();
  assert.equal(lodger.memory.buffer.byteLength, settled);
});

test("one array may say both work and qualities", async () => {
  const steps = [0, 1];
  const plan = async (qualities) => {
    const { scene, cloth } = await smallScene();
    const [actor] = scene.spawn(cloth, [{ work: steps, qualities, position: [2, 0, 0] }]).handles;
    scene.tick();
    return scene.actorReport(actor);
  };
  const apart = await plan([...steps]);
  assert.deepEqual([apart.level, apart.quality], [1, 1]);
  assert.deepEqual(await plan(steps), apart);
});

test("a batch is made of handles in memory, even where memory grows for it", async () => {
  const { scene, cloth } = await smallScene();
  const actors = scene.spawnAlike(cloth, { work: WORK }, 50_000);
  const handles = actors.handles.slice();
  let [stale, batch] = [actors.handles, null];
  for (let index = 0; index < 200 && stale.length > 0; index += 1) {
    stale = actors.handles;
    batch = scene.batch(stale);
  }
  assert.equal(stale.length, 0, "memory did not grow, so this proves nothing");
  assert.deepEqual(batch.handles, handles);
  assert.throws(() => scene.batch(stale), rejected("invalid-argument", /detached/));
});

test("a batch that is despawned is freed, even if some of it was gone", async () => {
  const lodger = await load(compiled);
  const scene = lodger.createScene(ms(1));
  const cloth = scene.addModule(CLOTH);
  const round = () => {
    const actors = scene.spawnAlike(cloth, { work: WORK }, 5_000);
    actors.column("worldPosition");
    scene.despawn(actors.handles[3]);
    assert.throws(() => actors.despawn(), rejected("no-such-actor", /element 3/));
    assert.throws(() => actors.handles, rejected("no-such-scene", /given back/));
    assert.equal(scene.tick().actors, 0);
  };
  for (let index = 0; index < 5; index += 1) round();
  const settled = lodger.memory.buffer.byteLength;
  for (let index = 0; index < 60; index += 1) round();
  assert.equal(lodger.memory.buffer.byteLength, settled);
});

test("an unreadable address is rejected, and the next one is served", async () => {
  const { server, address } = await serve([["/", fileURLToPath(folder)]]);
  try {
    // Without an answer the client would wait forever.
    const status = async (path) => (await fetch(`${address}${path}`, { signal: AbortSignal.timeout(60_000) })).status;
    assert.deepEqual([await status("%"), await status("/"), await status("%00"), await status("lodger.wasm")], [400, 400, 404, 200]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test("a scene without references is freed", { skip: globalThis.gc === undefined && "needs --expose-gc" }, async () => {
  const lodger = await load(compiled);
  const scenes = () => {
    // Handles of scenes are not visible; memory is. Scenes with 20 000 actors fill it quickly if they stay.
    const scene = lodger.createScene(ms(1));
    scene.spawnAlike(scene.addModule(CLOTH), { work: WORK }, 20_000);
  };
  let most = 0;
  for (let index = 0; index < 40; index += 1) {
    scenes();
    globalThis.gc();
    await new Promise((resolve) => { setTimeout(resolve, 1); });
    if (index === 9) most = lodger.memory.buffer.byteLength;
  }
  assert.equal(lodger.memory.buffer.byteLength, most);
});

test("what is no lodger.wasm is not loaded", async () => {
  await assert.rejects(load(7), rejected("invalid-argument", /address/));
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  await assert.rejects(load(empty), rejected("invalid-argument", /not lodger's/));
  await assert.rejects(load(new Response("", { status: 404 })), rejected("invalid-value", /404/));
});

test("it is loaded from an address, a response and bytes", async () => {
  const bytes = new Response(wasm, { headers: { "content-type": "application/wasm" } });
  const unnamed = new Response(wasm);
  for (const from of [new URL("lodger.wasm", folder), new URL("lodger.wasm", folder).href, wasm, bytes, unnamed, Promise.resolve(compiled)]) {
    assert.equal((await load(from)).createScene(5).tick().budgetNs, 5);
  }
});

test("an instance that trapped says that it is over", async () => {
  const lodger = await load(trapping(wasm));
  const scene = lodger.createScene(ms(1));
  assert.throws(() => scene.tick(), (error) => {
    assert.ok(error instanceof LodgerError && error.code === "panicked" && error.cause instanceof WebAssembly.RuntimeError);
    return true;
  });
  assert.ok(lodger.ended);
  assert.throws(() => lodger.createScene(1), rejected("panicked", /load another/));
  assert.throws(() => scene.report(), rejected("panicked", /load another/));
  scene.free();
});

/** The same module with lodger_tick's body replaced by `unreachable`, as a panic ends there. */
function trapping(bytes) {
  const patched = Uint8Array.from(bytes);
  let at = 8;
  const leb = () => {
    let [value, shift, byte] = [0, 0, 0];
    do { byte = patched[at++]; value |= (byte & 127) << shift; shift += 7; } while (byte > 127);
    return value;
  };
  let tick = -1;
  while (at < patched.length) {
    const section = patched[at++];
    const end = leb() + at;
    if (section === 7) {
      for (let left = leb(); left > 0; left -= 1) {
        const length = leb();
        const name = new TextDecoder().decode(patched.subarray(at, at += length));
        at += 1;
        const index = leb();
        if (name === "lodger_tick") tick = index;
      }
    } else if (section === 10) {
      const count = leb();
      for (let index = 0; index < count; index += 1) {
        const size = leb();
        const next = at + size;
        if (index === tick) {
          // No locals, unreachable, nops, end.
          patched.fill(1, at, next);
          patched.set([0, 0], at);
          patched[next - 1] = 0x0b;
        }
        at = next;
      }
    }
    at = end;
  }
  return patched;
}
