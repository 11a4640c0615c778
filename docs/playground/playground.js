// The page: controls, numbers, and the clock that drives frames.

import { Director, nameOf } from "./director.js";
import { colours, drawPast, drawScene, icon, scaleOf, toPage, toWorld } from "./picture.js";
import { FRAMES_PER_SECOND, MODULES } from "./world.js";

const $ = (id) => document.getElementById(id);
const REASONS = {
  overcommitted: "the least, as the budget is too small", pinned: "the least, which is more than its share",
  share: "all that its share pays", highest: "the highest, within its share", leftovers: "raised from leftovers",
  "worth-highest": "the highest, worth its price", "not-worth": "more is not worth it", "no-room": "the budget does not pay for more",
};
/** The longest frame: a hidden page pauses instead of skipping. */
const LONGEST = 0.1;
const LISTED = 10;
const NEAR_PIXELS = 16;

class Page {
  past = [];
  flashes = new Map();
  news = [];
  chosen = null;
  most = 0;
  playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  colour = colours();
  #last = null;
  #owed = 0;

  constructor(director) {
    this.director = director;
    this.canvas = $("scene");
    this.lists();
    this.controls();
    this.pointer();
    addEventListener("keydown", (event) => this.key(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    this.note();
    this.show();
    requestAnimationFrame((now) => this.loop(now));
  }

  /** Builds the parts of the page that depend on the modules and levels. */
  lists() {
    $("shapes").innerHTML = MODULES.map(({ name, shape }) => `<li>${icon(shape)}${name}</li>`).join("");
    $("levels").innerHTML = this.colour.levels.map((_, level) =>
      `<li><i style="background: var(--level-${level})"></i>level ${level} <b id="at-${level}"></b></li>`).join("");
    $("modules").innerHTML = MODULES.map(({ name, shape }, index) => `<li>${icon(shape)}<span>${name}</span><span id="module-${index}"></span>
      <div class="bar"><i id="assigned-${index}"></i><u id="target-${index}"></u></div></li>`).join("");
  }

  controls() {
    const { settings } = this.director;
    $("budget").addEventListener("input", () => this.change({ budgetMs: Number($("budget").value) }));
    $("policy").addEventListener("change", () => this.change({ policy: $("policy").value }));
    $("hysteresis").addEventListener("change", () => this.change({ hysteresis: $("hysteresis").checked }));
    $("walks").addEventListener("change", () => { settings.walks = $("walks").checked; });
    $("play").addEventListener("click", () => this.play(!this.playing));
    $("step").addEventListener("click", () => { this.play(false); this.run(1); });
    $("restart").addEventListener("click", () => this.restart());
    this.play(this.playing);
    this.showSettings();
  }

  /** Applies new settings; a paused scene is decided again at once. */
  change(settings) {
    this.director.set(settings);
    this.showSettings();
    if (!this.playing) this.run(1);
  }

  /** Shows the settings in the controls. */
  showSettings() {
    const { budgetMs, policy, hysteresis, walks } = this.director.settings;
    $("budget").value = budgetMs;
    $("budget-text").value = `${budgetMs.toFixed(1)} ms a frame`;
    $("policy").value = policy;
    $("hysteresis").checked = hysteresis;
    $("walks").checked = walks;
  }

  play(playing) {
    this.playing = playing;
    this.#last = null;
    $("play").textContent = playing ? "Pause" : "Play";
  }

  restart() {
    this.director.restart();
    this.past = [];
    this.news = [];
    this.flashes.clear();
    this.note();
    this.show();
  }

  /** Advances by `count` frames and shows the last one. */
  run(frames) {
    for (let left = frames; left > 0; left -= 1) {
      this.director.next();
      this.note();
    }
    this.show();
  }

  loop(now) {
    requestAnimationFrame((later) => this.loop(later));
    if (!this.playing) return;
    const passed = this.#last === null ? 1 / FRAMES_PER_SECOND : Math.min(LONGEST, (now - this.#last) / 1000);
    this.#last = now;
    this.#owed += passed * FRAMES_PER_SECOND;
    const frames = Math.floor(this.#owed);
    this.#owed -= frames;
    if (frames > 0) this.run(frames);
  }

  key(event) {
    const typing = event.target instanceof HTMLSelectElement || event.target instanceof HTMLInputElement;
    const onButton = event.target instanceof HTMLButtonElement;
    const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === " " && !onButton) this.play(!this.playing);
    else if (event.key === ".") { this.play(false); this.run(1); }
    else if (event.key.toLowerCase() === "r") this.restart();
    else if (arrow && event.target === this.canvas) this.moveEye(this.director.eye.map((axis, index) => axis + 1.5 * arrow[index]));
    else return;
    event.preventDefault();
  }

  pointer() {
    const { canvas } = this;
    const at = (event) => [event.offsetX, event.offsetY];
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      this.moveEye(toWorld(scaleOf(canvas), at(event)));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.moveEye(toWorld(scaleOf(canvas), at(event)));
      else this.choose(at(event));
    });
    canvas.addEventListener("pointerleave", () => this.choose(null));
  }

  moveEye(place) {
    this.director.moveEye(place);
    this.showSettings();
    if (!this.playing) this.run(1);
  }

  /** Shows the actor near the pointer and the reason for its level. */
  choose(at) {
    const scale = scaleOf(this.canvas);
    this.chosen = null;
    let nearest = NEAR_PIXELS;
    for (const actor of at === null ? [] : this.director.actors()) {
      const [left, top] = toPage(scale, [actor.x, actor.z]);
      const distance = Math.hypot(left - at[0], top - at[1]);
      if (distance < nearest) [nearest, this.chosen] = [distance, actor];
    }
    this.tip();
    if (!this.playing) this.draw();
  }

  tip() {
    $("tip").hidden = this.chosen === null;
    if (this.chosen === null) return;
    const { module, row } = this.chosen;
    const { actors } = this.director.modules[module];
    const place = [actors.column("position")[3 * row], actors.column("position")[3 * row + 2]];
    const { level, reason, costNs, benefit } = this.director.why(module, row);
    const work = `${MODULES[module].work[level].toLocaleString("en")} ${MODULES[module].what}`;
    $("tip").innerHTML = `<b>${nameOf(module * 1_000 + row)}: level ${level}</b>${work}, ${(costNs / 1000).toFixed(0)} µs<br>
      <span>${REASONS[reason] ?? reason}; benefit ${benefit.toFixed(3)}</span>`;
    const [left, top] = toPage(scaleOf(this.canvas), place);
    const { width } = this.canvas.getBoundingClientRect();
    Object.assign($("tip").style, { left: `${Math.min(left + 18, width - 240)}px`, top: `${top + 16}px` });
  }

  /** Updates the page after a frame. */
  note() {
    const { changes, report, seconds, frame } = this.director;
    for (const { key, from, to } of changes) this.flashes.set(Number(key), { when: seconds, rose: to > from });
    this.news = [...changes.map((change) => ({ ...change, frame })), ...this.news].slice(0, LISTED);
    this.past = [...this.past, { assigned: report.assignedNs / 1e6, budget: report.budgetNs / 1e6 }].slice(-300);
  }

  show() {
    this.numbers();
    this.bars();
    this.list();
    if (this.chosen !== null) this.tip();
    this.draw();
  }

  draw() {
    drawScene(this.canvas, this.director, this.flashes, this.chosen, this.colour);
    drawPast($("past"), this.past, this.colour);
  }

  recolour() {
    this.colour = colours();
    this.draw();
  }

  numbers() {
    const { report, took, changesPerSecond } = this.director;
    $("assigned").value = (report.assignedNs / 1e6).toFixed(2);
    $("assigned").className = report.overcommitNs > 0 ? "over" : "";
    const isOptimal = report.value !== null && report.upperBound > 0;
    $("scale-name").textContent = isOptimal ? "of the best possible" : "scale of all shares";
    $("scale").value = (100 * (isOptimal ? report.value / report.upperBound : report.scale)).toFixed(isOptimal ? 2 : 1);
    $("rate").value = changesPerSecond.toFixed(0);
    $("took").value = took.toFixed(2);
    const counts = [0, 0, 0, 0, 0];
    for (const { level } of this.director.actors()) counts[level] += 1;
    counts.forEach((count, level) => { $(`at-${level}`).textContent = count; });
  }

  bars() {
    const reports = this.director.modules.map(({ report }) => report);
    // The longest bar shrinks slowly, so that the others do not jump.
    const longest = Math.max(...reports.map(({ targetNs, assignedNs }) => Math.max(targetNs, assignedNs)), 1);
    this.most = Math.max(longest, 0.99 * this.most);
    reports.forEach(({ assignedNs, targetNs }, index) => {
      $(`assigned-${index}`).style.width = `${100 * assignedNs / this.most}%`;
      $(`target-${index}`).style.left = `${100 * targetNs / this.most}%`;
      $(`module-${index}`).textContent = `${(assignedNs / 1e6).toFixed(2)} ms, target ${(targetNs / 1e6).toFixed(2)}`;
    });
  }

  list() {
    const { frame, changes } = this.director;
    $("frame").textContent = `${changes.length} in frame ${frame}`;
    const level = (number) => `<b style="background: var(--level-${number})">${number}</b>`;
    $("changes").innerHTML = this.news.map(({ key, from, to, frame: when }) =>
      `<li class="${when === frame ? "" : "old"}"><span>${nameOf(Number(key))}</span>${level(from)}<span>${to > from ? "↗" : "↘"}</span>${level(to)}</li>`).join("");
  }

  /** For scripts and tests. */
  get handle() {
    return {
      pause: () => this.play(false),
      run: (frames) => this.run(frames),
      restart: () => this.restart(),
      setBudgetMs: (budgetMs) => this.change({ budgetMs }),
      setPolicy: (policy) => this.change({ policy }),
      state: () => {
        const { frame, eye, report } = this.director;
        return { frame, eye: [...eye], report, levels: [...this.director.actors()].map(({ level }) => level) };
      },
      eyeOnPage: () => {
        const { left, top } = this.canvas.getBoundingClientRect();
        const [x, y] = toPage(scaleOf(this.canvas), this.director.eye);
        return [left + x, top + y];
      },
    };
  }
}

/** Shows the scene, and returns an interface for scripts. */
export const start = async () => new Page(await Director.start()).handle;
