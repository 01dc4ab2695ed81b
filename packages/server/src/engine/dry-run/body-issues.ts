import type { FlowDocument } from "@millrace/contract/documents/flow";
import type { CompiledFlow } from "../../domain/flow/compile.ts";
import type { InputOverrides } from "../../domain/flow/overrides.ts";
import { triggerBody } from "../../domain/flow/trigger-body.ts";
import { checkValue } from "../../domain/json-schema/check-value.ts";
import { readSchema } from "../../domain/json-schema/read-schema.ts";
import { finishSliced } from "../../domain/sliced.ts";
import { issueText } from "../../operations/runs/require-input.ts";

/** What of the body does not fit the flow's `input`, in sentences without a stop. */
export function bodyIssues(
  { input }: FlowDocument,
  compiled: CompiledFlow,
  body: unknown,
  overrides?: InputOverrides,
): string[] {
  if (input === undefined) return [];
  const { schema } = finishSliced(readSchema(input));
  return finishSliced(checkValue(schema!, triggerBody(compiled, body, overrides))).map(issueText);
}
