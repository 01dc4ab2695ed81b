import { createHash } from "node:crypto";
import { z } from "zod";
import { sendMail } from "../../upstream/mail.ts";
import { defineNode, NodeError, type NodeContext } from "./node-type.ts";
import { readSecret } from "./support/credential.ts";

export const email = defineNode({
  type: "email",
  summary: "Sends a mail over SMTP.",
  inputs: z.object({
    to: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1).max(100)])
      .describe("The address, or a list of at most 100."),
    subject: z.string().describe("The subject."),
    text: z.string().nullish().describe("The plain text."),
    html: z.string().nullish().describe("The HTML form; with `text` beside it the reader chooses."),
    from: z
      .string()
      .nullish()
      .describe("The sender; without it the user of the credential, where that is an address."),
  }),
  effect: true,
  credential: { types: ["smtp"], required: true },
  output: "`{messageId}`, the same when the node is repeated, so that a receiver can drop the second one.",
  example: {
    inputs: {
      to: "{{ data.email }}",
      subject: "Your order",
      text: "It is on its way.",
      from: "Shop <shop@example.com>",
    },
    credential: "cred_mail",
  },
  async execute({ to, subject, text, html, from }, context) {
    const server = readSecret(context.credential, "smtp");
    if (!text && !html) throw new NodeError("MailInvalid", "Set `text` or `html`.");
    const sender = from || (server.user?.includes("@") ? server.user : undefined);
    if (sender === undefined)
      throw new NodeError("MailInvalid", "Set `from`: the credential's user is not an address.");
    const mail = {
      from: sender,
      to: [to].flat(),
      subject,
      text: text ?? undefined,
      html: html ?? undefined,
      messageId: stableMessageId(context),
    };
    const { organizationId, services, signal } = context;
    const { messageId } = await sendMail(services.foreign, { organizationId, server, mail, signal });
    return { kind: "output", output: { messageId } };
  },
});

function stableMessageId({ runId, nodeKey }: NodeContext): string {
  const digest = createHash("sha256").update(`${runId}:${nodeKey}`).digest("hex");
  return `<${digest.slice(0, 32)}@millrace.invalid>`;
}
