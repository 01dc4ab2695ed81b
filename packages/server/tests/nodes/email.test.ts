import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { groupOfRecipients, manyRecipients } from "../support/hostile-inputs.ts";
import { startSmtpServer, type SmtpServer } from "../support/smtp-server.ts";
import { openOutside, type Outside } from "./outside.ts";
import { errorOf, outputOf } from "./run-node.ts";

let outside: Outside;
let server: SmtpServer;
const password = "smtp-canary-123";

beforeAll(async () => {
  outside = openOutside();
  server = await startSmtpServer({ user: "shop@example.com", password });
});

afterAll(async () => {
  await outside.close();
  await server.close();
});

function parts(secret: Record<string, string> = {}) {
  const complete = {
    host: "127.0.0.1",
    port: String(server.port),
    user: "shop@example.com",
    password,
    secure: "false",
    ...secret,
  };
  return {
    services: outside,
    credential: { id: "cred_mail", type: "smtp", allowedHosts: [], allowUnencrypted: true, secret: complete },
  };
}

const mail = { to: ["ada@example.com", "Bob <bob@example.com>"], subject: "Grüße", text: "Hello" };

describe("email", () => {
  it("sends text and HTML to every recipient, from the credential's user", async () => {
    const { messageId } = await outputOf("email", { ...mail, html: "<b>Hello</b>" }, parts());
    const received = server.mails.at(-1);
    expect(received?.from).toContain("<shop@example.com>");
    expect(received?.to.join()).toBe("<ada@example.com>,<bob@example.com>");
    expect(received?.source).toContain(`Message-ID: ${String(messageId)}`);
    expect(received?.source).toMatch(/multipart\/alternative[^]*<b>Hello<\/b>/);
  });

  it("sends a repeated node with the same Message-ID", async () => {
    const first = await outputOf("email", mail, parts());
    const second = await outputOf("email", mail, { ...parts(), attempt: 2 });
    const other = await outputOf("email", mail, { ...parts(), nodeKey: "node[3]" });
    expect(second["messageId"]).toBe(first["messageId"]);
    expect(other["messageId"]).not.toBe(first["messageId"]);
  });

  it("cannot be made to add a header by a line break", async () => {
    await outputOf("email", { ...mail, subject: "Hi\r\nBcc: eve@example.com" }, parts());
    expect(server.mails.at(-1)?.source).not.toMatch(/^Bcc:/m);
    expect(server.mails.at(-1)?.to.join()).not.toContain("eve");
  });

  it.each([
    ["a wrong password", { password: "wrong" }, {}, "MailServerRefused"],
    ["a refused recipient", {}, { to: "x@nowhere.example" }, "MailRefused"],
    ["a server without TLS where the credential wants it", { secure: "starttls" }, {}, "MailNotSecure"],
    ["a missing text", {}, { text: "" }, "MailInvalid"],
    ["a user that is no address, without a sender", { user: "shop" }, {}, "MailInvalid"],
    ["an incomplete credential", { port: "smtp" }, {}, "CredentialInvalid"],
  ])("tells the author of %s", async (_what, secret, inputs, name) => {
    const error = await errorOf("email", { ...mail, ...inputs }, parts(secret));
    expect(error.name).toBe(name);
    expect(error.message).not.toContain(password);
  });

  it.each([
    ["one text", manyRecipients(101)],
    ["one text without names", manyRecipients(101).replaceAll(/[^,]*<|>/g, "")],
    ["a group", groupOfRecipients(101)],
    ["two texts", [manyRecipients(60), groupOfRecipients(60)]],
  ])("counts every recipient of %s", async (_, to) => {
    const before = server.mails.length;
    expect(await errorOf("email", { ...mail, to }, parts())).toMatchObject({ name: "MailInvalid" });
    expect(server.mails).toHaveLength(before);
  });

  it("sends to 100 of them in one text", async () => {
    await outputOf("email", { ...mail, to: manyRecipients(100) }, parts());
    expect(server.mails.at(-1)?.to).toHaveLength(100);
  });

  it("stops when it is aborted", async () => {
    const signal = AbortSignal.abort(new Error("canceled"));
    const before = server.mails.length;
    expect((await errorOf("email", mail, { ...parts(), signal })).message).toMatch(/cancel|abort/i);
    expect(server.mails).toHaveLength(before);
  });
});
