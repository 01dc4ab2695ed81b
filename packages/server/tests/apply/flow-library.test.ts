import { afterAll, beforeAll, expect, it } from "vitest";
import type { NodeType } from "../../src/engine/nodes/node-type.ts";
import { nodeTypes } from "../../src/engine/nodes/registry.ts";
import { FlowLibrary } from "../../src/operations/flows/flow-library.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { chain, node } from "../support/runs-flows.ts";
import { addFlow, addTwoOrganizations } from "../support/workspace.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await addTwoOrganizations(database.pool);
});
afterAll(() => database.drop());

/** Takes longer to check than one piece of work may have of the event loop. */
const longFlow = (type: string) =>
  chain(...Array.from({ length: 400 }, (_, at) => node(`${type}${at}`, type, { value: manyValues(at) })));
const manyValues = (at: number) =>
  Object.fromEntries(Array.from({ length: 10 }, (_, field) => [`f${field}`, `{{ data.f${at} + ${field} }}`]));

/** Notes which type it is asked for, so that it can be told whose turn it was. */
class NotingCatalogue extends Map<string, NodeType> {
  readonly asked: string[] = [];

  override get(type: string): NodeType | undefined {
    this.asked.push(type);
    return super.get(type);
  }
}

it("flows of an organization that are asked for at once are checked one after the other", async () => {
  const types = ["a", "b", "c"];
  const kind = nodeTypes.get("return")!;
  const catalogue = new NotingCatalogue([...nodeTypes, ...types.map((type) => [type, kind] as const)]);
  for (const type of types)
    await addFlow(database.pool, "org_one", `flow_${type}`, { graph: longFlow(type) });
  const library = new FlowLibrary(database.pool, catalogue);
  const flows = await Promise.all(types.map((type) => library.find(`flow_${type}`)));
  await Promise.all(flows.map((flow) => library.compiled("org_one", flow!.id, flow!.version)));
  const asked = catalogue.asked.filter((type) => types.includes(type));
  const changes = asked.filter((type, at) => type !== asked[at + 1]).length;
  // One is compiled while the next one is begun.
  expect(changes).toBeLessThan(50);
});

it("keeps flows by what they take in memory, those that were used last", async () => {
  // About 7 MB each, of 90 KB of text.
  const list = `{{ [${"1,".repeat(2_000)}1] }}`;
  const nodes = Array.from({ length: 22 }, (_, at) => node(`n${at}`, "set", { values: { list } }));
  const ids = ["flow_1", "flow_2", "flow_3", "flow_4", "flow_5"];
  for (const id of ids) await addFlow(database.pool, "org_one", id, { graph: chain(...nodes) });
  const library = new FlowLibrary(database.pool, nodeTypes);
  const compiled = async (id: string) => {
    const { version } = (await library.find(id))!;
    return library.compiled("org_one", id, version);
  };
  const first = await compiled("flow_1");
  expect(await compiled("flow_1")).toBe(first);
  for (const id of ids) await compiled(id);
  const last = await compiled("flow_5");
  expect(await compiled("flow_1")).not.toBe(first);
  expect(await compiled("flow_5")).toBe(last);
});
