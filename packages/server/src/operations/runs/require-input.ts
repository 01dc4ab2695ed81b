import { pathText } from "../../domain/documents/fault.ts";
import type { CompiledFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import { triggerBody } from "../../domain/flow/trigger-body.ts";
import { checkValue, type ValueIssue } from "../../domain/json-schema/check-value.ts";
import type { SchemaNode } from "../../domain/json-schema/schema-node.ts";
import { Refusal } from "../../domain/refusal.ts";
import { driveSliced } from "../../domain/sliced.ts";
import { eventLoop } from "../../lifecycle/event-loop.ts";
import { duringEach, labelOf } from "../../lifecycle/under-way.ts";

interface Start {
  readonly organizationId: string;
  readonly flowId: string;
  readonly version: { readonly input?: SchemaNode | undefined; readonly compiled: CompiledFlow | undefined };
  readonly overrides?: InputOverrides;
  readonly body: unknown;
}

/** What of the body that a run would begin with does not fit the flow's `input`. Bodies may be large, and schemas costly: it is done in slices. */
export function inputIssues(start: Start): readonly ValueIssue[] | Promise<readonly ValueIssue[]> {
  const { organizationId, flowId, version, overrides, body } = start;
  if (!version.input || !version.compiled) return [];
  const seen = triggerBody(version.compiled, body, overrides);
  const label = labelOf({ kind: "flow", organizationId, flowId });
  return driveSliced(duringEach(label, "", checkInput(version.input, seen, body)), () =>
    eventLoop.giveWay(organizationId),
  );
}

function* checkInput(schema: SchemaNode, seen: unknown, given: unknown) {
  const issues = yield* checkValue(schema, seen);
  const isLeftOut = given === undefined && seen === null;
  return isLeftOut && issues.length > 0 ? [{ path: [], message: "is required" }] : issues;
}

export function issueText({ path, message }: ValueIssue): string {
  return `${pathText(["trigger", "body", ...path])} ${message}`;
}

/** @throws Refusal where the body does not fit the flow's `input` */
export async function requireInput(start: Start, path: readonly (string | number)[]): Promise<void> {
  const issues = await inputIssues(start);
  if (issues.length === 0) return;
  throw new Refusal("invalid_request_body", {
    issues: issues.map((issue) => ({ path: [...path, ...issue.path], message: issue.message })),
  });
}
