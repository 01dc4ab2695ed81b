import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { type OpenAiServer, startOpenAiServer } from "../support/openai-server.ts";
import { abuseAll } from "./abuse-all.ts";
import { fuzzOperation, type Statuses } from "./fuzz-requests.ts";
import { addFuzzWorkspace, type FuzzWorkspace } from "./fuzz-workspace.ts";
import { completesARun, type FuzzedService, startFuzzedService } from "./fuzzed-service.ts";
import { type Operation, readOperations } from "./operations.ts";
import { sizeAfter, sizeOf } from "./process-size.ts";

const SEED = 20_260_101;
const REQUESTS_EACH = 50;

let database: TestDatabase;
let model: OpenAiServer;
let service: FuzzedService;
let workspace: FuzzWorkspace;
let operations: Operation[];

beforeAll(async () => {
  database = await createTestDatabase();
  model = await startOpenAiServer(() => ({ text: "Hello from the model" }));
  service = await startFuzzedService(database.connection);
  workspace = await addFuzzWorkspace(database.pool, service, model.baseUrl);
  operations = await readOperations(service.address);
});
afterAll(async () => {
  await service?.stop();
  await model?.close();
  await database?.drop();
});

describe(`whatever is sent to any address (seed ${SEED})`, () => {
  it(
    "gets an answer the contract knows, and nothing of another organization",
    { timeout: 240_000 },
    async () => {
      const statuses: Statuses = new Map();
      for (const operation of operations) {
        await fuzzOperation(operation, {
          address: service.address,
          workspace,
          seed: SEED,
          requests: REQUESTS_EACH,
          statuses,
        });
      }
      // Requests that are all refused at the door would prove little.
      const neverServed = operations.filter(
        // What is resumed there is named by a header.
        ({ name }) => name !== "resumeMcp" && ![...statuses.get(name)!.keys()].some((status) => status < 300),
      );
      expect(neverServed.map(({ name }) => name)).toEqual([]);
    },
  );
});

describe("abuse of bare connections", () => {
  // Database connections come and go with the load.
  const OTHER_FILES = 30;
  const MAX_MEGABYTES = 512;

  it(
    "is answered or cut off, keeps nobody waiting, and leaves nothing behind",
    { timeout: 300_000 },
    async () => {
      const { openFiles } = await sizeOf(service.pid);
      const pausedRunId = workspace.pausedRunId;
      expect(await abuseAll({ address: service.address, key: workspace.keys["one"]!, pausedRunId })).toEqual(
        [],
      );
      const after = await sizeAfter(service.pid, openFiles + OTHER_FILES);
      expect(after.openFiles).toBeLessThanOrEqual(openFiles + OTHER_FILES);
      expect(after.residentMegabytes).toBeLessThan(MAX_MEGABYTES);
    },
  );
});

describe("a service that went through all this", () => {
  it("has no error in its log", () => {
    expect(service.complaints()).toEqual([]);
  });

  it("still completes a run", async () => {
    expect(await completesARun(service.address, workspace.keys["one"]!, "flow_hello")).toBe("COMPLETED");
  });
});
