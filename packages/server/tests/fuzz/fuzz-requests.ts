import * as fc from "fast-check";
import type { FuzzWorkspace } from "./fuzz-workspace.ts";
import type { Operation } from "./operations.ts";
import { checkAnswer } from "./promises.ts";
import { requestBytes, sendRaw } from "./raw-client.ts";
import { requestsTo } from "./requests.ts";

/** How often each status came, by operation. */
export type Statuses = Map<string, Map<number, number>>;

/** Sends so many requests to one operation; throws with the smallest request that breaks a promise. */
export async function fuzzOperation(
  operation: Operation,
  options: {
    address: string;
    workspace: FuzzWorkspace;
    seed: number;
    requests: number;
    statuses: Statuses;
  },
): Promise<void> {
  const seen = new Map<number, number>();
  options.statuses.set(operation.name, seen);
  const property = fc.asyncProperty(requestsTo(operation, options.workspace), async (request) => {
    const answer = await sendRaw({
      address: options.address,
      bytes: requestBytes(request),
      isHead: request.method === "HEAD",
    });
    checkAnswer(operation, request, answer);
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed: options.seed,
    numRuns: options.requests,
  });
  if (!failed) return;
  const request = counterexample && requestBytes(counterexample[0]).toString("latin1").slice(0, 3_000);
  throw new Error(
    `${operation.method} ${operation.path}, seed ${options.seed}: ${describe(errorInstance)}\n${request}`,
  );
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
