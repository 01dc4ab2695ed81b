import { runStatuses, terminalStatuses } from "@millrace/contract/run-status";
import { flowRunsQuery, runsQuery } from "@millrace/contract/runs";
import { expect, it } from "vitest";
import { idTimeMs, IdMaker, withPrefix } from "../../src/domain/ids.ts";
import { toPeriod } from "../../src/domain/period.ts";
import { toRunFilters } from "../../src/domain/run-filters.ts";
import { isTerminal, runTransitions } from "../../src/domain/run-status.ts";

const now = Date.UTC(2026, 2, 10, 15, 30);
const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString());

it.each([
  ["today", "2026-03-10T00:00:00.000Z", undefined],
  ["yesterday", "2026-03-09T00:00:00.000Z", "2026-03-09T23:59:59.999Z"],
  ["hour", "2026-03-10T14:30:00.000Z", undefined],
  ["day", "2026-03-09T15:30:00.000Z", undefined],
  ["week", "2026-03-03T15:30:00.000Z", undefined],
  ["month", "2026-02-08T15:30:00.000Z", undefined],
  ["year", "2025-03-10T15:30:00.000Z", undefined],
  ["45m", "2026-03-10T14:45:00.000Z", undefined],
  ["12h", "2026-03-10T03:30:00.000Z", undefined],
  ["2w", "2026-02-24T15:30:00.000Z", undefined],
])("the period %s begins at %s", (text, from, to) => {
  const { fromMs, toMs } = toPeriod(text, now);
  expect([iso(fromMs), iso(toMs)]).toEqual([from, to]);
});

it("nothing leaves a terminal status, and everything else can still end", () => {
  for (const status of runStatuses) {
    expect(isTerminal(status)).toBe(runTransitions[status].length === 0);
  }
  const reachable = new Set(Object.values(runTransitions).flat());
  expect(terminalStatuses.filter((status) => !reachable.has(status))).toEqual([]);
});

it("of a period and bounds the narrower one counts on each side", () => {
  const query = flowRunsQuery.parse({
    "filter[createdAt][period]": "yesterday",
    "filter[createdAt][from]": "2026-03-01",
    "filter[createdAt][to]": "2026-03-09T12:00:00+02:00",
  });
  const { lowestId, endId } = toRunFilters(query, now);
  expect(iso(idTimeMs(lowestId!))).toBe("2026-03-09T00:00:00.000Z");
  expect(iso(idTimeMs(endId!))).toBe("2026-03-09T10:00:00.001Z");
});

it("the three names of a run share all but the prefix", () => {
  const id = new IdMaker(() => now).make("run");
  expect(withPrefix(withPrefix(withPrefix(id, "queue"), "rh"), "run")).toBe(id);
  expect(withPrefix(id, "queue")).toMatch(/^queue_[0-9A-Za-z]{24}$/);
});

it("the list of all runs is also narrowed by kind, version and trigger, and by none where nothing is asked", () => {
  const all = toRunFilters(runsQuery.parse({}), now);
  expect(all).toMatchObject({ taskIdentifiers: undefined, versions: undefined, flowId: undefined });
  const query = runsQuery.parse({
    "filter[taskIdentifier]": "execute-subflow",
    "filter[version]": "20260101.1",
    "filter[flowId]": "flow_a",
    "filter[triggerSource]": "webhook",
  });
  expect(toRunFilters(query, now)).toMatchObject({
    taskIdentifiers: ["execute-subflow"],
    versions: ["20260101.1"],
    triggerSources: ["webhook"],
    flowId: "flow_a",
  });
});
