import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DryRunNode, DryRunRequest, DryRunResult, DryRunStart } from "../../src/domain/dry-run.ts";
import { dryRun } from "../../src/engine/dry-run/dry-run.ts";

export const demoDirectory = fileURLToPath(new URL("../../../../examples/demo", import.meta.url));

export interface DryRunReport {
  readonly result: DryRunResult;
  readonly nodes: readonly DryRunNode[];
  readonly started: DryRunStart | undefined;
  /** The output of a node that has ended. */
  output(nodeKey: string): unknown;
}

type Options = Partial<DryRunRequest> & {
  readonly env?: Record<string, string>;
  readonly egressAllow?: readonly string[];
};

/** A dry run as the command line does it; waits are skipped and approvals approved unless a test says otherwise. */
export async function report(paths: readonly string[], options: Options = {}): Promise<DryRunReport> {
  const { env = {}, egressAllow = ["127.0.0.0/8"], ...request } = options;
  const nodes: DryRunNode[] = [];
  let started: DryRunStart | undefined;
  const result = await dryRun(
    {
      paths,
      flowId: undefined,
      trigger: {},
      data: {},
      inputs: {},
      signal: new AbortController().signal,
      answers: { wait: async () => {}, approval: async () => ({ decision: "approved" }) },
      onStart: (start) => (started = start),
      onNode: (event) => void nodes.push(event),
      ...request,
    },
    { env, egressAllow },
  );
  const output = (nodeKey: string) =>
    nodes.findLast((node) => node.nodeKey === nodeKey && node.output !== undefined)?.output;
  return { result, nodes, started, output };
}

/** A file of documents, written as JSON lines of YAML; removed when `use` is over. */
export async function withFile<T>(
  documents: readonly object[],
  use: (path: string) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "millrace-flow-"));
  const path = join(directory, "flow.yaml");
  try {
    await writeFile(path, documents.map((document) => JSON.stringify(document)).join("\n---\n"));
    return await use(path);
  } finally {
    await rm(directory, { recursive: true });
  }
}

export interface TestNode {
  readonly id: string;
  readonly type: string;
  readonly parentId?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** A flow document: start, then the nodes, along edges written `a b` or `a:handle b`. */
export function flowOf(
  id: string,
  nodes: readonly TestNode[],
  edges: readonly string[],
  organizationId = "org_a",
) {
  return {
    kind: "Flow",
    id,
    organizationId,
    name: id,
    graph: {
      nodes: [{ id: "start", type: "start", data: {} }, ...nodes],
      edges: edges.map((edge, index) => {
        const [from = "", target] = edge.split(" ");
        const [source, sourceHandle] = from.split(":");
        return { id: `e${index}`, source, target, ...(sourceHandle && { sourceHandle }) };
      }),
    },
  };
}
