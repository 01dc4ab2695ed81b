import type { NodeRecordWire, NodeValuesWire, RunTriggerWire } from "@millrace/contract/manage/run-values";
import type { NodeStatus } from "@millrace/contract/run-status";
import type { NodeValues } from "../../operations/run-values/get-node-values.ts";
import type { RunTrigger } from "../../operations/run-values/get-run-trigger.ts";
import type { NodeRecord } from "../../operations/run-values/list-node-records.ts";
import { RawJson } from "../raw-json.ts";

export function presentNodeRecord(record: NodeRecord): NodeRecordWire {
  const { inputBytes, outputBytes, recordBytes } = record;
  return {
    ...presentHead(record),
    ...(recordBytes !== null && {
      sizes: {
        ...(inputBytes !== null && { input: inputBytes }),
        ...(outputBytes !== null && { output: outputBytes }),
        record: recordBytes,
      },
    }),
  };
}

export function presentNodeValues({ showsValues, ...node }: NodeValues): NodeValuesWire {
  const head = presentHead(node);
  if (!showsValues) return { ...head, valuesHidden: true };
  const { input, output, error, log } = node;
  return {
    ...head,
    ...(input && { input: asStored(input) }),
    ...(output && { output: asStored(output) }),
    ...(error && { error: { name: error.name, message: error.message } }),
    ...(log && { log: [...log] }),
  };
}

export function presentRunTrigger({ triggerSource, values }: RunTrigger): RunTriggerWire {
  if (!values) return { triggerSource, valuesHidden: true };
  const { trigger, data, inputs, variablesVersion } = values;
  return {
    triggerSource,
    ...(trigger !== null && { trigger: asStored(trigger) }),
    ...(data !== null && { data: asStored(data) }),
    ...(inputs !== null && { inputs: asStored(inputs) }),
    ...(variablesVersion !== null && { variablesVersion }),
  };
}

interface NodeHead {
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly type: string;
  readonly status: NodeStatus;
  readonly startedAt: number;
  readonly endedAt?: number | null | undefined;
  readonly attempts?: number | null;
  readonly handle?: string | null;
}

function presentHead({ startedAt, endedAt, attempts, handle, ...node }: NodeHead) {
  const hasEnded = node.status !== "EXECUTING" && node.status !== "PAUSED" && endedAt != null;
  return {
    nodeKey: node.nodeKey,
    nodeId: node.nodeId,
    type: node.type,
    status: node.status,
    startedAt: new Date(startedAt).toISOString(),
    ...(hasEnded && { completedAt: new Date(endedAt).toISOString() }),
    ...(attempts != null && { attempts }),
    ...(handle != null && { handle }),
  };
}

/** The value of a JSON text that is sent as it was stored. */
function asStored(text: string): Record<string, unknown> {
  return new RawJson(text) as unknown as Record<string, unknown>;
}
