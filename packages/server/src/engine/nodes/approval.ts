import { anyObject } from "@millrace/contract/any-object";
import { bounded } from "@millrace/contract/bounded";
import { z } from "zod";
import { readForm } from "../../domain/approval/approval-form.ts";
import { pathText } from "../../domain/documents/fault.ts";
import type { Sliced } from "../../domain/sliced.ts";
import { defineNode } from "./node-type.ts";
import { withoutNulls } from "./support/answers.ts";
import { durationInput, parseDurationMs } from "./support/duration.ts";
import { toList } from "./support/input-schemas.ts";
import { noticeInput, sendNotice } from "./support/notice.ts";

const MAX_ASSIGNEES = 50;
const assignee = z.string().min(1).max(254);

export const approval = defineNode({
  type: "approval",
  summary: "Makes the run PAUSED until somebody approves or rejects.",
  inputs: z.object({
    message: z.string().min(1).max(4_000).describe("What is to be decided."),
    timeout: durationInput()
      .nullish()
      .describe("How long to wait for an answer (`2d`); without it the run waits as long as it takes."),
    assignees: z
      .union([assignee, bounded(MAX_ASSIGNEES, z.array(assignee))])
      .nullish()
      .describe(
        "Users, by id or e-mail address, who may answer with a key, beside admins and owners. The link works for whoever has it.",
      ),
    form: anyObject
      .nullish()
      .describe(
        "JSON Schema of an object of texts, numbers, truth values and choices (`enum`): the page asks for them, and `data` of an answer has to fit. A rejection may leave them out.",
      ),
    notify: noticeInput
      .nullish()
      .describe(
        "Who is told, through the node's credential: `{email: {to, subject, text}}` or `{http-request: {url, body}}`. What is left out of subject, text and body is made of the message and the link.",
      ),
  }),
  effect: false,
  touches: ({ notify }) => {
    const notifies = notify !== undefined && notify !== null;
    return { changes: notifies, destroys: false, outside: notifies };
  },
  pauses: true,
  lockedInputs: ["form", "notify"],
  credential: { types: ["smtp", "http-bearer", "http-basic", "http-header"], required: false },
  *faultsOf({ form, notify }) {
    return [...(yield* formFaults(form)), ...noticeFaults(notify)];
  },
  handles: () => ["approved", "rejected", "timeout"],
  output: "`{decision, by, data}`: the answer, who gave it and what came with it.",
  example: {
    inputs: {
      message: "Refund {{ data.amount }} to {{ data.customer }}?",
      timeout: "2d",
      assignees: ["ada@example.com"],
      form: { type: "object", properties: { reason: { type: "string", title: "Why?" } } },
      notify: { email: { to: "ada@example.com" } },
    },
    credential: "cred_mail",
  },
  async execute({ message, timeout, assignees: named, form, notify }, context) {
    const timeoutMs = timeout ? parseDurationMs(timeout) : undefined;
    const assignees = toList(named) as readonly string[];
    const answer = await context.waitFor(
      {
        kind: "approval",
        message,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        ...(assignees.length > 0 && { assignees }),
        ...(form && { form }),
      },
      notify ? () => sendNotice(notify, { message, assignees }, context) : undefined,
    );
    return { kind: "output", output: withoutNulls(answer), handle: String(answer["decision"]) };
  },
});

function* formFaults(form: unknown): Sliced<string[]> {
  if (form === undefined || form === null) return [];
  if (JSON.stringify(form).includes("{{")) return ['the input "form" must not contain expressions'];
  const { problems } = yield* readForm(form);
  return problems.map(({ path, message }) => `the input "${pathText(["form", ...path])}" ${message}`);
}

function noticeFaults(notify: unknown): string[] {
  if (notify === undefined || notify === null || typeof notify !== "object") return [];
  const ways = Object.keys(notify);
  const isOne = ways.length === 1 && (ways[0] === "email" || ways[0] === "http-request");
  return isOne ? [] : ['the input "notify" must be either { email } or { http-request }'];
}
