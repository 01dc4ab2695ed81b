import { errorNameOf, type SandboxLanguage } from "./sandbox.ts";
import type { ChildOutcome } from "./protocol.ts";

/** What an output may have, and some room: the runner measures outputs, and says which node it was. */
export const maxResultTextLength = 5_500_000;
export const tooLargeText = "the result is larger than 5 MB of JSON; return less";
const maxDepth = 100;

/** A result that the rest of the service could not carry is an error of the job, found while still in the child. */
export function refuseUnfitResult(outcome: ChildOutcome, language: SandboxLanguage): ChildOutcome {
  if (!outcome.ok || outcome.valueText === undefined) return outcome;
  const name = errorNameOf(language, "Error");
  if (outcome.valueText.length > maxResultTextLength) {
    return { ok: false, name, message: "The result is larger than 5 MB of JSON. Return less." };
  }
  if (depthOf(outcome.valueText) > maxDepth) {
    return { ok: false, name, message: `The result is nested deeper than ${maxDepth} levels. Flatten it.` };
  }
  return outcome;
}

/** Counts brackets in JSON text instead of walking the value, which could be too deep to walk. */
function depthOf(jsonText: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < jsonText.length; index += 1) {
    const character = jsonText.charCodeAt(index);
    if (inString) {
      if (character === backslash) index += 1;
      else if (character === quote) inString = false;
    } else if (character === quote) inString = true;
    else if (character === openBracket || character === openBrace) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (character === closeBracket || character === closeBrace) depth -= 1;
  }
  return deepest;
}

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
