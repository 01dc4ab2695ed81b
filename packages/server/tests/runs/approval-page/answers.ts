import { describe, expect, it } from "vitest";
import { chain, node } from "../../support/runs-flows.ts";
import { addKey, addUser } from "../../support/workspace.ts";
import { asking, form, mails, received, receiver, receiving, resume, service } from "./support.ts";

describe("an answer", () => {
  it("is checked against the form, with the place of each fault", async () => {
    const { id, path } = await asking({ form });
    for (const [answer, ...faults] of [
      [{}, "amount", "kind"],
      [{ data: { amount: "3", kind: "none" } }, "amount", "kind"],
      [{ data: { amount: 3, kind: "full", on: "soon" } }, "on"],
    ] as const) {
      const body = { decision: "approved", ...answer };
      const answers = [await resume(id, body), await service.send("POST", path, { body })];
      for (const { status, body: refused } of answers) {
        expect(status).toBe(400);
        expect(refused.issues.map((issue: { path: string[] }) => issue.path)).toEqual(
          faults.map((name) => ["data", name]),
        );
      }
    }
    expect((await resume(id, { decision: "rejected", data: { amount: "x" } })).status).toBe(400);
    const data = { amount: 3, kind: "full" };
    expect((await resume(id, { decision: "approved", data })).status).toBe(200);
    expect((await service.untilEnd(id)).output).toMatchObject({ by: "rosa", data });
  });

  it("with a key comes from those who are named, admins and owners alone", async () => {
    const { pool } = service.database;
    const keyOf = async (userId: string, role: string) => {
      await addUser(pool, userId, { org_run: role });
      return (await addKey(pool, { organizationId: "org_run", userId })).key;
    };
    const named = await keyOf("nora", "member");
    const other = await keyOf("otto", "member");
    const admin = await keyOf("anna", "admin");
    const byId = await asking({ assignees: ["nora"] });
    expect(byId.pause).toMatchObject({ assignees: ["nora"], message: "Refund <12>?" });
    const refused = await resume(byId.id, { decision: "approved" }, other);
    expect([refused.status, refused.body.code]).toEqual([403, "not_assigned"]);
    expect((await resume(byId.id, { decision: "approved" }, named)).status).toBe(200);
    const byAddress = await asking({ assignees: "Nora@Example.com" });
    expect((await resume(byAddress.id, { decision: "approved" }, named)).status).toBe(200);
    const byAdmin = await asking({ assignees: ["nora"] });
    expect((await resume(byAdmin.id, { decision: "approved" }, admin)).status).toBe(200);
  });
});

describe("the notice of an approval", () => {
  it("goes out once, with message and link, through the credential", async () => {
    received.length = 0;
    const notify = { "http-request": { url: `${receiver.url}/ask` } };
    const { id, flowId, path } = await asking({ notify, assignees: ["nora"] }, { credential: "cred_http" });
    expect(received).toEqual([
      {
        path: "/ask",
        key: `${id}:ask`,
        authorization: "Bearer t0ken",
        body: {
          message: "Refund <12>?",
          url: expect.stringContaining(path),
          runId: id,
          flowId,
          nodeKey: "ask",
          assignees: ["nora"],
        },
      },
    ]);
    await resume(id, { decision: "approved" });
    await service.untilEnd(id);
    expect(received).toHaveLength(1);
  });

  it("is a mail with a subject and the link", async () => {
    const notify = { email: { to: "ada@example.com" } };
    const { path } = await asking({ notify }, { credential: "cred_mail" });
    const mail = mails.mails.at(-1)!;
    expect(mail.to).toEqual([expect.stringContaining("ada@example.com")]);
    expect(mail.source).toContain("Subject: Decision needed: Refund <12>?");
    expect(mail.source.replaceAll(/=\r?\n/g, "")).toContain(path.split(".")[0]!.slice(0, 60));
  });

  it("that cannot be sent is tried again by the node's retry, and fails the node in the end", async () => {
    received.length = 0;
    receiving.failures = 1;
    const notify = { "http-request": { url: `${receiver.url}/again` } };
    const retry = { maxAttempts: 2, backoffSeconds: 0 };
    const { id } = await asking({ notify }, { retry });
    expect(received).toHaveLength(2);
    expect((await resume(id, { decision: "approved" })).status).toBe(200);
    expect((await service.untilEnd(id)).status).toBe("COMPLETED");
    receiving.failures = 1;
    await service.flow("flow_untold", chain(node("ask", "approval", { message: "?", notify })));
    const untold = await service.begin("flow_untold");
    expect((await service.untilEnd(untold)).error).toMatchObject({
      nodeId: "ask",
      name: "HttpStatusUnexpected",
    });
    expect((await resume(untold, { decision: "approved" })).status).toBe(400);
  });
});
