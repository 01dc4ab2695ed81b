import type { RunDetail } from "@millrace/contract/runs";
import { oneLine } from "./texts.ts";

/** What a paused run waits for and, where a person has to decide, how to answer. */
export function pauseText({ id, pause, waits }: Pick<RunDetail, "id" | "pause" | "waits">): string {
  if (!pause) return "  paused";
  return (waits ?? [pause]).map((wait) => waitText(id, wait)).join("\n");
}

function waitText(id: string, { kind, nodeKey, until, message }: NonNullable<RunDetail["pause"]>): string {
  const place = `  paused at "${nodeKey}"${until === undefined ? "" : ` until ${until}`}`;
  if (kind !== "approval") return place;
  const node = /^[\w-]+$/.test(nodeKey) ? nodeKey : `'${nodeKey}'`;
  return `${place}: ${oneLine(message ?? "", 500)}\n  answer with: millrace runs resume ${id} --node ${node} --approve (or --reject)`;
}
