import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { typeOfSchema } from "../../src/cli/schema-type.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { createTerminal, type Terminal } from "./terminal.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
let service: TestService;
let terminal: Terminal;
let env: Record<string, string>;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "millrace-types-"));
  service = await startTestService();
  terminal = await createTerminal();
  const { one } = await addTwoOrganizations(service.database.pool);
  env = { MILLRACE_URL: service.address, MILLRACE_API_KEY: one };
  const input = {
    type: "object",
    properties: {
      name: { type: "string", description: "whom to greet */ evil()" },
      times: { type: "integer" },
      "odd-name": { enum: ["a", 1, null] },
    },
    required: ["name"],
    additionalProperties: false,
  };
  await addFlow(service.database.pool, "org_one", "hello", { settings: { input } });
});
afterAll(async () => {
  await terminal.close();
  await service.stop();
  rmSync(folder, { recursive: true });
});

it("makes triggers checked calls", async () => {
  const { stdout } = await terminal.run("types", env);
  writeFileSync(join(folder, "flows.d.ts"), stdout);
  const calls = `import { MillraceClient } from ${JSON.stringify(join(root, "packages/client/src/client.ts"))};
    const { runs } = new MillraceClient({ baseUrl: "", apiKey: "" });
    void runs.trigger("hello", { name: "Ada" });
    void runs.trigger("hello", { name: "Ada", times: 2, "odd-name": null }, { tags: ["x"] });
    void runs.triggerAndWait("hello", { name: "Ada" });
    void runs.trigger("flow_one");
    void runs.trigger("flow_one", { anything: 1 });
    void runs.trigger({ payload: { flowId: "of another kind" } });
    // @ts-expect-error -- it is needed
    void runs.trigger("hello");
    // @ts-expect-error -- misspelt
    void runs.trigger("hello", { nmae: "Ada" });
    // @ts-expect-error -- of another type
    void runs.trigger("hello", { name: 1 });
    // @ts-expect-error -- not one of them
    void runs.trigger("hello", { name: "Ada", "odd-name": "b" });
    // @ts-expect-error -- no such flow
    void runs.trigger("helo", { name: "Ada" });`;
  writeFileSync(join(folder, "main.ts"), calls);
  const options = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023", "dom"],
    types: [],
  };
  const compilerOptions = { ...options, allowImportingTsExtensions: true, skipLibCheck: true };
  const files = ["main.ts", "flows.d.ts"];
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compile = () =>
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8" });
  expect(compile()).toBe("");
  expect((await terminal.json("types", env)).data).toContainEqual({ id: "flow_one", input: null });
});

it.each([
  [{}, "unknown"],
  [true, "unknown"],
  [{ type: ["string", "null"] }, "string | null"],
  [{ type: "array", items: { enum: ["a", "b"] } }, `("a" | "b")[]`],
  [{ type: "array", prefixItems: [{ type: "string" }], items: false }, "[(string)?]"],
  [{ type: "object" }, "Record<string, unknown>"],
  [{ type: "object", additionalProperties: { type: "number" } }, "Record<string, number>"],
  [{ anyOf: [{ type: "string" }, { const: { a: [1] } }] }, `string | { "a": [1] }`],
  [{ anyOf: [{ type: "string" }, {}] }, "unknown"],
  [
    {
      allOf: [{ type: "object", properties: { a: {} }, additionalProperties: false }],
      anyOf: [{ type: "string" }, { type: "null" }],
    },
    `(string | null) & {\n  "a"?: unknown;\n}`,
  ],
  [{ $defs: { id: { type: "string" } }, type: "array", items: { $ref: "#/$defs/id" } }, "string[]"],
  [{ $ref: "#/$defs/none" }, "unknown"],
  [{ $ref: "https://example.com/" }, "unknown"],
])("writes %j as %s", (schema, type) => {
  expect(typeOfSchema(schema)).toBe(type);
});

it("ends where a schema names itself", () => {
  const schema = { type: "object", properties: { next: { $ref: "#" } }, additionalProperties: false };
  expect(typeOfSchema(schema)).toMatch(/"next"\?: unknown;/);
});
