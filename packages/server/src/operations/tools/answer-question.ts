import type { Actor } from "../../domain/actor.ts";
import { pathText } from "../../domain/documents/fault.ts";
import type { Principal } from "../../domain/principal.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type ResumeContext, resumeRun } from "../runs/resume-run.ts";

export interface Question {
  readonly runId: string;
  readonly nodeKey: string;
}

/** What a client says that a person did with a question. */
export interface QuestionAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

export type Answered =
  /** By this answer, or before it by somebody else. */
  | { readonly kind: "answered" }
  | { readonly kind: "left" }
  /** It does not fit the form. */
  | { readonly kind: "invalid"; readonly message: string };

/** Accepted is approved, declined is rejected; whoever closes the question leaves it to others. */
export async function answerQuestion(
  context: ResumeContext,
  { principal, actor }: { readonly principal: Principal; readonly actor: Actor },
  { runId, nodeKey }: Question,
  { action, content }: QuestionAnswer,
): Promise<Answered> {
  if (action === "cancel") return { kind: "left" };
  const decision = action === "accept" ? "approved" : "rejected";
  const data = action === "accept" && content && Object.keys(content).length > 0 ? { ...content } : undefined;
  try {
    await resumeRun(context, principal, actor, runId, { nodeId: nodeKey, decision, data });
    return { kind: "answered" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === "run_not_resumable") return { kind: "answered" };
    const [issue] = error.details.issues ?? [];
    if (error.code !== "invalid_request_body" || !issue) throw error;
    return { kind: "invalid", message: `${pathText(issue.path.slice(1))} ${issue.message}`.trim() };
  }
}
