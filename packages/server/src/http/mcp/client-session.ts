import { randomUUID } from "node:crypto";
import type { ClientSession } from "./caller.ts";

const FORM = /^([aq])-[0-9a-f-]{36}$/;

/** The id of a new session: it says what the client can do, so that any process knows it from every request. */
export function newSession(capabilities: unknown): string {
  return `${canAsk(capabilities) ? "q" : "a"}-${randomUUID()}`;
}

/** Undefined for an id that is not ours. */
export function readSession(id: string | undefined): ClientSession | undefined {
  const [, mark] = FORM.exec(id ?? "") ?? [];
  return mark === undefined ? undefined : { id: id!, canAsk: mark === "q" };
}

/** Whether a client shows forms to a person: `elicitation` alone means forms. */
export function canAsk(capabilities: unknown): boolean {
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: unknown };
  if (typeof elicitation !== "object" || elicitation === null) return false;
  return "form" in elicitation || Object.keys(elicitation).length === 0;
}
