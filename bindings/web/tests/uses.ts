// A program that only has to type-check: it uses what lodger.d.ts promises, and nothing that it forbids.

import { Actors, Lodger, LodgerError, POLICIES, Scene, load, ms } from "../lodger.js";
import type { ActorDesc, Change, ModuleDesc, Policy, Report } from "../lodger.js";

const cloth: ModuleDesc = { name: "cloth", unitCostNs: 500, benefitValueNs: ms(3), maxDistance: 50, lodCap: null };
const cape: ActorDesc = { work: new Uint32Array([0, 400, 2_000]), position: [0, 1, 2], key: 7n, forced: null };

export async function decide(): Promise<Report> {
  const lodger: Lodger = await load(new URL("lodger.wasm", import.meta.url));
  using scene: Scene = lodger.createScene(Infinity);
  const module = scene.addModule(cloth);
  const eye = scene.addView([0, 0, 0]);
  const capes: Actors = scene.spawn(module, [cape]);
  const places: Float64Array = capes.column("worldPosition");
  places[0] = 4;
  capes.send("worldPosition");
  capes.set("visible", true);
  scene.set(capes.handles, "key", [1n]);
  scene.setView(eye, new Float32Array(3));
  scene.setViewMatrices(eye, new Float32Array(16), new Float64Array(16), { referenceFov: 60, margin: null });
  const priorities: Float32Array = capes.column("priority");
  priorities[0] = 2;
  const levels: Uint8Array = capes.readLevels();
  const changes: Change[] = scene.changes();
  const policy: Policy | undefined = POLICIES[levels[0] ?? 0];
  if (policy !== undefined && changes.length === 0) scene.setPolicy(policy);
  // @ts-expect-error there is no such policy
  scene.setPolicy("best");
  // @ts-expect-error a price is missing
  scene.addModule({ name: "voices" });
  // @ts-expect-error there is no such column
  capes.send("colour");
  // @ts-expect-error scenes are made by an instance
  new Scene();
  return scene.tick();
}

export const codeOf = (error: unknown): string => (error instanceof LodgerError ? error.code : "unknown");
