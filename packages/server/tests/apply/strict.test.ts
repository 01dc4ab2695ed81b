import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorkspace, flow, organization, type Workspace } from "./workspace.ts";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
beforeEach(async () => {
  await workspace.database.pool.query(`TRUNCATE organizations, users CASCADE`);
});
afterAll(() => workspace.remove());

const graph = (nodes: string, edges = "") =>
  `kind: Flow
id: flow_a
organizationId: org_a
name: A
graph:
  nodes:
    - { id: start, type: start }
${nodes}
  edges:
    - { source: start, target: x }
${edges}`;

describe("an unknown key is a fault with its line and the nearest name", () => {
  it.each([
    [
      "of a node",
      graph("    - { id: x, type: set,\n        parrentId: a, data: {} }"),
      'x.yaml:9:9 graph.nodes[1].parrentId: unknown key "parrentId"; did you mean "parentId"?',
    ],
    [
      "of a node's data",
      graph("    - id: x\n      type: set\n      data:\n        retyr: {}"),
      'x.yaml:11:9 graph.nodes[1].data.retyr: unknown key "retyr"; did you mean "retry"?',
    ],
    [
      "of a setting",
      graph("    - id: x\n      type: set\n      data: { retry: { maxAttempt: 2 } }"),
      'x.yaml:10:24 graph.nodes[1].data.retry.maxAttempt: unknown key "maxAttempt"; did you mean "maxAttempts"?',
    ],
    [
      "of an input",
      graph(
        "    - id: x\n      type: http-request\n      data: { inputs: { url: 'http://a.example', metod: GET } }",
      ),
      'x.yaml:10:50 graph.nodes[1].data.inputs.metod: unknown input "metod"; did you mean "method"?',
    ],
    [
      "inside an input",
      graph(
        "    - id: x\n      type: switch\n      data:\n        inputs:\n          value: '{{ data.a }}'\n          cases: [{ name: a, eqals: '{{ data.b }}' }]",
        "    - { source: x, target: y, sourceHandle: a }",
      ),
      'x.yaml:13:30 graph.nodes[1].data.inputs.cases[0].eqals: unknown key "eqals"; did you mean "equals"?',
    ],
    [
      "of an edge",
      graph("    - { id: x, type: set, data: { inputs: { values: {} } } }", "    - { source: x, taget: x }"),
      'x.yaml:11:20 graph.edges[1].taget: unknown key "taget"; did you mean "target"?',
    ],
    [
      "of a schedule",
      flow("flow_a", { more: "schedules: [{ id: a, cron: '0 3 * * *', timezon: UTC }]" }),
      'x.yaml:5:41 schedules[0].timezon: unknown key "timezon"; did you mean "timezone"?',
    ],
    [
      "of a member",
      "kind: Organization\nid: org_b\nname: B\nmembers:\n  - { id: a, email: a@example.com, name: A, rloe: owner, role: owner }\n",
      'x.yaml:5:45 members[0].rloe: unknown key "rloe"; did you mean "role"?',
    ],
    [
      "of a tool, whichever of its shapes",
      "kind: Agent\nid: agent_a\norganizationId: org_a\nname: A\ndesign:\n  provider: { type: demo }\n  tools: [{ flow: flow_a, descripton: x, description: y }]\n",
      'x.yaml:7:27 design.tools[0].descripton: unknown key "descripton"; did you mean "description"?',
    ],
    [
      "of a secret",
      "kind: Credential\nid: c\norganizationId: org_a\ntype: smtp\nsecret: { host: a, port: 1, pasword: x }\n",
      'x.yaml:5:29 secret.pasword: unknown field "pasword"; did you mean "password"? (type smtp)',
    ],
  ])("%s", async (_what, document, fault) => {
    const faults = await workspace.faultsOf({ "org.yaml": organization(), "x.yaml": document });
    expect(faults).toContain(fault);
    expect(await workspace.count("organizations")).toBe(0);
  });

  it("and each of several has a fault of its own", async () => {
    const document = "kind: Organization\nid: org_b\nname: B\nlimts: {}\nnotes: x\nmemebers: []\n";
    expect(await workspace.faultsOf({ "x.yaml": document })).toEqual([
      'x.yaml:4:1 limts: unknown key "limts"; did you mean "limits"?',
      'x.yaml:5:1 notes: unknown key "notes"; known are kind, id, name, limits, credits, values, auditDays, variables, suspended, members',
      'x.yaml:6:1 memebers: unknown key "memebers"; did you mean "members"?',
    ]);
  });
});

it("a canvas of React Flow is taken as it was saved", async () => {
  const saved = {
    kind: "Flow",
    id: "flow_a",
    organizationId: "org_a",
    name: "A",
    graph: {
      nodes: [
        {
          id: "start",
          type: "start",
          position: { x: 1, y: 2 },
          measured: { width: 1, height: 2 },
          selected: false,
          dragging: false,
          data: { label: "Start" },
        },
        {
          id: "end",
          type: "return",
          position: { x: 1, y: 2 },
          sourcePosition: "right",
          style: {},
          data: { ui: { note: "x" } },
        },
      ],
      edges: [
        {
          id: "e",
          source: "start",
          target: "end",
          type: "smoothstep",
          animated: true,
          markerEnd: { type: "arrow" },
          targetHandle: null,
        },
      ],
      viewport: { x: 0, y: 0, zoom: 1 },
    },
  };
  await workspace.apply({ "org.yaml": organization(), "a.json": JSON.stringify(saved) });
  const { rows } = await workspace.database.pool.query(`SELECT ordered_graph AS graph FROM flow_versions`);
  expect(rows[0].graph).toEqual(saved.graph);
});

describe("a flow that would not run", () => {
  const broken = flow("flow_a").replace("type: return", "type: retrun");

  it("is refused with the lines of what is wrong, and nothing is changed", async () => {
    const faults = await workspace.faultsOf({ "org.yaml": organization(), "x.yaml": broken });
    expect(faults).toEqual([
      'x.yaml:9:7 graph.nodes[1]: Node "done": the type "retrun" does not exist; choose one of the node catalogue.',
    ]);
    expect(await workspace.count("organizations")).toBe(0);
  });

  it("is a fault where a flow, an agent or a credential it needs is missing", async () => {
    const lonely = flow("flow_a").replace(
      'id: done, type: return, data: { inputs: { value: { text: "hi" } } }',
      "id: done, type: run-flow, data: { inputs: { flowId: flow_z } }",
    );
    const faults = await workspace.faultsOf({ "org.yaml": organization(), "x.yaml": lonely });
    expect(faults).toEqual([
      expect.stringMatching(/^x\.yaml:9:\d+ graph\.nodes\[1\].* there is no flow "flow_z"/),
    ]);
  });

  it("is kept as the draft where that is asked for, and whatever is in force stays", async () => {
    const version = async () => {
      const { rows } = await workspace.database.pool.query(`SELECT version FROM flows`);
      return rows[0].version;
    };
    const [, first] = await workspace.apply(
      { "org.yaml": organization(), "x.yaml": broken },
      { draft: true },
    );
    expect(first).toMatchObject({
      action: "created",
      kind: "Flow",
      errors: [expect.stringContaining("retrun")],
    });
    expect(await version()).toBeNull();
    await workspace.apply({ "x.yaml": flow("flow_a") });
    const published = await version();
    expect(published).toMatch(/^\d{8}\.1$/);
    const kept = await workspace.apply({ "x.yaml": broken.replace("hi", "ho") }, { draft: true });
    expect(kept).toMatchObject([{ action: "updated", version: published }]);
    expect(await version()).toBe(published);
    expect(await workspace.apply({ "x.yaml": broken.replace("hi", "ho") }, { draft: true })).toMatchObject([
      { action: "unchanged" },
    ]);
    const { rows } = await workspace.database.pool.query(`SELECT graph FROM flow_drafts`);
    expect(rows).toMatchObject([{ graph: { nodes: [{ id: "start" }, { type: "retrun" }] } }]);
  });

  it("says which parts of the document a draft does not hold, and leaves them as they are", async () => {
    const parts =
      'webhook: { enabled: true, respond: { wait: 10s } }\nschedules: [{ id: a, cron: "0 6 * * *" }]';
    await workspace.apply({ "org.yaml": organization(), "x.yaml": flow("flow_a", { more: parts }) });
    const asDraft = async (document: string) => {
      const [kept] = await workspace.apply({ "x.yaml": document }, { draft: true });
      return kept!.warnings!.flatMap(
        (text) => /^"(\w+)" of the document is not kept in the draft/.exec(text)?.[1] ?? [],
      );
    };
    const spoilt = (more: string) => flow("flow_a", { more }).replace("type: return", "type: retrun");
    expect(await asDraft(spoilt(parts))).toEqual([]);
    expect(
      await asDraft(spoilt(`active: true\n${parts.replace("a, cron", "a, data: {}, timezone: UTC, cron")}`)),
    ).toEqual([]);
    const other = spoilt("slug: new\nactive: false\nwebhook: { enabled: true }").replace(
      "name: ",
      "name: New ",
    );
    expect(await asDraft(other)).toEqual(["name", "slug", "active", "webhook", "schedules"]);
    const { rows } = await workspace.database.pool.query(
      `SELECT name LIKE 'New%' AS renamed, slug, active, (SELECT count(*)::int FROM flow_schedules) AS schedules FROM flows`,
    );
    expect(rows).toEqual([{ renamed: false, slug: null, active: true, schedules: 1 }]);
  });

  it("may be one of several: those that would run are published", async () => {
    const applied = await workspace.apply(
      { "org.yaml": organization(), "x.yaml": [broken, flow("flow_b")].join("---\n") },
      { draft: true },
    );
    expect(applied.map(({ id, version }) => [id, version === undefined])).toEqual([
      ["org_a", true],
      ["flow_a", true],
      ["flow_b", false],
    ]);
  });
});

it("100 documents with faults in three change nothing, and every fault has its file and line", async () => {
  const files: Record<string, string> = { "org.yaml": organization() };
  for (let index = 0; index < 99; index++) files[`flow-${index}.yaml`] = flow(`flow_${index}`);
  files["flow-7.yaml"] = flow("flow_7").replace("nodes:", "ndoes:");
  files["flow-40.yaml"] = flow("flow_40").replace("target: done", "target: gone");
  files["flow-77.yaml"] = `${flow("flow_77")}oops: [`;
  const faults = await workspace.faultsOf(files);
  expect(new Set(faults.map((fault) => fault.split(":")[0]))).toEqual(
    new Set(["flow-40.yaml", "flow-7.yaml", "flow-77.yaml"]),
  );
  for (const fault of faults) expect(fault).toMatch(/^flow-\d+\.yaml:\d+:\d+ /);
  expect(faults.join("\n")).toContain(
    'flow-7.yaml:7:3 graph.ndoes: unknown key "ndoes"; did you mean "nodes"?',
  );
  expect(await workspace.count("organizations")).toBe(0);
});
