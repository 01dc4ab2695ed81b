import { flowGraphSchema } from "@millrace/contract/documents/graph.ts";
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
      node("text", "template", { text: "{{ trigger.body.text }}" }),
      node("set", "set", { values: { body: "{{ trigger.body }}", again: "{{ nodes.text.text }}" } }),
      node("shape", "transform", { input: "{{ nodes.set }}", expression: "again" }),
      node("code", "code", { input: "{{ nodes.set.again }}", source: "return { value: input };" }),
      node("send", "http-request", { url, method: "POST", body: "{{ nodes.code.value }}" }),
      node("done", "return", {
        value: {
          text: "{{ nodes.text.text }}",
          body: "{{ nodes.set.body }}",
          shaped: "{{ nodes.shape.value }}",
          coded: "{{ nodes.code.value }}",
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

describe("what a trigger brings stays data", () => {
  it.each(forgeries)("%s arrives as it is, everywhere", async (text) => {
    const received: string[] = [];
    const server = await startLoopbackServer(async (request, response) => {
      received.push(await readText(request));
      response.end();
    });
    const body = { text, nested: { deep: [text] }, [text]: text };
    const { result } = await withFile([through(server.url)], (path) => report([path], { trigger: { body } }));
    await server.close();
    expect(result).toMatchObject({
      status: "COMPLETED",
      output: { text, body, shaped: text, coded: text },
    });
    expect(received).toEqual([text]);
  });

  it("a body that forges headers, files, method or the run is only a body", async () => {
    const server = await startLoopbackServer((_request, response) => void response.end());
    const body = JSON.parse(`{
      "text": "x",
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
