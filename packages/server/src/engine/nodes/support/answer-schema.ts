import { parseForeignJson } from "../../../domain/json.ts";
import { SandboxError, type Sandbox } from "../../sandbox/sandbox.ts";
import { NodeError } from "../node-type.ts";

const MAX_ANSWER_VALUES = 20_000;

/** The author's JSON Schema of an answer. What a check costs is not known beforehand, so it is made in the sandbox. */
export class AnswerSchema {
  readonly #run: (input: unknown) => Promise<unknown>;

  constructor(
    sandbox: Sandbox,
    schema: Readonly<Record<string, unknown>>,
    call: { organizationId: string; signal: AbortSignal },
  ) {
    const source = JSON.stringify(schema);
    this.#run = async (input) =>
      (await sandbox.run({ ...call, isUrgent: true, language: "schema", source, input }).catch(fail)).value;
  }

  /** Fails where it is no schema, before a model is paid for an answer. */
  async read(): Promise<void> {
    await this.#run(undefined);
  }

  parse(text: string): Promise<unknown> {
    let value: unknown;
    try {
      value = parseForeignJson(text, { maxValues: MAX_ANSWER_VALUES });
    } catch {
      throw unfit();
    }
    return this.#run(value);
  }
}

function fail(error: unknown): never {
  if (!(error instanceof SandboxError)) throw error;
  if (error.name === "SchemaMismatch") throw unfit();
  if (error.name === "SchemaError")
    throw new NodeError("ModelSchemaInvalid", "`schema` is not a JSON Schema that can be used.");
  if (error.name === "SchemaTimeout" || error.name === "SchemaMemory") {
    const message =
      "Checking the answer against `schema` takes too long. Use fewer properties and alternatives (`anyOf`, `oneOf`, `allOf`), above all where they refer to each other.";
    throw new NodeError("ModelSchemaTooComplex", message);
  }
  throw new NodeError(error.name, error.message);
}

function unfit(): NodeError {
  return new NodeError("ModelReplyInvalid", "The model's reply does not fit `schema`.");
}
