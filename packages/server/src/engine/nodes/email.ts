import { createHash } from "node:crypto";
import { bounded } from "@millrace/contract/bounded";
import { z } from "zod";
import { sendMail } from "../../upstream/mail.ts";
import { defineNode, NodeError, type NodeContext } from "./node-type.ts";
import { readSecret } from "./support/credential.ts";

const MAX_RECIPIENTS = 100;
/** Reading a text of addresses takes the square of its length. */
const MAX_TEXT_LENGTH = 10_000;
const MAX_TEXTS_LENGTH = 20_000;

export const email = defineNode({
  type: "email",
  summary: "Sends a mail over SMTP.",
  inputs: z.object({
    to: z
      .union([
        z.string().min(1).max(MAX_TEXT_LENGTH),
        bounded(MAX_RECIPIENTS, z.array(z.string().min(1).max(MAX_TEXT_LENGTH)).min(1)),
      ])
      .describe(`The address, or a list. At most ${MAX_RECIPIENTS} recipients in all, also within one text.`),
    subject: z.string().describe("The subject."),
    text: z.string().nullish().describe("The plain text."),
    html: z.string().nullish().describe("The HTML form; with `text` beside it the reader chooses."),
    from: z
      .string()
      .nullish()
      .describe("The sender; without it the user of the credential, where that is an address."),
  }),
  effect: true,
  touches: () => ({ changes: true, destroys: false, outside: true }),
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
    const recipients = [to].flat();
    // Loaded with the first node that needs it: most processes never do.
    const { countRecipients } = await import("../../upstream/mail-recipients.ts");
    // Otherwise every node that waited for it would go on in the same turn.
    await context.giveWay(0.1);
    const length = recipients.reduce((sum, { length: of }) => sum + of, 0);
    if (length > MAX_TEXTS_LENGTH || countRecipients(recipients) > MAX_RECIPIENTS) {
      throw new NodeError(
        "MailInvalid",
        `\`to\` names more than ${MAX_RECIPIENTS} recipients, or is longer than ${MAX_TEXTS_LENGTH} characters. Send several mails.`,
      );
    }
    const mail = {
      from: sender,
      to: recipients,
      subject,
      text: text ?? undefined,
      html: html ?? undefined,
      messageId: stableMessageId(context),
    };
    const { organizationId, services, signal } = context;
    const { messageId } = await sendMail(services.foreign, {
      organizationId,
      server,
      allowUnencrypted: context.credential?.allowUnencrypted ?? false,
      mail,
      signal,
    });
    return { kind: "output", output: { messageId } };
  },
});

function stableMessageId({ runId, nodeKey }: NodeContext): string {
  const digest = createHash("sha256").update(`${runId}:${nodeKey}`).digest("hex");
  return `<${digest.slice(0, 32)}@millrace.invalid>`;
}
