import { expect } from "vitest";
import { chain, node, type TestGraph } from "../../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../../support/runs-service.ts";

export let service: RunTestService;
export let key: string;
export async function start(): Promise<void> {
  service = await startRunService();
  key = service.key;
}

export async function stop(): Promise<void> {
  await service.stop();
}

export const returning = (text: string) => chain(node("end", "return", { value: { text } }));
export const post = (path: string, body: object = {}) => service.send("POST", path, { key, body });
export const get = async (path: string) => (await service.get(path, key)).body.data;

export async function deploy(id: string, graph: TestGraph | object, more: object = {}): Promise<string> {
  const document = { kind: "Flow", id, organizationId: "org_run", name: id, graph, ...more };
  const { status, body } = await post("/manage/documents", {
    files: [{ path: `${id}.json`, text: JSON.stringify(document) }],
    note: `deploy ${id}`,
  });
  expect([status, body.data.faults ?? []]).toEqual([200, []]);
  return body.data.documents[0].version;
}

export const outputOf = async (flowId: string) => {
  const run = await service.untilEnd(await service.begin(flowId));
  return run.output;
};
