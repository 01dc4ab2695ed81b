import type { FlowTest } from "@millrace/client";
import type { FlowGraph, FlowNode } from "../flow.ts";
import { nodeTypeOf } from "../node-types.ts";

/** What a test has to answer for: nodes that reach outside, and those that wait for somebody. */
export function answeredNodes({ nodes }: FlowGraph): FlowNode[] {
  return nodes.filter(({ type }) => nodeTypeOf(type)?.effect === true || type === "approval");
}

/** What somebody has written; values that were left out are undefined. */
interface Written {
  readonly flowId: string;
  readonly name: string;
  readonly body: unknown;
  readonly answers: Readonly<Record<string, unknown>>;
  readonly status: "COMPLETED" | "FAILED";
  readonly output: unknown;
}

/** The document of a new test, under an id that none of `taken` has. */
export function newTest(written: Written, taken: readonly string[]): FlowTest {
  const { flowId, name, body, status, output } = written;
  const answers = Object.entries(written.answers).filter(([, answer]) => answer !== undefined);
  return {
    kind: "FlowTest",
    id: freeId(name, taken),
    flowId,
    name: name.trim(),
    ...(body !== undefined && { trigger: { body } }),
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) as FlowTest["answers"] }),
    expect: {
      ...(status === "FAILED" && { status }),
      ...(output !== undefined && { output: output as Record<string, unknown> }),
    },
  };
}

const MAX_ID = 64;

function freeId(name: string, taken: readonly string[]): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const id = words?.join("-").slice(0, MAX_ID - 5) ?? "test";
  for (let number = 1; ; number++) {
    const tried = number === 1 ? id : `${id}-${number}`;
    if (!taken.includes(tried)) return tried;
  }
}
