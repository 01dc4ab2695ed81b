import type { FlowGraph } from "@millrace/contract/documents/graph";
import { describe, expect, test } from "vitest";
import { graphOf, node } from "./support.ts";
import { around, end, start, validate } from "./validate-support.ts";

describe("a flow is invalid for a node, and the text names it and the fix, with", () => {
  test.each<[string, FlowGraph, RegExp]>([
    [
      "code that no trigger can supply",
      around(node("x", "code")),
      /Node "x": the input "source" is required; fill it in/,
    ],
    [
      "a malformed input",
      around(node("x", "http", { url: "not a url" })),
      /the input "url" is not valid: Invalid URL/,
    ],
    [
      "a malformed optional input",
      around(node("x", "http", { url: "https://a.example", method: "YELL" })),
      /the input "method" is not valid/,
    ],
    [
      "an expression that does not parse",
      around(node("x", "set", { values: { a: { b: "{{ data. }}" } } })),
      /Node "x": the expression in input "values" cannot be read: /,
    ],
    [
      "an expression that is not closed",
      around(node("x", "set", { values: { a: "{{ data" } })),
      /never closed/,
    ],
    [
      "a bare expression that does not parse",
      around(node("x", "transform", { expression: "data.(" })),
      /"expression" cannot be read/,
    ],
    [
      "an expression that is 20,000 deep",
      around(node("x", "set", { values: { a: `{{ ${"(".repeat(20_000)} }}` } })),
      /cannot be read/,
    ],
    [
      "a required credential missing",
      around(node("x", "sql", { query: "q" })),
      /needs a credential \(postgres\); choose one/,
    ],
    [
      "an unknown credential",
      around(node("x", "sql", { query: "q" }, { credential: "nope" })),
      /no credential "nope"/,
    ],
    [
      "a credential of the wrong type",
      around(node("x", "sql", { query: "q" }, { credential: "web" })),
      /is of type http-bearer; choose one of type postgres/,
    ],
    [
      "a credential that nothing uses",
      around(node("x", "set", { values: {} }, { credential: "web" })),
      /take no credential/,
    ],
    [
      "a disabled node that is reached",
      around(node("x", "set", { values: {} }, { disabled: true })),
      /disabled but can be reached/,
    ],
    [
      "an unknown flow",
      around(node("x", "run-flow", { flowId: "flow_2" })),
      /no flow "flow_2" in the organization; correct "flowId"/,
    ],
    ["an unknown agent", around(node("x", "agent", { agentId: "agent_2" })), /no agent "agent_2"/],
    [
      "too many attempts",
      around(node("x", "set", { values: {} }, { retry: { maxAttempts: 99 } })),
      /maxAttempts must be a whole number from 1 to 10/,
    ],
    [
      "a container to retry",
      graphOf(
        [start, node("each", "for-each", { items: [] }, { retry: { maxAttempts: 2 } }), end],
        "s each, each end",
      ),
      /cannot be retried as a whole/,
    ],
    [
      "a negative back-off",
      around(node("x", "set", { values: {} }, { retry: { backoffSeconds: -1 } })),
      /backoffSeconds must be/,
    ],
    [
      "a timeout of nothing",
      around(node("x", "set", { values: {} }, { timeoutSeconds: 0 })),
      /timeoutSeconds must be/,
    ],
    [
      "an unknown error setting",
      around(node("x", "set", { values: {} }, { onError: "ignore" })),
      /onError is "ignore"; use fail, continue or branch/,
    ],
    [
      "an unknown join",
      around(node("x", "set", { values: {} }, { join: "some" })),
      /join is "some"; use all or any/,
    ],
    [
      "an override key of two readings",
      graphOf(
        [start, node("a", "for-each", { items: [] }), node("a_b", "http", { url: "https://a.example" }), end],
        "s a, a a_b, a_b end",
      ),
      /"a_b_c" could mean its input "c" or "b_c" of node "a"; rename/,
    ],
  ])("%s", (_name, graph, expected) => {
    expect(validate(graph).errors.join("\n")).toMatch(expected);
  });
});
