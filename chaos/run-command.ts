import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { program } from "../packages/server/tests/support/program.ts";

/** The real command line, run to its end; what it printed. */
export async function runCommand(args: readonly string[], env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env["PATH"], ...env },
    timeout: 60_000,
  });
  return stdout;
}
