import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { packAll } from "../../../../scripts/pack.ts";
import { temporaryDirectory } from "../support/child-millrace.ts";

const run = promisify(execFile);
const compiler = fileURLToPath(new URL("../../../../node_modules/typescript/bin/tsc", import.meta.url));
const types = fileURLToPath(new URL("../../../../node_modules/@types", import.meta.url));

// As in the shell of somebody who has no checkout: npm scripts put the binaries of theirs in front.
const path = process.env
  .PATH!.split(delimiter)
  .filter((entry) => !entry.endsWith(join("node_modules", ".bin")))
  .join(delimiter);
const env = { ...process.env, PATH: path };

/** The machine's own Node, whatever its version, and Node 24. */
export const nodes = [
  path
    .split(delimiter)
    .map((entry) => join(entry, "node"))
    .find((file) => existsSync(file)) ?? process.execPath,
  process.execPath,
];

/** A folder with the packed packages installed by npm, and the consumer projects beside its `node_modules`. */
export async function installed(packed: readonly string[]) {
  const folder = await temporaryDirectory();
  const inFolder = { cwd: folder.path, env };
  await writeFile(join(folder.path, "package.json"), `{ "private": true }`);
  await cp(fileURLToPath(new URL("./consumers", import.meta.url)), folder.path, { recursive: true });
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packed], inFolder);
  return {
    ...folder,
    /** What a command printed; it must succeed. */
    async output(command: string, ...args: readonly string[]): Promise<string> {
      return (await run(command, args, inFolder)).stdout;
    },
    /** The compiler's complaints about a project; none where all is well. */
    async compile(project: string): Promise<string> {
      return run(process.execPath, [compiler, "-p", project, "--typeRoots", types], inFolder).then(
        ({ stdout }) => stdout,
        ({ stdout }: { stdout: string }) => stdout,
      );
    },
    /** `npx millrace start`, or without npx where another Node than the one npm installed is to begin. */
    start(port: number, { withNpx }: { withNpx: boolean }) {
      const bin = join(folder.path, "node_modules", ".bin");
      const PATH = withNpx ? [bin, path].join(delimiter) : path;
      return startService(join(bin, "millrace"), { cwd: folder.path, env: { PATH, PORT: String(port) } });
    },
  };
}

export { packAll };

async function startService(program: string, options: { cwd: string; env: Record<string, string> }) {
  const child = spawn(program, ["start"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  let printed = "";
  const lines = createInterface({ input: child.stdout });
  lines.on("line", (line) => (printed += `${line}\n`));
  await Promise.race([
    until(lines, () => /Millrace answers at/.test(printed) && /(\/docs$|Chat with an agent)/m.test(printed)),
    exited.then(() => Promise.reject(new Error(`millrace ended: ${printed}`))),
  ]);
  return {
    printed: () => printed,
    stop: async (): Promise<number | null> => {
      child.kill("SIGTERM");
      return ((await exited) as [number | null])[0];
    },
  };
}

async function until(lines: NodeJS.EventEmitter, holds: () => boolean): Promise<void> {
  while (!holds()) await once(lines, "line");
}
