import { JsonFault, parseJson } from "../../domain/json.ts";
import { UpstreamError } from "../upstream-error.ts";

/** What a child returns was made of a server's bytes, so it is read with the limits of all JSON from outside. */
export function readForeignResult<Result>(text: string): Result {
  try {
    return parseJson(text) as Result;
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    throw new UpstreamError("ResultInvalid", `The result ${error.message}.`);
  }
}
