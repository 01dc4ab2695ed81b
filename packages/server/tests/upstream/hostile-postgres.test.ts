import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { queryExternalPostgres } from "../../src/upstream/external-postgres.ts";
import { createForeignServers, type ForeignServers } from "../../src/upstream/foreign/foreign-servers.ts";
import { UpstreamError } from "../../src/upstream/upstream-error.ts";
import type { HostileServer } from "../support/hostile/hostile-server.ts";
import {
  dataRow,
  hostilePostgres,
  type HostilePostgresScript,
  pgMessage,
  ready,
  rowDescription,
  startupAttacks,
  statementAttacks,
} from "../support/hostile/postgres.ts";
import { progressDuring } from "../support/hostile/progress.ts";

/** The attacked have little time, so that the tests have it; a neighbour has as much as in the service. */
let hurried: ForeignServers;
let patient: ForeignServers;
let good: HostileServer;

const goodAnswer = Buffer.concat([
  rowDescription([{ name: "n", typeId: 23 }]),
  dataRow("1"),
  pgMessage("C", "SELECT 1\0"),
  ready,
]);

beforeAll(async () => {
  const dial = createAddressGuard({ allow: ["127.0.0.0/8"] });
  hurried = createForeignServers({ dial, maxCallMs: 6_000 });
  patient = createForeignServers({ dial });
  good = await hostilePostgres({ onStatement: (socket) => socket.write(goodAnswer) });
});
afterAll(async () => {
  await hurried.close();
  await patient.close();
  await good.close();
});

function query(foreign: ForeignServers, port: number, organizationId: string) {
  return queryExternalPostgres(foreign, {
    organizationId,
    connectionString: `postgres://u:p@127.0.0.1:${port}/d`,
    allowUnencrypted: true,
    text: "SELECT 1",
    parameters: [],
    signal: AbortSignal.timeout(60_000),
  });
}

/** The attacked call fails, while another organization's statements go well. */
async function attack(script: HostilePostgresScript): Promise<void> {
  const server = await hostilePostgres(script);
  const attacked = query(hurried, server.port, `org_${server.port}`).then(
    () => undefined,
    (error: unknown) => error,
  );
  const neighbour = query(patient, good.port, "org_neighbour");
  const { value: error, turns } = await progressDuring(attacked);
  await server.close();
  expect(error).toBeInstanceOf(UpstreamError);
  const names = ["DatabaseUnavailable", "QueryFailed", "QueryTimeout", "ResultTooLarge", "ResultInvalid"];
  expect(names).toContain((error as Error).name);
  expect((error as Error).message.length).toBeLessThan(2_100);
  expect(turns).toBeGreaterThan(0);
  expect(await neighbour).toEqual({ rows: [{ n: 1 }], rowCount: 1 });
}

describe("a database ends the node in an error, and nothing else, with", { timeout: 120_000 }, () => {
  it.concurrent.each(Object.entries(startupAttacks))("%s at the start", (_name, onStartup) =>
    attack({ onStartup }),
  );
  it.concurrent.each(Object.entries(statementAttacks))("%s as the result", (_name, onStatement) =>
    attack({ onStatement }),
  );
});
