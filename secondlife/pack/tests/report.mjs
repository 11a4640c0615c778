// The page of a packed model in headless Chromium: it loads without an error and without requests,
// its pictures are pictures, and it is as wide as a telephone. LODGER_REPORT is the page; CHROMIUM another browser of its
// kind. Leaves report-1280-light.png and its like beside the page.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

import { withBrowser } from "../../../bindings/web/tests/browser.mjs";

const file = process.env.LODGER_REPORT;

await withBrowser(process.env.CHROMIUM ?? "chromium", async (page) => {
  for (const width of [1280, 390]) {
    for (const colours of ["light", "dark"]) {
      await page.look(width, 1400, colours);
      await page.go(pathToFileURL(file).href);
      const pictures = await page.ask(`Promise.all([...document.images].map(async (image) => {
        await image.decode();
        return [image.naturalWidth, image.naturalHeight, image.alt];
      }))`);
      assert.ok(pictures.length > 8, `${pictures.length} pictures`);
      for (const [across, down, alt] of pictures) assert.ok(across > 3 && down > 3 && alt.length > 10, `${across} by ${down}: ${alt}`);
      assert.ok(await page.ask("document.documentElement.scrollWidth <= innerWidth"), `the page is wider than ${width} pixels`);
      assert.deepEqual(await page.ask("performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith('data:'))"), []);
      const text = await page.ask("getComputedStyle(document.body).color"), paper = await page.ask("getComputedStyle(document.body).backgroundColor");
      const brightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
      assert.equal(brightness(text) < brightness(paper), colours === "light", `${text} on ${paper}`);
      await writeFile(join(dirname(file), `report-${width}-${colours}.png`), await page.picture());
    }
  }
  assert.deepEqual(page.said, []);
});
console.log(`the page of a packed model was shown: ${join(dirname(file), "report-1280-light.png")}`);
