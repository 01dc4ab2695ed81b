/** Something that took time, as it is told to a collector. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: "internal" | "server";
  /** Milliseconds since 1970, with fractions. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly hasFailed: boolean;
}

const KINDS = { internal: 1, server: 2 };
const OK = 1;
const ERROR = 2;

/** A batch as OTLP writes it in JSON: ids in hexadecimal, enums as numbers, 64-bit numbers as texts. */
export function toOtlpJson(
  spans: readonly Span[],
  resource: Readonly<Record<string, string>>,
  scopeVersion: string,
): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: toAttributes(resource) },
        scopeSpans: [{ scope: { name: "millrace", version: scopeVersion }, spans: spans.map(toOtlp) }],
      },
    ],
  });
}

function toOtlp(span: Span): object {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId !== undefined && { parentSpanId: span.parentSpanId }),
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanoseconds(span.startedAt),
    endTimeUnixNano: toNanoseconds(Math.max(span.startedAt, span.endedAt)),
    attributes: toAttributes(span.attributes),
    status: { code: span.hasFailed ? ERROR : OK },
  };
}

function toAttributes(values: Readonly<Record<string, string | number>>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Whole microseconds: more digits than that a number does not have. */
function toNanoseconds(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
