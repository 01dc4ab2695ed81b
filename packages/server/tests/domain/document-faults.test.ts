import { describe, expect, it } from "vitest";
import { faultText } from "../../src/domain/documents/fault.ts";
import { parseSource } from "../../src/domain/documents/parse-source.ts";
import { checkTogether } from "../../src/domain/documents/check-together.ts";

function faultsOf(text: string): string[] {
  return parseSource({ file: "a.yaml", text }).faults.map(faultText);
}

const flow = (more: string) => `kind: Flow\nid: flow_a\norganizationId: org_a\nname: A\n${more}`;
const graph = "graph: { nodes: [], edges: [] }\n";

describe("faults of documents", () => {
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
  });

  it("name the nearest kind", () => {
    expect(faultsOf("kind: Folw")).toEqual(['a.yaml:1:1 kind: unknown kind; did you mean "Flow"?']);
    expect(faultsOf("id: x")[0]).toMatch(/has no kind; known are Organization, Credential/);
    expect(faultsOf("- 1")).toEqual(["a.yaml:1:1 must be an object with a kind"]);
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
    const canvas = `graph: { viewport: { zoom: 2 }, nodes: [{ id: a, type: start, selected: true, data: { color: red } }], edges: [] }\n`;
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

  it("are NUL characters, halves of surrogate pairs, infinite numbers and __proto__ anywhere", () => {
    const withValue = (value: string) =>
      flow(`graph: { nodes: [], edges: [], extra: { deep: [${value}] } }\n`);
    expect(faultsOf(withValue(String.raw`"a\0b"`))[0]).toMatch(/^a.yaml:5:48 graph.extra.deep\[0\]: .*NUL/);
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
    expect(checkTogether(documents).map(faultText)).toEqual([
      'a.yaml:18:1 id: Flow "flow_a" is already described in a.yaml:12',
      `a.yaml:9:11 members[0]: "user_a" has another email, name or disabled in another organization's document`,
    ]);
  });
});
