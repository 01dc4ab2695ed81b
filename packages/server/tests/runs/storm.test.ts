import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { chain } from "../support/runs-flows.ts";
import { startGate } from "../support/runs-gate.ts";
import { startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

it("500 triggers at once with a limit of 10 are 10 × 201 and 490 × 202, and slots never pass 10", async () => {
  const service = await startRunService({ concurrency: 10 });
  const gate = await startGate();
  const { pool } = service.database;
  const watching = new AbortController();
  const held: number[] = [];
  const watch = (async () => {
    while (!watching.signal.aborted) {
      const { rows } = await pool.query(
        `SELECT count(*) FILTER (WHERE holds_slot) AS slots, count(*) FILTER (WHERE status = 'EXECUTING') AS executing FROM runs`,
      );
      held.push(rows[0].slots, rows[0].executing);
      await sleep(2);
    }
  })();
  try {
    await service.flow("flow_hold", chain(gate.node("hold")));
    const answers = await Promise.all(Array.from({ length: 500 }, () => service.trigger("flow_hold")));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(202)]).toEqual([10, 490]);
    await gate.untilArrived(10);
    expect(gate.arrived).toHaveLength(10);
    gate.open();
    await until(
      "all 500 have completed",
      async () => {
        const { rows } = await pool.query(`SELECT count(*) AS done FROM runs WHERE status = 'COMPLETED'`);
        return rows[0].done === 500;
      },
      25_000,
    );
    expect(gate.arrived).toHaveLength(500);
  } finally {
    watching.abort();
    await watch;
    await gate.close();
    await service.stop();
  }
  expect(held.length).toBeGreaterThan(50);
  expect(Math.max(...held)).toBe(10);
}, 60_000);
