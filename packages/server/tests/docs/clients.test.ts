import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { addAgent } from "../support/workspace.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const client = JSON.stringify(join(root, "packages/client/src/client.ts"));

let service: RunTestService;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "millrace-docs-"));
  service = await startRunService();
  await addAgent(service.database.pool, "org_run", "agent_helper");
  const text = "Hello {{ trigger.body.name }}!";
  await service.flow("flow_hello", chain(node("done", "return", { value: { text } })));
  env = {
    ...process.env,
    MILLRACE_URL: service.address,
    MILLRACE_API_KEY: service.key,
    PYTHONPATH: join(root, "clients/python"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

function blocksOf(page: string, language: string): [string, string][] {
  const text = readFileSync(join(root, "docs", page), "utf8");
  const blocks = [...text.matchAll(new RegExp(`\`\`\`${language} run\n([\\s\\S]*?)\`\`\``, "g"))];
  return blocks.map(([, code], at) => [`block ${at + 1}`, code!]);
}

it.each(blocksOf("client.md", "ts"))("docs/client.md: %s runs", async (name, code) => {
  const file = join(folder, `${name.replace(" ", "-")}.mts`);
  writeFileSync(file, code.replaceAll('"@millrace/client"', client));
  const { stdout } = await run(process.execPath, [file], { env });
  expect(stdout).not.toBe("");
});

// Needs Python 3.11 or newer as `python3`.
describe.skipIf(!hasPython())("with Python", () => {
  it.each(blocksOf("python.md", "python"))("docs/python.md: %s runs", async (_name, code) => {
    const { stdout } = await run("python3", ["-c", code], { env });
    expect(stdout).not.toBe("");
  });
});

function hasPython(): boolean {
  try {
    execFileSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 11))"]);
    return true;
  } catch {
    return false;
  }
}
