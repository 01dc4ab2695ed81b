import { openAiErrorBody } from "@millrace/contract/completions";
import { errorBody, rateLimitBody } from "@millrace/contract/envelope";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { z } from "zod";
import { CANARY } from "./fuzz-workspace.ts";
import type { JsonSchema, Operation } from "./operations.ts";
import type { RawAnswer } from "./raw-client.ts";
import type { FuzzRequest } from "./requests.ts";

/** Answers to what is no request of any operation: no such address, no such method, an address or a head that is none. */
const STRAY_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 414, 431]);
/** Above this a body may be refused while it is still being sent. */
const LARGE_BODY_BYTES = 200_000;

const schemas = new Ajv2020({ strict: false, validateFormats: false });
const validators = new WeakMap<JsonSchema, ValidateFunction>();

/** Throws where an answer breaks a promise of the contract. */
export function checkAnswer(
  operation: Operation,
  request: FuzzRequest,
  answer: RawAnswer | undefined,
): asserts answer is RawAnswer {
  if (!answer) {
    if ((request.body?.length ?? 0) > LARGE_BODY_BYTES) return;
    throw new Error("the connection ended without an answer");
  }
  const { status, headers, text } = answer;
  const fail = (what: string) => {
    throw new Error(`${operation.method} ${operation.path}: ${what}\n${status} ${text.slice(0, 500)}`);
  };
  if (status === 500) fail("an error nobody foresaw");
  const isKnown = operation.statuses.has(status) || (request.strays && STRAY_STATUSES.has(status));
  if (!isKnown) fail("a status the document does not name");
  if (!headers.has("x-request-id")) fail("an answer without X-Request-Id");
  if (text.includes(CANARY)) fail("something of another organization");
  if (/node_modules|\bat \S+ \(|\.ts:\d+/.test(text)) fail("something of the service's inside");
  if (request.method === "HEAD" || status === 204) return;
  if (status >= 400) checkError(operation, status, text, fail);
  else if (!request.strays) checkBody(operation, answer, fail);
}

function checkError({ path }: Operation, status: number, text: string, fail: (what: string) => void): void {
  const usual = status === 429 ? rateLimitBody : errorBody;
  const bodies = [
    usual,
    ...(path === "/mcp" ? [rpcError] : []),
    ...(path.startsWith("/v1/") ? [openAiErrorBody] : []),
  ];
  if (!bodies.some((body) => body.safeParse(jsonOf(text)).success))
    fail("an error that does not look like one");
}

/** As the clients of these addresses know errors. */
const rpcError = z.object({
  jsonrpc: z.literal("2.0"),
  error: z.object({ code: z.int(), message: z.string() }),
});
function checkBody(
  operation: Operation,
  { status, headers, text }: RawAnswer,
  fail: (what: string) => void,
): void {
  const schema = operation.answers.get(status);
  if (!schema || !headers.get("content-type")?.startsWith("application/json")) return;
  let validate = validators.get(schema);
  if (!validate) validators.set(schema, (validate = schemas.compile(schema)));
  if (!validate(jsonOf(text))) fail(`not what the document promises: ${schemas.errorsText(validate.errors)}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
