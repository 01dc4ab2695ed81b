import { describe, expect, test } from "vitest";
import type { NodeRecord } from "../../src/engine/flow-runner/run-types.ts";
import { graphOf, inside, node, run } from "./support/test-flow.ts";

// A process is killed after it has saved that it goes on, and before it has said that it waits for something no more.

const start = node("start", "start");
const end = node("end", "effect");
const failed = (nodeKey: string, handle?: string): [string, NodeRecord] => [
  nodeKey,
  {
    nodeKey,
    nodeId: nodeKey.replace(/\[.*/, ""),
    type: "effect",
    status: "FAILED",
    startedAt: 1,
    endedAt: 2,
    attempts: 1,
    input: {},
    output: { error: {} },
    handle,
    error: { name: "NodeTimeout", message: "too long" },
    log: [],
  },
];
const entered = (nodeKey: string, input: Record<string, unknown>): [string, NodeRecord] => {
  const [, record] = failed(nodeKey);
  return [nodeKey, { ...record, status: "EXECUTING", error: undefined, input }];
};

describe("what a killed process waited for is withdrawn by the next one", () => {
  test("where its node has ended", async () => {
    const graph = graphOf(
      [start, node("ask", "suspend", {}, { onError: "continue", timeoutSeconds: 1 }), end],
      "start ask \n ask:approved end",
    );
    const { outcome, withdrawn } = await run(graph, {
      restored: new Map([failed("ask", "approved")]),
      open: ["ask"],
    });
    expect([outcome.kind, withdrawn]).toEqual(["completed", ["ask"]]);
  });

  test("where a container around it has ended, however deep", async () => {
    const graph = graphOf(
      [
        start,
        node("each", "for-each", { items: [1, 2] }, { onError: "continue" }),
        inside("each", node("ask", "suspend")),
        inside("each", node("inner", "for-each", { items: [1, 2] })),
        inside("inner", node("deep", "suspend")),
        node("beside", "suspend"),
        end,
      ],
      "start each \n each end \n start beside",
    );
    const { outcome, withdrawn } = await run(graph, {
      restored: new Map([failed("each", "done")]),
      open: ["ask[1]", "inner[1].deep[0]", "beside"],
    });
    expect([outcome.kind, withdrawn]).toEqual(["suspended", ["ask[1]", "inner[1].deep[0]"]]);
  });

  const sideBySide = (onItemError: string) => {
    const inputs = { items: [1, 2, 3], onItemError, concurrency: 2 };
    const graph = graphOf(
      [
        start,
        node("each", "for-each", inputs, { onError: "continue" }),
        inside("each", node("x", "effect")),
        inside("each", node("ask", "suspend")),
        end,
      ],
      "start each \n each end",
    );
    return run(graph, {
      restored: new Map([
        entered("each", inputs),
        failed("x[0]"),
        failed("x[1]", "done"),
        failed("ask[1]", "approved"),
      ]),
      open: ["ask[0]", "ask[2]"],
    });
  };

  test("where its round has failed, and no other round's", async () => {
    const { outcome, withdrawn } = await sideBySide("continue");
    expect([outcome.kind, withdrawn]).toEqual(["suspended", ["ask[0]"]]);
  });

  test("where the container fails before it comes to its round", async () => {
    const { outcome, withdrawn, began } = await sideBySide("fail");
    expect(began).not.toContain("ask[2]");
    expect([outcome.kind, new Set(withdrawn)]).toEqual(["completed", new Set(["ask[0]", "ask[2]"])]);
  });
});
