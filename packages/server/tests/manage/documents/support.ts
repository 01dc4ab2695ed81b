import { startTestService, type TestService } from "../../support/service.ts";
import { addKey, addOrganization, addUser } from "../../support/workspace.ts";

export const examples = new URL("../../../../../examples/", import.meta.url);

export let service: TestService;
export let key: string;
export async function start(): Promise<void> {
  service = await startTestService();
  const { pool } = service.database;
  for (const id of ["org_a", "org_demo", "org_other"]) await addOrganization(pool, id);
  await addUser(pool, "user_ann", { org_a: "owner" });
  await addUser(pool, "user_ada", { org_demo: "owner" });
  await addUser(pool, "user_bob", { org_other: "owner" });
  key = (await addKey(pool, { organizationId: "org_a", userId: "user_ann" })).key;
}

export async function stop(): Promise<void> {
  await service.stop();
}

export type Files = Record<string, string>;

const send = (path: string, files: Files, more: object = {}, as = key) =>
  service.send("POST", path, {
    key: as,
    body: { files: Object.entries(files).map(([name, text]) => ({ path: name, text })), ...more },
  });
export const plan = (files: Files, more?: object, as?: string) =>
  send("/manage/documents/plan", files, more, as);
export const apply = (files: Files, more?: object, as?: string) => send("/manage/documents", files, more, as);
export const exported = async (as = key) => (await service.get("/manage/documents", as)).body as string;
export const count = async (table: string) =>
  (await service.database.pool.query(`SELECT count(*) AS count FROM ${table}`)).rows[0].count;
export const lines = (body: { data: { documents: { action: string; kind: string; id: string }[] } }) =>
  body.data.documents.map(({ action, kind, id }) => `${action} ${kind} ${id}`);
