import { request } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { addTwoOrganizations } from "../support/workspace.ts";

let service: TestService;
let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
beforeAll(async () => {
  service = await startTestService({ MILLRACE_BAD_KEYS_PER_MINUTE: "5" }, { role: "api" });
  keys = await addTwoOrganizations(service.database.pool);
});
afterAll(() => service.stop());

const validate = (headers: Record<string, string>) => service.get("/api/auth/validate", undefined, headers);

it("X-API-Key counts beside an Authorization that is no key", async () => {
  const others = [
    "Basic dXNlcjpwYXNz",
    "Digest username=x",
    "Negotiate abc",
    "AWS4-HMAC-SHA256 x",
    "Bearer",
    "token",
  ];
  for (const authorization of others)
    expect((await validate({ authorization, "x-api-key": keys.one })).status, authorization).toBe(200);
});

it("two keys that differ stay a 401, whichever of them is good", async () => {
  expect((await validate({ authorization: "Bearer other", "x-api-key": keys.one })).status).toBe(401);
  expect((await validate({ authorization: `ApiKey ${keys.one}`, "x-api-key": "other" })).status).toBe(401);
});

it("one header that comes twice names two keys, or one key twice", async () => {
  const statusOf = (name: string, values: string[]) =>
    new Promise((resolve, reject) => {
      const { host } = new URL(service.address);
      const headers = values.flatMap((value) => [name, value]);
      request(`${service.address}/api/auth/validate`, { headers: ["host", host, ...headers] }, (answer) =>
        resolve(answer.resume().statusCode),
      )
        .on("error", reject)
        .end();
    });
  expect(await statusOf("Authorization", [`Bearer ${keys.one}`, `Bearer ${keys.two}`])).toBe(401);
  expect(await statusOf("Authorization", [`Bearer ${keys.one}`, `ApiKey ${keys.one}`])).toBe(200);
  expect(await statusOf("X-API-Key", [keys.one, keys.two])).toBe(401);
  expect(await statusOf("X-API-Key", [keys.one, keys.one])).toBe(200);
});

it("an Authorization of another scheme is no guess at a key", async () => {
  for (let at = 0; at < 6; at++) expect((await validate({ authorization: "Basic abc" })).status).toBe(401);
});
