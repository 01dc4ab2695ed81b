import type { Block, Case, Program, Step } from "./case.ts";

/** Where a value is read: `["nodes", "s2", "v"]`. */
export type Path = readonly string[];

/** Ids follow from where a step stands, so that whoever reads the case knows them without being told. */
export const idOf = (prefix: string, index: number): string => `${prefix}${index}`;
export const joinOf = (id: string): string => `${id}_join`;
export const storeReadOf = (id: string): string => `${id}_get`;
export const neverOf = (id: string): string => `${id}_never`;
export const endOf = (prefix: string): string => `${prefix}_end`;
export const firstOf = (id: string) => [`${id}_a`, `${id}_b`] as const;
export const raceOf = (id: string) => ({
  gate: `${id}_gate`,
  winner: `${id}_won`,
  hold: `${id}_hold`,
  never: neverOf(id),
});

export const ROOT_PREFIX = "s";
export const bodyOf = (id: string): string => `${id}b`;
export const handlerOf = (id: string): string => `${id}h`;
export const wayOf = (id: string, way: string | number): string => `${id}${way}_`;

export const FIRST: Path = ["data", "x"];

/** Where what a step made is read by the next one. */
export function madeBy(step: Step, id: string, before: Path): Path {
  if ("failing" in step && step.failing.onError === "branch") return ["nodes", joinOf(id), "value"];
  return madeInside(step, id, before);
}

/** The same without what its handler made. */
export function madeInside(step: Step, id: string, before: Path): Path {
  switch (step.kind) {
    case "set":
    case "code":
      return ["nodes", id, "v"];
    case "template":
      return ["nodes", id, "text"];
    case "transform":
    case "chance":
    case "first":
      return ["nodes", id, "value"];
    case "call":
      return ["nodes", id, "body", "v"];
    case "store":
      return ["nodes", storeReadOf(id), "value"];
    case "approval":
    case "if":
    case "switch":
    case "parallel":
      return ["nodes", joinOf(id), "value"];
    case "child":
      return step.waits ? ["nodes", id, "output"] : before;
    case "for-each":
      return ["nodes", id, "items"];
    case "while":
      return ["nodes", id, "last"];
    default:
      return before;
  }
}

export interface Way {
  /** The handle it begins with. */
  readonly handle: string;
  readonly prefix: string;
  readonly block: Block;
}

/** The ways out of a step that has several and comes together again behind them. */
export function waysOf(step: Step, id: string): Way[] {
  switch (step.kind) {
    case "if":
      return [
        { handle: "true", prefix: wayOf(id, "y"), block: step.yes },
        { handle: "false", prefix: wayOf(id, "n"), block: step.no },
      ];
    case "switch":
      return [
        ...step.cases.map((block, at) => ({ handle: `c${at}`, prefix: wayOf(id, at), block })),
        { handle: "default", prefix: wayOf(id, "d"), block: step.otherwise },
      ];
    case "approval":
      return (["approved", "rejected", "timeout"] as const).map((handle) => ({
        handle,
        prefix: wayOf(id, handle[0]!),
        block: step.ways[handle],
      }));
    default:
      return [];
  }
}

/** Whether nothing can follow a block: every way through it ends the flow, or waits for its end. */
export function isClosed(block: Block): boolean {
  return block.some((step) => {
    if (step.kind === "parallel") return step.branches.some(isClosed);
    const ways = waysOf(step, "");
    return ways.length > 0 ? ways.every((way) => isClosed(way.block)) : TAILS.has(step.kind);
  });
}

const TAILS: ReadonlySet<Step["kind"]> = new Set(["return", "fail", "race", "hold"]);

/** Flows of a case by name: the one that is triggered, those it calls, and one that never ends by itself. */
export function programsOf({ root, children }: Case): Map<string, Program> {
  return new Map([
    ["root", root],
    ...children.map((program, at): [string, Program] => [`child${at}`, program]),
    ["held", { steps: [{ kind: "hold" }], returns: false }],
  ]);
}

/** Whether a call is the one at which the run is ended from outside. */
export function isLastHold({ root, ending }: Case, at: string, key: string): boolean {
  return ending === "cancel" && at === "root" && key === idOf(ROOT_PREFIX, root.steps.length - 1);
}

export const flowIdOf = (caseId: string, name: string): string => `${caseId}_${name}`;
