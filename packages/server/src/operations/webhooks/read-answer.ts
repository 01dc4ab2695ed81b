import { webhookHeaderFault } from "../../domain/webhook-answer.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Db } from "../../storage/pool.ts";
import { findReturned } from "../../storage/webhooks/find-returned.ts";

export interface FlowAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const BODILESS = new Set([204, 205, 304]);
const JSON_TYPE = "application/json; charset=utf-8";
const TEXT_TYPE = "text/plain; charset=utf-8";

/**
 * What `return` tells the caller of a webhook: its value bare, with its status and headers. A flow that ended without one has
 * nothing to say to the outside, and why a run failed is not the caller's business.
 */
export async function readAnswer(
  { db }: { readonly db: Db },
  organizationId: string,
  runId: string,
): Promise<FlowAnswer> {
  const found = await findReturned(db, organizationId, runId);
  if (found?.status !== "COMPLETED")
    throw new Refusal("run_failed", { messageParams: { runId, status: found?.status ?? "FAILED" } });
  const { output, returned } = found;
  if (!returned || output === null) return { status: 204, headers: {} };
  const given = headersOf(returned.headers);
  const status = returned.status ?? 200;
  if (BODILESS.has(status)) return { status, headers: given };
  const isWrapped = returned.type !== null && returned.type !== "object" && returned.type !== "null";
  // The node puts what is no object under `value`; the caller gets it as it was.
  const bare = isWrapped ? output.slice(`{"value":`.length, -1) : output;
  const type = given["content-type"] ?? (returned.type === "string" ? TEXT_TYPE : JSON_TYPE);
  const isText = returned.type === "string" && !/\bjson\b/i.test(type);
  return {
    status,
    headers: { ...given, "content-type": type },
    body: isText ? (JSON.parse(bare) as string) : bare,
  };
}

/** Checked once more: what a record holds may be older than the rules. */
function headersOf(headers: Readonly<Record<string, string>> | null): Record<string, string> {
  const entries = Object.entries(headers ?? {}).filter(
    ([name, value]) => webhookHeaderFault(name, value) === undefined,
  );
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}
