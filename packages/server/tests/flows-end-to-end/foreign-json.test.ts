import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deepList, deepObject, manyForms, manyKeys, manyRows, manyTexts } from "../support/hostile-inputs.ts";
import { type LoopbackServer, startLoopbackServer } from "../support/loopback-server.ts";
import { type McpServer, startMcpServer } from "../support/mcp-server.ts";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";

const ANSWERS: Record<string, string> = {
  "/deep-list": deepList(100_000),
  "/deep-object": deepObject(20_000),
  "/just-too-deep": deepList(101),
  "/deep-enough": deepList(100),
  "/keys": JSON.stringify(manyKeys(200_000)),
  "/forms": JSON.stringify(manyForms(100_000)),
  "/texts": JSON.stringify(manyTexts(300_000)),
  "/table": JSON.stringify(manyRows(5_000, 20)),
};

let service: RunTestService;
let server: LoopbackServer;
let tools: McpServer;
let asked: string[];

beforeAll(async () => {
  asked = [];
  server = await startLoopbackServer((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("content-type", "application/json").end(ANSWERS[request.url ?? ""]);
  });
  tools = await startMcpServer([
    {
      name: "deep",
      call: () => ({
        content: [],
        structuredContent: { deep: JSON.parse(deepList(1_000)) as unknown },
      }),
    },
  ]);
  service = await startRunService();
  await service.flow("flow_get", chain(node("get", "http-request", { url: `${server.url}{{ data.path }}` })));
  await service.flow("flow_tool", chain(node("ask", "mcp-tool", { url: tools.url, tool: "deep" })));
});
afterAll(async () => {
  await service.stop();
  await server.close();
  await tools.close();
});

const fetched = async (path: string) =>
  service.untilEnd(await service.begin("flow_get", { payload: { data: { path } } }));

describe("JSON of another server", () => {
  it.each([
    ["/deep-list", /nested deeper than 100 levels/],
    ["/deep-object", /nested deeper than 100 levels/],
    ["/just-too-deep", /nested deeper than 100 levels/],
    ["/keys", /25000 different keys/],
    ["/forms", /25000 different keys/],
    ["/texts", /200000 values/],
  ])("beyond the limits ends the run in the node's error, once: %s", async (path, message) => {
    const run = await fetched(path);
    expect(run).toMatchObject({
      status: "FAILED",
      error: { name: "ResponseTooLarge", nodeId: "get", message: expect.stringMatching(message) },
    });
    expect(asked.filter((url) => url === path)).toHaveLength(1);
  });

  it.each(["/deep-enough", "/table"])("within them is the node's output: %s", async (path) => {
    const run = await fetched(path);
    expect(run.status).toBe("COMPLETED");
    const { body } = await service.get(`/api/runs/${run.id}/nodes`, service.key);
    const record = body.data.find(({ nodeId }: { nodeId: string }) => nodeId === "get");
    expect(record.output.body).toEqual(JSON.parse(ANSWERS[path]!));
  });
});

describe("the answer of a tool", () => {
  it("has the same limits", async () => {
    const run = await service.untilEnd(await service.begin("flow_tool"));
    expect(run).toMatchObject({ status: "FAILED", error: { nodeId: "ask" } });
    expect(tools.calls.filter((call) => call === "POST tools/call")).toHaveLength(1);
  });
});
