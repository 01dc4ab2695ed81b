import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import {
  type RunTestService,
  startRunService,
} from "../../../../packages/server/tests/support/runs-service.ts";
import { addKey } from "../../../../packages/server/tests/support/workspace.ts";
import { launchBrowser } from "./browser.ts";
import { openSignedIn } from "./signed-in.ts";
import { signedIn } from "./workspace.ts";

export interface Graph {
  nodes: { id: string; type: string; parentId?: string; data?: { label?: string; inputs?: object } }[];
  edges: { source: string; target: string; sourceHandle?: string }[];
}

/** A service and a browser for the tests of one file, and what they do with drafts. */
export function useEditorService() {
  let service: RunTestService;
  let ownerKey: string;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startRunService({ concurrency: 20 }), launchBrowser()]);
    const owner = { organizationId: "org_run", userId: "rosa", role: "owner" as const };
    ({ key: ownerKey } = await addKey(service.database.pool, owner));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const call = async (method: "GET" | "POST" | "PUT", path: string, body?: object) => {
    const answer = await service.send(method, path, { key: ownerKey, ...(body && { body }) });
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body.data;
  };
  /** A flow with nothing in it but its beginning. */
  const newFlow = async (flowId: string, nodes: object[] = [], edges: object[] = []) => {
    const graph = { nodes: [{ id: "start", type: "start", data: {} }, ...nodes], edges };
    await call("POST", "/manage/flows", { organizationId: "org_run", id: flowId, name: flowId, graph });
    return flowId;
  };
  const draftOf = async (flowId: string): Promise<{ graph: Graph; revision: number }> =>
    call("GET", `/manage/flows/${flowId}/draft`);
  const openAt = async (path: string, look = {}) => {
    const watched = await openSignedIn({ browser, address: service.address, key: ownerKey }, look);
    await watched.page.goto(path);
    return watched;
  };
  const open = async (flowId: string, search = "", look = {}) => {
    const watched = await openAt(`/console/flows/${flowId}/edit${search}`, look);
    await savedOn(watched.page);
    return watched;
  };
  const signIn = (key = ownerKey) => signedIn(browser, { service, ownerKey }, {}, key);
  return { call, newFlow, draftOf, open, openAt, signIn, service: () => service, browser: () => browser };
}

export const savedOn = (page: Page) => page.locator("[data-saved=saved]").waitFor();

export const edgesOf = ({ edges }: Graph) =>
  edges
    .map(({ source, sourceHandle, target }) => [source, sourceHandle, target].filter(Boolean).join(" "))
    .sort();
