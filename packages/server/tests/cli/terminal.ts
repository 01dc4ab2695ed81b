import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CliDependencies } from "../../src/cli/cli.ts";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { dryRun } from "../../src/engine/dry-run/dry-run.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";

export const demoDirectory = fileURLToPath(new URL("../../../../examples/demo", import.meta.url));

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The commands in this process, over a database of the test's own. */
export interface Terminal {
  readonly database: TestDatabase;
  run(line: string, env?: Record<string, string>, more?: Partial<CliDependencies>): Promise<Result>;
  /** Runs a command that must succeed and reads the JSON it prints. */
  json<T = any>(line: string, env?: Record<string, string>): Promise<T>;
  close(): Promise<void>;
}

export async function createTerminal(): Promise<Terminal> {
  const database = await createTestDatabase();
  const secrets = new SecretBox(randomBytes(32));
  const opened = { ...database, secrets, embedded: true, announce: () => {}, close: async () => {} };
  const terminal: Terminal = {
    database,
    run: async (line, env = {}, more = {}) => {
      const [out, err]: string[][] = [[], []];
      const stderr = (text: string) => void err!.push(text);
      const program = buildProgram({
        withDatabase: (_command, work) => work(opened),
        isDatabaseMeant: () => true,
        stdout: (text) => void out!.push(text),
        stderr,
        env,
        catalogue: nodeTypes,
        dryRun: (request) => dryRun(request, { env, egressAllow: ["127.0.0.0/8"] }),
        withReplay,
        interruption: () => new AbortController().signal,
        startCommands: () => {},
        ...more,
      });
      const code = await runProgram(program, ["node", "millrace", ...line.split(" ")], stderr);
      return { code, stdout: out!.join("\n"), stderr: err!.join("\n") };
    },
    json: async (line, env) => {
      const { code, stdout, stderr } = await terminal.run(`${line} --json`, env);
      if (code !== 0) throw new Error(`millrace ${line} ended with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    close: () => database.drop(),
  };
  return terminal;
}
