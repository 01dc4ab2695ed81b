import { z } from "zod";
import { defineNode, NodeError, type NodeContext } from "./node-type.ts";

export const store = defineNode({
  type: "store",
  summary: "Keeps a value under a key, for every flow of the organization.",
  inputs: z.object({
    operation: z
      .enum(["get", "set", "increment", "delete"])
      .describe(
        "`increment` adds `value` (default 1) to a number, in one step that no other run can come between.",
      ),
    key: z.string().min(1).max(256).describe("The key, at most 256 characters."),
    value: z.unknown().optional().describe("`set`: any value. `increment`: the number to add."),
  }),
  effect: true,
  touches: ({ operation }) => ({
    changes: operation !== "get",
    destroys: operation !== "get" && operation !== "increment",
    outside: false,
  }),
  output: "`{value}` after the operation; `null` where there is none.",
  example: { inputs: { operation: "increment", key: "orders.{{ data.country }}" } },
  async execute({ operation, key, value }, context) {
    return { kind: "output", output: { value: await perform(operation, key, value ?? null, context) } };
  },
});

async function perform(
  operation: "get" | "set" | "increment" | "delete",
  key: string,
  value: unknown,
  { organizationId, services }: NodeContext,
): Promise<unknown> {
  switch (operation) {
    case "get":
      return (await services.store.get(organizationId, key)) ?? null;
    case "set":
      await services.store.set(organizationId, key, value);
      return value;
    case "increment":
      return services.store.increment(organizationId, key, readStep(value));
    case "delete":
      await services.store.delete(organizationId, key);
      return null;
  }
}

function readStep(value: unknown): number {
  if (value === null) return 1;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new NodeError("StoreInvalid", "`increment` needs a number as `value`.");
}
