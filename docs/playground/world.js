// The actors of the scene and their paths, reproducible by seed, without levels.

export const WIDTH = 100;
export const DEPTH = 64;
export const FRAMES_PER_SECOND = 60;
const SEED = 14;

/** The modules: units of work at each level, and numbers of actors. */
export const MODULES = [
  { name: "crowd", shape: "circle", count: 260, unitCostNs: 1_000, benefitValueNs: 260_000, maxDistance: 42,
    work: [1, 4, 12, 30, 60], radius: [0.8, 1.1], what: "bones" },
  { name: "cloth", shape: "square", count: 70, unitCostNs: 100, benefitValueNs: 520_000, maxDistance: 36,
    work: [0, 150, 500, 1_500, 3_600], radius: [0.9, 1.6], what: "vertices" },
  { name: "particles", shape: "diamond", count: 48, unitCostNs: 20, benefitValueNs: 420_000, maxDistance: 50,
    work: [50, 500, 2_000, 6_000, 14_000], radius: [1.2, 2.6], what: "particles" },
];

/** SplitMix64 as doubles from 0 to below 1. */
function chances(seed) {
  let state = BigInt(seed);
  const mask = (1n << 64n) - 1n;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let mixed = state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & mask;
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
}

/** All actors: home position, and distance and speed of their paths. */
export function people() {
  const chance = chances(SEED);
  const between = (low, high) => low + (high - low) * chance();
  const places = Array.from({ length: 9 }, () => [between(-40, 40), between(-24, 24)]);
  return MODULES.map((module) => Array.from({ length: module.count }, () => {
    const [x, z] = places[Math.floor(chance() * places.length)];
    // The sum of three random numbers is nearly normal.
    const spread = () => (chance() + chance() + chance() - 1.5) * (module.name === "particles" ? 26 : 13);
    const strays = module.name === "crowd" ? between(1, 7) : module.name === "cloth" ? between(0, 4) : 0;
    return {
      x: clamp(x + spread(), WIDTH / 2 - 8), z: clamp(z + spread() * 0.8, DEPTH / 2 - 8), strays,
      pace: between(0.08, 0.3), turn: between(0, 2 * Math.PI), twist: between(0.7, 1.6), radius: between(...module.radius),
    };
  }));
}

const clamp = (value, most) => Math.max(-most, Math.min(most, value));

/** The position of an actor at a time in seconds. */
export function placeOf({ x, z, strays, pace, turn, twist }, seconds) {
  return [x + strays * Math.sin(turn + pace * seconds * 2), z + strays * Math.cos(turn * twist + pace * twist * seconds * 2)];
}

/** The path of the eye. */
export const eyeAt = (seconds) => [34 * Math.sin(0.21 * seconds + 0.4), 21 * Math.sin(0.33 * seconds + 1.1)];

export const insideOf = ([x, z]) => [clamp(x, WIDTH / 2 - 2), clamp(z, DEPTH / 2 - 2)];
