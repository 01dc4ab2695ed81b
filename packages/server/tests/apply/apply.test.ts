import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { lockCatalogue } from "../../src/storage/catalogue/lock-catalogue.ts";
import { createWorkspace, flow, lines, organization, type Workspace } from "./workspace.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
beforeEach(async () => {
  await workspace.database.pool.query(`TRUNCATE organizations, users CASCADE`);
});
afterAll(() => workspace.remove());

describe("apply", () => {
  it("creates what is new and leaves alone what already says the same", async () => {
    const files = {
      "flows/a.yaml": flow("flow_a"),
      "org.yml": organization(),
      "agent.json": JSON.stringify({
        kind: "Agent",
        id: "agent_a",
        organizationId: "org_a",
        name: "A",
        design: { provider: { type: "demo" } },
      }),
    };
    expect(lines(await workspace.apply(files))).toEqual([
      "created Organization org_a",
      "created Flow flow_a",
      "created Agent agent_a",
    ]);
    expect(lines(await workspace.apply(files))).toEqual([
      "unchanged Organization org_a",
      "unchanged Flow flow_a",
      "unchanged Agent agent_a",
    ]);
  });

  it("applies every file of the demo workspace, whose flows are all valid, and finds it unchanged the second time", async () => {
    const demo = [fileURLToPath(new URL("../../../../examples/demo", import.meta.url))];
    const first = await workspace.applyPaths(demo);
    expect(first.filter(({ kind }) => kind === "Flow").length).toBeGreaterThanOrEqual(6);
    for (const { errors = [], warnings = [] } of first) expect([...errors, ...warnings]).toEqual([]);
    const second = await workspace.applyPaths(demo);
    expect(new Set(second.map(({ action }) => action))).toEqual(new Set(["unchanged"]));
  });

  it("applies nothing when one file among twenty is bad, and names the file and the line", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 19 }, (_, index) => [`flow-${index}.yaml`, flow(`flow_${index}`)]),
    );
    const bad = flow("flow_bad").replace("name: A flow", "nmae: A flow");
    const faults = await workspace.faultsOf({ "org.yaml": organization(), ...files, "bad.yaml": bad });
    expect(faults).toEqual([
      "bad.yaml:1:1 name: is required",
      'bad.yaml:4:1 nmae: unknown key "nmae"; did you mean "name"?',
    ]);
    expect(await workspace.count("organizations")).toBe(0);
    expect(await workspace.count("flows")).toBe(0);
  });

  it("refuses a flow id that belongs to another organization and changes nothing", async () => {
    await workspace.apply({ "a.yaml": `${organization("org_a")}---\n${flow("flow_a", { text: "mine" })}` });
    const theirs = flow("flow_a", { organizationId: "org_b", text: "theirs" });
    const faults = await workspace.faultsOf({ "b.yaml": `${organization("org_b")}---\n${theirs}` });
    expect(faults).toEqual([
      'b.yaml:7:1 id: the id "flow_a" belongs to another organization; choose another one',
    ]);
    expect(await workspace.count("organizations")).toBe(1);
  });

  it("refuses an agent id that belongs to another organization, even a deleted one", async () => {
    const agent = (organizationId: string) =>
      `kind: Agent\nid: agent_a\norganizationId: ${organizationId}\nname: A\ndesign: { provider: { type: demo } }\n`;
    await workspace.apply({ "a.yaml": `${organization("org_a")}---\n${agent("org_a")}` });
    await workspace.apply({ "a.yaml": organization("org_a") }, { prune: true });
    const faults = await workspace.faultsOf({ "b.yaml": `${organization("org_b")}---\n${agent("org_b")}` });
    expect(faults).toEqual([
      'b.yaml:7:1 id: the id "agent_a" belongs to another organization; choose another one',
    ]);
  });

  it("refuses a document whose organization does not exist", async () => {
    expect(await workspace.faultsOf({ "a.yaml": flow("flow_a") })).toEqual([
      'a.yaml:3:1 organizationId: there is no organization "org_a"; add its document or correct the id',
    ]);
  });

  it("shows what it would do in a dry run and keeps nothing of it", async () => {
    const files = { "a.yaml": `${flow("flow_a")}---\n${organization()}` };
    expect(lines(await workspace.apply(files, { dryRun: true }))).toEqual([
      "created Organization org_a",
      "created Flow flow_a",
    ]);
    expect(await workspace.count("organizations")).toBe(0);
  });

  it("prunes what the named organizations have and the documents lack, and nothing of others", async () => {
    await workspace.apply({
      "a.yaml": [organization("org_a"), flow("flow_a"), flow("flow_gone")].join("---\n"),
      "b.yaml": [organization("org_b"), flow("flow_b", { organizationId: "org_b" })].join("---\n"),
    });
    const applied = await workspace.apply(
      { "a.yaml": [organization("org_a"), flow("flow_a")].join("---\n") },
      { prune: true },
    );
    expect(lines(applied)).toEqual([
      "unchanged Organization org_a",
      "unchanged Flow flow_a",
      "removed Flow flow_gone",
    ]);
    const { rows } = await workspace.database.pool.query(
      `SELECT id FROM flows WHERE deleted_at IS NULL ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(["flow_a", "flow_b"]);
  });

  it("brings a pruned flow back when its document returns", async () => {
    const both = { "a.yaml": `${organization()}---\n${flow("flow_a")}` };
    await workspace.apply(both);
    await workspace.apply({ "a.yaml": organization() }, { prune: true });
    expect(lines(await workspace.apply(both))).toEqual([
      "unchanged Organization org_a",
      "created Flow flow_a",
    ]);
  });

  it("validates a flow against what the same documents bring, in whatever order", async () => {
    const parent = flow("flow_parent").replace(
      'id: done, type: return, data: { inputs: { value: { text: "hi" } } }',
      "id: done, type: run-flow, data: { inputs: { flowId: flow_z } }",
    );
    const applied = await workspace.apply({
      "a.yaml": [parent, flow("flow_z"), organization()].join("---\n"),
    });
    expect(applied.flatMap(({ errors = [] }) => errors)).toEqual([]);
  });

  it("keeps limits, activity and suspension that the documents leave out", async () => {
    await workspace.apply({
      "a.yaml": `${organization("org_a", "limits: { concurrency: 3 }\n")}---\n${flow("flow_a")}`,
    });
    await workspace.database.pool.query(`UPDATE organizations SET queue_limit = 7, suspended = true`);
    await workspace.database.pool.query(`UPDATE flows SET active = false`);
    expect(lines(await workspace.apply({ "a.yaml": `${organization()}---\n${flow("flow_a")}` }))).toEqual([
      "unchanged Organization org_a",
      "unchanged Flow flow_a",
    ]);
    const { rows } = await workspace.database.pool.query(
      `SELECT concurrency_limit, queue_limit, suspended, active FROM organizations, flows`,
    );
    expect(rows).toEqual([{ concurrency_limit: 3, queue_limit: 7, suspended: true, active: false }]);
  });

  it("makes the listed people the members, no more and no less", async () => {
    const members = async () => {
      const { rows } = await workspace.database.pool.query(
        `SELECT user_id, role, disabled FROM memberships JOIN users ON users.id = user_id ORDER BY user_id`,
      );
      return rows;
    };
    const ada = "{ id: user_ada, email: ada@example.com, name: Ada, role: owner }";
    const bob = "{ id: user_bob, email: bob@example.com, name: Bob, role: viewer, disabled: true }";
    const document = (people: string) => `kind: Organization\nid: org_a\nname: A\nmembers: [${people}]\n`;
    await workspace.apply({ "a.yaml": document(`${ada}, ${bob}`) });
    expect(await members()).toEqual([
      { user_id: "user_ada", role: "owner", disabled: false },
      { user_id: "user_bob", role: "viewer", disabled: true },
    ]);
    expect(lines(await workspace.apply({ "a.yaml": document(ada) }))).toEqual(["updated Organization org_a"]);
    expect(await members()).toHaveLength(1);
  });

  it("opens the ledger with the first balance and never changes it again", async () => {
    const balance = async () => {
      const { rows } = await workspace.database.pool.query(
        `SELECT credits_limited AS limited, (SELECT sum(amount) FROM credit_entries)::integer AS balance FROM organizations`,
      );
      return rows[0];
    };
    await workspace.apply({ "a.yaml": organization("org_a", "credits: 100\n") });
    await workspace.apply({ "a.yaml": organization("org_a", "credits: 500\n") });
    expect(await balance()).toEqual({ limited: true, balance: 100 });
    await workspace.apply({ "a.yaml": organization("org_a", "credits: null\n") });
    expect(await balance()).toEqual({ limited: false, balance: 100 });
  });

  it("gives up with a clear text when another apply does not end", async () => {
    const other = await workspace.database.pool.connect();
    try {
      await other.query("BEGIN");
      await lockCatalogue(other, ["org_a"]);
      await expect(workspace.apply({ "a.yaml": organization() })).rejects.toThrow("Another apply is at work");
    } finally {
      await other.query("ROLLBACK");
      other.release();
    }
  });

  it("lets two applies at once end in one consistent state", async () => {
    await workspace.write({ "a.yaml": `${organization()}---\n${flow("flow_a")}` });
    const apply = async () => lines(await workspace.applyPaths([workspace.directory]));
    const outcomes = await Promise.all([apply(), apply()]);
    expect(outcomes.flat().sort()).toEqual([
      "created Flow flow_a",
      "created Organization org_a",
      "unchanged Flow flow_a",
      "unchanged Organization org_a",
    ]);
  });
});
