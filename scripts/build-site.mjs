// Builds the documentation site when `npm ci` runs this (`prepare`), so that a fresh checkout serves it. Plain JavaScript,
// for whatever Node there is. Documentation keeps nobody from installing: where it cannot be built, this says so.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const pathOf = (name) => fileURLToPath(new URL(name, root));

/** What the site is made with; development dependencies. */
const NEEDED = ["node_modules/marked", "node_modules/minisearch", "node_modules/rolldown", "site/build.ts"];

if (NEEDED.some((name) => !existsSync(pathOf(name)))) {
  console.log("The documentation is not built: development dependencies were left out.");
} else {
  const own = pathOf("node_modules/node/bin/node");
  const node = existsSync(own) ? own : process.execPath;
  const { status } = spawnSync(node, [pathOf("site/build.ts")], { stdio: "inherit", cwd: pathOf("") });
  if (status !== 0) console.log("The documentation was not built whole; to see why: npm run site");
}
