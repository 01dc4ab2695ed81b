import { readFile } from "node:fs/promises";
import { afterAll, expect, it } from "vitest";
import { compileTemplate, evaluateTemplate } from "../../src/domain/flow/expressions/template.ts";
import { createSandbox } from "../../src/engine/sandbox/pool.ts";

const page = await readFile(new URL("../../../../docs/expressions.md", import.meta.url), "utf8");
const scope: unknown = JSON.parse(/```json scope\n([\s\S]*?)```/.exec(page)![1]!);
const sandbox = createSandbox();
afterAll(() => sandbox.close());

/** Rows of two cells of code under `input` and `value`. */
const examples = [...page.matchAll(/^\| (`+)(.*?\{\{.*?)\1 +\| (?:`(.*)`|(nothing)) +\|$/gm)].map(
  (match) => ({
    input: match[2]!,
    value: match[4] === "nothing" ? undefined : (JSON.parse(match[3]!) as unknown),
  }),
);

it("has examples, and no row that looks like one and is not read", () => {
  expect(examples.length).toBeGreaterThan(40);
  expect(examples).toHaveLength(page.split("\n").filter((line) => /^\| `+[^|]*\{\{/.test(line)).length);
});

it.each(examples)("$input", async ({ input, value }) => {
  const result: unknown = await evaluateTemplate(compileTemplate(input), {
    root: scope,
    nowMs: 0,
    evaluateUnbounded: async (source, root) =>
      (
        await sandbox.run({
          organizationId: "org_docs",
          language: "expression",
          source,
          input: root,
          nowMs: 0,
        })
      ).value,
  });
  expect(result).toEqual(value);
});
