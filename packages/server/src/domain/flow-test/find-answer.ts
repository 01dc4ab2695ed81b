import type { FlowTestDocument, PlainTestAnswer, TestAnswer } from "@millrace/contract/documents/flow-test";
import type { ReplayAnswer, ReplayCall } from "../replay.ts";
import type { Sliced } from "../sliced.ts";
import { isEqual } from "./differences.ts";

/** What a test answers to a call: by its key, then by its node. */
export function* findAnswer(
  answers: FlowTestDocument["answers"],
  call: ReplayCall,
): Sliced<ReplayAnswer | undefined> {
  const { nodeKey, nodeId } = call;
  const known = answers && (ownAnswer(answers, nodeKey) ?? ownAnswer(answers, nodeId));
  const plain = known && (yield* choose(known, call));
  return plain && toAnswer(plain);
}

function ownAnswer(answers: Readonly<Record<string, TestAnswer>>, key: string): TestAnswer | undefined {
  return Object.hasOwn(answers, key) ? answers[key] : undefined;
}

function* choose(answer: TestAnswer, { attempt, input }: ReplayCall): Sliced<PlainTestAnswer | undefined> {
  if (isAttempts(answer)) return answer.$attempts[attempt - 1] ?? answer.$attempts.at(-1);
  if (!isByInput(answer)) return answer as PlainTestAnswer;
  for (const one of answer.$byInput) if (yield* fits(one.input, input)) return one.answer;
  return undefined;
}

/** Each input that is named must be exactly so. */
export function* fits(
  named: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
): Sliced<boolean> {
  for (const [name, value] of Object.entries(named)) if (!(yield* isEqual(value, input[name]))) return false;
  return true;
}

function toAnswer(answer: PlainTestAnswer): ReplayAnswer {
  const error = (answer as { $error?: { name: string; message: string; status?: number } }).$error;
  return error === undefined ? { output: answer } : { error };
}

function isAttempts(answer: TestAnswer): answer is { $attempts: PlainTestAnswer[] } {
  return Array.isArray((answer as Record<string, unknown>)["$attempts"]);
}

function isByInput(
  answer: TestAnswer,
): answer is { $byInput: { input: Record<string, unknown>; answer: PlainTestAnswer }[] } {
  return Array.isArray((answer as Record<string, unknown>)["$byInput"]);
}
