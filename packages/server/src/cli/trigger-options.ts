import type { Command } from "commander";
import { json, jsonObject } from "./json-option.ts";

/** What a run is started with; the same words for a dry run and for a run in the service. */
export interface TriggerFlags {
  readonly body?: unknown;
  readonly headers?: Record<string, unknown>;
  readonly query?: Record<string, unknown>;
  readonly method?: string;
  readonly data?: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
}

export function addTriggerOptions(command: Command): Command {
  return command
    .option("--body <json>", "trigger.body: JSON, or @file", json)
    .option("--headers <json>", "trigger.headers: a JSON object, or @file", jsonObject)
    .option("--query <json>", "trigger.query: a JSON object, or @file", jsonObject)
    .option("--method <name>", "trigger.method (default: POST)")
    .option("--data <json>", "data: a JSON object, or @file", jsonObject)
    .option("--inputs <json>", "node inputs keyed {nodeId}_{inputName}: a JSON object, or @file", jsonObject);
}

export function triggerOf({ body, headers, query, method }: TriggerFlags): Record<string, unknown> {
  const given = Object.entries({ body, headers, query, method }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
