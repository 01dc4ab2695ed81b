/** A JSON Schema as zod writes it. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly multipleOf?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
}

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly schema: JsonSchema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Required<Content>;
  readonly responses: Readonly<Record<string, Content>>;
}

/** One method of one address, as the service describes it. */
export interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Methods this address does not take. */
  readonly otherMethods: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly statuses: ReadonlySet<number>;
  /** Of the answers that are JSON and no errors, by status. */
  readonly answers: ReadonlyMap<number, JsonSchema>;
}

interface OpenApiDocument {
  readonly paths: Record<string, Record<string, DocumentedOperation>>;
}

/** The same without references. */
function resolved(value: unknown, document: object): unknown {
  if (Array.isArray(value)) return value.map((part) => resolved(part, document));
  if (typeof value !== "object" || value === null) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const parts = Object.entries(rest).map(([name, part]) => [name, resolved(part, document)]);
  if ($ref === undefined) return Object.fromEntries(parts);
  const steps = $ref.slice(2).split("/");
  const target = steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document);
  return { ...(resolved(target, document) as object), ...Object.fromEntries(parts) };
}

const METHODS = ["GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS", "TRACE"];

/** What the running service says about itself. */
export async function readOperations(address: string): Promise<Operation[]> {
  const document = (await (await fetch(`${address}/openapi.json`)).json()) as OpenApiDocument;
  const paths = resolved(document.paths, document) as OpenApiDocument["paths"];
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]) => ({
      name: documented.operationId,
      method: method.toUpperCase(),
      path,
      otherMethods: METHODS.filter(
        // HEAD goes wherever GET does, and is not documented by itself.
        (other) => methods[other === "HEAD" ? "get" : other.toLowerCase()] === undefined,
      ),
      parameters: documented.parameters,
      body: documented.requestBody?.content["application/json"]?.schema,
      statuses: new Set(Object.keys(documented.responses).map(Number)),
      answers: new Map(
        Object.entries(documented.responses).flatMap(([status, { content }]) => {
          const schema = content?.["application/json"]?.schema;
          return schema && Number(status) < 300 ? [[Number(status), schema] as const] : [];
        }),
      ),
    })),
  );
}
