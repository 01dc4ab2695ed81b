import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { access, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { PackageSet } from "./versions.ts";

const MAX_MS = 20 * 60_000;
const PROGRESS_MS = 15_000;
const DONE = "installed";
const NPM_OPTIONS = [
  "--omit=dev",
  "--ignore-scripts",
  "--no-audit",
  "--no-fund",
  "--no-progress",
  // Without a network that is said within seconds.
  "--fetch-retries=1",
  "--fetch-retry-maxtimeout=5000",
];

/**
 * The packages of a peer, from whatever registry npm is set up for, in a folder of their own outside the workspace.
 * The folder is kept for the next run. No script of any package is run.
 */
export async function installPackages(
  name: string,
  packages: PackageSet,
  progress: (text: string) => void,
): Promise<string> {
  const manifest = JSON.stringify({ private: true, ...packages }, null, 2);
  const cache = await ownCache();
  const folder = join(cache, `${name}-${createHash("sha256").update(manifest).digest("hex").slice(0, 12)}`);
  if (await exists(join(folder, DONE))) return folder;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), manifest);
  progress(`${name}: installing ${describe(packages)}`);
  await npmInstall(folder, (seconds) => progress(`${name}: still installing after ${seconds} s`));
  await writeFile(join(folder, DONE), "");
  return folder;
}

function describe({ dependencies }: PackageSet): string {
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}

/** Code is run from there, so it must be nobody else's. */
async function ownCache(): Promise<string> {
  const uid = process.getuid?.();
  const cache = join(tmpdir(), `millrace-peers-${uid ?? "user"}`);
  await mkdir(cache, { recursive: true, mode: 0o700 });
  if (uid !== undefined && (await stat(cache)).uid !== uid) {
    throw new Error(`${cache} belongs to somebody else; remove it or set TMPDIR.`);
  }
  return cache;
}

async function npmInstall(folder: string, stillAt: (seconds: number) => void): Promise<void> {
  const args = ["install", ...NPM_OPTIONS];
  const npm = spawn("npm", args, {
    cwd: folder,
    // npm run by this Node, because it picks releases by the version of Node it runs on.
    env: { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaints = "";
  npm.stderr.on("data", (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-2_000);
  });
  const startedAtMs = performance.now();
  const shown = setInterval(() => stillAt(Math.round((performance.now() - startedAtMs) / 1000)), PROGRESS_MS);
  const end = (): boolean => npm.kill();
  process.once("exit", end);
  const late = Symbol("late");
  try {
    const [code] = (await Promise.race([
      once(npm, "exit"),
      sleep(MAX_MS, [late], { ref: false }),
    ])) as unknown[];
    if (code === late) end();
    if (code !== 0) throw new Error(`npm install failed: ${reason(complaints)}`);
  } finally {
    clearInterval(shown);
    process.off("exit", end);
  }
}

/** The lines of npm that say why; addresses are of no use to a reader of the table. */
function reason(complaints: string): string {
  const lines = complaints.split("\n").filter((line) => line.startsWith("npm error"));
  return lines.slice(0, 2).join(" ").replaceAll("npm error ", "") || "it took too long";
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
