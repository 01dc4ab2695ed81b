import { flowGraphSchema } from "@millrace/contract/documents/graph";
import { describe, expect, it } from "vitest";
import { compileFlow } from "../../src/domain/flow/compile.ts";
import { fillInputs } from "../../src/domain/flow/overrides.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { readText, startLoopbackServer } from "../support/loopback-server.ts";
import { flowOf, report, type TestNode, withFile } from "./dry-run.ts";

const node = (id: string, type: string, inputs: object): TestNode => ({ id, type, data: { inputs } });

/** Hands the body through every kind of place that evaluates expressions. */
const through = (url: string) =>
  flowOf(
    "flow_a",
    [
      node("text", "template", { text: "{{ trigger.body.first }}" }),
      node("set", "set", { values: { body: "{{ trigger.body }}", again: "{{ nodes.text.text }}" } }),
      node("shape", "transform", { input: "{{ nodes.set.body.texts }}", expression: "$map($, $string)" }),
      node("code", "code", { input: "{{ nodes.shape.value }}", source: "return { texts: input };" }),
      node("send", "http-request", { url, method: "POST", body: "{{ nodes.code.texts }}" }),
      node("done", "return", {
        value: {
          text: "{{ nodes.set.again }}",
          inText: "<{{ nodes.set.again }}>",
          body: "{{ nodes.set.body }}",
          coded: "{{ nodes.code.texts }}",
          headers: "{{ trigger.headers }}",
          start: "{{ nodes.start }}",
        },
      }),
    ],
    ["start text", "text set", "set shape", "shape code", "code send", "send done"],
  );

const forgeries = [
  "{{ 1 + 1 }}",
  "{{ run.id }}",
  "{{ $eval('1') }}",
  "{{ trigger.headers }}",
  "{{{{ 1 }}}}",
  "${1 + 1}",
  "{{ constructor.constructor('return process')() }}",
];

// On a crowded machine even an innocent call may run out of its second in the sandbox.
const crowded = { retry: 2 };

describe("what a trigger brings stays data", () => {
  it("text that looks like an expression arrives as it is, everywhere", crowded, async () => {
    const received: string[] = [];
    const server = await startLoopbackServer(async (request, response) => {
      received.push(await readText(request));
      response.end();
    });
    const [first = ""] = forgeries;
    const body = { first, texts: forgeries, [first]: { deep: forgeries } };
    const { result } = await withFile([through(server.url)], (path) => report([path], { trigger: { body } }));
    await server.close();
    expect(result).toMatchObject({
      status: "COMPLETED",
      output: { text: first, inText: `<${first}>`, body, coded: forgeries },
    });
    expect(received).toEqual([JSON.stringify(forgeries)]);
  });

  it.each(forgeries)("%s stays itself in place of a whole input", async (text) => {
    const flow = flowOf(
      "flow_a",
      [
        node("one", "template", { text: "{{ trigger.body }}" }),
        node("two", "template", { text: "{{ nodes.one.text }}" }),
      ],
      ["start one", "one two"],
    );
    const { output } = await withFile([flow], (path) => report([path], { trigger: { body: text } }));
    expect(output("two")).toEqual({ text });
  });

  it("a body that forges headers, files, method or the run is only a body", crowded, async () => {
    const server = await startLoopbackServer((_request, response) => void response.end());
    const body = JSON.parse(`{
      "first": "x",
      "texts": [],
      "headers": { "authorization": "Bearer forged" },
      "files": [{ "name": "../../etc/passwd" }],
      "method": "DELETE",
      "run": { "organizationId": "org_b" },
      "nodes": { "text": { "text": "forged" } },
      "data": { "admin": true },
      "__proto__": { "admin": true }
    }`);
    const { result } = await withFile([through(server.url)], (path) =>
      report([path], { trigger: { body, headers: { "x-real": "1" }, method: "PUT" } }),
    );
    await server.close();
    const { output } = result as { output: Record<string, unknown> };
    expect(output).toMatchObject({ text: "x", headers: { "x-real": "1" } });
    expect(output["start"]).toEqual({ body, headers: { "x-real": "1" }, query: {}, method: "PUT" });
  });

  it("an override that looks like an expression is text", async () => {
    const flow = flowOf("flow_a", [node("text", "template", { text: "" })], ["start text"]);
    const { output } = await withFile([flow], (path) =>
      report([path], { inputs: { text_text: "{{ run.id }}" } }),
    );
    expect(output("text")).toEqual({ text: "{{ run.id }}" });
  });

  it("a webhook's body fills empty inputs as text, never sources, expressions or credentials", () => {
    const document = flowOf(
      "flow_a",
      [
        node("text", "template", { text: "" }),
        node("full", "template", { text: "mine" }),
        node("code", "code", { source: "" }),
        node("shape", "transform", {}),
        node("send", "http-request", { url: "" }),
      ],
      ["start text"],
    );
    const body = {
      text_text: "{{ run.id }}",
      full_text: "theirs",
      code_source: "return 1",
      shape_expression: "$$",
      send_credential: "cred_other",
      send_nonsense: 1,
    };
    const flow = compileFlow(flowGraphSchema.parse(document.graph), nodeTypes);
    const filled = fillInputs(flow, body);
    expect([...filled].map(([id, inputs]) => [id, Object.fromEntries(inputs)])).toEqual([
      ["text", { text: "{{ run.id }}" }],
    ]);
    for (const odd of [null, "text", [1], 7]) expect(fillInputs(flow, odd).size).toBe(0);
  });
});
