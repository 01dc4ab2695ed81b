import type { Case, FlowDeed } from "../case.ts";
import { inLine, sideBySide, step } from "../graphs.ts";
import type { Recipe } from "../recipes.ts";

/** Flows that never let anybody else in between, or needed more memory than there is. */
export const flowSeeds: readonly Case[] = [
  flow(
    "a filter over a long list",
    inLine(
      step("keep", "filter", {
        items: "{{ data.list }}",
        condition: "{{ $contains(data.text, item) or $contains(data.text, $string(index)) }}",
      }),
    ),
    { list: { $texts: "x", times: 100_000 }, text: { $text: "a", times: 500_000 } },
  ),
  flow("an empty while", inLine(step("loop", "while", { condition: true, maxIterations: 10_000 })), {}),
  flow(
    "a while over a long text",
    inLine(step("loop", "while", { condition: "{{ $length(data.text) > 0 }}", maxIterations: 10_000 })),
    { text: { $text: "ä", times: 1_400_000 } },
  ),
  flow(
    "whiles in whiles",
    inLine(
      step("a", "while", { condition: true, maxIterations: 10_000 }),
      step("b", "while", { condition: true, maxIterations: 10_000 }, "a"),
    ),
    {},
  ),
  flow(
    "a for-each over a long list",
    inLine(
      step("loop", "for-each", { items: "{{ data.list }}", concurrency: 100 }),
      step("in", "set", { values: { a: "{{ item }}" } }, "loop"),
    ),
    { list: { $numbers: 300_000 } },
  ),
  flow(
    "a for-each over a long list of the document",
    inLine(
      step("loop", "for-each", { items: { $numbers: 195_000 }, concurrency: 100 }),
      step("in", "set", { values: { a: "{{ item }}" } }, "loop"),
    ),
    {},
  ),
  flow(
    "loops in loops over a long list, five runs at once",
    inLine(
      ...Array.from({ length: 7 }, (_, at) => {
        const parentId = at === 0 ? undefined : `n${at - 1}`;
        return at % 2 === 0
          ? step(`n${at}`, "for-each", { items: "{{ data.list }}", concurrency: 100 }, parentId)
          : step(`n${at}`, "while", { condition: true, maxIterations: 10_000 }, parentId);
      }),
      step("in", "set", { values: { a: 1 } }, "n6"),
    ),
    { list: { $numbers: 87_000 } },
    5,
  ),
  flow(
    "an output of 8 MB",
    inLine(step("end", "return", { value: { $keys: "k", times: 3, value: "{{ data.text }}" } })),
    { text: { $text: "😀", times: 700_000 } },
  ),
  ...(["sort", "unique", "group"] as const).map((operation) =>
    flow(
      `a list to ${operation}`,
      inLine(step("do", "list", { items: "{{ data.list }}", operation, by: "a.b" })),
      { list: { $list: { a: { b: { c: "x" } } }, times: 100_000 } },
    ),
  ),
  flow(
    "lists joined by key",
    inLine(step("do", "merge", { mode: "byKey", sources: ["{{ data.list }}", "{{ data.list }}"] })),
    { list: { $list: { id: { $deep: "object", depth: 5, value: 1 } as Recipe }, times: 40_000 } },
  ),
  flow(
    "150 references to a large value, 100 rounds at once",
    inLine(
      step("loop", "for-each", { items: { $numbers: 100 }, concurrency: 100 }),
      step("copy", "set", { values: { $keys: "k", times: 150, value: "{{ data.big }}" } }, "loop"),
    ),
    { big: { $text: "a", times: 2_500_000 } },
  ),
  flow(
    "150 references to a large list",
    inLine(step("copy", "set", { values: { $keys: "k", times: 150, value: "{{ data.big }}" } })),
    { big: { $numbers: 350_000 } },
  ),
  flow(
    "200 nodes with nested ??",
    sideBySide(
      ...Array.from({ length: 200 }, (_, at) =>
        step(`n${at}`, "set", {
          values: {
            a: `{{ ${"(".repeat(8)}data.a${Array.from({ length: 8 }, (_, i) => ` ?? data.b${i})`).join("")} }}`,
          },
        }),
      ),
    ),
    {},
  ),
  flow("1,000 expressions that read nodes which are not there", manyNames("nodes."), {}),
  flow("1,000 expressions that read variables which are not there", manyNames("vars."), {}),
  flow("1,000 expressions that read names which are not there", manyNames(""), {}),
  flow(
    "2,000 nodes",
    inLine(...Array.from({ length: 1_990 }, (_, at) => step(`n${at}`, "set", { values: {} }))),
    {},
  ),
  flow("a switch of 10,000 cases that 9,990 edges leave", manyWays(), {}),
  flow(
    "forms of 480 references each",
    sideBySide(
      ...Array.from({ length: 20 }, (_, at) =>
        step(`ask${at}`, "approval", { message: "?", form: manyReferences() }),
      ),
    ),
    {},
  ),
  {
    kind: "flows",
    name: "an input that asks for 8,000 names of each of 20,000 objects",
    action: "flow",
    graph: inLine(),
    input: {
      type: "object",
      properties: {
        list: {
          type: "array",
          contains: { type: "object", dependentRequired: { a: { $texts: "name", times: 8_000 } } },
        },
      },
    },
    payload: { trigger: { body: { list: { $list: { a: 1 }, times: 20_000 } } } },
  },

  {
    ...flow(
      "runs that hold much, many at once",
      inLine(...growing(), step("stay", "wait", { duration: "1s" })),
      { text: { $text: "a", times: 100_000 } },
      150,
    ),
    slow: true,
  },
  flow(
    "triggers that bring much, many at once",
    inLine(step("stay", "wait", { duration: "1s" })),
    { text: { $text: "a", times: 2_900_000 } },
    40,
  ),
  flow(
    "triggers that bring many small values, many at once",
    inLine(step("stay", "wait", { duration: "1s" })),
    { lists: { $list: { $deep: "list", depth: 13, value: 1 }, times: 7_000 } },
    40,
  ),
  {
    ...flow("flows of many expressions, many at once", manyExpressions(), {}),
    copies: 40,
    slow: true,
  },
  flow(
    "code that takes all memory",
    inLine(step("take", "code", { source: "const a=[]; for(;;) a.push('x'.repeat(1e6)+a.length);" })),
    {},
  ),
];

/** About as many as one flow may have. */
function manyExpressions(): Recipe {
  const list = { $text: "1,", times: 2_000, begin: "{{ [", end: "1] }}" };
  return inLine(
    ...Array.from({ length: 44 }, (_, at) => step(`make${at}`, "set", { values: { list } })),
    step("stay", "wait", { duration: "1s" }),
  );
}

/** Ten texts of 4.8 MB each. */
function growing() {
  const text = "{{ data.text }}".repeat(48);
  return Array.from({ length: 10 }, (_, at) =>
    step(`make${at}`, "set", { values: { text: `${at}${text}` } }),
  );
}

/** Each edge is to be one of the ways out. */
function manyWays(): Recipe {
  const cases = Array.from({ length: 10_000 }, (_, at) => ({ name: `c${at}`, equals: at }));
  const targets = Array.from({ length: 1_990 }, (_, at) => step(`n${at}`, "set", { values: {} }));
  const { nodes } = inLine(step("choose", "switch", { value: 1, cases }), ...targets) as { nodes: Recipe };
  const edges = Array.from({ length: 9_990 }, (_, at) => ({ source: "choose", target: `n${at % 1_990}` }));
  return { nodes, edges: [{ source: "start", target: "choose" }, ...edges] };
}

/** Each leads to the next, and all the way on. */
function manyReferences(): Recipe {
  const chain = Array.from({ length: 480 }, (_, at): [string, Recipe] => [
    `d${at}`,
    at < 479 ? { allOf: [{ $ref: `#/$defs/d${at + 1}` }] } : { type: "string" },
  ]);
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: Object.fromEntries(chain) };
}

/** Each is compared with the names of 200 nodes, to say which was meant. */
function manyNames(prefix: string): Recipe {
  const long = "x".repeat(56);
  const text = Array.from({ length: 1_000 }, (_, at) => `{{ ${prefix}${long}${at} }}`).join(" ");
  return inLine(
    ...Array.from({ length: 200 }, (_, at) => step(`${"y".repeat(60)}${at}`, "set", { values: {} })),
    step("many", "set", { values: { text } }),
  );
}

function flow(
  name: string,
  graph: Recipe,
  data: { readonly [key: string]: Recipe },
  runs = 1,
): Case & FlowDeed {
  return { kind: "flows", name, action: "flow", graph, payload: { data }, runs };
}
