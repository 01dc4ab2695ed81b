import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DocumentsChanged } from "../../src/operations/apply-documents/apply-documents.ts";
import { readPaths } from "../../src/operations/apply-documents/read-documents.ts";
import { lockCatalogue } from "../../src/storage/catalogue/lock-catalogue.ts";
import { until } from "../support/runs-until.ts";
import { createWorkspace, flow, organization, type Workspace } from "./workspace.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
beforeEach(async () => {
  await workspace.database.pool.query(`TRUNCATE organizations, users CASCADE`);
});
afterAll(() => workspace.remove());

describe("of two who deploy different documents at once", () => {
  const document = (text: string) => ({ "x.yaml": flow("flow_a", { text }) });

  it("one wins, and the other changes nothing and is shown the difference", async () => {
    await workspace.apply({ "org.yaml": organization(), ...document("before") });
    await workspace.write(document("one"));
    const one = await readPaths([workspace.directory]);
    await workspace.write(document("two"));
    const two = await readPaths([workspace.directory]);
    // Both have read what is stored before either may change it.
    const { pool } = workspace.database;
    const gate = await pool.connect();
    await gate.query("BEGIN");
    await lockCatalogue(gate, ["org_a"]);
    const applying = Promise.allSettled([workspace.applyRead(one), workspace.applyRead(two)]);
    const waiting = `SELECT count(*) AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`;
    await until("both wait", async () => (await pool.query(waiting)).rows[0].count >= 2);
    await gate.query("ROLLBACK");
    gate.release();
    const outcomes = await applying;
    const lost = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(lost).toHaveLength(1);
    expect(lost[0]!.reason).toBeInstanceOf(DocumentsChanged);
    expect(lost[0]!.reason.result.documents).toMatchObject([
      { action: "updated", kind: "Flow", id: "flow_a" },
    ]);
    expect(await workspace.count("flow_versions")).toBe(2);
  });

  it("who planned before the other is told so when it comes to applying", async () => {
    await workspace.apply({ "org.yaml": organization(), ...document("before") });
    await workspace.write(document("planned"));
    const read = await readPaths([workspace.directory]);
    const plan = await workspace.applyRead(read, { dryRun: true });
    expect(plan.documents).toMatchObject([{ action: "updated" }]);
    expect(await workspace.count("flow_versions")).toBe(1);
    await workspace.apply(document("meanwhile"));
    await expect(workspace.applyRead(read, { revision: plan.revision })).rejects.toThrow(DocumentsChanged);
    expect(await workspace.count("flow_versions")).toBe(2);
    const again = await workspace.applyRead(read, { dryRun: true });
    await workspace.applyRead(read, { revision: again.revision });
    expect(await workspace.count("flow_versions")).toBe(3);
  });
});
