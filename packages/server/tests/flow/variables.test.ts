import { describe, expect, it } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { checkFlow, checkReferences } from "../../src/domain/flow/validate.ts";
import { finishSliced } from "../../src/domain/sliced.ts";
import { catalogue, node } from "./support.ts";
import { around, validate } from "./validate-support.ts";

const set = (value: unknown) => node("x", "set", { values: { a: value } });
const errorsOf = (value: unknown) => validate(around(set(value))).errors.join("\n");

describe("variables in expressions", () => {
  it("are known by name", () => {
    expect(errorsOf("{{ vars.region & vars.limits.order }}")).toBe("");
    expect(errorsOf("{{ vars }}")).toBe("");
    expect(errorsOf("{{ vars.regoin }}")).toBe(
      'Node "x": an expression in input "values" reads vars.regoin, but the organization has no variable "regoin"; did you mean vars.region?.',
    );
    expect(errorsOf("{{ vars.completely_else }}")).toContain(
      "set it with: millrace variables set completely_else",
    );
    // The word in a value of its own means something else.
    expect(errorsOf("{{ data.rows.(vars.any) }}")).toBe("");
  });

  it.each([
    ["{{ vars.region }}", true],
    ["{{ $lookup($, 'vars') }}", true],
    ["{{ data.vars }}", true],
    ["{{ $keys($) }}", false],
    ["{{ data.region }}", false],
  ])("are looked for only where they are spoken of: %s", (text, reads) => {
    expect(compileFlow(around(set(text)), catalogue).readsVariables).toBe(reads);
  });
});

describe("a rule that was made after a version was published", () => {
  const nothing = {
    hasFlow: () => false,
    hasAgent: () => false,
    credentialType: () => undefined,
    variables: new Set<string>(),
  };

  it("is a warning for that version, and an error for what is published now", () => {
    const checked = finishSliced(checkFlow(around(set("{{ nodes.gone.text }}")), catalogue));
    expect(finishSliced(checkReferences(checked, nothing)).errors.join()).toContain("nodes.gone");
    const before = finishSliced(checkReferences(checked, nothing, { ranBefore: true }));
    expect([before.errors, before.warnings.join()]).toEqual([[], expect.stringContaining("nodes.gone")]);
  });
});
