import { bounded } from "@millrace/contract/bounded";
import { z } from "zod";
import { defineNode, NodeError } from "./node-type.ts";
import { toHttpCredential } from "./support/http-credential.ts";
import { encodeBody, readBody } from "./support/http-body.ts";
import { textLike } from "./support/input-schemas.ts";

const MAX_HEADERS = 200;
const MAX_PARAMETERS = 1_000;
const MAX_STATUSES = 500;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;
const READING: ReadonlySet<unknown> = new Set(["GET", "HEAD", "OPTIONS"]);
const status = z.union([z.number().int().min(100).max(599), z.string().regex(/^[1-5](\d\d|xx)$/)]);

export const httpRequest = defineNode({
  type: "http-request",
  summary: "Calls an HTTP address. Private addresses are refused unless the operator has opened them.",
  inputs: z.object({
    url: z.string().min(1).describe("The address, http or https."),
    method: z.enum(METHODS).nullish().describe("Default `GET`, or `POST` where there is a body."),
    headers: bounded(MAX_HEADERS, z.record(z.string(), textLike().nullable()), "headers")
      .nullish()
      .describe(
        "Headers. An `Idempotency-Key` of run and node, the same in every attempt, is sent unless there is one here; so is a `traceparent` where the service tells traces.",
      ),
    query: bounded(
      MAX_PARAMETERS,
      z.record(
        z.string(),
        z.union([textLike(), bounded(MAX_PARAMETERS, z.array(textLike()), "values")]).nullable(),
      ),
      "parameters",
    )
      .nullish()
      .describe("Added to the address; a list repeats its key."),
    body: z
      .unknown()
      .optional()
      .describe(
        "Text goes as it is, anything else as JSON, or as a form where the content-type header says so.",
      ),
    expect: z
      .union([status, bounded(MAX_STATUSES, z.array(status).min(1), "statuses")])
      .nullish()
      .describe(
        'Statuses that are a success: `200`, `[200, 404]`, `"2xx"`. Default `2xx`; any other fails the node.',
      ),
  }),
  effect: true,
  touches: ({ method, body }) => {
    const reads = method === undefined || method === null ? body === undefined : READING.has(method);
    return { changes: !reads, destroys: !reads, outside: true };
  },
  credential: { types: ["http-bearer", "http-basic", "http-header"], required: false },
  output:
    '`{status, headers, body}`. The body is parsed where it is JSON, text where it is UTF-8, otherwise base64 with `bodyEncoding: "base64"` beside it.',
  example: {
    inputs: {
      url: "https://api.example.com/orders",
      method: "POST",
      body: { id: "{{ data.orderId }}" },
      expect: [200, 201],
    },
    credential: "cred_crm",
  },
  async execute(inputs, context) {
    const { organizationId, credential, signal } = context;
    const headers = lowerCaseHeaders(inputs.headers ?? {});
    headers["idempotency-key"] ??= `${context.runId}:${context.nodeKey}`;
    if (context.traceparent !== undefined) headers["traceparent"] ??= context.traceparent;
    const hasBody = inputs.body !== undefined && inputs.body !== null;
    const method = inputs.method ?? (hasBody ? "POST" : "GET");
    if (hasBody && (method === "GET" || method === "HEAD")) {
      throw new NodeError(
        "RequestInvalid",
        `A ${method} request has no body. Choose another method, or leave \`body\` out.`,
      );
    }
    const httpCredential = toHttpCredential(credential);
    const response = await context.services.http.request({
      organizationId,
      url: withQuery(inputs.url, inputs.query ?? {}),
      method,
      headers,
      signal,
      memory: context.answers,
      ...(hasBody ? { body: encodeBody(inputs.body, headers) } : {}),
      ...(httpCredential === undefined ? {} : { credential: httpCredential }),
    });
    const body = readBody(response);
    if (!isExpected(response.status, inputs.expect ?? "2xx"))
      throw unexpectedStatus(response.status, body.body);
    return { kind: "output", output: { status: response.status, headers: response.headers, ...body } };
  },
});

type Text = z.infer<ReturnType<typeof textLike>>;

function lowerCaseHeaders(headers: Record<string, Text | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function withQuery(address: string, query: Record<string, Text | Text[] | null>): string {
  const url = URL.parse(address);
  if (url === null)
    throw new NodeError("RequestInvalid", "`url` is not an address such as https://api.example.com/orders.");
  for (const [key, value] of Object.entries(query)) {
    for (const item of [value].flat()) if (item !== null) url.searchParams.append(key, String(item));
  }
  return url.href;
}

function isExpected(actual: number, expected: z.infer<typeof status> | z.infer<typeof status>[]): boolean {
  return [expected].flat().some((entry) => {
    const pattern = String(entry);
    return pattern.endsWith("xx") ? pattern[0] === String(actual)[0] : Number(pattern) === actual;
  });
}

const MAX_ANSWER_LENGTH = 300;

function unexpectedStatus(actual: number, body: unknown): NodeError {
  const answer = typeof body === "string" ? body : JSON.stringify(body ?? "");
  const shown = answer.trim() === "" ? "" : `: ${answer.trim().slice(0, MAX_ANSWER_LENGTH)}`;
  return new NodeError("HttpStatusUnexpected", `The server answered ${actual}${shown}`, { status: actual });
}
