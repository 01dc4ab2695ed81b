import type { CompiledFlow } from "../domain/flow/compile.ts";
import type { Holding } from "../lifecycle/shared-memory.ts";

/** The large flows that runs of a worker are in. All runs of a flow share one copy of it, and the first of them counts it. */
export class HeldFlows {
  readonly #users = new Map<CompiledFlow, Set<Holding>>();

  /** What one run more would add. */
  weigh(flow: CompiledFlow): number {
    return this.#users.has(flow) ? 0 : flow.bytes;
  }

  /** Takes a flow that was weighed and let go of when there is room for it: whoever waits holds nothing. */
  async take(holding: Holding, expected: number, take: () => Promise<CompiledFlow>): Promise<CompiledFlow> {
    holding.add(expected);
    await holding.room();
    const flow = await take();
    holding.add(this.weigh(flow) - expected);
    const users = this.#users.get(flow) ?? new Set();
    this.#users.set(flow, users.add(holding));
    return flow;
  }

  /** The run has ended; where it counted the flow, the next one does. */
  leave(holding: Holding, flow: CompiledFlow): void {
    const users = this.#users.get(flow)!;
    const [counting] = users;
    users.delete(holding);
    const [next] = users;
    if (next === undefined) this.#users.delete(flow);
    else if (counting === holding) next.add(flow.bytes);
  }
}
