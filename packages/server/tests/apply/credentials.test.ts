import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { secretPlace } from "../../src/domain/secret-place.ts";
import { credentialFromEnv } from "../support/hostile-inputs.ts";
import { createWorkspace, lines, organization, type Workspace } from "./workspace.ts";

const CANARY = "canary-7f3a";

let workspace: Workspace;
beforeAll(async () => {
  workspace = await createWorkspace();
});
beforeEach(async () => {
  await workspace.database.pool.query(`TRUNCATE organizations, users CASCADE`);
  await workspace.apply({ "org.yaml": organization() });
});
afterAll(() => workspace.remove());

const credential = (secret: string, type = "http-bearer") =>
  `kind: Credential\nid: cred_a\norganizationId: org_a\ntype: ${type}\nallowedHosts: [api.example.com]\nsecret: ${secret}\n`;

describe("a credential", () => {
  it("takes its secret from the environment and is sealed for its own place", async () => {
    await workspace.apply(
      { "c.yaml": credential("{ token: { env: CRM_TOKEN } }") },
      { env: { CRM_TOKEN: CANARY } },
    );
    const { rows } = await workspace.database.pool.query(`SELECT * FROM credentials`);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect(workspace.secrets.open(secretPlace("org_a", "credential", "cred_a"), rows[0].ciphertext)).toBe(
      JSON.stringify({ token: CANARY }),
    );
    expect(() =>
      workspace.secrets.open(secretPlace("org_b", "credential", "cred_a"), rows[0].ciphertext),
    ).toThrow();
  });

  it("is unchanged while its secret is the same, updated when it differs", async () => {
    const apply = async (token: string) =>
      lines(await workspace.apply({ "c.yaml": credential(`{ token: ${token} }`) }));
    expect(await apply("one")).toEqual(["created Credential cred_a"]);
    expect(await apply("one")).toEqual(["unchanged Credential cred_a"]);
    expect(await apply("two")).toEqual(["updated Credential cred_a"]);
  });

  it("is a fault where the variable is not set, is empty, or names an inherited property", async () => {
    for (const name of ["MISSING", "EMPTY", "__proto__", "constructor"]) {
      const faults = await workspace.faultsOf(
        { "c.yaml": credential(`{ token: { env: ${name} } }`) },
        { env: { EMPTY: "" } },
      );
      expect(faults).toEqual([`c.yaml:6:20 secret.token.env: the variable ${name} is not set`]);
    }
  });

  it.each([
    "MILLRACE_SECRET_KEY",
    "MILLRACE_PREVIOUS_SECRET_KEYS",
    "millrace_secret_key",
    "DATABASE_URL",
    "PGPASSWORD",
    "POSTGRES_PASSWORD",
    "OTEL_EXPORTER_OTLP_HEADERS",
    "NODE_OPTIONS",
  ])("is a fault where it asks for a variable of the service: %s", async (name) => {
    const files = {
      "c.yaml": credential(`{ token: { env: ${name} } }`),
      "thief.json": JSON.stringify(credentialFromEnv(name)),
    };
    const faults = await workspace.faultsOf(files, { env: { [name]: CANARY } });
    expect(faults).toHaveLength(2);
    expect(faults[0]).toBe(
      `c.yaml:6:20 secret.token.env: ${name} is a variable of the service itself and never a document's secret; choose another name`,
    );
    expect(faults.join()).not.toContain(CANARY);
  });

  it("has the fields of its type; the fault names them and never a value", async () => {
    const faults = await workspace.faultsOf({
      "c.yaml": credential(`{ token: ${CANARY}, tokn: ${CANARY} }`, "http-basic"),
    });
    expect(faults.join()).toContain("known are user, password");
    expect(faults.join()).not.toContain(CANARY);
  });

  it("may state a port as a number", async () => {
    const smtp = credential("{ host: mail.example.com, port: 587 }", "smtp");
    expect(lines(await workspace.apply({ "c.yaml": smtp }))).toEqual(["created Credential cred_a"]);
  });

  it("never shows its secret in a fault of the file it stands in", async () => {
    const faults = await workspace.faultsOf({
      "c.yaml": `${credential(`{ token: ${CANARY} }`)}secret: ${CANARY}: [`,
    });
    expect(faults.length).toBeGreaterThan(0);
    expect(faults.join()).not.toContain(CANARY);
  });
});

describe("a secret whose variable is not set", () => {
  const basic = (secret: string, hosts = "[api.example.com]", more = "") =>
    `kind: Credential\nid: cred_a\norganizationId: org_a\ntype: http-basic\nallowedHosts: ${hosts}\nsecret: ${secret}\n${more}`;
  const fromEnv = "{ user: ada, password: { env: CRM } }";
  const stored = async () => (await workspace.database.pool.query(`SELECT ciphertext FROM credentials`)).rows;

  it("stays as it is stored, and apply says so", async () => {
    await workspace.apply({ "c.yaml": basic(fromEnv) }, { env: { CRM: "one" } });
    const before = await stored();
    expect(await workspace.apply({ "c.yaml": basic(fromEnv) })).toMatchObject([
      { action: "unchanged", warnings: ["The stored secret is kept: CRM is not set."] },
    ]);
    expect(await stored()).toEqual(before);
  });

  it("is asked for where it was never set", async () => {
    expect(await workspace.faultsOf({ "c.yaml": basic(fromEnv) })).toEqual([
      "c.yaml:6:34 secret.password.env: the variable CRM is not set",
    ]);
  });

  it("is asked for where it would be sent elsewhere, so that nobody learns it who does not know it", async () => {
    await workspace.apply({ "c.yaml": basic(fromEnv) }, { env: { CRM: "one" } });
    for (const document of [
      basic(fromEnv, "[api.example.com, evil.example.com]"),
      basic("{ user: eve, password: { env: CRM } }"),
      basic(fromEnv, "[api.example.com]", "allowUnencrypted: true\n"),
      basic("{ token: { env: CRM } }").replace("http-basic", "http-bearer"),
    ]) {
      expect((await workspace.faultsOf({ "c.yaml": document })).join()).toContain(
        "the variable CRM is not set",
      );
    }
    expect(
      await workspace.apply(
        { "c.yaml": basic(fromEnv, "[api.example.com, new.example.com]") },
        { env: { CRM: "one" } },
      ),
    ).toMatchObject([{ action: "updated" }]);
  });
});
