import { globSync, readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { buildProgram } from "../../src/cli/program.ts";
import { registerServeCommands } from "../../src/cli/serve.ts";
import { parseSource } from "../../src/domain/documents/parse-source.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { withReplay } from "../../src/engine/replay/with-replay.ts";
import { runTestFiles } from "../../src/operations/flow-tests/run-test-files.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

interface Block {
  readonly file: string;
  readonly language: string;
  readonly info: string;
  readonly code: string;
}

const texts = ["README.md", "CONTRIBUTING.md", ...globSync("docs/**/*.md", { cwd: root })];
const blocks: Block[] = texts.flatMap((file) =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^```(\w+)?([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", info = "", code = ""]) => ({ file, language, info: info.trim(), code }),
  ),
);
const of = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "millrace-docs-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function failures(...paths: string[]): Promise<{ tests: number; failed: unknown[] }> {
  const signal = new AbortController().signal;
  const reports = await withReplay((replay) =>
    runTestFiles({ replay, catalogue: nodeTypes }, { paths, signal }),
  );
  return { tests: reports.length, failed: reports.filter(({ passed }) => !passed) };
}

describe("examples", () => {
  it("has one for every node type, which uses it", () => {
    const files = globSync("*.yaml", { cwd: join(root, "examples/nodes") });
    expect(files.map((file) => file.replace(".yaml", "")).sort()).toEqual([...nodeTypes.keys()].sort());
    for (const type of nodeTypes.keys())
      expect(readFileSync(join(root, `examples/nodes/${type}.yaml`), "utf8")).toMatch(
        new RegExp(`type: ${type}\\b`),
      );
  });

  it("of nodes all run, and do what their tests say", async () => {
    const { tests, failed } = await failures(join(root, "examples/nodes"));
    expect(failed).toEqual([]);
    expect(tests).toBeGreaterThanOrEqual(nodeTypes.size);
  });

  it("of the quickstart run in an empty folder", async () => {
    const files = of("yaml").filter(({ info }) => info.startsWith("file="));
    expect(files.map(({ info }) => info)).toEqual(["file=discount.yaml", "file=discount.test.yaml"]);
    for (const { info, code } of files) await writeFile(join(directory, info.slice("file=".length)), code);
    expect(await failures(directory)).toEqual({ tests: 1, failed: [] });
  });

  it("of a test passes on the flow that it names", async () => {
    const test = of("yaml").find(({ file }) => file.endsWith("testing-flows.md"));
    const place = await mkdtemp(join(directory, "order-"));
    await copyFile(join(root, "examples/order/order.yaml"), join(place, "order.yaml"));
    await writeFile(join(place, "order.test.yaml"), test!.code);
    expect(await failures(place)).toEqual({ tests: 1, failed: [] });
  });
});

describe("documents in the texts", () => {
  it("are free of faults, nodes too that stand alone", () => {
    let checked = 0;
    for (const { file, code } of of("yaml")) {
      const nodes = code.startsWith("- id:") ? code.replaceAll(/^/gm, "    ") : undefined;
      const text = nodes
        ? `kind: Flow\nid: flow_a\norganizationId: org_a\nname: A\ngraph:\n  nodes:\n${nodes}\n  edges: []\n`
        : code;
      for (const document of parseAllDocuments(text)) expect(document.errors, file).toEqual([]);
      // What is cut short shows one part of a document.
      if (!text.startsWith("kind:") || / …$/m.test(text)) continue;
      checked += 1;
      expect(parseSource({ file, text }).faults).toEqual([]);
    }
    expect(checked).toBeGreaterThan(nodeTypes.size);
  });

  it("are JSON where they say so", () => {
    for (const { file, code } of of("json")) expect(() => JSON.parse(code) as unknown, file).not.toThrow();
  });
});

describe("commands in the texts", () => {
  const refuse = () => Promise.reject(new Error("not here"));
  const program = buildProgram({
    withDatabase: refuse,
    isDatabaseMeant: () => false,
    stdout: () => {},
    stderr: () => {},
    env: {},
    catalogue: nodeTypes,
    dryRun: refuse,
    withReplay,
    interruption: () => new AbortController().signal,
    startCommands: (command) =>
      registerServeCommands(command, { env: {}, stdout: () => {}, migrate: refuse, serve: refuse }),
  });
  const lines = of("sh").flatMap(({ file, code }) =>
    code
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .map((line) => ({ file, line: line.replace(/(?:^|\s)#.*$/, "") })),
  );

  it.each(
    lines
      .filter(({ line }) => /(?:^|&& |[A-Z]=\S+ |npx )millrace [a-z]/.test(line))
      .map(({ file, line }) => [line, file]),
  )("%s (%s)", (line) => {
    const words = [...line.split(/(?:^|\s)millrace\s+/)[1]!.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(
      ([word]) => word,
    );
    let command: Command = program;
    for (const word of words) {
      const next = command.commands.find((other) => other.name() === word);
      if (!next) break;
      command = next;
    }
    expect(command, line).not.toBe(program);
    expect(command.commands, `${line}: which of them?`).toEqual([]);
    const known = [...command.options, ...program.options].map(({ long }) => long);
    for (const word of words.filter((word) => word.startsWith("--")))
      expect(known).toContain(word.split("=")[0]);
  });

  it("names scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    const named = lines.flatMap(({ line }) =>
      [...line.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!),
    );
    expect(named.length).toBeGreaterThan(10);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});
