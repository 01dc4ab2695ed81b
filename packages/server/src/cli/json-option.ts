import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { type JsonFault, parseJson } from "../domain/json.ts";

/** JSON as it stands, or the content of a file: `@body.json`. */
export function json(text: string): unknown {
  const source = text.startsWith("@") ? contentOf(text.slice(1)) : text;
  try {
    return parseJson(source);
  } catch (error) {
    const { path, message } = error as JsonFault;
    const fault = path.length > 0 ? `${path.join(".")} ${message}` : `It ${message}`;
    throw new InvalidArgumentError(
      `${fault}. Pass JSON, such as '{"name":"Ada"}', or @ and the name of a file with JSON.`,
    );
  }
}

export function jsonObject(text: string): Record<string, unknown> {
  const value = json(text);
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new InvalidArgumentError(
    `It must be a JSON object, such as '{"name":"Ada"}', or @ and a file with one.`,
  );
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new InvalidArgumentError(`The file ${file} cannot be read.`);
  }
}
