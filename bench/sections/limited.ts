import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Section } from "../support/section.ts";
import { compareThroughput, rateFigure, referenceTarget, serviceTarget } from "../support/throughput.ts";
import { withReference } from "../support/with-reference.ts";
import { flow, organization, ORGANIZATION, THREE_NODES } from "../support/workspace.ts";

const CONNECTIONS = 128;
const LIMIT = 100;

export const limited: Section = {
  name: "limited",
  summary: "the same with a limit of 100 runs at once, everything else queued",
  run: (bench) =>
    withReference(
      bench,
      "limited",
      {
        organizationId: ORGANIZATION,
        documents: [
          organization(ORGANIZATION, { concurrency: LIMIT }),
          flow(ORGANIZATION, "flow_three", THREE_NODES),
        ],
      },
      async (pair) => {
        const slots = watchSlots(pair.service.database.pool);
        const rounds = await compareThroughput(bench, [
          referenceTarget(pair, CONNECTIONS),
          serviceTarget(pair, "flow_three", CONNECTIONS),
        ]);
        const { maxHeld, looks } = await slots.stop();
        const { 201: started = 0, 202: queued = 0 } = rounds.at(-1)![1]!.load.statuses as Record<
          string,
          number
        >;
        return [
          rateFigure(
            `completed runs, limit ${LIMIT}, ${percent(queued, started + queued)} queued`,
            rounds,
            1,
            0.35,
          ),
          {
            name: "slots held at once, most",
            unit: "runs",
            service: maxHeld,
            bar: { most: LIMIT },
            note: `${looks} looks`,
          },
        ];
      },
    ),
};

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

/** Counts the slots held, over and over, in the background. */
function watchSlots(pool: Pool): { stop(): Promise<{ maxHeld: number; looks: number }> } {
  const stopping = new AbortController();
  const watch = async (): Promise<{ maxHeld: number; looks: number }> => {
    let maxHeld = 0;
    let looks = 0;
    for (; !stopping.signal.aborted; looks++) {
      const { rows } = await pool.query(
        `SELECT count(*) AS held FROM runs WHERE organization_id = $1 AND holds_slot`,
        [ORGANIZATION],
      );
      maxHeld = Math.max(maxHeld, rows[0].held);
      await sleep(20);
    }
    return { maxHeld, looks };
  };
  const watching = watch();
  return {
    stop: () => {
      stopping.abort();
      return watching;
    },
  };
}
