import { z } from "zod";
import { email } from "../email.ts";
import { httpRequest } from "../http-request.ts";
import { type NodeContext, NodeError, type NodeType } from "../node-type.ts";
import { guardEffects } from "./guard-effects.ts";

/** How somebody is told of an approval. What each way takes is the input of the node of that name. */
export const noticeInput = z.object({
  email: email.inputs.partial().nullish(),
  "http-request": httpRequest.inputs.partial().nullish(),
});

interface Asked {
  readonly message: string;
  readonly assignees: readonly string[];
}

const MAX_SUBJECT_LENGTH = 120;

/** Sends it as the node of that type would: through the same guard, with the credential of the approval. */
export async function sendNotice(
  notify: z.infer<typeof noticeInput>,
  { message, assignees }: Asked,
  context: NodeContext,
): Promise<void> {
  const { runId, flowId, nodeKey, resumeUrl: url } = context;
  if (notify.email) {
    const [line = ""] = message.split("\n", 1);
    const addresses = assignees.filter((one) => one.includes("@"));
    const defaults = {
      ...(addresses.length > 0 && { to: addresses }),
      subject: `Decision needed: ${line.slice(0, MAX_SUBJECT_LENGTH)}`,
      text: `${message}\n\n${url}\n`,
    };
    await perform(email, { ...defaults, ...given(notify.email) }, context);
  } else {
    const body = { message, url, runId, flowId, nodeKey, ...(assignees.length > 0 && { assignees }) };
    await perform(httpRequest, { body, ...given(notify["http-request"] ?? {}) }, context);
  }
}

/** What an expression found nothing for is as if it had been left out. */
function given(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== null && value !== ""));
}

async function perform(type: NodeType, inputs: object, context: NodeContext): Promise<void> {
  const { success, data, error } = type.inputs.safeParse(inputs);
  if (!success) {
    const [issue] = error.issues;
    throw new NodeError(
      "InvalidInput",
      `The input "notify.${type.type}.${issue?.path.join(".")}" is not valid: ${issue?.message}`,
    );
  }
  await guardEffects(type).execute!(data, context);
}
