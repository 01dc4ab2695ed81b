import { z } from "zod";
import { defineNode, inSlices } from "./node-type.ts";
import { anyValue } from "./support/input-schemas.ts";
import { isEqualJson } from "./support/values.ts";

const switchCase = z.object({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,64}$/, "Use 1 to 64 letters, digits, _ or -")
    .refine((name) => name !== "default" && name !== "error", "The names default and error are taken")
    .describe("The handle that this case leaves by."),
  equals: anyValue().describe("The value to compare with; a number is never equal to a text."),
});

export const switchNode = defineNode({
  type: "switch",
  summary: "Goes the way of the first case that equals the value.",
  inputs: z.object({
    value: anyValue().describe("What is compared with the cases."),
    cases: z
      .array(switchCase)
      .min(1)
      .refine(
        (cases) => new Set(cases.map(({ name }) => name)).size === cases.length,
        "Case names must differ",
      )
      .describe("The cases in order, each `{name, equals}`; the list itself cannot be an expression."),
  }),
  effect: false,
  handles: ({ cases }) => [...literalNames(cases), "default"],
  faultsOf: ({ cases }) => caseFaults(cases),
  output: "`{value, case}`: the value and the name of the case, or `default`.",
  example: { inputs: { value: "{{ data.country }}", cases: [{ name: "home", equals: "TR" }] } },
  execute: inSlices(function* ({ value, cases }) {
    let name = "default";
    for (const { name: caseName, equals } of cases) {
      if (yield* isEqualJson(equals, value)) {
        name = caseName;
        break;
      }
      yield;
    }
    return { kind: "output", output: { value, case: name }, handle: name };
  }),
});

/** The names are the ways out that edges leave by, so the document itself has to say them. */
function caseFaults(cases: unknown): string[] {
  if (typeof cases === "string" && cases.includes("{{"))
    return [
      'the input "cases" must not be an expression; list the cases and put expressions into their "equals"',
    ];
  return literalNames(cases)
    .filter((name) => name.includes("{{"))
    .map(
      (name) =>
        `the name of the case "${name.slice(0, 100)}" must not contain {{ }}; give it a fixed name and put the expression into "equals"`,
    );
}

function literalNames(cases: unknown): string[] {
  if (!Array.isArray(cases)) return [];
  return cases
    .map((entry: { name?: unknown } | null) => entry?.name)
    .filter((name) => typeof name === "string");
}
