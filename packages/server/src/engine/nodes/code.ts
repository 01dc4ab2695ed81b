import { z } from "zod";
import { SandboxError } from "../sandbox/sandbox.ts";
import { defineNode, NodeError } from "./node-type.ts";
import { codeSyntaxFault } from "./support/code-syntax.ts";
import { isObject } from "./support/values.ts";
import { codeFaults } from "./support/document-faults.ts";

export const code = defineNode({
  type: "code",
  summary: "Runs JavaScript in a sandbox: no network, no files, no timers.",
  inputs: z.object({
    source: z
      .string()
      .min(1)
      .max(100_000)
      .describe("The body of a function over `input`; what it returns is the result."),
    input: z.unknown().optional().describe("The value of `input`, copied as JSON."),
    timeoutMs: z
      .number()
      .int()
      .min(1)
      .max(30_000)
      .nullish()
      .describe(
        "Processor time that it may take, in milliseconds, default 1000. Waiting for its turn does not count.",
      ),
  }),
  effect: false,
  readsClock: true,
  faultsOf: braceFaults,
  newFaultsOf: (inputs) => (braceFaults(inputs).length > 0 ? [] : syntaxFaults(inputs["source"])),
  lockedInputs: ["source"],
  output: "The returned object; anything else as `{value}`. `console.log` is kept with the node's record.",
  example: {
    inputs: {
      input: "{{ nodes.orders.body }}",
      source: "return { total: input.reduce((sum, o) => sum + o.total, 0) };",
    },
  },
  async execute({ source, input, timeoutMs }, context) {
    const { organizationId, isUrgent, services, signal } = context;
    try {
      const result = await services.sandbox.run({
        organizationId,
        isUrgent,
        language: "code",
        source,
        input: input ?? null,
        signal,
        nowMs: context.nowMs,
        seed: context.nextSeed(),
        ...(timeoutMs == null ? {} : { limits: { cpuMs: timeoutMs } }),
      });
      for (const line of result.logs) context.log(line);
      const { value } = result;
      return { kind: "output", output: isObject(value) ? value : { value: value ?? null } };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof SandboxError)) throw error;
      for (const line of error.logs) context.log(line);
      throw new NodeError(error.name, error.message);
    }
  },
});

function braceFaults(inputs: Readonly<Record<string, unknown>>): string[] {
  return codeFaults(inputs, "source", 'pass values by the input "input" and read them as input.name');
}

function syntaxFaults(source: unknown): string[] {
  const fault = typeof source === "string" ? codeSyntaxFault(source) : undefined;
  return fault === undefined ? [] : [`the code in input "source" cannot be read: ${fault}`];
}
