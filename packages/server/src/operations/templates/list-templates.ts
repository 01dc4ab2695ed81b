import type { FlowTemplate } from "@millrace/contract/manage/templates";
import type { Template } from "./read-templates.ts";

/** The templates that came with the service; they are read once. */
export async function listTemplates({
  templates,
}: {
  readonly templates: () => Promise<readonly Template[]>;
}): Promise<FlowTemplate[]> {
  return (await templates()).map(({ flows, credentials, tests: _tests, ...template }) => {
    const { graph, input } = flows[0]!;
    return {
      ...template,
      nodeTypes: [...new Set(graph.nodes.map(({ type }) => type))],
      credentials: credentials.map(({ id, type }) => ({ id, type })),
      graph,
      ...(input && { input }),
    };
  });
}
