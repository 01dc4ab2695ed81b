import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const source = join(root, "packages/server/tests/packages/openapi");
const lock = createHash("sha256")
  .update(readFileSync(join(source, "package-lock.json")))
  .digest("hex");
/** The tools are large, and of use here alone: they are installed once, beside what the checkout installs. */
const tools = join(root, "node_modules/.cache/millrace-openapi", lock.slice(0, 16));
const inTools = { cwd: tools, encoding: "utf8" } as const;

let service: TestService;
let key: string;
beforeAll(async () => {
  mkdirSync(tools, { recursive: true });
  cpSync(source, tools, { recursive: true });
  if (!existsSync(join(tools, "node_modules/.package-lock.json")))
    execFileSync("npm", ["ci", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"], inTools);
  service = await startTestService();
  ({ one: key } = await addTwoOrganizations(service.database.pool));
  const value = { text: "Hello {{ trigger.body.name }}!" };
  await addFlow(service.database.pool, "org_one", "flow_hello", {
    graph: {
      nodes: [
        { id: "start", type: "start", data: {} },
        { id: "done", type: "return", data: { inputs: { value } } },
      ],
      edges: [{ id: "e1", source: "start", target: "done" }],
    },
  });
  const { body } = await service.get("/openapi.json");
  writeFileSync(join(tools, "openapi.json"), JSON.stringify(body));
}, 600_000);
afterAll(() => service.stop());

describe("the OpenAPI document, as others read it", { timeout: 300_000 }, () => {
  it("has nothing that redocly or spectral warn of, but for paths that the contract itself has", () => {
    const found = JSON.parse(execFileSync(process.execPath, ["lint.mjs"], inTools)) as {
      redocly: string[];
      spectral: string[];
    };
    expect(found.redocly.filter((line) => !line.startsWith("no-ambiguous-paths"))).toEqual([]);
    expect(found.spectral).toEqual([]);
  });

  it("gives clients that compile strictly and do the whole journey", async () => {
    execFileSync(process.execPath, ["generate.mjs"], inTools);
    const compile = () => execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", tools], inTools);
    expect(compile()).toBe("");
    for (const [folder, name] of [
      ["fetch", "openapi-fetch"],
      ["hey", "hey-api"],
    ] as const) {
      const done = await (await journeyOf(folder))(service.address, key);
      expect(done).toMatchObject({
        status: "COMPLETED",
        output: { text: `Hello ${name}!` },
        listed: [done["id"]],
        code: "flow_not_found",
        ...(folder === "hey" && { kinds: ["connected", "update", "completed"] }),
      });
    }
  });
});

type Journey = (baseUrl: string, apiKey: string) => Promise<Record<string, unknown>>;

async function journeyOf(folder: string): Promise<Journey> {
  const bundle = await rolldown({ input: join(tools, folder, "main.ts"), platform: "neutral" });
  const file = join(tools, `${folder}.mjs`);
  await bundle.write({ file, format: "esm" });
  return ((await import(pathToFileURL(file).href)) as { journey: Journey }).journey;
}
