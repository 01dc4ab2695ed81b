import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const MILLRACE = fileURLToPath(import.meta.resolve("../packages/server/bin/millrace.js"));

/** The real command line, run to its end; what it printed. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MILLRACE, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    timeout: 60_000,
  });
  return stdout;
}
