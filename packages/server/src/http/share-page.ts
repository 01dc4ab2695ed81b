import type { SharedRun } from "@millrace/contract/manage/shares";
import { escapeHtml } from "./escape-html.ts";
import type { Answer } from "./route.ts";

type Node = SharedRun["nodes"][number];

/** The page behind a link that shows a run: plain, without scripts, everything escaped. */
export function sharePage(run: SharedRun): Answer {
  const title = `Run ${escapeHtml(run.id)}`;
  const times = [
    `created ${run.createdAt}`,
    ...(run.startedAt === undefined ? [] : [`started ${run.startedAt}`]),
    ...(run.completedAt === undefined ? [] : [`ended ${run.completedAt}`]),
  ];
  const rows = run.nodes.map(nodeRow).join("");
  const edges = run.edges
    .map(
      ({ source, target, handle }) =>
        `<li><code>${escapeHtml(source)}</code> —${escapeHtml(handle)}→ <code>${escapeHtml(target)}</code></li>`,
    )
    .join("");
  const content = `<h1>${title}</h1>
<p><strong>${run.status}</strong>, flow <code>${escapeHtml(run.flowId)}</code> version ${escapeHtml(run.version)}; ${times.join(", ")}.</p>
<h2>Nodes</h2><table><tr><th>node</th><th>type</th><th>status</th><th>started</th><th>ended</th></tr>${rows}</table>
<h2>Edges</h2><ul>${edges}</ul><p>This link works until ${run.expiresAt}.</p>`;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
    },
    body: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><link rel="stylesheet" href="/docs/style.css"></head><body>${content}</body></html>`,
  };
}

function nodeRow(node: Node): string {
  const cells = [
    `<code>${escapeHtml(node.nodeKey)}</code>`,
    escapeHtml(node.type),
    node.status,
    node.startedAt,
    node.completedAt ?? "",
  ];
  const values = (["input", "output", "error"] as const)
    .filter((name) => node[name] !== undefined)
    .map(
      (name) =>
        `<tr><td></td><td>${name}</td><td colspan="3"><pre>${escapeHtml(JSON.stringify(node[name], null, 2))}</pre></td></tr>`,
    );
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>${values.join("")}`;
}
