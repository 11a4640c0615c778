// lodger.js and the playground in headless Chromium. LODGER_WEB is the built folder; CHROMIUM names another
// browser of this kind. Leaves playground.png and playground-dark.png there.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { serve } from "../serve.mjs";
import { withBrowser } from "./browser.mjs";
import { summary } from "./replay.js";

const folder = process.env.LODGER_WEB;
const tests = fileURLToPath(new URL(".", import.meta.url));
const sources = fileURLToPath(new URL("../../../docs/playground/", import.meta.url));
const { server, address } = await serve([["/tests/", tests], ["/sources/", sources], ["/", folder]]);

async function plays(page) {
  await page.go(`${address}tests/page.html`);
  await page.until("window.lodgerReplay !== undefined");
  const counts = await page.ask("lodgerReplay()");
  console.log(`in Chromium: ${summary(counts)}`);
  assert.ok(counts.levels > 10_000, "the scripts are too short to tell anything");
  assert.equal(counts.differ, 0);
}

const numberOf = (page, id) => page.ask(`Number(document.getElementById(${JSON.stringify(id)}).value)`);

async function isLooked(page) {
  await page.look(1360, 900, "light");
  await page.go(`${address}playground/`);
  await page.until("document.documentElement.dataset.ready === 'yes'");
  await page.ask("playground.pause(); playground.run(150)");
  const before = await page.ask("playground.state()");
  assert.ok(before.report.assignedNs > 0 && before.report.assignedNs <= before.report.budgetNs, JSON.stringify(before.report));
  await writeFile(join(folder, "playground.png"), await page.picture());

  // A smaller budget assigns less, a key steps one frame, the eye follows the pointer.
  await page.ask("playground.setBudgetMs(1); playground.run(3)");
  const after = await page.ask("playground.state()");
  assert.ok(after.report.assignedNs <= 1e6 && after.report.assignedNs < before.report.assignedNs, JSON.stringify(after.report));
  await page.ask("document.getElementById('scene').focus()");
  await page.key(".", "Period");
  assert.equal((await page.ask("playground.state()")).frame, after.frame + 1);
  const at = await page.ask("playground.eyeOnPage()");
  await page.drag(at, [at[0] + 60, at[1] + 40]);
  assert.notDeepEqual((await page.ask("playground.state()")).eye, after.eye);
  assert.equal(await numberOf(page, "budget"), 1);

  // The same seed and the same frames are the same scene.
  const rerun = "playground.restart(); playground.run(100); playground.state().levels.join('')";
  assert.equal(await page.ask(rerun), await page.ask(rerun));

  await page.look(1360, 900, "dark");
  await page.ask("document.activeElement.blur(); playground.setBudgetMs(3); playground.setPolicy('optimal'); playground.run(250)");
  await writeFile(join(folder, "playground-dark.png"), await page.picture());
  await page.look(420, 900, "light");
  await page.ask("playground.run(1)");
  assert.ok(await page.ask("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than a telephone");
  await writeFile(join(folder, "playground-narrow.png"), await page.picture());
  assert.deepEqual(page.said, []);
}

/** A page that is not built, or not served, shows an error. */
async function isMissed(page) {
  for (const place of [`${address}sources/`, pathToFileURL(join(folder, "playground/index.html")).href]) {
    await page.go(place);
    await page.until("document.getElementById('trouble').textContent !== ''");
    const text = await page.ask("document.getElementById('trouble').innerText");
    assert.match(text, /lodger\.js.*cargo xtask web --serve/, place);
  }
}

try {
  await withBrowser(process.env.CHROMIUM ?? "chromium", async (page) => {
    await plays(page);
    await isLooked(page);
    await isMissed(page);
  });
  console.log(`the playground decided, and was drawn: ${join(folder, "playground.png")}`);
} finally {
  server.close();
}
