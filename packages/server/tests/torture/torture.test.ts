import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type Receiver, startReceiver } from "./receiver.ts";
import { render } from "./report.ts";
import { startKilling } from "./service/killing.ts";
import { TorturedService } from "./service/service.ts";
import { Torture } from "./torture.ts";

const SHRINK_MS = 60_000;
const TIME_LIMIT_MS = 600_000;

let database: TestDatabase;
let receiver: Receiver;
let service: TorturedService;

beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
  service = new TorturedService(database.connection, receiver);
  await service.start();
});

afterAll(async () => {
  await service.stop();
  await receiver.close();
  await database.drop();
});

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

describe("whatever a flow is made of, what comes out of it is what the interpreter foretells", () => {
  test("in `flows run`", { timeout: TIME_LIMIT_MS }, async () => {
    const torture = new Torture({ receiver, service: undefined, atOnce: 16, shrinkMs: SHRINK_MS, dry: true });
    await torture.run(1, numbers(150));
    expect(torture.findings.map(render)).toEqual([]);
  });

  test("in the service", { timeout: TIME_LIMIT_MS }, async () => {
    const torture = new Torture({ receiver, service, atOnce: 60, shrinkMs: SHRINK_MS, dry: false });
    await torture.run(2, numbers(60));
    expect(torture.findings.map(render)).toEqual([]);
  });

  test("in the service while workers are killed", { timeout: TIME_LIMIT_MS }, async () => {
    const torture = new Torture({ receiver, service, atOnce: 60, shrinkMs: SHRINK_MS, dry: false });
    const killing = startKilling(service.processes, 3);
    await torture.run(3, numbers(60));
    await killing.stop();
    expect(torture.findings.map(render)).toEqual([]);
    expect(service.processes.kills).toBeGreaterThan(0);
  });
});
