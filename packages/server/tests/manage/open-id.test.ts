import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { ConfigError, toConfig } from "../../src/config/load-config.ts";
import { sendRaw } from "../support/browser.ts";
import { openIdClient, startOpenIdProvider, type TestProvider } from "../support/open-id-provider.ts";
import { RedirectBrowser } from "../support/redirect-browser.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let provider: TestProvider;
let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  provider = await startOpenIdProvider();
  service = await startTestService({
    MILLRACE_OIDC_ISSUER: provider.issuer,
    MILLRACE_OIDC_CLIENT_ID: openIdClient.id,
    MILLRACE_OIDC_CLIENT_SECRET: openIdClient.secret,
  });
  provider.serve(`${service.address}/manage/sessions/oidc/callback`);
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(async () => {
  await service.stop();
  provider.close();
});

let browser: RedirectBrowser;
beforeEach(() => {
  browser = new RedirectBrowser();
});

const begin = () => `${service.address}/manage/sessions/oidc`;
const isCallback = (url: URL) => url.pathname === "/manage/sessions/oidc/callback";
const isConsole = (url: URL) => url.pathname === "/console";
const session = () => browser.cookie(service.address, "millrace");

it("a member signs in with the verified address at the provider, and the audit log knows", async () => {
  provider.person = { id: "subject-1", email: "EVE@example.com", verified: true };
  const { url, answer } = await browser.open(begin(), isConsole);
  expect([answer.status, url.href]).toEqual([302, `${service.address}/console`]);
  const asked = new URL(browser.visited[1]!);
  expect(asked.searchParams.get("code_challenge_method")).toBe("S256");
  expect([answer.headers["set-cookie"]].flat()[0]).toMatch(
    /^millrace=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
  const validated = await sendRaw(service.address, "GET", "/api/auth/validate", {
    headers: { cookie: `millrace=${session()}`, "sec-fetch-site": "same-origin" },
  });
  expect(validated.body.data.user.id).toBe("eve");
  const audit = await service.get("/manage/audit?filter[action]=session.create", keys.one);
  expect(audit.body.data.data[0]).toMatchObject({
    by: { userId: "eve", via: "session" },
    after: { method: "oidc" },
  });
  const methods = await service.get("/manage/sessions/methods");
  expect(methods.body.data.methods).toEqual(["link", "key", "oidc"]);
});

it.each([
  ["whose address is not verified", { id: "s2", email: "ada@example.com", verified: false }, "not_a_member"],
  ["whom no organization knows", { id: "s3", email: "stranger@example.com", verified: true }, "not_a_member"],
  ["who is disabled", { id: "s4", email: "dora@example.com", verified: true }, "user_disabled"],
])("somebody %s is refused", async (_who, person, code) => {
  provider.person = person;
  const { answer } = await browser.open(begin());
  expect([answer.status, answer.body.code]).toEqual([403, code]);
  expect(session()).toBeUndefined();
});

it("an answer that this browser did not ask for is refused, and so is one that comes twice", async () => {
  provider.person = { id: "subject-1", email: "eve@example.com", verified: true };
  const { url: callback } = await browser.open(begin(), isCallback);
  const stranger = new RedirectBrowser();
  expect((await stranger.get(callback)).status).toBe(401);
  const mixed = new URL(callback);
  mixed.searchParams.set("state", "another");
  expect((await browser.get(mixed)).status).toBe(401);
  const wrongCode = new URL(callback);
  wrongCode.searchParams.set("code", "x".repeat(43));
  expect((await browser.get(wrongCode)).status).toBe(401);
  const refused = new URL(callback);
  refused.searchParams.delete("code");
  refused.searchParams.set("error", "access_denied");
  expect((await browser.get(refused)).status).toBe(401);
  const another = new RedirectBrowser();
  const fresh = await another.open(begin(), isCallback);
  expect((await another.get(fresh.url)).status).toBe(302);
  expect((await another.get(fresh.url)).status).toBe(401);
  expect(session()).toBeUndefined();
});

it("the provider's three settings belong together and its address is https, or on this machine", () => {
  const faults = (env: Record<string, string>) => {
    try {
      toConfig(env);
      return [];
    } catch (error) {
      return (error as ConfigError).faults;
    }
  };
  const client = { MILLRACE_OIDC_CLIENT_ID: "a", MILLRACE_OIDC_CLIENT_SECRET: "b" };
  expect(faults(client)[0]).toContain("must be set together");
  expect(faults({ ...client, MILLRACE_OIDC_ISSUER: "http://idp.example/" })[0]).toContain("https");
  expect(faults({ ...client, MILLRACE_OIDC_ISSUER: "https://idp.example/realms/a/" })).toEqual([]);
});
