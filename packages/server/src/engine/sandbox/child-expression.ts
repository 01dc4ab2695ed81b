import jsonata from "jsonata";
import { seedWords, sfc32 } from "./chance.ts";
import { re2RegexEngine } from "./re2-regex.ts";
import type { ChildOutcome, ChildRequest } from "./protocol.ts";

const maxStackDepth = 500;
const maxSequenceLength = 100_000;

/** JSONata over the input object, with its guardrails; what they miss, the watchdog ends. Its time is processor time. */
export async function evaluateExpression(request: ChildRequest): Promise<ChildOutcome> {
  // One call at a time: nobody else asks for chance meanwhile.
  Math.random = sfc32(seedWords(request.seed));
  try {
    const expression = jsonata(request.source, {
      stack: maxStackDepth,
      timeout: request.cpuMs,
      sequence: maxSequenceLength,
      RegexEngine: re2RegexEngine,
    });
    expression.registerFunction("eval", () => {
      throw new Error("$eval is switched off: data is never evaluated");
    });
    const input: unknown = request.inputText === undefined ? undefined : JSON.parse(request.inputText);
    const valueText = JSON.stringify(await expression.evaluate(input), refuseWhatIsNoData) as
      | string
      | undefined;
    return valueText === undefined ? { ok: true } : { ok: true, valueText };
  } catch (error) {
    return failure(error, request);
  }
}

function refuseWhatIsNoData(_key: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null;
  if (
    typeof value === "function" ||
    (isObject && ("_jsonata_lambda" in value || "_jsonata_function" in value))
  ) {
    throw new Error("the result contains a function; return plain data");
  }
  if (typeof value === "number" && !Number.isFinite(value))
    throw new Error("a number is out of range (a division by zero, perhaps)");
  return value;
}

function failure(error: unknown, request: ChildRequest): ChildOutcome {
  const code = property(error, "code");
  if (code === "D1012") {
    const message = `The expression ran longer than ${request.cpuMs} ms and was stopped. Look for an endless recursion, or work on less data.`;
    return { ok: false, name: "ExpressionTimeout", message };
  }
  if (error instanceof RangeError && error.message.includes("call stack")) {
    const message = "The expression nests too deeply. Split it into several nodes.";
    return { ok: false, name: "ExpressionError", message, hostFault: true };
  }
  const text = property(error, "message");
  const reason = typeof text === "string" ? text.slice(0, 1000) : "it cannot be evaluated";
  return {
    ok: false,
    name: "ExpressionError",
    message: `The expression failed: ${reason}`,
  };
}

/** JSONata throws plain objects. */
function property(error: unknown, key: string): unknown {
  return typeof error === "object" && error !== null ? (error as Record<string, unknown>)[key] : undefined;
}
