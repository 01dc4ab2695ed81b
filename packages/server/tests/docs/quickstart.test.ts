import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IdMaker } from "../../src/domain/ids.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { applyDocuments } from "../../src/operations/apply-documents/apply-documents.ts";
import { readPaths } from "../../src/operations/apply-documents/read-documents.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../../../", import.meta.url));
const page = await readFile(join(root, "docs/quickstart.md"), "utf8");

let service: RunTestService;
let folder: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "millrace-quickstart-"));
  service = await startRunService();
  env = { ...process.env, MILLRACE_URL: service.address, MILLRACE_API_KEY: service.key };
  // In the organization of this test.
  await writeFile(
    join(folder, "discount.yaml"),
    block("yaml file=discount.yaml").replace("org_demo", "org_run"),
  );
  const { database, secrets } = service;
  const context = { pool: database.pool, secrets, ids: new IdMaker(() => Date.now()), catalogue: nodeTypes };
  await applyDocuments(context, await readPaths([join(folder, "discount.yaml")]), {
    actor: { via: "cli" },
    env: {},
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

function block(start: string): string {
  const [, rest] = page.split(`\`\`\`${start}\n`);
  return rest!.split("```")[0]!;
}

it("the flow of the quickstart is called from TypeScript as it says", async () => {
  const client = JSON.stringify(join(root, "packages/client/src/client.ts"));
  const file = join(folder, "call.mts");
  await writeFile(file, block("ts file=call.mts").replace('"@millrace/client"', client));
  const { stdout } = await run(process.execPath, [file], { env });
  expect(stdout).toBe("COMPLETED { total: 180 }\n");
});

// Needs Python 3.11 or newer as `python3`.
it.skipIf(!hasPython())("from Python", async () => {
  const python = { ...env, PYTHONPATH: join(root, "clients/python"), PYTHONDONTWRITEBYTECODE: "1" };
  const { stdout } = await run("python3", ["-c", block("python file=call.py")], { env: python });
  expect(stdout).toBe("COMPLETED {'total': 180}\n");
});

it("as a tool of an MCP client", async () => {
  const library = JSON.stringify(import.meta.resolve("@modelcontextprotocol/client"));
  const file = join(folder, "tool.mts");
  await writeFile(file, block("ts file=tool.mts").replace('"@modelcontextprotocol/client"', library));
  const { stdout } = await run(process.execPath, [file], { env });
  expect(stdout).toBe("{ total: 180 }\n");
});

it("and over HTTP, where an order without an amount is refused", async () => {
  const [, command] = /```sh\n(curl [\s\S]*?)```/.exec(page)!;
  const body = /-d '(.*)'/s.exec(command!)![1]!;
  const path = /localhost:4000([^']*)/.exec(command!)![1]!;
  const order = (text: string) =>
    service.send("POST", path, { key: service.key, body: JSON.parse(text) as object });
  const answer = await order(body);
  expect(answer).toMatchObject({
    status: 200,
    body: { data: { status: "COMPLETED", output: { total: 180 } } },
  });
  const wrong = await order(body.replace("amount", "amuont"));
  expect(wrong.status).toBe(400);
});

function hasPython(): boolean {
  const version = "import sys; sys.exit(sys.version_info < (3, 11))";
  return spawnSync("python3", ["-c", version]).status === 0;
}
