// Builds the web console into apps/console/dist, compresses it, and fails where it weighs more than it may.
// Plain JavaScript: `npm ci` runs it (`prepare`) with whatever Node there is.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, gzipSync } from "node:zlib";

const app = fileURLToPath(new URL("../apps/console", import.meta.url));
const quiet = process.argv.includes("--prepare");

/** In KB of gzip: what a first visit loads, what opening a run or the editor loads, all there is. */
const LIMITS = { "shell and runs": 165, "run page": 245, editor: 390, "all JavaScript": 520, CSS: 20 };

// Whoever calls this, a test perhaps: what is built is for people.
process.env.NODE_ENV = "production";
const vite = await import("vite").catch(() => undefined);
if (!vite || !existsSync(join(app, "index.html"))) {
  console.log("The console is not built: development dependencies were left out.");
  process.exit(quiet ? 0 : 1);
}

const startedAt = performance.now();
const { output } = await vite.build({ root: app, logLevel: "warn" });
const weights = weigh(output);
await compressAll(join(app, "dist"));

const tooHeavy = Object.entries(LIMITS).filter(([name, limit]) => weights[name] > limit * 1_000);
if (!quiet || tooHeavy.length > 0)
  for (const [name, limit] of Object.entries(LIMITS))
    console.log(`${name}: ${(weights[name] / 1_000).toFixed(1)} KB of ${limit} KB gzip`);
if (tooHeavy.length > 0) {
  console.error(`The console is too heavy: ${tooHeavy.map(([name]) => name).join(", ")}`);
  process.exit(1);
}
console.log(`Built the console in ${((performance.now() - startedAt) / 1000).toFixed(1)} s.`);

function weigh(files) {
  const chunks = new Map(
    files.filter(({ type }) => type === "chunk").map((chunk) => [chunk.fileName, chunk]),
  );
  const page = (name) => [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(name));
  const size = (code) => gzipSync(code, { level: 9 }).length;
  const sum = (some) => some.reduce((total, chunk) => total + size(chunk.code), 0);
  /** A chunk with all that has to be there before it can run. */
  const closure = (chunk, seen = new Set()) => {
    if (!chunk || seen.has(chunk)) return seen;
    seen.add(chunk);
    for (const name of chunk.imports) closure(chunks.get(name), seen);
    return seen;
  };
  const entry = [...chunks.values()].find(({ isEntry }) => isEntry);
  const shell = closure(page("/texts/en.ts"), closure(entry));
  const runs = closure(page("/pages/runs/runs-page.tsx"), new Set(shell));
  const run = closure(page("/pages/run/run-page.tsx"), new Set(shell));
  const editor = closure(page("/pages/editor/editor-page.tsx"), new Set(shell));
  if (runs.size === shell.size || run.size === shell.size || editor.size === shell.size)
    throw new Error("The chunks of the pages were not found");
  return {
    "shell and runs": sum([...runs]),
    "run page": sum([...run]),
    editor: sum([...editor]),
    "all JavaScript": sum([...chunks.values()]),
    CSS: files
      .filter(({ fileName }) => extname(fileName) === ".css")
      .reduce((total, { source }) => total + size(source), 0),
  };
}

async function compressAll(directory) {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? dirname(entry.path), entry.name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = readFileSync(file);
      if (bytes.length < 512) return;
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      };
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
      writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }));
    }),
  );
}
