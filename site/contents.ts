/** The list of contents: groups with their pages, each with the text it is made of. What docs/ has besides comes last in its group. */
export const GROUPS = ["Start", "Guides", "Flows", "Programs", "Operating", "About"] as const;
export type Group = (typeof GROUPS)[number];

/** Paths are relative to the root of the checkout; `#Heading` takes one section of the text. */
export const CONTENTS: readonly {
  readonly source: string;
  readonly group: Group;
  readonly label?: string;
}[] = [
  { source: "site/home.md", group: "Start", label: "Overview" },
  { source: "docs/quickstart.md", group: "Start" },
  { source: "docs/concepts.md", group: "Start" },
  { source: "docs/comparison.md", group: "Start", label: "Compared with others" },
  { source: "docs/guides/order.md", group: "Guides", label: "An order" },
  { source: "docs/guides/nightly-report.md", group: "Guides", label: "A nightly report" },
  { source: "docs/guides/agent-tool.md", group: "Guides", label: "An agent with a tool" },
  { source: "docs/documents.md", group: "Flows", label: "Documents" },
  { source: "docs/nodes.md", group: "Flows", label: "Nodes" },
  { source: "docs/expressions.md", group: "Flows" },
  { source: "docs/playground.md", group: "Flows", label: "Playground" },
  { source: "docs/approvals.md", group: "Flows" },
  { source: "docs/errors-and-retries.md", group: "Flows" },
  { source: "docs/credentials.md", group: "Flows" },
  { source: "docs/testing-flows.md", group: "Flows" },
  { source: "docs/forks.md", group: "Flows" },
  { source: "docs/client.md", group: "Programs", label: "TypeScript client" },
  { source: "docs/python.md", group: "Programs", label: "Python client" },
  { source: "docs/mcp.md", group: "Programs", label: "MCP server" },
  { source: "docs/openai.md", group: "Programs", label: "OpenAI's clients" },
  { source: "docs/events.md", group: "Programs" },
  { source: "README.md#Commands", group: "Programs", label: "Command line" },
  { source: "README.md#Configuration", group: "Operating", label: "Settings" },
  { source: "docs/managing.md", group: "Operating" },
  { source: "docs/operating.md", group: "Operating" },
  { source: "docs/growing.md", group: "Operating" },
  { source: "docs/benchmarks.md", group: "Operating" },
  { source: "ARCHITECTURE.md", group: "About" },
  { source: "GLOSSARY.md", group: "About" },
  { source: "CHANGELOG.md", group: "About" },
  { source: "CONTRIBUTING.md", group: "About" },
];

/** Where a page goes that nobody has listed. */
export const OTHER_GROUP: Group = "Programs";
