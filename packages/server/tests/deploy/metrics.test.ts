import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { chain, node } from "../support/runs-flows.ts";
import { type RunTestService, startRunService } from "../support/runs-service.ts";
import { until } from "../support/runs-until.ts";

const file = (path: string) => fileURLToPath(new URL(`../../../../deploy/${path}`, import.meta.url));
const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

let service: RunTestService;
let text: string;
beforeAll(async () => {
  service = await startRunService({ credits: 7, concurrency: 1 });
  await service.flow("flow_counted", chain(node("greet", "set", { values: { text: "Hello" } })));
  await service.flow("flow_failing", chain(node("stop", "fail", { message: "no" })));
  await service.flow("flow_asking", chain(node("ask", "approval", { message: "Sure?" })));
  for (const flow of ["flow_counted", "flow_failing"]) await service.untilEnd(await service.begin(flow));
  const asking = await service.begin("flow_asking");
  await service.untilStatus(asking, "PAUSED");
  text = await scrape();
});
afterAll(() => service.stop());

async function scrape(): Promise<string> {
  return (await service.get("/metrics")).body as string;
}

const typesOf = (of: string) =>
  new Map([...of.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));

describe("the figures at /metrics", () => {
  it.skipIf(!hasPromtool)("are clean for promtool (skipped where it is not installed)", () => {
    const checked = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
    expect([checked.status, checked.stdout + checked.stderr]).toEqual([0, ""]);
  });

  it("have a help and a type before their first sample, once, and each sample one number", () => {
    const seen = new Set<string>();
    const samples = new Set<string>();
    const types = typesOf(text);
    let last = "";
    for (const line of text.split("\n").filter((one) => one !== "")) {
      const [, kind, name] = /^# (HELP|TYPE) (\S+) /.exec(line) ?? [];
      if (kind === "HELP") {
        expect(seen.has(name!)).toBe(false);
        seen.add(name!);
        last = name!;
      } else if (kind === "TYPE") expect(name).toBe(last);
      else {
        const [, sample, labels = "", value] = /^([a-z_0-9]+)(\{[^}]*\})? (\S+)$/.exec(line) ?? [];
        expect(value, line).toMatch(/^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|NaN)$/);
        const family =
          types.get(last) === "histogram" ? sample!.replace(/_(?:bucket|sum|count)$/, "") : sample;
        expect(family).toBe(last);
        expect(samples.has(sample! + labels)).toBe(false);
        samples.add(sample! + labels);
      }
    }
    for (const [name, type] of types)
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
  });

  it("count runs, nodes, commits and slots, and name no organization and no flow", async () => {
    for (const line of [
      'millrace_runs_ended_total{status="COMPLETED"} 1',
      'millrace_runs_ended_total{status="FAILED"} 1',
      'millrace_node_seconds_count{type="set",status="COMPLETED"} 1',
      'millrace_node_seconds_count{type="fail",status="FAILED"} 1',
      'millrace_group_commit_items_count{batch="admission"} 3',
      'millrace_runs{state="paused"} 1',
      "millrace_slots_in_use 0",
      "millrace_slots_limit 1",
      "millrace_processes 1",
      'millrace_pool_waiting{pool="engine"} 0',
    ])
      expect(text).toContain(`${line}\n`);
    expect(text).not.toMatch(/org_|flow_/);
  });

  it("count triggers that are refused for want of credits", async () => {
    expect(text).toContain("millrace_credits_refused_total 0\n");
    const statuses = [];
    for (let at = 0; at < 8; at += 1) statuses.push((await service.trigger("flow_counted")).status);
    const refused = statuses.filter((status) => status >= 400).length;
    expect(refused).toBeGreaterThan(0);
    await until("they are counted", async () =>
      (await scrape()).includes(`millrace_credits_refused_total ${refused}\n`),
    );
  });
});

describe("what is deployed beside it", () => {
  const rules = readFileSync(file("prometheus/alerts.yaml"), "utf8");
  const dashboard = JSON.parse(readFileSync(file("grafana/millrace.json"), "utf8")) as {
    panels: { id: number; title: string; targets: { expr: string }[] }[];
  };
  const alerts = (
    parse(rules) as {
      groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
    }
  ).groups.flatMap((group) => group.rules);
  const uses = [
    ...alerts.map(({ alert, expr }) => ({ of: alert, expr })),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ of: title, expr }))),
  ];

  it("uses only figures that there are, and every one of our own is on the dashboard", () => {
    const types = typesOf(text);
    const known = new Set<string>(["up"]);
    for (const [name, type] of types)
      for (const suffix of type === "histogram" ? ["_bucket", "_sum", "_count"] : [""])
        known.add(name + suffix);
    const named = ({ expr }: { expr: string }) =>
      [...expr.replaceAll(/"[^"]*"/g, "").matchAll(/\b(?:millrace|nodejs|process)_\w+|\bup\b/g)].map(
        ([name]) => name,
      );
    for (const use of uses) {
      expect(named(use).length, use.of).toBeGreaterThan(0);
      expect([use.of, named(use).filter((name) => !known.has(name))]).toEqual([use.of, []]);
    }
    const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(named)).join(" ");
    const missing = [...types.keys()].filter((name) => name.startsWith("millrace_") && !shown.includes(name));
    expect(missing).toEqual([]);
  });

  it.skipIf(!hasPromtool)("has alert rules that promtool takes (skipped where it is not installed)", () => {
    expect(
      execFileSync("promtool", ["check", "rules", file("prometheus/alerts.yaml")], { encoding: "utf8" }),
    ).toContain(`${alerts.length} rules found`);
  });

  it("has alerts that say what to do, and panels that can be told apart", () => {
    for (const { alert, annotations } of alerts)
      expect([alert, annotations["summary"] !== undefined, annotations["action"] !== undefined]).toEqual([
        alert,
        true,
        true,
      ]);
    for (const list of [alerts.map(({ alert }) => alert), dashboard.panels.map(({ title }) => title)])
      expect(new Set(list).size).toBe(list.length);
  });
});
