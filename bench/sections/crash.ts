import { setTimeout as sleep } from "node:timers/promises";
import type { Figure } from "../support/figures.ts";
import { formatRequest, HttpConnection } from "../support/http-connection.ts";
import type { Section } from "../support/section.ts";
import { install } from "../support/service.ts";
import { flow, organization, ORGANIZATION, trigger } from "../support/workspace.ts";

const RUNS = 50;
const MAX_MS = 60_000;

export const crash: Section = {
  name: "crash",
  summary: "how soon the runs of a worker go on that was killed",
  async run(bench): Promise<Figure[]> {
    const service = await install(bench.cluster, "crash");
    const waits = ["one", "two", "three"].map((id) => ({ id, type: "wait", inputs: { duration: "4s" } }));
    await service.apply([
      organization(ORGANIZATION),
      flow(ORGANIZATION, "flow_slow", [
        { id: "start", type: "start" },
        ...waits,
        { id: "done", type: "return" },
      ]),
    ]);
    const key = await service.createKey(ORGANIZATION);
    const api = await service.start("api");
    const victim = await service.start("worker");
    const { pool } = service.database;
    const connection = await HttpConnection.open(api.port);
    for (let count = 0; count < RUNS; count++)
      await connection.send(formatRequest(trigger("flow_slow", key)));
    connection.close();
    const executing = async (condition: string): Promise<number> =>
      (await pool.query(`SELECT count(*) AS count FROM runs WHERE status = 'EXECUTING' AND ${condition}`))
        .rows[0].count;
    const until = async (condition: string): Promise<void> => {
      const endAtMs = performance.now() + MAX_MS;
      while ((await executing(condition)) < RUNS) {
        if (performance.now() > endAtMs) throw new Error(`The runs never came to: ${condition}`);
        await sleep(20);
      }
    };
    await until("epoch = 1");
    await service.start("worker");
    await sleep(1_000);
    const killedAtMs = Date.now();
    await victim.child.kill();
    await until("epoch > 1");
    const { rows } = await pool.query(
      `SELECT max(claimed_at) AS "lastAt" FROM runs WHERE status = 'EXECUTING'`,
    );
    await service.remove();
    return [
      {
        name: "kill -9 of a worker → its last run goes on",
        unit: "s",
        service: (rows[0].lastAt.getTime() - killedAtMs) / 1000,
        bar: { most: 5 },
        note: `${RUNS} runs`,
      },
    ];
  },
};
