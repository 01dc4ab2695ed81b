import { agentSessionsAnswer, transcriptAnswer } from "@millrace/contract/manage/agent-sessions";
import { diskAnswer, dutiesAnswer, processesAnswer } from "@millrace/contract/manage/service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { presentTurn } from "../../src/http/presenters/agent-sessions.ts";
import { until } from "../support/runs-until.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

const get = async (path: string, key = keys.one) => {
  const { status, body } = await service.get(path, key);
  expect([path, status, body.code]).toEqual([path, 200, undefined]);
  return body;
};

describe("the service itself", () => {
  it("lists the processes that execute runs, also one that is gone", async () => {
    await service.database.pool.query(
      `INSERT INTO processes (id, lock_key, role, host, pid, version, heartbeat_at)
       VALUES (gen_random_uuid(), 1, 'worker', 'elsewhere', 7, '0.0.1', now() - interval '1 minute')`,
    );
    const { data } = processesAnswer.parse(await get("/manage/processes")).data;
    expect(
      data.map(({ host, role, alive, here, runs }) => [host === "elsewhere", role, alive, here, runs]),
    ).toEqual([
      [false, "all", true, true, 0],
      [true, "worker", false, false, 0],
    ]);
  });

  it("tells when each duty succeeded last, and which one fails", async () => {
    const duties = async () => dutiesAnswer.parse(await get("/manage/duties")).data.data;
    await until("all have succeeded once", async () =>
      (await duties()).every(({ lastSuccessAt, failures }) => lastSuccessAt !== undefined && failures === 0),
    );
    const names = (await duties()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["heartbeat", "reaper", "schedules", "organization-watch"]));
    expect(new Set(names).size).toBe(names.length);
    await service.database.pool.query(`ALTER TABLE flow_schedules RENAME TO flow_schedules_away`);
    await until("it fails", async () =>
      (await duties()).some(
        ({ name, failures, lastError }) => name === "schedules" && failures > 0 && lastError !== undefined,
      ),
    );
    await service.database.pool.query(`ALTER TABLE flow_schedules_away RENAME TO flow_schedules`);
    await until("it is forgotten", async () =>
      (await duties()).every(({ failures, lastError }) => failures === 0 && lastError === undefined),
    );
  });

  it("says of disk and growth what the doctor says", async () => {
    const { data } = diskAnswer.parse(await get("/manage/disk")).data;
    expect(data.map(({ check }) => check)).toEqual(expect.arrayContaining(["disk budget", "transactions"]));
    const german = await service.send("GET", "/manage/disk", {
      key: keys.one,
      headers: { "X-Locale": "de" },
    });
    expect(german.body.data.data).toContainEqual(
      expect.objectContaining({
        check: "disk budget",
        message: expect.stringMatching(/^die Datenbank belegt \d+ MB; \d+ Läufe am Tag/),
      }),
    );
  });
});

describe("sessions of an agent", () => {
  const sessions = "/manage/agents/agent_one/sessions";

  async function say(sessionId: string, message: string): Promise<string> {
    const { body } = await service.send("POST", `/api/agents/agent_one/sessions/${sessionId}/messages`, {
      key: keys.one,
      body: { message },
    });
    return body.data.text;
  }

  it("are listed newest first, page by page, each with its transcript", async () => {
    const ids: string[] = [];
    for (const endUserId of ["u1", "u2", "u3"]) {
      const { body } = await service.send("POST", "/api/agents/agent_one/sessions", {
        key: keys.one,
        body: { endUserId },
      });
      ids.push(body.data.sessionId);
    }
    const replies = [
      await say(ids[0]!, "Hello"),
      await say(ids[0]!, "Again"),
      await say(ids[0]!, "And again"),
    ];
    const first = agentSessionsAnswer.parse(await get(`${sessions}?page[size]=2`)).data;
    expect(first.data.map(({ sessionId, endUserId, turns }) => [sessionId, endUserId, turns])).toEqual([
      [ids[2], "u3", 0],
      [ids[1], "u2", 0],
    ]);
    const second = agentSessionsAnswer.parse(
      await get(`${sessions}?page[size]=2&page[after]=${first.pagination.next}`),
    ).data;
    expect(second.data.map(({ sessionId, turns }) => [sessionId, turns])).toEqual([[ids[0], 3]]);
    const back = agentSessionsAnswer.parse(
      await get(`${sessions}?page[size]=2&page[before]=${second.pagination.prev}`),
    ).data;
    expect(back.data).toEqual(first.data);

    const whole = transcriptAnswer.parse(await get(`${sessions}/${ids[0]}?page[size]=2`)).data;
    expect(whole.session.sessionId).toBe(ids[0]);
    expect(whole.data.map(({ number, status, message, reply }) => [number, status, message, reply])).toEqual([
      [1, "completed", "Hello", replies[0]],
      [2, "completed", "Again", replies[1]],
    ]);
    const rest = transcriptAnswer.parse(
      await get(`${sessions}/${ids[0]}?page[size]=2&page[after]=${whole.pagination.next}`),
    ).data;
    expect(rest.data.map(({ number, message }) => [number, message])).toEqual([[3, "And again"]]);
    const again = transcriptAnswer.parse(
      await get(`${sessions}/${ids[0]}?page[size]=1&page[before]=${rest.pagination.prev}`),
    ).data;
    expect(again.data.map(({ number }) => number)).toEqual([2]);
  });

  it("of another organization are not found", async () => {
    const { body } = await service.send("POST", "/api/agents/agent_one/sessions", {
      key: keys.one,
      body: {},
    });
    for (const path of [
      sessions,
      `${sessions}/${body.data.sessionId}`,
      "/manage/agents/agent_two/sessions",
    ]) {
      const answer = await service.get(path, path.includes("two") ? keys.one : keys.two);
      expect([answer.status, answer.body.code]).toEqual([404, "agent_not_found"]);
    }
    const other = await service.get(`/manage/agents/agent_two/sessions/${body.data.sessionId}`, keys.two);
    expect([other.status, other.body.code]).toEqual([404, "session_not_found"]);
  });

  it("show no words to those from whom an organization hides them", () => {
    const at = new Date();
    const turn = {
      number: 1,
      status: "completed",
      message: "secret",
      reply: "words",
      error: null,
      createdAt: at,
      startedAt: at,
      firstOutputAt: null,
      endedAt: at,
      tools: [{ id: "1", name: "look_up", input: "secret", output: "words", isError: false }],
    } as const;
    expect(JSON.stringify(presentTurn(turn, false))).not.toMatch(/secret|words/);
  });
});
