import type { FlowGraph, FlowNode } from "@millrace/contract/documents/graph";

const WIDTH = 132;
const HEIGHT = 34;
const GAP_X = 44;
const GAP_Y = 16;
const MARGIN = 12;
const MAX_TEXT = 18;

/** A flow as a small picture: nodes in columns from left to right, colours by what they do. Same flow, same picture. */
export function drawFlow({ nodes, edges }: FlowGraph): string {
  const known = new Set(nodes.map(({ id }) => id));
  const links = [
    ...edges.map(({ source, target, sourceHandle }) => ({ source, target, handle: sourceHandle ?? "" })),
    // What is inside of a container stands behind it.
    ...nodes.flatMap(({ id, parentId }) => {
      const begins = parentId && !edges.some(({ target }) => target === id);
      return begins ? [{ source: parentId, target: id, handle: "inside" }] : [];
    }),
  ].filter(({ source, target }) => known.has(source) && known.has(target));
  const columns = columnsOf(nodes, links);
  const rows = new Map<number, number>();
  const places = new Map<string, { x: number; y: number }>();
  for (const { id } of nodes) {
    const column = columns.get(id)!;
    const row = rows.get(column) ?? 0;
    rows.set(column, row + 1);
    places.set(id, { x: MARGIN + column * (WIDTH + GAP_X), y: MARGIN + row * (HEIGHT + GAP_Y) });
  }
  const width = 2 * MARGIN + (Math.max(0, ...columns.values()) + 1) * (WIDTH + GAP_X) - GAP_X;
  const height = 2 * MARGIN + Math.max(1, ...rows.values()) * (HEIGHT + GAP_Y) - GAP_Y;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">`,
    '<g fill="none" stroke="#8a93a3" stroke-width="1.5">',
    ...links.map(({ source, target, handle }) => edgeSvg(places.get(source)!, places.get(target)!, handle)),
    "</g>",
    ...nodes.map((node) => nodeSvg(node, places.get(node.id)!)),
    "</svg>",
    "",
  ].join("\n");
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The longest way from the start. A flow has no cycles; a graph that has is drawn all the same. */
function columnsOf(nodes: readonly FlowNode[], links: readonly Link[]): ReadonlyMap<string, number> {
  const columns = new Map(nodes.map(({ id }) => [id, 0]));
  for (let round = 0; round < nodes.length; round += 1) {
    let moved = false;
    for (const { source, target } of links) {
      const column = columns.get(source)! + 1;
      if (column <= columns.get(target)! || column >= nodes.length) continue;
      columns.set(target, column);
      moved = true;
    }
    if (!moved) break;
  }
  return columns;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

function edgeSvg(from: Place, to: Place, handle: string): string {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  const middle = (x1 + x2) / 2;
  const dash = handle === "inside" ? ' stroke-dasharray="3 3"' : "";
  return `<path${dash} d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}"/>`;
}

/** Effects are orange, ways blue, waits purple, ends green, the rest grey. */
const COLOURS: readonly (readonly [RegExp, string])[] = [
  [/^(http-request|sql|email|llm|agent|mcp-tool|store|run-flow)$/, "#fff1e0"],
  [/^(if|switch|filter|for-each|while)$/, "#e3efff"],
  [/^(wait|approval)$/, "#f0e6ff"],
  [/^(start|return|fail)$/, "#e2f6e6"],
];

function nodeSvg({ id, type, data }: FlowNode, { x, y }: Place): string {
  const colour = COLOURS.find(([types]) => types.test(type))?.[1] ?? "#f2f3f5";
  const label = data?.label || id;
  return `<g><title>${escape(`${label} (${type})`)}</title><rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="6" fill="${colour}" stroke="#8a93a3"/><text x="${x + 8}" y="${y + 15}" fill="#1c2430">${escape(short(label))}</text><text x="${x + 8}" y="${y + 28}" fill="#5b6472" font-size="10">${escape(short(type))}</text></g>`;
}

function short(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}

const MARKS: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (mark) => MARKS[mark]!);
}
