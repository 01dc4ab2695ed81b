declare global {
  /**
   * What each flow takes as `trigger.body`, by its id. Empty here; `npx millrace types > flows.d.ts` writes the members, and
   * `runs.trigger("flow_hello", { name })` is then checked.
   */
  // oxlint-disable-next-line typescript/no-empty-object-type -- filled by declarations of whoever uses the client
  interface MillraceFlows {}
}

/** Any id, or one of those in `MillraceFlows` where that has members. */
export type FlowId = [keyof MillraceFlows] extends [never] ? string : Extract<keyof MillraceFlows, string>;

/** What the flow takes; anything where it is not known. */
export type FlowInput<Id extends string> = Id extends keyof MillraceFlows ? MillraceFlows[Id] : unknown;
