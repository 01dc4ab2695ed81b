import type { AnyStatus } from "../ui/status.tsx";

/** How a version of a flow is connected. */
export interface FlowGraph {
  readonly nodes: readonly {
    readonly id: string;
    readonly type: string;
    readonly label?: string;
    /** The container that the node is inside of. */
    readonly parentId?: string;
  }[];
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    /** The way out of the source that leads here. */
    readonly sourceHandle: string;
  }[];
}

/** What is said about a node on top of its name: how it went, how often, how it differs. */
export interface NodeMark {
  readonly status?: AnyStatus;
  readonly text?: string;
  /** 0 to 1: how hot it is. */
  readonly heat?: number;
  readonly difference?: "added" | "removed" | "changed" | "first";
}
