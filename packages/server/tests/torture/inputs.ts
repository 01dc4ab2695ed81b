import type { Answer, Failing, Items, Source } from "./case.ts";
import type { Path } from "./places.ts";

const BACKOFF_SECONDS = 0.05;

/** Inside how many loops something stands, and of which. */
export interface Scope {
  readonly parentId: string | undefined;
  readonly loops: number;
}

export const CHANCES = {
  shuffle: "$shuffle([1, 2, 3, 4, 5, 6])",
  random: "$random()",
  millis: "$millis()",
  now: "$now()",
  "code-random": "return { value: Math.random() };",
  "code-date": "return { value: new Date().toISOString() + Date.now() };",
  "code-uuid": "return { value: crypto.randomUUID() };",
} as const;

export function settings({ onError, attempts }: Failing): object {
  return {
    ...(onError !== "fail" && { onError }),
    ...(attempts > 1 && { retry: { maxAttempts: attempts, backoffSeconds: BACKOFF_SECONDS } }),
  };
}

export function planOf(answer: Answer): object {
  return answer.kind === "late" ? { kind: "hold" } : answer;
}

export function itemsOf(items: Items): unknown {
  switch (items.of) {
    case "list":
      return items.values;
    case "shuffled":
      return `{{ $shuffle([${Array.from({ length: items.count }, (_, at) => at + 1).join(", ")}]) }}`;
    case "single":
      return `{{ ${items.value} }}`;
    case "nothing":
      return "{{ data.nothing }}";
  }
}

export function parallelSource(mode: "combine" | "append" | "zip", value: string, at: number): unknown {
  if (mode === "combine") return { [`b${at}`]: value };
  return mode === "zip" ? [value, at] : value;
}

export const read = (path: Path): string => `{{ ${path.join(".")} }}`;

/** Names the run for the receiver: the nodes of the runs above it that started it. */
export function hereOf(id: string, { loops }: Scope): string {
  return `{{ data.at }}/${id}${loops > 0 ? "[{{ index }}]" : ""}`;
}

export function pathOf(source: Source, before: Path, { loops }: Scope): string {
  if (source.from === "before") return before.join(".");
  if (source.from === "item" || source.from === "index") return loops > 0 ? source.from : "0";
  return source.from === "fixed" ? JSON.stringify(source.value) : "0";
}

export const asText = (value: unknown) => `t${typeof value === "string" ? value : JSON.stringify(value)}`;

export function written(source: Source, before: Path, scope: Scope): unknown {
  if (source.from === "fixed") return source.value;
  if (source.from === "text") return asText(written(source.of, before, scope));
  const path = pathOf(source, before, scope);
  return path === "0" ? 0 : `{{ ${path} }}`;
}
