import jsonata from "jsonata";
import {
  compileTemplate,
  evaluateTemplate,
} from "../../packages/server/src/domain/flow/expressions/template.ts";
import { re2RegexEngine } from "../../packages/server/src/engine/sandbox/re2-regex.ts";

/** What the service gives to a costly expression, less: here it is the reader's own page that waits. */
const LIMITS = { stack: 200, timeout: 500, sequence: 50_000, RegexEngine: re2RegexEngine };

const template = document.querySelector<HTMLTextAreaElement>("#template")!;
const scope = document.querySelector<HTMLTextAreaElement>("#scope")!;
const examples = document.querySelector<HTMLSelectElement>("#examples")!;
const result = document.querySelector<HTMLOutputElement>("#result")!;

let turn = 0;

/** The service's own evaluator. What it would give to its sandbox, JSONata evaluates here, with limits of time and depth. */
async function evaluate(): Promise<void> {
  const mine = (turn += 1);
  const { text, failed } = await outcome().then(
    (value) => ({ text: value === undefined ? "nothing" : JSON.stringify(value, null, 2), failed: false }),
    (error: unknown) => ({ text: messageOf(error), failed: true }),
  );
  if (mine !== turn) return;
  result.textContent = text;
  result.classList.toggle("fault", failed);
}

async function outcome(): Promise<unknown> {
  const nowMs = Date.now();
  return evaluateTemplate(compileTemplate(template.value), {
    root: readScope(),
    nowMs,
    evaluateUnbounded: async (source, root) => {
      const expression = jsonata(source, LIMITS);
      expression.registerFunction("eval", () => {
        throw new Error("$eval is switched off: data is never evaluated");
      });
      // As it would come out of the sandbox: plain data, or nothing.
      const text = JSON.stringify(await expression.evaluate(root)) as string | undefined;
      return text === undefined ? undefined : (JSON.parse(text) as unknown);
    },
  });
}

function readScope(): unknown {
  try {
    return JSON.parse(scope.value);
  } catch (error) {
    throw new Error(`The scope is no JSON: ${messageOf(error)}`, { cause: error });
  }
}

/** JSONata throws plain objects. */
function messageOf(error: unknown): string {
  const { message } = error as { message?: unknown };
  return typeof message === "string" ? message : "It cannot be evaluated.";
}

template.addEventListener("input", () => void evaluate());
scope.addEventListener("input", () => void evaluate());
examples.addEventListener("change", () => {
  if (examples.value !== "") template.value = examples.value;
  void evaluate();
});
void evaluate();
