import { nearestName } from "@millrace/contract/documents/nearest-name";
import { describe, expect, it } from "vitest";
import { checkFlow, checkReferences } from "../../src/domain/flow/validate.ts";
import { finishSliced, type Sliced } from "../../src/domain/sliced.ts";
import { catalogue, node } from "./support.ts";
import { around } from "./validate-support.ts";

const MANY = 600;
const SHOWN = 100;
const expressions = (name: (at: number) => string) =>
  Array.from({ length: MANY }, (_, at) => `{{ ${name(at)} }}`).join(" ");
const flowThatReads = (name: (at: number) => string) =>
  around(node("x", "set", { values: { a: expressions(name) } }));

function driven<Result>(work: Sliced<Result>): { result: Result; slices: number } {
  for (let slices = 1; ; slices += 1) {
    const step = work.next();
    if (step.done) return { result: step.value, slices };
  }
}

const hinted = (texts: readonly string[]) => texts.filter((text) => text.includes("did you mean")).length;

describe("a flow with many faults", () => {
  it("is checked in slices, and names are compared for the texts that are shown", () => {
    const { result, slices } = driven(
      checkFlow(
        flowThatReads((at) => `nodes.xx${at % 10}_${at}`),
        catalogue,
      ),
    );
    expect(result.newErrors).toHaveLength(MANY);
    expect(slices).toBeGreaterThan(MANY);
    const near = finishSliced(
      checkFlow(
        flowThatReads((at) => `trigger${100 + at}`),
        catalogue,
      ),
    );
    expect([near.newErrors.length, hinted(near.newErrors)]).toEqual([MANY, SHOWN]);
  });

  it("is compared in slices with what the organization has", () => {
    const checked = finishSliced(
      checkFlow(
        flowThatReads((at) => `vars.region_${at}`),
        catalogue,
      ),
    );
    const variables = new Set(Array.from({ length: MANY }, (_, at) => `regionn_${at}`));
    const none = { hasFlow: () => false, hasAgent: () => false, credentialType: () => undefined };
    const { result, slices } = driven(checkReferences(checked, { ...none, variables }));
    expect(result.errors).toHaveLength(SHOWN + 1);
    expect(slices).toBeGreaterThan(MANY);
  });
});

describe("a node with many ways out", () => {
  it("says them once, however many edges leave it", () => {
    let asked = 0;
    const handles = () => {
      asked += 1;
      return ["left", "right"];
    };
    const types = new Map([...catalogue, ["set", { ...catalogue.get("set")!, handles }]]);
    const flow = around(node("x", "set", { values: {} }));
    const edges = Array.from({ length: MANY }, () => ({ source: "x", target: "end" }));
    const { errors } = finishSliced(checkFlow({ ...flow, edges: [...flow.edges, ...edges] }, types));
    expect(errors).toHaveLength(MANY + 1);
    expect(asked).toBe(1);
  });
});

describe("the name that was probably meant", () => {
  it("is looked for among the first names alone", () => {
    let looked = 0;
    function* names() {
      for (; looked < 10_000; looked += 1) yield `name_${looked}`;
    }
    expect(nearestName("something", names())).toBeUndefined();
    expect(looked).toBeLessThan(1_000);
  });

  it.each([
    ["regoin", ["region", "reason"], "region"],
    ["Region", ["region"], "region"],
    ["rgion", ["religion", "region"], "region"],
    ["regions", ["region", "regio"], "region"],
    ["abc", ["xyz", "ab"], "ab"],
    ["ab", ["xyz"], undefined],
    ["", ["a"], undefined],
    ["a".repeat(70), ["a".repeat(64)], "a".repeat(64)],
    ["a".repeat(64), ["a".repeat(68)], undefined],
    // In lower case it is twice as long.
    ["İ".repeat(64), ["İ".repeat(64), "x".repeat(64)], undefined],
    ["ababa", ["İİİİİ"], undefined],
  ])("%s among %j is %s", (text, names, nearest) => {
    expect(nearestName(text, names)).toBe(nearest);
  });
});
