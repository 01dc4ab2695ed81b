import type { NodeStatus } from "@millrace/contract/run-status";
import type { CliDependencies, Screen } from "./cli.ts";
import { durationText, oneLine, plain } from "./texts.ts";

export interface ShownNode {
  readonly nodeKey: string;
  readonly type: string;
  readonly status: NodeStatus;
  /** Tells nodes of the same key apart: a flow that runs another. */
  readonly scope?: string;
  readonly depth?: number;
  readonly durationMs?: number;
  readonly output?: unknown;
  readonly error?: { readonly message: string };
  readonly log?: readonly string[];
}

const INTERRUPTED = { CANCELED: "⊘", ABORTED: "⊘", TIMED_OUT: "⊘" };
const MARKS = { EXECUTING: "…", PAUSED: "◦", COMPLETED: "✓", FAILED: "✗", ...INTERRUPTED };
const COLOURS = {
  EXECUTING: 33,
  PAUSED: 36,
  COMPLETED: 32,
  FAILED: 31,
  CANCELED: 33,
  ABORTED: 33,
  TIMED_OUT: 31,
};
const WIDTH_WITHOUT_SCREEN = 120;
const MAX_RUNNING_SHOWN = 10;

/**
 * Nodes as they go. Each that has ended is a line for good; those under way stand below and are drawn over.
 * Without a screen there are only the lines.
 */
export class NodeView {
  readonly #stdout: (text: string) => void;
  readonly #screen: Screen | undefined;
  readonly #running = new Map<string, ShownNode>();
  #drawn = 0;
  #held: string[] | undefined;

  constructor({ stdout, screen }: Pick<CliDependencies, "stdout" | "screen">) {
    this.#stdout = stdout;
    this.#screen = screen;
  }

  show(node: ShownNode): void {
    const key = `${node.scope ?? ""} ${node.nodeKey}`;
    const isUnderWay = node.status === "EXECUTING" || node.status === "PAUSED";
    if (isUnderWay) this.#running.set(key, node);
    else this.#running.delete(key);
    // A pause may be long, so that it is told even where nothing can be drawn over.
    if (!isUnderWay || (node.status === "PAUSED" && !this.#screen)) this.#print(this.#linesOf(node));
    else this.#draw();
  }

  /** A line between the nodes. */
  print(text: string): void {
    this.#print([text]);
  }

  /** Draws nothing while a question stands on the screen. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#erase();
    this.#held = [];
    try {
      return await work();
    } finally {
      const held = this.#held;
      this.#held = undefined;
      this.#print(held);
    }
  }

  /** Leaves the ended lines alone on the screen. */
  close(): void {
    this.#erase();
    this.#running.clear();
  }

  #print(lines: readonly string[]): void {
    if (this.#held) return void this.#held.push(...lines);
    this.#erase();
    for (const line of lines) this.#stdout(line);
    this.#draw();
  }

  #erase(): void {
    if (this.#drawn > 0) this.#screen?.write(`\u001b[${this.#drawn}F\u001b[J`);
    this.#drawn = 0;
  }

  #draw(): void {
    if (!this.#screen || this.#held) return;
    this.#erase();
    const nodes = [...this.#running.values()];
    const lines = nodes.slice(0, MAX_RUNNING_SHOWN).map((node) => this.#lineOf(node));
    if (nodes.length > MAX_RUNNING_SHOWN) lines.push(`  … and ${nodes.length - MAX_RUNNING_SHOWN} more`);
    for (const line of lines) this.#screen.write(`${line}\n`);
    this.#drawn = lines.length;
  }

  #linesOf(node: ShownNode): string[] {
    const indent = `${"  ".repeat(node.depth ?? 0)}      `;
    return [this.#lineOf(node), ...(node.log ?? []).map((line) => `${indent}${plain(line)}`)];
  }

  #lineOf({ nodeKey, type, status, depth = 0, durationMs, output, error }: ShownNode): string {
    const width = (this.#screen?.columns() ?? WIDTH_WITHOUT_SCREEN) - 1;
    const time = durationMs === undefined ? "" : durationText(durationMs);
    const indent = "  ".repeat(depth + 1);
    const head = `${nodeKey.padEnd(18)} ${type.padEnd(13)} ${time.padStart(8)}`;
    const result = error?.message ?? (output === undefined ? "" : JSON.stringify(output));
    const mark = this.#screen ? `\u001b[${COLOURS[status]}m${MARKS[status]}\u001b[0m` : MARKS[status];
    return `${indent}${mark} ${oneLine(`${head}  ${result}`, width - indent.length - 2)}`.trimEnd();
  }
}
