import * as fc from "fast-check";
import { type FuzzWorkspace, ownerOf } from "./fuzz-workspace.ts";
import { hostileValues, mutated } from "./hostile-values.ts";
import type { Operation } from "./operations.ts";
import { valuesOf } from "./schema-values.ts";

/** Bytes of a body: right, wrong in its values, or wrong as JSON. */
export function bodies(
  { body: schema, name }: Operation,
  { foreign, bodies: right }: FuzzWorkspace,
): fc.Arbitrary<Buffer | undefined> {
  const likely = (schema ? valuesOf(schema) : fc.constant<unknown>({ name: "Ada" })).map((value) =>
    withRealIds(value, name),
  );
  const usual = right[name] ? fc.oneof(fc.constant<unknown>(right[name]), likely) : likely;
  const json = fc.oneof(
    { weight: 4, arbitrary: usual },
    { weight: 4, arbitrary: usual.chain(mutated) },
    { weight: 1, arbitrary: hostileValues },
    {
      weight: 1,
      arbitrary: usual.map((value) => ({ ...(value as object), organizationId: foreign["organizationId"] })),
    },
  );
  const texts = fc.oneof(
    { weight: 8, arbitrary: json.map((value) => JSON.stringify(value) ?? "") },
    { weight: 1, arbitrary: json.map((value) => (JSON.stringify(value) ?? "").slice(0, -1)) },
    { weight: 1, arbitrary: json.map((value) => `\uFEFF${JSON.stringify(value)}`) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "",
        " ",
        "{",
        "{}{}",
        '{"payload":{"flowId":"flow_hello"},"payload":null}',
        '{"__proto__":{"polluted":true},"payload":{"flowId":"flow_hello"}}',
        '{"payload":{"flowId":"flow_hello","data":{"__proto__":{"polluted":true}}}}',
        String.raw`{"message":"\ud800","payload":{"flowId":"flow_hello","data":{"a":"\udfff"}}}`,
        String.raw`{"message":"\u0000","payload":{"flowId":"flow_hello","data":{"a":"\u0000"}}}`,
        '{"maxAttempts":1e400,"maxDuration":1e400,"payload":{"flowId":"flow_hello"}}',
        '{"payload":{"flowId":"flow_hello","data":{"n":123456789012345678901234567890}}}',
        "[".repeat(20_000),
        '{"a":'.repeat(20_000),
        "name=Ada&name=Bob&__proto__=1",
        "decision=approved",
        "NaN",
        "// no",
      ),
    },
  );
  return fc.oneof(
    { weight: 16, arbitrary: texts.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: texts.map((text) => Buffer.from(text, "utf16le")) },
    { weight: 1, arbitrary: fc.constant(Buffer.alloc(300_000, "[1]")) },
    { weight: 2, arbitrary: fc.constant(undefined) },
  );
}

/** A schema cannot know what exists. */
function withRealIds(value: unknown, operation: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = { ...value } as Record<string, unknown>;
  if ("organizationId" in known) known["organizationId"] = `org_${ownerOf(operation)}`;
  if ("nodeId" in known) known["nodeId"] = "ask";
  if (operation === "triggerRun" && typeof known["payload"] === "object") {
    const { organizationId: _, ...payload } = known["payload"] as Record<string, unknown>;
    known["payload"] = { ...payload, flowId: "flow_hello" };
    if ("delay" in known) known["delay"] = "2d";
  }
  if (operation === "createChatCompletion")
    return { ...known, model: "agent_model", messages: [{ role: "user", content: "Hello" }] };
  if (operation === "callMcp" && "method" in known) known["method"] = "tools/list";
  return known;
}
