import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { toConfig } from "../../src/config/load-config.ts";
import { settings } from "../../src/config/settings.ts";
import { probeRoutes } from "../../src/http/routes/service.ts";
import { MEMORY_ENVIRONMENT, NODE_ARGS } from "../support/node-args.ts";

const directory = fileURLToPath(new URL("../../../../deploy/", import.meta.url));
const read = (path: string) => readFileSync(directory + path, "utf8");

const variables = new Set<string>(Object.values(settings).map(({ variable }) => variable));
const commands = ["api", "worker", "migrate"];
const probes = probeRoutes({
  ready: async () => true,
  metrics: async () => ({ contentType: "", text: "" }),
}).map(({ path }) => path);
/** `serve` gives up waiting for its end after 30 seconds. */
const MAX_STOP_SECONDS = 30;
const secrets = {
  DATABASE_URL: "postgres://millrace:secret@one:5432,two:5432/millrace",
  MILLRACE_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
};

interface Container {
  readonly args: string[];
  readonly readinessProbe?: { httpGet: { path: string } };
  readonly livenessProbe?: { httpGet: { path: string } };
}
interface Manifest {
  readonly kind: string;
  readonly data?: Record<string, string>;
  readonly spec: {
    readonly template: {
      readonly spec: { readonly terminationGracePeriodSeconds?: number; readonly containers: Container[] };
    };
  };
}
interface ComposeService {
  readonly command: string[];
  readonly environment: Record<string, string>;
  readonly stop_grace_period: string;
}

it.each(["compose.yaml", "systemd/environment", "kubernetes/millrace.yaml"])(
  "%s tells which proxies are trusted, so that callers behind them are told apart",
  (file) => {
    expect(read(file)).toMatch(/^\s*MILLRACE_TRUST_PROXY[:=] ?\d+\.\d+\.\d+\.\d+\/\d+/m);
  },
);

describe("the compose file", () => {
  const { services } = parse(read("compose.yaml"), { merge: true }) as {
    services: Record<string, ComposeService>;
  };
  const { postgres, ...own } = services;

  it("sets only what Millrace knows, to values it takes", () => {
    expect(postgres).toBeDefined();
    for (const { environment } of Object.values(own)) {
      expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([]);
      const literal = Object.entries(environment).filter(([, value]) => !value.includes("${"));
      expect(() => toConfig({ ...secrets, ...Object.fromEntries(literal) })).not.toThrow();
    }
  });

  it("runs commands there are, and gives them time to stop", () => {
    expect(Object.values(own).map(({ command }) => command[0])).toEqual(["migrate", "api", "worker"]);
    for (const { stop_grace_period: grace } of Object.values(own))
      expect(Number.parseInt(grace, 10)).toBeGreaterThan(MAX_STOP_SECONDS);
  });
});

describe("the Kubernetes manifests", () => {
  const manifests = parseAllDocuments(read("kubernetes/millrace.yaml")).map((one) => one.toJS() as Manifest);
  const workloads = manifests.filter(({ kind }) => kind === "Deployment" || kind === "Job");

  it("set only what Millrace knows, to values it takes", () => {
    for (const { data } of manifests.filter(({ kind }) => kind === "ConfigMap")) {
      expect(Object.keys(data!).filter((name) => !variables.has(name))).toEqual([]);
      expect(() => toConfig({ ...secrets, ...data })).not.toThrow();
    }
  });

  it("run commands there are, probe paths there are, and give time to stop", () => {
    expect(workloads).toHaveLength(3);
    for (const { kind, spec } of workloads) {
      const { containers, terminationGracePeriodSeconds } = spec.template.spec;
      for (const { args, readinessProbe, livenessProbe } of containers) {
        expect(commands).toContain(args[0]);
        if (kind === "Job") continue;
        expect(probes).toEqual(
          expect.arrayContaining([readinessProbe!.httpGet.path, livenessProbe!.httpGet.path]),
        );
        expect(terminationGracePeriodSeconds).toBeGreaterThan(MAX_STOP_SECONDS);
      }
    }
  });
});

it("the image runs Node as the supervisor does", () => {
  const lent = Object.entries(MEMORY_ENVIRONMENT).map((entry) => entry.join("="));
  expect(read("Dockerfile")).toContain(`ENV ${lent.join(" ")}\n`);
  expect(read("Dockerfile")).toContain(
    `ENTRYPOINT ["node", ${NODE_ARGS.map((arg) => `"${arg}", `).join("")}"packages`,
  );
});

describe("the units for systemd", () => {
  const units = readdirSync(`${directory}systemd`).filter((name) => name.endsWith(".service"));

  it.each(units)("%s sets only what Millrace knows and runs a command there is", (name) => {
    const text = read(`systemd/${name}`);
    const set = [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, variable]) => variable!);
    const lent = Object.entries(MEMORY_ENVIRONMENT);
    expect(set.filter((variable) => !variables.has(variable) && !(variable in MEMORY_ENVIRONMENT))).toEqual(
      [],
    );
    expect(commands).toContain(/^ExecStart=.*millrace\.js (\w+)$/m.exec(text)?.[1]);
    const timeout = /^TimeoutStopSec=(\d+)$/m.exec(text)?.[1];
    if (name.includes("migrate")) return;
    expect(Number(timeout)).toBeGreaterThan(MAX_STOP_SECONDS);
    expect(text).toContain(lent.map(([variable, value]) => `Environment=${variable}=${value}\n`).join(""));
    expect(text).toContain(` ${NODE_ARGS.join(" ")} packages/server/bin/millrace.js`);
  });

  it("share an environment that Millrace takes once the secrets are filled in", () => {
    const lines = read("systemd/environment")
      .split("\n")
      .filter((line) => /^\w+=/.test(line));
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    expect(Object.keys(environment).filter((name) => !variables.has(name))).toEqual([]);
    expect(() => toConfig({ ...environment, ...secrets })).not.toThrow();
  });
});
