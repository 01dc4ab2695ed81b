import { expect, it } from "vitest";
import {
  type RunDetailRecord,
  type RunNodeRecord,
  withoutNodeValues,
  withoutValues,
} from "../../src/domain/run-record.ts";

const SECRET = "four-eyes-only";

it("a run without its values keeps structure, times and statuses", () => {
  const run = {
    id: "run_1",
    status: "FAILED",
    data: `{"name":"${SECRET}"}`,
    output: `{"answer":"${SECRET}"}`,
    error: { name: "HttpError", message: SECRET, nodeId: "fetch" },
    waits: [{ nodeKey: "ask", nodeId: "ask", kind: "approval", message: SECRET, until: "2026-01-01" }],
  } as unknown as RunDetailRecord;
  const shown = withoutValues(run);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(shown).toMatchObject({
    id: "run_1",
    status: "FAILED",
    data: null,
    output: null,
    error: { name: "HttpError", nodeId: "fetch" },
    waits: [{ nodeKey: "ask", until: "2026-01-01" }],
  });
  expect(withoutValues({ ...run, error: null }).error).toBeNull();
});

it("a node without its values keeps its key, type, times and the way it took", () => {
  const node: RunNodeRecord = {
    nodeKey: "fetch[3]",
    nodeId: "fetch",
    type: "http-request",
    status: "FAILED",
    startedAt: 1,
    endedAt: 2,
    attempts: 2,
    input: { url: SECRET },
    output: { body: SECRET },
    handle: "error",
    error: { name: "HttpError", message: SECRET },
    log: [SECRET],
  };
  const shown = withoutNodeValues(node);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  expect(shown).toMatchObject({ nodeKey: "fetch[3]", handle: "error", attempts: 2, valuesHidden: true });
  expect(shown.error?.name).toBe("HttpError");
  const { error: _error, ...completed } = node;
  expect(withoutNodeValues(completed).error).toBeUndefined();
});
