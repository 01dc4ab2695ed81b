import { MillraceClient } from "@millrace/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { putCredential } from "../../src/storage/catalogue/put-credential.ts";
import type { RawDb } from "../support/database.ts";
import { SecretBox } from "../../src/storage/secret-box.ts";
import { createTerminal, type Terminal } from "../cli/terminal.ts";
import { createTestDatabase } from "../support/database.ts";
import { startLoopbackServer, type LoopbackServer } from "../support/loopback-server.ts";
import { startTestService, testSecretKey } from "../support/service.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";
import { flowOf, report, withFile } from "./dry-run.ts";
import { spawnService } from "./spawn-service.ts";

const CANARY = "canary-7d1f0c44";

/** Sends everything back that it receives, in the body, a header and the status line's place. */
let echo: LoopbackServer;
let requests = 0;
beforeAll(async () => {
  echo = await startLoopbackServer((request, response) => {
    requests += 1;
    const status = request.url === "/fail" ? 500 : 200;
    response.writeHead(status, {
      "content-type": "application/json",
      "x-echo": request.headers.authorization,
    });
    response.end(JSON.stringify({ headers: request.headers, [String(request.headers.authorization)]: 1 }));
  });
});
beforeEach(() => {
  requests = 0;
});
afterAll(() => echo.close());

const fetching = (path: string, more: object = {}) =>
  flowOf(
    "flow_fetch",
    [
      {
        id: "fetch",
        type: "http-request",
        data: { credential: "cred_a", inputs: { url: `${echo.url}${path}` }, ...more },
      },
      { id: "done", type: "return", data: { inputs: { value: { all: "{{ nodes.fetch }}" } } } },
    ],
    ["start fetch", "fetch done"],
    "org_one",
  );
const credential = (organizationId: string) => ({
  kind: "Credential",
  id: "cred_a",
  organizationId,
  type: "http-bearer",
  allowedHosts: ["127.0.0.1"],
  allowUnencrypted: true,
  secret: { token: { env: "CANARY" } },
});

const secrets = new SecretBox(testSecretKey);

/** Puts the credential where `apply` would. */
async function store(db: RawDb, organizationId: string): Promise<void> {
  const place = secretPlace(organizationId, "credential", "cred_a");
  await putCredential(db, {
    organizationId,
    id: "cred_a",
    type: "http-bearer",
    allowedHosts: ["127.0.0.1"],
    allowUnencrypted: true,
    ciphertext: secrets.seal(place, JSON.stringify({ token: CANARY })),
    fingerprint: "f",
  });
}

describe("a credential of another organization", () => {
  it("is a validation error of a dry run, and no request leaves", async () => {
    const documents = [fetching("/"), credential("org_two")];
    const attempt = withFile(documents, (path) => report([path], { env: { CANARY } }));
    await expect(attempt).rejects.toThrow('there is no credential "cred_a" in the organization');
    expect(requests).toBe(0);
  });

  it("is a 400 of the trigger with the same text, and no request leaves", async () => {
    const service = await startTestService();
    try {
      const { pool } = service.database;
      const { one } = await addTwoOrganizations(pool);
      await addFlow(pool, "org_one", "flow_fetch", { graph: fetching("/").graph });
      await store(pool, "org_two");
      const body = { payload: { flowId: "flow_fetch" } };
      const answer = await service.send("POST", "/api/runs", { key: one, body });
      expect(answer.status).toBe(400);
      expect(answer.body.validationErrors.join()).toContain(
        'there is no credential "cred_a" in the organization',
      );
      expect(requests).toBe(0);
    } finally {
      await service.stop();
    }
  });
});

describe("the secret of a credential is in nothing that is shown", () => {
  let terminal: Terminal;
  beforeAll(async () => {
    terminal = await createTerminal();
  });
  afterAll(() => terminal.close());

  it.each([
    ["a flow that returns all it got back", "/", {}],
    ["a flow that fails", "/fail", {}],
    ["a flow that goes on with the error", "/fail", { onError: "continue" }],
  ])("%s: neither as text nor as JSON", async (_name, path, more) => {
    const said = await withFile([fetching(path, more), credential("org_one")], async (file) => [
      await terminal.run(`flows run ${file}`, { CANARY }),
      await terminal.run(`flows run ${file} --json`, { CANARY }),
      await terminal.run(`flows validate ${file}`, { CANARY }),
    ]);
    expect(requests).toBeGreaterThan(1);
    expect(JSON.stringify(said)).toContain("[secret]");
    expect(JSON.stringify(said)).not.toContain(CANARY);
  });

  it("a variable that is not set is told by its name, at the node that needs it", async () => {
    const { result } = await withFile([fetching("/"), credential("org_one")], (path) => report([path]));
    expect(result).toMatchObject({
      status: "FAILED",
      error: {
        nodeId: "fetch",
        message: "The credential cred_a cannot be used: the variable CANARY is not set.",
      },
    });
    expect(requests).toBe(0);
  });

  it("a run of the service: neither answers, nor node records, nor events, nor the log hold it", async () => {
    const database = await createTestDatabase();
    const { pool } = database;
    const { one: apiKey } = await addTwoOrganizations(pool);
    await addFlow(pool, "org_one", "flow_fetch", { graph: fetching("/").graph });
    await addFlow(pool, "org_one", "flow_broken", { graph: fetching("/fail").graph });
    await store(pool, "org_one");
    const service = await spawnService(database);
    try {
      const { runs } = new MillraceClient({ baseUrl: service.url, apiKey });
      const said: unknown[] = [];
      for (const flowId of ["flow_fetch", "flow_broken"]) {
        const { id } = (await runs.trigger({ payload: { flowId } })) as { id: string };
        for await (const event of runs.stream(id, { nodes: true })) said.push(event);
        said.push(await runs.get(id), await runs.nodes(id));
      }
      expect(requests).toBe(2);
      const { rows } = await pool.query(`SELECT output, error, nodes FROM run_results`);
      const log = await service.stop();
      expect(log).toContain("Millrace is running");
      const everything = JSON.stringify([said, rows, log]);
      expect(everything).toContain("[secret]");
      expect(everything).not.toContain(CANARY);
    } finally {
      await service.stop();
      await database.drop();
    }
  });
});
