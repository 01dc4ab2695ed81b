import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAddressGuard } from "../../src/upstream/address-guard.ts";
import { createForeignServers, type ForeignServers } from "../../src/upstream/foreign/foreign-servers.ts";
import { sendMail } from "../../src/upstream/mail.ts";
import { UpstreamError } from "../../src/upstream/upstream-error.ts";
import { progressDuring } from "../support/hostile/progress.ts";
import { hostileSmtp, smtpAttacks } from "../support/hostile/smtp.ts";
import { startSmtpServer, type SmtpServer } from "../support/smtp-server.ts";

/** The attacked have little time, so that the tests have it; a neighbour has as much as in the service. */
let hurried: ForeignServers;
let patient: ForeignServers;
let good: SmtpServer;

beforeAll(async () => {
  const dial = createAddressGuard({ allow: ["127.0.0.0/8"] });
  hurried = createForeignServers({ dial, maxCallMs: 3_000 });
  patient = createForeignServers({ dial });
  good = await startSmtpServer({ user: "u", password: "p" });
});
afterAll(async () => {
  await hurried.close();
  await patient.close();
  await good.close();
});

const mail = {
  from: "a@example.com",
  to: ["b@example.com"],
  subject: "s",
  text: "t",
  messageId: "<1@x.invalid>",
};

function send(foreign: ForeignServers, port: number, organizationId: string, secure: "starttls" | "false") {
  const server = { host: "127.0.0.1", port: String(port), secure };
  return sendMail(foreign, {
    organizationId,
    server,
    allowUnencrypted: true,
    mail,
    signal: AbortSignal.timeout(60_000),
  });
}

describe("a mail server ends the node in an error, and nothing else, with", { timeout: 120_000 }, () => {
  it.each(Object.entries(smtpAttacks))("%s", async (_name, script) => {
    const server = await hostileSmtp(script);
    const attacked = send(hurried, server.port, `org_${server.port}`, "starttls").then(
      () => undefined,
      (error: unknown) => error,
    );
    const neighbour = send(patient, good.port, "org_neighbour", "false");
    const { value: error, turns } = await progressDuring(attacked);
    await server.close();
    expect(error).toBeInstanceOf(UpstreamError);
    expect((error as Error).name).toMatch(/^Mail/);
    expect(turns).toBeGreaterThan(0);
    expect(await neighbour).toEqual({ messageId: mail.messageId });
  });
});
