import { describe, expect, it } from "vitest";
import { checkValues } from "../../src/domain/documents/check-values.ts";
import { DocumentFaults, type Fault, faultText } from "../../src/domain/documents/fault.ts";
import { parseSource, type PlacedDocument } from "../../src/domain/documents/parse-source.ts";
import { checkTogether } from "../../src/domain/documents/check-together.ts";
import { MAX_VALUES } from "../../src/domain/json-limits.ts";

function faultsOf(text: string): string[] {
  return parseSource({ file: "a.yaml", text }).faults.map(faultText);
}

const flow = (more: string) => `kind: Flow\nid: flow_a\norganizationId: org_a\nname: A\n${more}`;
const graph = "graph: { nodes: [], edges: [] }\n";

function togetherFaults(documents: readonly PlacedDocument[]): string[] {
  const faults: string[] = [];
  checkTogether(documents, (placed, problem) => faults.push(faultText(placed.fault(problem) as Fault)));
  return faults;
}

describe("faults of documents", () => {
  it("names a file that has too much YAML, and reads long texts of few values", () => {
    expect(faultsOf("- a\n".repeat(150_000))).toEqual([
      "a.yaml:1:1 is too much YAML for one file; split it, or write it as JSON",
    ]);
    expect(faultsOf(`${flow(graph)}description: ${"long ".repeat(60_000)}\n`).join()).not.toContain(
      "too much",
    );
  });

  it("are told all at once, in order, each with line, column and path", () => {
    const text = `kind: Organization
id: org demo
limits: { concurency: 3, queue: many }
members:
  - { id: user_a, email: nope, name: A, role: king }
---
kind: Credential
id: cred_a
organizationId: org_a
type: http-bearer
secret: { token: [1] }
`;
    expect(faultsOf(text)).toEqual([
      "a.yaml:1:1 name: is required",
      "a.yaml:2:1 id: must be 1 to 64 letters, digits, _ or -",
      'a.yaml:3:11 limits.concurency: unknown key "concurency"; did you mean "concurrency"?',
      "a.yaml:3:26 limits.queue: must be a whole number",
      "a.yaml:5:19 members[0].email: must be an e-mail address",
      "a.yaml:5:41 members[0].role: must be owner, admin, member or viewer",
      "a.yaml:7:1 allowedHosts: is required for the type http-bearer: name the hosts it may be sent to",
      "a.yaml:11:11 secret.token: must be a text, or { env: NAME } to take it from the environment of `apply`",
    ]);
  });

  it("name the line in JSON too", () => {
    const json = JSON.stringify({ kind: "Organization", id: "org_a", name: 3 }, null, 2);
    expect(faultsOf(json)).toEqual(["a.yaml:4:3 name: must be a text"]);
    expect(faultsOf("kind: Organization\nid: o\nname: A\nmembers: 3\n")).toEqual([
      "a.yaml:4:1 members: must be a list",
    ]);
    expect(
      faultsOf(flow("graph: { nodes: [], edges: [] }\nschedules: [{ id: a, cron: 0 3 * * *, data: 3 }]\n")),
    ).toEqual([expect.stringContaining("schedules[0].data: must be an object")]);
  });

  it("name the place in the schema of the input", () => {
    const text = flow(`input:
  type: object
  properties:
    name: { type: text }
  requird: [name]
${graph}`);
    expect(faultsOf(text)).toEqual([
      expect.stringMatching(/^a\.yaml:8:13 input\.properties\.name\.type: must be one of string, number/),
      'a.yaml:9:3 input.requird: unknown keyword "requird"; did you mean "required"?',
    ]);
    expect(faultsOf(flow(`input: { type: object }\n${graph}`))).toEqual([]);
    expect(faultsOf(flow(`onFailure: flow_a\n${graph}`))[0]).toMatch(/onFailure: must name another flow/);
    expect(faultsOf(flow(`onFailure: flow_b\n${graph}`))).toEqual([]);
    expect(faultsOf(flow(`tool: { readOnly: yes }\n${graph}`))[0]).toMatch(/tool\.description: is required/);
  });

  it("name the nearest kind", () => {
    expect(faultsOf("kind: Folw")).toEqual(['a.yaml:1:1 kind: unknown kind "Folw"; did you mean "Flow"?']);
    expect(faultsOf("id: x")[0]).toMatch(/has no kind; known are Organization, Credential/);
    expect(faultsOf("- 1")).toEqual(["a.yaml:1:1 must be an object with a kind"]);
    expect(faultsOf("kind: 3")[0]).toMatch(/unknown kind; known are/);
    expect(faultsOf("kind: toString")[0]).toMatch(/unknown kind/);
  });

  it("reach into schedules: pattern, time zone, twice the same id, a date that never comes", () => {
    const schedules = `schedules:
  - { id: a, cron: "0 3 * *" }
  - { id: a, cron: "0 3 * * *", timezone: Mars/Base }
  - { id: c, cron: "0 0 30 2 *" }
  - { id: d, cron: "* * * * * *" }
`;
    expect(faultsOf(flow(schedules + graph))).toEqual([
      expect.stringMatching(/^a.yaml:6:14 schedules\[0\].cron: must have five fields/),
      'a.yaml:7:7 schedules[1].id: the schedule "a" is listed twice',
      "a.yaml:7:33 schedules[1].timezone: unknown time zone; use a name such as Europe/Istanbul",
      "a.yaml:8:14 schedules[2].cron: never happens",
      expect.stringMatching(/^a.yaml:9:14 schedules\[3\].cron: must have five fields/),
    ]);
  });

  it("let the graph carry whatever a canvas saves, but nothing unreadable", () => {
    const canvas = `graph: { viewport: { zoom: 2 }, nodes: [{ id: a, type: start, selected: true, data: { ui: { color: red } } }], edges: [] }\n`;
    expect(faultsOf(flow(canvas))).toEqual([]);
    expect(faultsOf(flow(`graph: { nodes: [{ id: "a b", type: start }], edges: [] }\n`))).toHaveLength(1);
    expect(faultsOf(flow(""))).toEqual(["a.yaml:1:1 graph: is required"]);
  });

  it("are what broken, repeated or exotic YAML ends in, never an exception", () => {
    const bomb = Array.from({ length: 9 }, (_, n) =>
      n === 0
        ? "a0: &a0 [x, x, x, x, x, x, x, x]"
        : `a${n}: &a${n} [${Array(9)
            .fill(`*a${n - 1}`)
            .join(", ")}]`,
    ).join("\n");
    expect(faultsOf(bomb)).toEqual(["a.yaml:1:1 repeats too much through its aliases (*name); write it out"]);
    expect(faultsOf("a: [")).toHaveLength(1);
    expect(faultsOf("a: 1\na: 2")).toEqual(["a.yaml:2:1 Map keys must be unique"]);
    expect(faultsOf("b: 1\na: { x: 1, x: 2 }\nc: [{ y: 1, y: 2 }]\nb: 3")).toEqual([
      "a.yaml:2:12 Map keys must be unique",
      "a.yaml:3:13 Map keys must be unique",
      "a.yaml:4:1 Map keys must be unique",
    ]);
    expect(faultsOf("a: 1\n".repeat(9))).toHaveLength(3);
    expect(faultsOf("? [a]\n: 1")).toHaveLength(1);
    expect(faultsOf("a: !!js/function x")).toEqual([
      "a.yaml:1:4 uses a tag (!name) that has no meaning here",
    ]);
    expect(faultsOf(`a: ${"[".repeat(10_000)}`)[0]).toMatch(/nested too deeply/);
    expect(faultsOf(`{"a": ${"[".repeat(10_000)}${"]".repeat(10_000)}}`)[0]).toMatch(
      /nested deeper than 100 levels/,
    );
    expect(faultsOf("{{{{")).not.toEqual([]);
    expect(faultsOf("")).toEqual([]);
    expect(faultsOf("# nothing\n---\n")).toEqual([]);
  });

  it("are found in time that grows with the document, not with its square", () => {
    const cpuMsOf = (keys: number) => {
      const text = Array.from({ length: keys }, (_, at) => `k${at}: { a: [1, 2], b: text }`).join("\n");
      const before = process.cpuUsage();
      expect(faultsOf(text)).toHaveLength(1);
      return process.cpuUsage(before).user / 1_000;
    };
    cpuMsOf(4_000);
    // Sixteen times as long, if each key were compared with all the others.
    expect(cpuMsOf(16_000)).toBeLessThan(8 * cpuMsOf(4_000));
  });

  it("are NUL characters, halves of surrogate pairs, infinite numbers and __proto__ anywhere", () => {
    const withValue = (value: string) =>
      flow(`graph: { nodes: [], edges: [], viewport: { deep: [${value}] } }\n`);
    expect(faultsOf(withValue(String.raw`"a\0b"`))[0]).toMatch(
      /^a.yaml:5:51 graph.viewport.deep\[0\]: .*NUL/,
    );
    expect(faultsOf(withValue(String.raw`"\ud800"`))[0]).toMatch(/surrogate/);
    expect(faultsOf(withValue(String.raw`"\ud83d\ude00"`))).toEqual([]);
    expect(faultsOf(withValue(".inf"))[0]).toMatch(/finite/);
    expect(faultsOf(withValue(String.raw`{ "k\0": 1 }`))[0]).toMatch(/NUL/);
    expect(faultsOf(withValue("{ __proto__: { polluted: true } }"))[0]).toMatch(/__proto__ is not allowed/);
    expect(
      faultsOf('{"kind":"Organization","id":"o","name":"x","__proto__":{"polluted":true}}'),
    ).toHaveLength(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("are the same document twice and people that two documents describe differently", () => {
    const organization = (id: string, email: string) =>
      `kind: Organization\nid: ${id}\nname: A\nmembers: [{ id: user_a, email: ${email}, name: A, role: owner }]\n`;
    const text = [
      organization("org_a", "a@example.com"),
      organization("org_b", "b@example.com"),
      flow(graph),
      flow(graph).replace("org_a", "org_b"),
    ].join("---\n");
    const { documents, faults } = parseSource({ file: "a.yaml", text });
    expect(faults).toEqual([]);
    expect(togetherFaults(documents)).toEqual([
      'a.yaml:18:1 id: Flow "flow_a" is already described in a.yaml:11',
      `a.yaml:9:11 members[0]: "user_a" has another email, name or disabled in another organization's document`,
    ]);
  });

  it("say how long, how many and how much a value may be", () => {
    const agent = (more: string) => `kind: Agent\nid: agent_a\norganizationId: org_a\nname: A\n${more}`;
    const model = `design: { provider: { type: openai-compatible, baseUrl: "https://a.example/v1", model: "" }, limits: { steps: 101 } }\n`;
    expect(faultsOf(agent(`modelIds: [${Array(101).fill("m").join(", ")}]\n${model}`))).toEqual([
      expect.stringContaining("modelIds: must be at most 100 entries long"),
      expect.stringContaining("design.provider.model: must be at least 1 characters long"),
      expect.stringContaining("design.limits.steps: must be at most 100"),
    ]);
  });

  it("name what a value must be where it could be one of several", () => {
    const text = `kind: Credential
id: c
organizationId: o
type: http-bearer
allowedHosts: [a.example]
secret: { token: { env: 1bad } }
`;
    expect(faultsOf(text)).toEqual([expect.stringMatching(/^a.yaml:6:\d+ secret.token/)]);
  });

  it("name the misspelt key where a value could be one of several, unless too much else is wrong", () => {
    const agent = (tool: string) => `kind: Agent
id: agent_a
organizationId: org_a
name: A
design:
  provider: { type: openai-compatible, baseUrl: "https://a.example/v1", model: m }
  tools: [${tool}]
`;
    expect(faultsOf(agent("{ flow: flow_a, description: D }"))).toEqual([]);
    expect(faultsOf(agent("{ flow: flow_a, description: D, lable: L }"))).toEqual([
      expect.stringMatching(/^a.yaml:7:\d+ design.tools\[0\].lable: unknown key "lable"/),
    ]);
    expect(faultsOf(agent("{ flow: flow_a, descripton: D }")).join()).toMatch(
      /unknown key "descripton"; did you mean "description"\?/,
    );
    expect(faultsOf(agent("{ x: 1, description: 2, credential: 3 }"))).toEqual([
      expect.stringMatching(/^a.yaml:7:\d+ design.tools\[0\]: must be \{ flow, description \} or \{ mcp \}$/),
    ]);
  });

  it("are found inside aliases, and where a path ends early at what holds it", () => {
    const shared = `shared: &m { id: user_a, email: nope, name: A, role: owner }\n`;
    const [fault] = faultsOf(`kind: Organization\nid: org_a\nname: A\nmembers: [*m]\nlimits: &m\n`);
    expect(fault).toBeDefined();
    expect(faultsOf(`${shared}kind: Organization\nid: org_a\nname: A\nmembers: [*m]\n`)).toEqual([
      expect.stringContaining("a.yaml:1:1 shared: unknown key"),
      expect.stringMatching(/^a.yaml:1:\d+ members\[0\].email: must be an e-mail address$/),
    ]);
    const { documents } = parseSource({ file: "a.yaml", text: flow(graph) });
    const place = (...path: PropertyKey[]) => documents[0]!.fault({ path, message: "" });
    expect(place("graph", "nodes", 7)).toMatchObject({ line: 5, column: 10 });
    expect(place("name", "first", "letter")).toMatchObject({ line: 4, column: 1 });
    expect(place("missing")).toMatchObject({ line: 1, column: 1 });
  });

  it("stand at the beginning of JSON that names a key twice", () => {
    expect(faultsOf('{"kind":"Nope","kind":"Nope"}')).toEqual([
      expect.stringMatching(/^a.yaml:1:1 kind: unknown kind/),
    ]);
  });

  it("are too many values, and values that lie too deep", () => {
    const deep = `${"[".repeat(101)}${"]".repeat(101)}`;
    expect(checkValues(JSON.parse(deep))).toEqual([
      { path: Array(100).fill(0), message: "is nested too deeply" },
    ]);
    expect(checkValues(Array(MAX_VALUES).fill(0))).toEqual([
      { path: [], message: `holds more than ${MAX_VALUES} values` },
    ]);
  });

  it("are counted in the text of the error", () => {
    const fault = { file: "a", line: 1, column: 1, path: "", message: "x" };
    expect(new DocumentFaults([fault]).message).toBe("One fault; nothing was changed.");
    expect(new DocumentFaults([fault, fault]).message).toBe("2 faults; nothing was changed.");
  });

  it("are not found in documents that are right, one of each kind", () => {
    const text = `kind: Organization
id: org_a
name: A
---
kind: Credential
id: cred_a
organizationId: org_a
type: postgres
secret: { connectionString: "postgres://h/d" }
---
${flow(`schedules: [{ id: a, cron: "0 3 * * *" }]\n${graph}`)}`;
    const { documents, faults } = parseSource({ file: "a.yaml", text });
    expect(faults).toEqual([]);
    expect(togetherFaults(documents)).toEqual([]);
  });
});
