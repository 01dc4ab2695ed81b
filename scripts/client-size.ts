// What the client weighs in a web page, minified and compressed: without `manage` at most 8 KB.
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const MAX_CORE_BYTES = 8_192;

const core = await weigh("core");
console.log(`@millrace/client/core ${core} bytes, at most ${MAX_CORE_BYTES}`);
console.log(`@millrace/client      ${await weigh("client")} bytes`);
if (core > MAX_CORE_BYTES) process.exit(1);

async function weigh(entry: string): Promise<number> {
  const input = fileURLToPath(new URL(`../packages/client/src/${entry}.ts`, import.meta.url));
  const bundle = await rolldown({ input, platform: "browser" });
  const { output } = await bundle.generate({ format: "esm", minify: true });
  return output.reduce(
    (sum, part) => sum + (part.type === "chunk" ? gzipSync(part.code, { level: 9 }).length : 0),
    0,
  );
}
