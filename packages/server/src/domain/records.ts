/** In the place of a version: the flow has a draft alone, and cannot run. */
export const NOT_PUBLISHED = "";

/** A flow as the catalogue knows it: metadata, never the graph. */
export interface FlowRecord {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly organizationId: string;
  readonly active: boolean;
  /** The version in force, or `NOT_PUBLISHED`. */
  readonly version: string;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

/** An agent as the catalogue knows it: metadata, never the design. */
export interface AgentRecord {
  readonly id: string;
  readonly name: string;
  readonly slug: string | null;
  readonly organizationId: string;
  readonly active: boolean;
  readonly modelIds: readonly string[];
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}
