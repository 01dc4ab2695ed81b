import * as fc from "fast-check";
import type { Parts } from "../bytes.ts";
import type { RequestDeed } from "../case.ts";
import { cut, KB } from "./sized-parts.ts";
import { sizes, values } from "./values.ts";

const MAX_DOCUMENTS_BYTES = 8_192 * KB;

interface Door {
  readonly method: "POST" | "PUT";
  readonly target: string;
  readonly maxBytes: number;
  /** Around a value of the caller's. */
  readonly around: readonly [before: string, after: string];
}

const door = (
  method: Door["method"],
  target: string,
  before: string,
  after = "}",
  maxBytes = MAX_DOCUMENTS_BYTES,
): Door => ({ method, target, maxBytes, around: [before, after] });

const aNode = '{"nodes":[{"id":"start","type":"start"},{"id":"a","type":"set","data":{"inputs":{"values":';
const nodeEnd = '}}}],"edges":[{"source":"start","target":"a"}]}';

/** Where documents are read, and whatever else takes more than a trigger. */
const doors: readonly Door[] = [
  door("POST", "/manage/flows", '{"name":"n","graph":'),
  door("POST", "/manage/flows", `{"name":"n","graph":${aNode}`, `${nodeEnd}}`),
  door("POST", "/manage/flows", '{"name":"n","settings":'),
  door("PUT", "/manage/flows/flow_hello/draft", `{"revision":0,"graph":${aNode}`, `${nodeEnd}}`),
  door("POST", "/manage/flows/flow_hello/draft/validate", `{"graph":${aNode}`, `${nodeEnd}}`),
  door("POST", "/manage/flows/flow_hello/draft/evaluate", `{"runId":"run_1","graph":${aNode}`, `${nodeEnd}}`),
  door("POST", "/manage/flows/flow_hello/draft/run", '{"data":{"a":', "}}"),
  door("POST", "/manage/flows/flow_hello/backtest", `{"last":10,"graph":${aNode}`, `${nodeEnd}}`),
  door("POST", "/manage/flows/flow_hello/draft/test", '{"tests":'),
  door(
    "POST",
    "/manage/flows/flow_hello/draft/test",
    '{"tests":[{"apiVersion":"millrace/v1","kind":"FlowTest","id":"t","flowId":"flow_hello","expect":{"output":',
    "}}]}",
  ),
  door("PUT", "/manage/flows/flow_hello/tests/t", '{"document":', "}", KB * KB),
  door("PUT", "/manage/variables", '{"version":0,"values":', "}", KB * KB),
  door("POST", "/manage/jobs", '{"action":"retry","filter":', "}", KB * KB),
  door("POST", "/mcp", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":', "}", KB * KB),
  door("POST", "/mcp", "", "", KB * KB),
  door("POST", "/v1/chat/completions", '{"model":"agent_model","messages":', "}", KB * KB),
];

/** What YAML is made of, as it stands in a text of JSON. */
const yaml: fc.Arbitrary<Parts> = fc
  .tuple(
    fc.constantFrom<readonly [string, string, string]>(
      ["", "a: 1\\n", ""],
      ["", "- a\\n", ""],
      ["", "- ", "a"],
      ["", "[", ""],
      ["", "{a: ", ""],
      ["", "? ", ""],
      ["", "---\\n", ""],
      ["", "# a\\n", "a: 1"],
      ["a: |\\n", "  a \\n", ""],
      ['a: \\"', "\\\\n", '\\"'],
      ["a: '", "''", "'"],
      ["a: &a [1]\\nb:\\n", "- *a\\n", ""],
      ["a: &a [1]\\n", "b: &a [*a, *a, *a]\\n", ""],
      ["", "&a ", "1"],
      ["", "!!str ", "a"],
      ["", "%TAG ! a\\n", "---\\na"],
      ["", " ", "a: 1"],
      ["", "a: b: c\\n", ""],
      ["", "\\t", ""],
      ["", "a:\\n ", "b"],
      ["kind: Flow\\nid: f\\ngraph:\\n  nodes:\\n", "  - {id: a, type: set}\\n", ""],
      ["{", '\\"a\\":1,', '\\"b\\":1}'],
    ),
    sizes,
  )
  .map(([[first, unit, last], size]) => [
    first,
    { repeat: unit, times: Math.ceil(size / unit.length) },
    last,
  ]);

const written: fc.Arbitrary<{ door: Door; value: Parts }> = yaml.map((value) => ({
  door: door("POST", "/manage/documents/plan", '{"files":[{"path":"a.yaml","text":"', '"}]}'),
  value,
}));

const asJson: fc.Arbitrary<{ door: Door; value: Parts }> = fc.record({
  door: fc.constantFrom(...doors),
  value: values.map((json): Parts => [{ json }]),
});

/** Documents, drafts, tests, variables and calls of tools, as large as they may be. */
export const documentDeeds: fc.Arbitrary<RequestDeed> = fc
  .oneof({ arbitrary: written, weight: 1 }, { arbitrary: asJson, weight: 2 })
  .map(({ door: { method, target, maxBytes, around }, value }) => ({
    action: "request",
    method,
    target,
    headers: [
      ["content-type", ["application/json"]],
      ["accept", ["application/json, text/event-stream"]],
    ],
    body: [around[0], ...value.map((part) => cut(part, maxBytes - 1_000)), around[1]],
  }));
