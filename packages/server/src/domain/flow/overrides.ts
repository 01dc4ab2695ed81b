import type { CompiledFlow } from "./compile.ts";
import type { FlowNeed } from "./needs.ts";
import { inputField, isEmpty, isOpenInput } from "./node-inputs.ts";
import type { OverrideTarget } from "./override-keys.ts";
import { plainIssue } from "../plain-issue.ts";

/** Values by node id and input name. They are data: whatever they look like, they are never evaluated. */
export type InputOverrides = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

interface OverrideIssue {
  readonly path: readonly ["payload", "inputs", string];
  readonly message: string;
}

export interface OverrideResult {
  readonly overrides: InputOverrides;
  /** Values that are refused; the trigger answers 400. */
  readonly issues: readonly OverrideIssue[];
  /** Keys that match nothing. */
  readonly warnings: readonly string[];
}

/** `payload.inputs` of a trigger: it replaces what the document states. */
export function overrideInputs(
  flow: CompiledFlow,
  values: Readonly<Record<string, unknown>>,
): OverrideResult {
  const overrides = new Map<string, Map<string, unknown>>();
  const issues: OverrideIssue[] = [];
  const warnings: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    if (isAbsent(value)) continue;
    const target = flow.overrideTargets.get(key);
    const message = target === undefined ? credentialRefusal(flow, key) : refusal(target, value);
    if (message !== undefined) issues.push({ path: ["payload", "inputs", key], message });
    else if (target === undefined)
      warnings.push(`The input "${key}" matches no input of the flow, so it is ignored.`);
    else put(overrides, target, value);
  }
  return { overrides, issues, warnings };
}

/** The body of a webhook: it fills what the document leaves empty; anything else in it is only data. */
export function fillInputs(flow: CompiledFlow, body: unknown): InputOverrides {
  const overrides = new Map<string, Map<string, unknown>>();
  if (typeof body !== "object" || body === null || Array.isArray(body)) return overrides;
  for (const [key, value] of Object.entries(body)) {
    const target = flow.overrideTargets.get(key);
    if (
      target !== undefined &&
      !isAbsent(value) &&
      isLeftEmpty(target) &&
      refusal(target, value) === undefined
    )
      put(overrides, target, value);
  }
  return overrides;
}

/** `null` is what callers send where they have nothing to say. */
function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

/** What the flow needs and nobody has supplied. */
export function unmetNeeds(needs: readonly FlowNeed[], overrides: InputOverrides): FlowNeed[] {
  return needs.filter(({ nodeId, inputName }) => !overrides.get(nodeId)?.has(inputName));
}

function put(
  overrides: Map<string, Map<string, unknown>>,
  { node, inputName }: OverrideTarget,
  value: unknown,
): void {
  const ofNode = overrides.get(node.id) ?? new Map<string, unknown>();
  ofNode.set(inputName, value);
  overrides.set(node.id, ofNode);
}

function isLeftEmpty({ node, inputName }: OverrideTarget): boolean {
  const inputs = node.data?.inputs ?? {};
  return !Object.hasOwn(inputs, inputName) || isEmpty(inputs[inputName]);
}

function refusal({ kind, inputName }: OverrideTarget, value: unknown): string | undefined {
  if (!isOpenInput(kind, inputName))
    return `The input "${inputName}" of nodes of type "${kind.type}" cannot be overridden`;
  const result = inputField(kind, inputName)?.safeParse(value);
  const issue = result?.error?.issues[0];
  return issue && plainIssue(issue.message);
}

function credentialRefusal(flow: CompiledFlow, key: string): string | undefined {
  if (!key.endsWith("_credential")) return undefined;
  const node = flow.nodes.get(key.slice(0, -"_credential".length));
  return node?.kind.credential === undefined ? undefined : "Credentials cannot be overridden";
}
