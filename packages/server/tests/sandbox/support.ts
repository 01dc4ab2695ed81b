import { execFileSync } from "node:child_process";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";
import type { Sandbox, SandboxError, SandboxJob } from "../../src/engine/sandbox/sandbox.ts";

export type JobFields = Partial<Omit<SandboxJob, "source" | "language">>;

/** A pool whose children are already warm, so that a measured call does not include their start. */
export async function warmSandbox(options?: Parameters<typeof createSandbox>[0]): Promise<Sandbox> {
  const sandbox = createSandbox(options);
  // Each holds its child for a moment, so that every child must have started before all are served.
  const source = "let sum = 0; for (let at = 0; at < 5e5; at += 1) sum += at; return sum";
  const organizations = Array.from({ length: options?.size ?? 2 }, (_, index) => `warm_${index}`);
  const hold = (organizationId: string) =>
    runCode(sandbox, source, { organizationId, limits: { cpuMs: 10_000 } });
  try {
    await Promise.all(organizations.map((organizationId) => hold(organizationId)));
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

export async function runCode(sandbox: Sandbox, source: string, fields: JobFields = {}): Promise<unknown> {
  const job = { organizationId: "org_a", input: {}, ...fields };
  return (await sandbox.run({ ...job, language: "code", source })).value;
}

export async function evaluate(sandbox: Sandbox, source: string, fields: JobFields = {}): Promise<unknown> {
  const job = { organizationId: "org_a", input: {}, ...fields };
  return (await sandbox.run({ ...job, language: "expression", source })).value;
}

export async function failureOf(call: Promise<unknown>): Promise<SandboxError> {
  return call.then(
    (value) => {
      throw new Error(`expected a failure, got ${JSON.stringify(value)}`);
    },
    (error: unknown) => error as SandboxError,
  );
}

/** Process ids of the sandbox children of a process. */
export function childrenOf(parentId: number): number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  return table
    .split("\n")
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .filter((row) => row !== null)
    .filter(([, , parent, command]) => Number(parent) === parentId && command?.includes("sandbox/child.ts"))
    .map(([, id]) => Number(id));
}
