import { install } from "../support/service.ts";
import {
  type BenchNode,
  flow,
  organization,
  ORGANIZATION,
  THREE_NODES,
  trigger,
} from "../support/workspace.ts";
import type { Peer } from "./peer.ts";

const FLOW = "flow_peer";

/** Three effects, each stored before the next one starts, as the steps of DBOS and Restate are; each sets a key of the store. */
const THREE_STEPS: readonly BenchNode[] = [
  { id: "start", type: "start" },
  ...["one", "two", "three"].map((id) => ({
    id,
    type: "store",
    inputs: { operation: "set", key: `${id}.{{ run.id }}`, value: "{{ data.name }}" },
  })),
  { id: "done", type: "return", inputs: { value: { text: "Hello {{ data.name }}" } } },
];

const COMPLETION = `
  SELECT percentile_cont(ARRAY[0.5, 0.99]) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - started_at) * 1000)::float8[] AS ms
    FROM (SELECT started_at, completed_at FROM runs WHERE status = 'COMPLETED' ORDER BY id DESC LIMIT 10000) AS last`;

export const millrace = peerOf("millrace", "3 nodes, one commit a run", THREE_NODES);
export const millraceSteps = peerOf("millrace-steps", "3 steps, each stored before the next", THREE_STEPS);

function peerOf(name: string, summary: string, nodes: readonly BenchNode[]): Peer {
  return {
    name,
    summary: `Millrace: ${summary}`,
    async prepare({ cluster }) {
      const installation = await install(cluster, `peer_${name.replaceAll("-", "_")}`);
      await installation.apply([organization(ORGANIZATION), flow(ORGANIZATION, FLOW, nodes)]);
      const key = await installation.createKey(ORGANIZATION);
      const { pool } = installation.database;
      return {
        start: async () => {
          const { port, child } = await installation.start("start");
          return {
            port,
            request: trigger(FLOW, key),
            countCompleted: async () => {
              const { rows } = await pool.query(`SELECT count(*) FROM runs WHERE status = 'COMPLETED'`);
              return Number(rows[0].count);
            },
            note: async () => {
              const { rows } = await pool.query(COMPLETION);
              const [p50, p99] = (rows[0].ms as number[]).map((ms) => ms.toFixed(0));
              return `answered when accepted; completed ${p50} ms (p50), ${p99} ms (p99) after that commit`;
            },
            analyze: async () => void (await pool.query("ANALYZE")),
            stop: () => child.stop(),
          };
        },
      };
    },
  };
}
