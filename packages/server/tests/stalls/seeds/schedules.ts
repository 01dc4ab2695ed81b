import type { Case } from "../case.ts";
import { ORGANIZATION } from "../arena/stalls-workspace.ts";

const SCHEDULES = 100;
/** The fifth Monday of a February comes every 28 years. */
const RARE = "0 * 2 1#5";

/** A flow with as many schedules as it may have, each of which takes long to find its next time. */
export const scheduleSeeds: readonly Case[] = ["/manage/documents/plan", "/manage/documents"].map(
  (target): Case => {
    const schedules = Array.from(
      { length: SCHEDULES },
      (_, at) => `  - { id: s${at}, cron: "${at % 60} ${RARE}", timezone: America/New_York }`,
    );
    const text = `kind: Flow
id: flow_schedules
organizationId: ${ORGANIZATION}
name: Schedules
active: true
schedules:
${schedules.join("\n")}
graph:
  nodes: [{ id: start, type: start, data: {} }, { id: done, type: return, data: {} }]
  edges: [{ id: e, source: start, target: done }]
`;
    return {
      kind: "documents",
      name: `a flow of many rare schedules to ${target}`,
      action: "request",
      method: "POST",
      target,
      headers: [["content-type", ["application/json"]]],
      body: [JSON.stringify({ files: [{ path: "a.yaml", text }] })],
    };
  },
);
