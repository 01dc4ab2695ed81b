import { once } from "node:events";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Child, startNode } from "../support/children.ts";

const READY_MS = 60_000;

/** Starts a program of `apps/` out of the folder that has its packages; it says "ready" when it is. */
export async function startApp(packages: string, app: string, env: Record<string, string>): Promise<Child> {
  for (const name of [app, "serve-json.mjs"])
    await copyFile(join(import.meta.dirname, "apps", name), join(packages, name));
  const child = startNode(join(packages, app), [], { env: { NODE_ENV: "production", ...env } });
  const stdout = child.process.stdout!;
  let output = "";
  stdout.on("data", (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4_000);
  });
  const late = sleep(READY_MS, undefined, { ref: false });
  let over = false;
  void Promise.race([late, once(child.process, "exit")]).then(() => (over = true));
  while (!output.includes("ready")) {
    if (over) {
      await child.kill();
      throw new Error(`${app} did not start: ${child.complaints() || output}`);
    }
    await sleep(20);
  }
  return child;
}
