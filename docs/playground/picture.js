// Canvases: the scene from above, and the work of the last frames.

import { DEPTH, MODULES, WIDTH } from "./world.js";

/** Seconds for which a change is visible. */
const FLASH = 0.7;
const PAST = 300;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The present colours of the page. */
export function colours() {
  const levels = [0, 1, 2, 3, 4].map((level) => style(`--level-${level}`));
  const named = ["paper", "ground", "grid", "ink", "faint", "accent", "eye", "glow", "over", "panel", "line"].map((name) => [name, style(`--${name}`)]);
  return { levels, ...Object.fromEntries(named) };
}

/** Resizes a canvas to its displayed size, in pixels of the screen. */
function fitted(canvas) {
  const [ratio, { width, height }] = [devicePixelRatio || 1, canvas.getBoundingClientRect()];
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  const to = canvas.getContext("2d");
  to.setTransform(ratio, 0, 0, ratio, 0, 0);
  to.clearRect(0, 0, width, height);
  return { to, width, height };
}

export const scaleOf = (canvas) => canvas.getBoundingClientRect().width / WIDTH;
export const toPage = (scale, [x, z]) => [(x + WIDTH / 2) * scale, (z + DEPTH / 2) * scale];
export const toWorld = (scale, [left, top]) => [left / scale - WIDTH / 2, top / scale - DEPTH / 2];

function outline(to, shape, x, y, size) {
  to.beginPath();
  if (shape === "circle") to.arc(x, y, size, 0, 2 * Math.PI);
  else if (shape === "square") to.roundRect(x - size * 0.9, y - size * 0.9, size * 1.8, size * 1.8, size * 0.3);
  else {
    to.moveTo(x, y - size * 1.25);
    to.lineTo(x + size * 1.25, y);
    to.lineTo(x, y + size * 1.25);
    to.lineTo(x - size * 1.25, y);
    to.closePath();
  }
}

/** The shapes for the page's legend. */
export const icon = (shape) => `<svg viewBox="-7 -7 14 14" aria-hidden="true">${{
  circle: '<circle r="5"/>', square: '<rect x="-5" y="-5" width="10" height="10" rx="1.5"/>', diamond: '<path d="M0-6.5 6.5 0 0 6.5-6.5 0z"/>',
}[shape]}</svg>`;

function ground(to, scale, eye, colour) {
  to.strokeStyle = colour.grid;
  to.lineWidth = 1;
  to.beginPath();
  for (let x = -40; x <= 40; x += 10) to.rect((x + WIDTH / 2) * scale, 0, 0, DEPTH * scale);
  for (let z = -30; z <= 30; z += 10) to.rect(0, (z + DEPTH / 2) * scale, WIDTH * scale, 0);
  to.stroke();
  const [left, top] = toPage(scale, eye);
  const light = to.createRadialGradient(left, top, 0, left, top, 34 * scale);
  for (const [stop, alpha] of [[0, 0.26], [0.25, 0.14], [0.6, 0.05], [1, 0]]) light.addColorStop(stop, `rgb(${colour.glow} / ${alpha})`);
  to.fillStyle = light;
  to.fillRect(0, 0, WIDTH * scale, DEPTH * scale);
}

function drawEye(to, scale, eye, colour) {
  const [left, top] = toPage(scale, eye);
  to.lineWidth = 2.5;
  to.strokeStyle = colour.eye;
  to.fillStyle = colour.panel;
  to.beginPath();
  to.moveTo(left - 17, top);
  to.quadraticCurveTo(left, top - 17, left + 17, top);
  to.quadraticCurveTo(left, top + 17, left - 17, top);
  to.closePath();
  to.fill();
  to.stroke();
  to.fillStyle = colour.accent;
  to.beginPath();
  to.arc(left, top, 5.5, 0, 2 * Math.PI);
  to.fill();
  to.fillStyle = colour.eye;
  to.beginPath();
  to.arc(left, top, 2.3, 0, 2 * Math.PI);
  to.fill();
}

/** Draws the scene. `flashes` has the time in seconds of the last change of each key, and whether its level rose. */
export function drawScene(canvas, director, flashes, chosen, colour) {
  const { to } = fitted(canvas);
  const scale = scaleOf(canvas);
  ground(to, scale, director.eye, colour);
  const size = (level) => Math.max(0.34, 0.42 + 0.13 * level) * scale;
  const actors = [...director.actors()].sort((one, other) => one.level - other.level);
  for (const { module, row, x, z, level } of actors) {
    const [left, top] = toPage(scale, [x, z]);
    const flash = flashes.get(module * 1_000 + row);
    const age = flash ? (director.seconds - flash.when) / FLASH : 1;
    if (age < 1) {
      to.globalAlpha = 1 - age;
      to.strokeStyle = flash.rose ? colour.levels[level] : colour.faint;
      to.lineWidth = 2;
      outline(to, "circle", left, top, size(level) + (flash.rose ? 3 + age * 9 : 12 - age * 9));
      to.stroke();
      to.globalAlpha = 1;
    }
    outline(to, MODULES[module].shape, left, top, size(level));
    to.fillStyle = colour.levels[level];
    to.globalAlpha = level === 0 ? 0.75 : 1;
    to.fill();
    to.globalAlpha = 1;
    const isChosen = chosen !== null && chosen.module === module && chosen.row === row;
    to.strokeStyle = isChosen ? colour.ink : colour.ground;
    to.lineWidth = isChosen ? 2.5 : 1;
    to.stroke();
  }
  drawEye(to, scale, director.eye, colour);
}

/** Draws the assigned milliseconds of each frame with its budget. */
export function drawPast(canvas, past, colour) {
  const { to, width, height } = fitted(canvas);
  const shown = past.slice(-PAST);
  const most = Math.max(1, ...shown.map(({ budget }) => budget), ...shown.map(({ assigned }) => assigned)) * 1.18;
  const across = (index) => (index + PAST - shown.length) / (PAST - 1) * width;
  const up = (value) => height - 1 - value / most * (height - 6);
  to.beginPath();
  to.moveTo(across(0), height);
  shown.forEach(({ assigned }, index) => to.lineTo(across(index), up(assigned)));
  to.lineTo(width, height);
  to.closePath();
  to.fillStyle = `rgb(${colour.glow} / .18)`;
  to.fill();
  const line = (value, stroke, wide, dashes) => {
    to.beginPath();
    shown.forEach((frame, index) => to.lineTo(across(index), up(value(frame))));
    Object.assign(to, { strokeStyle: stroke, lineWidth: wide });
    to.setLineDash(dashes);
    to.stroke();
    to.setLineDash([]);
  };
  line(({ assigned }) => assigned, colour.accent, 1.75, []);
  line(({ budget }) => budget, colour.ink, 1.25, [5, 4]);
}
