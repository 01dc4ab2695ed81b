import { exportSPKI, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { AccessTokens } from "../../src/operations/auth/access-tokens.ts";
import { AccessTokenReader } from "../../src/upstream/open-id/access-token.ts";
import { OpenIdProvider } from "../../src/upstream/open-id/provider.ts";
import {
  openIdClient,
  publicClient,
  startOpenIdProvider,
  type TestProvider,
} from "../support/open-id-provider.ts";
import { chain, node } from "../support/runs-flows.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { addFlow, addTwoOrganizations, addUser } from "../support/workspace.ts";
import { CALLBACK, signIn } from "./sign-in.ts";
import { answerIn, newClient, post } from "./support.ts";

let provider: TestProvider;
let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
let resource: string;
let subjects = 0;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  service = await startTestService({
    MILLRACE_OIDC_ISSUER: provider.issuer,
    MILLRACE_OIDC_CLIENT_ID: openIdClient.id,
    MILLRACE_OIDC_CLIENT_SECRET: openIdClient.secret,
  });
  resource = `${service.address}/mcp`;
  const { pool } = service.database;
  keys = await addTwoOrganizations(pool);
  const graph = chain(node("answer", "return", { value: { hello: "{{ trigger.body.name }}" } }));
  const settings = { tool: { description: "Greets" } };
  for (const one of ["one", "two"]) await addFlow(pool, `org_${one}`, `greet_${one}`, { graph, settings });
});
afterAll(async () => {
  await service.stop();
  provider.close();
});
beforeEach(() => {
  provider.serve(CALLBACK);
  provider.tokens = "jwt";
  provider.asked.clear();
  signsIn("eve@example.com");
});

function signsIn(email: string, verified = true): void {
  provider.person = { id: `subject-${++subjects}`, email, verified };
}

/** A good token, and what a forger changes in it. */
function claims(changes: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: provider.issuer,
    aud: resource,
    sub: `subject-${++subjects}`,
    client_id: publicClient,
    iat: now,
    exp: now + 600,
    email: "eve@example.com",
    email_verified: true,
    ...changes,
  };
}

const statusOf = async (token: string) => (await post(service, token, "ping")).status;

it("a client without a key finds the provider, its user signs in, and it calls the flows of that member", async () => {
  const refused = await post(service, undefined, "ping");
  const metadata = `${service.address}/.well-known/oauth-protected-resource/mcp`;
  expect(refused.headers.get("www-authenticate")).toBe(
    `Bearer resource_metadata="${metadata}", scope="openid email"`,
  );
  expect(await (await fetch(metadata)).json()).toMatchObject({
    resource,
    authorization_servers: [provider.issuer],
  });
  expect((await service.get("/.well-known/oauth-protected-resource")).status).toBe(200);
  const { token, transport } = await signIn(resource);
  expect(token.split(".")).toHaveLength(3);
  const client = newClient();
  await client.connect(transport());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => name.startsWith("greet"))).toEqual([
    "greet_one",
    "greet_two",
  ]);
  const { structuredContent } = await client.callTool({ name: "greet_two", arguments: { name: "Eve" } });
  expect(structuredContent).toEqual({ hello: "Eve" });
  await client.close();
});

it("a token that only the provider can read is asked about there, once a minute", async () => {
  provider.tokens = "opaque";
  const { token } = await signIn(resource);
  expect(token).not.toContain(".");
  for (let count = 0; count < 3; count++) expect(await statusOf(token)).toBe(200);
  expect(await statusOf(`${token}x`)).toBe(401);
  // One for each of the two tokens.
  expect(provider.asked.get("/token/introspection")).toBe(2);
  expect(await statusOf(`mr_org_${"A".repeat(38)}`)).toBe(401);
  expect(provider.asked.get("/token/introspection")).toBe(2);
});

it("asks the provider whose a token is where the token does not say", async () => {
  const silent = claims({ email: undefined, email_verified: undefined });
  const token = await provider.sign(silent, { typ: "at+jwt" });
  const answer = await post(service, token, "ping");
  // This provider tells nobody about a token that is for somebody else.
  expect([answer.status, answer.body.code]).toEqual([403, "not_a_member"]);
  expect(provider.asked.get("/me")).toBe(1);
});

it("every member reaches their own organizations, with their own role", async () => {
  const seen = async (email: string) => {
    const token = await provider.sign(claims({ email }), { typ: "at+jwt" });
    const { result } = answerIn(await post(service, token, "tools/list")) as unknown as {
      result: { tools: { name: string }[] };
    };
    const names = new Set(result.tools.map(({ name }) => name));
    const call = async (name: string) =>
      answerIn(await post(service, token, "tools/call", { name, arguments: {} }));
    const [one, two] = [await call("greet_one"), await call("greet_two")];
    const outcome = ({ result: called, error }: typeof one) =>
      error ? "unknown" : called.isError ? "refused" : "called";
    return [names.has("draft_flow"), names.has("cancel_run"), outcome(one), outcome(two)];
  };
  expect(await seen("ADA@example.com")).toEqual([true, true, "called", "unknown"]);
  expect(await seen("bob@example.com")).toEqual([true, true, "unknown", "called"]);
  expect(await seen("vera@example.com")).toEqual([false, false, "refused", "unknown"]);
  expect(await seen("eve@example.com")).toEqual([false, true, "called", "called"]);
});

it("the audit log names the member and the program that brought the token", async () => {
  const token = await provider.sign(claims({ email: "ada@example.com" }));
  const graph = chain(node("answer", "return", { value: {} }));
  await post(service, token, "tools/call", {
    name: "draft_flow",
    arguments: { flowId: "flow_one", graph, organizationId: "org_one" },
  });
  const audit = await service.get("/manage/audit?filter[action]=flow.save-draft", keys.one);
  expect(audit.body.data.data[0].by).toMatchObject({ userId: "ada", via: "token", viaId: publicClient });
});

it("takes a token for the client's own name where it says that it is an access token", async () => {
  const forClient = claims({ aud: openIdClient.id });
  expect(await statusOf(await provider.sign(forClient, { typ: "at+jwt" }))).toBe(200);
  expect(await statusOf(await provider.sign({ ...forClient, jti: "id" }, { typ: "JWT" }))).toBe(401);
  expect(await statusOf(await provider.sign({ ...forClient, jti: "none" }))).toBe(401);
});

it.each([
  ["expired", { exp: Math.floor(Date.now() / 1_000) - 3_600 }],
  ["for another audience", { aud: "https://another.example/mcp" }],
  ["for the service, but not for /mcp", { aud: "http://127.0.0.1/api" }],
  ["without an audience", { aud: undefined }],
  ["of another issuer", { iss: "https://another.example" }],
  ["that never ends", { exp: undefined }],
  ["without a subject", { sub: undefined }],
  ["not valid yet", { nbf: Math.floor(Date.now() / 1_000) + 3_600 }],
  ["bound to a key that is not shown", { cnf: { jkt: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I" } }],
] as const)("refuses a token %s", async (_what, changes) => {
  const answer = await post(service, await provider.sign(claims(changes), { typ: "at+jwt" }), "ping");
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token", resource_metadata="');
});

it("refuses what the provider did not sign, and asks for its keys no more often for that", async () => {
  expect(await statusOf(await provider.sign(claims()))).toBe(200);
  const asked = provider.asked.get("/jwks") ?? 0;
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const header = { alg: "RS256", kid: "of-the-provider", typ: "at+jwt" };
  const forged = [
    new UnsecuredJWT(claims()).encode(),
    await new SignJWT(claims()).setProtectedHeader(header).sign(privateKey),
    // The public key as if it were a shared secret.
    await new SignJWT(claims())
      .setProtectedHeader({ ...header, alg: "HS256" })
      .sign(Buffer.from(await exportSPKI(publicKey))),
    `${(await provider.sign(claims())).slice(0, -8)}AAAAAAAA`,
    "e30.e30.e30",
    "a.b.c",
  ];
  for (const kid of ["a", "b", "c", "d", "e"])
    forged.push(await new SignJWT(claims()).setProtectedHeader({ ...header, kid }).sign(privateKey));
  for (const token of forged) expect(await statusOf(token)).toBe(401);
  expect((provider.asked.get("/jwks") ?? 0) - asked).toBeLessThanOrEqual(1);
});

it.each([
  ["whose address is not verified", { email_verified: false }, "not_a_member"],
  ["whom no organization knows", { email: "stranger@example.com" }, "not_a_member"],
  ["who is disabled", { email: "dora@example.com" }, "user_disabled"],
])("refuses somebody %s", async (_who, changes, code) => {
  const answer = await post(service, await provider.sign(claims(changes)), "ping");
  expect([answer.status, answer.body.code]).toEqual([403, code]);
});

it("takes tokens at /mcp alone, beside keys", async () => {
  const token = await provider.sign(claims());
  expect(await statusOf(token)).toBe(200);
  expect(await statusOf(keys.one)).toBe(200);
  for (const path of ["/api/runs", "/manage/flows"])
    expect((await service.get(path, token)).status).toBe(401);
});

/** Beside the service, with a clock that the test holds. */
function tokensAt(clock: { now: () => number }, issuer = provider.issuer): AccessTokens {
  const settings = { issuer, clientId: openIdClient.id, clientSecret: openIdClient.secret };
  return new AccessTokens({
    db: service.database.pool,
    reader: new AccessTokenReader(new OpenIdProvider(settings)),
    resource: () => resource,
    nowMs: () => Date.now(),
    clock,
  });
}

it("whoever leaves loses what their token gave, however long it lasts", async () => {
  const { pool } = service.database;
  await addUser(pool, "lea", { org_one: "member" });
  let nowMs = 1;
  const tokens = tokensAt({ now: () => nowMs });
  const token = await provider.sign(claims({ email: "lea@example.com" }));
  expect((await tokens.lookUp(token))!.organizations.get("org_one")!.role).toBe("member");
  await pool.query(`DELETE FROM memberships WHERE user_id = 'lea'`);
  expect(tokens.known(token)).toBeDefined();
  nowMs += 4_001;
  expect(tokens.known(token)).toBeNull();
  await expect(tokens.lookUp(token)).rejects.toMatchObject({ code: "not_a_member" });
});

it("a token that the provider takes back is refused a minute later, however busy it is", async () => {
  provider.tokens = "opaque";
  const { token } = await signIn(resource);
  let nowMs = 1;
  const tokens = tokensAt({ now: () => nowMs });
  expect(await tokens.lookUp(token)).toBeDefined();
  await fetch(`${provider.issuer}/token/revocation`, {
    method: "POST",
    body: new URLSearchParams({ token, client_id: publicClient }),
  });
  for (let at = 0; at < 14; at++) {
    nowMs += 4_001;
    expect(await tokens.lookUp(token)).toBeDefined();
  }
  nowMs += 4_001;
  expect(await tokens.lookUp(token)).toBeUndefined();
});

it("a provider that does not answer is said to be the reason, and is asked about a bounded number of tokens", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const tokens = tokensAt(performance, issuer);
  const codes = Array.from({ length: 150 }, (_, number) =>
    tokens.lookUp(`token-${number}`).catch(({ code }: { code: string }) => code),
  );
  const refused = await Promise.all(codes.slice(100));
  expect(new Set(refused)).toEqual(new Set(["service_unavailable"]));
  silent.closeAllConnections();
  silent.close();
  expect(new Set(await Promise.all(codes.slice(0, 100)))).toEqual(new Set(["sign_in_provider_unavailable"]));
});
