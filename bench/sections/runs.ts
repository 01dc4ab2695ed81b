import type { Section } from "../support/section.ts";
import { compareThroughput, rateFigure, referenceTarget, serviceTarget } from "../support/throughput.ts";
import { withReference } from "../support/with-reference.ts";
import { flow, organization, ORGANIZATION, THREE_NODES } from "../support/workspace.ts";

const CONNECTIONS = 128;

export const runs: Section = {
  name: "runs",
  summary: "completed runs a second: three pure nodes, 128 connections",
  run: (bench) =>
    withReference(
      bench,
      "runs",
      {
        organizationId: ORGANIZATION,
        documents: [organization(ORGANIZATION), flow(ORGANIZATION, "flow_three", THREE_NODES)],
      },
      async (pair) => {
        const rounds = await compareThroughput(bench, [
          referenceTarget(pair, CONNECTIONS),
          serviceTarget(pair, "flow_three", CONNECTIONS),
        ]);
        return [rateFigure("completed runs, 3 pure nodes", rounds, 1, 0.5)];
      },
    ),
};
