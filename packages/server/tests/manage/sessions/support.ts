import { expect } from "vitest";
import { makeSignInLink } from "../../../src/operations/sessions/make-sign-in-link.ts";
import { cookieOf, sendRaw } from "../../support/browser.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { addTwoOrganizations } from "../../support/workspace.ts";

export const ownPage = { "sec-fetch-site": "same-origin" };

export let service: TestService;
export let keys: Awaited<ReturnType<typeof addTwoOrganizations>>;
export let host: string;
export async function start(): Promise<void> {
  service = await startTestService();
  keys = await addTwoOrganizations(service.database.pool);
  host = new URL(service.address).host;
}

export async function stop(): Promise<void> {
  await service.stop();
}

export type Headers = Record<string, string>;
export const send = (method: string, path: string, headers: Headers = {}, body?: object) =>
  sendRaw(service.address, method, path, { headers, body });
export const signIn = (body: object, headers: Headers = ownPage) =>
  send("POST", "/manage/sessions", headers, body);
export const validate = async (headers: Headers) => (await send("GET", "/api/auth/validate", headers)).status;

export async function linkToken(): Promise<string> {
  const link = await makeSignInLink(service.database.pool, service.address);
  return link!.url.split("#")[1]!;
}

export async function session(body: object): Promise<string> {
  const answer = await signIn(body);
  expect(answer.status).toBe(201);
  return cookieOf(answer);
}
