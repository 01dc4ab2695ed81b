import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../src/cli/program.ts";
import { runProgram } from "../../src/cli/run-program.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { validateFlowDocuments } from "../../src/operations/catalogue/validate-flow-documents.ts";
import { listTemplates } from "../../src/operations/templates/list-templates.ts";
import { readTemplates, type Template } from "../../src/operations/templates/read-templates.ts";
import { demoDirectory, templatesDirectory } from "../../src/package-files.ts";
import { judgeMutants, type Mutant } from "./mutants.ts";

let templates: readonly Template[];
let directory: string;
beforeAll(async () => {
  templates = await readTemplates(templatesDirectory);
  directory = await mkdtemp(join(tmpdir(), "millrace-templates-"));
});
afterAll(() => rm(directory, { recursive: true }));

async function run(...words: string[]) {
  const [out, err]: string[][] = [[], []];
  const refuse = () => Promise.reject(new Error("not here"));
  const program = buildProgram({
    withDatabase: refuse,
    isDatabaseMeant: () => false,
    stdout: (text) => void out!.push(text),
    stderr: (text) => void err!.push(text),
    env: {},
    catalogue: nodeTypes,
    dryRun: refuse,
    withReplay,
    interruption: () => new AbortController().signal,
    startCommands: () => {},
  });
  const code = await runProgram(program, ["node", "millrace", ...words], (text) => void err!.push(text));
  return { code, stdout: out!.join("\n"), stderr: err!.join("\n") };
}

/** One condition and one expression; two expressions where there is no condition. */
function* oneOfEach(mutants: Iterable<Mutant>): Iterable<Mutant> {
  const all = [...mutants];
  const expressions = all.filter(({ kind }) => kind === "expression");
  const condition = all.find(({ kind }) => kind === "condition");
  yield* condition ? [condition] : expressions.slice(-1);
  yield* expressions.slice(0, 1);
}

describe("the templates", () => {
  it("are at least twenty, each with an input, a description, tests and its picture", async () => {
    expect(templates.length).toBeGreaterThanOrEqual(20);
    const types = new Set(
      templates.flatMap(({ flows }) => flows.flatMap(({ graph }) => graph.nodes.map(({ type }) => type))),
    );
    expect([...nodeTypes.keys()].filter((type) => !types.has(type))).toEqual([]);
    for (const { id, flows, description, picture } of templates) {
      expect([id, flows[0]!.input]).toEqual([id, expect.any(Object)]);
      expect(description.length).toBeGreaterThan(20);
      const drawn = await readFile(join(templatesDirectory, `${id}.svg`), "utf8");
      expect([id, drawn === picture]).toEqual([id, true]);
      expect(picture.length).toBeLessThan(10_000);
    }
    const files = await readdir(templatesDirectory);
    expect(files.length).toBe(templates.length * 3 + 1);
  });

  it("would run as they are", async () => {
    // One of them talks to the agent of the demo.
    const checked = await validateFlowDocuments({ catalogue: nodeTypes }, [
      templatesDirectory,
      demoDirectory,
    ]);
    expect(checked.flatMap(({ id, errors }) => errors.map((text) => `${id}: ${text}`))).toEqual([]);
  });

  it("have tests that notice one wrong condition and one wrong expression of each", async () => {
    const verdicts = await judgeMutants([templatesDirectory], oneOfEach);
    expect(new Set(verdicts.map(({ flowId }) => flowId)).size).toBeGreaterThanOrEqual(20);
    expect(
      verdicts.filter(({ caught }) => !caught).map(({ flowId, mutant }) => `${flowId} ${mutant.text}`),
    ).toEqual([]);
  });

  it("are shown to the console with all it takes to begin", async () => {
    const listed = await listTemplates({ templates: async () => templates });
    expect(listed.find(({ id }) => id === "quota")).toMatchObject({
      name: "Quota",
      nodeTypes: ["start", "store", "if", "http-request", "return"],
      credentials: [{ id: "cred_api", type: "http-bearer" }],
      input: { required: ["customer", "question"] },
    });
  });
});

describe("millrace init", () => {
  it("lists them, and writes one that passes its tests and could be applied", async () => {
    expect((await run("init")).stdout).toMatch(/expense-approval +Approves small expenses at once/);
    const own = join(directory, "flows");
    const { code, stdout } = await run("init", own, "--template", "expense-approval", "--org", "org_mine");
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(`wrote ${join(own, "expense-approval.test.yaml")}`),
    ]);
    expect(await readFile(join(own, "expense-approval.yaml"), "utf8")).toMatch(
      /^# Approves small expenses[\s\S]*organizationId: org_mine/,
    );
    expect(await run("flows", "test", own)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("3 of 3 passed"),
    });
    expect(await run("flows", "validate", own)).toMatchObject({ code: 0 });
  });

  it("writes nothing over, and knows what was meant", async () => {
    const own = await mkdtemp(join(directory, "own-"));
    await writeFile(join(own, "quota.yaml"), "mine");
    const refused = await run("init", own, "--template", "quota");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("is there already")]);
    expect(await readFile(join(own, "quota.yaml"), "utf8")).toBe("mine");
    expect(await run("init", own, "--template", "quotta")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "quota"?'),
    });
    expect((await run("init", own)).code).toBe(2);
  });
});
