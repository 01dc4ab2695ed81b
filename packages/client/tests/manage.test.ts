import { afterAll, beforeAll, expect, it } from "vitest";
import { MillraceClient, MillraceError } from "../src/client.ts";
import { startTestService, type TestService } from "../../server/tests/support/service.ts";
import { addTwoOrganizations } from "../../server/tests/support/workspace.ts";

let service: TestService;
let client: MillraceClient;
beforeAll(async () => {
  service = await startTestService();
  const { one } = await addTwoOrganizations(service.database.pool);
  client = new MillraceClient({ baseUrl: service.address, apiKey: one });
});
afterAll(() => service.stop());

it("manages what is around the runs", async () => {
  const { manage } = client;
  const key = await manage.createKey({ name: "ci", role: "admin" });
  expect((await manage.keys()).data.map(({ id }) => id)).toContain(key.id);
  const rotated = await manage.rotateKey(key.id, { overlap: "0" });
  expect((await manage.revokeKey(rotated.id)).id).toBe(rotated.id);

  const url = "http://127.0.0.1:9/";
  const made = await manage.putEventEndpoint("hooks", { url, events: ["run.failed"] });
  expect(made).toMatchObject({ id: "hooks", state: "new" });
  expect((await manage.eventEndpoints()).data).toHaveLength(1);
  const { secret } = await manage.eventEndpointSecret("hooks");
  expect((await manage.rotateEventEndpointSecret("hooks", { overlap: "1h" })).secret).not.toBe(secret);
  expect((await manage.testEventEndpoint("hooks")).delivered).toBe(false);
  expect((await manage.switchEventEndpoint("hooks", { enabled: false })).enabled).toBe(false);
  expect((await manage.deliveries("hooks", { state: "failed" })).data).toEqual([]);
  expect(await manage.resendDeliveries("hooks", { since: "2026-01-01T00:00:00Z" })).toEqual({ resent: 0 });
  expect((await manage.deleteEventEndpoint("hooks")).deleted).toBe(true);

  const credential = {
    type: "http-bearer",
    allowedHosts: ["api.example.com"],
    secret: { token: "x" },
  } as const;
  expect(
    await manage.setCredential("crm", { ...credential, allowedHosts: [...credential.allowedHosts] }),
  ).toEqual({
    id: "crm",
    action: "created",
  });
  expect((await manage.deleteCredential("crm")).deleted).toBe(true);
  const { data } = await manage.audit({ action: "credential", from: new Date(0) });
  expect(data.map(({ action }) => action)).toEqual(["credential.delete", "credential.create"]);

  const refused = await manage.grantCredits({ amount: 5 }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(MillraceError);
  expect((refused as MillraceError).code).toBe("credits_unlimited");
  expect((await manage.changeOrganization("org_one", { values: "hidden" })).values).toBe("hidden");
});

/** Signing in is for browsers: what it gives is a cookie. */
const FOR_BROWSERS = /^(GET|POST) \/manage\/sessions(\/methods|\/oidc.*)?$/;

it("has a method for everything under /manage", async () => {
  const asked = new Set<string>();
  const recording: typeof fetch = async (input, init) => {
    asked.add(`${init!.method} ${new URL(input as string).pathname}`);
    return new Response(JSON.stringify({ success: true, data: { data: [] } }));
  };
  const { manage } = new MillraceClient({
    baseUrl: "http://x",
    apiKey: "k",
    fetch: recording,
    maxRetries: 0,
  });
  await callAll(manage);
  // Whatever part it has or gets.
  for (const part of Object.values(manage) as object[]) await callAll(part);
  await manage.switchEventEndpoint("x", { enabled: true });
  await manage.switchWebhook("x", false);
  await manage.deploys.saveTest({
    kind: "FlowTest",
    id: "x",
    flowId: "x",
    name: "x",
    answers: {},
    expect: {},
  });
  const routes = service.routes.filter((route) => / \/manage\//.test(route));
  const missing = routes.filter((route) => {
    const form = new RegExp(`^${route.replaceAll(/\{\w+\}/g, "x")}$`);
    return !FOR_BROWSERS.test(route) && ![...asked].some((one) => form.test(one));
  });
  expect(missing).toEqual([]);
});

/** Every method with as many texts as it needs. */
async function callAll(part: object): Promise<void> {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(part)).filter(
    (name) => name !== "constructor",
  );
  for (const name of names) {
    const method = (part as Record<string, (...args: string[]) => unknown>)[name]!;
    const made = method.call(part, ...Array.from({ length: method.length }, () => "x"));
    if (name === "stream") await (made as AsyncGenerator).next().catch(() => {});
    else await made;
  }
}
