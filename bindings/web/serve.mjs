// Serves folders on this machine alone: `node serve.mjs FOLDER`. Tests mount several.

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { pathToFileURL } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css",
  ".wasm": "application/wasm", ".txt": "text/plain; charset=utf-8",
};

/** The path that an address asks for, or null where it cannot be read, as `/%`. */
function pathOf(url) {
  try {
    return normalize(decodeURIComponent(new URL(url, "http://localhost").pathname));
  } catch {
    return null;
  }
}

/** Serves `mounts`, a list of [prefix, folder], at a free port or the given one; returns the address. */
export function serve(mounts, port = 0) {
  const server = createServer(async (request, response) => {
    const path = pathOf(request.url);
    if (path === null) {
      response.writeHead(400).end("this is no address of a file\n");
      return;
    }
    const mount = mounts.find(([prefix]) => path.startsWith(prefix));
    const file = mount && join(mount[1], path.slice(mount[0].length).replace(/(^|\/)$/, "$1index.html"));
    const found = file && await stat(file).catch(() => null);
    if (!found?.isFile()) {
      response.writeHead(404).end("there is no such file\n");
      return;
    }
    const type = TYPES[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, "content-length": found.size, "cache-control": "no-store" });
    createReadStream(file).on("error", () => response.destroy()).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve({ server, address: `http://127.0.0.1:${server.address().port}/` }));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [, , folder = "."] = process.argv;
  const { address } = await serve([["/", folder]], 8080).catch(() => serve([["/", folder]]));
  console.log(`${folder} is at ${address} until this is interrupted`);
}
