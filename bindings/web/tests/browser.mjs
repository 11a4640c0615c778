// A headless Chromium, driven through the DevTools protocol over a pipe: messages of JSON that end with NUL.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--remote-debugging-pipe"];

/** Starts one with a profile of its own, and ends it with the profile after `use`. */
export async function withBrowser(program, use) {
  const profile = await mkdtemp(join(tmpdir(), "lodger-web-"));
  const child = spawn(program, [...FLAGS, `--user-data-dir=${profile}`, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const closed = new Promise((resolve) => { child.once("close", resolve); });
  try {
    return await use(await Page.open(child));
  } finally {
    child.kill();
    await closed;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Page {
  #child;
  #session;
  #last = 0;
  #waiting = new Map();
  #text = "";
  #loaded = () => {};
  /** The messages and errors of the page's console. */
  said = [];

  static async open(child) {
    const page = new Page();
    page.#child = child;
    child.once("error", (error) => page.#fail(error));
    child.once("close", () => page.#fail(new Error("the browser has ended")));
    child.stdio[4].on("data", (data) => page.#take(data.toString()));
    const { targetInfos } = await page.#send("Target.getTargets");
    const { targetId } = targetInfos.find(({ type }) => type === "page");
    page.#session = (await page.#send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log"]) await page.#send(`${domain}.enable`);
    return page;
  }

  #fail(error) {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #take(data) {
    const messages = (this.#text + data).split("\0");
    this.#text = messages.pop();
    for (const message of messages.map((text) => JSON.parse(text))) {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error) waiting?.reject(new Error(message.error.message));
      else waiting?.resolve(message.result);
      if (message.method === "Page.loadEventFired") this.#loaded();
      if (message.method === "Runtime.exceptionThrown") this.said.push(message.params.exceptionDetails.exception?.description ?? "an error");
      if (message.method === "Log.entryAdded" && message.params.entry.level === "error") this.said.push(message.params.entry.text);
    }
  }

  #send(method, params = {}) {
    const id = (this.#last += 1);
    const answer = new Promise((resolve, reject) => { this.#waiting.set(id, { resolve, reject }); });
    this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId: this.#session })}\0`);
    return answer;
  }

  /** Goes there, and comes back when the page is loaded: before that it may have no document. */
  async go(url) {
    const loaded = new Promise((resolve) => { this.#loaded = resolve; });
    await this.#send("Page.navigate", { url });
    await loaded;
  }

  /** A window of that size, in light or dark colours. */
  async look(width, height, colours) {
    await this.#send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
    await this.#send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: colours }] });
  }

  /** The value of an expression, or of its promise, in the page. */
  async ask(expression) {
    const { result, exceptionDetails } = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Asks until the answer is true. */
  async until(expression, seconds = 60) {
    for (let left = seconds * 20; left > 0; left -= 1) {
      if (await this.ask(expression)) return;
      await new Promise((resolve) => { setTimeout(resolve, 50); });
    }
    throw new Error(`${expression} is not true after ${seconds} s\n${this.said.join("\n")}`);
  }

  async key(key, code = key) {
    for (const type of ["keyDown", "keyUp"]) await this.#send("Input.dispatchKeyEvent", { type, key, code });
  }

  async drag(from, to) {
    const mouse = (type, [x, y], buttons) => this.#send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons, clickCount: 1 });
    await mouse("mousePressed", from, 1);
    await mouse("mouseMoved", to, 1);
    await mouse("mouseReleased", to, 0);
  }

  async picture() {
    const { data } = await this.#send("Page.captureScreenshot", { format: "png" });
    return Buffer.from(data, "base64");
  }
}
