import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { BegunWait, NodeRecord, WaitPort } from "../../src/engine/flow-runner/run-types.ts";
import { graphOf, inside, node, run, type TestOptions } from "./support/test-flow.ts";

/** Waits that begin at once and are withdrawn when a test lets them; what happens is noted. */
class Waits implements WaitPort {
  readonly notes: string[] = [];
  readonly answers = new Map<string, PromiseWithResolvers<Awaited<BegunWait["answer"]>>>();
  readonly written = Promise.withResolvers<void>();
  readonly #open = new Set<string>();

  async begin({ nodeKey }: { readonly nodeKey: string }): Promise<BegunWait> {
    this.notes.push(`${nodeKey} begun`);
    this.#open.add(nodeKey);
    const answer = Promise.withResolvers<Awaited<BegunWait["answer"]>>();
    this.answers.set(nodeKey, answer);
    return { startedAt: Date.now(), expiresAt: undefined, mayPause: false, answer: answer.promise };
  }

  async withdraw(isMeant: (nodeKey: string) => boolean): Promise<void> {
    const meant = [...this.#open].filter(isMeant);
    for (const nodeKey of meant) this.#open.delete(nodeKey);
    await this.written.promise;
    this.notes.push(...meant.map((nodeKey) => `${nodeKey} withdrawn`));
  }

  expiryOf(): undefined {}
  end(): void {}
  suspend(): void {}
}

/** A loop of one round with these nodes and one beside them that a test lets fail, and an effect that follows. */
function beginRound(
  waits: Waits,
  nodes: readonly ReturnType<typeof node>[],
  { edges = "", ...options }: TestOptions & { readonly edges?: string } = {},
) {
  const round = [...nodes, node("beside", "suspend")].map((one) => inside("each", one));
  const each = node("each", "for-each", { items: [1], onItemError: "continue" });
  const began: string[] = [];
  const ended = run(
    graphOf(
      [node("start", "start"), each, ...round, node("end", "effect")],
      `start each \n each end \n ${edges}`,
    ),
    {
      waits,
      onNode: ({ nodeKey, status }) => {
        if (status === "EXECUTING") began.push(nodeKey);
        if (nodeKey === "end" && status === "COMPLETED") waits.notes.push("end");
      },
      ...options,
    },
  );
  return { began, ended };
}

test("a child whose round ends while it waits to be started is started, withdrawn, and followed by what comes next", async () => {
  const waits = new Waits();
  const limits = { timeoutSeconds: 0.01, onError: "continue" };
  const { began, ended } = beginRound(
    waits,
    [
      node("first", "run-flow", { flowId: "flow_2" }, limits),
      node("child", "run-flow", { flowId: "flow_2" }),
    ],
    { edges: "first child" },
  );
  while (!began.includes("child[0]")) await nextTurn();
  waits.answers.get("beside[0]")!.reject(new Error("no"));
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(waits.notes).toEqual(["first[0] begun", "beside[0] begun"]);
  waits.written.resolve();
  const order = ["first[0] withdrawn", "beside[0] withdrawn", "child[0] begun", "child[0] withdrawn", "end"];
  await expect.poll(() => waits.notes.slice(2)).toEqual(order);
  expect((await ended).outcome.kind).toBe("completed");
});

test("a child that an earlier epoch has tried to start is not tried again once its round has ended", async () => {
  const waits = new Waits();
  waits.written.resolve();
  const failed: NodeRecord = {
    nodeKey: "child[0]",
    nodeId: "child",
    type: "run-flow",
    status: "EXECUTING",
    startedAt: Date.now(),
    endedAt: Date.now(),
    attempts: 1,
    input: { flowId: "flow_2" },
    output: undefined,
    handle: undefined,
    error: { name: "Failed", message: "no" },
    log: [],
  };
  const retry = { maxAttempts: 2, backoffSeconds: 3_000 };
  const { ended } = beginRound(waits, [node("child", "run-flow", { flowId: "flow_2" }, { retry })], {
    restored: new Map([[failed.nodeKey, failed]]),
  });
  while (!waits.answers.has("beside[0]")) await nextTurn();
  waits.answers.get("beside[0]")!.reject(new Error("no"));
  await expect.poll(() => waits.notes).toEqual(["beside[0] begun", "beside[0] withdrawn", "end"]);
  expect((await ended).outcome.kind).toBe("completed");
});
