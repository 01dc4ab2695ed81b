// Flows made by chance are run by the service, and their runs are back-tested with the very same graphs: nothing may change.
//   npm run replays -- [--cases 100] [--seed 1]
import { parseArgs } from "node:util";
import type { Principal } from "../packages/server/src/domain/principal.ts";
import { nodeTypes } from "../packages/server/src/engine/nodes/registry.ts";
import { withReplay } from "../packages/server/src/engine/replay/with-replay.ts";
import { backtestFlow } from "../packages/server/src/operations/backtest/backtest-flow.ts";
import { ReplayDesk } from "../packages/server/src/operations/backtest/replay-desk.ts";
import { FlowLibrary } from "../packages/server/src/operations/flows/flow-library.ts";
import { createPool } from "../packages/server/src/storage/pool.ts";
import { startOwnDatabase } from "../packages/server/tests/torture/database.ts";
import { startReceiver } from "../packages/server/tests/torture/receiver.ts";
import { TorturedService } from "../packages/server/tests/torture/service/service.ts";
import { Torture } from "../packages/server/tests/torture/torture.ts";

const MAX_SHOWN = 5;

const { values } = parseArgs({
  options: { cases: { type: "string", default: "100" }, seed: { type: "string", default: "1" } },
});
const receiver = await startReceiver();
const database = await startOwnDatabase();
const service = new TorturedService(database.connection, receiver);
const pool = createPool({ connection: database.connection, size: 4, applicationName: "replays" });
try {
  await service.start();
  const torture = new Torture({ receiver, service, dry: false, atOnce: 100, shrinkMs: 0 });
  await torture.run(Number(values.seed), Array(Number(values.cases)).keys());
  const { rows } = await pool.query<{ id: string; organizationId: string }>(
    `SELECT id, organization_id AS "organizationId" FROM flows ORDER BY id`,
  );
  await withReplay(async (replay) => {
    const context = {
      db: pool as never,
      catalogue: nodeTypes,
      replays: new ReplayDesk(replay),
      library: new FlowLibrary(pool as never, nodeTypes),
    };
    const total = { runs: 0, changed: 0, skipped: 0, raced: 0 };
    for (const { id, organizationId } of rows) {
      const organizations = new Map([[organizationId, { role: "owner", suspended: false }]]);
      const principal = { organizations } as unknown as Principal;
      const { runs, changed, skipped, raced, changes } = await backtestFlow(context, principal, id, {
        last: 10,
        graph: undefined,
      });
      total.runs += runs;
      total.changed += changed;
      total.skipped += skipped.length;
      total.raced += raced.length;
      for (const runId of raced) console.log(`${id} ${runId} raced`);
      if (changed > 0 && total.changed <= MAX_SHOWN) console.log(id, JSON.stringify(changes[0], null, 1));
    }
    console.log(
      `${total.runs} runs of ${rows.length} flows, ${total.changed} change, ${total.skipped} left out, ${total.raced} raced`,
    );
    process.exitCode = total.changed === 0 ? 0 : 1;
  });
} finally {
  await service.stop();
  await receiver.close();
  await pool.end();
  await database.stop();
}
